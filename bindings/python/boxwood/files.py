"""Files: meshes, names, places, units and animations, by the readers of the boxwood command."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Literal, Self

from boxwood import _tool
from boxwood._core import Mesh, Motion
from boxwood.poses import Pose

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Clip", "File", "Film", "Part", "read"]

IDENTITY: Pose = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
# What turns the axis that points up into z.
TURNS = {
    "x": ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
    "y": ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),
    "z": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}


@dataclass(frozen=True)
class Clip:
    """An animation that a file has to play; times in seconds."""

    name: str
    begin: float
    end: float
    channels: int
    keys: int


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh that stands somewhere. Parts that show one mesh share it, and so its tree.

    ``file_faces`` says of each triangle which face of the file's mesh it was cut from.
    """

    name: str
    mesh: Mesh
    pose: Pose = field(repr=False)
    file_faces: NDArray[Any] | None = field(repr=False)


class _Closing:
    """What lets go of all that it has when it is closed: nothing is left of its attributes, so that any use of them is refused."""

    def close(self) -> None:
        """Lets go of the meshes and arrays: what others hold of them stays. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> with bw.read("scene:torus:200") as file:
        ...     mesh = file[0].mesh
        >>> file, len(mesh.vertices)
        (File(closed), 98)
        """
        self.__dict__ = {"_closed": True}

    def __enter__(self) -> Self:
        self._refuse_closed()
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def _refuse_closed(self) -> None:
        if "_closed" in self.__dict__:
            raise ValueError(f"this {type(self).__name__} is closed")

    if not TYPE_CHECKING:  # checkers would take any name for an attribute

        def __getattr__(self, name):
            if not name.startswith("__"):  # not what copy and pickle look for
                self._refuse_closed()
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)


class File(_Closing):
    """What is in a file: ``parts`` in its order, which may be taken by name or number, and ``clips`` to play.

    ``unit`` (metres to one unit) and ``up`` ("x", "y", "z") are what the file says, None where it does not. Coordinates are the file's
    own; ``to_metres`` is the pose that brings them to metres and z up. ``notes`` tell what was left out.
    """

    def __init__(self, path: str, head: dict[str, Any], parts: list[Part], notes: list[str], film: Film | None = None) -> None:
        self.path = path
        self._film = film
        self.format: str = head["format"]
        self.unit: float | None = head["unit"]
        self.up: str | None = head["up"]
        self.parts = parts
        self.clips = _clips(head)
        self.unused_vertices: int = head["unused"]
        self.notes = notes

    def __repr__(self) -> str:
        if "_closed" in self.__dict__:
            return "File(closed)"
        clips = f", {len(self.clips)} clips" if self.clips else ""
        return f"File({self.path!r}, {self.format}, {len(self.parts)} parts{clips})"

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __getitem__(self, which: int | str) -> Part:
        if isinstance(which, int):
            return self.parts[which]
        for part in self.parts:
            if part.name == which:
                return part
        raise KeyError(f"{self.path} has no part {which!r}; it has {', '.join(repr(p.name) for p in self.parts[:8])}{', ...' if len(self.parts) > 8 else ''}")

    @property
    def to_metres(self) -> Pose:
        """The pose that brings the file's coordinates to metres and z up, as far as it says what they are."""
        s = self.unit or 1.0
        x, y, z = ((s * a, s * b, s * c, 0.0) for a, b, c in TURNS[self.up or "z"])
        return (x, y, z, IDENTITY[3])

    @functools.cached_property
    def mesh(self) -> Mesh:
        """All parts as one mesh, each at its place. Needs NumPy.

        >>> import boxwood as bw
        >>> bw.read("scene:torus:200").mesh
        Mesh(98 vertices, 196 faces, float64)
        """
        if len(self.parts) == 1 and self.parts[0].pose is IDENTITY:
            return self.parts[0].mesh
        import numpy as np

        vertices: list[Any] = []
        faces: list[Any] = []
        count = 0
        for part in self.parts:
            own, pose = np.asarray(part.mesh.vertices), np.asarray(part.pose)
            if part.pose is not IDENTITY:
                own = own @ pose[:3, :3].T + pose[:3, 3]
            vertices.append(own)
            if part.mesh.faces is not None:
                order = (0, 2, 1) if part.pose is not IDENTITY and float(np.linalg.det(pose[:3, :3])) < 0 else (0, 1, 2)
                faces.append(np.asarray(part.mesh.faces)[:, order] + np.uint32(count))
            count += len(own)
        return Mesh(np.concatenate(vertices), np.concatenate(faces) if faces else None)

    def play(self, clip: str | int | None = None, *, rate: float | None = None, fps: float | None = None) -> Film:
        """The frames of an animation: of the first clip, or of the one with that name, or number from 0.

        Paths that bend (rotations, skins) are sampled at every key and at least ``rate`` (60) times a second in between; ``fps`` (24) is
        for what counts in frames.

        >>> import boxwood as bw
        >>> film = bw.read("scene:tablecloth:400").play()
        >>> len(film.times) == len(film.frames) > 10
        True
        """
        if self._film is not None and clip is None and rate is None and fps is None:
            return self._film
        arguments = ["dump", "--play"]
        if clip is not None:
            arguments += ["--clip", str(clip + 1) if isinstance(clip, int) else clip]
        for name, value in (("--rate", rate), ("--fps", fps)):
            if value is not None:
                arguments += [name, repr(float(value))]
        made, notes = _tool.run([*arguments, "--", self.path], _take_film)
        _tool.warn([note for note in notes if note not in self.notes])
        return made


class Film(_Closing):
    """A mesh over time: ``frames[i]`` are the positions of all its vertices at ``times[i]`` (seconds), linear in between.

    A time that stands twice is a jump: before and after. ``parts`` maps names to meshes of the same vertices.
    """

    def __init__(self, clip: str, mesh: Mesh, parts: list[tuple[str, Mesh]], times: list[float], frames: list[Any]) -> None:
        self.clip = clip
        self.mesh = mesh
        self.parts = parts
        self.times = times
        self.frames = frames

    def __repr__(self) -> str:
        if "_closed" in self.__dict__:
            return "Film(closed)"
        span = f", {self.times[0]:g} to {self.times[-1]:g} s" if self.times else ""
        return f"Film({self.clip!r}, {len(self.frames)} frames{span}, {len(self.parts)} parts)"

    def motions(self, part: int | None = None) -> list[Motion]:
        """The film, or one part of it, as motions between its jumps: one for each piece.

        >>> import boxwood as bw
        >>> cloth = bw.read("scene:tablecloth:400").play().motions()[0]
        >>> bw.timeline([cloth], self_contacts=True).report.status.name
        'DONE'
        """
        mesh = self.mesh if part is None else self.parts[part][1]
        cuts = [i for i in range(1, len(self.times)) if self.times[i] == self.times[i - 1]]
        pieces = [(a, b) for a, b in zip([0, *cuts], [*cuts, len(self.times)]) if b - a > 1]
        if self.frames:
            mesh = Mesh(self.frames[0], mesh.faces)  # floats and doubles do not go together in a motion
        return [Motion(mesh, self.times[a:b], self.frames[a:b]) for a, b in pieces]


def _rows(source: IO[bytes], count: int, code: Literal["d", "f", "I"], columns: int) -> Any:
    """An array (count, columns) of the next bytes: NumPy's where that is there."""
    block = _tool.take_block(source, count * columns * (8 if code == "d" else 4))
    if count == 0:
        return [] if columns == 1 else [[0] * columns][:0]
    shape = (count, columns) if columns > 1 else (count,)
    view: Any = block.cast("I", shape) if code == "I" else block.cast(code, shape)
    try:
        import numpy as np
    except ImportError:
        return view
    return np.asarray(view)


def _head(source: IO[bytes]) -> dict[str, Any]:
    line = source.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    head: dict[str, Any] = json.loads(line)
    return head


def _clips(head: dict[str, Any]) -> list[Clip]:
    return [Clip(**clip) for clip in head["clips"]]


def _pose(numbers: list[float] | None) -> Pose:
    if numbers is None:
        return IDENTITY
    a, b, c = (tuple(numbers[4 * i : 4 * i + 4]) for i in range(3))
    return (a, b, c, IDENTITY[3])  # type: ignore[return-value]


def _take_file(source: IO[bytes]) -> tuple[dict[str, Any], list[Part]]:
    head = _head(source)
    meshes: list[tuple[Mesh, Any]] = []
    for mesh in head["meshes"]:
        vertices = _rows(source, mesh["vertices"], "d", 3)
        if "triangles" in mesh:
            faces = _rows(source, mesh["triangles"], "I", 3)
            meshes.append((Mesh(vertices, faces), _rows(source, mesh["triangles"], "I", 1)))
        else:
            meshes.append((Mesh(vertices), None))
    parts: list[Part] = []
    for part in head["parts"]:
        own, faces = meshes[int(part["mesh"])]
        parts.append(Part(part["name"], own, _pose(part.get("pose")), faces))
    return head, parts


def _take_film(source: IO[bytes]) -> Film:
    head = _head(source)
    vertices = _rows(source, head["vertices"], "d", 3)
    faces: Any = _rows(source, head["triangles"], "I", 3) if head["triangles"] else None
    mesh = Mesh(vertices, faces)
    times: Any = _rows(source, head["frames"], "d", 1) if head["frames"] else []
    frames = [_rows(source, head["vertices"], "d" if head["scalar"] == 8 else "f", 3) for _ in range(head["frames"])]
    parts = [(p["name"], Mesh(vertices, faces[p["first"] : p["first"] + p["triangles"]])) for p in head["parts"]]
    return Film(head["clip"] or "", mesh, parts, list(times), frames)


def read(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> File:
    """Reads a file: OBJ, PLY, STL, OFF, glTF 2.0, MDL, MD2, MD3, and what assimp reads (FBX, COLLADA, IFC, 3MF, ...); gzip, too.

    Parts are nodes, called by their paths; a mesh that stands in many places is read once. Every digit is kept, polygons are cut into
    triangles. What is left out is told by a ``ReadWarning``; a file that cannot be read is a ``ReadError`` that names file, place and
    value. ``walk####.obj`` (a file per frame) and ``mesh.obj@cache.pc2`` can be played; "scene:NAME" is a built-in scene.

    >>> import boxwood as bw
    >>> file = bw.read("scene:torus:200")
    >>> [(part.name, part.mesh) for part in file]
    [('torus', Mesh(98 vertices, 196 faces, float64))]
    """
    name = os.fsdecode(path)
    if not any(mark in name for mark in ("#", "@")) and not name.startswith("scene:"):
        with open(name, "rb"):  # FileNotFoundError and its kin, by their own names
            pass
    film: Film | None = None
    if "#" in name or "@" in name:  # frames are all that is there
        played, notes = _tool.run(["dump", "--play", "--", name], _take_film)
        film = played
        head: dict[str, Any] = {"format": "frames", "unit": None, "up": None, "clips": [], "unused": 0}
        parts = [Part(n, m, IDENTITY, None) for n, m in played.parts] or [Part("", played.mesh, IDENTITY, None)]
    else:
        (head, parts), notes = _tool.run(["dump", "--", name], _take_file)
    _tool.warn(notes)
    return File(name, head, parts, notes, film)
