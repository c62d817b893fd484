"""boxwood.trimesh beside trimesh's own, which asks python-fcl and rtree."""

from __future__ import annotations

import doctest
import inspect

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")
pytest.importorskip("fcl")
pytest.importorskip("rtree")
pytest.importorskip("scipy")

import boxwood.trimesh as ours  # noqa: E402

MESHES = {
    "box": lambda: trimesh.creation.box([1, 1.3, 0.7]),
    "ball": lambda: trimesh.creation.icosphere(2, 0.6),
    "ring": lambda: trimesh.creation.torus(1.0, 0.3, 24, 12),
    "pipe": lambda: trimesh.creation.annulus(0.4, 0.6, 2.0),
}


def managers(rng: np.random.Generator, names: str, spread: float):  # type: ignore[no-untyped-def]
    pair = (ours.CollisionManager(), trimesh.collision.CollisionManager())
    for i, name in enumerate(names.split()):
        mesh = MESHES[name]()
        pose = trimesh.transformations.random_rotation_matrix(rng.random(3)) if hasattr(rng, "random") else np.eye(4)
        pose[:3, 3] = rng.normal(size=3) * spread
        for manager in pair:
            manager.add_object(f"{name}{i}", mesh, pose.astype(np.float32).astype(np.float64))
    return pair


NAMES = "box ball ring pipe ring box ball pipe ring"


def test_collisions_beside_trimesh(rng: np.random.Generator) -> None:
    seen = set()
    for trial in range(12):
        mine, theirs = managers(rng, NAMES, 0.6 + 0.4 * trial)
        other_mine, other_theirs = managers(rng, "ring box", 1.5)
        for method, args in (("in_collision_internal", ()), ("in_collision_other", (None,))):
            got = getattr(mine, method)(*(other_mine for _ in args), return_names=True)
            want = getattr(theirs, method)(*(other_theirs for _ in args), return_names=True)
            assert got == want, (trial, method)
            seen.add((method, got[0]))
            assert getattr(mine, method)(*(other_mine for _ in args)) == want[0]
        mesh, pose = MESHES["ring"](), trimesh.transformations.translation_matrix(rng.normal(size=3))
        assert mine.in_collision_single(mesh, pose, return_names=True) == theirs.in_collision_single(mesh, pose, return_names=True)
    assert ("in_collision_internal", True) in seen


def test_distances_beside_trimesh(rng: np.random.Generator) -> None:
    compared = 0
    for trial in range(8):
        mine, theirs = managers(rng, NAMES, 6.0)
        if theirs.in_collision_internal():
            continue
        compared += 1
        got, want = mine.min_distance_internal(return_names=True, return_data=True), theirs.min_distance_internal(return_names=True)
        assert got[0] == pytest.approx(want[0], abs=1e-5) and got[1] == want[1]
        data = got[2]
        a, b = (data.point(n) for n in sorted(data.names))
        assert np.linalg.norm(a - b) == pytest.approx(data.distance, abs=1e-9)
        one = MESHES["ball"]()
        pose = trimesh.transformations.translation_matrix([20, 0, 0])
        got, want = mine.min_distance_single(one, pose, return_name=True), theirs.min_distance_single(one, pose, return_name=True)
        assert got[0] == pytest.approx(want[0], abs=1e-4) and got[1] == want[1]
        name = next(iter(data.names))
        assert mine.min_distance_internal(name) == pytest.approx(theirs.min_distance_internal(name), abs=1e-5)
    assert compared > 0


def test_solids_contain_and_overlap() -> None:
    big, small, hollow = trimesh.creation.box([4, 4, 4]), trimesh.creation.box(), trimesh.creation.torus(3.0, 1.0)
    for cls in (ours.CollisionManager, trimesh.collision.CollisionManager):
        manager = cls()
        manager.add_object("big", big)
        manager.add_object("small", small)
        assert manager.in_collision_internal(), "a convex mesh is solid"
        manager.remove_object("big")
        inside = trimesh.transformations.translation_matrix([3, 0, 0])
        assert not manager.in_collision_single(hollow, inside), "others are surfaces"
        with pytest.raises(ValueError):
            manager.remove_object("big")
        with pytest.raises(ValueError):
            manager.set_transform("big", np.eye(4))
    mine, theirs = ours.CollisionManager(), trimesh.collision.CollisionManager()
    for manager in (mine, theirs):
        manager.add_object("a", small)
        manager.add_object("b", small, trimesh.transformations.translation_matrix([0.9, 0.1, 0]))
    assert mine.min_distance_internal() == pytest.approx(theirs.min_distance_internal(), abs=1e-4) == pytest.approx(-0.1, abs=1e-4)
    collided, names, data = mine.in_collision_internal(return_names=True, return_data=True)
    assert collided and names == {("a", "b")} and data
    for contact in data:
        assert contact.names == {"a", "b"} and np.linalg.norm(contact.normal) == pytest.approx(1) and contact.depth >= 0
        for name, shift in (("a", 0.0), ("b", 0.9)):
            corners = small.triangles[contact.index(name)] + [shift, 0.1 if shift else 0.0, 0]
            low, high = corners.min(0) - 1e-9, corners.max(0) + 1e-9
            assert np.all(contact.point >= low) and np.all(contact.point <= high)


def test_rays_and_points_beside_trimesh(rng: np.random.Generator) -> None:
    mesh = MESHES["ring"]()
    o, d = rng.normal(size=(300, 3)) * 2, rng.normal(size=(300, 3))
    reference = trimesh.ray.ray_triangle.RayMeshIntersector(mesh)
    mine = ours.RayMeshIntersector(mesh)
    assert np.array_equal(mine.intersects_first(o, d), reference.intersects_first(o, d))
    assert np.array_equal(mine.intersects_any(o, d), reference.intersects_any(o, d))
    a, b = mine.intersects_location(o, d), reference.intersects_location(o, d)
    assert sorted(zip(a[1].tolist(), a[2].tolist())) == sorted(zip(b[1].tolist(), b[2].tolist()))
    points = rng.normal(size=(200, 3))
    near, want = ours.closest_point(mesh, points), trimesh.proximity.closest_point(mesh, points)
    assert np.allclose(near[0], want[0]) and np.allclose(near[1], want[1])
    assert np.allclose(ours.signed_distance(mesh, points), trimesh.proximity.signed_distance(mesh, points))
    assert np.allclose(ours.ProximityQuery(mesh).vertex(points)[0], trimesh.proximity.ProximityQuery(mesh).vertex(points)[0])
    assert np.array_equal(mine.contains_points(points), mesh.contains(points))
    tree = ours.tree_of(mesh)
    mesh.vertices += 1.0
    assert ours.tree_of(mesh) is not tree, "the tree follows the mesh"


def test_examples_of_docstrings() -> None:
    for name in ["", *ours.__all__]:
        thing = getattr(ours, name) if name else ours
        if not inspect.getdoc(thing):
            raise AssertionError(name)
        tests = doctest.DocTestParser().get_doctest(inspect.getdoc(thing) or "", {}, name, None, None)
        runner = doctest.DocTestRunner()
        runner.run(tests)
        assert runner.failures == 0, name
