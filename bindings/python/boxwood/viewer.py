"""A page in 3D of meshes, trees, motions and files, in a notebook or a browser: the one that the boxwood command makes."""

from __future__ import annotations

import array
import html
import os
import re
import struct
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Union, cast

from boxwood import _tool
from boxwood._core import Mesh, Motion, Tree
from boxwood.files import IDENTITY, File, Film, Part

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    Shown = Union[Mesh, Tree, Motion, Film, Part, File, str, os.PathLike[str]]

__all__ = ["View", "view"]

FRAMES = 240  # of a motion, at most


class View:
    """A page that holds all it shows, and loads nothing: a notebook shows it in place.

    >>> import boxwood as bw
    >>> page = bw.view(bw.samples.cube())
    >>> page.save("cube.html").name
    'cube.html'
    """

    def __init__(self, page: str, height: int) -> None:
        self.html = page
        self.height = height

    def __repr__(self) -> str:
        return f"View({len(self.html) // 1024} KB)"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:{self.height}px;border:1px solid #ccc" '
            f'allow="fullscreen" title="boxwood"></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file.

        >>> import boxwood as bw
        >>> bw.samples.cube().view().save("cube.html").name
        'cube.html'
        """
        there = Path(path)
        there.write_text(self.html, encoding="utf-8")
        return there

    def show(self) -> Path:
        """Opens the page in a browser, from a file in the folder for temporary files, which stays.

        >>> import boxwood as bw
        >>> bw.samples.cube().view().show()  # doctest: +SKIP
        """
        import webbrowser

        handle, name = tempfile.mkstemp(prefix="boxwood-", suffix=".html")
        os.close(handle)
        there = self.save(name)
        webbrowser.open(there.as_uri())
        return there


def _bytes(table: Any) -> tuple[bytes, int]:
    """Row by row in little-endian order, and the size of a number."""
    view = memoryview(table)
    if sys.byteorder == "big":
        import numpy as np

        own = np.asarray(table)
        return own.astype(own.dtype.newbyteorder("<")).tobytes(), own.itemsize
    return view.tobytes(), view.itemsize


def _ply(path: Path, mesh: Mesh, pose: Any) -> None:
    vertices: Any = mesh.vertices
    if pose is not IDENTITY:
        import numpy as np

        matrix = np.asarray(pose, dtype=np.float64)
        if matrix.shape not in ((4, 4), (3, 4)):
            raise ValueError(f"a pose is a matrix (4, 4) or (3, 4), not {matrix.shape}")
        vertices = np.asarray(vertices, dtype=np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    points, size = _bytes(vertices)
    name = "double" if size == 8 else "float"
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(mesh.vertices)}\n"
    head += "".join(f"property {name} {axis}\n" for axis in "xyz")
    faces = b""
    if mesh.faces is not None:
        head += f"element face {len(mesh.faces)}\nproperty list uchar uint vertex_indices\n"
        rows = _bytes(mesh.faces)[0]
        faces = b"".join(b"\x03" + rows[i : i + 12] for i in range(0, len(rows), 12))
    path.write_bytes(head.encode() + b"end_header\n" + points + faces)


def _mdd(path: Path, times: list[float], frames: list[Any]) -> None:
    """Frames as a cache of floats, which is what a page shows."""
    count = len(frames[0])
    with path.open("wb") as out:
        out.write(struct.pack(f">ii{len(times)}f", len(times), count, *times))
        for frame in frames:
            values = array.array("f", memoryview(frame).cast("B").cast("f") if memoryview(frame).itemsize == 4 and memoryview(frame).c_contiguous else [x for row in frame.tolist() for x in row])
            if sys.byteorder == "little":
                values.byteswap()
            out.write(values.tobytes())


def _sampled(motion: Motion) -> tuple[list[float], list[Any]]:
    begin, end = motion.span
    count = max(2, min(FRAMES, int((end - begin) * 60) + 1))
    times = [begin + (end - begin) * i / (count - 1) for i in range(count)]
    return times, [motion.sample(t) for t in times]


class _Folder:
    """Files of what is shown, by names that the page tells."""

    def __init__(self, root: str) -> None:
        self.root = Path(root)
        self.names: list[str] = []
        self.moves = False
        self.taken: set[str] = set()

    def path(self, wanted: str) -> Path:
        stem = re.sub(r"[^\w ()+-]", "_", wanted).strip()[:80] or "mesh"
        name, number = stem, 1
        while name in self.taken:
            number += 1
            name = f"{stem} {number}"
        self.taken.add(name)
        return self.root / name  # what it holds tells that it is a PLY file

    def add(self, name: str, thing: Any, pose: Any) -> None:
        if isinstance(thing, (str, os.PathLike)):
            self.names.append(os.path.abspath(os.fspath(thing)) if os.path.exists(thing) else os.fspath(thing))  # pyright: ignore
        elif isinstance(thing, File):
            self.add(name, thing.path, pose)
        elif isinstance(thing, Part):
            self.add(name or thing.name, thing.mesh, thing.pose)
        elif isinstance(thing, Film):
            self.film(name or thing.clip or "film", thing.mesh, thing.times, thing.frames)
        elif isinstance(thing, Motion):
            times, frames = _sampled(thing)
            self.film(name or "motion", Mesh(frames[0], thing.mesh.faces), times, frames)
        elif isinstance(thing, (Mesh, Tree)):
            mesh = thing if isinstance(thing, Mesh) else thing.mesh
            there = self.path(name or "mesh")
            _ply(there, mesh, pose)
            self.names.append(there.name)
        else:
            raise TypeError(f"a view shows meshes, trees, motions, films, parts and files, not {type(thing).__name__}")

    def film(self, name: str, mesh: Mesh, times: list[float], frames: list[Any]) -> None:
        there = self.path(name)
        _ply(there, mesh, IDENTITY)
        if times:
            _mdd(there.with_suffix(".mdd"), times, frames)
            self.moves = True
        self.names.append(f"{there.name}@{there.with_suffix('.mdd').name}" if times else there.name)


def _drain(source: IO[bytes]) -> None:
    while source.read(1 << 16):
        pass


def view(
    *things: Shown | tuple[Shown, ArrayLike] | Mapping[str, Shown | tuple[Shown, ArrayLike]],
    contacts: bool = False,
    layers: bool = True,
    height: int = 520,
) -> View:
    """Shows meshes, trees, motions, parts and files in 3D: in a notebook in place, elsewhere by ``.show()`` or ``.save(path)``.

    A thing with a pose is a pair (thing, matrix); a dictionary gives names. layers: also the boxes of trees, defects, open edges and
    self-contacts. contacts: who collides with whom, as a list to click on (of motions: from when to when). The page works without a
    network.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> bw.view({"table": cube, "cup": (cube, bw.translation(0.5, 0, 0.9))}, contacts=True)
    View(... KB)
    """
    named: list[tuple[str, Any]] = []
    for thing in things:
        named += list(thing.items()) if isinstance(thing, Mapping) else [("", thing)]
    if not named:
        raise ValueError("nothing to show")
    with tempfile.TemporaryDirectory(prefix="boxwood-view-") as root:
        folder = _Folder(root)
        for name, thing in named:
            pair = cast("tuple[Any, Any]", thing) if isinstance(thing, tuple) else (thing, IDENTITY)
            folder.add(name, *pair)
        page = Path(root) / "page.html"
        if contacts:
            arguments = ["track" if folder.moves else "clash", "-o", page.name]
        else:
            arguments = ["view", "-o", page.name, "--no-open", *([] if layers else ["--no-layers"])]
        _, notes = _tool.run([*arguments, "--", *folder.names], _drain, good=(0, 1) if contacts else (0,), cwd=root)
        _tool.warn(notes)
        return View(page.read_text(encoding="utf-8", errors="replace"), height)  # a file may have any name
