"""Boxwood: collision detection for things that move and deform, exact and fast.

>>> import boxwood as bw
>>> cube = bw.samples.cube()
>>> bw.collides(cube, cube, pose_b=bw.translation(0.5, 0, 0))
True

Arrays are read in place where they can be, results are NumPy arrays where NumPy is there and memoryviews where it is not.
Queries may be called from any number of threads; they give up the GIL while they work, and Ctrl-C ends them.
"""

from boxwood import _core, _enums
from boxwood import types as types
from boxwood._core import *  # noqa: F403
from boxwood._core import __version__ as __version__
from boxwood._enums import Action as Action
from boxwood._enums import BodyKind as BodyKind
from boxwood._enums import Ccd as Ccd
from boxwood._enums import Containment as Containment
from boxwood._enums import Defect as Defect
from boxwood._enums import Event as Event
from boxwood._enums import Feature as Feature
from boxwood._enums import Kind as Kind
from boxwood._enums import Reason as Reason
from boxwood._enums import Side as Side
from boxwood._enums import Status as Status
from boxwood._enums import StepFeature as StepFeature
from boxwood._tool import ReadError as ReadError
from boxwood._tool import ReadWarning as ReadWarning
from boxwood.files import Clip as Clip
from boxwood.files import File as File
from boxwood.files import Film as Film
from boxwood.files import Part as Part
from boxwood.files import read as read
from boxwood.poses import Pose as Pose
from boxwood.poses import rotation as rotation
from boxwood.poses import translation as translation
from boxwood.timelines import timeline_events as timeline_events

_core._set_enumerations({e.__name__: tuple(e) for e in _enums.ENUMERATIONS})  # pyright: ignore[reportPrivateUsage]

from boxwood import plot as plot  # noqa: E402
from boxwood import samples as samples  # noqa: E402
from boxwood.viewer import View as View  # noqa: E402
from boxwood.viewer import view as view  # noqa: E402
from boxwood import _methods as _methods  # noqa: E402
