"""Adds the forces on very many bodies to Chrono's vector in parallel, at the places where Chrono would add them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...api.bridge import pychrono
from ...api.views import Mirror, location
from .step_passes import add_at_places

if TYPE_CHECKING:
    from ...load.load import LazyLoad


def places_of(load: LazyLoad, length: int) -> NDArray[np.int32]:
    """Index in Chrono's vectors of a length of each entry of the forces; -1 if Chrono adds it nowhere.

    Chrono itself tells: it adds the numbers of the entries to a vector of zeros.
    """
    zeros = Mirror(pychrono().ChVectorDynamicd(length), length)
    zeros.data.fill(0.0)
    forces = load.q.data
    before = forces.copy()
    forces[:] = np.arange(1.0, forces.size + 1.0)
    load.add_to(load, zeros.vector, 1.0)
    forces[:] = before
    indices = np.flatnonzero(zeros.data)
    places = np.full(forces.size, -1, np.int32)
    places[zeros.data[indices].astype(np.int64) - 1] = indices
    return places


class Places:
    """Where the forces of a load go in Chrono's vectors of a length."""

    def __init__(self, load: LazyLoad, length: int) -> None:
        self._length = length
        self._places = places_of(load, length)

    @property
    def nbytes(self) -> int:
        """Memory in bytes that it holds."""
        return self._places.nbytes

    def add(self, forces: NDArray[np.float64], residual: Any, factor: float) -> bool:
        """Add forces, times a factor, to Chrono's vector; False if it has another length."""
        if residual.Size() != self._length:
            return False
        add_at_places(forces, self._places, factor, location(residual), self._length)
        return True
