"""Pictures with matplotlib: the boxes of a tree, a contact timeline."""

# matplotlib's types for three dimensions are not complete.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false, reportMissingTypeStubs=false
# mypy: disable-error-code="import-untyped"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boxwood._core import ContactEvents, Mesh, Tree

__all__ = ["timeline", "tree"]


def _axes(ax: Any, three: bool) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(6, 5) if three else (7, 3), layout="constrained")
    return figure.add_subplot(projection="3d") if three else figure.add_subplot()


def tree(body: Tree | Mesh, *, depth: int | None = None, mesh: bool = True, ax: Any = None) -> Any:
    """Draws the boxes of a tree down to a depth, with leaves above it (None: as deep as makes at most 200 boxes); gives the axes.

    >>> import boxwood as bw, matplotlib
    >>> matplotlib.use("Agg")
    >>> bw.plot.tree(bw.samples.knot(40, 8)).get_title().startswith("depth")
    True
    """
    import numpy as np
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    from boxwood._core import Mesh

    own = body.tree if isinstance(body, Mesh) else body
    nodes = own.nodes()
    depths = np.asarray(nodes.depth)
    leaves = np.asarray(nodes.leaf)

    def cut(d: int) -> Any:
        return (depths == d) | (leaves & (depths < d))

    if depth is None:
        depth = max(d for d in range(int(depths.max()) + 1) if d == 0 or int(cut(d).sum()) <= 200)
    boxes = np.asarray(nodes.box)[cut(depth)]
    ax = _axes(ax, True)
    if mesh and own.mesh.faces is not None:
        triangles = np.asarray(own.mesh.vertices)[np.asarray(own.mesh.faces)]
        ax.add_collection3d(Poly3DCollection(triangles, facecolor="0.85", edgecolor="0.7", linewidth=0.2, alpha=0.6))
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    edges = [(i, j) for i in range(8) for j in range(i + 1, 8) if int(np.abs(corners[i] - corners[j]).sum()) == 1]
    points = boxes[:, 0, None] * (1 - corners) + boxes[:, 1, None] * corners
    lines = points[:, edges].reshape(-1, 2, 3)
    ax.add_collection3d(Line3DCollection(lines, colors="#b5482a", linewidths=0.6))
    low, high = np.asarray(own.bounds, dtype=np.float64)
    least = max(1e-3 * float((high - low).max()), 1e-6 * float(np.abs([low, high]).max()), 1e-30)
    for axis, a, b in zip("xyz", low, high):
        if b - a < least:  # flat: one number says where
            getattr(ax, f"set_{axis}ticks")([(a + b) / 2])
            a, b = (a + b - least) / 2, (a + b + least) / 2
        getattr(ax, f"set_{axis}lim")(a, b)
    ax.set_box_aspect(np.maximum(high - low, least))
    stats = own.stats()
    ax.set_title(f"depth {depth}: {len(boxes)} boxes of {len(depths)}, {stats.primitives} primitives")
    return ax


def timeline(events: ContactEvents, *, names: list[str] | None = None, ax: Any = None) -> Any:
    """Draws a contact timeline of objects as bars, a row for each pair; instants as ticks. Gives the axes.

    >>> import boxwood as bw, matplotlib
    >>> matplotlib.use("Agg")
    >>> cube = bw.samples.cube()
    >>> a = bw.Motion(cube, [0, 1], [cube.vertices, cube.vertices])
    >>> b = bw.Motion(cube, [0, 1], [cube.vertices - [4, 0, 0], cube.vertices + [4, 0, 0]])
    >>> [t.get_text() for t in bw.plot.timeline(bw.timeline([a, b]), names=["table", "arm"]).get_yticklabels()]
    ['table - arm']
    """
    ax = _axes(ax, False)
    begun: dict[tuple[int, int, int, int], float] = {}
    rows: dict[tuple[int, int], int] = {}
    for i in range(len(events)):
        event = events[i]
        pair = (event.object_a, event.object_b)
        key = (*pair, event.triangle_a, event.triangle_b)
        y = rows.setdefault(pair, len(rows))
        if event.begins:
            begun[key] = event.time
        else:
            start = begun.pop(key)
            ax.broken_barh([(start, event.time - start)], (y - 0.35, 0.7), color="#2a6fb5")
            if event.time == start:
                ax.plot([start, start], [y - 0.35, y + 0.35], color="#2a6fb5", linewidth=1.5)

    def name(i: int) -> str:
        return names[i] if names is not None else f"object {i}"

    ax.set_yticks(range(len(rows)), [f"{name(a)} - {name(b)}" if a != b else f"{name(a)} itself" for a, b in rows])
    ax.set_ylim(-0.6, max(len(rows), 1) - 0.4)
    ax.set_xlabel("time")
    ax.grid(axis="x", alpha=0.3)
    return ax
