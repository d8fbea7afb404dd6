"""The extended Kalman filter in square-root form, with Jacobians by the model's own differences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ...errors import ParameterError, finite
from ..filter_model import FilterModel
from .filter_layout import ALGORITHM, CDKF_KIND
from .sigma_point_filter import SigmaPointFilter


class EKF(SigmaPointFilter):
    """Extended Kalman filter.

    The mean runs through the model alone. The covariance is carried by the derivatives of the whole sample along the
    columns of its factor, F S, as central differences over a small part of each column: so scale and units of the
    states do not matter, and the cost is that of a sigma point filter.

    Args:
        difference: distance of the differences from the mean, in standard deviations. The others are those of
            `SigmaPointFilter`.
    """

    def __init__(
        self, model: FilterModel, x_0: ArrayLike, p_0: ArrayLike, q_p: ArrayLike, r_m: ArrayLike, sample_time: float,
        step: float | None = None, bounds: Mapping[str, tuple[float, float]] | None = None, t_0: float = 0.0,
        difference: float = 1e-3,
    ) -> None:  # fmt: skip
        super().__init__(model, x_0, p_0, q_p, r_m, sample_time, step, bounds, t_0)
        if not 0.0 < finite("difference", difference) <= 1.0:
            raise ParameterError(f"difference must lie between 0 and 1, got {difference:g}")
        self._algorithm = np.zeros(1, ALGORITHM)
        self._algorithm["kind"] = CDKF_KIND
        self._algorithm["spread"] = difference
