"""The same bits as the C library: what the extension gives is compared with calls of the shared library through ctypes, whose path
BOXWOOD_LIBRARY names."""

from __future__ import annotations

import ctypes as c
import os

import numpy as np
import pytest

import boxwood as bw

path = os.environ.get("BOXWOOD_LIBRARY", "")
pytestmark = pytest.mark.skipif(not path, reason="BOXWOOD_LIBRARY does not name libboxwood.so")


class CMesh(c.Structure):
    _fields_ = [("positions", c.c_void_p), ("scalar", c.c_int), ("vertex_count", c.c_uint32), ("stride", c.c_uint32),
                ("indices", c.c_void_p), ("triangle_count", c.c_uint32)]


class CBody(c.Structure):
    _fields_ = [("tree", c.c_void_p), ("mesh", c.POINTER(CMesh)), ("pose", c.c_void_p)]


HIT = np.dtype([("a", "u4"), ("b", "u4"), ("kind", "i4")])
NEAREST = np.dtype([("primitive", "u4"), ("_", "u4"), ("point", "f8", 3), ("distance", "f8")])
RAY = np.dtype([("origin", "f8", 3), ("direction", "f8", 3), ("t_max", "f8"), ("between", "?"), ("_", "u1", 7)])
RAY_HIT = np.dtype([("primitive", "u4"), ("kind", "i4"), ("t", "f8")])


class Body:
    """A mesh and its tree, made by the C library alone."""

    def __init__(self, vertices: np.ndarray, faces: np.ndarray) -> None:
        self.library = c.CDLL(path)
        self.arrays = (np.ascontiguousarray(vertices), np.ascontiguousarray(faces, dtype=np.uint32))
        v, f = self.arrays
        self.mesh = CMesh(v.ctypes.data, int(v.dtype == np.float64), len(v), 0, f.ctypes.data, len(f))
        self.tree = c.c_void_p()
        assert self.library.bw_tree_create(None, c.byref(self.mesh), c.byref(self.tree), None) == 0

    def at(self, pose: np.ndarray | None = None) -> CBody:
        self.pose = None if pose is None else np.ascontiguousarray(pose[:3], dtype=np.float64)
        return CBody(self.tree, c.pointer(self.mesh), None if self.pose is None else self.pose.ctypes.data)

    def saved(self) -> bytes:
        self.library.bw_tree_saved_size.restype = c.c_size_t
        size = self.library.bw_tree_saved_size(self.tree)
        out = c.create_string_buffer(size)
        assert self.library.bw_tree_save(self.tree, out, c.c_size_t(size), None) == 0
        return out.raw

    def hits(self, pose: np.ndarray) -> np.ndarray:
        out, report = np.zeros(1 << 16, HIT), (c.c_uint64 * 32)()
        words = (c.c_uint64 * 64)()  # bw_collide_desc: size, mode; box_test; hits; hit_capacity
        head = (c.c_uint32 * 4).from_buffer(words)
        head[1] = 1
        words[2], words[3] = out.ctypes.data, len(out)
        assert self.library.bw_collide(c.byref(self.at()), c.byref(self.at(pose)), words, report, None) == 0
        return out[: report[1]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_same_bits(dtype: type, rng: np.random.Generator) -> None:
    knot = bw.samples.knot(60, 16)
    v, f = np.array(knot.vertices, dtype=dtype), np.array(knot.faces)
    other = Body(v, f)
    pose = np.array(bw.rotation(tuple(rng.normal(size=3)), 1.0, (0.3, 0.2, 0.1)))
    points, directions = rng.normal(size=(3000, 3)), rng.normal(size=(3000, 3))
    nearest, hits = np.zeros(len(points), NEAREST), np.zeros(len(points), RAY_HIT)
    rays = np.zeros(len(points), RAY)
    rays["origin"], rays["direction"] = points, directions
    here = other.at(pose)
    assert other.library.bw_nearest_many(c.byref(here), points.ctypes.data_as(c.c_void_p), len(points), None,
                                         nearest.ctypes.data_as(c.c_void_p), None, None) == 0
    assert other.library.bw_raycast_many(c.byref(here), rays.ctypes.data_as(c.c_void_p), len(points), None,
                                         hits.ctypes.data_as(c.c_void_p), None, None) == 0
    wide = np.zeros((len(v), 7), dtype)
    wide[:, 2:5] = v
    for vertices in (v, memoryview(v), wide[:, 2:5], np.asfortranarray(v), v.tolist() if dtype is np.float64 else v):
        mesh = bw.Mesh(vertices, f)
        assert mesh.tree.save() == other.saved()
        ours, theirs = bw.collide(mesh, mesh, pose_b=pose), other.hits(pose)
        assert len(ours) == len(theirs) > 0
        for name in ("a", "b", "kind"):
            assert np.array_equal(getattr(ours, name).astype(np.int64), theirs[name].astype(np.int64))
        for layout in (points, np.asfortranarray(points), memoryview(points), points[::-1][::-1]):
            near = bw.nearest(mesh, layout, pose=pose)
            assert near.distance.tobytes() == nearest["distance"].tobytes()
            assert near.point.tobytes() == nearest["point"].tobytes()
            assert near.primitive.tobytes() == nearest["primitive"].tobytes()
            cast = bw.rays(mesh, layout, directions, pose=pose)
            assert cast.t.tobytes() == hits["t"].tobytes() and cast.primitive.tobytes() == hits["primitive"].tobytes()


def test_triangle_contacts(rng: np.random.Generator) -> None:
    contact = np.dtype([("kind", "i4"), ("coplanar", "?"), ("_", "u1", 3), ("count", "u4"), ("__", "u4"), ("points", "f8", (6, 3))])
    a, b = np.ascontiguousarray(rng.integers(-3, 4, (2, 500, 3, 3)).astype(float))
    a[:100, :, 2] = b[:100, :, 2] = 1  # in one plane
    mine, library, one = bw.triangle_contacts(a, b), c.CDLL(path), np.zeros(1, contact)
    for i in range(len(a)):
        one[:] = 0
        library.bw_triangle_triangle_contact(c.c_void_p(a[i].ctypes.data), c.c_void_p(b[i].ctypes.data), c.c_void_p(one.ctypes.data))
        count = int(one["count"][0])
        assert (mine.kind[i], mine.coplanar[i], mine.count[i]) == (one["kind"][0], one["coplanar"][0], count)
        assert mine.points[i, :count].tobytes() == one["points"][0, :count].tobytes()
    assert {0, 1, 2, 3, 4} <= {*mine.count.tolist()} and mine.coplanar[:100].all()
