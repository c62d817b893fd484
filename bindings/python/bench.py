"""boxwood beside what people use from Python, in one run: process CPU time of one thread, medians of several, ratios.

    python bindings/python/bench.py [--sizes 20k,200k] [--json FILE] [NAMES...]

Peers that are not installed are left out and said to be. Answers are compared where both give the same.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

# The installed package, not the sources beside this file, which have no compiled part.
sys.path[:] = [p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))]
for variable in ("OMP_NUM_THREADS", "TBB_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np

import boxwood as bw

results: list[dict[str, Any]] = []


def peer(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        print(f"  ({name} is not installed)")
    except ImportError as error:
        print(f"  ({name} cannot be imported: {error})")
    return None


def measure(*calls: Callable[[], object], rounds: int = 7, least: float = 0.02) -> list[float]:
    """Seconds of CPU time of one call each, medians over rounds in which the calls take turns."""
    counts, times = [], [[] for _ in calls]  # type: ignore[var-annotated]
    for call in calls:
        call()
        start = time.process_time()
        call()
        counts.append(max(1, int(least / max(time.process_time() - start, 1e-7))))
    for _ in range(rounds):
        for call, count, kept in zip(calls, counts, times):
            start = time.process_time()
            for _ in range(count):
                call()
            kept.append((time.process_time() - start) / count)
    return [statistics.median(t) for t in times]


def tell(what: str, ours: float, theirs: float, name: str, note: str = "") -> None:
    print(f"  {what:44} {ours * 1e3:10.5f} ms   {name:12} {theirs * 1e3:10.5f} ms   {theirs / ours:8.1f} x  {note}", flush=True)
    results.append({"what": what, "ours_ms": ours * 1e3, "peer": name, "peer_ms": theirs * 1e3, "ratio": theirs / ours, "note": note})


def knot(along: int, around: int) -> tuple[np.ndarray, np.ndarray]:
    mesh = bw.samples.knot(along, around)
    v = np.array(mesh.vertices)
    u = np.repeat(np.arange(along) / along, around)
    return v * (1 + 0.02 * np.sin(40 * u * np.pi))[:, None], np.array(mesh.faces)


def poses(rng: np.random.Generator, count: int, low: float, high: float) -> np.ndarray:
    out = []
    for _ in range(count):
        d = rng.normal(size=3)
        d *= rng.uniform(low, high) / np.linalg.norm(d)
        out.append(bw.rotation(tuple(rng.normal(size=3)), rng.uniform(0, 6.28), tuple(d)))
    return np.array(out)


SIZES = {"20k": (200, 50), "200k": (1000, 100)}


def fcl_model(fcl: Any, v: np.ndarray, f: np.ndarray) -> Any:
    model = fcl.BVHModel()
    model.beginModel(len(v), len(f))
    model.addSubModel(v, f.astype(np.int64))
    model.endModel()
    return model


def pairs(size: str) -> None:
    """any, all, distance, build"""
    print(f"two knots of {size} triangles, float64")
    v, f = knot(*SIZES[size])
    rng = np.random.default_rng(1)
    near, far = poses(rng, 100, 1.2, 2.8), poses(rng, 10, 3.6, 5.0)
    v32 = v.astype(np.float32)
    b64, b32 = measure(lambda: bw.Tree(bw.Mesh(v, f)), lambda: bw.Tree(bw.Mesh(v32, f)), rounds=5)
    tell("build, float32 (peer: float64)", b32, b64, "boxwood")
    a, b = bw.Tree(bw.Mesh(v, f)), bw.Tree(bw.Mesh(v, f))
    a_near, b_near = bw.Tree(bw.Mesh(v, f)), bw.Tree(bw.Mesh(v, f))
    a_near.prepare("distances")
    b_near.prepare("distances")
    flags = bw.collides_many(a, b, poses_b=near)
    fcl = peer("fcl")
    if fcl:
        ours, theirs = measure(lambda: bw.Tree(bw.Mesh(v, f)), lambda: fcl_model(fcl, v, f), rounds=3)
        tell("build", ours, theirs, "python-fcl")
        ma, mb = fcl_model(fcl, v, f), fcl_model(fcl, v, f)
        oa = fcl.CollisionObject(ma, fcl.Transform())
        at = [fcl.CollisionObject(mb, fcl.Transform(p[:3, :3], p[:3, 3])) for p in near]
        away = [fcl.CollisionObject(mb, fcl.Transform(p[:3, :3], p[:3, 3])) for p in far]

        def fcl_any() -> list[bool]:
            return [fcl.collide(oa, o, fcl.CollisionRequest(), fcl.CollisionResult()) > 0 for o in at]

        agree = f"same answers {int((np.array(fcl_any()) == flags).sum())} of {len(flags)}"
        batch, single, theirs = measure(
            lambda: bw.collides_many(a, b, poses_b=near), lambda: [bw.collides(a, b, None, p) for p in near], fcl_any, rounds=5
        )
        tell("any, 100 poses in one call", batch, theirs, "python-fcl", agree)
        tell("any, 100 poses one by one", single, theirs, "python-fcl")
        ask = fcl.CollisionRequest(num_max_contacts=1 << 22, enable_contact=True)

        def fcl_all() -> list[int]:
            return [fcl.collide(oa, o, ask, fcl.CollisionResult()) for o in at[:10]]

        ours_all = [len(bw.collide(a, b, None, p)) for p in near[:10]]
        ours, theirs = measure(lambda: [bw.collide(a, b, None, p) for p in near[:10]], fcl_all, rounds=3)
        tell("all pairs, 10 poses", ours, theirs, "python-fcl", f"contacts {sum(ours_all)} and {sum(fcl_all())}")

        def fcl_distance() -> list[float]:
            return [fcl.distance(oa, o, fcl.DistanceRequest(), fcl.DistanceResult()) for o in away]

        ours_d = [bw.distance(a, b, None, p).distance for p in far]
        plain, prepared, theirs = measure(
            lambda: [bw.distance(a, b, None, p) for p in far],
            lambda: [bw.distance(a_near, b_near, None, p) for p in far],
            fcl_distance,
            rounds=3,
        )
        worst = float(np.abs(np.array(fcl_distance()) - ours_d).max())
        tell("distance, 10 poses", plain, theirs, "python-fcl", f"largest difference {worst:.1e}")
        tell("distance, 10 poses, prepared trees", prepared, theirs, "python-fcl")
    coal = peer("coal")
    if coal:

        def model() -> Any:
            m = coal.BVHModelOBBRSS()
            m.beginModel(len(f), len(v))
            m.addVertices(v)
            m.addTriangles(f.astype(np.int64))
            m.endModel()
            return m

        try:
            ca, cb, here = model(), model(), coal.Transform3s.Identity()
            there = [coal.Transform3s(p[:3, :3], p[:3, 3]) for p in near]

            def coal_any() -> list[bool]:
                return [bool(coal.collide(ca, here, cb, t, coal.CollisionRequest(), coal.CollisionResult())) for t in there]

            agree = f"same answers {int((np.array(coal_any()) == flags).sum())} of {len(flags)}"
            ours, theirs = measure(lambda: bw.collides_many(a, b, poses_b=near), coal_any, rounds=5)
            tell("any, 100 poses in one call", ours, theirs, "coal", agree)
            apart = [coal.Transform3s(p[:3, :3], p[:3, 3]) for p in far]
            ours, theirs = measure(
                lambda: bw.distance_many(a, b, poses_b=far),
                lambda: [coal.distance(ca, here, cb, t, coal.DistanceRequest(), coal.DistanceResult()) for t in apart],
                rounds=3,
            )
            tell("distance, 10 poses", ours, theirs, "coal")
        except Exception as error:  # its interface differs between versions
            print(f"  (coal: {error})")
    trimesh = peer("trimesh")
    if trimesh and fcl:
        from boxwood.trimesh import CollisionManager

        mesh = trimesh.Trimesh(v, f.astype(np.int64), process=False)
        both = []
        for cls in (CollisionManager, trimesh.collision.CollisionManager):
            manager = cls()
            manager.add_object("a", mesh)
            manager.add_object("b", mesh, near[0])

            def run(manager: Any = manager) -> list[bool]:
                out = []
                for p in near[:20]:
                    manager.set_transform("b", p)
                    out.append(bool(manager.in_collision_internal()))
                return out

            both.append(run)
        ours, theirs = measure(*both, rounds=3)
        tell("CollisionManager, 20 moves and queries", ours, theirs, "trimesh", f"same answers {both[0]() == both[1]()}")


def rays(size: str) -> None:
    """rays and nearest points"""
    print(f"rays at a knot of {size} triangles")
    v, f = knot(*SIZES[size])
    rng = np.random.default_rng(2)
    count = 100_000
    o = rng.normal(size=(count, 3))
    o *= 4 / np.linalg.norm(o, axis=1)[:, None]
    d = rng.uniform(-1, 1, (count, 3)) - o
    d /= np.linalg.norm(d, axis=1)[:, None]
    o32, d32 = o.astype(np.float32), d.astype(np.float32)
    tree = bw.Tree(bw.Mesh(v.astype(np.float32), f))
    tree.prepare("rays")
    tree.prepare("distances")
    o64, d64 = o32.astype(np.float64), d32.astype(np.float64)
    mine = bw.rays(tree, o64, d64)
    if peer("embreex"):
        from embreex import rtcore_scene
        from embreex.mesh_construction import TriangleMesh

        scene = rtcore_scene.EmbreeScene(robust=False)
        TriangleMesh(scene, vertices=v.astype(np.float32), indices=f.astype(np.int32))
        hit = scene.run(o32, d32)
        note = f"other hits {int((hit != mine.primitive).sum())} of {count}"
        ours, theirs = measure(lambda: bw.rays(tree, o64, d64), lambda: scene.run(o32, d32), rounds=5)
        tell("100,000 rays, nearest, in one call", ours, theirs, "embreex", note)
        ours, theirs = measure(lambda: bw.rays(tree, o64, d64, mode="any"), lambda: scene.run(o32, d32, query="OCCLUDED"), rounds=5)
        tell("100,000 rays, any, in one call", ours, theirs, "embreex")
    points = rng.uniform(-1.5, 1.5, (10_000, 3))
    o3d = peer("open3d")
    if o3d:
        scene3 = o3d.t.geometry.RaycastingScene(nthreads=1)
        scene3.add_triangles(o3d.core.Tensor(v.astype(np.float32)), o3d.core.Tensor(f.astype(np.uint32)))
        packed = o3d.core.Tensor(np.concatenate([o32, d32], 1))
        there = o3d.core.Tensor(points.astype(np.float32))
        ours, theirs = measure(lambda: bw.rays(tree, o64, d64), lambda: scene3.cast_rays(packed, nthreads=1), rounds=3)
        tell("100,000 rays, nearest, in one call", ours, theirs, "open3d")
        ours, theirs = measure(lambda: bw.nearest(tree, points), lambda: scene3.compute_closest_points(there, nthreads=1), rounds=3)
        tell("10,000 nearest points", ours, theirs, "open3d")
    trimesh = peer("trimesh")
    if trimesh and peer("rtree") and size == "20k":
        from boxwood.trimesh import closest_point

        mesh = trimesh.Trimesh(v, f.astype(np.int64), process=False)
        ours, theirs = measure(lambda: closest_point(mesh, points[:500]), lambda: trimesh.proximity.closest_point(mesh, points[:500]), rounds=3)
        tell("500 nearest points", ours, theirs, "trimesh")


def steps(size: str) -> None:
    """continuous collision"""
    if size != "20k":
        return
    print("continuous collision: single queries, and steps of a cloth of 20,000 triangles")
    ipctk = peer("ipctk")
    if not ipctk:
        return
    if hasattr(ipctk, "set_num_threads"):
        ipctk.set_num_threads(1)
    rng = np.random.default_rng(3)
    count = 2000
    start, end = rng.normal(size=(count, 4, 3)), rng.normal(size=(count, 4, 3))
    ccd = ipctk.TightInclusionCCD()
    for name, ours_f, theirs_f in (
        ("vertex and face", bw.ccd_vertex_face, ccd.point_triangle_ccd),
        ("edge and edge", bw.ccd_edge_edge, ccd.edge_edge_ccd),
    ):

        def theirs_all(f: Any = theirs_f) -> list[Any]:
            return [f(*s, *e) for s, e in zip(start, end)]

        hits = np.array([t[0] for t in theirs_all()])
        mine = ours_f(start, end)
        found = mine.answer != 0
        note = f"contacts {int(found.sum())} and {int(hits.sum())}, that only ipctk has: {int((hits & ~found).sum())}"
        batch, single, theirs = measure(
            lambda f=ours_f: f(start, end), lambda f=ours_f: [f(s, e) for s, e in zip(start, end)], theirs_all, rounds=3
        )
        tell(f"{name}, 2,000 in one call", batch, theirs, "ipctk", note)
        tell(f"{name}, 2,000 one by one", single, theirs, "ipctk")
    cloth = bw.samples.cloth(100)
    v0, f = np.array(cloth.vertices), np.array(cloth.faces)
    v0[:, 2] = 0.05 * np.sin(25 * v0[:, 0]) * np.cos(19 * v0[:, 1])
    v1 = v0.copy()
    v1[:, 0] *= 0.2
    v1 += rng.normal(size=v1.shape) * 1e-3
    edges = ipctk.edges(f.astype(np.int32))
    mesh = ipctk.CollisionMesh(v0, edges, f.astype(np.int32))
    step = bw.Step(bw.Mesh(v0, f), v1)

    def ours_step() -> float:
        step.update(v0, v1)
        return bw.safe_step([step]).step

    def ours_cold() -> float:
        return bw.safe_step([bw.Step(bw.Mesh(v0, f), v1)]).step

    def theirs_step() -> float:
        return float(ipctk.compute_collision_free_stepsize(mesh, v0, v1))

    note = f"step {ours_step():.6f} and {theirs_step():.6f}"
    warm, cold, theirs = measure(ours_step, ours_cold, theirs_step, rounds=3)
    tell("safe step of a cloth with itself, updated", warm, theirs, "ipctk", note)
    tell("safe step of a cloth with itself, new", cold, theirs, "ipctk")


def query_loop() -> Any:
    """bindings/python/query_loop.c, compiled against the library that BOXWOOD_LIBRARY names; None without."""
    library, here = os.environ.get("BOXWOOD_LIBRARY", ""), os.path.dirname(os.path.abspath(__file__))
    if not library:
        print("  (no loop of C to subtract: BOXWOOD_LIBRARY does not name libboxwood.so; ./dev python --bench does)")
        return None
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "query_loop.so")
        include = os.path.join(here, "..", "..", "include")
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-I", include, os.path.join(here, "query_loop.c"), library, "-o", made], check=True)
        ctypes.CDLL(library)
        loop = ctypes.CDLL(made).collide_loop
    loop.restype = ctypes.c_uint64
    return loop


def calls(size: str) -> None:
    """what a call, and a pose of a batch, costs beyond its query

    The query is the same one in a loop of C (query_loop.c). python-fcl has no such loop: what it costs beside its query is taken to
    be a call for two spheres that are apart, which goes through the same wrapper and decides by one comparison. Its request is made
    once, its result and transform for each call, as its users must."""
    if size != "20k":
        return
    print("the cost of a call: two tetrahedra that are apart, a pose for each")
    v = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    f = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]], dtype=np.uint32)
    a, b = bw.Tree(bw.Mesh(v, f)), bw.Tree(bw.Mesh(v, f))
    count = 10_000
    many = poses(np.random.default_rng(5), count, 5, 6)
    singles = list(many[:1000])
    fcl = peer("fcl")
    if not fcl:
        return
    request = fcl.CollisionRequest()

    def theirs(a: Any, b: Any) -> Callable[[], int]:
        oa, ob = fcl.CollisionObject(a, fcl.Transform()), fcl.CollisionObject(b, fcl.Transform())

        def run() -> int:
            found = 0
            for p in singles:
                ob.setTransform(fcl.Transform(p[:3, :3], p[:3, 3]))
                found += fcl.collide(oa, ob, request, fcl.CollisionResult()) > 0
            return found

        return run

    model, ball = fcl_model(fcl, v, f), fcl.Sphere(1.0)
    loop = query_loop()

    def bare() -> int:
        return int(loop(v.ctypes.data_as(ctypes.c_void_p), len(v), f.ctypes.data_as(ctypes.c_void_p), len(f), many.ctypes.data_as(ctypes.c_void_p), count, 1))

    todo: list[Callable[[], object]] = [
        lambda: [bw.collides(a, b, None, p) for p in singles],
        lambda: bw.collides_many(a, b, poses_b=many),
        theirs(model, model),
        theirs(ball, ball),
    ]
    if loop:
        assert bare() == bw.collides_many(a, b, poses_b=many).sum() == 0
        todo.append(bare)
    single, batch, other, wrapper, *query = measure(*todo, rounds=15)
    single, other, wrapper, batch = single / 1000, other / 1000, wrapper / 1000, batch / count
    tell("a call, the query included", single, other, "python-fcl")
    tell("a pose of a batch, the query included", batch, other, "python-fcl")
    if query:
        own = query[0] / count
        print(f"  the query itself, in a loop of C: {own * 1e9:.0f} ns")
        tell("a call beyond its query", single - own, wrapper, "python-fcl", "a sixth: 6")
        tell("a pose of a batch beyond its query", max(batch - own, 1e-9), wrapper, "python-fcl", "a fiftieth: 50")


def scenes(size: str) -> None:
    """boxes"""
    if size != "20k":
        return
    print("20,000 boxes")
    rtree = peer("rtree")
    if not rtree:
        return
    rng = np.random.default_rng(4)
    low = rng.uniform(0, 100, (20_000, 3))
    boxes = np.stack([low, low + rng.uniform(0.1, 2, low.shape)], 1).astype(np.float32).astype(np.float64)
    flat = boxes.reshape(-1, 6)

    def ours_build() -> bw.Scene:
        scene = bw.Scene()
        scene.insert(boxes)
        return scene

    def theirs_build() -> Any:
        return rtree.index.Index(((i, tuple(b), None) for i, b in enumerate(flat)), properties=rtree.index.Property(dimension=3))

    ours, theirs = measure(ours_build, theirs_build, rounds=3)
    tell("build", ours, theirs, "rtree")
    scene, index = ours_build(), theirs_build()
    asked = boxes[:500]
    ours, theirs = measure(lambda: [len(scene.query(box=b)) for b in asked], lambda: [len(list(index.intersection(tuple(b.ravel())))) for b in asked], rounds=3)
    same = [len(scene.query(box=b)) for b in asked] == [len(list(index.intersection(tuple(b.ravel())))) for b in asked]
    tell("500 box queries", ours, theirs, "rtree", f"same counts {same}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="20k,200k")
    parser.add_argument("--json", help="write the results there, too")
    parser.add_argument("names", nargs="*", help="pairs, rays, steps, calls, scenes; all without")
    options = parser.parse_args()
    benches = {"calls": calls, "pairs": pairs, "rays": rays, "steps": steps, "scenes": scenes}
    for name in options.names:
        if name not in benches:
            parser.error(f"no bench {name}: there are {', '.join(benches)}")
    print(f"boxwood {bw.__version__}, Python {sys.version.split()[0]}; CPU time of one thread, medians; ratio: how many times as fast")
    for size in options.sizes.split(","):
        for name, bench in benches.items():
            if not options.names or name in options.names:
                bench(size)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
