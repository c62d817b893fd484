"""Answers beside brute force in NumPy, and beside each other."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import boxwood as bw


def random_pose(rng: np.random.Generator, spread: float) -> np.ndarray:
    return np.array(bw.rotation(tuple(rng.normal(size=3)), rng.uniform(0, 6), tuple(rng.normal(size=3) * spread)))


def corners(mesh: bw.Mesh, pose: np.ndarray | None = None) -> np.ndarray:
    v = np.asarray(mesh.vertices, dtype=np.float64)
    if pose is not None:
        v = v @ pose[:3, :3].T + pose[:3, 3]
    return v[np.asarray(mesh.faces)]


def point_triangle(p: np.ndarray, t: np.ndarray) -> float:
    """The distance of a point and a triangle, by projection on plane, edges and corners."""
    a, b, c = t
    n = np.cross(b - a, c - a)
    best = min(np.linalg.norm(p - q) for q in t)
    for q, r in ((a, b), (b, c), (c, a)):
        s = np.clip(np.dot(p - q, r - q) / np.dot(r - q, r - q), 0, 1)
        best = min(best, np.linalg.norm(p - q - s * (r - q)))
    on = p - n * (np.dot(p - a, n) / np.dot(n, n))
    if all(np.dot(np.cross(r - q, on - q), n) >= 0 for q, r in ((a, b), (b, c), (c, a))):
        best = min(best, np.linalg.norm(p - on))
    return float(best)


@pytest.mark.once
def test_nearest_beside_brute_force(rng: np.random.Generator) -> None:
    mesh = bw.samples.knot(20, 6)
    pose = random_pose(rng, 1)
    triangles = corners(mesh, pose)
    points = rng.normal(size=(50, 3)) * 2
    found = bw.nearest(mesh, points, pose=pose)
    for i, p in enumerate(points):
        wanted = min(point_triangle(p, t) for t in triangles)
        assert found.distance[i] == pytest.approx(wanted, abs=1e-12)
        assert np.linalg.norm(found.point[i] - p) == pytest.approx(found.distance[i], abs=1e-12)
        assert point_triangle(p, triangles[found.primitive[i]]) == pytest.approx(wanted, abs=1e-12)
        assert found[i] == bw.nearest(mesh, p, pose=pose)


def crossing(o: np.ndarray, d: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """t of each triangle, infinite where the ray does not meet it: Moeller and Trumbore."""
    e, f = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    h = np.cross(d, f)
    with np.errstate(all="ignore"):
        w = 1 / np.einsum("ij,ij->i", e, h)
        s = o - triangles[:, 0]
        u = w * np.einsum("ij,ij->i", s, h)
        q = np.cross(s, e)
        v = w * (q @ d)
        t = w * np.einsum("ij,ij->i", f, q)
    return np.where((u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0), t, np.inf)


def test_rays_beside_brute_force(rng: np.random.Generator) -> None:
    mesh = bw.samples.knot(30, 8)
    pose = random_pose(rng, 0.5)
    triangles = corners(mesh, pose)
    o, d = rng.normal(size=(200, 3)) * 3, rng.normal(size=(200, 3))
    for tree in (bw.Tree(mesh), bw.Tree(mesh, builder="fast"), bw.Tree(mesh, compact=True)):
        tree.prepare("rays")
        first = bw.rays(tree, o, d, pose=pose)
        every = bw.rays_all(tree, o, d, pose=pose)
        some = bw.rays(tree, o, d, pose=pose, mode="any")
        for i in range(len(o)):
            t = crossing(o[i], d[i], triangles)
            assert first.t[i] == pytest.approx(t.min(), rel=1e-9)
            assert np.allclose(every.t[every.ray == i], np.sort(t[np.isfinite(t)]))
            assert (some.primitive[i] >= 0) == np.isfinite(t.min())
            assert first[i] == bw.rays(tree, o[i], d[i], pose=pose)
    assert np.all(bw.rays(mesh, o, d, pose=pose, t_max=np.maximum(first.t * 0.999, 1e-9)).primitive[first.t > 1e-6] == -1)
    for cast in (bw.rays, bw.rays_all):
        with pytest.raises(bw.Error):
            cast(mesh, o[:2], [[0, 0, 1], [0, 0, 0]])


def test_distance_within_and_separation(rng: np.random.Generator) -> None:
    a, b = bw.samples.knot(20, 6), bw.samples.sphere(1)
    for _ in range(10):
        pose = random_pose(rng, 2)
        d = bw.distance(a, b, pose_b=pose)
        assert np.linalg.norm(np.subtract(d.point_a, d.point_b)) == pytest.approx(d.distance, abs=1e-12)
        assert bw.collides(a, b, pose_b=pose) == (d.distance == 0) == (len(bw.collide(a, b, pose_b=pose)) > 0)
        samples = corners(b, pose).reshape(-1, 3)
        assert bw.nearest(a, samples).distance.min() >= d.distance - 1e-12
        limit = d.distance + 0.3
        near = bw.within(a, b, limit, pose_b=pose)
        hits = bw.collide(a, b, pose_b=pose, separation=limit)
        assert set(zip(near.a, near.b)) == set(zip(hits.a, hits.b))
        assert near.distance.min() == d.distance and near.distance.max() <= limit
        inverse = np.linalg.inv(pose)
        assert bw.distance(a, b, pose_a=inverse).distance == pytest.approx(d.distance, abs=1e-12)
        if d.distance > 0:
            assert bw.distance(a, b, pose_b=pose, max_distance=d.distance * 0.9).status == bw.Status.LIMIT


def test_batches_are_what_single_calls_give(rng: np.random.Generator) -> None:
    arm = [bw.samples.cube(0.5), bw.samples.sphere(1, 0.4)]
    room = bw.samples.knot(30, 8)
    poses = np.array([[random_pose(rng, 1.5) for _ in arm] for _ in range(40)])
    flags = bw.collides_many(arm, room, poses)
    found = bw.collide_many(arm, room, poses, mode="count")
    distances = bw.distance_many(arm, room, poses)
    with bw.Pool(3) as pool:
        assert np.array_equal(bw.collides_many(arm, room, poses, pool=pool, coherent=True), flags)
        assert distances.distance.tobytes() == bw.distance_many(arm, room, poses, pool=pool).distance.tobytes()
    for i, pair in enumerate(poses):
        each = [len(bw.collide(link, room, pose_a=p)) for link, p in zip(arm, pair)]
        assert flags[i] == (sum(each) > 0) and found.hit_count[i] == sum(each)
        gaps = [bw.distance(link, room, pose_a=p).distance for link, p in zip(arm, pair)]
        assert distances.distance[i] == min(gaps) and distances.pair[i] == int(np.argmin(gaps))
    assert 0 < flags.sum() < len(flags)
    one = bw.collides_many(room, room, poses_b=poses[:, 0])
    assert one.tolist() == [bw.collides(room, room, pose_b=p) for p in poses[:, 0]]
    assert bw.collides_many(room, room, poses_b=np.zeros((0, 4, 4))).shape == (0,)


def test_insides(rng: np.random.Generator) -> None:
    ball = bw.samples.sphere(3)
    points = rng.normal(size=(500, 3))
    r = np.linalg.norm(points, axis=1)
    inner = np.cos(0.09)  # the facets of the ball are inside the sphere
    flags = bw.contains(ball, points)
    assert np.all(flags[r < inner * 0.99]) and not np.any(flags[r > 1])
    signed = bw.signed_distance(ball, points)
    assert np.array_equal(signed.distance <= 0, flags)
    assert np.allclose(np.abs(signed.distance), bw.nearest(ball, points).distance)
    assert np.all(np.abs(signed.distance - (r - 1)) < 0.02)
    place = bw.surface_at(ball, signed.primitive, signed.point)
    assert np.allclose(np.einsum("ij,ij->i", place.weights, np.ones_like(place.weights)), 1)
    triangles = corners(ball)[signed.primitive]
    assert np.allclose(np.einsum("ij,ijk->ik", place.weights, triangles), signed.point)
    half = bw.Mesh(ball.vertices, np.array(ball.faces)[:600])
    assert not bw.locate(half, [0.0, 0, 0]).certain


def test_trees_follow_and_travel(rng: np.random.Generator) -> None:
    mesh = bw.samples.knot(30, 8)
    tree = bw.Tree(mesh, deforms=True)
    moved = np.array(mesh.vertices) + rng.normal(size=mesh.vertices.shape) * 0.05
    for policy in ("refit", "auto", "rebuild"):
        tree.update(moved, policy=policy)
        assert tree.check() is None and np.array_equal(tree.mesh.vertices, moved)
        fresh = bw.Tree(bw.Mesh(moved, mesh.faces))
        assert {(h.a, h.b) for h in bw.collide(tree, mesh)} == {(h.a, h.b) for h in bw.collide(fresh, mesh)}
    again = pickle.loads(pickle.dumps(tree))
    assert again.save() == tree.save() and np.array_equal(again.mesh.vertices, moved)
    part = np.array(moved)
    part[5:9] += 0.5
    tree.update(part, ranges=[[5, 4]])
    assert tree.check() is None
    before = tree.save()
    with pytest.raises(bw.Error, match="vertex 3"):
        part[3] = np.nan
        tree.update(part)
    assert tree.save() == before
    own = mesh.tree
    own.update(np.array(mesh.vertices) + 5)
    assert own.bounds[0, 0] > 2 and mesh.tree.bounds[0, 0] < 0, "the mesh has kept its own positions"


def test_quarantine() -> None:
    v = np.array(bw.samples.cube().vertices)
    v[7, 1] = np.nan
    with pytest.raises(bw.Error) as caught:
        bw.Tree(bw.Mesh(v, bw.samples.cube().faces))
    assert (caught.value.code, caught.value.vertex, caught.value.axis) == ("not_finite", 7, 1)
    tree = bw.Tree(bw.Mesh(v, bw.samples.cube().faces), quarantine=True)
    assert set(tree.quarantined) == {i for i, f in enumerate(bw.samples.cube().faces) if 7 in f}
    assert bw.Tree(bw.Mesh(v, bw.samples.cube().faces), quarantine=["nan"]).stats().quarantined == len(tree.quarantined)


def test_results() -> None:
    cube = bw.samples.cube()
    hits = bw.collide(cube, cube, pose_b=bw.translation(0.5, 0.5, 0.5))
    assert repr(hits) == "Hits(18 rows of a, b, kind)"
    assert repr(hits[0]).startswith("Hit(a=") and "kind=TOUCHING" in repr(hits[0])
    assert hits[-1] == hits[len(hits) - 1] != hits[0]
    assert set(hits.as_dict()) == {"a", "b", "kind"} and hits[0].as_dict()["kind"] is bw.Kind.TOUCHING
    with pytest.raises(IndexError):
        hits[18]
    with pytest.raises(TypeError):
        type(hits)()
    kept = hits.a
    wanted = kept.tolist()
    del hits
    assert kept.tolist() == wanted, "columns keep their memory"


def test_rows_of_tables() -> None:
    knot = bw.samples.knot(40, 8)
    hits = bw.collide(knot, knot, pose_b=bw.translation(0.1, 0, 0))
    a, n = hits.a, len(hits)
    assert n > 20
    for key in (slice(3, 9), slice(None, None, -2), slice(5, 2), hits.kind == bw.Kind.CROSSING, a > 5, [0, 3, -1], np.array([2, 2, 1]), np.arange(n, dtype=np.uint8), [True] * n, []):
        some = hits[key]  # type: ignore[index]
        want = a[np.asarray(key, dtype=int) if isinstance(key, list) and len(key) == 0 else key]  # type: ignore[index]
        assert type(some) is bw.Hits and some.a.tolist() == want.tolist() and some.report is hits.report
    assert hits[-1] == hits[n - 1] == hits[np.int64(n - 1)]
    for bad, error in ((n, IndexError), (-n - 1, IndexError), ([n], IndexError), ([True], IndexError), (1.5, TypeError), ("a", TypeError), (None, TypeError), ([0.5], TypeError)):
        with pytest.raises(error):
            hits[bad]  # type: ignore[index]


def test_columns_for_frames() -> None:
    knot = bw.samples.knot(40, 8)
    found = bw.contacts(knot, knot, pose_b=bw.translation(0.1, 0, 0))[0]
    columns = found.as_columns()
    assert {"a", "kind", "point_x", "point_y", "point_z", "ends_0_x", "ends_1_z", "depth"} <= columns.keys()
    assert all(np.ndim(c) == 1 and len(c) == len(found) for c in columns.values())
    assert np.array_equal(np.stack([columns["point_x"], columns["point_y"], columns["point_z"]], 1), found.point)
    assert np.array_equal(columns["ends_1_z"], found.ends[:, 1, 2])
    step = bw.Step(bw.samples.cloth(3), bw.samples.cloth(3).vertices * [1, 1, -1])
    assert {"vertices_0", "vertices_3"} <= step.contacts().as_columns().keys()


def test_results_are_pickled_and_copied() -> None:
    knot = bw.samples.knot(40, 8)
    tree = bw.Tree(knot, deforms=True)
    world = bw.World()
    world.insert_many(bw.Shape.sphere(1), [bw.translation(x, 0, 0) for x in range(4)])
    contacts, ended, pairs = world.step()
    results = [
        bw.collide(knot, knot, pose_b=bw.translation(0.1, 0, 0)), bw.distance(knot, knot, pose_b=bw.translation(9, 0, 0)), bw.nearest(knot, knot.vertices),
        tree.update(), tree.stats(), tree.nodes(), knot.validate(), contacts, ended, pairs, bw.Scene().stats(), bw.rays(knot, [[0, 0, 0]], [0, 0, 1]),
    ]  # fmt: skip
    for result in results:
        for again in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
            assert type(again) is type(result) and repr(again) == repr(result)
            before, after = result.as_dict(), again.as_dict()
            assert all(np.asarray(before[k]).tobytes() == np.asarray(after[k]).tobytes() for k in before)
            if hasattr(result, "report"):
                assert again.report == result.report and (len(again) == 0 or again[0] == result[0])
    for bad in (("Hits", b"abc", None), ("Nothing", b"", None), ("Hit", b"", None, 3), (3, b"", None)):
        with pytest.raises((TypeError, ValueError)):
            bw._core._table(*bad)  # type: ignore[arg-type]
    for worse in (("Hit", b"abc", []), ("UpdateReport", bytes(bw._core._live_blocks() * 0 + 32), []), ("UpdateReport", b"\0" * 32, [3]), ("Hits", b"\0" * 12, ())):
        with pytest.raises((TypeError, ValueError, IndexError)):
            bw._core._record(*worse)  # type: ignore[arg-type]
    cube = bw.samples.cube()
    v = np.array(cube.vertices)
    plans = np.random.default_rng(1).normal(size=(8, 4, 3))
    for motion in (bw.Motion(cube, [0, 1, 3], [v, v + 1, v]), bw.Motion(cube, velocities=v, begin=1, end=3), bw.Motion(cube, plans=plans, begin=1, end=3)):
        again = pickle.loads(pickle.dumps(motion))
        assert again.span == motion.span and all(again.sample(t).tobytes() == motion.sample(t).tobytes() for t in (1.0, 2.2, 3.0))
        assert copy.copy(motion).mesh is cube
    shapes = [bw.Shape.sphere(0.3), bw.Shape.capsule(0.1, 0.7), bw.Shape.box([1, 0.3, 2], radius=0.01), bw.Shape.half_space(), bw.Shape.hull(v * [1, 2, 3], radius=0.1)]
    for shape in shapes:
        again = pickle.loads(pickle.dumps(shape))
        assert repr(again) == repr(shape) and (again.kind, again.radius, again.size) == (shape.kind, shape.radius, shape.size)
        assert bw.shape_distance(again, cube, bw.translation(0, 0, 9)) == bw.shape_distance(shape, cube, bw.translation(0, 0, 9))


def test_pairs_of_a_batch(rng: np.random.Generator) -> None:
    bodies = [bw.samples.knot(20, 6), bw.samples.cube(), bw.samples.sphere(1), bw.samples.cube(0.5)]
    poses = np.array([[random_pose(rng, 0.8) for _ in bodies] for _ in range(40)])
    some = [(0, 2), (3, 1), (0, 2)]
    want = np.array([[bw.collides(bodies[i], bodies[j], p[i], p[j]) for i, j in some] for p in poses])
    assert bw.collides_many(bodies, bodies, poses, poses, pairs=some).tolist() == want.any(1).tolist() and 0 < want.any(1).sum() < 40
    found = bw.collide_many(bodies, bodies, poses, poses, pairs=some)
    assert all(want[i, found.pair[i]] if found.pair[i] >= 0 else not want[i].any() for i in range(40))
    near = bw.distance_many(bodies, bodies, poses, poses, pairs=np.array(some))
    least = [[bw.distance(bodies[i], bodies[j], p[i], p[j]).distance for i, j in some] for p in poses]
    assert near.distance.tolist() == np.min(least, 1).tolist()
    every = [(i, j) for i in range(4) for j in range(4)]
    assert bw.collides_many(bodies, bodies, poses, poses, pairs=every).tolist() == bw.collides_many(bodies, bodies, poses, poses).tolist()
    for bad, text in (([(0, 4)], r"pairs\[0\] is \(0, 4\), where a has 4"), ([], "pairs"), ([0, 1], r"\(p, 2\)"), ([[0, 1, 2]], r"\(p, 2\)"), ([(0, -1)], "negative")):
        with pytest.raises(ValueError, match=text):
            bw.collides_many(bodies, bodies, poses, poses, pairs=bad)
