"""Whatever is given: an answer or an exception of Python, never a crash, and nothing is lost. By hypothesis."""

from __future__ import annotations

import inspect
import os

import numpy as np
import pytest

import boxwood as bw

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

CUBE, KNOT = bw.samples.cube(), bw.samples.knot(12, 5)
BOXES = [[[0, 0, 0], [1, 1, 1]], [[0.5, 0, 0], [2, 1, 1]]]
ANYTIME = bw.Anytime(CUBE, tries=5)
MOTION = bw.Motion(CUBE, [0.0, 1.0], [CUBE.vertices, CUBE.vertices + 1.0])

numbers = st.one_of(
    st.floats(), st.integers(-(2**70), 2**70), st.sampled_from([0.0, -0.0, 1.0, 0.5, 1e300, 1e-320, 2.0**100, float("nan"), float("inf"), -1])
)


@st.composite
def arrays(draw: st.DrawFn) -> object:
    shape = draw(st.sampled_from([(3,), (1, 3), (4, 3), (0, 3), (2, 3), (3, 4), (4, 4), (2, 4, 4), (2, 3, 4), (4,), (), (2, 2, 3), (5, 4, 3), (1, 2, 3, 4), (2, 2)]))
    dtype = draw(st.sampled_from(["f8", "f4", "i4", "u4", "i8", "u8", "u1", "?", ">f8", "c16", "f2", "S3", "O"]))
    size = int(np.prod(shape))
    values = draw(st.lists(st.sampled_from([0, 1, 2, 3, -1, 0.5, 1e30, 1e200, np.nan, np.inf, 7]), min_size=size, max_size=size))
    with np.errstate(all="ignore"):
        try:
            made = np.array(values, dtype=object).reshape(shape)
            made = np.where(made != made, 0, made) if dtype[0] in "iu?" else made
            made = np.vectorize(lambda x: 0 if isinstance(x, float) and not np.isfinite(x) else int(x))(made).astype(dtype) if dtype[-2:] in ("i4", "u4", "i8", "u8", "u1") and size else made.astype(dtype)
        except (ValueError, OverflowError, TypeError):
            made = np.zeros(shape, dtype)
    view = draw(st.sampled_from(["as it is", "fortran", "backwards", "memoryview", "list", "strided", "read only"]))
    if view == "fortran":
        return np.asfortranarray(made)
    if view == "backwards" and made.ndim:
        return made[::-1]
    if view == "list":
        return made.tolist()
    if view == "strided" and made.ndim:
        return np.repeat(made, 2, axis=0)[::2]
    if view == "read only":
        made.flags.writeable = False
    if view == "memoryview" and dtype not in ("O",):
        try:
            return memoryview(made)
        except (ValueError, BufferError):
            return made
    return made


objects = st.one_of(
    st.none(),
    st.booleans(),
    numbers,
    st.text(max_size=3),
    st.binary(max_size=4),
    arrays(),
    st.builds(lambda: CUBE),
    st.builds(lambda: KNOT.tree),
    st.builds(lambda: bw.Shape.sphere(1)),
    st.builds(lambda: MOTION),
    st.builds(lambda: bw.KineticMesh(MOTION)),
    st.builds(lambda: bw.PairCache()),
    st.builds(lambda: bw.Scene()),
    st.builds(lambda: bw.ScenePaths()),
    st.builds(lambda: bw.UserTree(BOXES)),
    st.builds(lambda: lambda *args: False),
    st.builds(lambda: lambda *args: None),
    st.builds(lambda: bw.Step(CUBE, CUBE.vertices)),
    st.builds(lambda: ANYTIME),
    st.builds(lambda: bw.AnytimeModel.builtin()),
    st.builds(lambda: bw.ViewCache()),
    st.builds(lambda: [(ANYTIME, ANYTIME, np.eye(4)[None])]),
    st.lists(st.builds(lambda: CUBE), max_size=2),
    st.sampled_from(["any", "count", "nearest", "refit", "auto", "fast", "spread", "objects", "first", "rays"]),
)
HEAVY = {"Pool"}  # threads by the thousand are what is asked for
CALLS = {n: getattr(bw, n) for n in dir(bw._core) if callable(getattr(bw, n, None)) and not n.startswith("_") and n not in HEAVY}
CALLS = {n: c for n, c in CALLS.items() if not (inspect.isclass(c) and issubclass(c, Exception))}
PICTURES = ("plot", "view")  # matplotlib's own exceptions, and a process each
METHODS = [
    (make, name)
    for make in (lambda: bw.Tree(CUBE), lambda: bw.Scene(track_pairs=True), bw.World, lambda: bw.Step(CUBE, CUBE.vertices), lambda: bw.KineticMesh(MOTION), bw.Culler, lambda: bw.Separation(MOTION, MOTION), lambda: bw.UserTree(BOXES), bw.ScenePaths, lambda: MOTION, lambda: ANYTIME, lambda: bw.Depth(16, 8), lambda: bw.AnytimeModel.builtin(), lambda: bw.Shape.hull(KNOT.vertices))
    for name in dir(make())
    if not name.startswith("_") and callable(getattr(make(), name)) and name not in PICTURES
]
FINE = (TypeError, ValueError, OverflowError, RuntimeError, BufferError, InterruptedError, MemoryError)


def call(f, args, kwargs):  # type: ignore[no-untyped-def]
    try:
        made = f(*args, **kwargs)
    except FINE:
        return
    repr(made)
    for one in made if isinstance(made, tuple) else (made,):
        if hasattr(one, "as_dict"):
            one.as_dict()
        if hasattr(one, "__len__") and hasattr(one, "report") and len(one):
            repr(one[0])


def plausible(draw, f):  # type: ignore[no-untyped-def]
    """Arguments for a signature: bodies where bodies belong, mostly, anything elsewhere."""
    args, kwargs = [], {}
    for p in inspect.signature(f).parameters.values():
        if p.kind == p.KEYWORD_ONLY:
            if draw(st.integers(0, 3)) == 0:
                kwargs[p.name] = draw(objects)
        elif p.default is inspect.Parameter.empty or draw(st.booleans()):
            good = p.name in ("a", "b", "body", "mesh") and draw(st.integers(0, 4)) > 0
            args.append(draw(st.sampled_from([CUBE, KNOT])) if good else draw(st.one_of(arrays(), objects)))
        else:
            break
    return args, kwargs


# The same examples in every run; BOXWOOD_FUZZ=n tries so many others.
MORE = int(os.environ.get("BOXWOOD_FUZZ", "0"))
SETTINGS = settings(max_examples=MORE or 400, derandomize=MORE == 0, database=None, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)


@SETTINGS
@given(st.data())
def test_calls(data: st.DataObject) -> None:
    f = CALLS[data.draw(st.sampled_from(sorted(CALLS)))]
    try:
        inspect.signature(f)
    except (ValueError, TypeError):
        return
    call(f, *plausible(data.draw, f))


@SETTINGS
@given(st.data())
def test_methods(data: st.DataObject) -> None:
    make, name = data.draw(st.sampled_from(METHODS))
    f = getattr(make(), name)
    call(f, *plausible(data.draw, f))


@SETTINGS
@given(arrays(), arrays())
def test_meshes(vertices: object, faces: object) -> None:
    try:
        mesh = bw.Mesh(vertices, faces)
        mesh.validate()
        mesh.topology()
    except FINE:
        return
    for quarantine in (False, True):
        try:
            tree = bw.Tree(mesh, quarantine=quarantine)
        except FINE:
            continue
        assert tree.check() is None
        bw.collide(tree, CUBE)
        bw.nearest(tree, [[0.5, 0.25, 3.0]])
        bw.Tree.load(tree.save(), mesh)


@SETTINGS
@given(st.integers(0, 5000), st.binary(min_size=1, max_size=8))
def test_damaged_trees(at: int, patch: bytes) -> None:
    data = bytearray(KNOT.tree.save())
    at %= len(data)
    data[at : at + len(patch)] = patch
    try:
        tree = bw.Tree.load(bytes(data), KNOT)
    except bw.Error:
        return
    bw.collide(tree, CUBE)
