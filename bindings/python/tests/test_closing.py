"""close() and `with`: memory comes back at once, every use afterwards is refused, and what others hold stays as it is."""

from __future__ import annotations

import copy
import ctypes
import gc
import inspect
import itertools
import pickle
import threading
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import boxwood as bw

CUBE = bw.samples.cube()
BOX = [[0, 0, 0], [1, 1, 1]]
MOTION = bw.Motion(CUBE, velocities=[[1.0, 0, 0]] * 8)
STEP = bw.Step(CUBE, CUBE.vertices)
OTHER = bw.Step(bw.Mesh(CUBE.vertices, CUBE.faces), CUBE.vertices)
SEEN: dict[str, Any] = {"eye": [0, -5, 0], "forward": [0, 1, 0]}


def fresh() -> bw.Mesh:
    return bw.Mesh(np.array(CUBE.vertices), np.array(CUBE.faces))


MAKERS: dict[type, Callable[[], Any]] = {
    bw.Pool: lambda: bw.Pool(2),
    bw.Mesh: fresh,
    bw.Tree: lambda: bw.Tree(fresh()),
    bw.PairCache: bw.PairCache,
    bw.Shape: lambda: bw.Shape.hull(CUBE.vertices),
    bw.Step: lambda: bw.Step(fresh(), CUBE.vertices),
    bw.StepCache: bw.StepCache,
    bw.Scene: lambda: bw.Scene(track_pairs=True),
    bw.ScenePaths: bw.ScenePaths,
    bw.ViewCache: bw.ViewCache,
    bw.Depth: bw.Depth,
    bw.Culler: lambda: bw.Culler({1: CUBE}),
    bw.KineticMesh: lambda: bw.KineticMesh(MOTION),
    bw.Separation: lambda: bw.Separation(MOTION, MOTION),
    bw.UserTree: lambda: bw.UserTree([BOX, BOX]),
    bw.Anytime: lambda: bw.Anytime(fresh(), tries=3),
    bw.AnytimeCache: bw.AnytimeCache,
    bw.World: bw.World,
    bw.File: lambda: bw.read("scene:torus:200"),
    bw.Film: lambda: bw.Film("", CUBE, [], [0.0, 1.0], [CUBE.vertices, CUBE.vertices]),
}
# What has no close(), and why: values of Python, or numbers that the library only copies.
VALUES = {
    bw.Motion: "arrays, the caller's or copies, which go with the last reference",
    bw.AnytimeModel: "numbers within the object itself",
    bw.AnytimeSettings: "numbers within the object itself",
    bw.Part: "a name, a mesh and a pose",
    bw.Clip: "names and numbers",
    bw.View: "the text of a page",
}
# Arguments by their names, for every method that needs any.
GIVEN: dict[str, Any] = {
    "a": 0, "allowed": True, "bodies": [CUBE], "body": CUBE, "box": BOX, "boxes": BOX, "b": 1, "candidates": STEP.candidates(), "centre": [0, 0, 0],
    "child": bw.Scene(), "contacts": STEP.contacts(), "direction": [0, 0, 1], "directions": [0, 0, 1], "displacement": [0, 0, 1], "distance": 1.0,
    "end": CUBE.vertices, "eye": [0, 0, 5], "forward": [0, 0, -1], "group": 1, "id": 0, "ids": 0, "mesh": CUBE, "near": 0.1, "origin": [0, 0, 0], "origins": [0, 0, 5], "path": 0,
    "plans": np.zeros((1, 4, 3)), "point": [0, 0, 0], "points": [0, 0, 0], "pose": bw.translation(0, 0, 0), "poses": bw.translation(0, 0, 0), "primitives": [0],
    "radius": 1.0, "scene": bw.Scene(), "shape": bw.Shape.sphere(1), "start": CUBE.vertices, "time": 0.5, "up": [0, 0, 1], "user": 0, "vertices": [0],
    "visitor": lambda *of: True, "what": "rays", "layers": 1, "mask": 1,
}  # fmt: skip
OTHERWISE = {
    (bw.UserTree, "update"): {"boxes": [BOX, BOX]},
    (bw.World, "insert_many"): {"bodies": [CUBE], "poses": [bw.translation(0, 0, 0)]},
    (bw.World, "sweep"): {"shape": bw.Shape.sphere(1), "start": bw.translation(0, 0, 0), "end": bw.translation(1, 0, 0)},
    (bw.World, "rays_all"): {"origin": [0, 0, 5], "direction": [0, 0, 1]},
    (bw.Scene, "query"): {"box": BOX},
    (bw.Scene, "query_many"): {"boxes": [BOX]},
    (bw.KineticMesh, "set_plans"): {"vertices": [0], "plans": np.zeros((1, 4, 3)), "origin": 0.0},
    (bw.Separation, "set_plans"): {"vertices": [0], "plans": np.zeros((1, 4, 3)), "origin": 0.0, "side": "a"},
    (bw.Film, "motions"): {"part": None},
}
SPECIAL: dict[str, Callable[[Any], Any]] = {
    "__len__": len, "__iter__": iter, "__contains__": lambda x: 0 in x, "__getitem__": lambda x: x[0], "__enter__": lambda x: x.__enter__(),
    "__reduce__": pickle.dumps,
}  # fmt: skip
# What still answers: close itself, and what needs nothing of the object.
STAYS = {"close", "__exit__", "__repr__", "__new__", "__init__"}
PLAIN = {(bw.Pool, "workers")}


def uses(kind: type) -> dict[str, Callable[[Any], Any]]:
    """Every use of an object of the class that introspection finds."""
    found: dict[str, Callable[[Any], Any]] = {}
    for name, member in [(n, m) for base in kind.__mro__[:-1] for n, m in vars(base).items()]:
        if name == "plot" and not find_spec("matplotlib"):
            continue
        if name in STAYS or (kind, name) in PLAIN or isinstance(member, (staticmethod, classmethod)) or type(member).__name__ == "classmethod_descriptor":
            continue
        if name.startswith("_"):
            if name in SPECIAL:
                found[name] = SPECIAL[name]
        elif callable(member):
            wanted = OTHERWISE.get((kind, name)) or {
                p.name: GIVEN[p.name] for p in list(inspect.signature(member).parameters.values())[1:] if p.default is p.empty
            }
            found[name] = lambda x, name=name, wanted=wanted: getattr(x, name)(**wanted)
        else:
            found[name] = lambda x, name=name: getattr(x, name)
    if kind in (bw.File, bw.Film):
        for name in vars(MAKERS[kind]()):
            found.setdefault(name, lambda x, name=name: getattr(x, name))
    return found


def test_every_class_is_here() -> None:
    results = {t for t in vars(bw).values() if inspect.isclass(t) and (issubclass(t, (Exception, int)) or "as_dict" in vars(t) or "as_columns" in vars(t))}
    classes = {t for t in vars(bw).values() if inspect.isclass(t)} - results
    assert classes - MAKERS.keys() - VALUES.keys() == set(), "neither with close() nor named"
    assert {t for t in classes if hasattr(t, "close")} == MAKERS.keys()
    assert {t for t in classes if hasattr(t, "__exit__")} == MAKERS.keys()


@pytest.mark.parametrize("kind", MAKERS, ids=lambda k: k.__name__)
def test_every_use_of_a_closed_object_is_refused(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    words = f"^this {kind.__name__} is closed$"
    thing = MAKERS[kind]()
    monkeypatch.setenv("MPLBACKEND", "Agg")
    calls = uses(kind)
    assert "__enter__" in calls and (len(calls) > 1 or kind is bw.Pool)
    for name, use in calls.items():  # they are uses, and none is refused for another reason
        try:
            use(thing)
        except ValueError as error:
            assert "closed" not in str(error), name
        except (bw.Error, KeyError):
            pass
        except (TypeError, pickle.PicklingError):
            assert name == "__reduce__", name
    thing = MAKERS[kind]()
    with thing as same:
        assert same is thing
    thing.close()
    thing.close()
    assert repr(thing) == f"{kind.__name__}(closed)" or " object at " in repr(thing)
    for name, use in calls.items():
        with pytest.raises(ValueError, match=words):
            use(thing)
            raise AssertionError(name)
    thing.__exit__(None, None, None)
    if "__reduce__" in vars(kind):
        with pytest.raises(ValueError, match=words):
            copy.copy(thing)
    del thing
    gc.collect()


def taking() -> dict[str, tuple[type, Callable[[Any], Any]]]:
    pose, point = bw.translation(0.1, 0, 0), [[0, 0, 0.0]]
    scene, of_cube = bw.Scene(), bw.Anytime(CUBE, tries=2)
    scene.insert(BOX)
    touching, near = STEP.contacts(OTHER), STEP.candidates(OTHER)
    lesson = [bw.translation(3, 0, 0)] * 20
    bodies: dict[str, Callable[[Any], Any]] = {
        "collides": lambda x: bw.collides(x, CUBE),
        "collides, second": lambda x: bw.collides(CUBE, x),
        "collide": lambda x: bw.collide(x, CUBE),
        "collide_self": bw.collide_self,
        "contacts": lambda x: bw.contacts(CUBE, x),
        "collides_many": lambda x: bw.collides_many(CUBE, x, poses_b=[pose]),
        "collides_many, list": lambda x: bw.collides_many([CUBE, x], CUBE, poses_b=[pose]),
        "collide_many": lambda x: bw.collide_many(CUBE, x, poses_b=[pose]),
        "distance_many": lambda x: bw.distance_many(CUBE, x, poses_b=[pose]),
        "distance": lambda x: bw.distance(CUBE, x),
        "within": lambda x: bw.within(CUBE, x, 1.0),
        "nearest": lambda x: bw.nearest(x, point),
        "contains": lambda x: bw.contains(x, point),
        "locate": lambda x: bw.locate(x, point),
        "signed_distance": lambda x: bw.signed_distance(x, point),
        "surface_at": lambda x: bw.surface_at(x, [0], point),
        "rays": lambda x: bw.rays(x, point, [0, 0, 1.0]),
        "rays_all": lambda x: bw.rays_all(x, [0, 0, 5], [0, 0, -1.0]),
        "region": lambda x: bw.region(x, box=BOX),
        "shape_collide": lambda x: bw.shape_collide(bw.Shape.sphere(1), x),
        "shape_distance": lambda x: bw.shape_distance(bw.Shape.sphere(1), x),
        "sweep": lambda x: bw.sweep(x, CUBE, end_b=pose),
        "sweep of a shape": lambda x: bw.sweep(bw.Shape.sphere(1), x),
        "collide_user": lambda x: bw.collide_user(x, bw.UserTree([BOX])),
        "World.insert": lambda x: bw.World().insert(x),
        "World.insert_many": lambda x: bw.World().insert_many(x, [pose]),
        "Anytime": lambda x: bw.Anytime(x, tries=2),
        "Anytime.update": lambda x: of_cube.update(x),
        "view": bw.view,
    }
    given: dict[str, tuple[type, Callable[[Any], Any]]] = {}
    for kind in (bw.Tree, bw.Mesh, bw.KineticMesh):
        for name, use in bodies.items():
            if kind is not bw.KineticMesh or name not in ("view", "Anytime", "Anytime.update"):
                given[f"{kind.__name__} in {name}"] = (kind, use)
    for kind, name, use in (
        (bw.Mesh, "Tree", lambda x: bw.Tree(x)),
        (bw.Mesh, "Tree.load", lambda x: bw.Tree.load(CUBE.tree.save(), x)),
        (bw.Mesh, "Step", lambda x: bw.Step(x, CUBE.vertices)),
        (bw.Mesh, "Motion", lambda x: bw.Motion(x, velocities=np.zeros((8, 3)))),
        (bw.Mesh, "Depth.draw", lambda x: drawn(x)),
        (bw.Mesh, "Culler", lambda x: occluded(x)),
        (bw.PairCache, "collide", lambda x: bw.collide(CUBE, CUBE, cache=x)),
        (bw.PairCache, "collide_self", lambda x: bw.collide_self(CUBE, cache=x)),
        (bw.PairCache, "contains", lambda x: bw.contains(CUBE, point, cache=x)),
        (bw.PairCache, "signed_distance", lambda x: bw.signed_distance(CUBE, point, cache=x)),
        (bw.StepCache, "near", lambda x: STEP.near(1.0, cache=x)),
        (bw.Step, "contacts", lambda x: STEP.contacts(x)),
        (bw.Step, "earliest", lambda x: STEP.earliest(x)),
        (bw.Step, "candidates", lambda x: STEP.candidates(x)),
        (bw.Step, "near", lambda x: STEP.near(1.0, x)),
        (bw.Step, "witnesses", lambda x: STEP.witnesses(touching, x)),
        (bw.Step, "candidate_vertices", lambda x: STEP.candidate_vertices(near, x)),
        (bw.Step, "safe_step", lambda x: bw.safe_step([x])),
        (bw.Step, "safe_step, couple", lambda x: bw.safe_step([(STEP, x)])),
        (bw.ViewCache, "query", lambda x: scene.query(box=BOX, cache=x)),
        (bw.ScenePaths, "query", lambda x: scene.query(box=BOX, paths=x)),
        (bw.ScenePaths, "pairs", lambda x: scene.pairs(paths=x)),
        (bw.Scene, "Culler.frame", lambda x: bw.Culler().frame(x, **SEEN)),
        (bw.Scene, "insert_scene", lambda x: bw.Scene().insert_scene(x)),
        (bw.UserTree, "collide_user", lambda x: bw.collide_user(CUBE, x)),
        (bw.Anytime, "collides_within", lambda x: bw.collides_within(x, bw.Anytime(CUBE, tries=2))),
        (bw.Anytime, "anytime_try", lambda x: bw.anytime_try(x, bw.Anytime(CUBE, tries=2), tries=2)),
        (bw.Anytime, "anytime_poses", lambda x: bw.anytime_poses(x, x, 2)),
        (bw.Anytime, "train", lambda x: bw.AnytimeModel.train([(x, x, lesson)])),
        (bw.AnytimeCache, "collides_within", lambda x: bw.collides_within(bw.Anytime(CUBE, tries=2), bw.Anytime(CUBE, tries=2), cache=x)),
        (bw.Pool, "Tree", lambda x: bw.Tree(CUBE, pool=x)),
        (bw.Pool, "Scene", lambda x: bw.Scene(pool=x)),
        (bw.Shape, "shape_contact", lambda x: bw.shape_contact(bw.Shape.sphere(1), x)),
        (bw.Shape, "shape_overlap", lambda x: bw.shape_overlap(x, x)),
        (bw.Shape, "shape_collide", lambda x: bw.shape_collide(x, CUBE)),
        (bw.Shape, "shape_distance", lambda x: bw.shape_distance(x, CUBE)),
        (bw.Shape, "shape_distance, other", lambda x: bw.shape_distance(bw.Shape.sphere(1), x)),
        (bw.Shape, "shape_rays", lambda x: bw.shape_rays(x, point, [0, 0, 1.0])),
        (bw.Shape, "sweep", lambda x: bw.sweep(CUBE, x)),
        (bw.Shape, "sweep, both", lambda x: bw.sweep(x, x)),
        (bw.Shape, "World.insert", lambda x: bw.World().insert(x)),
        (bw.Shape, "World.overlap", lambda x: bw.World().overlap(x)),
        (bw.Shape, "World.distance", lambda x: bw.World().distance(x)),
        (bw.Shape, "World.sweep", lambda x: bw.World().sweep(x, pose, pose)),
        (bw.Shape, "pickle", pickle.dumps),
    ):
        given[f"{kind.__name__} in {name}"] = (kind, use)
    return given


def drawn(mesh: bw.Mesh) -> None:
    depth = bw.Depth()
    depth.begin(**SEEN)
    depth.draw(mesh)


def occluded(mesh: bw.Mesh) -> None:
    scene = bw.Scene()
    scene.insert([[-1, -1, -1], [1, 1, 1]], users=1)
    bw.Culler({1: mesh}).frame(scene, **SEEN)


TAKING = taking()


@pytest.mark.parametrize("name", TAKING)
def test_closed_objects_are_refused_as_arguments(name: str) -> None:
    kind, use = TAKING[name]
    thing = MAKERS[kind]()
    try:
        use(thing)
    except ValueError as error:
        assert "the tree that these statistics are of" in str(error)
    thing = MAKERS[kind]()
    thing.close()
    with pytest.raises(ValueError, match=f"^this {kind.__name__} is closed$"):
        use(thing)


# ---- arguments that close what they are given to ----


class Closer:
    """A number or an array that closes an object when it is looked at."""

    def __init__(self, value: Any) -> None:
        self.value, self.thing, self.looked = value, None, False

    def look(self) -> Any:
        self.looked = True
        try:
            self.thing.close()  # type: ignore[union-attr]
        except RuntimeError as error:
            assert "in use" in str(error) or "being changed" in str(error)
        return self.value

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.look(), dtype=dtype)

    def __index__(self) -> int:
        return int(self.look())

    def __float__(self) -> float:
        return float(self.look())


ODD: dict[str, Any] = {
    "pose": bw.translation(0, 0, 0), "tolerance": 0.0, "separation": 0.0, "max_distance": 1.0, "radius": 1.0, "mask": 1, "except_id": 0, "vertices": CUBE.vertices,
    "t_max": 1.0, "origin": 0.5, "users": [1], "cells": 8, "depth": 1, "up": [0, 0, 1], "fov": 1.0, "aspect": 1.0, "far": 9.0, "ranges": [[0, 1]], "steps": 3, "level": 0,
}  # fmt: skip


def odd() -> list[tuple[type, str, str]]:
    found = []
    for kind in MAKERS:
        for name, member in vars(kind).items():
            if type(member).__name__ == "method_descriptor" and not name.startswith("_") and name != "close":
                for parameter in list(inspect.signature(member).parameters)[1:]:
                    found.append((kind, name, parameter))
    return found


def test_arguments_that_close_the_object() -> None:
    looked = 0
    for kind, name, parameter in odd():
        member = vars(kind)[name]
        wanted = dict(
            OTHERWISE.get((kind, name)) or {p.name: GIVEN[p.name] for p in list(inspect.signature(member).parameters.values())[1:] if p.default is p.empty}
        )
        value = wanted.get(parameter, ODD.get(parameter))
        if value is None or callable(value) or isinstance(value, (str, tuple(MAKERS))):
            continue
        thing = MAKERS[kind]()
        if kind is bw.Scene:
            thing.insert([BOX, BOX])
        closer = wanted[parameter] = Closer(value)
        closer.thing = thing
        try:
            getattr(thing, name)(**wanted)
        except (ValueError, TypeError, RuntimeError):
            pass
        looked += closer.looked
    assert looked > 60


# ---- memory ----


class Info(ctypes.Structure):
    _fields_ = [(n, ctypes.c_size_t) for n in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]


mallinfo2 = getattr(ctypes.CDLL(None), "mallinfo2", None)
if mallinfo2 is not None:
    mallinfo2.restype = Info


def in_use() -> int:
    """Bytes that malloc has given out."""
    if mallinfo2 is None:
        pytest.skip("this C library does not tell what malloc has given out")
    info = mallinfo2()
    return int(info.hblkhd + info.uordblks)


KNOT = bw.samples.knot(120, 24)
OPEN = bw.samples.cloth(60)
KNOT.tree, OPEN.tree  # noqa: B018
GRID = np.stack(np.meshgrid(*[np.arange(16.0)] * 3), -1).reshape(-1, 1, 3) + np.array([[0, 0, 0], [0.5, 0.5, 0.5]])
MOVING = bw.Motion(KNOT, velocities=np.ones((len(KNOT.vertices), 3)))


def used(thing: Any, use: Callable[[Any], Any]) -> Any:
    use(thing)
    return thing


def crowd() -> bw.World:
    world = bw.World()
    world.insert_many(CUBE, [bw.translation(3 * i, 0, 0) for i in range(2000)])
    world.step()
    return world


STEP_OF_KNOT = bw.Step(KNOT, KNOT.vertices)
POINTS = np.random.default_rng(1).normal(size=(3000, 3))
ROUND = POINTS / np.linalg.norm(POINTS, axis=1)[:, None]
LARGE: dict[type, Callable[[], Any]] = {
    bw.Mesh: lambda: used(bw.Mesh(KNOT.vertices, KNOT.faces), lambda m: m.tree),
    bw.Tree: lambda: bw.Tree(KNOT),
    bw.Shape: lambda: bw.Shape.hull(ROUND),
    bw.Step: lambda: bw.Step(KNOT, KNOT.vertices),
    bw.StepCache: lambda: used(bw.StepCache(margin=0.01), lambda c: STEP_OF_KNOT.near(0.01, cache=c)),
    bw.Scene: lambda: used(bw.Scene(), lambda s: s.insert(GRID)),
    bw.Depth: lambda: bw.Depth(1024, 1024),
    bw.Culler: lambda: bw.Culler(width=1024, height=1024),
    bw.KineticMesh: lambda: bw.KineticMesh(MOVING),
    bw.Separation: lambda: bw.Separation(MOVING, MOVING),
    bw.UserTree: lambda: bw.UserTree(GRID),
    bw.Anytime: lambda: bw.Anytime(KNOT, tries=2),
    bw.World: crowd,
    bw.PairCache: lambda: used(bw.PairCache(), lambda c: bw.contains(OPEN, [0, 0, 0], cache=c)),
}


@pytest.mark.once
@pytest.mark.parametrize("kind", LARGE, ids=lambda k: k.__name__)
def test_memory_is_given_back_at_once(kind: type) -> None:
    with LARGE[kind]():
        pass  # what is made once in a process
    gc.collect()
    before, kept = in_use(), []
    for _ in range(5):
        thing = LARGE[kind]()
        held = in_use() - before
        thing.close()
        kept.append(thing)
        left = in_use() - before
        gc.collect()
        assert held > 3_000 and left < 0.2 * held, (held, left)
    del thing, kept
    assert in_use() - before < 20_000


# ---- what others hold ----


def test_a_tree_stays_with_those_who_have_it() -> None:
    mesh, pose = fresh(), bw.translation(0.5, 0, 0)
    count = len(bw.collide(mesh, CUBE, pose_b=pose))
    with mesh.tree as tree:
        assert len(bw.collide(tree, CUBE, pose_b=pose)) == count
    assert len(bw.collide(mesh, CUBE, pose_b=pose)) == count  # the mesh has its tree still
    other = mesh.tree
    vertices = mesh.vertices
    mesh.close()
    assert len(bw.collide(other, CUBE, pose_b=pose)) == count and vertices.tolist() == CUBE.vertices.tolist()
    assert repr(other.mesh) == "Mesh(closed)"
    other.update(np.array(CUBE.vertices) + [0.25, 0, 0])
    assert other.mesh is not mesh and other.check() is None


def test_a_world_keeps_its_bodies() -> None:
    tree, mesh, world = bw.Tree(fresh()), fresh(), bw.World()
    ids = [world.insert(tree), world.insert(mesh, bw.translation(0.5, 0, 0))]
    count = len(world.step()[0])
    tree.close()
    mesh.close()
    world.move(ids[0], bw.translation(0.01, 0, 0))
    assert count > 0 and len(world.step()[0]) > 0 and world.check() is None
    assert repr(world.body(ids[0])) == "Tree(closed)"
    for thing in (bw.KineticMesh(MOTION), bw.Shape.hull(CUBE.vertices)):
        many = world.insert_many([thing, thing], [bw.translation(9, 0, 0), bw.translation(9.5, 0, 0)])
        for one in many:
            with pytest.raises(RuntimeError, match=f"this {type(thing).__name__} is a body of a World: remove it there first"):
                thing.close()
            assert len(world.step()[0]) > 0
            world.remove(one)
        thing.close()
    kept, again = bw.KineticMesh(MOTION), bw.World()
    for owner in (world, again):
        owner.insert(kept)
    world.close()
    with pytest.raises(RuntimeError, match="a body of a World"):
        kept.close()
    del again, owner
    kept.close()


def test_a_world_knows_a_closed_tree_that_had_other_arrays() -> None:
    tree, world = bw.Tree(fresh()), bw.World()
    world.insert(tree)
    world.step()
    tree.update(np.array(CUBE.vertices) * 2)
    tree.close()
    with pytest.raises(ValueError, match="its tree was given other arrays"):
        world.step()


def test_what_is_measured_of_a_tree_keeps_it() -> None:
    mesh = fresh()
    tree = bw.Tree(mesh)
    statistics = bw.Anytime(tree, tries=2)
    step, moving = bw.Step(mesh, mesh.vertices), bw.KineticMesh(bw.Motion(mesh, velocities=np.zeros((8, 3))))
    culler, scene = bw.Culler({1: mesh}), bw.Scene()
    scene.insert([[-1, -1, -1], [1, 1, 1]], users=1)
    culler.frame(scene, **SEEN)
    tree.close()
    mesh.close()
    del tree, mesh
    gc.collect()
    assert bw.collides_within(statistics, statistics)[0].collision and statistics.check() is None
    assert step.check() is None and moving.check() is None and bw.collides(moving, CUBE)
    step.update(CUBE.vertices, CUBE.vertices)
    with pytest.raises(ValueError, match="this Mesh is closed"):
        culler.frame(scene, **SEEN)
    culler.reset()


def test_scenes_in_scenes() -> None:
    child, parent, above = bw.Scene(), bw.Scene(), bw.Scene()
    child.insert(BOX)
    ids = [parent.insert_scene(child), parent.insert_scene(child)]
    above.insert_scene(parent)
    for scene in (child, parent):
        with pytest.raises(RuntimeError, match="this Scene is in another Scene: remove it there first"):
            scene.close()
    paths = bw.ScenePaths()
    found = above.query(box=BOX, paths=paths)
    assert len(found) == 2
    above.close()
    with pytest.raises(ValueError, match="this Scene is closed"):
        paths.get(int(found.path[0]))
    paths.reset()
    parent.remove(ids[0])
    with pytest.raises(RuntimeError, match="in another Scene"):
        child.close()
    child.insert([[5, 5, 5], [6, 6, 6]])
    parent.close()
    assert len(child) == 2 and child.check() is None
    again = bw.Scene()
    again.insert_scene(child)
    assert len(again.query(box=BOX)) == 1 and again.check() is None
    del again
    child.close()


def test_closing_within_a_call_is_refused() -> None:
    said: list[str] = []

    def close(thing: Any) -> bool:
        with pytest.raises(RuntimeError) as error:
            thing.close()
        said.append(str(error.value))
        return True

    mesh, user, world, scene, shape = fresh(), bw.UserTree([BOX]), bw.World(), bw.Scene(), bw.Shape.hull(CUBE.vertices)
    tree, parent, pool = mesh.tree, bw.Scene(), bw.Pool(2)
    scene.insert(BOX)
    parent.insert_scene(scene)
    tree.visit(lambda *of: close(tree) and close(mesh))
    assert set(said) == {"this Tree is in use: it cannot be changed now"}
    bw.collide_user(user, user, test=lambda a, b: close(user))
    scene.visit(lambda *of: close(parent))  # which would tell the scene that it goes
    world.insert(CUBE)
    world.insert(shape)
    world.overlap(shape, may_meet=lambda *of: close(shape))
    world.step(may_meet=lambda *of: close(world))
    bw.collides_many(mesh, CUBE, poses_b=[bw.translation(0, 0, 0)] * 3, progress=lambda *of: close(mesh))
    bw.collide(mesh, CUBE, visit=lambda *of: close(tree), pool=pool)
    assert len(set(said)) > 4 and all("in use" in s or "being changed" in s for s in said)
    for thing in (tree, mesh, user, parent, scene, world, shape, pool):
        thing.close()


@pytest.mark.once
def test_threads() -> None:
    """Others query while one closes: each call has its answer or a refusal, and a closed object stays closed."""
    poses = np.array([bw.rotation((1, 2, 3), 0.1 * i, (0.3, 0, 0)) for i in range(50)])
    knot = bw.samples.knot(40, 8)
    wanted = bw.collides_many(knot, knot, poses_b=poses).tolist()

    def scene_of() -> bw.Scene:
        scene = bw.Scene()
        scene.insert(GRID)
        return scene

    def world_of() -> bw.World:
        world = bw.World()
        world.insert_many(knot, poses)
        return world

    rounds: list[tuple[Callable[[], Any], Callable[[Any], Any], Any]] = [
        (lambda: bw.Tree(knot), lambda x: bw.collides_many(x, knot, poses_b=poses).tolist(), wanted),
        (lambda: bw.Mesh(knot.vertices, knot.faces), lambda x: bw.collides_many(x, knot, poses_b=poses).tolist(), wanted),
        (scene_of, lambda x: len(x.query(box=[[0, 0, 0], [99, 99, 99]])), len(GRID)),
        (world_of, lambda x: len(x.overlap(bw.Shape.sphere(9))), len(poses)),
        (lambda: bw.Shape.hull(ROUND), lambda x: bw.shape_overlap(x, x), bw.Kind.CROSSING),
        (lambda: bw.Step(knot, knot.vertices), lambda x: len(x.candidates()) > 0, True),
    ]
    for make, use, answer in rounds:
        use(make())
        for _ in range(6):
            thing, wrong, refused = make(), [], []

            def work(thing: Any = thing, use: Any = use, answer: Any = answer, wrong: list[Any] = wrong, refused: list[str] = refused) -> None:
                for call in itertools.count():
                    time.sleep(0 if call < 10 else 0.003)  # so that the other comes to its turn
                    try:
                        got = use(thing)
                        if got != answer:
                            wrong.append(got)
                            return
                    except ValueError as error:
                        refused.append(str(error))
                        return

            threads = [threading.Thread(target=work) for _ in range(3)]
            for thread in threads:
                thread.start()
            while True:
                try:
                    thing.close()
                    break
                except RuntimeError as error:
                    assert "in use" in str(error)
                    time.sleep(0)
            for thread in threads:
                thread.join()
            assert not wrong and set(refused) == {f"this {type(thing).__name__} is closed"}


def test_files_let_go() -> None:
    with bw.read("scene:torus:200") as file:
        mesh, parts = file[0].mesh, file.parts
    assert len(parts) == 1 and bw.collides(mesh, mesh)
    with pytest.raises(AttributeError):
        bw.read("scene:torus:200").nothing  # type: ignore[attr-defined]
    with bw.Film("", CUBE, [], [0.0, 1.0], [CUBE.vertices, CUBE.vertices]) as film:
        motion = film.motions()[0]
    assert motion.span == (0, 1) and repr(film) == "Film(closed)" and not hasattr(film, "__wrapped__")
    assert repr(copy.copy(film)) == "Film(closed)"


def test_an_error_within_a_block_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        with bw.Tree(CUBE) as tree:
            1 / 0  # noqa: B018
    assert repr(tree) == "Tree(closed)"
