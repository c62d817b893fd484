"""What is changed while it runs, and what is trained: kinetic trees, models of budgets, scenes, worlds, depth buffers; beside the C library
and plain computations."""

from __future__ import annotations

import copy
import ctypes as c
import math
import os
import pickle
import threading

import numpy as np
import pytest

import boxwood as bw

CUBE, BALL, KNOT = bw.samples.cube(), bw.samples.sphere(2), bw.samples.knot(24, 6)
STILL = [[0, 0, 0]] * 2


def pairs(hits: bw.Hits) -> list[tuple[int, int]]:
    return sorted(zip(hits.a.tolist(), hits.b.tolist()))


@pytest.mark.parametrize("method", ["queue", "refit", "auto"])
def test_plans_of_kinetic_meshes(method: str, rng: np.random.Generator) -> None:
    v = np.array(KNOT.vertices)
    moving = bw.KineticMesh(bw.Motion(KNOT, velocities=v * 0 + [1, 0, 0], end=4), method=method)  # type: ignore[arg-type]
    factors = np.zeros((len(v), 4, 3))
    factors[:, 0], factors[:, 1] = v, [1, 0, 0]
    origins = np.zeros(len(v))
    for time in (0.5, 1.0, 1.75):
        moving.advance(time)
        some = rng.choice(len(v), 40, replace=False)
        u = time - origins[some][:, None]
        at = factors[some, 0] + u * (factors[some, 1] + u * (factors[some, 2] + u * factors[some, 3]))
        factors[some, 0], factors[some, 1:] = at, rng.normal(size=(40, 3, 3)) * 0.2
        origins[some] = time
        moving.set_plans(some, factors[some])
        assert moving.check() is None
        moving.advance(time + 0.2)
        u = time + 0.2 - origins[:, None]
        want = factors[:, 0] + u * (factors[:, 1] + u * (factors[:, 2] + u * factors[:, 3]))
        assert np.array_equal(moving.vertices, want)
        plain = bw.Mesh(want, KNOT.faces)
        assert pairs(bw.collide(moving, BALL)) == pairs(bw.collide(plain, BALL)) and moving.check() is None
        assert bw.distance(moving, BALL, pose_b=bw.translation(9, 0, 0)).distance == bw.distance(plain, BALL, pose_b=bw.translation(9, 0, 0)).distance
    with pytest.raises(bw.UnsupportedError):
        moving.advance(0.0)
    with pytest.raises(bw.Error):
        moving.set_plans([len(v)], factors[:1])
    with pytest.raises(bw.Error):
        moving.set_plans([0], np.full((1, 4, 3), np.nan))
    with pytest.raises(ValueError, match="as many are needed"):
        moving.set_plans([0, 1], factors[:1])
    assert moving.total().events >= 0 and moving.choice().reason and moving.stats().bytes > 0 and moving.motion.mesh is KNOT


def test_the_plans_that_a_motion_has(rng: np.random.Generator) -> None:
    v = np.array(CUBE.vertices)
    curves = rng.normal(size=(len(v), 4, 3))
    motions = [
        bw.Motion(CUBE, [0, 1, 3], [v, v + 1, v - 2]),
        bw.Motion(CUBE, velocities=curves[:, 0], begin=1, end=3),
        bw.Motion(CUBE, plans=curves, begin=1, end=3),
    ]
    for motion in motions:
        for time in (1.0, 1.5, 3.0):
            origin, plans = motion.plans(time)
            u = time - origin
            assert np.allclose(plans[:, 0] + u * (plans[:, 1] + u * (plans[:, 2] + u * plans[:, 3])), motion.sample(time), atol=1e-12)
            assert motion.plans(time, [3, 1])[1].tobytes() == plans[[3, 1]].tobytes()
    assert motions[2].plans(2.0)[1].tobytes() == curves.tobytes() and motions[2].plans(2.0)[0] == 1.0
    with pytest.raises(ValueError, match="span"):
        motions[0].plans(4.0)
    with pytest.raises(ValueError, match=r"vertices\[1\] is 8, the mesh has 8"):
        motions[0].plans(1.0, [0, 8])


@pytest.mark.parametrize("method", ["queue", "compiled", "interpolated", "refit", "auto"])
def test_kinetic_meshes_lose_and_gain_triangles(method: str) -> None:
    v, f = np.array(KNOT.vertices), np.array(KNOT.faces)
    grown_v, grown_f = np.concatenate([v, v + [0, 0, 1.5]]), np.concatenate([f, f + len(v)])
    small = bw.Motion(KNOT, [0, 1, 2], [v, v + [1, 0, 0], v])
    grown = bw.Motion(bw.Mesh(grown_v, grown_f), [0, 1, 2], [grown_v, grown_v + [1, 0, 0], grown_v])
    moving = bw.KineticMesh(small, method=method)  # type: ignore[arg-type]
    moving.advance(0.25)
    gone = np.arange(0, len(f), 3)
    moving.remove(gone)
    here = np.setdiff1d(np.arange(len(f)), gone)

    def compare(faces: np.ndarray, numbers: np.ndarray) -> None:
        got = bw.collide(moving, BALL)
        want = bw.collide(bw.Mesh(moving.vertices, faces), BALL)
        assert pairs(got) == sorted((int(numbers[a]), b) for a, b in pairs(want)) and moving.check() is None

    compare(f[here], here)
    moving.insert(gone[:5])
    here = np.union1d(here, gone[:5])
    compare(f[here], here)
    moving.insert(np.arange(len(f), len(grown_f)), grown)
    del small
    here = np.concatenate([here, np.arange(len(f), len(grown_f))])
    moving.advance(1.5)
    assert len(moving.vertices) == len(grown_v) and moving.motion is grown
    compare(grown_f[here], here)
    with pytest.raises(bw.Error):
        moving.insert([0, int(here[0])])
    with pytest.raises(bw.Error):
        moving.remove([int(gone[7])])
    with pytest.raises(bw.Error):
        moving.insert([0], bw.Motion(CUBE, [0, 1, 2], [CUBE.vertices] * 3))
    with pytest.raises(TypeError, match="motion must be"):
        moving.insert([0], KNOT)  # type: ignore[arg-type]
    moving.remove(here)
    assert len(bw.collide(moving, BALL)) == 0


def test_a_kinetic_mesh_in_use_is_not_changed() -> None:
    moving, told = bw.KineticMesh(bw.Motion(KNOT, velocities=np.zeros_like(KNOT.vertices))), []

    def visit(hit: bw.Hit) -> bool:
        for change in (lambda: moving.advance(0.5), lambda: moving.remove([0]), lambda: moving.insert([0]), lambda: moving.set_plans([], np.zeros((0, 4, 3)))):
            with pytest.raises(RuntimeError) as error:
                change()
            told.append(str(error.value))
        return False

    bw.collide(moving, KNOT, visit=visit)
    assert told == ["this KineticMesh is in use: it cannot be changed now"] * 4
    world = bw.World()
    one = world.insert(moving)
    other = world.insert(BALL, bw.translation(0, 0, 9))
    assert world.body(one) is moving and world.body(other) is BALL and set(world.ids.tolist()) == {one, other}
    moving.advance(0.5)
    world.changed(one)
    world.step()


def test_models_and_settings(rng: np.random.Generator) -> None:
    knot, ball = bw.Anytime(KNOT, tries=20), bw.Anytime(BALL, tries=20)
    assert knot.check() is None and knot.stats().nodes > 0 and isinstance(ball.stats().kind, bw.BodyKind)
    poses = bw.anytime_poses(knot, ball, 300, seed=5)
    assert poses.shape == (300, 4, 4) and poses.tobytes() == bw.anytime_poses(knot, ball, 300, seed=5).tobytes()
    assert poses.tobytes() != bw.anytime_poses(knot, ball, 300, seed=6).tobytes()
    assert np.allclose(poses[:, :3, :3] @ poses[:, :3, :3].swapaxes(1, 2), np.eye(3)) and (poses[:, 3] == [0, 0, 0, 1]).all()
    model = bw.AnytimeModel.train([(knot, ball, poses), (ball, ball, bw.anytime_poses(ball, ball, 100), 3)], prior_weight=5)
    assert model.save() == bw.AnytimeModel.train([(knot, ball, poses), (ball, ball, bw.anytime_poses(ball, ball, 100), 3)], prior_weight=5).save()
    settings = bw.anytime_try(knot, ball, tries=300)
    for thing in (model, settings):
        assert pickle.loads(pickle.dumps(thing)).save() == thing.save() == copy.deepcopy(thing).save()
        damaged = np.frombuffer(thing.save(), np.float32).copy()
        damaged[-2] = np.nan
        with pytest.raises(bw.Error, match="not a number"):
            type(thing).load(damaged.tobytes())
        with pytest.raises(ValueError, match="bytes, where"):
            type(thing).load(b"abc")
    assert list(settings.errors) == sorted(settings.errors, reverse=True)
    wrong = {"model": 0, "settings": 0, "exact": 0}
    for pose in bw.anytime_poses(knot, ball, 400, seed=77):
        truth = bw.collides(KNOT, BALL, pose_b=pose)
        for name, given in (("model", {"model": model}), ("settings", {"settings": settings}), ("exact", {"p_min": 0.0, "p_prune": 0.0})):
            answer, _ = bw.collides_within(knot, ball, pose_b=pose, wanted_error=0.0 if name == "exact" else 0.05, **given)  # type: ignore[arg-type]
            wrong[name] += answer.collision != truth
            assert not answer.proven or answer.collision == truth
    assert wrong["exact"] == 0 and wrong["model"] <= 40 and wrong["settings"] <= 40  # twice what 5 % would be
    for bad, error in (([], bw.Error), ([(knot, ball)], TypeError), ([(knot, KNOT, poses)], TypeError), ([(knot, ball, poses[0])], ValueError), (3, TypeError)):
        with pytest.raises(error):
            bw.AnytimeModel.train(bad)  # type: ignore[arg-type]
    for endless in (lambda: bw.Anytime(KNOT, tries=2**31), lambda: bw.anytime_try(knot, ball, tries=2**31), lambda: bw.anytime_poses(knot, ball, 2**31)):
        with pytest.raises(ValueError, match="must be at most 1048576"):
            endless()
    with pytest.raises(TypeError, match="model must be"):
        bw.collides_within(knot, ball, model=settings)  # type: ignore[arg-type]


def test_scenes_of_spheres_and_many_questions(rng: np.random.Generator) -> None:
    with bw.Pool(2) as pool:
        low = rng.uniform(0, 10, (400, 3)).astype(np.float32)
        boxes = np.stack([low, low + rng.uniform(0, 1.5, low.shape).astype(np.float32)], 1)
        alone, shared = bw.Scene(), bw.Scene(pool=pool)
        ids = alone.insert(boxes)
        shared.insert(boxes)
        points, radii = rng.uniform(0, 10, (60, 3)), rng.uniform(0, 2, 60)
        for scene in (alone, shared):
            for asked in ({"boxes": boxes[:60]}, {"spheres": points, "radius": radii}, {"spheres": points, "radius": 0.75}):
                found, offsets = scene.query_many(**asked)  # type: ignore[arg-type]
                assert offsets[0] == 0 and offsets[-1] == len(found) > 0 and len(offsets) == 61
                for i in range(60):
                    one = {"box": boxes[i]} if "boxes" in asked else {"sphere": points[i], "radius": float(np.broadcast_to(asked["radius"], 60)[i])}
                    assert found[offsets[i] : offsets[i + 1]].tolist() == scene.query(**one).tolist()  # type: ignore[arg-type]
        assert alone.query_many(boxes=np.zeros((0, 2, 3)))[1].tolist() == [0]
        with pytest.raises(bw.Error, match="element 1"):
            alone.query_many(spheres=[[0, 0, 0], [np.nan, 0, 0]], radius=1)
        for bad in ({}, {"boxes": boxes, "spheres": points}, {"spheres": points}, {"spheres": points, "radius": [1.0]}, {"boxes": boxes[0]}):
            with pytest.raises((TypeError, ValueError)):
                alone.query_many(**bad)  # type: ignore[arg-type]
        origin, direction = np.array([0, 5, 5.0]), np.array([1, 0.1, -0.2])
        t = np.sort((boxes - origin) / direction, axis=1)
        met = np.minimum(t[:, 1].min(1), np.inf) >= np.maximum(t[:, 0].max(1), 0)
        assert set(alone.query(ray=[origin, direction]).tolist()) == set(ids[met].tolist()) and met.any()
        near = alone.nearest([5, 5, 5], 400, max_distance=2.0)
        gaps = (np.maximum(np.maximum(boxes[:, 0] - 5, 5 - boxes[:, 1]), 0) ** 2).sum(1)
        assert np.allclose(near.value, np.sort(gaps[gaps <= 4]))
    scene = bw.Scene()
    one = scene.insert_sphere([0.1, 0.2, 0.3], 0.7, user=9)
    low, high = np.asarray(scene.get(one)[0], float)
    assert (low <= np.subtract([0.1, 0.2, 0.3], 0.7)).all() and (high >= np.add([0.1, 0.2, 0.3], 0.7)).all() and scene.get(one)[1] == 9
    assert np.allclose(np.float32([low, high]), np.float32([np.subtract([0.1, 0.2, 0.3], 0.7), np.add([0.1, 0.2, 0.3], 0.7)]), rtol=3e-7)
    scene.move_swept(one, [[0, 0, 0], [1, 1, 1]], [-2, 3, 0])
    assert scene.get(one)[0].tolist() == [[-2, 0, 0], [1, 4, 1]]
    with pytest.raises(bw.Error):
        scene.insert_sphere([0, 0, 0], -1)
    with pytest.raises(bw.Error, match="y = inf"):
        scene.move_swept(one, [[0, 0, 0], [1, 1, 1]], [0, np.inf, 0])
    scene.remove(one)
    with pytest.raises(bw.StaleError):
        scene.move_sphere(one, [0, 0, 0], 1)
    with pytest.raises(TypeError, match="cache must be a boxwood.ViewCache"):
        scene.query(planes=bw.view_planes([0, 0, 0], [1, 0, 0]), cache=3)  # type: ignore[call-overload]


def test_worlds_of_many(rng: np.random.Generator) -> None:
    poses = np.array([bw.translation(*p) for p in rng.uniform(0, 8, (60, 3))])
    bodies = [(KNOT, bw.Shape.sphere(0.5), CUBE.tree)[i % 3] for i in range(60)]
    one, many = bw.World(), bw.World()
    for i in range(60):
        one.insert(bodies[i], poses[i], group=4, user=i)
    ids = many.insert_many(bodies, poses, group=4, users=np.arange(60))
    assert [many.get(int(i)).user for i in ids] == list(range(60)) and many.get(int(ids[3])).group == 4 and many.get(int(ids[3])).mask != 0
    assert len(many.step()[0]) == 0  # one group
    for world in (one, many):
        for i in world.ids.tolist():
            world.set_filter(i)
    assert one.step()[0].point.tobytes() == many.step()[0].point.tobytes() and many.check() is None
    origin, direction = np.array([-5.0, 4, 4]), np.array([1, 0.05, 0.02])
    along = many.rays_all(origin, direction)
    assert (np.diff(along.t) >= 0).all() and len(set(along.id.tolist())) == len(along) > 1
    assert along[0].id == many.rays(origin, direction).id
    first = int(along.id[0])
    assert many.rays_all(origin, direction, except_id=first).id.tolist() == along.id[1:].tolist()
    before = len(many)
    with pytest.raises(bw.Error, match="element 2"):
        many.insert_many(CUBE, np.where(np.arange(4)[:, None, None] == 2, np.nan, poses[:4, :3]))
    for bad in (lambda: many.insert_many([CUBE, CUBE], poses[:3]), lambda: many.insert_many(CUBE), lambda: many.insert_many([CUBE], users=[1, 2])):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(TypeError):
        many.insert_many([CUBE, 3])  # type: ignore[list-item]
    assert len(many) == before and many.insert_many([]).tolist() == []


def test_depth_buffers() -> None:
    depth = bw.Depth(200, 100)
    view = ([0, 0.01, 0.02], [1, 0, 0])  # no centre of a pixel is on an edge, where it would count as uncovered
    depth.begin(*view, aspect=2.0)
    depth.draw(CUBE, bw.translation(5, 0, 0))
    values = depth.values()
    ys, xs = np.nonzero(values)
    corners = bw.view_project(np.array(CUBE.vertices) + [5, 0, 0], *view, width=200, height=100, aspect=2.0)
    near = corners[np.isclose(corners[:, 2], 4.5)]
    for got, want in ((xs, near[:, 0]), (ys, near[:, 1])):
        assert got.min() == np.ceil(want.min() - 0.5) and got.max() == np.ceil(want.max() - 0.5) - 1
    assert np.allclose(values[values > 0], 1 / 4.5, rtol=1e-4)
    assert depth.values(2).tobytes() == values.reshape(25, 4, 50, 4).min((1, 3)).tobytes()
    assert depth.hides([[7, -0.2, -0.2], [8, 0.2, 0.2]]) and not depth.hides([[3, -0.2, -0.2], [4, 0.2, 0.2]])
    assert np.isnan(bw.view_project([-1, 0, 0], *view)).all()
    with pytest.raises(bw.Error):
        depth.begin([0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match="beyond the top"):
        depth.values(99)
    with pytest.raises(bw.Error):
        bw.Depth(0, 5)
    with pytest.raises(bw.Error):
        depth.draw(bw.Mesh([[0.0, 0, 0]]))


def test_who_may_collide_in_a_step(rng: np.random.Generator) -> None:
    cloth = bw.samples.cloth(6)
    v = np.array(cloth.vertices)
    step = bw.Step(cloth, v + rng.normal(size=v.shape) * 0.5)
    every, listed = step.contacts(), step.candidates()
    named = step.candidate_vertices(listed)
    by_contact = {(f, a, b): w for f, a, b, w in zip(every.feature, every.a, every.b, every.vertices.tolist())}
    by_candidate = {(f, a, b): w for f, a, b, w in zip(listed.feature, listed.a, listed.b, named.tolist())}
    assert all(by_candidate[k] == w for k, w in by_contact.items()) and by_contact
    assert step.check() is None
    with bw.Pool(2) as pool:
        for given in (None, pool):
            some = step.contacts(can_collide=lambda f, a, b: f == bw.StepFeature.EDGE_EDGE and (a + b) % 2, pool=given)
            want = [k for k in by_contact if k[0] == bw.StepFeature.EDGE_EDGE and (k[1] + k[2]) % 2]
            assert sorted(zip(some.feature, some.a, some.b)) == sorted(want) and want
            assert len(step.candidates(can_collide=lambda *k: False, pool=given)) == 0
            assert step.earliest(can_collide=lambda *k: False, pool=given).feature == bw.StepFeature.NOTHING
            assert len(step.near(0.5, time=1.0, can_collide=lambda *k: False, pool=given)) == 0
            assert bw.safe_step([step], can_collide=lambda *k: False, pool=given).step == 1 > bw.safe_step([step]).step
            for call in (step.contacts, step.candidates, step.earliest, lambda **k: step.near(0.5, **k), lambda **k: bw.safe_step([step], **k)):
                with pytest.raises(ZeroDivisionError):
                    call(can_collide=lambda *k: 1 / 0, pool=given)
                with pytest.raises(TypeError, match="can_collide must be a function"):
                    call(can_collide=1)
    other = bw.Step(CUBE, CUBE.vertices)
    with pytest.raises(bw.Error, match="candidate"):
        other.candidate_vertices(listed)


def test_poses_between_and_shapes(rng: np.random.Generator) -> None:
    start, end = np.array(bw.rotation((1, 2, 3), 0.3, (1, 0, 0))), np.array(bw.rotation((0, 1, 0), 1.1, (4, 2, 0)))
    way = bw.pose_between(start, end, np.linspace(0, 1, 5))
    assert np.allclose(way[0], start) and np.allclose(way[-1], end) and way.shape == (5, 4, 4)
    ball = bw.Shape.sphere(0.5)
    hit = bw.sweep(ball, CUBE, bw.translation(-3, 0.1, 0), bw.translation(3, 0.1, 0))
    at = bw.pose_between(bw.translation(-3, 0.1, 0), bw.translation(3, 0.1, 0), hit.time)
    assert bw.shape_distance(ball, CUBE, at).distance < 1e-5
    assert np.allclose(bw.pose_between(start, end, np.float32(0.5), centre=[9, 9, 9])[3], [0, 0, 0, 1])
    for bad in (1.5, -0.1, np.nan, [0.5, 2.0]):
        with pytest.raises(bw.Error):
            bw.pose_between(start, end, bad)
    with pytest.raises(bw.Error, match="rotation and a translation"):
        bw.pose_between(start, (end * 2)[:3], 0.5)
    rounded = start.astype(np.float32)
    with pytest.raises(bw.Error):
        bw.Shape.box([1, 2, 3]).bounds(rounded + np.float32(1e-5) * (np.arange(16).reshape(4, 4) % 3 == 0) * [[1], [1], [1], [0]])
    fixed = bw.rigid(rounded)
    assert np.allclose(fixed[:3, :3] @ fixed[:3, :3].T, np.eye(3), atol=1e-15) and np.allclose(fixed, start, atol=1e-6)
    with pytest.raises(bw.Error, match="0.01"):
        bw.rigid(np.diag([1, 1, 1.1, 1]))
    shapes = [ball, bw.Shape.box([1, 2, 3]), bw.Shape.capsule(0.3, 1), bw.Shape.hull(rng.normal(size=(30, 3)))]
    for _ in range(60):
        a, b = rng.choice(4, 2)
        pose = bw.rotation(tuple(rng.normal(size=3)), 1.0, tuple(rng.normal(size=3) * 1.5))
        contact, points = bw.shape_contact(shapes[a], shapes[b], pose_b=pose)
        assert bw.shape_overlap(shapes[a], shapes[b], pose_b=pose) == contact.kind
        one, deepest = bw.shape_contact(shapes[a], shapes[b], pose_b=pose, max_points=1)
        assert one.kind == contact.kind and len(deepest) == min(len(points), 1) == one.point_count
        assert not len(points) or math.isclose(one.depth, contact.depth, abs_tol=1e-12)
    with pytest.raises(ValueError, match="max_points"):
        bw.shape_contact(ball, ball, max_points=5)
    assert all(s.check() is None for s in shapes)


def test_triangles_one_by_one(rng: np.random.Generator) -> None:
    triangles, p, q = rng.normal(size=(500, 3, 3)), rng.normal(size=(500, 3)), rng.normal(size=(500, 3))
    rays, segments = bw.triangle_rays(p, q, triangles), bw.triangle_rays(p, q, triangles, segments=True)
    near = bw.triangle_points(p, triangles)
    for i in range(len(p)):
        mesh = bw.Mesh(triangles[i], [[0, 1, 2]])
        ray = bw.rays(mesh, p[i], q[i], between=True)
        assert (ray.primitive >= 0) == (rays.kind[i] != 0) and (rays.kind[i] == 0 or ray.t == rays.t[i])
        assert (segments.kind[i] != 0) == (rays.kind[i] != 0 and rays.t[i] <= 1)
        assert near.distance[i] == pytest.approx(bw.nearest(mesh, p[i]).distance, abs=1e-12)
    assert {0, 2} <= set(segments.kind.tolist()) and not np.isfinite(rays.t[rays.kind == 0]).any()
    a, b = rng.integers(-3, 4, (2, 300, 3)).astype(float)
    third = np.where(rng.random((300, 1)) < 0.5, a + 2 * (b - a), rng.integers(-3, 4, (300, 3)))
    assert bw.collinear(a, b, third).tolist() == (np.cross(b - a, third - a) == 0).all(1).tolist()
    with pytest.raises(ValueError, match="not finite"):
        bw.triangle_points([np.inf, 0, 0], triangles)


def test_objects_say_what_they_are() -> None:
    motion = bw.Motion(CUBE, velocities=np.array(CUBE.vertices), begin=1, end=2.5)
    pool = bw.Pool(2)
    told = [motion, bw.KineticMesh(motion), bw.Step(CUBE, CUBE.vertices), bw.Anytime(CUBE, tries=3), pool]
    pool.close()
    assert [repr(o).split("(")[0] for o in told] == ["Motion", "KineticMesh", "Step", "Anytime", "Pool"]
    assert repr(motion) == "Motion(8 vertices, velocities, 1 to 2.5)" and repr(told[2]) == "Step(8 vertices, 18 edges)" and repr(pool) == "Pool(closed)"


def test_edges(rng: np.random.Generator) -> None:
    for mesh in (KNOT, bw.samples.cloth(5), bw.Mesh(rng.normal(size=(30, 3)), rng.integers(0, 30, (40, 3)))):
        faces = np.array(mesh.faces, dtype=int)
        uses: dict[tuple[int, int], list[int]] = {}
        for k, face in enumerate(faces):
            for i in range(3):
                low, high = sorted((int(face[i]), int(face[(i + 1) % 3])))
                if low != high:
                    uses.setdefault((low, high), []).append(k)
        edges = mesh.edges()
        assert [tuple(e) for e in edges.vertices.tolist()] == sorted(uses)
        for edge in edges:
            at = uses[edge.vertices]
            assert edge.use_count == len(at) and set(edge.triangles) <= {*at, -1} and (edge.triangles[1] == -1) == (len(at) == 1)
        assert len(edges) == mesh.topology().edges
    step = bw.Step(KNOT, KNOT.vertices)
    listed = step.candidates()[:200]
    for row, pair in zip(step.candidate_vertices(listed).tolist(), listed):
        if pair.feature == bw.StepFeature.EDGE_EDGE:
            assert row == [*KNOT.edges()[pair.a].vertices, *KNOT.edges()[pair.b].vertices]
    with pytest.raises(bw.Error):
        bw.Mesh(np.zeros((3, 3)), [[0, 1, 7]]).edges()
    with pytest.raises(bw.Error):
        bw.Mesh(np.zeros((3, 3))).edges()


LIBRARY = os.environ.get("BOXWOOD_LIBRARY", "")


@pytest.mark.skipif(not LIBRARY, reason="BOXWOOD_LIBRARY does not name libboxwood.so")
def test_same_bits_as_the_library(rng: np.random.Generator) -> None:
    library = c.CDLL(LIBRARY)
    p, q, t = (rng.integers(-2, 3, shape).astype(float) for shape in ((400, 3), (400, 3), (400, 3, 3)))
    rays, segments, near, line = bw.triangle_rays(p, q, t), bw.triangle_rays(p, q, t, segments=True), bw.triangle_points(p, t), bw.collinear(p, q, t[:, 0])
    library.bw_point_triangle_distance2.restype, library.bw_collinear.restype = c.c_double, c.c_bool

    def at(array: np.ndarray) -> c.c_void_p:
        return c.c_void_p(array.ctypes.data)

    for i in range(len(p)):
        out, on = np.full(1, np.inf), np.zeros(3)
        assert rays.kind[i] == library.bw_ray_triangle(at(p[i]), at(q[i]), at(t[i]), at(out)) and rays.t[i] == out[0]
        assert segments.kind[i] == library.bw_segment_triangle(at(p[i]), at(q[i]), at(t[i]))
        assert near.distance[i] == np.sqrt(library.bw_point_triangle_distance2(at(p[i]), at(t[i]), at(on))) and near.point[i].tobytes() == on.tobytes()
        assert line[i] == library.bw_collinear(at(p[i]), at(q[i]), at(np.ascontiguousarray(t[i, 0])))

    class Transform(c.Structure):
        _fields_ = [("m", c.c_double * 12)]

    class Vec3(c.Structure):
        _fields_ = [("x", c.c_double), ("y", c.c_double), ("z", c.c_double)]

    def of(pose: np.ndarray) -> Transform:
        return Transform((c.c_double * 12)(*pose[:3].ravel()))

    start, end = np.array(bw.rotation((1, 2, 3), 0.3, (1, 0, 0))), np.array(bw.rotation((0, 1, 0), 1.1, (4, 2, 0)))
    motion, out = (c.c_double * 64)(), Transform()
    assert library.bw_rigid_motion_between(c.byref(of(start)), c.byref(of(end)), Vec3(1, 2, 3), motion) == 0
    for time in rng.uniform(0, 1, 20):
        assert library.bw_rigid_motion_pose(motion, c.c_double(time), c.byref(out)) == 0
        assert bw.pose_between(start, end, time, centre=[1, 2, 3])[:3].tobytes() == bytes(out)
    depth, mine = c.c_void_p(), bw.Depth(64, 64)
    library.bw_depth_values.restype = c.POINTER(c.c_float)
    assert library.bw_depth_create(None, 64, 64, c.byref(depth), None) == 0
    view = (c.c_double * 13)(0, 0, 0, 1, 0.1, 0.2, 0, 0, 1, 0.9, 1, 0.1, 0)
    assert library.bw_depth_begin(depth, view, None) == 0
    mine.begin([0, 0, 0], [1, 0.1, 0.2], fov=0.9)
    v, f = np.array(KNOT.vertices) + [4, 0, 0], np.array(KNOT.faces)
    drawn = c.c_uint32()

    class CMesh(c.Structure):
        _fields_ = [("positions", c.c_void_p), ("scalar", c.c_int), ("vertex_count", c.c_uint32), ("stride", c.c_uint32),
                    ("indices", c.c_void_p), ("triangle_count", c.c_uint32)]

    class Occluder(c.Structure):
        _fields_ = [("size", c.c_uint32), ("mesh", c.POINTER(CMesh)), ("pose", c.c_void_p), ("closed", c.c_bool)]

    mesh = CMesh(v.ctypes.data, 1, len(v), 0, f.ctypes.data, len(f))
    assert library.bw_depth_draw(depth, c.byref(Occluder(0, c.pointer(mesh), None, True)), c.byref(drawn), None) == 0
    assert mine.draw(bw.Mesh(v, f), closed=True) == drawn.value > 0
    w, h = c.c_uint32(), c.c_uint32()
    assert bytes(c.cast(library.bw_depth_values(depth, c.byref(w), c.byref(h)), c.POINTER(c.c_float * 4096)).contents) == mine.values().tobytes()
    library.bw_depth_destroy(depth)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("method", ["queue", "compiled", "interpolated", "refit", "auto"])
def test_every_query_of_a_kinetic_mesh(method: str, lazy: bool, rng: np.random.Generator) -> None:
    """Each as the first one after a step, when boxes are not written yet."""
    v, f = np.array(KNOT.vertices), np.array(KNOT.faces)
    motion = bw.Motion(KNOT, [0, 1, 2], [v, v + rng.normal(size=v.shape) * 0.1, v + [1, 0, 0]])
    moving = bw.KineticMesh(motion, method=method, lazy=lazy)  # type: ignore[arg-type]
    points, directions = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    ball = BALL.tree
    at = bw.translation(0.4, 0.2, 0.1)
    calls = [
        lambda m: pairs(bw.collide(m, ball, pose_b=at)),
        lambda m: pairs(bw.collide_self(m)),
        lambda m: bw.collides_many(m, ball, poses_b=[at, bw.translation(9, 0, 0)]).tolist(),
        lambda m: bw.distance(m, ball, pose_b=bw.translation(5, 1, 0)).distance,
        lambda m: sorted(bw.within(m, ball, 0.3, pose_b=bw.translation(2.5, 0, 0)).distance.tolist()),
        lambda m: bw.nearest(m, points).distance.tobytes(),
        lambda m: bw.rays(m, points, directions).t.tobytes(),
        lambda m: bw.contains(m, points).tolist(),
        lambda m: bw.signed_distance(m, points).distance.tobytes(),
        lambda m: bw.surface_at(m, np.arange(50), points).normal.tobytes(),
        lambda m: sorted(bw.region(m, sphere=[1, 0, 0], radius=0.8).primitive.tolist()),
        lambda m: bw.contacts(m, ball, pose_b=at, depth=True, volume=True)[0].depth.sum().round(9),
        lambda m: sorted(bw.shape_collide(bw.Shape.sphere(0.5), m, at).primitive.tolist()),
        lambda m: round(bw.shape_distance(bw.Shape.sphere(0.1), m, bw.translation(4, 0, 0)).distance, 12),
        lambda m: round(bw.sweep(m, ball, start_b=bw.translation(5, 0, 0), end_b=at).time, 4),
    ]
    time = 0.0
    for i, call in enumerate(calls):
        time = 0.1 + 1.8 * i / len(calls)
        moving.advance(time)
        got = call(moving)
        assert got == call(bw.Mesh(motion.sample(time), f)), i
    assert moving.vertices.tobytes() == motion.sample(time).tobytes() and moving.check() is None
    if lazy:
        with pytest.raises(ValueError, match="lazy KineticMesh"):
            bw.World().insert(moving)


@pytest.mark.parametrize("lazy", [False, True])
def test_threads_ask_a_kinetic_mesh(lazy: bool) -> None:
    v = np.array(KNOT.vertices)
    moving = bw.KineticMesh(bw.Motion(KNOT, [0, 1], [v, v + [2, 0, 0]]), lazy=lazy)
    for time in (0.2, 0.4, 0.9):
        moving.advance(time)
        want = pairs(bw.collide(bw.Mesh(moving.motion.sample(time), KNOT.faces), BALL))
        found: list[list[tuple[int, int]]] = []
        threads = [threading.Thread(target=lambda: found.append(pairs(bw.collide(moving, BALL)))) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert found == [want] * 8
