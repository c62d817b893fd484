"""Methods of the extension's classes that are written in Python: pictures, which _core.pyi declares, and how shapes are pickled."""

from __future__ import annotations

import copyreg
from typing import Any

from boxwood import _core, plot
from boxwood.viewer import View, view


def _shape(kind: str, size: Any, radius: float, points: Any) -> _core.Shape:
    if kind == "sphere":
        return _core.Shape.sphere(radius)
    if kind == "capsule":
        return _core.Shape.capsule(radius, size)
    if kind == "box":
        return _core.Shape.box(size, radius=radius)
    return _core.Shape.half_space() if kind == "half_space" else _core.Shape.hull(points, radius=radius)


def _reduce_shape(shape: _core.Shape) -> tuple[Any, ...]:
    points = None
    if shape.kind == "hull":
        vertices: Any = shape.mesh().vertices
        points = vertices.tolist() if isinstance(vertices, memoryview) else vertices
    return _shape, (shape.kind, shape.size, shape.radius, points)


copyreg.pickle(_core.Shape, _reduce_shape)


def _plot_tree(self: _core.Tree | _core.Mesh, *, depth: int | None = None, mesh: bool = True, ax: Any = None) -> Any:
    """Draws the boxes of the tree by matplotlib and gives the axes: see ``boxwood.plot.tree``.

    >>> import boxwood as bw, matplotlib
    >>> matplotlib.use("Agg")
    >>> bw.samples.knot(40, 8).plot(depth=1).get_title()[:8]
    'depth 1:'
    """
    return plot.tree(self, depth=depth, mesh=mesh, ax=ax)


def _plot_timeline(self: _core.ContactEvents, *, names: list[str] | None = None, ax: Any = None) -> Any:
    """Draws the timeline by matplotlib, a row for each pair, and gives the axes: see ``boxwood.plot.timeline``.

    >>> import boxwood as bw, matplotlib
    >>> matplotlib.use("Agg")
    >>> cube = bw.samples.cube()
    >>> still = bw.Motion(cube, [0, 1], [cube.vertices, cube.vertices])
    >>> bw.timeline([still, still]).plot().get_xlabel()
    'time'
    """
    return plot.timeline(self, names=names, ax=ax)


def _view(self: _core.Tree | _core.Mesh | _core.Motion, *, layers: bool = True, height: int = 520) -> View:
    """A page in 3D that a notebook shows in place: see ``boxwood.view``.

    >>> import boxwood as bw
    >>> bw.samples.cube().view()
    View(... KB)
    """
    return view(self, layers=layers, height=height)


for _owner, _name, _method in (
    (_core.Tree, "plot", _plot_tree),
    (_core.Mesh, "plot", _plot_tree),
    (_core.ContactEvents, "plot", _plot_timeline),
    (_core.Tree, "view", _view),
    (_core.Mesh, "view", _view),
    (_core.Motion, "view", _view),
):
    setattr(_owner, _name, _method)
