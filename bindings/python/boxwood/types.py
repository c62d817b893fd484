"""Names for annotations: what calls take and what arrays results are. With NumPy absent arrays are memoryviews."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

__all__ = ["Bodies", "Body", "Bools", "Counts", "Floats", "Floats32", "Indices", "Ints", "Progress", "ProgressBar", "Vec3"]


class ProgressBar(Protocol):
    """What ``progress=`` takes beside functions: tqdm's bars are of this kind."""

    def update(self, n: int, /) -> object: ...


Vec3: TypeAlias = tuple[float, float, float]
Progress: TypeAlias = ProgressBar | Callable[[Any, Any], object] | None

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from boxwood._core import KineticMesh, Mesh, Tree

    Body: TypeAlias = Tree | Mesh | KineticMesh
    Bodies: TypeAlias = Body | Sequence[Body]
    Floats: TypeAlias = NDArray[np.float64]
    Floats32: TypeAlias = NDArray[np.float32]
    Ints: TypeAlias = NDArray[np.int32]
    Indices: TypeAlias = NDArray[np.uint32]
    Counts: TypeAlias = NDArray[np.uint64]
    Bools: TypeAlias = NDArray[np.bool_]
else:
    Body = Bodies = Floats = Floats32 = Ints = Indices = Counts = Bools = Any
