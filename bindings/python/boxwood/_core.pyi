"""The compiled part of boxwood. Signatures and docstrings of the extension are made from this file (signatures.py)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Self, SupportsIndex, final, overload

from numpy.typing import ArrayLike, NDArray

from boxwood._enums import Action, BodyKind, Ccd, Containment, Defect, Event, Feature, Kind, Reason, Side, Status, StepFeature
from boxwood.types import Bodies, Body, Bools, Counts, Floats, Floats32, Indices, Ints, Progress, Vec3
from boxwood.viewer import View

__version__: str

def _set_enumerations(members: dict[str, tuple[Any, ...]], /) -> None: ...
def _live_blocks() -> int: ...
def _record(name: str, data: bytes, texts: list[str], /) -> Any: ...
def _table(name: str, data: bytes, report: Any, /) -> Any: ...

class Error(ValueError):
    """What the library refuses: a coordinate that is not finite, an index out of range, a pose without an inverse.

    ``code`` is one word ("not_finite", "index", ...); ``element``, ``vertex`` and ``axis`` name the place, ``value`` the number at
    fault, each None where it does not apply (``value`` is then 0).

    >>> import boxwood as bw
    >>> try:
    ...     bw.Tree(bw.Mesh([[0, 0, 0], [1, 0, 0], [0, float("nan"), 0]], [[0, 1, 2]]))
    ... except bw.Error as error:
    ...     print(error.code, error.element, error.vertex, error.axis, error.value)
    not_finite 0 2 1 nan
    """

    code: str
    element: int | None
    vertex: int | None
    axis: int | None
    value: float

class UnsupportedError(Error):
    """A combination that does not exist, such as a query that a kind of tree does not answer."""

class FormatError(Error):
    """Bytes or a file that are not what they should be, or of another version."""

class StaleError(Error):
    """An id whose object was removed."""

@final
class Pool:
    """Threads for the calls that take ``pool=``: builds, updates, batches and large queries.

    Answers are the same for any number of threads. One call at a time has the threads; a second one, from another Python thread,
    does its work without. ``workers`` is the number of threads, the calling one among them (0: as many as there are processors).

    >>> import boxwood as bw
    >>> with bw.Pool(2) as pool:
    ...     tree = bw.Tree(bw.samples.sphere(4), pool=pool)
    ...     pool.workers
    2
    """

    def __new__(cls, workers: int = 0) -> Pool: ...
    def close(self) -> None:
        """Ends the threads. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> pool = bw.Pool(2)
        >>> pool.close()
        """
    @property
    def workers(self) -> int:
        """How many threads work, the calling one among them."""
    def __enter__(self) -> Pool: ...
    def __exit__(self, *args: object) -> None: ...

@final
class PairCache:
    """What queries about one pair of bodies, or one body, keep from call to call.

    It never changes an answer, only what it costs: whether a surface is closed, its boundary, and which triangles of bodies in
    motion can meet until the next keyframe. One call at a time may use it.

    >>> import boxwood as bw
    >>> cache = bw.PairCache()
    >>> [bw.contains(bw.samples.cube(), p, cache=cache) for p in ([0, 0, 0], [2, 0, 0])]
    [True, False]
    """

    def __new__(cls) -> PairCache: ...
    def reset(self) -> None:
        """Forgets everything and gives the memory back.

        >>> import boxwood as bw
        >>> bw.PairCache().reset()
        """
    def close(self) -> None:
        """Gives its memory back for good. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> cache = bw.PairCache()
        >>> cache.close()
        """
    def __enter__(self) -> PairCache: ...
    def __exit__(self, *args: object) -> None: ...

@final
class MeshReport:
    """What ``Mesh.validate`` found; see there."""

    @property
    def primitives(self) -> int: ...
    @property
    def defective(self) -> int: ...
    @property
    def sound(self) -> int: ...
    @property
    def bad_index(self) -> int: ...
    @property
    def nan(self) -> int: ...
    @property
    def infinite(self) -> int: ...
    @property
    def out_of_range(self) -> int: ...
    @property
    def zero_area(self) -> int: ...
    @property
    def first(self) -> Defect: ...
    @property
    def first_primitive(self) -> int: ...
    @property
    def first_vertex(self) -> int: ...
    @property
    def first_axis(self) -> int: ...
    @property
    def first_value(self) -> float: ...
    @property
    def unused_vertices(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Topology:
    """What ``Mesh.topology`` found; see there."""

    @property
    def edges(self) -> int: ...
    @property
    def boundary_edges(self) -> int: ...
    @property
    def nonmanifold_edges(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    @property
    def oriented(self) -> bool: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class MeshEdge:
    """An edge: its vertices, the lower first, and the triangles at it, -1 beyond use_count (1: boundary, 2: inner; more: the first two)."""

    @property
    def vertices(self) -> tuple[int, int]: ...
    @property
    def triangles(self) -> tuple[int, int]: ...
    @property
    def use_count(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class MeshEdges:
    """Edges of a mesh, by their vertices."""

    @property
    def vertices(self) -> Ints: ...
    @property
    def triangles(self) -> Ints: ...
    @property
    def use_count(self) -> Indices: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> MeshEdge: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class Mesh:
    """A view of vertices (n, 3) and triangles (m, 3); without ``faces`` every vertex is a point of its own.

    Arrays of float32 or float64 with x, y, z next to each other, and faces of int32 or uint32, are read in place: nothing is
    copied, and the mesh follows what is written into ``vertices`` (then say ``tree.update()``). Other layouts and numbers (Fortran
    order, int64 faces, integer vertices, nested lists) are copied once, by value, and ``copied`` tells; a value that would not
    survive is an error. ``copy=True`` always copies. Faces must not be changed while a tree is in use.

    Wherever a body is taken a Mesh may be given: it builds ``mesh.tree`` when it is first needed.

    >>> import boxwood as bw
    >>> bw.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    Mesh(3 vertices, 1 faces, float64)
    """

    def __new__(cls, vertices: ArrayLike, faces: ArrayLike | None = None, *, copy: bool = False) -> Mesh: ...
    @property
    def vertices(self) -> NDArray[Any]:
        """The coordinates (n, 3), not to be written through this array."""
    @property
    def faces(self) -> Indices | None:
        """The triangles (m, 3), or None for points."""
    @property
    def copied(self) -> bool:
        """Whether the vertices had to be copied: then the mesh does not follow changes of the array it was made from."""
    @property
    def tree(self) -> Tree:
        """The tree that queries use where they are given the mesh; built when it is first needed, with the defaults."""
    def validate(self) -> MeshReport:
        """Looks at every primitive and counts defects; nothing is raised for what it finds.

        >>> import boxwood as bw
        >>> report = bw.Mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2], [0, 1, 7]]).validate()
        >>> report.bad_index, report.zero_area, report.first.name, report.first_primitive
        (1, 1, 'ZERO_AREA', 0)
        """
    def edges(self) -> MeshEdges:
        """The edges of the triangles, sorted by their vertices: the numbers that a Step has for them.

        >>> import boxwood as bw
        >>> edges = bw.samples.cloth(2).edges()
        >>> len(edges), len(edges[edges.use_count == 1])
        (16, 8)
        """
    def topology(self) -> Topology:
        """Edges, and whether the surface is closed and all its triangles turn the same way; by indices, not by positions.

        >>> import boxwood as bw
        >>> bw.samples.cube().topology()
        Topology(edges=18, boundary_edges=0, nonmanifold_edges=0, closed=True, oriented=True)
        """
    def plot(self, *, depth: int | None = None, mesh: bool = True, ax: Any = None) -> Any: ...
    def view(self, *, layers: bool = True, height: int = 520) -> View: ...
    def close(self) -> None:
        """Gives back the tree that it keeps; its arrays stay for those who read them. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> mesh = bw.samples.cube()
        >>> mesh.close()
        >>> mesh
        Mesh(closed)
        """
    def __enter__(self) -> Mesh: ...
    def __exit__(self, *args: object) -> None: ...

@final
class TreeStats:
    """Sizes and cost of a tree; ``sah_cost`` is the number of nodes that a random line is expected to meet."""

    @property
    def primitives(self) -> int: ...
    @property
    def quarantined(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def leaves(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def mean_leaf_depth(self) -> float: ...
    @property
    def sah_cost(self) -> float: ...
    @property
    def bytes(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class UpdateReport:
    """What ``Tree.update`` did, and why; ``quality`` is the cost over that of a new tree (1: as good as new, 0: not computed)."""

    @property
    def action(self) -> Action: ...
    @property
    def reason(self) -> str: ...
    @property
    def quality(self) -> float: ...
    @property
    def boxes(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TreeNode:
    """A node of a tree: its box ((min x, y, z), (max x, y, z)), depth, and how many primitives a leaf holds."""

    @property
    def box(self) -> tuple[Vec3, Vec3]: ...
    @property
    def depth(self) -> int: ...
    @property
    def leaf(self) -> bool: ...
    @property
    def primitive_count(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TreeNodes:
    """Every node of a tree, parents before children: ``box`` is (n, 2, 3)."""

    @property
    def box(self) -> Floats32: ...
    @property
    def depth(self) -> Indices: ...
    @property
    def leaf(self) -> Bools: ...
    @property
    def primitive_count(self) -> Indices: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> TreeNode: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class Tree:
    """A bounding volume tree over a mesh, which every query goes through.

    builder: "quality" (default, for the fastest queries) or "fast" (built in the least time). deforms: the mesh will deform and
    the tree follow it by ``update``. compact: a third of the memory, slower queries. quarantine: primitives with these defects
    ("index", "nan", "infinite", "range", "zero_area"; True: all but the last) are left out and listed by ``quarantined``; otherwise
    one of the first four is an Error. progress: called as ``progress(None, None)`` twenty times a second, as there is no saying how much
    is left; where it returns False the build ends with InterruptedError.

    Any number of threads may query a tree at once. A call that would change it while another thread uses it raises RuntimeError.
    Trees can be pickled; ``save`` and ``load`` give bytes that are the same on every machine.

    >>> import boxwood as bw
    >>> tree = bw.Tree(bw.samples.cube(), builder="fast")
    >>> tree  # doctest: +ELLIPSIS
    Tree(12 primitives, 3 nodes, ... bytes)
    >>> tree.bounds.tolist()
    [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]]
    """

    def __new__(
        cls,
        mesh: Mesh,
        *,
        builder: Literal["quality", "fast"] | None = None,
        deforms: bool = False,
        compact: bool = False,
        quarantine: bool | Iterable[Literal["index", "nan", "infinite", "range", "zero_area"]] = False,
        pool: Pool | None = None,
        progress: Progress = None,
    ) -> Tree: ...
    @property
    def mesh(self) -> Mesh:
        """The mesh as the tree knows it."""
    @property
    def bounds(self) -> Floats32:
        """The box of everything in the tree: (2, 3), the least and the greatest corner."""
    def bounds_at(self, pose: ArrayLike | None = None) -> Floats32:
        """A box around the body at a pose: ``bounds`` moved, rounded outward; (2, 3), as Scenes take them.

        >>> import boxwood as bw
        >>> bw.samples.cube().tree.bounds_at(bw.translation(5, 0, 0)).round(3).tolist()
        [[4.5, -0.5, -0.5], [5.5, 0.5, 0.5]]
        """
    @property
    def quarantined(self) -> Indices:
        """The primitives that were left out, ascending."""
    def update(
        self,
        vertices: ArrayLike | None = None,
        *,
        policy: Literal["refit", "auto", "rebuild"] = "refit",
        ranges: ArrayLike | None = None,
        pool: Pool | None = None,
        progress: Progress = None,
    ) -> UpdateReport:
        """Follows a mesh that has moved or deformed.

        vertices: the new positions; None: those that were written into the array of ``tree.mesh`` in place. policy: "refit" fits the
        boxes, "auto" also rebuilds what has degraded, "rebuild" builds all of it. ranges: (k, 2), only the vertices first ..
        first + count - 1 have moved. On failure the tree is as it was. progress: as of a build; it can end a rebuild (InterruptedError,
        the tree is as it was), and leaves out that of "auto", whose boxes fit all the same.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> tree = bw.Tree(cube, deforms=True)
        >>> tree.update(cube.vertices + [10, 0, 0]).action.name
        'REFIT'
        >>> tree.bounds[0].tolist()
        [9.5, -0.5, -0.5]
        """
    def insert(self, primitives: ArrayLike) -> None:
        """Takes primitives of the mesh into the tree that are not in it.

        >>> import boxwood as bw
        >>> tree = bw.Tree(bw.samples.cube())
        >>> tree.remove([0, 1])
        >>> tree.insert([1])
        >>> tree.stats().primitives
        11
        """
    def remove(self, primitives: ArrayLike) -> None:
        """Takes primitives out of the tree; it may become empty.

        >>> import boxwood as bw
        >>> tree = bw.Tree(bw.samples.cube())
        >>> tree.remove(range(12))
        >>> bw.collides(tree, bw.samples.cube())
        False
        """
    def prepare(self, what: Literal["distances", "rays", "clearance"], *, cells: int = 0, pool: Pool | None = None) -> None:
        """Adds to the tree what makes many queries of one kind faster; answers stay the same, and any change of the tree drops it.

        "distances": for distance, within, nearest (twice as fast). "rays": a second layout for rays. "clearance": a grid of
        distances around a body that others move around (``cells``: how many; 0: by itself).

        >>> import boxwood as bw
        >>> tree = bw.Tree(bw.samples.sphere(3))
        >>> tree.prepare("distances")
        >>> round(bw.nearest(tree, [0, 0, 2]).distance, 6)
        1.0
        """
    def stats(self) -> TreeStats:
        """Sizes and cost.

        >>> import boxwood as bw
        >>> bw.Tree(bw.samples.sphere(3)).stats().primitives
        1280
        """
    def check(self) -> str | None:
        """Proves the invariants of the tree: None if all hold, otherwise a sentence about the first that does not.

        >>> import boxwood as bw
        >>> bw.Tree(bw.samples.cube()).check()
        """
    def nodes(self) -> TreeNodes:
        """Every node with its box and depth, for pictures and statistics.

        >>> import boxwood as bw
        >>> nodes = bw.Tree(bw.samples.cube()).nodes()
        >>> nodes[0].depth, int(nodes.leaf.sum()) > 0
        (0, True)
        """
    def visit(self, visitor: Callable[[Floats32, int, Indices | None], object]) -> None:
        """Calls ``visitor(box, depth, primitives)`` for every node, parents first; primitives is None for inner nodes. False ends it.

        >>> import boxwood as bw
        >>> leaves = []
        >>> bw.samples.cube().tree.visit(lambda box, depth, primitives: leaves.extend([] if primitives is None else primitives))
        >>> sorted(int(p) for p in leaves) == list(range(12))
        True
        """
    def save(self) -> bytes:
        """The tree as bytes of a versioned format; equal trees give equal bytes. The mesh is not part of it.

        >>> import boxwood as bw
        >>> tree = bw.Tree(bw.samples.cube())
        >>> tree.save() == bw.Tree(bw.samples.cube()).save()
        True
        """
    @classmethod
    def load(cls, data: bytes | bytearray | memoryview, mesh: Mesh) -> Tree:
        """A tree from the bytes of ``save`` (or a memory map of a file with them) and the mesh it was saved with.

        Bytes of any origin may be given: every index, count and box is checked (FormatError).

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> bw.Tree.load(bw.Tree(cube).save(), cube).check()
        """
    def __reduce__(self) -> tuple[Any, ...]: ...
    def plot(self, *, depth: int | None = None, mesh: bool = True, ax: Any = None) -> Any: ...
    def view(self, *, layers: bool = True, height: int = 520) -> View: ...
    def close(self) -> None:
        """Gives its memory back; a tree that others have too (a Mesh, a World) stays with them. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> tree = bw.Tree(bw.samples.cube())
        >>> tree.close()
        >>> tree
        Tree(closed)
        """
    def __enter__(self) -> Tree: ...
    def __exit__(self, *args: object) -> None: ...

# ---- contacts ----

@final
class Hit:
    """Two primitives in contact: ``kind`` is Kind.TOUCHING, CROSSING, or NEAR with a separation."""

    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def kind(self) -> Kind: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class CollideReport:
    """How a collision query ended, and what it cost."""

    @property
    def status(self) -> Status: ...
    @property
    def hit_count(self) -> int: ...
    @property
    def touching_count(self) -> int: ...
    @property
    def near_count(self) -> int: ...
    @property
    def containment(self) -> Containment: ...
    @property
    def nodes_visited(self) -> int: ...
    @property
    def box_tests(self) -> int: ...
    @property
    def primitive_tests(self) -> int: ...
    @property
    def exact_tests(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Hits:
    """Contacts as columns: ``a``, ``b`` (primitives) and ``kind``; ``hits[i]`` is a Hit, ``report`` a CollideReport."""

    @property
    def a(self) -> Ints: ...
    @property
    def b(self) -> Ints: ...
    @property
    def kind(self) -> Ints: ...
    @property
    def report(self) -> CollideReport: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> Hit: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class PoseHit:
    """The contact found at one pose: ``pair`` of the bodies given (-1: none), and the primitives."""

    @property
    def status(self) -> Status: ...
    @property
    def pair(self) -> int: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def hit_count(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class PoseHits:
    """The contacts of many poses, a row each: ``hit_count`` 0 is free."""

    @property
    def status(self) -> Ints: ...
    @property
    def pair(self) -> Ints: ...
    @property
    def a(self) -> Ints: ...
    @property
    def b(self) -> Ints: ...
    @property
    def kind(self) -> Ints: ...
    @property
    def hit_count(self) -> Counts: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> PoseHit: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def collides(
    a: Body,
    b: Body,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    separation: float = 0.0,
    containment: bool = False,
) -> bool:
    """Whether two bodies touch or cross, exactly.

    Poses are 4x4 or 3x4 matrices, any affine map. separation: nearer than this counts, too. containment: a body wholly inside the
    other (a closed mesh) counts, too; otherwise surfaces are what meets.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> bw.collides(cube, cube, pose_b=bw.translation(0.9, 0, 0)), bw.collides(cube, cube, pose_b=bw.translation(1.1, 0, 0))
    (True, False)
    """

def collide(
    a: Body,
    b: Body,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    separation: float = 0.0,
    containment: bool = False,
    cache: PairCache | None = None,
    pool: Pool | None = None,
    progress: Progress = None,
    visit: Callable[[Hit], object] | None = None,
) -> Hits:
    """Every pair of primitives in contact: none is missed and none invented, touching included, in the same order every time.

    ``report`` tells how it ended: a ``progress`` that returns False ends it with Status.STOPPED and what was found until then; so does
    ``visit``, which is called with each Hit.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> hits = bw.collide(cube, cube, pose_b=bw.translation(0.5, 0.5, 0.5))
    >>> len(hits), hits.report.touching_count, hits[0].kind.name
    (18, 12, 'TOUCHING')
    """

def collide_self(
    body: Body,
    *,
    separation: float = 0.0,
    rings: int = 0,
    cache: PairCache | None = None,
    pool: Pool | None = None,
    progress: Progress = None,
    visit: Callable[[Hit], object] | None = None,
) -> Hits:
    """The contacts of a body's primitives with each other, a < b; what neighbours share by index does not count.

    rings: pairs connected by at most so many rings of vertices are left out. ``visit``: as in ``collide``.

    >>> import boxwood as bw
    >>> len(bw.collide_self(bw.samples.sphere(2)))
    0
    """

def collides_many(
    a: Bodies,
    b: Bodies,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    pairs: ArrayLike | None = None,
    separation: float = 0.0,
    coherent: bool = False,
    pool: Pool | None = None,
    progress: Progress = None,
) -> Bools:
    """Whether bodies collide at each of many poses, in one call: an array of bools.

    poses: (k, 4, 4) or (k, 3, 4); the body without poses stands still. Lists of bodies, such as the links of an arm, take
    (k, bodies, 4, 4) and collide where any body of ``a`` meets any of ``b``. coherent: the poses follow each other closely.

    pairs: (p, 2), which bodies of a are looked at with which of b (None: each with each): the links of an arm with each other, but not
    with their neighbours.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> bw.collides_many(cube, cube, poses_b=[bw.translation(x, 0, 0) for x in (0.5, 1.0, 1.5)]).tolist()
    [True, True, False]
    >>> arm = [[bw.translation(x, 0, 0) for x in (0, 0.9, last)] for last in (1.8, 0.5)]  # three links, two configurations
    >>> bw.collides_many([cube] * 3, [cube] * 3, arm, arm, pairs=[(0, 2)]).tolist()
    [False, True]
    """

def collide_many(
    a: Bodies,
    b: Bodies,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    pairs: ArrayLike | None = None,
    mode: Literal["any", "count"] = "any",
    separation: float = 0.0,
    coherent: bool = False,
    pool: Pool | None = None,
    progress: Progress = None,
) -> PoseHits:
    """As ``collides_many``, and which pair of bodies and primitives was found, or with mode "count" how many contacts there are.

    Where ``progress`` ends it, the rows that are left have Status.STOPPED. ``pair`` counts ``pairs``, or bodies of a, then of b.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> bw.collide_many(cube, cube, poses_b=[bw.translation(0.5, 0.5, 0.5)], mode="count").hit_count.tolist()
    [18]
    """

# ---- distances ----

@final
class Distance:
    """The distance of two bodies, the primitives and points that realise it; ``status`` tells whether a bound ended it."""

    @property
    def distance(self) -> float: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def point_a(self) -> Vec3: ...
    @property
    def point_b(self) -> Vec3: ...
    @property
    def status(self) -> Status: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class PoseDistance:
    """As Distance, at one of many poses: ``pair`` of the bodies given is the nearest."""

    @property
    def distance(self) -> float: ...
    @property
    def pair(self) -> int: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def point_a(self) -> Vec3: ...
    @property
    def point_b(self) -> Vec3: ...
    @property
    def status(self) -> Status: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class PoseDistances:
    """The distances at many poses, a row each."""

    @property
    def distance(self) -> Floats: ...
    @property
    def pair(self) -> Ints: ...
    @property
    def a(self) -> Ints: ...
    @property
    def b(self) -> Ints: ...
    @property
    def point_a(self) -> Floats: ...
    @property
    def point_b(self) -> Floats: ...
    @property
    def status(self) -> Ints: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> PoseDistance: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class Near:
    """Two primitives and their distance."""

    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def distance(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Nears:
    """Pairs of primitives within a distance, a row each."""

    @property
    def a(self) -> Ints: ...
    @property
    def b(self) -> Ints: ...
    @property
    def distance(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> Near: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def distance(
    a: Body,
    b: Body,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    max_distance: float | None = None,
    stop_below: float = 0.0,
) -> Distance:
    """The distance of two bodies and a pair of points that realises it; zero exactly where they meet.

    max_distance: nothing farther is wanted (the distance is then infinite, status LIMIT). stop_below: stop at the first pair nearer
    than this (status FOUND; an upper bound).

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> d = bw.distance(cube, cube, pose_b=bw.translation(3, 0, 0))
    >>> d.distance, d.point_a[0], d.point_b[0]
    (2.0, 0.5, 2.5)
    """

def distance_many(
    a: Bodies,
    b: Bodies,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    pairs: ArrayLike | None = None,
    max_distance: float | None = None,
    stop_below: float = 0.0,
    coherent: bool = False,
    pool: Pool | None = None,
    progress: Progress = None,
) -> PoseDistances:
    """The distance at each of many poses, in one call; poses and lists of bodies as in ``collides_many``.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> bw.distance_many(cube, cube, poses_b=[bw.translation(x, 0, 0) for x in (0.5, 2, 3)]).distance.tolist()
    [0.0, 1.0, 2.0]
    """

def within(
    a: Body,
    b: Body,
    distance: float,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    progress: Progress = None,
) -> Nears:
    """Every pair of primitives whose distance is at most ``distance``.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> near = bw.within(cube, cube, 0.6, pose_b=bw.translation(1.5, 0, 0))
    >>> len(near), float(near.distance.min())
    (62, 0.5)
    """

# ---- rays ----

@final
class RayHit:
    """Where a ray meets a body: ``primitive`` (-1: nowhere), ``t`` in multiples of the direction (infinite: nowhere), ``kind``."""

    @property
    def primitive(self) -> int: ...
    @property
    def t(self) -> float: ...
    @property
    def kind(self) -> Kind: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RayHits:
    """Where rays meet a body, a row each."""

    @property
    def primitive(self) -> Ints: ...
    @property
    def t(self) -> Floats: ...
    @property
    def kind(self) -> Ints: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> RayHit: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class RayCrossing:
    """One of all contacts of a ray: which ray, and where."""

    @property
    def ray(self) -> int: ...
    @property
    def primitive(self) -> int: ...
    @property
    def t(self) -> float: ...
    @property
    def kind(self) -> Kind: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RayCrossings:
    """All contacts of rays: by ray, then along it."""

    @property
    def ray(self) -> Indices: ...
    @property
    def primitive(self) -> Ints: ...
    @property
    def t(self) -> Floats: ...
    @property
    def kind(self) -> Ints: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> RayCrossing: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def rays(
    body: Body,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    t_max: ArrayLike | None = None,
    mode: Literal["nearest", "any"] = "nearest",
    between: bool = False,
    pose: ArrayLike | None = None,
    pool: Pool | None = None,
    progress: Progress = None,
) -> Any:
    """Where rays first meet a body, decided exactly: RayHits for arrays (n, 3), a RayHit for a single ray.

    One origin may serve many directions, and the other way round. t_max: contacts beyond are not wanted, one for all or one per
    ray. between: ``directions`` are second points instead, t = 1 there. mode "any": some contact. ``tree.prepare("rays")`` pays from
    about as many rays as there are triangles.

    >>> import boxwood as bw
    >>> bw.rays(bw.samples.cube(), [[0.1, 0.2, 5], [9, 9, 5]], [0, 0, -1]).t.tolist()
    [4.5, inf]
    >>> bw.rays(bw.samples.cube(), [0.1, 0.2, 5], [0, 0, -1]).kind.name
    'CROSSING'
    """

def rays_all(
    body: Body,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    t_max: ArrayLike | None = None,
    between: bool = False,
    pose: ArrayLike | None = None,
    progress: Progress = None,
) -> RayCrossings:
    """Every contact of every ray, by ray and then along it; arguments as of ``rays``.

    >>> import boxwood as bw
    >>> bw.rays_all(bw.samples.cube(), [0.1, 0.2, 5], [0, 0, -1]).t.tolist()
    [4.5, 5.5]
    """

# ---- points ----

@final
class Nearest:
    """The point of a body nearest to a point; ``primitive`` -1 and an infinite distance where none is within max_distance."""

    @property
    def distance(self) -> float: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def primitive(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Nearests:
    """Nearest points, a row for each point."""

    @property
    def distance(self) -> Floats: ...
    @property
    def point(self) -> Floats: ...
    @property
    def primitive(self) -> Ints: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> Nearest: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class Location:
    """Where a point is: ``side`` OUTSIDE, INSIDE or ON; ``certain``: exact; otherwise by the ``winding`` number of an open mesh."""

    @property
    def side(self) -> Side: ...
    @property
    def certain(self) -> bool: ...
    @property
    def winding(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Locations:
    """Where points are, a row each."""

    @property
    def side(self) -> Ints: ...
    @property
    def certain(self) -> Bools: ...
    @property
    def winding(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> Location: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class SurfacePoint:
    """A place on the surface: primitive, feature (FACE, EDGE, VERTEX) and corner, point, normal, barycentric weights."""

    @property
    def primitive(self) -> int: ...
    @property
    def feature(self) -> Feature: ...
    @property
    def corner(self) -> int: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def weights(self) -> Vec3: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SurfacePoints:
    """Places on the surface, a row each."""

    @property
    def primitive(self) -> Ints: ...
    @property
    def feature(self) -> Ints: ...
    @property
    def corner(self) -> Indices: ...
    @property
    def point(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def weights(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> SurfacePoint: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class SignedDistance:
    """The distance of a point from a surface, negative inside, and the nearest place on it."""

    @property
    def distance(self) -> float: ...
    @property
    def side(self) -> Side: ...
    @property
    def certain(self) -> bool: ...
    @property
    def winding(self) -> float: ...
    @property
    def primitive(self) -> int: ...
    @property
    def feature(self) -> Feature: ...
    @property
    def corner(self) -> int: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def weights(self) -> Vec3: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SignedDistances:
    """Signed distances, a row for each point."""

    @property
    def distance(self) -> Floats: ...
    @property
    def side(self) -> Ints: ...
    @property
    def certain(self) -> Bools: ...
    @property
    def winding(self) -> Floats: ...
    @property
    def primitive(self) -> Ints: ...
    @property
    def feature(self) -> Ints: ...
    @property
    def corner(self) -> Indices: ...
    @property
    def point(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def weights(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> SignedDistance: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def nearest(
    body: Body,
    points: ArrayLike,
    *,
    max_distance: ArrayLike | None = None,
    pose: ArrayLike | None = None,
    pool: Pool | None = None,
    progress: Progress = None,
) -> Any:
    """The points of a body nearest to points: Nearests for (n, 3), a Nearest for a single point.

    max_distance: nothing farther is wanted, one for all or one per point.

    >>> import boxwood as bw
    >>> bw.nearest(bw.samples.cube(), [2, 0.1, 0.2])
    Nearest(distance=1.5, point=(0.5, 0.1, 0.2), primitive=3)
    """

def locate(
    body: Body,
    points: ArrayLike,
    *,
    pose: ArrayLike | None = None,
    cache: PairCache | None = None,
    pool: Pool | None = None,
    progress: Progress = None,
) -> Any:
    """Whether points are inside a body, outside or on its surface: Locations for (n, 3), a Location for a single point.

    Exact where the mesh is closed or the point is on it, otherwise by the winding number.

    >>> import boxwood as bw
    >>> bw.locate(bw.samples.cube(), [[0, 0, 0], [0.5, 0, 0], [1, 0, 0]]).side.tolist()
    [1, 2, 0]
    >>> bw.locate(bw.samples.cube(), [0.5, 0, 0]).side.name
    'ON'
    """

def contains(
    body: Body,
    points: ArrayLike,
    *,
    pose: ArrayLike | None = None,
    cache: PairCache | None = None,
    pool: Pool | None = None,
    progress: Progress = None,
) -> Any:
    """Whether points are inside a body or on its surface: an array of bools, or a bool for a single point.

    >>> import boxwood as bw
    >>> bw.contains(bw.samples.cube(), [[0, 0, 0], [0.5, 0, 0], [1, 0, 0]]).tolist()
    [True, True, False]
    """

def signed_distance(
    body: Body,
    points: ArrayLike,
    *,
    max_distance: ArrayLike | None = None,
    pose: ArrayLike | None = None,
    cache: PairCache | None = None,
    pool: Pool | None = None,
    progress: Progress = None,
) -> Any:
    """Distances from the surface, negative inside, with the nearest place, its normal and barycentric coordinates.

    SignedDistances for (n, 3), a SignedDistance for a single point. Zero exactly on the surface.

    >>> import boxwood as bw
    >>> bw.signed_distance(bw.samples.cube(), [[0, 0, 0.3], [0, 0, 2]]).distance.round(9).tolist()
    [-0.2, 1.5]
    """

def surface_at(body: Body, primitives: ArrayLike, points: ArrayLike, *, pose: ArrayLike | None = None) -> Any:
    """Normals, barycentric coordinates and features of points on primitives, such as ``nearest``, ``rays`` and ``distance`` give.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> hit = bw.nearest(cube, [0.1, 0.2, 3])
    >>> bw.surface_at(cube, hit.primitive, hit.point).normal
    (0.0, 0.0, 1.0)
    """

# ---- contact points and regions ----

@final
class Contact:
    """Where two primitives meet: ``normal`` is unit, from a towards b; b's primitive moved by normal * depth only touches a's."""

    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def region(self) -> int: ...
    @property
    def point_count(self) -> int: ...
    @property
    def ends(self) -> tuple[Vec3, Vec3]: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def depth(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Contacts:
    """Contacts as columns, region after region; ``report`` is a ContactsReport."""

    @property
    def a(self) -> Ints: ...
    @property
    def b(self) -> Ints: ...
    @property
    def kind(self) -> Ints: ...
    @property
    def region(self) -> Ints: ...
    @property
    def point_count(self) -> Indices: ...
    @property
    def ends(self) -> Floats: ...
    @property
    def point(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def depth(self) -> Floats: ...
    @property
    def report(self) -> ContactsReport: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> Contact: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class ContactRegion:
    """Contacts that hang together: rows first .. first + count - 1; with depth, the translation that takes b out of this overlap."""

    @property
    def first(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def overlap(self) -> int: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def length(self) -> float: ...
    @property
    def translation(self) -> Vec3: ...
    @property
    def depth_upper(self) -> float: ...
    @property
    def depth_lower(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ContactRegions:
    """Regions of contacts, a row each."""

    @property
    def first(self) -> Counts: ...
    @property
    def count(self) -> Counts: ...
    @property
    def overlap(self) -> Ints: ...
    @property
    def point(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def length(self) -> Floats: ...
    @property
    def translation(self) -> Floats: ...
    @property
    def depth_upper(self) -> Floats: ...
    @property
    def depth_lower(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> ContactRegion: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class ContactsReport:
    """Contacts of two bodies as a whole: b moved by ``translation`` is apart from a; ``depth_upper`` is its length, nothing shorter than ``depth_lower`` does."""

    @property
    def status(self) -> Status: ...
    @property
    def contact_count(self) -> int: ...
    @property
    def touching_count(self) -> int: ...
    @property
    def region_count(self) -> int: ...
    @property
    def shallow_contact_count(self) -> int: ...
    @property
    def shallow_region_count(self) -> int: ...
    @property
    def closed_a(self) -> bool: ...
    @property
    def closed_b(self) -> bool: ...
    @property
    def containment(self) -> Containment: ...
    @property
    def translation(self) -> Vec3: ...
    @property
    def depth_upper(self) -> float: ...
    @property
    def depth_lower(self) -> float: ...
    @property
    def volume(self) -> float: ...
    @property
    def volume_error(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def contacts(
    a: Body,
    b: Body,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    depth: bool = False,
    volume: bool = False,
    tolerance: float = 0.0,
    trials: int = 0,
    pool: Pool | None = None,
    progress: Progress = None,
) -> tuple[Contacts, ContactRegions]:
    """Where two bodies meet: points and normals of every contact, and the regions that they form.

    depth: how deep the bodies are in each other and which way leads out, of the whole (``contacts.report``) and of each region.
    volume: of the overlap of closed meshes, with its error. tolerance: regions no deeper than this (mated faces, press fits) are left
    out and counted. trials: how many collision queries the search for a way out may take (0: 500).

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> found, regions = bw.contacts(cube, cube, pose_b=bw.translation(0.9, 0.1, 0.2), depth=True, volume=True)
    >>> len(regions), round(found.report.depth_upper, 3), round(found.report.volume, 3)
    (1, 0.1, 0.072)
    """

@final
class RegionHit:
    """A primitive that a region meets; ``inside``: all of it is in the region."""

    @property
    def primitive(self) -> int: ...
    @property
    def inside(self) -> bool: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RegionHits:
    """Primitives that a region meets, a row each."""

    @property
    def primitive(self) -> Ints: ...
    @property
    def inside(self) -> Bools: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> RegionHit: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def region(
    body: Body,
    *,
    box: ArrayLike | None = None,
    sphere: ArrayLike | None = None,
    capsule: ArrayLike | None = None,
    planes: ArrayLike | None = None,
    radius: float = 0.0,
    region_pose: ArrayLike | None = None,
    inside_only: bool = False,
    pose: ArrayLike | None = None,
    progress: Progress = None,
) -> RegionHits:
    """The primitives of a body that a region of space meets, exactly; touching counts.

    One of: box (2, 3), its corners; sphere, a centre with ``radius``; capsule (2, 3), the ends of a segment with ``radius``; planes
    (n, 4), what is in front of all of them (n . p + d >= 0). region_pose turns a box into an oriented one, a sphere into an
    ellipsoid.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> len(bw.region(cube, sphere=[0, 0, 1], radius=0.6)), len(bw.region(cube, box=[[-1, -1, -1], [1, 1, 1]], inside_only=True))
    (2, 12)
    """

# ---- shapes and sweeps ----

@final
class Shape:
    """A convex shape: sphere, capsule, box, half-space or hull, each grown by a radius. Made by the functions below.

    >>> import boxwood as bw
    >>> bw.Shape.capsule(radius=0.5, length=2)
    Shape.capsule(radius=0.5, length=2)
    """

    @property
    def kind(self) -> str:
        """"sphere", "capsule", "box", "half_space" or "hull"."""
    @property
    def radius(self) -> float:
        """Of a sphere or capsule; of a box or hull how much it is rounded."""
    @property
    def size(self) -> Any:
        """Of a box its three sides, of a capsule the length of its segment, else None."""
    @staticmethod
    def sphere(radius: float) -> Shape:
        """A ball around the origin.

        >>> import boxwood as bw
        >>> bw.Shape.sphere(2)
        Shape.sphere(radius=2)
        """
    @staticmethod
    def capsule(radius: float, length: float) -> Shape:
        """What is within a radius of a segment of that length along z, centred at the origin.

        >>> import boxwood as bw
        >>> bw.Shape.capsule(1, 3).bounds().round(3).tolist()
        [[-1.0, -1.0, -2.5], [1.0, 1.0, 2.5]]
        """
    @staticmethod
    def box(size: ArrayLike, *, radius: float = 0.0) -> Shape:
        """A box with edges of these lengths around the origin, with rounded edges where it has a radius.

        >>> import boxwood as bw
        >>> bw.Shape.box([1, 2, 4]).bounds().round(3).tolist()
        [[-0.5, -1.0, -2.0], [0.5, 1.0, 2.0]]
        """
    @staticmethod
    def half_space() -> Shape:
        """All points with z <= 0; a pose turns and moves it.

        >>> import boxwood as bw
        >>> bw.shape_distance(bw.Shape.sphere(1), bw.Shape.half_space(), bw.translation(0, 0, 3)).distance
        2.0
        """
    @staticmethod
    def hull(points: ArrayLike, *, radius: float = 0.0) -> Shape:
        """The convex hull of points, exactly.

        >>> import boxwood as bw
        >>> bw.Shape.hull(bw.samples.cube().vertices)
        Shape.hull(8 vertices, radius=0)
        """
    def mesh(self) -> Mesh:
        """The surface of a hull as a Mesh.

        >>> import boxwood as bw
        >>> bw.Shape.hull(bw.samples.cube().vertices).mesh()
        Mesh(8 vertices, 12 faces, float64)
        """
    def bounds(self, pose: ArrayLike | None = None) -> Floats32:
        """The box of the shape at a pose, rounded outward: (2, 3).

        >>> import boxwood as bw
        >>> bw.Shape.sphere(1).bounds(bw.translation(5, 0, 0)).round(3).tolist()
        [[4.0, -1.0, -1.0], [6.0, 1.0, 1.0]]
        """
    def check(self) -> str | None:
        """Proves that a hull is convex and holds its points: None if so, and for other shapes; otherwise a sentence about the first fault.

        >>> import boxwood as bw
        >>> bw.Shape.hull(bw.samples.sphere(2).vertices).check()
        """
    def close(self) -> None:
        """Gives the memory of a hull back; refused while a World has it. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> shape = bw.Shape.hull(bw.samples.cube().vertices)
        >>> shape.close()
        >>> shape
        Shape(closed)
        """
    def __enter__(self) -> Shape: ...
    def __exit__(self, *args: object) -> None: ...

@final
class ShapeContact:
    """How two shapes meet: ``kind`` is exact; b moved by normal * depth no longer crosses a; a negative depth is a gap."""

    @property
    def kind(self) -> Kind: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def depth(self) -> float: ...
    @property
    def depth_lower(self) -> float: ...
    @property
    def point_count(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ShapePoint:
    """One point of a contact of two shapes, on either surface."""

    @property
    def point_a(self) -> Vec3: ...
    @property
    def point_b(self) -> Vec3: ...
    @property
    def depth(self) -> float: ...
    @property
    def feature(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ShapePoints:
    """The points of a contact of two shapes, up to four."""

    @property
    def point_a(self) -> Floats: ...
    @property
    def point_b(self) -> Floats: ...
    @property
    def depth(self) -> Floats: ...
    @property
    def feature(self) -> Indices: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> ShapePoint: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class ShapeHit:
    """A primitive that a shape meets, and the first point of the contact: a is the shape, b the primitive."""

    @property
    def primitive(self) -> int: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def depth(self) -> float: ...
    @property
    def point_count(self) -> int: ...
    @property
    def point_a(self) -> Vec3: ...
    @property
    def point_b(self) -> Vec3: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ShapeHits:
    """Primitives that a shape meets, a row each."""

    @property
    def primitive(self) -> Ints: ...
    @property
    def kind(self) -> Ints: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def depth(self) -> Floats: ...
    @property
    def point_count(self) -> Indices: ...
    @property
    def point_a(self) -> Floats: ...
    @property
    def point_b(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> ShapeHit: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class ShapeDistance:
    """The distance of a shape (a) and another shape or a body (b), with the points that realise it."""

    @property
    def distance(self) -> float: ...
    @property
    def point_a(self) -> Vec3: ...
    @property
    def point_b(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def primitive(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ShapeRayHit:
    """Where a ray enters a shape: ``t`` is infinite where it does not, 0 where it begins inside."""

    @property
    def hit(self) -> bool: ...
    @property
    def t(self) -> float: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ShapeRayHits:
    """Where rays enter a shape, a row each."""

    @property
    def hit(self) -> Bools: ...
    @property
    def t(self) -> Floats: ...
    @property
    def point(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> ShapeRayHit: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class Sweep:
    """When two that move first come within the tolerance: ``time`` is never later than the contact, 1 where there is none (status DONE)."""

    @property
    def status(self) -> Status: ...
    @property
    def time(self) -> float: ...
    @property
    def distance(self) -> float: ...
    @property
    def point_a(self) -> Vec3: ...
    @property
    def point_b(self) -> Vec3: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def steps(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def shape_contact(
    a: Shape,
    b: Shape,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    separation: float = 0.0,
    max_points: int = 4,
) -> tuple[ShapeContact, ShapePoints]:
    """How two shapes meet, how deep, and at which points, four at most; with a separation also where they are that near.

    One point, the deepest, takes less time than more.

    >>> import boxwood as bw
    >>> contact, points = bw.shape_contact(bw.Shape.sphere(1), bw.Shape.box([2, 2, 2]), pose_b=bw.translation(1.5, 0, 0))
    >>> contact.kind.name, round(contact.depth, 9), contact.normal, len(points)
    ('CROSSING', 0.5, (1.0, 0.0, 0.0), 1)
    """

def shape_overlap(a: Shape, b: Shape, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> Kind:
    """How two shapes meet, without points and depth: less work than ``shape_contact``.

    >>> import boxwood as bw
    >>> bw.shape_overlap(bw.Shape.sphere(1), bw.Shape.box([2, 2, 2]), pose_b=bw.translation(1.5, 0, 0)).name
    'CROSSING'
    """

def shape_collide(
    shape: Shape,
    body: Body,
    shape_pose: ArrayLike | None = None,
    pose: ArrayLike | None = None,
    *,
    separation: float = 0.0,
) -> ShapeHits:
    """Every primitive of a body that a shape meets.

    >>> import boxwood as bw
    >>> len(bw.shape_collide(bw.Shape.sphere(0.6), bw.samples.cube(), bw.translation(0, 0, 1)))
    2
    """

def shape_distance(
    shape: Shape,
    other: Shape | Body,
    shape_pose: ArrayLike | None = None,
    pose: ArrayLike | None = None,
    *,
    max_distance: float | None = None,
) -> ShapeDistance:
    """The distance of a shape from another shape or a body; zero exactly where they meet.

    >>> import boxwood as bw
    >>> bw.shape_distance(bw.Shape.sphere(0.5), bw.samples.cube(), bw.translation(0.1, 0.2, 3)).distance
    2.0
    """

def shape_rays(
    shape: Shape,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    t_max: ArrayLike | None = None,
    pose: ArrayLike | None = None,
) -> Any:
    """Where rays enter a shape: ShapeRayHits for arrays (n, 3), a ShapeRayHit for a single ray.

    >>> import boxwood as bw
    >>> bw.shape_rays(bw.Shape.sphere(1), [0, 0, 5], [0, 0, -1]).t
    4.0
    """

def sweep(
    a: Shape | Body,
    b: Shape | Body,
    start_a: ArrayLike | None = None,
    end_a: ArrayLike | None = None,
    start_b: ArrayLike | None = None,
    end_b: ArrayLike | None = None,
    *,
    tolerance: float = 0.0,
    max_steps: int = 0,
) -> Sweep:
    """When two rigid bodies or shapes that move and turn from one pose to another first touch, by conservative advancement.

    Each turns by the shortest way about its own origin, which moves on a straight line; without poses it rests. tolerance: what
    counts as contact (0: a millionth of their size).

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> hit = bw.sweep(cube, cube, end_a=bw.translation(4, 0, 0), start_b=bw.translation(3, 0, 0))
    >>> hit.status.name, round(hit.time, 5)
    ('FOUND', 0.5)
    """

def pose_between(
    start: ArrayLike | None, end: ArrayLike | None, time: ArrayLike, *, centre: ArrayLike | None = None
) -> Floats:
    """The pose at a time from 0 to 1 on the way that ``sweep`` takes from one pose to another, (4, 4), or (n, 4, 4) for times (n,).

    centre: the point about which it turns, as it stands at time 0 (None: the origin of the body).

    >>> import boxwood as bw
    >>> half = bw.pose_between(bw.translation(1, 0, 0), bw.rotation((0, 0, 1), 2.0, (5, 0, 0)), 0.5)
    >>> bool(abs(half - bw.rotation((0, 0, 1), 1.0, (3, 0, 0))).max() < 1e-12)
    True
    """

def rigid(pose: ArrayLike) -> Floats:
    """The rotation nearest to a pose that is one but for rounding, with its translation, (4, 4): for poses of float32 or products of many,
    which shapes refuse. Anything farther from a rotation than 0.01 is an Error.

    >>> import boxwood as bw, numpy as np
    >>> rounded = np.array(bw.rotation((1, 2, 3), 0.7)).astype(np.float32)
    >>> bool(abs(bw.rigid(rounded) - rounded).max() < 1e-6)
    True
    """

# ---- steps of simulators ----

@final
class StepContact:
    """Two features that meet during a step, and when: the first contact lies within [time, time_after]."""

    @property
    def feature(self) -> StepFeature: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def vertices(self) -> tuple[int, int, int, int]: ...
    @property
    def answer(self) -> Ccd: ...
    @property
    def exact(self) -> bool: ...
    @property
    def time(self) -> float: ...
    @property
    def time_after(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class StepContacts:
    """Contacts of a step as columns, by feature, then a, then b; ``report`` is a StepReport."""

    @property
    def feature(self) -> Ints: ...
    @property
    def a(self) -> Ints: ...
    @property
    def b(self) -> Ints: ...
    @property
    def vertices(self) -> Ints: ...
    @property
    def answer(self) -> Ints: ...
    @property
    def exact(self) -> Bools: ...
    @property
    def time(self) -> Floats: ...
    @property
    def time_after(self) -> Floats: ...
    @property
    def report(self) -> StepReport: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> StepContact: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class StepReport:
    """What a query of a step found and looked at; ``earliest_time`` is 1 where there is no contact."""

    @property
    def status(self) -> Status: ...
    @property
    def contact_count(self) -> int: ...
    @property
    def vertex_face_count(self) -> int: ...
    @property
    def edge_edge_count(self) -> int: ...
    @property
    def vertex_edge_count(self) -> int: ...
    @property
    def vertex_vertex_count(self) -> int: ...
    @property
    def close_count(self) -> int: ...
    @property
    def earliest_time(self) -> float: ...
    @property
    def candidate_count(self) -> int: ...
    @property
    def tested(self) -> int: ...
    @property
    def exact(self) -> int: ...
    @property
    def kept(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class StepCandidate:
    """Two features whose swept boxes meet."""

    @property
    def feature(self) -> StepFeature: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class StepCandidates:
    """Candidates of a step, a row each."""

    @property
    def feature(self) -> Ints: ...
    @property
    def a(self) -> Ints: ...
    @property
    def b(self) -> Ints: ...
    @property
    def report(self) -> StepReport: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> StepCandidate: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class StepWitness:
    """The nearest points of two features: weights of their four vertices, and the normal from a towards b."""

    @property
    def weights(self) -> tuple[float, float, float, float]: ...
    @property
    def point_a(self) -> Vec3: ...
    @property
    def point_b(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def distance(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class StepWitnesses:
    """Witnesses of contacts, a row each."""

    @property
    def weights(self) -> Floats: ...
    @property
    def point_a(self) -> Floats: ...
    @property
    def point_b(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def distance(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> StepWitness: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class StepNear:
    """Two features that are near, the nearest of their kind, with their nearest points."""

    @property
    def feature(self) -> StepFeature: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def vertices(self) -> tuple[int, int, int, int]: ...
    @property
    def pair_count(self) -> int: ...
    @property
    def weights(self) -> tuple[float, float, float, float]: ...
    @property
    def point_a(self) -> Vec3: ...
    @property
    def point_b(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def distance(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class StepNears:
    """What is near at a time, a row each: the terms of a contact potential."""

    @property
    def feature(self) -> Ints: ...
    @property
    def a(self) -> Ints: ...
    @property
    def b(self) -> Ints: ...
    @property
    def vertices(self) -> Ints: ...
    @property
    def pair_count(self) -> Indices: ...
    @property
    def weights(self) -> Floats: ...
    @property
    def point_a(self) -> Floats: ...
    @property
    def point_b(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def distance(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> StepNear: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class SafeStep:
    """How far along the step everything may move (``step``), and the contact that ends it: of which couple (-1: none does)."""

    @property
    def step(self) -> float: ...
    @property
    def couple(self) -> int: ...
    @property
    def feature(self) -> StepFeature: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def vertices(self) -> tuple[int, int, int, int]: ...
    @property
    def answer(self) -> Ccd: ...
    @property
    def exact(self) -> bool: ...
    @property
    def time(self) -> float: ...
    @property
    def time_after(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class CcdResult:
    """APART (proven), CONTACT within [time, time_after] (proven), or CLOSE: not to be told from contact at the finest resolution."""

    @property
    def answer(self) -> Ccd: ...
    @property
    def exact(self) -> bool: ...
    @property
    def time(self) -> float: ...
    @property
    def time_after(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class CcdResults:
    """Answers of continuous queries, a row each."""

    @property
    def answer(self) -> Ints: ...
    @property
    def exact(self) -> Bools: ...
    @property
    def time(self) -> Floats: ...
    @property
    def time_after(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> CcdResult: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class StepCache:
    """Candidates kept from step to step for queries of a Step; it never changes an answer. One query at a time may use it.

    >>> import boxwood as bw
    >>> cache = bw.StepCache()
    """

    def __new__(cls, *, margin: float = 0.0) -> StepCache: ...
    def reset(self) -> None:
        """Forgets all candidates.

        >>> import boxwood as bw
        >>> bw.StepCache().reset()
        """
    def close(self) -> None:
        """Gives its memory back for good. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> cache = bw.StepCache()
        >>> cache.close()
        """
    def __enter__(self) -> StepCache: ...
    def __exit__(self, *args: object) -> None: ...

@final
class Step:
    """A mesh during a step of a simulator: every vertex moves on a straight line from where it is in ``mesh`` to ``end``.

    edges: (k, 2), edges of no triangle (ropes, hair); points: vertices that nothing names collide, too; thickness: a radius for each
    vertex. Contacts are decided exactly: none is missed. Positions are copied.

    >>> import boxwood as bw
    >>> above, below = bw.samples.cloth(4, height=1.0), bw.samples.cloth(4)
    >>> falling = bw.Step(above, above.vertices - [0, 0, 2])
    >>> resting = bw.Step(below, below.vertices)
    >>> round(falling.earliest(resting).time, 9)
    0.5
    """

    def __new__(
        cls,
        mesh: Mesh,
        end: ArrayLike,
        *,
        edges: ArrayLike | None = None,
        points: bool = False,
        thickness: ArrayLike | None = None,
        pool: Pool | None = None,
    ) -> Step: ...
    @property
    def edge_count(self) -> int:
        """Edges of the triangles, ordered by their vertices, and after them those that were given."""
    def update(self, start: ArrayLike, end: ArrayLike, *, pool: Pool | None = None) -> None:
        """The next step of the same mesh; much faster than a new Step.

        >>> import boxwood as bw
        >>> cloth = bw.samples.cloth(4)
        >>> step = bw.Step(cloth, cloth.vertices + 1)
        >>> step.update(cloth.vertices + 1, cloth.vertices + 2)
        """
    def contacts(
        self,
        other: Step | None = None,
        *,
        tolerance: float = 0.0,
        separation: float = 0.0,
        cache: StepCache | None = None,
        can_collide: Callable[[StepFeature, int, int], object] | None = None,
        pool: Pool | None = None,
        progress: Progress = None,
    ) -> StepContacts:
        """Every vertex that meets a face and every edge that meets an edge, with the time of the first contact.

        Without ``other`` those of the mesh with itself (features that share a vertex are left out). separation: contact is a
        distance of at most this. tolerance: how far a time may lie before the true one (0: 2**-20). can_collide(feature, a, b): whether
        two features may meet at all, asked of candidates in no order; numbers as in StepContact.

        >>> import boxwood as bw
        >>> a, b = bw.samples.cloth(2, height=1.0), bw.samples.cloth(3)
        >>> len(bw.Step(a, a.vertices - [0, 0, 2]).contacts(bw.Step(b, b.vertices))) > 0
        True
        """
    def earliest(
        self,
        other: Step | None = None,
        *,
        tolerance: float = 0.0,
        separation: float = 0.0,
        cache: StepCache | None = None,
        can_collide: Callable[[StepFeature, int, int], object] | None = None,
        pool: Pool | None = None,
        progress: Progress = None,
    ) -> StepContact:
        """The earliest contact alone, found with less work; its time is 1 and its feature NOTHING where there is none.

        >>> import boxwood as bw
        >>> ball = bw.samples.sphere(2)
        >>> bw.Step(ball, ball.vertices * 0.5).earliest().feature.name
        'NOTHING'
        """
    def candidates(
        self,
        other: Step | None = None,
        *,
        separation: float = 0.0,
        cache: StepCache | None = None,
        can_collide: Callable[[StepFeature, int, int], object] | None = None,
        pool: Pool | None = None,
        progress: Progress = None,
    ) -> StepCandidates:
        """The pairs of features whose swept boxes meet: what a broad phase gives.

        >>> import boxwood as bw
        >>> ball = bw.samples.sphere(1)
        >>> found = bw.Step(ball, ball.vertices).candidates()
        >>> len(found) == found.report.candidate_count
        True
        """
    def candidate_vertices(self, candidates: StepCandidates, other: Step | None = None) -> Ints:
        """The vertices of candidates, (n, 4), ordered as those of contacts.

        >>> import boxwood as bw
        >>> ball = bw.samples.sphere(1)
        >>> step = bw.Step(ball, ball.vertices)
        >>> step.candidate_vertices(step.candidates()).shape[1]
        4
        """
    def check(self) -> str | None:
        """Proves that every swept box holds what is below it: None, or a sentence about the first fault.

        >>> import boxwood as bw
        >>> bw.Step(bw.samples.cube(), bw.samples.cube().vertices).check()
        """
    def near(
        self,
        distance: float,
        other: Step | None = None,
        *,
        time: float = 0.0,
        cache: StepCache | None = None,
        can_collide: Callable[[StepFeature, int, int], object] | None = None,
        pool: Pool | None = None,
        progress: Progress = None,
    ) -> StepNears:
        """Features no farther apart than ``distance`` at a time of the step, each pair of nearest points once.

        >>> import boxwood as bw
        >>> a, b = bw.samples.cloth(2, height=0.1), bw.samples.cloth(2)
        >>> round(float(bw.Step(a, a.vertices).near(0.2, bw.Step(b, b.vertices)).distance.min()), 9)
        0.1
        """
    def witnesses(self, contacts: StepContacts, other: Step | None = None) -> StepWitnesses:
        """Weights, points and normals of contacts at their times.

        >>> import boxwood as bw
        >>> a, b = bw.samples.cloth(2, height=1.0), bw.samples.cloth(3)
        >>> above, below = bw.Step(a, a.vertices - [0, 0, 2]), bw.Step(b, b.vertices)
        >>> bool(abs(above.witnesses(above.contacts(below), below).normal[:, 2]).min() > 0.99)
        True
        """
    def close(self) -> None:
        """Gives its memory back. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> step = bw.Step(cube, cube.vertices)
        >>> step.close()
        >>> step
        Step(closed)
        """
    def __enter__(self) -> Step: ...
    def __exit__(self, *args: object) -> None: ...

def safe_step(
    couples: Iterable[Step | tuple[Step, Step]],
    *,
    tolerance: float = 0.0,
    separation: float = 0.0,
    keep: float = 0.0,
    can_collide: Callable[[StepFeature, int, int], object] | None = None,
    pool: Pool | None = None,
    progress: Progress = None,
) -> SafeStep:
    """How far along their steps all meshes may move before anything touches: for line searches.

    A Step stands for itself with itself, a pair for two. keep: what is nearer than the separation already may come nearer until it
    is at this part of its distance (0: one half). can_collide: as in ``Step.contacts``.

    >>> import boxwood as bw
    >>> a, b = bw.samples.cloth(2, height=1.0), bw.samples.cloth(3)
    >>> above, below = bw.Step(a, a.vertices - [0, 0, 4]), bw.Step(b, b.vertices)
    >>> round(bw.safe_step([(above, below), above]).step, 3)
    0.25
    """

def ccd_vertex_face(start: ArrayLike, end: ArrayLike, *, tolerance: float = 0.0, separation: float = 0.0) -> Any:
    """When a moving vertex first meets a moving face: arrays (n, 4, 3), or (4, 3) for one, of the vertex and the three corners.

    CcdResults, or a CcdResult for one. No contact is ever missed.

    >>> import boxwood as bw
    >>> face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> hit = bw.ccd_vertex_face([[0.2, 0.2, 1], *face], [[0.2, 0.2, -1], *face])
    >>> hit.answer.name, round(hit.time, 9)
    ('CONTACT', 0.5)
    """

def ccd_edge_edge(start: ArrayLike, end: ArrayLike, *, tolerance: float = 0.0, separation: float = 0.0) -> Any:
    """When two moving edges first meet: arrays (n, 4, 3), or (4, 3) for one, of the ends of the first and of the second.

    >>> import boxwood as bw
    >>> a, b = [[-1, 0, 0], [1, 0, 0]], [[0, -1, 1], [0, 1, 1]]
    >>> round(bw.ccd_edge_edge(a + b, [[-1, 0, 2], [1, 0, 2]] + b).time, 9)
    0.5
    """

@final
class CcdTriangle:
    """The first contact of two moving triangles, as a CcdResult; feature, a and b: which corners, edges or face (0 to 2) meet."""

    @property
    def answer(self) -> Ccd: ...
    @property
    def time(self) -> float: ...
    @property
    def time_after(self) -> float: ...
    @property
    def feature(self) -> StepFeature: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class CcdTriangles:
    """First contacts of pairs of moving triangles, a row each."""

    @property
    def answer(self) -> Ints: ...
    @property
    def time(self) -> Floats: ...
    @property
    def time_after(self) -> Floats: ...
    @property
    def feature(self) -> Ints: ...
    @property
    def a(self) -> Indices: ...
    @property
    def b(self) -> Indices: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> CcdTriangle: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def ccd_triangle_triangle(
    a_start: ArrayLike, a_end: ArrayLike, b_start: ArrayLike, b_end: ArrayLike, *, tolerance: float = 0.0, separation: float = 0.0
) -> Any:
    """When two moving triangles first meet: arrays (n, 3, 3), or (3, 3) for one, or one for all, of corners at time 0 and 1.

    >>> import boxwood as bw
    >>> floor = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    >>> first = bw.ccd_triangle_triangle([[1, 1, 1], [1, 2, 2], [2, 1, 2]], [[1, 1, -1], [1, 2, 0], [2, 1, 0]], floor, floor)
    >>> round(first.time, 9), first.feature.name, first.a
    (0.5, 'VERTEX_FACE', 0)
    """

# ---- exact predicates ----

@final
class TrianglePair:
    """Two triangles: how they meet (exactly), their distance, and the points of each that are nearest to the other."""

    @property
    def kind(self) -> Kind: ...
    @property
    def distance(self) -> float: ...
    @property
    def point_a(self) -> Vec3: ...
    @property
    def point_b(self) -> Vec3: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TrianglePairs:
    """Pairs of triangles, a row each."""

    @property
    def kind(self) -> Ints: ...
    @property
    def distance(self) -> Floats: ...
    @property
    def point_a(self) -> Floats: ...
    @property
    def point_b(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> TrianglePair: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def triangle_pairs(a: ArrayLike, b: ArrayLike) -> Any:
    """How triangles meet, pair by pair, without a tree: arrays (n, 3, 3), or (3, 3) for one, or one for all.

    The kind is exact for the coordinates given, degenerate triangles included; the distance is 0 exactly where they meet.

    >>> import boxwood as bw
    >>> floor = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    >>> bw.triangle_pairs(floor, [[1, 1, 0], [1, 2, 1], [2, 1, 1]]).kind.name
    'TOUCHING'
    >>> bw.triangle_pairs([floor, floor], [[1, 1, 3], [1, 2, 4], [2, 1, 4]]).distance.tolist()
    [3.0, 3.0]
    """

@final
class TriangleContact:
    """Where two triangles meet: the first ``count`` of the points, one, the two ends of a segment, or the corners in order of the
    polygon in which triangles of one plane overlap; the other points are zero."""

    @property
    def kind(self) -> Kind: ...
    @property
    def coplanar(self) -> bool: ...
    @property
    def count(self) -> int: ...
    @property
    def points(self) -> tuple[Vec3, Vec3, Vec3, Vec3, Vec3, Vec3]: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TriangleContacts:
    """Where pairs of triangles meet, a row each: points are (n, 6, 3)."""

    @property
    def kind(self) -> Ints: ...
    @property
    def coplanar(self) -> Bools: ...
    @property
    def count(self) -> Ints: ...
    @property
    def points(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> TriangleContact: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def triangle_contacts(a: ArrayLike, b: ArrayLike) -> Any:
    """Where triangles meet, pair by pair, without a tree: arrays (n, 3, 3), or (3, 3) for one, or one for all.

    Kind and number of points are exact for the coordinates given, degenerate triangles included; the points are rounded to double.

    >>> import boxwood as bw
    >>> floor = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    >>> wall = bw.triangle_contacts(floor, [[1, 0, -1], [1, 0, 1], [1, 2, 1]])
    >>> wall.kind.name, wall.points[: wall.count]
    ('CROSSING', ((1.0, 0.0, 0.0), (1.0, 1.0, 0.0)))
    >>> bw.triangle_contacts([floor, floor], [[1, 1, 3], [1, 2, 4], [2, 1, 4]]).count.tolist()
    [0, 0]
    """

@final
class TriangleRay:
    """How a ray or a segment meets a triangle, exactly, and where first: t is 0 at its origin and 1 at the second point, inf without a contact."""

    @property
    def kind(self) -> Kind: ...
    @property
    def t(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TriangleRays:
    """Rays or segments and triangles, a row each."""

    @property
    def kind(self) -> Ints: ...
    @property
    def t(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> TriangleRay: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def triangle_rays(origins: ArrayLike, through: ArrayLike, triangles: ArrayLike, *, segments: bool = False) -> Any:
    """How rays meet triangles, pair by pair, without a tree: from origins through second points (n, 3), with triangles (n, 3, 3), or one
    for all. segments: they end at the second points.

    The kind is exact for the coordinates given; a second point keeps it so, where a direction would be rounded.

    >>> import boxwood as bw
    >>> floor = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    >>> bw.triangle_rays([1, 1, 4], [1, 1, 2], floor)
    TriangleRay(kind=CROSSING, t=2.0)
    >>> bw.triangle_rays([[1, 1, 4], [1, 1, 4]], [[1, 1, 2], [1, 1, 0]], floor, segments=True).kind.tolist()
    [0, 1]
    """

@final
class TrianglePoint:
    """The distance of a point from a triangle, and the nearest point of the triangle."""

    @property
    def distance(self) -> float: ...
    @property
    def point(self) -> Vec3: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TrianglePoints:
    """Points and triangles, a row each."""

    @property
    def distance(self) -> Floats: ...
    @property
    def point(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> TrianglePoint: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

def triangle_points(points: ArrayLike, triangles: ArrayLike) -> Any:
    """How far points are from triangles, pair by pair, without a tree: (n, 3) and (n, 3, 3), or one for all. 0 exactly where they touch.

    >>> import boxwood as bw
    >>> bw.triangle_points([1, 1, 3], [[0, 0, 0], [4, 0, 0], [0, 4, 0]])
    TrianglePoint(distance=3.0, point=(1.0, 1.0, 0.0))
    """

def collinear(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Any:
    """Whether three points lie on one line, exactly: such a triangle has no area; points (n, 3), or (3,) for one, or one for all.

    >>> import boxwood as bw
    >>> bw.collinear([0, 0, 0], [1, 1, 1], [3, 3, 3]), bw.collinear([0, 0, 0], [1, 1, 1], [[3, 3, 3], [3, 3, 4]]).tolist()
    (True, [True, False])
    """

def orient3d(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> Any:
    """The sign of the determinant of a - d, b - d, c - d, exactly: 1, 0 (one plane) or -1; points (n, 3), or (3,) for one, or one for all.

    >>> import boxwood as bw
    >>> bw.orient3d([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]), bw.orient3d([1, 0, 0], [0, 1, 0], [1, 1, 0], [[0, 0, 0], [0, 0, 1e-90]]).tolist()
    (1, [0, 1])
    """

def orient2d(a: ArrayLike, b: ArrayLike, c: ArrayLike, *, axis: int = 2) -> Any:
    """Whether a, b, c turn left (1), lie on a line (0) or turn right (-1), exactly, seen along an axis; points (n, 3), or (3,) for one, or one for all.

    >>> import boxwood as bw
    >>> bw.orient2d([0, 0, 0], [1, 1, 0], [[2, 2, 0], [2, 3, 0], [2, 1, 0]]).tolist()
    [0, 1, -1]
    """

# ---- scenes ----

@final
class SceneHit:
    """An object of a scene: its id, t along a ray or the squared distance of a point, and the number of its path (0 without paths)."""

    @property
    def id(self) -> int: ...
    @property
    def value(self) -> float: ...
    @property
    def path(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SceneHits:
    """Objects of a scene, nearest first."""

    @property
    def id(self) -> Counts: ...
    @property
    def value(self) -> Floats: ...
    @property
    def path(self) -> Indices: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> SceneHit: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class ScenePair:
    """Two objects whose boxes overlap, and the numbers of their paths (0 without paths)."""

    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def path_a(self) -> int: ...
    @property
    def path_b(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ScenePairs:
    """Pairs of objects whose boxes overlap, a row each."""

    @property
    def a(self) -> Counts: ...
    @property
    def b(self) -> Counts: ...
    @property
    def path_a(self) -> Indices: ...
    @property
    def path_b(self) -> Indices: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> ScenePair: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class SceneStats:
    """Size and history of a scene's tree."""

    @property
    def object_count(self) -> int: ...
    @property
    def node_count(self) -> int: ...
    @property
    def leaf_count(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def largest_leaf_count(self) -> int: ...
    @property
    def split_count(self) -> int: ...
    @property
    def merge_count(self) -> int: ...
    @property
    def reinserted_count(self) -> int: ...
    @property
    def rebuilt_count(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def reason(self) -> str: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class PrepareReport:
    """What ``Scene.prepare`` did: leaves split and boxes recomputed, and how many nodes outside the region still wait."""

    @property
    def split_count(self) -> int: ...
    @property
    def recalculated_count(self) -> int: ...
    @property
    def pending_count(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ViewCache:
    """What ``Scene.query`` by planes remembers of one view, so that the next, similar one is faster; it never changes an answer.

    >>> import boxwood as bw
    >>> cache, scene = bw.ViewCache(), bw.Scene()
    >>> one = scene.insert([[4, 0, 0], [5, 1, 1]])
    >>> scene.query(planes=bw.view_planes([0, 0, 0], [1, 0, 0]), cache=cache).tolist() == [one]
    True
    """

    def __new__(cls) -> ViewCache: ...
    def reset(self) -> None:
        """Forgets what it remembers.

        >>> import boxwood as bw
        >>> bw.ViewCache().reset()
        """
    def close(self) -> None:
        """Gives its memory back for good. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> cache = bw.ViewCache()
        >>> cache.close()
        """
    def __enter__(self) -> ViewCache: ...
    def __exit__(self, *args: object) -> None: ...

@final
class CullReport:
    """What a frame of culling looked at, drew and turned away."""

    @property
    def visible_count(self) -> int: ...
    @property
    def node_count(self) -> int: ...
    @property
    def hidden_node_count(self) -> int: ...
    @property
    def tested_count(self) -> int: ...
    @property
    def hidden_object_count(self) -> int: ...
    @property
    def occluder_count(self) -> int: ...
    @property
    def triangle_count(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SceneObject:
    """An object that a query found through scenes in scenes: its id, and the number of its path (``ScenePaths.get``)."""

    @property
    def id(self) -> int: ...
    @property
    def path(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SceneObjects:
    """Objects that a query found through scenes in scenes, a row each."""

    @property
    def id(self) -> Counts: ...
    @property
    def path(self) -> Indices: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> SceneObject: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class ScenePaths:
    """Numbers for ways through scenes in scenes: queries that are given one go through instances, and find objects in them.

    A path keeps its number until ``reset``; 0 is the outermost scene itself. One serves one outermost scene, by one call at a time.

    >>> import boxwood as bw
    >>> car, street, paths = bw.Scene(), bw.Scene(), bw.ScenePaths()
    >>> wheel = car.insert([[0, 0, 0], [1, 1, 1]])
    >>> ids = [street.insert_scene(car, bw.translation(x, 0, 0)) for x in (0, 10)]
    >>> found = street.query(box=[[9, 0, 0], [12, 1, 1]], paths=paths)
    >>> scene, instances, pose = paths.get(found[0].path)
    >>> scene is car, instances.tolist() == [ids[1]], found[0].id == wheel, float(pose[0, 3])
    (True, True, True, 10.0)
    """

    def __new__(cls) -> ScenePaths: ...
    def get(self, path: int) -> tuple[Scene, Counts, Floats]:
        """The scene that holds the objects, the ids of the instances on the way, outermost first, and the pose (4, 4) to the outermost.

        >>> import boxwood as bw
        >>> scene, paths = bw.Scene(), bw.ScenePaths()
        >>> found = scene.query(box=[[0, 0, 0], [1, 1, 1]], paths=paths)
        >>> paths.get(0)[0] is scene
        True
        """
    def reset(self) -> None:
        """Forgets all paths, and the scene.

        >>> import boxwood as bw
        >>> bw.ScenePaths().reset()
        """
    def close(self) -> None:
        """Gives its memory back for good, and lets go of its scene. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> paths = bw.ScenePaths()
        >>> paths.close()
        """
    def __enter__(self) -> ScenePaths: ...
    def __exit__(self, *args: object) -> None: ...

@final
class Scene:
    """Boxes that come, go and move at any time, and questions about them; each object has an id and a number of yours (``user``).

    Boxes are (2, 3), the least and the greatest corner, kept as floats rounded outward. Ids are never used again: a stale one is a
    StaleError. track_pairs: keep what ``pairs_changed`` needs. Any number of threads may ask while nobody changes it, or a scene in it.
    pool: threads for inserts, moves and pairs of many.

    >>> import boxwood as bw
    >>> scene = bw.Scene()
    >>> ids = scene.insert([[[0, 0, 0], [1, 1, 1]], [[0.5, 0, 0], [2, 1, 1]], [[5, 5, 5], [6, 6, 6]]])
    >>> len(scene), len(scene.pairs()), int(ids[2]) in scene
    (3, 1, True)
    """

    def __new__(cls, *, track_pairs: bool = False, pool: Pool | None = None) -> Scene: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: int, /) -> bool: ...
    def insert(self, boxes: ArrayLike, users: ArrayLike | None = None) -> Any:
        """Takes in boxes (n, 2, 3), all or none, and gives their ids; for a single box (2, 3) its id.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> scene.get(scene.insert([[0, 0, 0], [1, 1, 1]], users=7))[1]
        7
        """
    def check(self) -> str | None:
        """Proves the invariants of the scene: None if all hold, otherwise a sentence about the first that does not.

        >>> import boxwood as bw
        >>> bw.Scene().check()
        """
    @property
    def bounds(self) -> Floats32 | None:
        """A box around everything, (2, 3), perhaps larger than the smallest until ``prepare``; None without objects."""
    def insert_scene(self, child: Scene, pose: ArrayLike | None = None, *, user: int = 0) -> int:
        """Places a scene in this one, under any affine pose, and gives the instance's id; a scene that would contain itself is an Error.

        The instance is an object like others: its box follows the child's, ``remove`` takes it out. With ``paths`` queries go into it.

        >>> import boxwood as bw
        >>> car, street = bw.Scene(), bw.Scene()
        >>> one = street.insert_scene(car, bw.translation(5, 0, 0))
        >>> wheel = car.insert([[0, 0, 0], [1, 1, 1]])
        >>> street.query(sphere=[5, 0, 0], radius=0.5).tolist() == [one], street
        (True, Scene(1 objects, 1 of them scenes))
        """
    def set_pose(self, id: int, pose: ArrayLike | None) -> None:
        """Gives an instance another pose.

        >>> import boxwood as bw
        >>> street = bw.Scene()
        >>> street.set_pose(street.insert_scene(bw.Scene()), bw.translation(1, 0, 0))
        """
    def child(self, id: int) -> tuple[Scene, Floats] | None:
        """The scene of an instance and its pose (4, 4); None for other objects.

        >>> import boxwood as bw
        >>> car, street = bw.Scene(), bw.Scene()
        >>> street.child(street.insert_scene(car))[0] is car
        True
        """
    def move(self, ids: ArrayLike, boxes: ArrayLike) -> None:
        """Gives objects other boxes, all or none.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> one = scene.insert([[0, 0, 0], [1, 1, 1]])
        >>> scene.move(one, [[4, 0, 0], [5, 1, 1]])
        >>> scene.get(one)[0].tolist()
        [[4.0, 0.0, 0.0], [5.0, 1.0, 1.0]]
        """
    def remove(self, ids: ArrayLike) -> None:
        """Takes objects out, all or none.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> scene.remove(scene.insert([[0, 0, 0], [1, 1, 1]]))
        >>> len(scene)
        0
        """
    def insert_sphere(self, centre: ArrayLike, radius: float, *, user: int = 0) -> int:
        """Takes in the smallest box of floats around a sphere, and gives its id; of many at once ``insert`` is faster.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> scene.get(scene.insert_sphere([1, 2, 3], 0.5))[0].tolist()
        [[0.5, 1.5, 2.5], [1.5, 2.5, 3.5]]
        """
    def move_sphere(self, id: int, centre: ArrayLike, radius: float) -> None:
        """Gives an object the smallest box of floats around a sphere.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> one = scene.insert_sphere([1, 2, 3], 0.5)
        >>> scene.move_sphere(one, [0, 0, 0], 1)
        >>> scene.get(one)[0].tolist()
        [[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]
        """
    def move_swept(self, id: int, box: ArrayLike, displacement: ArrayLike) -> None:
        """Gives an object the box of a box on its whole way: what could meet on the way is a pair of boxes then.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> one = scene.insert([[0, 0, 0], [1, 1, 1]])
        >>> scene.move_swept(one, [[0, 0, 0], [1, 1, 1]], [5, 0, -1])
        >>> scene.get(one)[0].tolist()
        [[0.0, 0.0, -1.0], [6.0, 1.0, 1.0]]
        """
    def prepare(self, box: ArrayLike | None = None) -> PrepareReport:
        """Does what was put off, where a box (2, 3) meets it or everywhere: once in a while, after many moves.

        >>> import boxwood as bw
        >>> bw.Scene().prepare().pending_count
        0
        """
    def set_user(self, id: int, user: int) -> None:
        """Gives an object another user number.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> one = scene.insert([[0, 0, 0], [1, 1, 1]])
        >>> scene.set_user(one, 7)
        >>> scene.get(one)[1]
        7
        """
    def get(self, id: int) -> tuple[Floats32, int]:
        """The box and the user number of an object.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> scene.get(scene.insert([[0, 0, 0], [1, 1, 1]]))[0].tolist()
        [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
        """
    @overload
    def query(
        self,
        *,
        box: ArrayLike | None = None,
        sphere: ArrayLike | None = None,
        capsule: ArrayLike | None = None,
        planes: ArrayLike | None = None,
        ray: ArrayLike | None = None,
        radius: float = 0.0,
        cache: ViewCache | None = None,
        paths: None = None,
        visit: Callable[[int, int], object] | None = None,
    ) -> Counts:
        """The ids of objects whose boxes meet a region (see ``region``; ``view_planes`` gives those of a camera).

        paths: go through scenes in scenes; the answer is then a table of SceneObjects, with paths. visit: called with each id and path
        as it is found; False ends the query. ray: (2, 3), an origin and a direction. cache: what queries of one view by planes remember.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> ids = scene.insert([[[0, 0, 0], [1, 1, 1]], [[5, 5, 5], [6, 6, 6]]])
        >>> scene.query(sphere=[0, 0, 0], radius=2).tolist() == [ids[0]]
        True
        """
    @overload
    def query(
        self,
        *,
        box: ArrayLike | None = None,
        sphere: ArrayLike | None = None,
        capsule: ArrayLike | None = None,
        planes: ArrayLike | None = None,
        ray: ArrayLike | None = None,
        radius: float = 0.0,
        cache: ViewCache | None = None,
        paths: ScenePaths,
        visit: Callable[[int, int], object] | None = None,
    ) -> SceneObjects: ...
    def query_many(
        self, *, boxes: ArrayLike | None = None, spheres: ArrayLike | None = None, radius: ArrayLike | None = None
    ) -> tuple[Counts, Counts]:
        """The ids of objects that meet boxes (n, 2, 3), or spheres (n, 3) of one radius or (n,): all ids, and n + 1 offsets into them.

        The ids of region i are ``ids[offsets[i]:offsets[i + 1]]``. With a pool of the scene several threads answer.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> one = scene.insert([[0, 0, 0], [1, 1, 1]])
        >>> ids, offsets = scene.query_many(spheres=[[0, 0, 0], [9, 9, 9]], radius=1)
        >>> ids.tolist() == [one], offsets.tolist()
        (True, [0, 1, 1])
        """
    def pairs(self, *, paths: ScenePaths | None = None) -> ScenePairs:
        """Every two objects whose boxes overlap; with paths those in scenes in scenes, too.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> ids = scene.insert([[[0, 0, 0], [1, 1, 1]], [[0.5, 0, 0], [2, 1, 1]]])
        >>> len(scene.pairs())
        1
        """
    def pairs_changed(self) -> tuple[ScenePairs, ScenePairs]:
        """The pairs that began and those that ended to overlap since the last call; needs ``track_pairs``.

        >>> import boxwood as bw
        >>> scene = bw.Scene(track_pairs=True)
        >>> ids = scene.insert([[[0, 0, 0], [1, 1, 1]], [[0.5, 0, 0], [2, 1, 1]]])
        >>> began, ended = scene.pairs_changed()
        >>> len(began), len(ended)
        (1, 0)
        """
    def nearest(
        self,
        point: ArrayLike,
        count: int = 1,
        *,
        max_distance: float | None = None,
        paths: ScenePaths | None = None,
        value: Callable[[int, int, float, float], float | None] | None = None,
    ) -> SceneHits:
        """The objects nearest to a point by their boxes, nearest first, none farther than max_distance.

        value(id, path, bound, limit): the square of the distance of the object itself, which is at least bound; None: beyond limit.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> ids = scene.insert([[[0, 0, 0], [1, 1, 1]], [[5, 5, 5], [6, 6, 6]]])
        >>> scene.nearest([3, 0, 0])[0].value
        4.0
        """
    def cast(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_max: float | None = None,
        any: bool = False,
        paths: ScenePaths | None = None,
        value: Callable[[int, int, float, float], float | None] | None = None,
    ) -> SceneHit | None:
        """The object whose box a ray enters first, or None. any: whichever is found first.

        value(id, path, bound, limit): where the ray meets the object itself, at bound or later; None: not up to limit.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> one = scene.insert([[1, 0, 0], [2, 1, 1]])
        >>> scene.cast([0, 0.5, 0.5], [1, 0, 0]).value
        1.0
        """
    def visit(self, visitor: Callable[[Floats32, int, Counts], object]) -> None:
        """Calls ``visitor(box, depth, ids)`` for every node of the tree, parents first, with its own objects. False ends it.

        >>> import boxwood as bw
        >>> scene, seen = bw.Scene(), []
        >>> one = scene.insert([[0, 0, 0], [1, 1, 1]])
        >>> scene.visit(lambda box, depth, ids: seen.extend(ids.tolist()))
        >>> seen == [one]
        True
        """
    def stats(self) -> SceneStats:
        """Size and history of the tree.

        >>> import boxwood as bw
        >>> bw.Scene().stats().object_count
        0
        """
    def close(self) -> None:
        """Gives its memory back and lets go of the scenes in it; refused while another scene holds it. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> scene = bw.Scene()
        >>> scene.close()
        >>> scene
        Scene(closed)
        """
    def __enter__(self) -> Scene: ...
    def __exit__(self, *args: object) -> None: ...

def view_planes(
    eye: ArrayLike,
    forward: ArrayLike,
    *,
    up: ArrayLike = (0.0, 0.0, 1.0),
    fov: float = 1.0,
    aspect: float = 1.0,
    near: float = 0.1,
    far: float | None = None,
) -> Floats32:
    """The planes (5 or 6, 4) of a camera's view, for ``Scene.query`` and ``region``; fov: the full vertical angle in radians.

    >>> import boxwood as bw
    >>> bw.view_planes([0, 0, 0], [1, 0, 0]).shape
    (5, 4)
    """

def view_project(
    points: ArrayLike,
    eye: ArrayLike,
    forward: ArrayLike,
    *,
    width: int = 512,
    height: int = 256,
    up: ArrayLike = (0.0, 0.0, 1.0),
    fov: float = 1.0,
    aspect: float = 1.0,
    near: float = 0.1,
    far: float | None = None,
) -> Floats:
    """Where points (n, 3), or (3,) for one, appear in a picture: x and y in pixels from the top left, and the depth along forward.

    NaN for what is not beyond the near distance.

    >>> import boxwood as bw
    >>> bw.view_project([5, 0, 0], [0, 0, 0], [1, 0, 0], width=640, height=480).tolist()
    [320.0, 240.0, 5.0]
    """

@final
class Depth:
    """A depth buffer: draw what hides, and ask which boxes are hidden. Nothing that is seen is told to be hidden.

    width, height: 1 to 16384 pixels.

    >>> import boxwood as bw
    >>> depth = bw.Depth(256, 128)
    >>> depth.begin([0, 0, 0], [1, 0, 0])
    >>> depth.draw(bw.samples.cube(2), bw.translation(5, 0, 0), closed=True) > 0
    True
    >>> depth.hides([[[9, -0.2, -0.2], [9.4, 0.2, 0.2]], [[9, 2, 2], [9.4, 2.5, 2.5]]]).tolist()
    [True, False]
    """

    def __new__(cls, width: int = 512, height: int = 256) -> Depth: ...
    def begin(
        self,
        eye: ArrayLike,
        forward: ArrayLike,
        *,
        up: ArrayLike = (0.0, 0.0, 1.0),
        fov: float = 1.0,
        aspect: float = 1.0,
        near: float = 0.1,
        far: float | None = None,
    ) -> None:
        """Empties the buffer and takes a view.

        >>> import boxwood as bw
        >>> bw.Depth(8, 8).begin([0, 0, 0], [1, 0, 0], fov=0.5)
        """
    def draw(self, mesh: Mesh, pose: ArrayLike | None = None, *, closed: bool = False) -> int:
        """Draws triangles that hide what is behind them, and tells how many reached the buffer. closed: their backs need not be drawn.

        >>> import boxwood as bw
        >>> depth = bw.Depth(8, 8)
        >>> depth.begin([0, 0, 0], [1, 0, 0])
        >>> depth.draw(bw.samples.cube(), bw.translation(-5, 0, 0))
        0
        """
    def hides(self, boxes: ArrayLike) -> Any:
        """Whether all of a box (2, 3), or of boxes (n, 2, 3), is behind what was drawn, or outside the picture.

        >>> import boxwood as bw
        >>> depth = bw.Depth(8, 8)
        >>> depth.begin([0, 0, 0], [1, 0, 0])
        >>> depth.hides([[4, 0, 0], [5, 1, 1]])
        False
        """
    def values(self, level: int = 0) -> Floats32:
        """The buffer, (height, width) of 1 / depth from the top left, 0 where nothing was drawn; level: of squares of 2**level pixels the
        farthest.

        >>> import boxwood as bw
        >>> bw.Depth(64, 32).values(3).shape
        (4, 8)
        """
    def close(self) -> None:
        """Gives its memory back. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> depth = bw.Depth()
        >>> depth.close()
        """
    def __enter__(self) -> Depth: ...
    def __exit__(self, *args: object) -> None: ...

@final
class Culler:
    """What a camera sees of a scene, frame by frame, by frustum and by occlusion: nothing that is seen is left out.

    occluders: a dict from user numbers of the scene's objects to what hides things behind it: a Mesh, or (Mesh, pose, closed), inside
    the object and in the scene's coordinates. Without them the frustum alone culls. One culler serves one camera.

    >>> import boxwood as bw
    >>> wall, scene = bw.samples.cube(2), bw.Scene()
    >>> ids = scene.insert([[[4, -1, -1], [6, 1, 1]], [[9, -0.2, -0.2], [9.4, 0.2, 0.2]]], users=[1, 2])
    >>> culler = bw.Culler({1: (wall, bw.translation(5, 0, 0), True)})
    >>> visible, report = culler.frame(scene, [0, 0, 0], [1, 0, 0])
    >>> visible.tolist() == [ids[0]], report.occluder_count
    (True, 1)
    """

    def __new__(
        cls,
        occluders: dict[int, Any] | None = None,
        *,
        width: int = 512,
        height: int = 256,
        occluder_pixels: float = 64.0,
    ) -> Culler: ...
    @overload
    def frame(
        self,
        scene: Scene,
        eye: ArrayLike,
        forward: ArrayLike,
        *,
        up: ArrayLike = (0.0, 0.0, 1.0),
        fov: float = 1.0,
        aspect: float = 1.0,
        near: float = 0.1,
        far: float | None = None,
        paths: None = None,
        visit: Callable[[int, int], object] | None = None,
    ) -> tuple[Counts, CullReport]:
        """The ids of the objects that may be seen, and what the frame took. paths, visit: as in ``Scene.query``.

        >>> import boxwood as bw
        >>> len(bw.Culler().frame(bw.Scene(), [0, 0, 0], [1, 0, 0])[0])
        0
        """
    @overload
    def frame(
        self,
        scene: Scene,
        eye: ArrayLike,
        forward: ArrayLike,
        *,
        up: ArrayLike = (0.0, 0.0, 1.0),
        fov: float = 1.0,
        aspect: float = 1.0,
        near: float = 0.1,
        far: float | None = None,
        paths: ScenePaths,
        visit: Callable[[int, int], object] | None = None,
    ) -> tuple[SceneObjects, CullReport]: ...
    def depth(self) -> Floats32:
        """The depth buffer as the last frame left it: (height, width) of 1 / depth, 0 where nothing was drawn.

        >>> import boxwood as bw
        >>> bw.Culler(width=64, height=32).depth().shape
        (32, 64)
        """
    def reset(self) -> None:
        """Forgets the last frame.

        >>> import boxwood as bw
        >>> bw.Culler().reset()
        """
    def close(self) -> None:
        """Gives its memory back, and lets go of its occluders. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> culler = bw.Culler()
        >>> culler.close()
        """
    def __enter__(self) -> Culler: ...
    def __exit__(self, *args: object) -> None: ...

# ---- known motion ----

@final
class Motion:
    """A mesh and how it moves: positions at times (keyframes, linear in between), or a velocity or a curve for each vertex.

    times (k,) ascending with frames (k, n, 3), or a list of arrays; or velocities (n, 3) over [begin, end], from ``mesh.vertices`` at
    begin; or plans (n, 4, 3) over [begin, end]: of each vertex the factors of 1, u, u^2 and u^3, where u is the time since begin.
    Arrays of positions and velocities are read in place where rows follow each other, and must stay as they are. All float32, or all float64.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> move = bw.Motion(cube, [0.0, 2.0], [cube.vertices, cube.vertices + [4, 0, 0]])
    >>> move.span, move.sample(1.0)[0].tolist()
    ((0.0, 2.0), [1.5, -0.5, -0.5])
    """

    def __new__(
        cls,
        mesh: Mesh,
        times: ArrayLike | None = None,
        frames: ArrayLike | Sequence[ArrayLike] | None = None,
        *,
        velocities: ArrayLike | None = None,
        plans: ArrayLike | None = None,
        begin: float = 0.0,
        end: float = 1.0,
    ) -> Motion: ...
    @property
    def span(self) -> tuple[float, float]:
        """The first and the last time."""
    @property
    def mesh(self) -> Mesh:
        """The mesh that moves."""
    def sample(self, time: float) -> NDArray[Any]:
        """All positions at a time, (n, 3).

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> bw.Motion(cube, velocities=cube.vertices * 0 + 1).sample(0.5)[0].tolist()
        [0.0, 0.0, 0.0]
        """
    def __reduce__(self) -> tuple[Any, ...]: ...
    def plans(self, time: float, vertices: ArrayLike | None = None) -> tuple[float, Floats]:
        """How vertices (None: all) move at a time: an origin, and (k, 4, 3) factors of 1, u, u^2 and u^3, where u is the time since it.

        Of keyframes the straight lines between two of them. ``KineticMesh.set_plans`` and ``Separation.set_plans`` take the same.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> origin, plans = bw.Motion(cube, velocities=cube.vertices * 0 + 3).plans(0.5, [0])
        >>> origin, plans[0, :2].tolist()
        (0.0, [[-0.5, -0.5, -0.5], [3.0, 3.0, 3.0]])
        """
    def view(self, *, layers: bool = True, height: int = 520) -> View: ...

@final
class KineticReport:
    """What a step of a KineticMesh did."""

    @property
    def events(self) -> int: ...
    @property
    def leaf_events(self) -> int: ...
    @property
    def updates(self) -> int: ...
    @property
    def checks(self) -> int: ...
    @property
    def compared(self) -> int: ...
    @property
    def segments(self) -> int: ...
    @property
    def restarted(self) -> bool: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class KineticStats:
    """The size of a KineticMesh, in bytes and boxes, and what is pending; ``next_event`` is infinite where nothing will ever happen."""

    @property
    def pending(self) -> int: ...
    @property
    def boxes(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def extra(self) -> int: ...
    @property
    def next_event(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class KineticChoice:
    """Why "auto" does what it does: the cost of a step by each method in nanoseconds, as it estimates (0: not considered)."""

    @property
    def reason(self) -> str: ...
    @property
    def compiled_share(self) -> float: ...
    @property
    def refit(self) -> float: ...
    @property
    def interpolated(self) -> float: ...
    @property
    def compiled(self) -> float: ...
    @property
    def queue(self) -> float: ...
    @property
    def remembered(self) -> float: ...
    @property
    def switches(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class KineticMesh:
    """A tree over a mesh in known motion, which knows when its boxes change; taken by every query as a body, at its present time.

    method: "auto" chooses; "queue", "compiled", "interpolated", "refit" as in the C library, "boxtree" where it was built with the papers'
    structures (the wheels are not). With a PairCache queries of the same bodies between two keyframes are several times as fast.
    lazy: boxes are written where a query looks instead of all at the first query after a step, which is several times as fast for few
    questions about a large mesh, and slower for many; not for a World.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> moving = bw.KineticMesh(bw.Motion(cube, [0, 1], [cube.vertices, cube.vertices + [3, 0, 0]]))
    >>> bw.collides(moving, cube)
    True
    >>> report = moving.advance(0.9)
    >>> bw.collides(moving, cube), bw.distance(moving, cube).distance
    (False, 1.7000000000000002)
    """

    def __new__(
        cls,
        motion: Motion,
        *,
        method: Literal["auto", "queue", "compiled", "interpolated", "refit", "boxtree"] = "auto",
        time: float | None = None,
        lazy: bool = False,
        pool: Pool | None = None,
    ) -> KineticMesh: ...
    @property
    def motion(self) -> Motion:
        """The motion that it follows, but for plans that were set."""
    @property
    def time(self) -> float:
        """The time that it stands at."""
    @property
    def vertices(self) -> NDArray[Any]:
        """The positions at the present time: a copy."""
    @property
    def method(self) -> str:
        """The method in use; "auto" may change it."""
    def advance(self, time: float) -> KineticReport:
        """Goes to a time within the span of the motion; back in time costs as much as a new start.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> bw.KineticMesh(bw.Motion(cube, velocities=cube.vertices * 0 + 1)).advance(0.5).restarted
        False
        """
    def set_plans(self, vertices: ArrayLike, plans: ArrayLike, *, origin: float | None = None) -> None:
        """Gives vertices other plans from now on: (k, 4, 3) factors of 1, u, u^2, u^3, where u is the time since origin (None: now).

        "queue", "refit", "boxtree" and "auto" only. Afterwards there is no way back in time.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> moving = bw.KineticMesh(bw.Motion(cube, velocities=cube.vertices * 0))
        >>> moving.set_plans([0], [[[-0.5, -0.5, -0.5], [0, 0, -2], [0, 0, 0], [0, 0, 0]]])
        >>> report = moving.advance(0.5)
        >>> moving.vertices[0].tolist()
        [-0.5, -0.5, -1.5]
        """
    def insert(self, primitives: ArrayLike, motion: Motion | None = None) -> None:
        """Takes primitives in at the present time. motion (None: the present one) may have grown: it and its mesh begin with the vertices
        and triangles known so far, as they were.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> moving = bw.KineticMesh(bw.Motion(cube, velocities=cube.vertices * 0))
        >>> moving.remove([0, 1])
        >>> moving.insert([1])
        >>> moving.check()
        """
    def remove(self, primitives: ArrayLike) -> None:
        """Takes primitives out; all must be in the tree.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> moving = bw.KineticMesh(bw.Motion(cube, velocities=cube.vertices * 0))
        >>> moving.remove(range(12))
        >>> bw.collides(moving, cube)
        False
        """
    def stats(self) -> KineticStats:
        """Sizes, and what is pending.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> bw.KineticMesh(bw.Motion(cube, velocities=cube.vertices * 0), method="queue").stats().next_event
        inf
        """
    def total(self) -> KineticReport:
        """The sums of all steps so far.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> bw.KineticMesh(bw.Motion(cube, velocities=cube.vertices * 0)).total().events
        0
        """
    def choice(self) -> KineticChoice:
        """What "auto" chose, and why.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> bw.KineticMesh(bw.Motion(cube, velocities=cube.vertices * 0), method="refit").choice().reason
        'asked for'
        """
    def check(self) -> str | None:
        """Proves that the tree is valid at the present time: None, or a sentence about the first fault.

        >>> import boxwood as bw
        >>> cube = bw.samples.cube()
        >>> bw.KineticMesh(bw.Motion(cube, velocities=cube.vertices * 0)).check()
        """
    def close(self) -> None:
        """Gives its memory back; refused while a World has it. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> moving = bw.KineticMesh(bw.Motion(bw.samples.cube(), velocities=[[1.0, 0, 0]] * 8))
        >>> moving.close()
        >>> moving
        KineticMesh(closed)
        """
    def __enter__(self) -> KineticMesh: ...
    def __exit__(self, *args: object) -> None: ...

@final
class ContactEvent:
    """A contact that begins or ends; ``cut``: it is there when the time looked at begins, or still when it ends. Triangles are -1 for objects."""

    @property
    def time(self) -> float: ...
    @property
    def begins(self) -> bool: ...
    @property
    def cut(self) -> bool: ...
    @property
    def object_a(self) -> int: ...
    @property
    def object_b(self) -> int: ...
    @property
    def triangle_a(self) -> int: ...
    @property
    def triangle_b(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ContactEvents:
    """Events in order of time; ``report`` is a TimelineReport."""

    @property
    def time(self) -> Floats: ...
    @property
    def begins(self) -> Bools: ...
    @property
    def cut(self) -> Bools: ...
    @property
    def object_a(self) -> Ints: ...
    @property
    def object_b(self) -> Ints: ...
    @property
    def triangle_a(self) -> Ints: ...
    @property
    def triangle_b(self) -> Ints: ...
    @property
    def report(self) -> TimelineReport: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> ContactEvent: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...
    def plot(self, *, names: list[str] | None = None, ax: Any = None) -> Any: ...

@final
class TimelineReport:
    """How many contacts began, how many were instants, and when the first did (infinite: none)."""

    @property
    def status(self) -> Status: ...
    @property
    def contact_count(self) -> int: ...
    @property
    def instant_count(self) -> int: ...
    @property
    def first(self) -> float: ...
    @property
    def spans(self) -> int: ...
    @property
    def candidates(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def timeline(
    motions: Iterable[Motion],
    *,
    mode: Literal["objects", "triangles", "first"] = "objects",
    self_contacts: bool = False,
    begin: float | None = None,
    end: float | None = None,
    pool: Pool | None = None,
    progress: Progress = None,
    visit: Callable[[ContactEvent], object] | None = None,
) -> ContactEvents:
    """Who touches whom, from when to when, between frames too: no contact is missed and none invented, however short.

    mode: "objects" (a contact lasts while any of their triangles touch), "triangles", or "first" (the first contact, and no more).
    The rows are in order of time, so ``for event in events`` goes through them as a film does. visit: called with each ContactEvent
    when it is found, in that order; False ends the search. ``timeline_events`` gives them one by one.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> a = bw.Motion(cube, [0, 1], [cube.vertices, cube.vertices])
    >>> b = bw.Motion(cube, [0, 1], [cube.vertices - [4, 0, 0], cube.vertices + [4, 0, 0]])
    >>> [(round(e.time, 3), e.begins) for e in bw.timeline([a, b])]
    [(0.375, True), (0.625, False)]
    """

@final
class SeparationReport:
    """What one step of a Separation did."""

    @property
    def events(self) -> int: ...
    @property
    def overlaps(self) -> int: ...
    @property
    def parents(self) -> int: ...
    @property
    def leaves(self) -> int: ...
    @property
    def box_changes(self) -> int: ...
    @property
    def checks(self) -> int: ...
    @property
    def tree_events(self) -> int: ...
    @property
    def compiled(self) -> int: ...
    @property
    def traversed(self) -> bool: ...
    @property
    def restarted(self) -> bool: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SeparationStats:
    """The list of a Separation at its present time: how many pairs are apart and meet, and what is to come."""

    @property
    def inner_apart(self) -> int: ...
    @property
    def leaves_apart(self) -> int: ...
    @property
    def leaves_meeting(self) -> int: ...
    @property
    def pending(self) -> int: ...
    @property
    def next_event(self) -> float: ...
    @property
    def bytes(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SeparationEntry:
    """Two nodes of the list, with their boxes; of two leaves also their primitives, -1 beyond count_a and count_b."""

    @property
    def meeting(self) -> bool: ...
    @property
    def leaves(self) -> bool: ...
    @property
    def box_a(self) -> tuple[Vec3, Vec3]: ...
    @property
    def box_b(self) -> tuple[Vec3, Vec3]: ...
    @property
    def count_a(self) -> int: ...
    @property
    def count_b(self) -> int: ...
    @property
    def primitives_a(self) -> tuple[int, ...]: ...
    @property
    def primitives_b(self) -> tuple[int, ...]: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SeparationEntries:
    """The separation list, a row for each pair of nodes where a traversal stops."""

    @property
    def meeting(self) -> Bools: ...
    @property
    def leaves(self) -> Bools: ...
    @property
    def box_a(self) -> Floats32: ...
    @property
    def box_b(self) -> Floats32: ...
    @property
    def count_a(self) -> Indices: ...
    @property
    def count_b(self) -> Indices: ...
    @property
    def primitives_a(self) -> Ints: ...
    @property
    def primitives_b(self) -> Ints: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> SeparationEntry: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class Separation:
    """Which parts of two meshes in known motion (or of one with itself) are near each other, kept while time goes on.

    method: "auto" chooses; "events" keeps the list of the paper (Zachmann and Weller 2006) by events, "compiled" lists the pairs of a
    span of time, "traverse" looks anew each time. time: where to begin.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> still = bw.Motion(cube, [0, 1], [cube.vertices, cube.vertices])
    >>> moving = bw.Motion(cube, [0, 1], [cube.vertices - [4, 0, 0], cube.vertices])
    >>> list_of_pairs = bw.Separation(still, moving, method="events")
    >>> len(list_of_pairs.collide())
    0
    >>> report = list_of_pairs.advance(0.9)
    >>> len(list_of_pairs.collide()) > 0, list_of_pairs
    (True, Separation(events, time=0.9))
    """

    def __new__(
        cls,
        a: Motion,
        b: Motion | None = None,
        *,
        method: Literal["auto", "events", "compiled", "traverse"] = "auto",
        builder: Literal["quality", "fast"] | None = None,
        time: float | None = None,
        pool: Pool | None = None,
    ) -> Separation: ...
    @property
    def time(self) -> float:
        """The time that it stands at."""
    @property
    def method(self) -> str:
        """The method in use."""
    def advance(self, time: float) -> SeparationReport:
        """Goes to a time within the common span; back in time costs as much as a new start.

        >>> import boxwood as bw
        >>> still = bw.Motion(bw.samples.cube(), velocities=bw.samples.cube().vertices * 0)
        >>> bw.Separation(still, still).advance(0.5).restarted
        False
        """
    def collide(self, *, visit: Callable[[Hit], object] | None = None) -> Hits:
        """The contacts at the present time, exactly, by a, then b. visit: as in ``boxwood.collide``.

        >>> import boxwood as bw
        >>> still = bw.Motion(bw.samples.cube(), velocities=bw.samples.cube().vertices * 0)
        >>> len(bw.Separation(still, still).collide()) == len(bw.collide(bw.samples.cube(), bw.samples.cube()))
        True
        """
    def set_plans(self, side: Literal["a", "b"], vertices: ArrayLike, plans: ArrayLike, *, origin: float | None = None) -> None:
        """Gives vertices other plans from now on: (k, 4, 3) factors of 1, u, u^2, u^3, u the time since origin (None: now); "events" only.

        >>> import boxwood as bw
        >>> still = bw.Motion(bw.samples.cube(), velocities=bw.samples.cube().vertices * 0)
        >>> bw.Separation(still, still, method="events").set_plans("b", [0], [[[-0.5, -0.5, -0.5], [1, 0, 0], [0, 0, 0], [0, 0, 0]]])
        """
    def entries(self) -> SeparationEntries:
        """The list, by "events" and "traverse".

        >>> import boxwood as bw
        >>> still = bw.Motion(bw.samples.cube(), velocities=bw.samples.cube().vertices * 0)
        >>> bool(bw.Separation(still, still, method="events").entries().meeting.any())
        True
        """
    def stats(self) -> SeparationStats:
        """How long the list is, and what it waits for.

        >>> import boxwood as bw
        >>> still = bw.Motion(bw.samples.cube(), velocities=bw.samples.cube().vertices * 0)
        >>> bw.Separation(still, still, method="events").stats().leaves_meeting > 0
        True
        """
    def total(self) -> SeparationReport:
        """The sums of all steps so far.

        >>> import boxwood as bw
        >>> still = bw.Motion(bw.samples.cube(), velocities=bw.samples.cube().vertices * 0)
        >>> bw.Separation(still, still, method="events").total().events
        0
        """
    def check(self) -> str | None:
        """Proves that the list is valid: None, or a sentence about the first fault.

        >>> import boxwood as bw
        >>> still = bw.Motion(bw.samples.cube(), velocities=bw.samples.cube().vertices * 0)
        >>> bw.Separation(still, still, method="events").check()
        """
    def close(self) -> None:
        """Gives its memory back. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> a = bw.Motion(bw.samples.cube(), velocities=[[1.0, 0, 0]] * 8)
        >>> near = bw.Separation(a, a)
        >>> near.close()
        >>> near
        Separation(closed)
        """
    def __enter__(self) -> Separation: ...
    def __exit__(self, *args: object) -> None: ...

# ---- primitives of one's own ----

@final
class UserTree:
    """A tree over boxes (n, 2, 3) of primitives that only you know, for ``collide_user``; kept as floats rounded outward.

    >>> import boxwood as bw
    >>> bw.UserTree([[[0, 0, 0], [1, 1, 1]], [[2, 0, 0], [3, 1, 1]]])
    UserTree(2 boxes)
    """

    def __new__(
        cls, boxes: ArrayLike, *, builder: Literal["quality", "fast"] | None = None, pool: Pool | None = None
    ) -> UserTree: ...
    @property
    def bounds(self) -> Floats32:
        """The box of everything in the tree: (2, 3)."""
    def __len__(self) -> int: ...
    def update(self, boxes: ArrayLike) -> None:
        """Gives all primitives other boxes and fits the tree to them; on failure it is as it was.

        >>> import boxwood as bw
        >>> tree = bw.UserTree([[[0, 0, 0], [1, 1, 1]]])
        >>> tree.update([[[5, 0, 0], [6, 1, 1]]])
        >>> tree.bounds[0].tolist()
        [5.0, 0.0, 0.0]
        """
    def check(self) -> str | None:
        """Proves the tree's invariants: None, or a sentence about the first that does not hold.

        >>> import boxwood as bw
        >>> bw.UserTree([[[0, 0, 0], [1, 1, 1]]]).check()
        """
    def close(self) -> None:
        """Gives its memory back. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> tree = bw.UserTree([[[0, 0, 0], [1, 1, 1]]])
        >>> tree.close()
        >>> tree
        UserTree(closed)
        """
    def __enter__(self) -> UserTree: ...
    def __exit__(self, *args: object) -> None: ...

def collide_user(
    a: UserTree | Body,
    b: UserTree | Body,
    test: Callable[[int, int], Kind | bool | None] | None = None,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    progress: Progress = None,
    visit: Callable[[Hit], object] | None = None,
) -> Hits:
    """The contacts of primitives by a test of your own: ``test(a, b)`` for every pair whose boxes meet gives a Kind, True (crossing), or
    False or None. Without a test every such pair is a Hit, of Kind.TOUCHING. visit: as in ``collide``.

    >>> import boxwood as bw
    >>> tree = bw.UserTree([[[0, 0, 0], [1, 1, 1]], [[0.5, 0, 0], [3, 1, 1]]])
    >>> len(bw.collide_user(tree, tree)), len(bw.collide_user(tree, tree, lambda a, b: a < b))
    (4, 1)
    """

# ---- answers within a budget ----

@final
class AnytimeAnswer:
    """Collision or free, and how far to trust it: ``proven``, or right with probability ``confidence`` (0.5 to 1)."""

    @property
    def collision(self) -> bool: ...
    @property
    def proven(self) -> bool: ...
    @property
    def confidence(self) -> float: ...
    @property
    def status(self) -> Status: ...
    @property
    def reason(self) -> Reason: ...
    @property
    def steps(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def counted(self) -> int: ...
    @property
    def pruned(self) -> int: ...
    @property
    def region_count(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class AnytimeRegion:
    """Where two surfaces may meet, likeliest first; a, b: the primitives of a proven contact, else -1."""

    @property
    def box(self) -> tuple[Vec3, Vec3]: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def probability(self) -> float: ...
    @property
    def proven(self) -> bool: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class AnytimeRegions:
    """Likely places of contact, a row each."""

    @property
    def box(self) -> Floats32: ...
    @property
    def point(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def probability(self) -> Floats: ...
    @property
    def proven(self) -> Bools: ...
    @property
    def a(self) -> Ints: ...
    @property
    def b(self) -> Ints: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> AnytimeRegion: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class AnytimeStats:
    """What is known of a body: how large its statistics are, and what kind of body it is for the built-in models.

    density: area over the mean square distance of the surface from its middle (a sphere has 12.6); rods: the share of rods among its
    larger parts; filling, solidity: how often two of it meet where all but loose bodies do, and where solid ones do.
    """

    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def density(self) -> float: ...
    @property
    def rods(self) -> float: ...
    @property
    def filling(self) -> float: ...
    @property
    def solidity(self) -> float: ...
    @property
    def kind(self) -> BodyKind: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Anytime:
    """Statistics beside a tree, for ``collides_within``; made once per body (some milliseconds).

    tries: poses at which the body is tried with itself, to find how early it may stop (0: 1024; at most 2**20).

    >>> import boxwood as bw
    >>> knot = bw.Anytime(bw.samples.knot())
    >>> answer, _ = bw.collides_within(knot, knot, pose_b=bw.translation(0.2, 0, 0))
    >>> answer.collision, answer.proven, answer.confidence
    (True, True, 1.0)
    """

    def __new__(cls, body: Tree | Mesh, *, tries: int = 0) -> Anytime: ...
    def update(self, body: Tree | Mesh) -> None:
        """Makes the statistics those of the tree again, after ``Tree.update``.

        >>> import boxwood as bw
        >>> tree = bw.Tree(bw.samples.knot(20, 6), deforms=True)
        >>> knot = bw.Anytime(tree, tries=10)
        >>> report = tree.update()
        >>> knot.update(tree)
        """
    def stats(self) -> AnytimeStats:
        """Sizes, and what kind of body it is.

        >>> import boxwood as bw
        >>> bw.Anytime(bw.samples.knot(40, 8), tries=10).stats().kind.name
        'PARTS'
        """
    def check(self) -> str | None:
        """Computes the statistics in another way and compares: None, or a sentence about the first that does not hold.

        >>> import boxwood as bw
        >>> bw.Anytime(bw.samples.knot(20, 6), tries=10).check()
        """
    def close(self) -> None:
        """Gives its memory back. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> body = bw.Anytime(bw.samples.cube(), tries=5)
        >>> body.close()
        >>> body
        Anytime(closed)
        """
    def __enter__(self) -> Anytime: ...
    def __exit__(self, *args: object) -> None: ...

@final
class AnytimeModel:
    """What ``collides_within`` concludes from: how often two parts meet that look so, and when to stop. Plain data, which can be pickled.

    The built-in ones serve poses of the two kinds, and bodies of five; ``train`` makes one for poses or bodies of your own. What a
    model is made of may change with the version.

    >>> import boxwood as bw
    >>> knot = bw.Anytime(bw.samples.knot(40, 8), tries=10)
    >>> model = bw.AnytimeModel.train([(knot, knot, bw.anytime_poses(knot, knot, 200, seed=7))])
    >>> answer, _ = bw.collides_within(knot, knot, pose_b=bw.translation(0.5, 0, 0), wanted_error=0.05, model=model)
    >>> 0.5 <= answer.confidence <= 1
    True
    """

    @classmethod
    def builtin(
        cls, poses: Literal["spread", "contact"] = "spread", kind: Literal["shell", "parts", "rods", "limbs", "loose"] = "shell"
    ) -> AnytimeModel:
        """The one that comes with the library, by poses and kind of body.

        >>> import boxwood as bw
        >>> bw.AnytimeModel.builtin("contact", "rods").save() == bw.AnytimeModel.builtin().save()
        False
        """
    @classmethod
    def train(
        cls,
        examples: Iterable[tuple[Anytime, Anytime, ArrayLike] | tuple[Anytime, Anytime, ArrayLike, int]],
        *,
        prior: AnytimeModel | None = None,
        prior_weight: float = 0.0,
        mean_share: float = 0.0,
        worst_share: float = 0.0,
    ) -> AnytimeModel:
        """A model for these bodies and poses: examples are (a, b, poses), poses (k, 4, 4) of b as seen from a, a few thousand in all.

        A fourth element is a group: examples of one group other than 0 are alike, and held out together. prior: what the examples leave
        open is taken from it (None: the built-in one for such bodies), and counts for prior_weight observations (0: 20). mean_share,
        worst_share: how far below a wanted error the rules for it stay, on average and for any example (0: 0.35 and 1). Some hundred
        exact queries a pose.

        >>> import boxwood as bw
        >>> ball = bw.Anytime(bw.samples.sphere(2), tries=10)
        >>> poses = bw.anytime_poses(ball, ball, 100)
        >>> len(bw.AnytimeModel.train([(ball, ball, poses)]).save()) == len(bw.AnytimeModel.builtin().save())
        True
        """
    def save(self) -> bytes:
        """Bytes for ``load``, by the same version.

        >>> import boxwood as bw
        >>> len(bw.AnytimeModel.builtin().save()) > 1000
        True
        """
    @classmethod
    def load(cls, data: bytes | bytearray | memoryview) -> AnytimeModel:
        """The model of some bytes.

        >>> import boxwood as bw
        >>> data = bw.AnytimeModel.builtin("contact").save()
        >>> bw.AnytimeModel.load(data).save() == data
        True
        """
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class AnytimeSettings:
    """When ``collides_within`` may stop for two bodies, by wanted error: what ``anytime_try`` found. Plain data, which can be pickled.

    >>> import boxwood as bw
    >>> ball, knot = bw.Anytime(bw.samples.sphere(2), tries=10), bw.Anytime(bw.samples.knot(40, 8), tries=10)
    >>> settings = bw.anytime_try(ball, knot, tries=200)
    >>> answer, _ = bw.collides_within(ball, knot, pose_b=bw.translation(0.5, 0, 0), wanted_error=0.02, settings=settings)
    >>> 0.5 <= answer.confidence <= 1
    True
    """

    @property
    def poses(self) -> str:
        """The poses that it is for: "spread" or "contact"."""
    @property
    def errors(self) -> tuple[float, ...]:
        """The wanted errors for which there is a rule; for others queries are exact."""
    def save(self) -> bytes:
        """Bytes for ``load``, by the same version.

        >>> import boxwood as bw
        >>> ball = bw.Anytime(bw.samples.sphere(2), tries=10)
        >>> len(bw.anytime_try(ball, ball, tries=64).save()) > 100
        True
        """
    @classmethod
    def load(cls, data: bytes | bytearray | memoryview) -> AnytimeSettings:
        """The settings of some bytes.

        >>> import boxwood as bw
        >>> ball = bw.Anytime(bw.samples.sphere(2), tries=10)
        >>> data = bw.anytime_try(ball, ball, poses="contact", tries=64).save()
        >>> bw.AnytimeSettings.load(data).poses
        'contact'
        """
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class AnytimeCache:
    """What one stream of queries carries from call to call: to go on where a budget ended, or to look first where the last was decided.

    >>> import boxwood as bw
    >>> bw.AnytimeCache().resumable
    False
    """

    def __new__(cls) -> AnytimeCache: ...
    @property
    def resumable(self) -> bool:
        """Whether a query may go on with ``resume``."""
    def close(self) -> None:
        """Gives its memory back. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> cache = bw.AnytimeCache()
        >>> cache.close()
        """
    def __enter__(self) -> AnytimeCache: ...
    def __exit__(self, *args: object) -> None: ...

def collides_within(
    a: Anytime,
    b: Anytime,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    wanted_error: float = 0.0,
    poses: Literal["spread", "contact"] = "spread",
    regions: int = 0,
    cache: AnytimeCache | None = None,
    resume: bool = False,
    coherent: bool = False,
    model: AnytimeModel | None = None,
    settings: AnytimeSettings | None = None,
    p_min: float = 0.0,
    k_min: int = 0,
    p_prune: float = 0.0,
) -> tuple[AnytimeAnswer, AnytimeRegions]:
    """Do two bodies collide, answered within a budget: ``seconds`` (2e-6 is two microseconds), ``steps``, or once good enough.

    wanted_error: the share of wrong answers that may be expected over likely poses (``poses``: anywhere, or near first contact).
    Without any limit the answer is proven, and that of ``collides``. regions: how many likely places of contact are wanted. cache:
    with ``resume`` the query goes on where the last one's budget ended, with ``coherent`` it looks first where that was decided.

    model: one of your own, for other poses or bodies. settings: rules for these two bodies by ``anytime_try``. Without a wanted error:
    "collision" once k_min pairs of parts meet with probability p_min or more; pairs less likely than p_prune are not looked into.

    >>> import boxwood as bw
    >>> knot = bw.Anytime(bw.samples.knot())
    >>> answer, places = bw.collides_within(knot, knot, pose_b=bw.translation(0.5, 0, 0), steps=3, regions=4)
    >>> 0.5 <= answer.confidence <= 1, len(places) == answer.region_count
    (True, True)
    """

def anytime_try(a: Anytime, b: Anytime, *, poses: Literal["spread", "contact"] = "spread", tries: int = 0) -> AnytimeSettings:
    """Tries two bodies with each other, all rules of when to stop at once beside the exact query, and keeps the fastest that hold.

    For two bodies that are not one this is faster and surer than what ``collides_within`` does without. tries: how many poses (0: 1024; at most 2**20).

    >>> import boxwood as bw
    >>> ball, knot = bw.Anytime(bw.samples.sphere(2), tries=10), bw.Anytime(bw.samples.knot(40, 8), tries=10)
    >>> bw.anytime_try(ball, knot, tries=64).poses
    'spread'
    """

def anytime_poses(
    a: Anytime, b: Anytime, count: int, *, poses: Literal["spread", "contact"] = "spread", seed: int = 1
) -> Floats:
    """Likely poses of b as seen from a, (count, 4, 4), the same for the same seed: what the built-in models were trained on.

    "spread": any turn, middles 0.2 to 1.05 sizes apart; "contact": within 2.5 % of the size of first contact. count: at most 2**20.

    >>> import boxwood as bw
    >>> ball = bw.Anytime(bw.samples.sphere(2), tries=10)
    >>> bw.anytime_poses(ball, ball, 50, poses="contact").shape
    (50, 4, 4)
    """

# ---- worlds ----

@final
class WorldContact:
    """One contact of two bodies: ``id`` stays as long as it persists; ``event`` BEGIN or PERSIST; normal from a to b."""

    @property
    def id(self) -> int: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def primitive_a(self) -> int: ...
    @property
    def primitive_b(self) -> int: ...
    @property
    def feature(self) -> int: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def event(self) -> Event: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def depth(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class WorldContacts:
    """Contacts of a step, by bodies a, then b."""

    @property
    def id(self) -> Counts: ...
    @property
    def a(self) -> Counts: ...
    @property
    def b(self) -> Counts: ...
    @property
    def primitive_a(self) -> Ints: ...
    @property
    def primitive_b(self) -> Ints: ...
    @property
    def feature(self) -> Indices: ...
    @property
    def kind(self) -> Ints: ...
    @property
    def event(self) -> Ints: ...
    @property
    def point(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def depth(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> WorldContact: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class WorldPair:
    """Two bodies in contact: rows first .. first + count - 1 of the contacts; event END: no more."""

    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def event(self) -> Event: ...
    @property
    def first(self) -> int: ...
    @property
    def count(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class WorldPairs:
    """Bodies in contact, or that were in the step before."""

    @property
    def a(self) -> Counts: ...
    @property
    def b(self) -> Counts: ...
    @property
    def event(self) -> Ints: ...
    @property
    def first(self) -> Indices: ...
    @property
    def count(self) -> Indices: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> WorldPair: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class Impact:
    """The first contact of bodies that move: ``time`` is 1 and a and b are 0 where there is none."""

    @property
    def time(self) -> float: ...
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def primitive_a(self) -> int: ...
    @property
    def primitive_b(self) -> int: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class WorldRayHit:
    """What a ray meets first: ``id`` 0 is nothing; the normal faces the origin, weights are barycentric."""

    @property
    def id(self) -> int: ...
    @property
    def primitive(self) -> int: ...
    @property
    def t(self) -> float: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def normal(self) -> Vec3: ...
    @property
    def weights(self) -> Vec3: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class WorldRayHits:
    """What rays meet first, a row each."""

    @property
    def id(self) -> Counts: ...
    @property
    def primitive(self) -> Ints: ...
    @property
    def t(self) -> Floats: ...
    @property
    def point(self) -> Floats: ...
    @property
    def normal(self) -> Floats: ...
    @property
    def weights(self) -> Floats: ...
    @property
    def report(self) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...
    def as_columns(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex, /) -> WorldRayHit: ...
    @overload
    def __getitem__(self, i: slice | ArrayLike, /) -> Self: ...

@final
class WorldDistance:
    """The body nearest to a shape: ``id`` 0 and an infinite distance where there is none."""

    @property
    def distance(self) -> float: ...
    @property
    def id(self) -> int: ...
    @property
    def primitive(self) -> int: ...
    @property
    def point(self) -> Vec3: ...
    @property
    def point_shape(self) -> Vec3: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class WorldBody:
    """What is known of a body of a world beside its pose: as ``World.insert`` was told."""

    @property
    def fixed(self) -> bool: ...
    @property
    def layers(self) -> int: ...
    @property
    def mask(self) -> int: ...
    @property
    def group(self) -> int: ...
    @property
    def user(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class World:
    """Bodies that move: which are in contact, where and how deep, what began and ended since the last step; rays, sweeps, distances.

    It moves nothing by itself. Bodies are Trees, Meshes, Shapes and KineticMeshes. separation: bodies within it are in contact, too.
    pool: threads for steps, advances and many rays; the answers are the same for any number.
    A mesh deforms by writing into its array, ``tree.update()`` and ``world.changed(id)``.

    >>> import boxwood as bw
    >>> world, cube = bw.World(), bw.samples.cube()
    >>> floor = world.insert(bw.Shape.half_space(), fixed=True)
    >>> box = world.insert(cube, bw.translation(0, 0, 0.4))
    >>> contacts, ended, pairs = world.step()
    >>> len(contacts) > 0, pairs[0].event.name
    (True, 'BEGIN')
    >>> world.move(box, bw.translation(0, 0, 3))
    >>> contacts, ended, pairs = world.step()
    >>> len(contacts), pairs[0].event.name
    (0, 'END')
    """

    def __new__(cls, *, separation: float = 0.0, pool: Pool | None = None) -> World: ...
    def __len__(self) -> int: ...
    def check(self) -> str | None:
        """Proves the invariants of the world: None if all hold, otherwise a sentence about the first that does not.

        >>> import boxwood as bw
        >>> bw.World().check()
        """
    def insert(
        self,
        body: Body | Shape,
        pose: ArrayLike | None = None,
        *,
        fixed: bool = False,
        layers: int = 0,
        mask: int = 0,
        group: int = 0,
        user: int = 0,
    ) -> int:
        """Takes in a body and gives its id. fixed: two fixed bodies are never compared.

        layers: bits that it belongs to (0: the first); mask: layers that it meets (0: all); bodies of one group other than 0 do not meet.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> one = world.insert(bw.Shape.sphere(1), group=1)
        >>> len(world)
        1
        """
    def insert_many(
        self,
        bodies: Body | Shape | Iterable[Body | Shape],
        poses: ArrayLike | None = None,
        *,
        fixed: bool = False,
        layers: int = 0,
        mask: int = 0,
        group: int = 0,
        users: ArrayLike | None = None,
    ) -> Counts:
        """Takes in many bodies, all or none, or one body at many poses (n, 4, 4), and gives their ids; the rest as in ``insert``.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> ids = world.insert_many(bw.samples.cube(), [bw.translation(x, 0, 0) for x in range(0, 50, 2)])
        >>> len(ids), len(world.step()[0])
        (25, 0)
        """
    @property
    def ids(self) -> Counts:
        """The ids of all bodies, in no order."""
    def get(self, id: int) -> WorldBody:
        """Filter and user number of a body.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> world.get(world.insert(bw.Shape.sphere(1), user=7)).user
        7
        """
    def body(self, id: int) -> Body | Shape:
        """The Tree, Mesh, Shape or KineticMesh that was inserted.

        >>> import boxwood as bw
        >>> world, ball = bw.World(), bw.Shape.sphere(1)
        >>> world.body(world.insert(ball)) is ball
        True
        """
    def remove(self, id: int) -> None:
        """Takes a body out; its contacts end in the next step.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> world.remove(world.insert(bw.Shape.sphere(1)))
        """
    def move(self, ids: ArrayLike, poses: ArrayLike | None) -> None:
        """Gives bodies other poses: one id and one pose, or (k,) ids and (k, 4, 4) poses, all or none.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> one = world.insert(bw.Shape.sphere(1))
        >>> world.move([one], [bw.translation(1, 2, 3)])
        >>> world.pose(one)[:3, 3].tolist()
        [1.0, 2.0, 3.0]
        """
    def pose(self, id: int) -> Floats:
        """The pose of a body, (4, 4).

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> world.pose(world.insert(bw.Shape.sphere(1))).tolist()[0]
        [1.0, 0.0, 0.0, 0.0]
        """
    def changed(self, id: int) -> None:
        """Says that the body's mesh was deformed and its tree updated, or its KineticMesh advanced.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> world.changed(world.insert(bw.samples.cube()))
        """
    def allow(self, a: int, b: int, allowed: bool = True) -> None:
        """Two bodies may touch: their contacts are of no interest, or are again.

        >>> import boxwood as bw
        >>> world, ball = bw.World(), bw.Shape.sphere(1)
        >>> world.allow(world.insert(ball), world.insert(ball))
        >>> len(world.step()[0])
        0
        """
    def set_filter(self, id: int, *, layers: int = 0, mask: int = 0, group: int = 0) -> None:
        """Gives a body other layers, mask and group, all three, as in ``insert``.

        >>> import boxwood as bw
        >>> world, ball = bw.World(), bw.Shape.sphere(1)
        >>> a, b = world.insert(ball), world.insert(ball)
        >>> world.set_filter(a, mask=2)
        >>> len(world.step()[0])
        0
        """
    def step(
        self, *, pairs_only: bool = False, may_meet: Callable[[int, int], object] | None = None, progress: Progress = None
    ) -> tuple[WorldContacts, WorldContacts, WorldPairs]:
        """All contacts of the bodies as they stand, those that have ended, and the pairs of bodies.

        may_meet(a, b): whether two bodies whose boxes meet are looked at, after layers, masks, groups and allowed pairs. Where it raises,
        or progress ends the step, it is not taken.

        >>> import boxwood as bw
        >>> world, ball = bw.World(), bw.Shape.sphere(1)
        >>> ids = [world.insert(ball, bw.translation(x, 0, 0)) for x in (0, 1.5)]
        >>> round(world.step()[0][0].depth, 9)
        0.5
        """
    def advance(
        self,
        ids: ArrayLike,
        poses: ArrayLike,
        *,
        tolerance: float = 0.0,
        stay: bool = False,
        may_meet: Callable[[int, int], object] | None = None,
        progress: Progress = None,
    ) -> Impact:
        """Moves bodies steadily to poses and stops all at the first contact. stay: only find the time. may_meet: as in ``step``.

        >>> import boxwood as bw
        >>> world, ball = bw.World(), bw.Shape.sphere(1)
        >>> a, b = world.insert(ball), world.insert(ball, bw.translation(6, 0, 0))
        >>> round(world.advance(a, bw.translation(8, 0, 0)).time, 3)
        0.5
        """
    def rays(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_max: ArrayLike | None = None,
        mask: int = 0,
        except_id: int = 0,
        may_meet: Callable[[int], object] | None = None,
    ) -> Any:
        """What rays meet first: WorldRayHits for arrays (n, 3), a WorldRayHit for a single ray. may_meet(id): bodies that count.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> one = world.insert(bw.samples.cube())
        >>> world.rays([0.1, 0.2, 5], [0, 0, -1]).t
        4.5
        """
    def rays_all(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_max: float | None = None,
        mask: int = 0,
        except_id: int = 0,
        may_meet: Callable[[int], object] | None = None,
    ) -> WorldRayHits:
        """All bodies along one ray, nearest first, each where it is met first.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> ids = world.insert_many(bw.samples.cube(), [bw.translation(0, 0, z) for z in (0, 3)])
        >>> world.rays_all([0.1, 0.2, 9], [0, 0, -1]).t.tolist()
        [5.5, 8.5]
        """
    def overlap(
        self,
        shape: Shape,
        pose: ArrayLike | None = None,
        *,
        mask: int = 0,
        except_id: int = 0,
        may_meet: Callable[[int], object] | None = None,
    ) -> Counts:
        """The bodies that a shape touches: ids, ascending.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> one = world.insert(bw.samples.cube())
        >>> world.overlap(bw.Shape.sphere(1), bw.translation(1, 0, 0)).tolist() == [one]
        True
        """
    def distance(
        self,
        shape: Shape,
        pose: ArrayLike | None = None,
        *,
        max_distance: float | None = None,
        mask: int = 0,
        except_id: int = 0,
        may_meet: Callable[[int], object] | None = None,
    ) -> WorldDistance:
        """The body nearest to a shape.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> one = world.insert(bw.samples.cube())
        >>> world.distance(bw.Shape.sphere(1), bw.translation(3, 0.1, 0.2)).distance
        1.5
        """
    def sweep(
        self,
        shape: Shape,
        start: ArrayLike | None = None,
        end: ArrayLike | None = None,
        *,
        mask: int = 0,
        except_id: int = 0,
        may_meet: Callable[[int], object] | None = None,
    ) -> Impact:
        """The first body that a shape meets on its way from one pose to another.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> one = world.insert(bw.samples.cube())
        >>> round(world.sweep(bw.Shape.sphere(0.5), bw.translation(-3, 0, 0), bw.translation(1, 0, 0)).time, 3)
        0.5
        """
    def close(self) -> None:
        """Gives its memory back, and lets go of its bodies. ``with`` does it by itself.

        >>> import boxwood as bw
        >>> world = bw.World()
        >>> world.close()
        >>> world
        World(closed)
        """
    def __enter__(self) -> World: ...
    def __exit__(self, *args: object) -> None: ...
