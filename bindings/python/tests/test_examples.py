"""Every example runs, and its own assertions hold; so does the code on the page docs/python.md."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
EXAMPLES = sorted((HERE.parent / "examples").glob("*.py"))
PAGE = HERE.parents[2] / "docs" / "python.md"


@pytest.mark.once
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_example(path: Path) -> None:
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    print(done.stdout)


@pytest.mark.once
def test_code_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert blocks
    shared: dict[str, object] = {}
    for block in blocks:
        for module in ("trimesh", "fcl", "coal", "ipctk", "tqdm", "pandas"):
            if re.search(rf"^(import|from) {module}\b", block, re.M):
                try:
                    __import__(module)
                except ImportError:
                    print(f"not run: {module} is not installed")
                    break
        else:
            exec(compile(block, str(PAGE), "exec"), shared)
