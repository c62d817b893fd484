"""For programs written for trimesh: its CollisionManager, ray and proximity queries, answered by boxwood.

``from boxwood.trimesh import CollisionManager`` instead of ``from trimesh.collision import CollisionManager`` is the only change; likewise
``RayMeshIntersector``, ``ProximityQuery``, ``closest_point`` and ``signed_distance``. python-fcl, rtree and embreex are not needed.

As there, convex meshes are solid: what is wholly inside one collides with it. Unlike there, transforms are not rounded to float32, contacts are
all pairs of triangles that touch or cross, and the distance of bodies that overlap is minus the depth by which they do.

>>> import trimesh
>>> from boxwood.trimesh import CollisionManager
>>> manager = CollisionManager()
>>> box = manager.add_object("box", trimesh.creation.box())
>>> ball = manager.add_object("ball", trimesh.creation.icosphere(), trimesh.transformations.translation_matrix([1.2, 0, 0]))
>>> manager.in_collision_internal(return_names=True)
(True, {('ball', 'box')})
"""

# trimesh comes without complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false, reportPrivateUsage=false
# pyright: reportMissingTypeStubs=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boxwood import _core as bw
from boxwood._enums import Containment, Side

__all__ = [
    "CollisionManager",
    "ContactData",
    "DistanceData",
    "ProximityQuery",
    "RayMeshIntersector",
    "closest_point",
    "scene_to_collision",
    "signed_distance",
    "tree_of",
]


def tree_of(mesh: Any) -> bw.Tree:
    """The tree of a trimesh.Trimesh, kept in its cache until its vertices or faces change.

    >>> import trimesh
    >>> from boxwood.trimesh import tree_of
    >>> box = trimesh.creation.box()
    >>> tree_of(box) is tree_of(box)
    True
    """
    tree = mesh._cache["boxwood_tree"]
    if tree is None:
        tree = bw.Tree(bw.Mesh(np.array(mesh.vertices), np.array(mesh.faces)))
        mesh._cache["boxwood_tree"] = tree
    return tree  # type: ignore[no-any-return]


class ContactData:
    """A contact of two objects: their names, and ``index(name)`` of the face, ``point``, ``normal`` and ``depth``."""

    def __init__(self, names: tuple[str, str], faces: tuple[int, int], point: Any, normal: Any, depth: float) -> None:
        self.names = set(names)
        self._faces = dict(zip(names, faces))
        self._point, self._normal, self._depth = point, normal, depth

    def index(self, name: str) -> int:
        """The face of an object that is in contact."""
        return self._faces[name]

    @property
    def point(self) -> NDArray[np.float64]:
        """Where, in world coordinates."""
        return self._point  # type: ignore[no-any-return]

    @property
    def normal(self) -> NDArray[np.float64]:
        """Unit, from the first object towards the second."""
        return self._normal  # type: ignore[no-any-return]

    @property
    def depth(self) -> float:
        """How deep the two faces are in each other."""
        return self._depth

    def __repr__(self) -> str:
        return f"ContactData({sorted(map(str, self.names))}, depth={self._depth:.4g})"


class DistanceData:
    """The distance of two objects: their names, ``index(name)`` of the nearest face and ``point(name)`` on it."""

    def __init__(self, names: tuple[str, str], found: bw.Distance, distance: float) -> None:
        self.names = set(names)
        self._faces = dict(zip(names, (found.a, found.b)))
        self._points = dict(zip(names, (np.array(found.point_a), np.array(found.point_b))))
        self._distance = distance

    @property
    def distance(self) -> float:
        """The distance, negative where they overlap."""
        return self._distance

    def index(self, name: str) -> int:
        """The nearest face of an object."""
        return self._faces[name]

    def point(self, name: str) -> NDArray[np.float64]:
        """The nearest point of an object."""
        return self._points[name]


class _Object:
    """A body of a manager: tree, pose, whether it is solid, its id in the scene."""

    def __init__(self, mesh: Any, transform: ArrayLike | None) -> None:
        self.tree = tree_of(mesh)
        self.solid = bool(mesh.is_convex)
        self.id = 0
        self.place(transform)

    def place(self, transform: ArrayLike | None) -> None:
        pose = np.eye(4) if transform is None else np.array(transform, dtype=np.float64)
        if pose.shape != (4, 4):
            raise ValueError("transform must be (4,4)!")
        self.pose = pose

    def box(self) -> NDArray[np.float32]:
        return self.tree.bounds_at(self.pose)


def _collides(a: _Object, b: _Object) -> bool:
    if bw.collides(a.tree, b.tree, a.pose, b.pose):
        return True
    if not (a.solid or b.solid):
        return False
    inside = bw.collide(a.tree, b.tree, a.pose, b.pose, containment=True).report.containment
    return (inside == Containment.A_IN_B and b.solid) or (inside == Containment.B_IN_A and a.solid)


def _contacts(a: _Object, b: _Object, names: tuple[str, str]) -> list[ContactData]:
    found, _ = bw.contacts(a.tree, b.tree, a.pose, b.pose)
    points, normals, depths = np.array(found.point), np.array(found.normal), found.depth
    return [ContactData(names, (int(i), int(j)), points[k], normals[k], float(depths[k])) for k, (i, j) in enumerate(zip(found.a, found.b))]


def _distance(a: _Object, b: _Object, limit: float | None) -> tuple[float, bw.Distance]:
    found = bw.distance(a.tree, b.tree, a.pose, b.pose, max_distance=limit)
    if found.distance > 0:
        if (a.solid or b.solid) and np.isfinite(found.distance):
            inside = bw.collide(a.tree, b.tree, a.pose, b.pose, containment=True).report.containment
            if not ((inside == Containment.A_IN_B and b.solid) or (inside == Containment.B_IN_A and a.solid)):
                return found.distance, found
        else:
            return found.distance, found
    report = bw.contacts(a.tree, b.tree, a.pose, b.pose, depth=True)[0].report
    return -report.depth_upper if np.isfinite(report.depth_upper) else 0.0, found


def _answer(result: Any, wanted: list[tuple[bool, Any]]) -> Any:
    extra = [value for want, value in wanted if want]
    return (result, *extra) if extra else result


class CollisionManager:
    """trimesh's CollisionManager: objects by name, each with a transform; methods, arguments and results are the same."""

    def __init__(self) -> None:
        self._objs: dict[str, _Object] = {}
        self._scene = bw.Scene()
        self._names: dict[int, str] = {}

    def add_object(self, name: str, mesh: Any, transform: ArrayLike | None = None) -> _Object:
        """Adds an object, or replaces the one of that name."""
        made = _Object(mesh, transform)
        if name in self._objs:
            self.remove_object(name)
        made.id = int(self._scene.insert(made.box()))
        self._objs[name] = made
        self._names[made.id] = name
        return made

    def remove_object(self, name: str) -> None:
        """Removes the object of that name (ValueError: there is none)."""
        if name not in self._objs:
            raise ValueError(f"{name} not in collision manager!")
        gone = self._objs.pop(name)
        self._scene.remove(gone.id)
        del self._names[gone.id]

    def set_transform(self, name: str, transform: ArrayLike) -> None:
        """Moves an object."""
        if name not in self._objs:
            raise ValueError(f"{name} not in collision manager!")
        self._objs[name].place(transform)
        self._scene.move(self._objs[name].id, self._objs[name].box())

    def _near(self, other: _Object) -> Iterator[str]:
        for i in self._scene.query(box=other.box()).tolist():
            yield self._names[i]

    def _pairs(self) -> Iterator[tuple[str, str]]:
        found = self._scene.pairs()
        for a, b in zip(found.a.tolist(), found.b.tolist()):
            yield self._names[a], self._names[b]

    def in_collision_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether a mesh collides with any object; with which (a set of names); ContactData."""
        one = _Object(mesh, transform)
        names: set[str] = set()
        data: list[ContactData] = []
        for name in self._near(one):
            if _collides(self._objs[name], one):
                names.add(name)
                if return_data:
                    data += _contacts(self._objs[name], one, (name, "__external"))
                elif not return_names:
                    break
        return _answer(bool(names), [(return_names, names), (return_data, data)])

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two objects collide; which (a set of pairs, each in alphabetical order); ContactData."""
        names: set[tuple[str, ...]] = set()
        data: list[ContactData] = []
        for a, b in self._pairs():
            if _collides(self._objs[a], self._objs[b]):
                names.add(tuple(sorted((a, b))))
                if return_data:
                    data += _contacts(self._objs[a], self._objs[b], (a, b))
                elif not return_names:
                    break
        return _answer(bool(names), [(return_names, names), (return_data, data)])

    def in_collision_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any object collides with one of another manager; which (pairs: own name first); ContactData."""
        names: set[tuple[str, str]] = set()
        data: list[ContactData] = []
        for a, own in self._objs.items():
            for b in other_manager._near(own):
                if _collides(own, other_manager._objs[b]):
                    names.add((a, b))
                    if return_data:
                        data += _contacts(own, other_manager._objs[b], (a, b))
                    elif not return_names:
                        return True
        return _answer(bool(names), [(return_names, names), (return_data, data)])

    @staticmethod
    def _least(pairs: Iterator[tuple[tuple[str, str], _Object, _Object]]) -> tuple[float, Any, Any]:
        best: float = np.inf
        names = data = None
        for pair, a, b in pairs:
            distance, found = _distance(a, b, best if 0 < best < np.inf else None)
            if distance < best:
                best, names, data = distance, pair, DistanceData(pair, found, distance)
        return best, names, data

    def min_distance_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of a mesh from any object; the object's name; DistanceData."""
        one = _Object(mesh, transform)
        best, names, data = self._least(((name, "__external"), own, one) for name, own in self._objs.items())
        return _answer(best, [(return_name, names[0] if names else None), (return_data, data)])

    def min_distance_internal(self, name: str | None = None, return_names: bool = False, return_data: bool = False) -> Any:
        """The least distance of any two objects, or of one and any other; their names, sorted; DistanceData."""
        if name is not None and name not in self._objs:
            raise ValueError(f"{name} not in collision manager!")
        items = list(self._objs.items())
        if name is None:
            pairs = [(a, b) for i, a in enumerate(items) for b in items[i + 1 :]]
        else:
            pairs = [((name, self._objs[name]), b) for b in items if b[0] != name]
        best, names, data = self._least(((a[0], b[0]), a[1], b[1]) for a, b in pairs)
        return _answer(best, [(return_names, tuple(sorted(names)) if names else None), (return_data, data)])

    def min_distance_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """The least distance of any object from any of another manager; their names; DistanceData."""
        pairs = (((a, b), own, theirs) for a, own in self._objs.items() for b, theirs in other_manager._objs.items())
        best, names, data = self._least(pairs)
        return _answer(best, [(return_names, names), (return_data, data)])


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[str, Any]]:
    """A CollisionManager with the objects of a trimesh.Scene, and these by the names of their nodes."""
    manager, objects = CollisionManager(), {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, objects


class RayMeshIntersector:
    """trimesh's ray queries for one mesh (``mesh.ray``), exact: no ray slips between two triangles.

    >>> import trimesh
    >>> from boxwood.trimesh import RayMeshIntersector
    >>> RayMeshIntersector(trimesh.creation.box()).intersects_any([[0.1, 0.2, 3], [3, 3, 3]], [[0, 0, -1], [0, 0, -1]]).tolist()
    [True, False]
    """

    def __init__(self, mesh: Any) -> None:
        self.mesh = mesh

    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = True,
        return_locations: bool = False,
        **_: Any,
    ) -> Any:
        """Indices of triangles and rays that meet, and with ``return_locations`` where."""
        origins, directions = np.asarray(ray_origins, dtype=np.float64), np.asarray(ray_directions, dtype=np.float64)
        if multiple_hits:
            every = bw.rays_all(tree_of(self.mesh), origins, directions)
            ray, face, t = every.ray.astype(np.int64), every.primitive.astype(np.int64), np.array(every.t)
        else:
            first = bw.rays(tree_of(self.mesh), origins, directions)
            ray = np.nonzero(first.primitive >= 0)[0]
            face, t = first.primitive[ray].astype(np.int64), first.t[ray]
        return (face, ray, origins[ray] + t[:, None] * directions[ray]) if return_locations else (face, ray)

    def intersects_location(
        self, ray_origins: ArrayLike, ray_directions: ArrayLike, multiple_hits: bool = True, **_: Any
    ) -> tuple[Any, Any, Any]:
        """Where rays meet the mesh, the indices of the rays, and of the triangles."""
        face, ray, where = self.intersects_id(ray_origins, ray_directions, multiple_hits, True)
        return where, ray, face

    def intersects_first(self, ray_origins: ArrayLike, ray_directions: ArrayLike, **_: Any) -> Any:
        """The triangle that each ray meets first, or -1."""
        return bw.rays(tree_of(self.mesh), ray_origins, ray_directions).primitive.astype(np.int64)

    def intersects_any(self, ray_origins: ArrayLike, ray_directions: ArrayLike, **_: Any) -> Any:
        """Whether each ray meets the mesh."""
        return np.asarray(bw.rays(tree_of(self.mesh), ray_origins, ray_directions, mode="any").primitive) >= 0

    def contains_points(self, points: ArrayLike) -> Any:
        """Whether points are inside the mesh."""
        return np.asarray(bw.locate(tree_of(self.mesh), points).side) == Side.INSIDE


def closest_point(mesh: Any, points: ArrayLike) -> tuple[Any, Any, Any]:
    """The nearest points of a mesh, their distances, and their triangles: trimesh.proximity.closest_point.

    >>> import trimesh
    >>> from boxwood.trimesh import closest_point
    >>> closest_point(trimesh.creation.box(), [[2, 0, 0]])[1].tolist()
    [1.5]
    """
    found = bw.nearest(tree_of(mesh), points)
    return np.array(found.point), np.array(found.distance), found.primitive.astype(np.int64)


def signed_distance(mesh: Any, points: ArrayLike) -> Any:
    """Distances of points from a mesh, positive inside: trimesh.proximity.signed_distance.

    >>> import trimesh
    >>> from boxwood.trimesh import signed_distance
    >>> signed_distance(trimesh.creation.box(), [[2, 0, 0], [0, 0, 0]]).tolist()
    [-1.5, 0.5]
    """
    return 0.0 - np.asarray(bw.signed_distance(tree_of(mesh), points).distance)


class ProximityQuery:
    """trimesh's proximity queries for one mesh.

    >>> import trimesh
    >>> from boxwood.trimesh import ProximityQuery
    >>> ProximityQuery(trimesh.creation.box()).on_surface([[2, 0, 0]])[0].tolist()
    [[0.5, 0.0, 0.0]]
    """

    def __init__(self, mesh: Any) -> None:
        self._mesh = mesh

    def on_surface(self, points: ArrayLike) -> tuple[Any, Any, Any]:
        """The nearest points of the surface, their distances, and their triangles."""
        return closest_point(self._mesh, points)

    def signed_distance(self, points: ArrayLike) -> Any:
        """Distances of points, positive inside."""
        return signed_distance(self._mesh, points)

    def vertex(self, points: ArrayLike) -> tuple[Any, Any]:
        """Distances of the nearest vertices, and their indices."""
        tree = self._mesh._cache["boxwood_vertices"]
        if tree is None:
            tree = bw.Tree(bw.Mesh(np.array(self._mesh.vertices)))
            self._mesh._cache["boxwood_vertices"] = tree
        found = bw.nearest(tree, points)
        return np.array(found.distance), found.primitive.astype(np.int64)
