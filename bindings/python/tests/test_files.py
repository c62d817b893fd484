"""boxwood.read beside trimesh's readers, the exact bytes of files written here, and the boxwood command; boxwood.view."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

import boxwood as bw
from boxwood import _tool

pytestmark = pytest.mark.skipif(not os.access(_tool.PROGRAM[0], os.X_OK), reason="the core alone, without the command")
TOOL = _tool.PROGRAM[0]


def soup(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Every digit of a double, and faces in any order."""
    v = rng.normal(size=(50, 3)) * 10.0 ** rng.integers(-9, 9, (50, 1))
    return v, rng.permutation(np.arange(48).reshape(16, 3))


def write_obj(path: Path, v: np.ndarray, f: np.ndarray) -> None:
    path.write_text("".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in v.tolist()) + "".join(f"f {a} {b} {c}\n" for a, b, c in (f + 1).tolist()))


def corners(mesh: bw.Mesh) -> np.ndarray:
    return np.asarray(mesh.vertices)[np.asarray(mesh.faces)]


def test_every_digit(tmp_path: Path, rng: np.random.Generator) -> None:
    v, f = soup(rng)
    write_obj(tmp_path / "a.obj", v, f)
    ply = tmp_path / "a.ply"
    ply.write_bytes(
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(v)}\nproperty double x\nproperty double y\nproperty double z\n"
        f"element face {len(f)}\nproperty list uchar int vertex_indices\nend_header\n".encode()
        + v.tobytes()
        + b"".join(struct.pack("<B3i", 3, *row) for row in f.tolist())
    )
    for name in ("a.obj", "a.ply"):
        file = bw.read(tmp_path / name)
        assert len(file) == 1 and file.unused_vertices == 2
        assert corners(file[0].mesh).tobytes() == v[f].tobytes(), name
        assert np.array_equal(file[0].file_faces, np.arange(16))
        assert file.mesh is file[0].mesh and file[0].mesh.vertices.dtype == np.float64


def test_polygons_and_groups(tmp_path: Path) -> None:
    (tmp_path / "house.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\no floor\nf 1 2 3 4\no wall\nf 1 2 6 5\nf 1 2 6\n"
    )
    file = bw.read(tmp_path / "house.obj")
    assert [p.name for p in file] == ["floor", "wall"] and file["wall"] is file[1]
    assert len(file[0].mesh.vertices) == 4 and file[1].file_faces.tolist() == [0, 0, 1]
    with pytest.raises(KeyError, match="'floor', 'wall'"):
        file["roof"]


def glb(path: Path, vertices: np.ndarray, faces: np.ndarray, **more: object) -> None:
    data = vertices.astype("<f4").tobytes() + faces.astype("<u4").tobytes()
    document: dict[str, object] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "buffers": [{"byteLength": len(data)}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 12 * len(vertices)}, {"buffer": 0, "byteOffset": 12 * len(vertices), "byteLength": 12 * len(faces)}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3", "min": vertices.min(0).tolist(), "max": vertices.max(0).tolist()},
            {"bufferView": 1, "componentType": 5125, "count": 3 * len(faces), "type": "SCALAR"},
        ],
        "meshes": [{"name": "bolt", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    }
    extra = b""
    if "animation" in more:
        times, moves = more.pop("animation")  # type: ignore[misc]
        extra = np.asarray(times, "<f4").tobytes() + np.asarray(moves, "<f4").tobytes()
        views, accessors = document["bufferViews"], document["accessors"]
        views += [{"buffer": 0, "byteOffset": len(data), "byteLength": 4 * len(times)}, {"buffer": 0, "byteOffset": len(data) + 4 * len(times), "byteLength": 12 * len(times)}]  # type: ignore[operator]
        accessors += [{"bufferView": 2, "componentType": 5126, "count": len(times), "type": "SCALAR", "min": [min(times)], "max": [max(times)]}, {"bufferView": 3, "componentType": 5126, "count": len(times), "type": "VEC3"}]  # type: ignore[operator]
        document["animations"] = [{"name": "slide", "samplers": [{"input": 2, "output": 3}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]
        data += extra
        document["buffers"] = [{"byteLength": len(data)}]
    document.update(more)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    path.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data)


CUBE = bw.samples.cube()
V, F = np.array(CUBE.vertices), np.array(CUBE.faces)


def test_instances_share_a_mesh(tmp_path: Path) -> None:
    nodes = [{"name": f"n{i}", "mesh": 0, "translation": [3.0 * i, 0, 0]} for i in range(5)] + [{"name": "mirrored", "mesh": 0, "scale": [-1, 1, 1], "translation": [0, 9, 0]}]
    glb(tmp_path / "many.glb", V, F, nodes=nodes, scenes=[{"nodes": list(range(6))}])
    file = bw.read(tmp_path / "many.glb")
    assert len(file) == 6 and len({id(p.mesh) for p in file}) == 1
    assert (file.unit, file.up) == (1.0, "y") and "n1" in file[1].name
    assert bw.distance(file[0].mesh, file[1].mesh, file[0].pose, file[1].pose).distance == 2.0
    whole = file.mesh
    assert len(whole.vertices) == 48 and whole.topology().oriented
    assert bw.contains(whole, [[6.0, 0, 0], [0.0, 9, 0], [1.5, 0, 0]]).tolist() == [True, True, False]
    assert np.allclose(np.array(file.to_metres)[:3, :3] @ [0, 1, 0], [0, 0, 1])


def test_beside_trimesh(tmp_path: Path, rng: np.random.Generator) -> None:
    trimesh = pytest.importorskip("trimesh")
    knot = bw.samples.knot(40, 8)
    mesh = trimesh.Trimesh(np.array(knot.vertices), np.array(knot.faces), process=False)
    for kind in ("obj", "ply", "stl", "off", "glb"):
        path = tmp_path / f"knot.{kind}"
        mesh.export(path)
        theirs = trimesh.load(path, process=False, force="mesh")
        ours = bw.read(path).mesh
        a, b = corners(ours), np.asarray(theirs.vertices)[theirs.faces]
        assert a.shape == b.shape, kind
        key = lambda t: t[np.lexsort(np.round(t.reshape(len(t), 9), 6).T)]  # noqa: E731
        assert np.allclose(key(a), key(b), atol=1e-6), kind
    scene = trimesh.Scene()
    for i in range(4):
        scene.add_geometry(mesh, node_name=f"part{i}", geom_name="knot", transform=trimesh.transformations.random_rotation_matrix())
    scene.export(tmp_path / "scene.glb")
    file = bw.read(tmp_path / "scene.glb")
    assert len(file) == 4
    other = trimesh.load(tmp_path / "scene.glb")
    for part in file:
        node = part.name.split("/")[-1].split(":")[-1]
        want = [other.graph[n][0] for n in other.graph.nodes_geometry if n in part.name]
        assert want and np.allclose(want[0], part.pose, atol=1e-6), node


def test_animation(tmp_path: Path) -> None:
    glb(tmp_path / "move.glb", V, F, nodes=[{"name": "arm", "mesh": 0}], scenes=[{"nodes": [0]}], animation=([0, 1, 2], [[0, 0, 0], [4, 0, 0], [4, 0, 8]]))
    file = bw.read(tmp_path / "move.glb")
    assert [(c.name, c.begin, c.end) for c in file.clips] == [("slide", 0.0, 2.0)]
    film = file.play()
    assert film.times == [0.0, 1.0, 2.0] and film.clip == "slide"
    for frame, move in zip(film.frames, ([0, 0, 0], [4, 0, 0], [4, 0, 8])):
        assert np.array_equal(np.asarray(frame), (np.asarray(film.frames[0]) + move).astype(frame.dtype))
    (arm,) = film.motions()
    wall = bw.Mesh(V + [2, 0, 0], F)
    still = bw.Motion(wall, [0, 2], [wall.vertices, wall.vertices]) if film.frames[0].dtype == np.float64 else None
    if still is None:
        w = np.asarray(wall.vertices, np.float32)
        still = bw.Motion(bw.Mesh(w, F), [0, 2], [w, w])
    events = bw.timeline([arm, still])
    assert [(e.time, e.begins) for e in events] == [(0.25, True), (0.75, False)]
    done = subprocess.run([TOOL, "info", "--json", str(tmp_path / "move.glb")], capture_output=True, text=True, check=True)
    assert "slide" in done.stdout
    assert file.play("slide").times == file.play(0).times == film.times
    with pytest.raises(bw.ReadError, match="move.glb.*no.*run"):
        file.play("run")


def test_a_file_per_frame(tmp_path: Path) -> None:
    for i in range(4):
        write_obj(tmp_path / f"walk{i:02}.obj", V + [i, 0, 0], F)
    file = bw.read(tmp_path / "walk##.obj")
    film = file.play()
    assert len(film.frames) == 4 and file.play(fps=1).times == [0.0, 1.0, 2.0, 3.0]
    assert np.array_equal(np.asarray(film.frames[3]), V + [3, 0, 0])


@pytest.mark.parametrize(
    "name, data, message",
    [
        ("a.obj", b"v 0 0 zero\n", r"a\.obj:1: .*zero"),
        ("b.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 9\n", r"b\.obj:3: .*vertex 8, but there are 2"),
        ("c.ply", b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n", r"c\.ply"),
        ("d.stl", b"\0" * 84 + b"x", r"d\.stl"),
        ("e.glb", b"glTF\2\0\0\0", r"e\.glb"),
        ("f.obj", b"", r"f\.obj"),
        ("g.xyz", b"\1\2\3", r"g\.xyz"),
    ],
)
def test_errors_name_the_place(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(bw.ReadError, match=message):
        bw.read(tmp_path / name)


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    (tmp_path / "lines.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n")
    with pytest.warns(bw.ReadWarning, match="1 lines"):
        file = bw.read(tmp_path / "lines.obj")
    assert len(file.notes) == 1
    with pytest.raises(FileNotFoundError):
        bw.read(tmp_path / "nothing.obj")
    with pytest.raises(IsADirectoryError):
        bw.read(tmp_path)
    with pytest.raises(TypeError):
        bw.read(7)  # type: ignore[arg-type]


def test_the_end_of_memory_is_an_exception(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("prlimit") is None:
        pytest.skip("prlimit is not there")
    grid = bw.samples.cloth(150)
    write_obj(tmp_path / "big.obj", np.array(grid.vertices), np.array(grid.faces).astype(np.int64))
    kinds = set()
    for megabytes in (400, 40, 30, 24, 20, 16, 12):
        monkeypatch.setattr(_tool, "PROGRAM", ("prlimit", f"--as={megabytes << 20}", TOOL))
        try:
            bw.read(tmp_path / "big.obj")
            kinds.add("read")
        except MemoryError as error:
            kinds.add("memory")
            assert "out of memory" in str(error)
        except bw.ReadError:
            kinds.add("not started")  # too little for the program itself
    assert {"read", "memory"} <= kinds


def test_a_reader_that_dies_is_an_exception(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_obj(tmp_path / "a.obj", V, F)
    monkeypatch.setattr(_tool, "PROGRAM", ("sh", "-c", "kill -SEGV $$"))
    with pytest.raises(bw.ReadError, match="signal 11"):
        bw.read(tmp_path / "a.obj")
    monkeypatch.setattr(_tool, "PROGRAM", (str(tmp_path / "none"),))
    with pytest.raises(bw.UnsupportedError, match="core alone"):
        bw.read(tmp_path / "a.obj")


def test_without_numpy(tmp_path: Path) -> None:
    import sys

    write_obj(tmp_path / "a.obj", V, F)
    program = f"""
import sys
sys.modules["numpy"] = None
import boxwood as bw
part = bw.read({str(tmp_path / "a.obj")!r})[0]
assert isinstance(part.file_faces, memoryview) and bw.collides(part.mesh, part.mesh)
assert bw.contains(part.mesh, [[0, 0, 0.0]]).tolist() == [True]
assert "<html" in part.mesh.view().html
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_views(tmp_path: Path) -> None:
    page = bw.view({"table": CUBE, "cup": (CUBE, bw.translation(0.5, 0, 0.9))}, contacts=True)
    assert not re.search(r"""(src|href)=["']?(http|//)""", page.html), "it loads something"
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and html.unescape(shown.split('srcdoc="')[1].split('"')[0]) == page.html
    assert page.save(tmp_path / "p.html").read_text(encoding="utf-8") == page.html
    motion = bw.Motion(CUBE, [0.0, 2.0], [CUBE.vertices, CUBE.vertices + [4, 0, 0]])
    assert "html" in motion.view(layers=False).html
    write_obj(tmp_path / "a.obj", V, F)
    file = bw.read(tmp_path / "a.obj")
    for thing in (file, file[0], CUBE.tree, str(tmp_path / "a.obj")):
        assert len(bw.view(thing, layers=False).html) > 1000
    assert len(bw.view(motion, motion, contacts=True).html) > 1000
    with pytest.raises(TypeError, match="not int"):
        bw.view(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nothing"):
        bw.view()
