"""Methods of the extension's classes that are written in Python: pictures. _core.pyi declares them."""

from __future__ import annotations

from typing import Any

from boxwood import _core, plot
from boxwood.viewer import View, view


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
