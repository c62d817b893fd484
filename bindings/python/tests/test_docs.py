"""Every public name has a docstring, every callable one an example that runs; stub and extension agree."""

from __future__ import annotations

import doctest
import inspect
from importlib.util import find_spec

import pytest

import boxwood as bw


def documented():  # type: ignore[no-untyped-def]
    for module in (bw, bw.samples):
        yield module.__name__, module, module is bw
    for name in [n for n in vars(bw) if not n.startswith("_")]:
        thing = getattr(bw, name)
        if inspect.ismodule(thing) or isinstance(thing, str) or name == "Pose":
            continue
        result = inspect.isclass(thing) and not issubclass(thing, (Exception, int)) and "__new__" not in vars(thing)
        wants = not inspect.isclass(thing) or not (result or issubclass(thing, int) or thing in bw.Error.__subclasses__())
        yield name, thing, wants
        if inspect.isclass(thing) and not issubclass(thing, (Exception, int)):
            for member, value in vars(thing).items():
                if callable(value) or isinstance(value, (classmethod, staticmethod)):
                    if not member.startswith("_") and member != "as_dict" and (member != "plot" or find_spec("matplotlib")):
                        yield f"{name}.{member}", getattr(thing, member), True
    yield "File.close", bw.File.close, True  # which File and Film share
    try:
        import matplotlib  # noqa: F401

        for name in bw.plot.__all__:
            yield f"plot.{name}", getattr(bw.plot, name), True
    except ImportError:
        pass
    for name in bw.samples.__all__:
        yield f"samples.{name}", getattr(bw.samples, name), True


@pytest.mark.parametrize("name, thing, wants", list(documented()), ids=lambda x: x if isinstance(x, str) else "")
def test_docstring(name, thing, wants, tmp_path, monkeypatch):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    doc = inspect.getdoc(thing)
    assert doc, f"{name} has no docstring"
    tests = doctest.DocTestParser().get_doctest(doc, {}, name, None, None)
    assert tests.examples or not wants, f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(tests)
    assert runner.failures == 0
