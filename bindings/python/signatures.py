"""Turns boxwood/_core.pyi into signatures.h and signatures.c: one table of argument names and one docstring for each function.

The stub is the only place where a signature or a docstring of the extension is written; the extension parses its arguments by
these tables, and type checkers and editors read the stub.
"""
from __future__ import annotations

import ast
import sys
from pathlib import Path


def quoted(text: str) -> str:
    lines = text.split("\n")
    return "\n    ".join(
        '"' + line.replace("\\", "\\\\").replace('"', '\\"') + ("\\n" if i + 1 < len(lines) else "") + '"'
        for i, line in enumerate(lines)
    )


def is_overload(node: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list)


def is_property(node: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


class Function:
    def __init__(self, c_name: str, python: str, node: ast.FunctionDef, owner: str) -> None:
        given = node.args
        positional = given.posonlyargs + given.args
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(given.defaults)) + list(given.defaults)
        static = any(isinstance(d, ast.Name) and d.id in ("staticmethod",) for d in node.decorator_list)
        first = ""
        if owner in ("method", "class") and not static:
            first = "$self" if owner == "method" else ""  # what is written of a class are the arguments of a call
            if any(isinstance(d, ast.Name) and d.id == "classmethod" for d in node.decorator_list):
                first = "$type"
            positional, defaults = positional[1:], defaults[1:]
        elif owner == "module":
            first = "$module"
        self.c_name, self.python = c_name, python
        self.names = [a.arg for a in positional] + [a.arg for a in given.kwonlyargs]
        self.positional = len(positional)
        self.required = 0
        texts = [first] if first else []
        if first:
            texts.append("/")
        for i, (argument, default) in enumerate(zip(positional, defaults)):
            if default is None:
                self.required |= 1 << i
            texts.append(argument.arg + ("" if default is None else "=" + ast.unparse(default)))
        if given.kwonlyargs:
            texts.append("*")
        for i, (argument, default) in enumerate(zip(given.kwonlyargs, given.kw_defaults), len(positional)):
            if default is None:
                self.required |= 1 << i
            texts.append(argument.arg + ("" if default is None else "=" + ast.unparse(default)))
        self.text = f"{python}({', '.join(texts)})\n--\n\n"
        self.doc = ast.get_docstring(node) or ""


def functions(tree: ast.Module) -> tuple[list[Function], list[tuple[str, str]]]:
    found: list[Function] = []
    docs: list[tuple[str, str]] = []
    seen: set[str] = set()  # of overloads the first tells the arguments, and has the docstring
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not is_overload(node):
            found.append(Function(node.name, node.name, node, "module"))
        if not isinstance(node, ast.ClassDef):
            continue
        doc = ast.get_docstring(node) or ""
        maker = None
        for inner in node.body:
            if not isinstance(inner, ast.FunctionDef) or (is_overload(inner) and f"{node.name}.{inner.name}" in seen):
                continue
            seen.add(f"{node.name}.{inner.name}")
            if is_property(inner):
                if ast.get_docstring(inner) is None:
                    continue
                docs.append((f"{node.name}_{inner.name}", ast.get_docstring(inner) or ""))
            elif inner.name == "__new__":
                maker = Function(node.name, node.name, inner, "class")
                maker.doc = doc
            elif not inner.name.startswith("__"):
                found.append(Function(f"{node.name}_{inner.name}", inner.name, inner, "method"))
        if maker:
            found.append(maker)
        else:
            docs.append((node.name, doc))
    return found, docs


def main(stub: str, folder: str) -> None:
    found, docs = functions(ast.parse(Path(stub).read_text(encoding="utf-8")))
    head = ["/* Generated from _core.pyi by signatures.py. */"]
    body = ['/* Generated from _core.pyi by signatures.py. */\n#include "core.h"\n']
    for f in found:
        if len(f.names) > 64:
            raise SystemExit(f"{f.python}: more than 64 arguments")
        members = "".join(f"ARG_{f.c_name}_{n}, " for n in f.names)
        head.append(f"enum {{ {members}COUNT_{f.c_name} }};")
        head.append(f"extern const signature SIGNATURE_{f.c_name};\nextern const char DOC_{f.c_name}[];")
        names = "".join(f'"{n}", ' for n in f.names)
        body.append(f"static const char *const names_{f.c_name}[] = {{{names}NULL}};")
        body.append(
            f'const signature SIGNATURE_{f.c_name} = {{"{f.python}", names_{f.c_name}, {len(f.names)}, {f.positional}, {f.required}u}};'
        )
        body.append(f"const char DOC_{f.c_name}[] =\n    {quoted(f.text + f.doc)};")
    for name, doc in docs:
        head.append(f"extern const char DOC_{name}[];")
        body.append(f"const char DOC_{name}[] =\n    {quoted(doc)};")
    for name, lines in (("signatures.h", head), ("signatures.c", body)):
        path, text = Path(folder) / name, "\n".join(lines) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
