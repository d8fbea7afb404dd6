"""An exported filter, compiled and called from Python: the file that goes onto a controller, tried in a loop first."""

from __future__ import annotations

import ctypes
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import DivergedError
from ..filters.plain_factors import widen
from ..filters.sigma_point_filter import SigmaPointFilter
from .c_check import built, structure
from .c_filter import c_source

Array = NDArray[np.float64]


@cache
def library(source: str) -> ctypes.CDLL:
    """The compiled text of an exported filter; the same text is compiled once in a process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "observer.c"
        file.write_text(source, encoding="utf-8")
        built(file, file.with_suffix(".so"))
        return ctypes.CDLL(str(file.with_suffix(".so")))


class CObserver:
    """A filter in C that begins with the present estimate of a Python one, and is updated as that is.

    Attributes:
        model: the model of the filter. x: estimate. s: lower factor of its covariance; both change in place.
    """

    def __init__(self, observer: SigmaPointFilter) -> None:
        self.model = observer.model
        n = len(self.model.states)
        self._record = structure(n, len(self.model.outputs))()
        self._library = library(c_source(observer))
        self._here = ctypes.byref(self._record)
        self._library.observer_start(self._here)
        self.x = np.ctypeslib.as_array(self._record.x)
        self.s = np.ctypeslib.as_array(self._record.s).reshape(n, n)
        self._u = np.zeros(len(self.model.inputs))
        self._y = np.zeros(len(self.model.outputs))
        self._given = self._u.ctypes.data_as(ctypes.c_void_p), self._y.ctypes.data_as(ctypes.c_void_p)

    @property
    def t(self) -> float:
        """Time of the estimate in s."""
        return float(self._record.t)

    @property
    def nis(self) -> float:
        """Square of the last innovation in units of its spread; not a number where it was skipped."""
        return float(self._record.nis)

    @property
    def sigma(self) -> Array:
        """Standard deviation of each state."""
        return np.sqrt(np.einsum("ij,ij->i", self.s, self.s))

    def update(self, y: ArrayLike, u: ArrayLike = ()) -> Array:
        """One sample on with the input u held, then the measurement y at its end; returns the estimate."""
        self._y[:] = y
        self._u[:] = u
        if not self._library.observer_update(self._here, *self._given):
            raise DivergedError(f"the exported filter left the finite numbers after {self.t:.6g} s")
        return self.x

    def widen(self, state: str, sigma: float) -> None:
        """As `SigmaPointFilter.widen`."""
        widen(self.s, self.model.states, state, sigma)
