"""Scenes in scenes, functions of the caller, separation lists, primitives of one's own, threads of worlds: against brute force."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood as bw


def boxes(rng: np.random.Generator, count: int, spread: float = 10.0) -> np.ndarray:
    low = rng.uniform(-spread, spread, (count, 3)).astype(np.float32)
    return np.stack([low, low + rng.uniform(0.1, 3, (count, 3)).astype(np.float32)], 1)


def meet(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return ((a[:, None, 0] <= b[None, :, 1]) & (b[None, :, 0] <= a[:, None, 1])).all(-1)


def test_scenes_in_scenes(rng: np.random.Generator) -> None:
    child, outer, paths = bw.Scene(), bw.Scene(), bw.ScenePaths()
    inner = boxes(rng, 40)
    ids = child.insert(inner)
    # Multiples of a half keep the translated floats apart from the query's border, whatever is rounded outward.
    inner = np.round(inner * 4) / 4
    inner[:, 1] = np.maximum(inner[:, 1], inner[:, 0] + 0.25)
    child.move(ids, inner)
    shifts = rng.integers(-20, 20, (12, 3)).astype(float)
    instances = [outer.insert_scene(child, bw.translation(*s)) for s in shifts]
    region = np.array([[-5.1, -5.1, -5.1], [6.1, 6.1, 6.1]])
    found = outer.query(box=region, paths=paths)
    got = {(tuple(paths.get(int(p))[1].tolist()), int(i)) for i, p in zip(found.id, found.path)}
    want = {
        ((instances[k],), int(ids[i]))
        for k, s in enumerate(shifts)
        for i in np.flatnonzero(meet(inner + s, region[None])[:, 0])
    }
    assert got == want and want
    # Without paths an instance is an object.
    assert set(outer.query(box=region).tolist()) >= {i for (i,), _ in want}
    # Pairs through instances: every two boxes of all, once.
    everything = np.concatenate([inner + s for s in shifts])
    assert len(outer.pairs(paths=paths)) == np.triu(meet(everything, everything), 1).sum()
    # The child changes, and with it what holds it.
    child.remove(ids)
    assert len(outer.query(box=region, paths=paths)) == 0
    outer.remove(instances[0])
    with pytest.raises(bw.StaleError):
        outer.child(instances[0])
    with pytest.raises(bw.Error):
        child.insert_scene(outer)
    with pytest.raises(bw.Error):
        outer.insert_scene(outer)
    with pytest.raises(ValueError, match="another scene"):
        child.query(box=region, paths=paths)
    one = outer.insert_scene(child)
    del child
    assert outer.child(one) is not None


def test_a_scene_that_is_read_keeps_writers_of_its_children_out() -> None:
    child, outer = bw.Scene(), bw.Scene()
    outer.insert_scene(child)
    child.insert([[0, 0, 0], [1, 1, 1]])
    seen: list[str] = []

    def visit(id: int, path: int) -> None:
        try:
            child.insert([[0, 0, 0], [1, 1, 1]])
        except RuntimeError as error:
            seen.append(str(error))

    outer.query(box=[[0, 0, 0], [1, 1, 1]], visit=visit)
    assert len(seen) == 1 and "in use" in seen[0] and len(child) == 1


def test_functions_of_the_caller(rng: np.random.Generator) -> None:
    knot = bw.samples.knot(40, 8)
    every = bw.collide(knot, knot, pose_b=bw.translation(0.1, 0, 0))
    seen: list[tuple[int, int]] = []
    again = bw.collide(knot, knot, pose_b=bw.translation(0.1, 0, 0), visit=lambda hit: seen.append((hit.a, hit.b)))
    assert seen == list(zip(again.a.tolist(), again.b.tolist())) == list(zip(every.a.tolist(), every.b.tolist()))
    some = bw.collide(knot, knot, visit=lambda hit: len(seen) < 0)
    assert len(some) == 1 and some.report.status == bw.Status.STOPPED
    with pytest.raises(ZeroDivisionError):
        bw.collide(knot, knot, visit=lambda hit: 1 / 0)
    world, ball = bw.World(), bw.Shape.sphere(1)
    ids = [world.insert(ball, bw.translation(x, 0, 0)) for x in (0, 1, 2)]
    assert {(p.a, p.b) for p in world.step(may_meet=lambda a, b: ids[1] in (a, b))[2]} == {(ids[0], ids[1]), (ids[1], ids[2])}
    assert world.overlap(ball, may_meet=lambda id: id != ids[0]).tolist() == ids[1:]
    with pytest.raises(ZeroDivisionError):
        world.step(may_meet=lambda a, b: 1 / 0)
    with pytest.raises(TypeError, match="may_meet must be a function"):
        world.step(may_meet=3)  # type: ignore[arg-type]
    scene = bw.Scene()
    centres = rng.uniform(-5, 5, (50, 3))
    ids_of = scene.insert(np.stack([centres - 1, centres + 1], 1)).tolist()
    sphere = lambda id, path, bound, limit: max(0.0, float(np.linalg.norm(centres[ids_of.index(id)])) - 1) ** 2  # noqa: E731
    assert scene.nearest([0, 0, 0], value=sphere)[0].id == ids_of[int(np.linalg.norm(centres, axis=1).argmin())]


def test_primitives_of_ones_own(rng: np.random.Generator) -> None:
    a, b = boxes(rng, 200), boxes(rng, 150)
    ta, tb = bw.UserTree(a), bw.UserTree(b, builder="fast")
    want = {(int(i), int(j)) for i, j in np.argwhere(meet(a, b))}
    hits = bw.collide_user(ta, tb)
    assert set(zip(hits.a.tolist(), hits.b.tolist())) == want and len(hits) == len(want) > 0
    even = bw.collide_user(ta, tb, lambda i, j: (i + j) % 2 == 0)
    assert set(zip(even.a.tolist(), even.b.tolist())) == {(i, j) for i, j in want if (i + j) % 2 == 0}
    b = boxes(rng, 150)
    tb.update(b)
    assert tb.check() is None and len(bw.collide_user(ta, tb)) == meet(a, b).sum()
    bad = b.copy()
    bad[7, 1, 2] = np.nan
    with pytest.raises(bw.Error, match="element 7"):
        tb.update(bad)
    assert len(bw.collide_user(ta, tb)) == meet(a, b).sum()
    with pytest.raises(TypeError, match="test must return"):
        bw.collide_user(ta, tb, lambda i, j: "yes")  # type: ignore[arg-type,return-value]
    with pytest.raises(ZeroDivisionError):
        bw.collide_user(ta, tb, lambda i, j: 1 / 0)


def test_separation_lists() -> None:
    knot = bw.samples.knot(24, 6)
    v = np.array(knot.vertices)
    still = bw.Motion(knot, [0, 1], [v, v])
    moving = bw.Motion(knot, [0, 1], [v + [3, 0, 0], v - [3, 0, 0]])
    for method in ("auto", "events", "compiled", "traverse"):
        pairs = bw.Separation(still, moving, method=method)
        for time in (0.0, 0.3, 0.5, 0.8):
            pairs.advance(time)
            want = bw.collide(knot, bw.Mesh(moving.sample(time), knot.faces))
            got = pairs.collide()
            assert sorted(zip(got.a.tolist(), got.b.tolist())) == sorted(zip(want.a.tolist(), want.b.tolist()))
            assert pairs.check() is None and pairs.time == time


def test_threads_change_nothing(rng: np.random.Generator) -> None:
    def run(pool: bw.Pool | None) -> list[bytes]:
        world, cube = bw.World(pool=pool), bw.samples.cube()
        where = np.random.default_rng(3).uniform(0, 6, (200, 3))
        ids = [world.insert(cube, bw.translation(*p)) for p in where]
        contacts, _, pairs = world.step()
        impact = world.advance(ids[0], bw.translation(9, 9, 9))
        rays = world.rays(where, [1, 0, 0])
        return [contacts.point.tobytes(), contacts.id.tobytes(), pairs.a.tobytes(), repr(impact).encode(), rays.t.tobytes()]

    with bw.Pool(2) as pool:
        assert run(pool) == run(None)
        one, two = bw.Scene(pool=pool), bw.Scene()
        b = boxes(rng, 3000, 30)
        one.insert(b), two.insert(b)
        assert one.pairs().a.tobytes() == two.pairs().a.tobytes()
        world = bw.World(pool=pool)
    with pytest.raises(ValueError, match="closed"):
        world.step()
