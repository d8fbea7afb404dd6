"""The extended Kalman filter in square-root form, with Jacobians by dual numbers or by the model's own differences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ...errors import ParameterError, UnknownNameError, finite
from ..filter_model import FilterModel
from ..tangents import Tangent
from .exact_ekf import Predicted, corrected, predicted
from .factors import lift
from .filter_layout import ALGORITHM, CDKF_KIND
from .sigma_point_filter import Array, SigmaPointFilter

JACOBIANS = ("differences", "exact", "auto")


class EKF(SigmaPointFilter):
    """Extended Kalman filter.

    The mean runs through the model alone. The covariance is carried by the derivatives of the whole sample along the
    columns of its factor, F S. As central differences over a small part of each column, scale and units of the states
    do not matter, and the cost is that of a sigma point filter. Exact ones come from dual numbers in the kernels of the
    model, where it has such: a system by `model_of` and the leg of the gait trainer.

    Args:
        difference: distance of the differences from the mean, in standard deviations.
        jacobians: `differences`, `exact`, or `auto`: exact where the model has derivatives. The others are those of
            `SigmaPointFilter`.
    """

    def __init__(
        self, model: FilterModel, x_0: ArrayLike, p_0: ArrayLike, q_p: ArrayLike, r_m: ArrayLike, sample_time: float,
        step: float | None = None, bounds: Mapping[str, tuple[float, float]] | None = None, t_0: float = 0.0,
        difference: float = 1e-3, jacobians: str = "differences",
    ) -> None:  # fmt: skip
        super().__init__(model, x_0, p_0, q_p, r_m, sample_time, step, bounds, t_0)
        if not 0.0 < finite("difference", difference) <= 1.0:
            raise ParameterError(f"difference must lie between 0 and 1, got {difference:g}")
        self._algorithm = np.zeros(1, ALGORITHM)
        self._algorithm["kind"] = CDKF_KIND
        self._algorithm["spread"] = difference
        if jacobians not in JACOBIANS:
            raise UnknownNameError("way to the jacobians", jacobians, JACOBIANS)
        if jacobians == "exact" and model.tangent is None:
            raise ParameterError(
                "this model has no exact derivatives: take a system by model_of, or jacobians='differences'"
            )
        self._difference = difference
        wanted = model.tangent if jacobians != "differences" else None
        self._tangent: Tangent | None = None if wanted is None else wanted(self._step, self._steps)

    @property
    def exact(self) -> bool:
        """Whether its Jacobians are exact."""
        return self._tangent is not None

    def _advance(self, us: Array, ys: Array, rows: Array, factors: Array) -> int:
        if self._tangent is None:
            return super()._advance(us, ys, rows, factors)
        for k, (u, y) in enumerate(zip(us, ys, strict=True)):
            if not self._sample(self._tangent, u, y, rows[k]):
                return k
            if k < len(factors):
                factors[k] = self._s
        return len(ys)

    def _sample(self, tangent: Tangent, u: Array, y: Array, row: Array) -> bool:
        """One sample with exact Jacobians; False, with the estimate as it was, where the model left the numbers."""
        end = self.t + self.sample_time
        ahead = predicted(tangent, self.t, self._x, self._s, u, self._s_v)
        if not np.all(np.isfinite(ahead.x)):
            return False
        innovation, nis = np.full(y.size, np.nan), np.nan
        if np.all(np.isfinite(y)):
            there = Predicted(np.clip(ahead.x, self._lower, self._upper), ahead.s)
            x, s, innovation, nis = corrected(self.model, end, there, u, y, self._s_n, self._difference)
            ahead = Predicted(x, s)
        else:
            self._counts["skipped"] += 1
        if not (np.all(np.isfinite(ahead.x)) and np.all(np.isfinite(ahead.s))):
            return False
        self._x[:] = np.clip(ahead.x, self._lower, self._upper)
        self._s[:] = ahead.s
        self._counts["lifted"] += lift(self._s, self._s_v)
        row[:] = np.concatenate([self._x, self.sigma, innovation, [nis]])
        self._samples += 1
        return True
