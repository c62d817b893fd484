"""Poses: 4x4 matrices as nested tuples, which every call takes as it takes arrays."""

from __future__ import annotations

import math

__all__ = ["Pose", "rotation", "translation"]

Row = tuple[float, float, float, float]
Pose = tuple[Row, Row, Row, Row]


def translation(x: float, y: float, z: float) -> Pose:
    """The pose that moves by (x, y, z).

    >>> import boxwood as bw
    >>> bw.translation(1, 2, 3)[0]
    (1.0, 0.0, 0.0, 1.0)
    """
    return ((1.0, 0.0, 0.0, float(x)), (0.0, 1.0, 0.0, float(y)), (0.0, 0.0, 1.0, float(z)), (0.0, 0.0, 0.0, 1.0))


def rotation(
    axis: tuple[float, float, float], angle: float, position: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> Pose:
    """The pose that turns by an angle (radians) about an axis through the origin, then moves to a position.

    >>> import boxwood as bw
    >>> [round(x, 9) for x in bw.rotation((0, 0, 1), 3.141592653589793 / 2, (5, 0, 0))[0]]
    [0.0, -1.0, 0.0, 5.0]
    """
    length = math.hypot(*axis)
    if length == 0 or not math.isfinite(length):
        raise ValueError(f"axis must have a length, not {axis!r}")
    x, y, z = (c / length for c in axis)
    c, s = math.cos(angle), math.sin(angle)
    t = 1 - c
    return (
        (t * x * x + c, t * x * y - s * z, t * x * z + s * y, float(position[0])),
        (t * x * y + s * z, t * y * y + c, t * y * z - s * x, float(position[1])),
        (t * x * z - s * y, t * y * z + s * x, t * z * z + c, float(position[2])),
        (0.0, 0.0, 0.0, 1.0),
    )
