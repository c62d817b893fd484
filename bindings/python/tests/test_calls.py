"""Long calls: other threads run meanwhile, Ctrl-C and progress end them, changes are refused while others read; memory."""

from __future__ import annotations

import gc
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from typing import Literal

import numpy as np
import pytest

import boxwood as bw


def twisted(rng: np.random.Generator, count: int) -> np.ndarray:
    poses = [bw.rotation(tuple(rng.normal(size=3)), rng.uniform(0, 6), tuple(rng.normal(size=3) * 0.2)) for _ in range(64)]
    return np.array(poses * (count // 64))


@pytest.mark.once
def test_other_threads_run_meanwhile(rng: np.random.Generator) -> None:
    knot = bw.samples.knot(60, 16)
    poses = twisted(rng, 1280)
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks[0]
    bw.collide_many(knot, knot, poses_b=poses, mode="count")
    assert ticks[0] > before + 10
    done.set()
    thread.join()


def test_a_tree_in_use_is_not_changed(rng: np.random.Generator) -> None:
    knot = bw.samples.knot(60, 16)
    tree = bw.Tree(knot)
    poses = twisted(rng, 64000)
    seen: list[str] = []

    def progress(done: int, total: int) -> bool:
        try:
            tree.update()
        except RuntimeError as error:
            seen.append(str(error))
        return not seen

    found = bw.collide_many(tree, tree, poses_b=poses, mode="count", progress=progress)
    assert seen == ["this Tree is in use: it cannot be changed now"]
    assert (found.status == bw.Status.STOPPED).any()
    tree.update()
    with pytest.raises(InterruptedError):
        bw.collides_many(tree, tree, poses_b=np.tile(poses, (20, 1, 1)), progress=lambda done, total: False)


def test_progress_and_bars(rng: np.random.Generator) -> None:
    knot = bw.samples.knot(60, 16)
    told: list[tuple[int, int]] = []

    class Bar:
        n = 0

        def update(self, n: int) -> None:
            self.n += n

    bar = Bar()
    poses = twisted(rng, 32000)
    bw.collides_many(knot, knot, poses_b=poses, progress=bar)
    assert bar.n == len(poses)
    bw.collides_many(knot, knot, poses_b=poses, progress=lambda d, t: told.append((d, t)))
    assert told[-1] == (len(poses), len(poses)) and [d for d, _ in told] == sorted(d for d, _ in told)
    with pytest.raises(ZeroDivisionError):
        bw.collides_many(knot, knot, poses_b=poses, progress=lambda d, t: 1 / 0)


LONG = {
    "batch": "bw.collide_many(knot, knot, poses_b=poses, mode='count')",
    "timeline": "bw.timeline([bw.Motion(knot, times, frames)], self_contacts=True)",
    "step": "bw.Step(knot, wild).contacts()",
    "safe step": "bw.safe_step([bw.Step(knot, wild)] * 100000)",
    "world": "world.step()",
    "earliest": "bw.Step(knot, wild).earliest(tolerance=1e-12)",
    "near": "bw.Step(knot, wild).near(1.0)",
    "near, with a cache": "bw.Step(knot, wild).near(1.0, cache=bw.StepCache(margin=1.0))",
    "one pair of a world": "bad_world.step()",
    "hard rays": "bw.rays(soup, points, [0, 0, 1.0])",
    "hard points": "bw.locate(soup, points)",
    "pairs of boxes": "scene.pairs()",
    "many regions": "scene.query_many(boxes=np.repeat(np.array([[[0, 0, 0], [1, 1, 1.0]]]), 20000, 0))",
}


@pytest.mark.once
@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_control_c_ends_a_long_call(call: str) -> None:
    program = textwrap.dedent(
        f"""
        import numpy as np, boxwood as bw
        knot = bw.samples.knot(300, 60)
        poses = np.repeat(np.array([bw.rotation((1, 2, 3), 1, (0.1, 0, 0))]), 64000, 0)
        wild = knot.vertices + np.random.default_rng(1).normal(size=knot.vertices.shape)
        times, frames = np.arange(1000.0), [knot.vertices, wild] * 500
        world = bw.World()
        for i in range(300):
            world.insert(knot, bw.translation(0.001 * i, 0, 0))
        points = np.random.default_rng(2).normal(size=(300000, 3))
        soup = bw.Mesh(points, np.arange(len(points)).reshape(-1, 3))
        bad_world, scene = bw.World(), bw.Scene()
        for i in range(2):
            bad_world.insert(bw.Mesh(points[:60000], soup.faces[:20000]), bw.translation(0.001 * i, 0, 0))
        scene.insert(np.repeat(np.array([[[0, 0, 0], [1, 1, 1.0]]]), 50000, 0))
        print("ready", flush=True)
        {call}
        print("came to its end", flush=True)
        """
    )
    # A shell that runs the tests in the background lets them, and what they start, ignore the signal.
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in err and out == ""


@pytest.mark.parametrize("builder", ["quality", "fast"])
def test_progress_ends_builds(builder: Literal["quality", "fast"]) -> None:
    n = 900 if builder == "quality" else 1500
    vertices = np.stack([*np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0)), np.zeros((n + 1, n + 1))], -1).reshape(-1, 3)
    first = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).reshape(-1, 1)
    grid = bw.Mesh(vertices, np.concatenate([first + [0, 1, n + 2], first + [0, n + 2, n + 1]]).astype(np.uint32))
    with pytest.raises(InterruptedError):
        bw.Tree(grid, builder=builder, progress=lambda done, total: False)
    with pytest.raises(ZeroDivisionError):
        bw.Tree(grid, builder=builder, progress=lambda done, total: 1 / 0)
    asked: list[tuple[object, object]] = []
    tree = bw.Tree(grid, builder=builder, progress=lambda *of: asked.append(of))
    assert set(asked) == {(None, None)}
    before, seen = tree.save(), []

    def refuse(done: int | None, total: int | None) -> bool:
        with pytest.raises(RuntimeError, match="this Tree is being changed"):
            tree.bounds
        seen.append(1)
        return False

    with pytest.raises(InterruptedError):
        tree.update(grid.vertices * 2, policy="rebuild", progress=refuse)
    assert seen and tree.save() == before and tree.mesh is grid
    tree.update(grid.vertices * 2, policy="rebuild", progress=lambda *of: None)
    assert tree.bounds.tolist() == (np.array(bw.Tree(grid).bounds) * 2).tolist()


def test_progress_of_steps_and_worlds(rng: np.random.Generator) -> None:
    knot = bw.samples.knot(300, 60)
    step = bw.Step(knot, knot.vertices + rng.normal(size=np.shape(knot.vertices)))
    world = bw.World()
    ids = [world.insert(knot, bw.translation(0.001 * i, 0, 0)) for i in range(40)]
    calls = [
        lambda p: step.earliest(progress=p),
        lambda p: step.candidates(progress=p),
        lambda p: step.near(1.0, progress=p),
        lambda p: step.near(1.0, progress=p, cache=bw.StepCache(margin=1.0)),
        lambda p: world.step(progress=p),
    ]
    blocks = bw._core._live_blocks()
    for call in calls:
        for _ in range(3):
            with pytest.raises(InterruptedError):
                call(lambda done, total: False)
            with pytest.raises(ZeroDivisionError):
                call(lambda done, total: 1 / 0)
    seen: list[str] = []

    def again(done: int | None, total: int | None) -> bool:
        for other in (world.step, lambda: world.insert(knot), lambda: world.remove(ids[0]), world.check):
            with pytest.raises(RuntimeError) as error:
                other()
            seen.append(str(error.value))
        return False

    with pytest.raises(InterruptedError):
        world.step(progress=again)
    assert set(seen) == {"this World is being changed by a call that is not done"}
    assert world.check() is None and bw._core._live_blocks() == blocks


def test_a_signal_while_another_thread_works(rng: np.random.Generator) -> None:
    """The main thread has the signal at once; the call of the other thread goes on to its end."""
    knot = bw.samples.knot(300, 60)
    poses, found = twisted(rng, 640), []
    worker = threading.Thread(target=lambda: found.append(len(bw.collide_many(knot, knot, poses_b=poses, mode="count"))))
    before = signal.signal(signal.SIGUSR1, lambda *_: found.append(0))
    try:
        worker.start()
        os.kill(os.getpid(), signal.SIGUSR1)
        worker.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert found == [0, len(poses)]


@pytest.mark.once
def test_memory_is_given_back() -> None:
    knot = bw.samples.knot(60, 16)
    points = np.random.default_rng(1).normal(size=(2000, 3))

    def once() -> None:
        mesh = bw.Mesh(np.array(knot.vertices), knot.faces)
        tree = bw.Tree(mesh)
        bw.collide(tree, mesh, pose_b=bw.translation(0.1, 0, 0))
        bw.nearest(tree, points)
        bw.rays(tree, points, [0, 0, 1.0])
        bw.Tree.load(tree.save(), mesh)
        for bad in (lambda: bw.nearest(tree, [[0, 0, np.nan]]), lambda: tree.update(np.full_like(knot.vertices, np.inf))):
            with pytest.raises(bw.Error):
                bad()

    for _ in range(20):
        once()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(150):
        once()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000, "kilobytes"


def test_pools_after_a_fork(rng: np.random.Generator) -> None:
    knot = bw.samples.knot(40, 8)
    with bw.Pool(2) as pool:
        wanted = len(bw.collide(knot, knot, pose_b=bw.translation(0.1, 0, 0), pool=pool))
        child = os.fork()
        if child == 0:
            same = len(bw.collide(knot, knot, pose_b=bw.translation(0.1, 0, 0), pool=pool)) == wanted
            os._exit(0 if same else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with pytest.raises(ValueError, match="closed"):
        bw.collide(knot, knot, pool=pool)


def test_without_numpy() -> None:
    program = textwrap.dedent(
        """
        import sys
        sys.modules["numpy"] = None
        import boxwood as bw, pickle
        cube = bw.samples.cube()
        hits = bw.collide(cube, cube, pose_b=bw.translation(0.5, 0.5, 0.5))
        assert isinstance(hits.a, memoryview) and len(hits.a.tolist()) == 18 == len(hits), hits
        assert bw.collides_many(cube, cube, poses_b=[bw.translation(9, 0, 0)]).tolist() == [False]
        assert bw.nearest(cube, [[2.0, 0, 0]]).point.tolist() == [[0.5, 0, 0]]
        assert bw.contains(cube, [[0, 0, 0.0]]).tolist() == [True]
        assert pickle.loads(pickle.dumps(cube.tree)).save() == cube.tree.save()
        assert cube.tree.bounds.tolist()[0] == [-0.5] * 3
        mask = [k == bw.Kind.CROSSING for k in hits.kind]
        assert len(hits[mask]) == sum(mask) and hits[2:4].a.tolist() == hits.a.tolist()[2:4] and hits[[1, -1]][1] == hits[-1]
        assert pickle.loads(pickle.dumps(hits)).b.tolist() == hits.b.tolist()
        motion = bw.Motion(cube, velocities=[[1.0, 0, 0]] * 8)
        assert pickle.loads(pickle.dumps(motion)).sample(1).tolist() == motion.sample(1).tolist()
        hull = bw.Shape.hull(cube.vertices)
        assert repr(pickle.loads(pickle.dumps(hull))) == repr(hull)
        moving = bw.KineticMesh(motion)
        moving.set_plans(range(1), [[[0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]])
        moving.remove(range(3))
        assert moving.check() is None and sorted(bw.nearest(cube, [[3, 0, 0]]).as_columns())[1] == "point_x"
        assert len(bw.World().insert_many(cube, [bw.translation(x, 0, 0) for x in range(3)])) == 3
        try:
            bw.Mesh({})
        except TypeError as error:
            assert "nested lists" in str(error)
        else:
            raise AssertionError
        """
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_cycles_are_found() -> None:
    class Array(np.ndarray):
        pass

    vertices = np.array(bw.samples.cube().vertices).view(Array)
    vertices.mesh = bw.Mesh(vertices, bw.samples.cube().faces)  # type: ignore[attr-defined]
    vertices.tree = bw.Tree(vertices.mesh)  # type: ignore[attr-defined]
    occluders: dict[int, object] = {}
    occluders[1] = bw.Culler(occluders)
    gone = [weakref.ref(vertices), weakref.ref(vertices.mesh), weakref.ref(vertices.tree)]  # type: ignore[attr-defined]
    blocks = bw._core._live_blocks()
    culler = [occluders[1]]
    assert gc.is_tracked(culler[0])
    del vertices, occluders, culler
    gc.collect()
    assert [w() for w in gone] == [None] * 3 and bw._core._live_blocks() <= blocks
    assert not [o for o in gc.get_objects() if type(o) is bw.Culler]
