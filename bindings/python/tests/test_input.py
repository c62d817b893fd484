"""What arrays are taken, which are read in place, and what is said of those that are not taken."""

from __future__ import annotations

import array
import sys

import numpy as np
import pytest

import boxwood as bw

V = np.array(bw.samples.knot(40, 8).vertices)
F = np.array(bw.samples.knot(40, 8).faces)
POSE = np.array(bw.rotation((1, 2, 3), 0.7, (0.4, 0.3, 0.2)))


def layouts(v: np.ndarray) -> dict[str, object]:
    wide = np.zeros((len(v), 5), v.dtype)
    wide[:, 1:4] = v
    every_second = np.zeros((2 * len(v), 3), v.dtype)
    every_second[::2] = v
    unaligned = np.frombuffer(b"x" + v.tobytes(), dtype=np.uint8)[1:].view(v.dtype).reshape(-1, 3)
    return {
        "plain": v,
        "rows of five": wide[:, 1:4],
        "every second row": every_second[::2],
        "fortran": np.asfortranarray(v),
        "backwards": np.ascontiguousarray(v[::-1])[::-1],
        "columns of a transposed": np.ascontiguousarray(v.T).T,
        "memoryview": memoryview(np.ascontiguousarray(v)),
        "read only": v.copy() if v.setflags(write=False) else np.frombuffer(v.tobytes(), v.dtype).reshape(-1, 3),
        "unaligned": unaligned,
    }


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", layouts(V.copy()))
def test_layouts_give_the_same_answers(dtype: type, layout: str) -> None:
    v = V.astype(dtype)
    same = bw.Mesh(layouts(v.copy())[layout], F)
    plain = bw.Mesh(v.copy(), F.astype(np.uint32))
    assert np.array_equal(same.vertices, plain.vertices) and same.vertices.dtype == dtype
    assert same.copied == (layout in ("fortran", "backwards", "columns of a transposed", "unaligned"))
    assert same.tree.save() == plain.tree.save()
    a, b = bw.collide(same, same, pose_b=POSE), bw.collide(plain, plain, pose_b=POSE)
    assert len(a) > 0 and a.a.tobytes() == b.a.tobytes() and a.b.tobytes() == b.b.tobytes()
    far = POSE.copy()
    far[:3, 3] *= 20
    assert bw.distance(same, same, pose_b=far) == bw.distance(plain, plain, pose_b=far)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_faces_of_any_integers(dtype: type) -> None:
    cube = bw.samples.cube()
    mesh = bw.Mesh(cube.vertices, np.array(cube.faces).astype(dtype))
    assert np.array_equal(mesh.faces, cube.faces)
    assert mesh.tree.save() == cube.tree.save()


def test_poses_in_any_layout() -> None:
    mesh = bw.Mesh(V, F)
    wanted = bw.collide(mesh, mesh, pose_b=POSE).a.tobytes()
    for pose in (POSE[:3], np.asfortranarray(POSE), POSE.tolist(), tuple(map(tuple, POSE)), memoryview(POSE), POSE[:3].T.copy().T):
        assert bw.collide(mesh, mesh, pose_b=pose).a.tobytes() == wanted
    single = POSE.astype(np.float32)
    assert bw.distance(mesh, mesh, pose_b=single) == bw.distance(mesh, mesh, pose_b=single.astype(np.float64))


def test_read_in_place() -> None:
    v = V.copy()
    mesh = bw.Mesh(v, F)
    tree = bw.Tree(mesh)
    before = sys.getrefcount(v)
    assert not mesh.copied and np.shares_memory(mesh.vertices, v)
    v += [7, 0, 0]
    tree.update()
    assert tree.check() is None and tree.bounds[0, 0] > 4
    del mesh, tree
    assert sys.getrefcount(v) < before


def test_arrays_of_the_standard_library() -> None:
    flat = array.array("d", [0, 0, 0, 1, 0, 0, 0, 1, 0])
    mesh = bw.Mesh(memoryview(flat).cast("B").cast("d", (3, 3)), [[0, 1, 2]])
    assert not mesh.copied and mesh.vertices.tolist()[1] == [1, 0, 0]


def test_lists_of_arrays() -> None:
    rows = [np.array([0.0, 0, 0]), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])]
    assert np.array_equal(bw.Mesh(rows, [np.array([0, 1, 2])]).vertices, np.array(rows))
    assert bw.Mesh([[np.float32(1), np.float64(2), np.int64(3)]]).vertices.tolist() == [[1, 2, 3]]
    scene = bw.Scene()
    assert len(scene.insert([[rows[0], rows[1]], [rows[0], rows[2]]])) == 2
    with pytest.raises((TypeError, ValueError)):
        bw.Mesh([rows[0], rows[1][:2]])


def test_arrays_whose_elements_are_read_one_by_one() -> None:
    v = np.round(V, 1)
    for dtype in ("f2", ">f2", ">f4", ">f8", object):
        if dtype == ">f2" and sys.byteorder == "big":
            continue
        given = v.astype(dtype)
        mesh = bw.Mesh(given, F.astype(">i4"))
        assert mesh.copied and np.array_equal(mesh.vertices, given.astype(float)) and np.array_equal(mesh.faces, F)
    assert np.array_equal(bw.Mesh(np.ma.masked_array(v, v > 1e9), F).vertices, v)
    assert bw.collides(bw.Mesh(v, F), bw.Mesh(v, F), pose_b=np.eye(4, dtype=np.float16))
    strange = bw.nearest(bw.Mesh(v, F), v.astype(">f8"), max_distance=np.float32(3))
    assert strange.distance.max() == 0


T = [[0, 1, 2]]
P = [[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda: bw.Mesh(np.zeros((3, 2)), T), ValueError, r"vertices must have the shape \(n, 3\), not \(3, 2\)"),
        (lambda: bw.Mesh(np.zeros(9), T), ValueError, r"vertices must have the shape \(n, 3\), not \(9,\)"),
        (lambda: bw.Mesh(np.zeros((3, 3, 3)), T), ValueError, r"vertices must have the shape \(n, 3\)"),
        (lambda: bw.Mesh(np.zeros((3, 3), complex), T), TypeError, "vertices has elements of the type 'Zd'"),
        (lambda: bw.Mesh(np.array([["a"] * 3] * 3, object), T), TypeError, "number"),
        (lambda: bw.Mesh({"x": 1}, T), TypeError, "vertices must be an array or nested lists of numbers, not dict"),
        (lambda: bw.Mesh((v for v in P), T), TypeError, "vertices must be an array or nested lists of numbers, not generator"),
        (lambda: bw.Mesh(np.ma.masked_array(P, np.equal(P, 1)), T), ValueError, "vertices has masked elements"),
        (lambda: bw.collides(bw.samples.cube(), bw.samples.cube(), pose_b=np.eye(4).ravel()), ValueError, r"pose_b must have the shape \(4, 4\) or \(3, 4\), not \(16,\)"),
        (lambda: bw.Mesh(np.zeros((3, 3), np.longdouble), T), TypeError, "vertices has elements"),
        (lambda: bw.Mesh("abc", T), TypeError, "vertices must be an array"),
        (lambda: bw.Mesh(None, T), TypeError, "vertices must be an array, not None"),
        (lambda: bw.Mesh([[0, 0, 0], [1, 0], [0, 1, 0]], T), ValueError, "a row has 2 entries"),
        (lambda: bw.Mesh([[0, 0, "x"]], T), TypeError, "."),
        (lambda: bw.Mesh(P, np.zeros((1, 3))), TypeError, "faces has elements of the type 'd'"),
        (lambda: bw.Mesh(P, [[0, 1]]), ValueError, r"faces must have the shape \(n, 3\)"),
        (lambda: bw.Mesh(P, np.array([[0, 1, -2]])), ValueError, r"faces\[0, 2\] is -2: it must not be negative"),
        (lambda: bw.Mesh(P, np.array([[0, 1, 2**40]])), ValueError, r"faces\[0, 2\] is 1099511627776: it is beyond 32 bits"),
        (lambda: bw.Mesh(np.array([[2**60 + 1, 0, 0]])), ValueError, "a double does not hold all digits"),
        (lambda: bw.Tree(bw.Mesh(P, np.array([[0, 1, -2]], np.int32))), bw.Error, "4294967294"),
        (lambda: bw.Tree(bw.Mesh(P, [[0, 1, 3]])), bw.Error, "element 0"),
        (lambda: bw.Tree(bw.Mesh([[0, 0, 0], [1, 0, 0], [0, np.inf, 0]], T)), bw.Error, "vertex 2, y = inf"),
        (lambda: bw.Tree(bw.Mesh([[0, 0, 0], [1, 0, 0], [0, 1e40, 0]], T)), bw.Error, "1e.40"),
        (lambda: bw.Tree(bw.Mesh(np.zeros((0, 3)), np.zeros((0, 3), np.int32))), bw.Error, "."),
        (lambda: bw.Tree(P), TypeError, "mesh must be a boxwood.Mesh"),
        (lambda: bw.Tree(bw.samples.cube(), builder="best"), ValueError, "builder must be one of 'fast', 'quality'"),
        (lambda: bw.collides(bw.samples.cube(), 3), TypeError, "b must be a boxwood.Tree, Mesh or KineticMesh, not 3"),
        (lambda: bw.collides(bw.samples.cube()), TypeError, "misses the argument 'b'"),
        (lambda: bw.collides(bw.samples.cube(), bw.samples.cube(), poze=1), TypeError, "unexpected keyword argument 'poze'"),
        (lambda: bw.collides(bw.samples.cube(), bw.samples.cube(), pose_b=np.eye(3)), ValueError, "pose_b"),
        (lambda: bw.collides(bw.samples.cube(), bw.samples.cube(), pose_b=np.full((4, 4), 1.0)), ValueError, "last row"),
        (lambda: bw.collides(bw.samples.cube(), bw.samples.cube(), pose_a=np.zeros((3, 4))), bw.Error, "."),
        (lambda: bw.collides(bw.samples.cube(), bw.samples.cube(), pose_b=np.full((3, 4), np.nan)), bw.Error, "."),
        (lambda: bw.collides(bw.samples.cube(), bw.samples.cube(), separation=-1), bw.Error, "."),
        (lambda: bw.collides(bw.samples.cube(), bw.samples.cube(), separation="x"), TypeError, "separation must be a number"),
        (lambda: bw.collides_many(bw.samples.cube(), bw.samples.cube()), ValueError, "poses_a or poses_b"),
        (lambda: bw.collides_many(bw.samples.cube(), bw.samples.cube(), np.eye(4)), ValueError, "poses_a must have the shape"),
        (lambda: bw.collides_many(bw.samples.cube(), [], np.eye(4)[None]), ValueError, "empty list"),
        (lambda: bw.collides_many(bw.samples.cube(), bw.samples.cube(), np.zeros((2, 3, 4))), bw.Error, "pose 0"),
        (lambda: bw.rays(bw.samples.cube(), [[0, 0, 0]] * 2, [[0, 0, 1]] * 3), ValueError, "2 origins and 3 directions"),
        (lambda: bw.rays(bw.samples.cube(), [0, 0, 0], [0, 0, 1], t_max=0), ValueError, "t_max must be above 0"),
        (lambda: bw.rays(bw.samples.cube(), [[0, 0, 0], [0, 0, np.nan]], [0, 0, 1]), bw.Error, "element 1"),
        (lambda: bw.nearest(bw.samples.cube(), [[0, 0, 0], [np.inf, 0, 0]]), bw.Error, "element 1"),
        (lambda: bw.nearest(bw.samples.cube(), [[0, 0, 0]], max_distance=[1.0, 2.0]), ValueError, "2 values of max_distance"),
        (lambda: bw.surface_at(bw.samples.cube(), [99], [[0, 0, 0]]), bw.Error, "."),
        (lambda: bw.Tree.load(b"nonsense", bw.samples.cube()), bw.FormatError, "."),
        (lambda: bw.Tree.load(bw.samples.sphere(1).tree.save(), bw.samples.cube()), bw.Error, "."),
        (lambda: bw.Pool(100000), bw.Error, "."),
        (lambda: bw.collide(bw.samples.cube(), bw.samples.cube(), pool=3), TypeError, "pool must be a boxwood.Pool"),
        (lambda: bw.collide(bw.samples.cube(), bw.samples.cube(), progress=3), TypeError, "progress"),
    ],
)
def test_bad_input_is_named(make, error: type, text: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=text):
        make()
