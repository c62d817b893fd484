"""Contacts with depth, regions, shapes, steps, motions, scenes, worlds and budgets beside plain computations of the same."""

from __future__ import annotations

import subprocess
import sys
import threading
from fractions import Fraction

import numpy as np
import pytest

import boxwood as bw


def test_orientation(rng: np.random.Generator) -> None:
    points = rng.integers(-2, 3, (400, 4, 3)) * 0.1  # many that lie in a plane, and do not quite
    a, b, c, d = points.swapaxes(0, 1)
    minus = [[[Fraction(float(x)) - Fraction(float(y)) for x, y in zip(row, p[3])] for row in p[:3]] for p in points]
    wanted = []
    for m in minus:
        det = sum(m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]) for i in range(3))
        wanted.append((det > 0) - (det < 0))
    assert bw.orient3d(a, b, c, d).tolist() == wanted and 0 in wanted
    assert [bw.orient3d(*p) for p in points[:20]] == wanted[:20]
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        flat = []
        for p in points:
            q = [[Fraction(float(x)) for x in row] for row in p]
            area = (q[1][u] - q[0][u]) * (q[2][v] - q[0][v]) - (q[1][v] - q[0][v]) * (q[2][u] - q[0][u])
            flat.append((area > 0) - (area < 0))
        assert bw.orient2d(a, b, c, axis=axis).tolist() == flat
    with pytest.raises(ValueError, match="not finite"):
        bw.orient3d(a, b, c, [np.nan, 0, 0])
    with pytest.raises(ValueError, match="as many"):
        bw.orient3d(a, b[:5], c, d)
    with pytest.raises(ValueError, match="axis"):
        bw.orient2d(a, b, c, axis=3)


def test_triangle_pairs_and_times(rng: np.random.Generator) -> None:
    a, b = rng.integers(-3, 4, (2, 300, 3, 3)).astype(float)
    pairs = bw.triangle_pairs(a, b)
    for i in range(len(a)):
        x, y = bw.Mesh(a[i], [[0, 1, 2]]), bw.Mesh(b[i], [[0, 1, 2]])
        hits = bw.collide(x, y)
        assert pairs[i].kind == (hits[0].kind if len(hits) else bw.Kind.NONE)
        assert pairs[i].distance == bw.distance(x, y).distance
        assert bw.triangle_pairs(a[i], b[i]).distance == pairs[i].distance
    assert {*pairs.kind.tolist()} == {0, 1, 2} and ((pairs.distance == 0) == (pairs.kind != 0)).all()
    met = bw.triangle_contacts(a, b)
    assert (met.kind == pairs.kind).all() and ((met.count == 0) == (met.kind == 0)).all()
    for i in range(len(a)):
        for p in met[i].points[: met[i].count]:  # on both
            assert max(bw.nearest(bw.Mesh(t[i], [[0, 1, 2]]), np.array([p])).distance[0] for t in (a, b)) < 1e-12
        assert not met.points[i, met.count[i] :].any()
    moved = a + rng.normal(size=a.shape)
    times = bw.ccd_triangle_triangle(a, moved, b, b)
    for i in range(len(a)):
        step, still = bw.Step(bw.Mesh(a[i], [[0, 1, 2]]), moved[i]), bw.Step(bw.Mesh(b[i], [[0, 1, 2]]), b[i])
        if pairs[i].kind:
            assert times[i].time == 0
        else:
            first = step.earliest(still)
            assert (times[i].answer == bw.Ccd.APART) == (first.feature == bw.StepFeature.NOTHING)
            assert abs(times[i].time - first.time) <= 2**-19
    assert bw.ccd_triangle_triangle(a[0], moved[0], b[0], b[0]).time == times[0].time


def test_bounds(rng: np.random.Generator) -> None:
    knot = bw.samples.knot(40, 8)
    for _ in range(20):
        pose = np.eye(4)
        pose[:3] = rng.normal(size=(3, 4))
        low, high = np.asarray(knot.tree.bounds_at(pose), dtype=float)
        at = np.asarray(knot.vertices) @ pose[:3, :3].T + pose[:3, 3]
        assert (low <= at).all() and (at <= high).all()
    assert np.array_equal(knot.tree.bounds_at(), knot.tree.bounds)
    scene = bw.Scene()
    assert scene.bounds is None
    scene.insert([[[0, 0, 0], [1, 1, 1]], [[5, 5, 5], [6, 7, 8]]])
    scene.prepare()
    assert np.asarray(scene.bounds).tolist() == [[0, 0, 0], [6, 7, 8]] and scene.check() is None


def test_contacts_have_points_on_both(rng: np.random.Generator) -> None:
    a, b = bw.samples.knot(30, 8), bw.samples.sphere(2)
    pose = np.array(bw.rotation((1, 2, 3), 1.0, (0.7, 0.2, 0.1)))
    found, regions = bw.contacts(a, b, pose_b=pose, depth=True, volume=True, trials=50)
    plain = bw.collide(a, b, pose_b=pose)
    assert sorted(zip(found.a, found.b)) == sorted(zip(plain.a, plain.b))
    assert np.all(bw.nearest(a, found.point).distance < 1e-9) and np.all(bw.nearest(b, found.point, pose=pose).distance < 1e-9)
    assert sum(regions.count) == len(found) and np.allclose(np.linalg.norm(found.normal, axis=1), 1)
    report = found.report
    assert 0 < report.depth_lower <= report.depth_upper < 3
    moved = pose.copy()
    moved[:3, 3] += report.translation
    assert not bw.collides(a, b, pose_b=moved, containment=True)
    points = rng.uniform(-1.5, 1.5, (20000, 3)) + pose[:3, 3]
    share = np.mean(bw.contains(a, points) & bw.contains(b, points, pose=pose))
    assert report.volume == pytest.approx(share * 27, abs=0.25) and report.volume_error < 1e-9
    a = bw.samples.knot(100, 16)
    many, _ = bw.contacts(a, a, pose_b=bw.translation(0.01, 0, 0))
    assert len(many) == len(bw.collide(a, a, pose_b=bw.translation(0.01, 0, 0))) > 1024, "more than the first buffer holds"


def test_regions_beside_numpy(rng: np.random.Generator) -> None:
    mesh = bw.Mesh(rng.normal(size=(500, 3)).astype(np.float32))  # points
    v = np.asarray(mesh.vertices, dtype=float)
    got = set(bw.region(mesh, box=[[-0.5, -1, 0], [0.75, 1, 1]]).primitive)
    assert got == set(np.nonzero(((v >= [-0.5, -1, 0]) & (v <= [0.75, 1, 1])).all(1))[0])
    got = set(bw.region(mesh, sphere=[0.5, 0, 0], radius=0.75).primitive)
    assert got == set(np.nonzero(np.linalg.norm(v - [0.5, 0, 0], axis=1) <= 0.75)[0])
    got = set(bw.region(mesh, planes=[[1, 0, 0, -0.5], [0, 1, 0, 0]]).primitive)
    assert got == set(np.nonzero((v[:, 0] >= 0.5) & (v[:, 1] >= 0))[0])
    got = set(bw.region(mesh, capsule=[[0, 0, -1], [0, 0, 1]], radius=0.5).primitive)
    assert got == set(np.nonzero(np.linalg.norm(v - np.stack([v[:, 0] * 0, v[:, 1] * 0, np.clip(v[:, 2], -1, 1)], 1), axis=1) <= 0.5)[0])
    with pytest.raises(TypeError, match="one of box"):
        bw.region(mesh)


def test_shapes_beside_formulas(rng: np.random.Generator) -> None:
    for _ in range(50):
        p = rng.normal(size=3) * 3
        r, s = rng.uniform(0.1, 1, 2)
        far = bw.shape_distance(bw.Shape.sphere(r), bw.Shape.sphere(s), pose=bw.translation(*p))
        assert far.distance == pytest.approx(max(0, np.linalg.norm(p) - r - s), abs=1e-12)
        box = bw.shape_distance(bw.Shape.sphere(r), bw.Shape.box([1, 2, 3]), bw.translation(*p))
        assert box.distance == pytest.approx(max(0, np.linalg.norm(np.maximum(np.abs(p) - [0.5, 1, 1.5], 0)) - r), abs=1e-12)
        mesh = bw.shape_distance(bw.Shape.sphere(r), bw.samples.knot(20, 6), bw.translation(*p))
        assert mesh.distance == pytest.approx(max(0, bw.nearest(bw.samples.knot(20, 6), p).distance - r), abs=1e-9)
        assert (len(bw.shape_collide(bw.Shape.sphere(r), bw.samples.knot(20, 6), bw.translation(*p))) > 0) == (mesh.distance == 0)
    hull = bw.Shape.hull(rng.normal(size=(50, 3)))
    assert hull.mesh().topology().closed
    hit = bw.shape_rays(bw.Shape.sphere(1), [[0, 0, 5], [0, 3, 5]], [0, 0, -1])
    assert hit.t.tolist() == [4.0, np.inf] and hit.hit.tolist() == [True, False]
    ball, cube = bw.Shape.sphere(0.5), bw.samples.cube()
    swept = bw.sweep(ball, cube, start_a=bw.translation(-3, 0, 0), end_a=bw.translation(3, 0, 0))
    assert swept.status == bw.Status.FOUND and swept.time == pytest.approx(2 / 6, abs=1e-4)
    assert bw.sweep(cube, ball, start_b=bw.translation(-3, 0, 0), end_b=bw.translation(3, 0, 0)).time == pytest.approx(swept.time, abs=1e-4)
    assert bw.sweep(cube, cube, end_a=bw.translation(0, 0, 1), start_b=bw.translation(5, 0, 0)).time == 1


def test_steps_beside_all_pairs(rng: np.random.Generator) -> None:
    v = rng.normal(size=(12, 3))
    f = rng.permutation(12).reshape(4, 3)
    mesh, end = bw.Mesh(v, f), v + rng.normal(size=v.shape)
    step = bw.Step(mesh, end)
    edges = sorted({tuple(sorted((int(t[i]), int(t[(i + 1) % 3])))) for t in f for i in range(3)})
    assert step.edge_count == len(edges)
    wanted = set()
    for p in range(12):
        for k, t in enumerate(f):
            if p not in t and bw.ccd_vertex_face(v[[p, *t]], end[[p, *t]]).answer:
                wanted.add((int(bw.StepFeature.VERTEX_FACE), p, k))
    for i, x in enumerate(edges):
        for j in range(i + 1, len(edges)):
            if not set(x) & set(edges[j]) and bw.ccd_edge_edge(v[[*x, *edges[j]]], end[[*x, *edges[j]]]).answer:
                wanted.add((int(bw.StepFeature.EDGE_EDGE), i, j))
    found = step.contacts()
    assert set(zip(found.feature.tolist(), found.a.tolist(), found.b.tolist())) == wanted
    assert set(zip(found.feature, found.a, found.b)) <= set((c.feature, c.a, c.b) for c in step.candidates())
    if len(found):
        first = step.earliest()
        assert first.time == found.time.min() == found.report.earliest_time
        assert bw.safe_step([step]).step <= first.time + 1e-12
        at = step.witnesses(found)
        assert np.all(at.distance < 1e-4)
    again = bw.Step(mesh, v)
    again.update(v, end)
    assert again.contacts(cache=bw.StepCache()).time.tobytes() == found.time.tobytes()
    moved = bw.Step(mesh, end + 100)
    assert bw.safe_step([(step, bw.Step(bw.Mesh(v + 50, f), v + 50)), moved]).step <= 1


def test_motions_beside_samples(rng: np.random.Generator) -> None:
    ball, cube = bw.samples.sphere(1), bw.samples.cube()
    frames = [np.array(cube.vertices) + rng.normal(size=3) * 1.5 for _ in range(6)]
    a = bw.Motion(cube, np.arange(6.0), frames)
    b = bw.Motion(ball, [0.0, 5.0], [ball.vertices, ball.vertices])
    events = bw.timeline([a, b])
    spans: list[tuple[float, float]] = []
    for i in range(len(events)):
        e = events[i]
        assert (e.object_a, e.object_b) == (0, 1)
        spans = [*spans, (e.time, np.inf)] if e.begins else [*spans[:-1], (spans[-1][0], e.time)]
    moving = bw.KineticMesh(a)
    cache = bw.PairCache()
    for t in np.linspace(0, 5, 201):
        moving.advance(float(t))
        now = bw.collides(moving, ball)
        assert now == bool(len(bw.collide(moving, ball, cache=cache))) == bw.collides(bw.Mesh(a.sample(float(t)), cube.faces), ball)
        inside = [s for s in spans if s[0] - 1e-9 <= t <= s[1] + 1e-9]
        assert bool(inside) == now or any(min(abs(t - s[0]), abs(t - s[1])) < 1e-9 for s in spans)
    assert np.array_equal(moving.vertices, a.sample(5.0))
    with pytest.raises(bw.Error):
        moving.advance(7.0)
    with pytest.raises(ValueError, match="as many are needed"):
        bw.Motion(cube, [0, 1, 2], frames[:2])


def searching() -> bool:
    return any(thread.name == "boxwood.timeline_events" for thread in threading.enumerate())


def test_events_one_by_one(rng: np.random.Generator) -> None:
    cloth = bw.samples.cloth(16)
    frames = [np.array(cloth.vertices) + rng.normal(size=(len(cloth.vertices), 3)) * 0.1 for _ in range(30)]
    film = bw.Motion(cloth, np.arange(30.0), frames)
    events = bw.timeline([film], mode="triangles", self_contacts=True)
    assert len(events) > 1000
    one_by_one = list(bw.timeline_events([film], mode="triangles", self_contacts=True))
    assert one_by_one == list(events)
    # The first comes while the last are far away, and whoever has seen enough ends the search.
    some = bw.timeline_events((m for m in [film]), mode="triangles", self_contacts=True)
    assert next(some) == events[0] and searching()
    some.close()
    assert not searching()
    for event in bw.timeline_events([film], mode="triangles", self_contacts=True, begin=3.5):
        assert event.time >= 3.5
        break
    with pytest.raises(bw.Error):  # of one body there are contacts with itself only
        next(bw.timeline_events([film]))
    with pytest.raises(TypeError, match=r"boxwood\.Motion"):
        next(bw.timeline_events([cloth]))  # type: ignore[list-item]
    seen: list[bw.ContactEvent] = []

    def visit(event: bw.ContactEvent) -> bool:
        seen.append(event)
        return len(seen) < 5

    found = bw.timeline([film], mode="triangles", self_contacts=True, visit=visit)
    assert seen == list(found) == list(events[:5]) and found.report.status == bw.Status.STOPPED
    with pytest.raises(ZeroDivisionError):
        bw.timeline([film], mode="triangles", self_contacts=True, visit=lambda event: 1 / 0)


def test_scenes_beside_numpy(rng: np.random.Generator) -> None:
    low = rng.uniform(0, 10, (300, 3)).astype(np.float32)
    boxes = np.stack([low, low + rng.uniform(0, 1.5, low.shape).astype(np.float32)], 1).astype(np.float32)
    scene = bw.Scene(track_pairs=True)
    ids = scene.insert(boxes)
    for turn in range(3):
        meets = (boxes[:, None, 0] <= boxes[None, :, 1]).all(2) & (boxes[None, :, 0] <= boxes[:, None, 1]).all(2)
        wanted = {frozenset((int(ids[i]), int(ids[j]))) for i, j in zip(*np.nonzero(np.triu(meets, 1)))}
        found = scene.pairs()
        assert {frozenset((int(a), int(b))) for a, b in zip(found.a, found.b)} == wanted
        began, ended = scene.pairs_changed()
        if turn == 0:
            assert len(began) == len(wanted) and len(ended) == 0
        q = boxes[7]
        assert set(scene.query(box=q).tolist()) == {int(ids[k]) for k in np.nonzero(meets[7])[0]}
        p = rng.uniform(0, 10, 3)
        gaps = (np.maximum(np.maximum(boxes[:, 0] - p, p - boxes[:, 1]), 0) ** 2).sum(1)
        assert np.allclose(scene.nearest(p, 5).value, np.sort(gaps)[:5])
        boxes[::3] += rng.normal(size=(100, 1, 3)).astype(np.float32)
        scene.move(ids[::3], boxes[::3])
    scene.remove(ids[:100])
    assert len(scene) == 200 and int(ids[0]) not in scene and int(ids[150]) in scene
    with pytest.raises(bw.StaleError):
        scene.get(int(ids[0]))
    with pytest.raises(bw.Error, match="element 1"):
        scene.insert([[[0, 0, 0], [1, 1, 1]], [[0, 0, 0], [1, -1, 1]]])


def test_worlds(rng: np.random.Generator) -> None:
    world = bw.World()
    kinds = [bw.samples.knot(16, 5), bw.Shape.sphere(0.6), bw.samples.cube().tree]
    bodies = [(kinds[i % 3], np.array(bw.rotation(tuple(rng.normal(size=3)), 1.0, tuple(rng.uniform(0, 3, 3))))) for i in range(20)]
    ids = [world.insert(k, p) for k, p in bodies]
    contacts, ended, pairs = world.step()

    def meet(i: int, j: int) -> bool:
        (a, p), (b, q) = bodies[i], bodies[j]
        if isinstance(a, bw.Shape) and isinstance(b, bw.Shape):
            return bool(bw.shape_contact(a, b, p, q)[0].kind)
        if isinstance(a, bw.Shape):
            return len(bw.shape_collide(a, b, p, q)) > 0
        if isinstance(b, bw.Shape):
            return len(bw.shape_collide(b, a, q, p)) > 0
        return bw.collides(a, b, p, q)

    wanted = {frozenset((ids[i], ids[j])) for i in range(20) for j in range(i) if meet(i, j)}
    assert {frozenset((p.a, p.b)) for p in pairs} == wanted and len(ended) == 0
    world.move(ids, np.array([p for _, p in bodies]) + np.pad(np.zeros((20, 3, 3)), ((0, 0), (0, 1), (0, 1))))
    again, ended, _ = world.step()
    assert (again.event == bw.Event.PERSIST).all() and again.id.tolist() == contacts.id.tolist() and len(ended) == 0
    world.remove(ids[0])
    with pytest.raises(bw.StaleError):
        world.pose(ids[0])
    hit = world.rays(np.array([[0.0, 0, 50], [0, 0, 50]]), np.array([[0.05, 0.05, -1], [9, 9, 1]]))
    assert hit.id[1] == 0 and len(world) == 19
    tree = bw.Tree(bw.samples.cube())
    body = world.insert(tree)
    tree.update(np.array(tree.mesh.vertices) + 1)
    with pytest.raises(ValueError, match=f"body {body}"):
        world.step()


def test_budgets(rng: np.random.Generator) -> None:
    knot = bw.samples.knot(40, 8)
    body = bw.Anytime(knot, tries=50)
    for _ in range(30):
        pose = bw.rotation(tuple(rng.normal(size=3)), 1.0, tuple(rng.normal(size=3)))
        truth = bw.collides(knot, knot, pose_b=pose)
        exact, _ = bw.collides_within(body, body, pose_b=pose)
        assert exact.proven and exact.collision == truth
        quick, places = bw.collides_within(body, body, pose_b=pose, steps=2, regions=3)
        assert 0.5 <= quick.confidence <= 1 and (not quick.proven or quick.collision == truth) and len(places) <= 3
    cache = bw.AnytimeCache()
    bw.collides_within(body, body, pose_b=pose, steps=1, cache=cache)
    while cache.resumable:
        answer, _ = bw.collides_within(body, body, pose_b=pose, steps=1, cache=cache, resume=True)
        assert not answer.proven or answer.collision == truth


def test_nothing_of_the_library_is_seen_from_outside() -> None:
    try:
        told = subprocess.run(["nm", "-D", "--defined-only", bw._core.__file__], capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        pytest.skip("nm is not there")
    names = [line.split()[-1] for line in told.splitlines()]
    assert [n for n in names if not n.startswith("_") and n not in ("PyInit__core",)] == [] and "PyInit__core" in names
    assert sys.version_info >= (3, 11)


def test_plans_are_curves() -> None:
    """A ball thrown up, at a ceiling that it meets from when to when, by the formula of a parabola."""
    cube = bw.samples.cube()
    v = np.array(cube.vertices)
    plans = np.zeros((len(v), 4, 3))
    plans[:, 0] = v
    plans[:, 1, 2], plans[:, 2, 2] = 8, -4  # z = 8 u - 4 u^2, 4 at its top
    ball = bw.Motion(cube, plans=plans, begin=10, end=12)
    assert ball.span == (10, 12) and np.allclose(ball.sample(11), v + [0, 0, 4]) and ball.mesh is cube
    still = bw.Motion(cube, [10, 12], [v + [0, 0, 4], v + [0, 0, 4]])
    times = [e.time for e in bw.timeline([still, ball])]
    assert np.allclose(times, [10.5, 11.5], atol=1e-9)  # 8 u - 4 u^2 = 3
    for bad, error in ((plans[:3], "3 vertices"), (plans[:, :3], "plans"), (np.full_like(plans, np.nan), "NaN|finite|nan")):
        with pytest.raises(ValueError, match=error):
            bw.Motion(cube, plans=bad)
    with pytest.raises(TypeError, match="plans must be given"):
        bw.Motion(cube, plans=plans, velocities=v)
