"""close() and `with`: memory comes back at once, every use afterwards is refused, and what others hold stays as it is."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import threading
from collections.abc import Callable
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
    bw.Film: lambda: bw.read("scene:tablecloth:400").play(),
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
def test_every_use_of_a_closed_object_is_refused(kind: type) -> None:
    words = f"^this {kind.__name__} is closed$"
    thing = MAKERS[kind]()
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
            print(name)
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
        (bw.ViewCache, "query", lambda x: scene.query(cache=x, **SEEN) if "eye" in inspect.signature(scene.query).parameters else scene.query(box=BOX, cache=x)),
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
