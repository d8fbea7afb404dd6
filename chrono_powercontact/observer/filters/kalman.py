"""The linear Kalman filter: what a sigma point filter must equal on a linear model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError
from .checks import Matrix, covariance, vector


def rk4_transition(a: ArrayLike, sample_time: float, steps: int = 1) -> NDArray[np.float64]:
    """Transition matrix that RK4 makes of x' = A x over a sample: the exponential up to fourth order per step."""
    z = np.asarray(a, float) * sample_time / steps
    one = np.eye(len(z))
    step = one + z @ (one + z @ (one / 2.0 + z @ (one / 6.0 + z / 24.0)))
    return np.asarray(np.linalg.matrix_power(step, steps))


@dataclass
class KalmanFilter:
    """x_k = A x_(k-1) + B u_(k-1) + noise, y_k = C x_k + noise.

    Attributes:
        a, b, c: matrices of the system. q_p, r_m: covariances of process and measurement noise.
        x: estimate. covariance: of the estimate. innovation, nis: of the last measurement.
    """

    a: Matrix
    b: Matrix
    c: Matrix
    q_p: Matrix
    r_m: Matrix
    x: Matrix
    covariance: Matrix

    def __post_init__(self) -> None:
        n = len(self.a)
        m = len(self.c)
        for name, shape in (("a", (n, n)), ("b", (n, np.shape(self.b)[-1])), ("c", (m, n))):
            if np.shape(getattr(self, name)) != shape:
                raise ParameterError(f"{name} must have the shape {shape}, got {np.shape(getattr(self, name))}")
        self.q_p = covariance("q_p", self.q_p, n)
        self.r_m = covariance("r_m", self.r_m, m)
        self.x = vector("x", self.x, n)
        self.covariance = covariance("covariance", self.covariance, n)
        self.innovation = np.full(m, np.nan)
        self.nis = float("nan")

    def update(self, y: ArrayLike, u: ArrayLike = ()) -> Matrix:
        """One sample on, then the measurement; Joseph's form keeps the covariance symmetric."""
        self.x = self.a @ self.x + self.b @ np.asarray(u, float)
        p = self.a @ self.covariance @ self.a.T + self.q_p
        p_y = self.c @ p @ self.c.T + self.r_m
        k = np.linalg.solve(p_y, self.c @ p).T
        self.innovation = np.asarray(y, float) - self.c @ self.x
        self.nis = float(self.innovation @ np.linalg.solve(p_y, self.innovation))
        self.x = self.x + k @ self.innovation
        rest = np.eye(len(self.x)) - k @ self.c
        self.covariance = rest @ p @ rest.T + k @ self.r_m @ k.T
        return self.x.copy()
