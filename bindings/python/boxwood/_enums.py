"""The words of results. Columns of tables hold their numbers, single results the members."""

from enum import IntEnum


class Kind(IntEnum):
    """How two closed sets meet: touching shares points of the boundary only; near is within a query's separation."""

    NONE = 0
    TOUCHING = 1
    CROSSING = 2
    NEAR = 3


class Status(IntEnum):
    """How a query ended: DONE whole, FOUND by the first hit, STOPPED by progress, FULL buffer, LIMIT a bound of the caller's."""

    DONE = 0
    FOUND = 1
    STOPPED = 2
    FULL = 3
    LIMIT = 4


class Containment(IntEnum):
    """Which body lies inside the other."""

    NONE = 0
    A_IN_B = 1
    B_IN_A = 2


class Defect(IntEnum):
    """What can be wrong with a primitive of a mesh."""

    NONE = 0
    INDEX = 1
    NAN = 2
    INFINITE = 3
    RANGE = 4
    ZERO_AREA = 5


class Action(IntEnum):
    """What an update of a tree did."""

    REFIT = 0
    RESTRUCTURE = 1
    REBUILD = 2


class Side(IntEnum):
    """Where a point is."""

    OUTSIDE = 0
    INSIDE = 1
    ON = 2


class Feature(IntEnum):
    """A part of a triangle."""

    FACE = 0
    EDGE = 1
    VERTEX = 2


class StepFeature(IntEnum):
    """Which features of a step meet: VERTEX_FACE: vertex a and face b, and so on."""

    NOTHING = 0
    START = 1
    VERTEX_FACE = 2
    FACE_VERTEX = 3
    EDGE_EDGE = 4
    VERTEX_EDGE = 5
    EDGE_VERTEX = 6
    VERTEX_VERTEX = 7


class Ccd(IntEnum):
    """The answer of a continuous query: APART and CONTACT are proven, CLOSE is to be taken as contact."""

    APART = 0
    CONTACT = 1
    CLOSE = 2


class Reason(IntEnum):
    """Why a query within a budget ended."""

    PROVEN = 0
    ENOUGH = 1
    PRUNED = 2
    BUDGET = 3
    STOPPED = 4


class Event(IntEnum):
    """Of a contact in a world: it began in this step, persists, or has ended."""

    BEGIN = 0
    PERSIST = 1
    END = 2


class BodyKind(IntEnum):
    """Bodies that are unlike each other in what their statistics foretell: see ``AnytimeStats``."""

    SHELL = 0
    PARTS = 1
    RODS = 2
    LIMBS = 3
    LOOSE = 4


ENUMERATIONS = (Kind, Status, Containment, Defect, Action, Side, Feature, StepFeature, Ccd, Reason, Event, BodyKind)
