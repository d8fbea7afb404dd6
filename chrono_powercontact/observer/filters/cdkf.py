"""The square-root central difference Kalman filter (Appendix B of the thesis, with erratum E5)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ...errors import ParameterError, finite
from ..filter_model import FilterModel
from .filter_layout import ALGORITHM, CDKF_KIND
from .sigma_point_filter import SigmaPointFilter


class CDKF(SigmaPointFilter):
    """Square-root central difference Kalman filter.

    The 2n + 1 sigma points lie h = sqrt(3) standard deviations apart, which is right for a normal distribution. First
    and second central differences give mean and covariance; the factor is only ever made by QR, so the covariance
    cannot lose its definiteness. On a linear model the filter is the Kalman filter.

    >>> @compiled
    ... def swing(t, x, u, p, dx):
    ...     dx[0] = x[1]
    ...     dx[1] = -p[0] * np.sin(x[0]) + u[0]
    >>> model = FilterModel(swing, states=("phi", "omega"), inputs=("torque",), outputs=("phi",), p=[9.81])
    >>> observer = CDKF(model, x_0=[0.1, 0.0], p_0=[1e-2, 1e-2], q_p=[1e-8, 1e-4], r_m=[1e-4], sample_time=0.01)
    >>> x = observer.update(y=[0.11], u=[0.0])
    >>> seen = observer.run(ys, us)
    >>> seen["omega"], seen["sigma_omega"], observer.counts

    Args:
        h: width of the central differences, at least 1. The others are those of `SigmaPointFilter`.
    """

    def __init__(
        self, model: FilterModel, x_0: ArrayLike, p_0: ArrayLike, q_p: ArrayLike, r_m: ArrayLike, sample_time: float,
        step: float | None = None, bounds: Mapping[str, tuple[float, float]] | None = None, t_0: float = 0.0,
        h: float = math.sqrt(3.0),
    ) -> None:  # fmt: skip
        super().__init__(model, x_0, p_0, q_p, r_m, sample_time, step, bounds, t_0)
        if not finite("h", h) >= 1.0:
            raise ParameterError(f"h must be at least 1, got {h:g}")
        self._algorithm = np.zeros(1, ALGORITHM)
        self._algorithm["kind"] = CDKF_KIND
        self._algorithm["spread"] = h
        self._algorithm["others"] = 0.5 / h**2
        self._algorithm["curvature"] = 0.5 * math.sqrt(h**2 - 1.0) / h**2
