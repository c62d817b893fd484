"""The boxwood command, which the full wheel brings: readers and pages run in a process of their own, so that neither a broken file
nor the end of memory can take Python down."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn, TypeVar

from boxwood._core import Error, UnsupportedError

__all__ = ["ReadError", "ReadWarning"]

T = TypeVar("T")
PROGRAM = (str(Path(__file__).resolve().parent / "bin" / "boxwood"),)


class ReadError(Error):
    """A file that cannot be read; the message names file, place and value.

    >>> import boxwood as bw
    >>> from pathlib import Path
    >>> _ = Path("broken.obj").write_text("v 0 0 zero")
    >>> try:
    ...     bw.read("broken.obj")
    ... except bw.ReadError as error:
    ...     print(error)
    broken.obj:1: a vertex needs three numbers, not "zero"
    """


class ReadWarning(UserWarning):
    """What a reader left out of a file, or took otherwise than its name says.

    >>> import boxwood as bw, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", bw.ReadWarning)  # an exception instead
    ...     file = bw.read("scene:torus:200")
    """


def program() -> tuple[str, ...]:
    if len(PROGRAM) == 1 and not os.access(PROGRAM[0], os.X_OK):
        raise UnsupportedError("this build of the package is the core alone, without the boxwood command: it reads no files and makes no pages")
    return PROGRAM


def run(arguments: Sequence[str], take: Callable[[IO[bytes]], T], *, good: Sequence[int] = (0,), cwd: str | None = None) -> tuple[T, list[str]]:
    """Runs the command and lets ``take`` read what it writes; gives what that made, and the command's warnings."""
    with tempfile.TemporaryFile() as told:
        child = subprocess.Popen([*program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=told, cwd=cwd)
        assert child.stdout is not None
        try:
            made: list[T] = []
            try:
                made.append(take(child.stdout))
            except EOFError:  # the command ended early, and says why
                pass
            code = child.wait()
        finally:
            child.kill()
            child.stdout.close()
            child.wait()
        told.seek(0)
        lines = told.read().decode("utf-8", "replace").splitlines()
    if code not in good or not made:
        complain(code, lines)
    notes = [line.removeprefix("boxwood: warning: ") for line in lines if line.startswith("boxwood: warning: ")]
    return made[0], notes


def complain(code: int, lines: list[str]) -> NoReturn:
    said = [line.removeprefix("boxwood: ") for line in lines if line.startswith("boxwood: ") and not line.startswith("boxwood: warning: ")]
    text = said[-1] if said else "\n".join(lines[-3:])
    if text.startswith("out of memory") or code == -9:
        raise MemoryError(text or "the reader was killed, as the system does where memory runs out")
    if code < 0:
        raise ReadError(f"the reader ended by signal {-code}{': ' + text if text else ''}")
    raise ReadError(text or f"the reader ended with code {code} and no word")


def take_block(source: IO[bytes], size: int) -> memoryview:
    """Exactly so many bytes, in memory of Python's own."""
    block = memoryview(bytearray(size))
    filled = 0
    readinto: Any = getattr(source, "readinto")  # of a pipe, which IO does not know
    while filled < size:
        got: int = readinto(block[filled:])
        if not got:
            raise EOFError
        filled += got
    return block


def warn(notes: list[str]) -> None:
    for note in notes:
        warnings.warn(note, ReadWarning, stacklevel=3)


def main() -> NoReturn:
    """The command ``boxwood``."""
    try:
        path = program()[0]
    except UnsupportedError as error:
        sys.exit(f"boxwood: {error}")
    os.execv(path, [path, *sys.argv[1:]])
