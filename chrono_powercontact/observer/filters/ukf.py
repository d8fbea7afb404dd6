"""The square-root unscented Kalman filter: a second opinion with the same interface as the CDKF."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ...errors import ParameterError, finite
from ..filter_model import FilterModel
from .filter_layout import ALGORITHM, UKF_KIND
from .sigma_point_filter import SigmaPointFilter


class UKF(SigmaPointFilter):
    """Square-root unscented Kalman filter.

    Args:
        alpha, beta, kappa: numbers of the scaled unscented transform; the points lie alpha sqrt(n + kappa) standard
            deviations apart. The others are those of `SigmaPointFilter`.
    """

    def __init__(
        self, model: FilterModel, x_0: ArrayLike, p_0: ArrayLike, q_p: ArrayLike, r_m: ArrayLike, sample_time: float,
        step: float | None = None, bounds: Mapping[str, tuple[float, float]] | None = None, t_0: float = 0.0,
        alpha: float = 1.0, beta: float = 2.0, kappa: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(model, x_0, p_0, q_p, r_m, sample_time, step, bounds, t_0)
        n = len(model.states)
        square = finite("alpha", alpha) ** 2 * (n + finite("kappa", kappa))
        if not square > 0.0:
            raise ParameterError(f"alpha must not be 0 and kappa above {-n}, got alpha={alpha:g} and kappa={kappa:g}")
        centre = (square - n) / square
        self._algorithm = np.zeros(1, ALGORITHM)
        self._algorithm["kind"] = UKF_KIND
        self._algorithm["spread"] = np.sqrt(square)
        self._algorithm["mean_centre"] = centre
        self._algorithm["spread_centre"] = centre + 1.0 - alpha**2 + finite("beta", beta)
        self._algorithm["others"] = 0.5 / square
