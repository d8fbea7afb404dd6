"""The virtual sensor as a central difference Kalman filter: pressing force and friction coefficient from two forces.

States: N in N, its rate in N/s, mu. Between two readings N runs on at its rate and mu stays; a reading is the balance
of the rigid machine, F = (moments - arms [N, -mu N])/levers, whose coefficients follow from the cylinder lengths.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....observer.filter_model import FilterModel, compiled
from ....observer.filters.cdkf import CDKF
from .cylinder_sensor import Sensor

Array = NDArray[np.float64]
STATES = ("N", "rate", "mu")
INPUTS = ("M_O", "M_E", "h1", "h2", "N_O", "t_O", "N_E", "t_E")


@compiled
def drift(t: float, x: Any, u: Any, p: Any, dx: Any) -> None:
    """N runs on at its rate, the rest stays."""
    dx[0] = x[1]
    dx[1] = 0.0
    dx[2] = 0.0


@compiled
def cylinder_forces(t: float, x: Any, u: Any, p: Any, y: Any) -> None:
    """F1 and F2 in N of a rake that slides up."""
    pull = -x[2] * x[0]
    y[0] = (u[0] - u[4] * x[0] - u[5] * pull) / u[2]
    y[1] = (u[1] - u[6] * x[0] - u[7] * pull) / u[3]


def observe(sensor: Sensor, t: Array, commanded: Array, forces: Array, burden: Array, sigma: float) -> Array:
    """N, mu and their standard deviations at times t in s, at which the rake slides up.

    Args:
        commanded: lengths in m. forces: in N, without seals; one row per line. burden: see `Sensor.read`.
        sigma: of a measured force, in N.
    """
    columns = zip(commanded.T, forces.T, burden.T, strict=True)
    inputs = np.array([_row(sensor, c, f, moments) for c, f, moments in columns])
    apart = float(np.median(np.diff(t)))
    model = FilterModel(drift, STATES, INPUTS, ("F1", "F2"), np.zeros(1), measure=cylinder_forces)
    guess = sensor.read(commanded[:, :1], forces[:, :1], burden[:, :1])[0, 0]
    kalman = CDKF(
        model,
        np.array((guess, 0.0, 0.5)),
        np.array((1e6, 1e6, 0.04)),
        np.array((100.0, 25.0, 1e-6)),
        np.array((sigma**2, sigma**2)),
        sample_time=apart,
        t_0=float(t[0]) - apart,
    )
    seen = kalman.run(forces.T.copy(), inputs)
    return np.array([seen["N"], seen["mu"], seen["sigma_N"], seen["sigma_mu"]])


def _row(sensor: Sensor, commanded: Array, forces: Array, burden: Array) -> Array:
    """Coefficients of the balance at one reading, in the order of INPUTS."""
    balance = sensor.loaded(commanded, forces, burden)
    return np.concatenate([balance.moments, balance.levers, balance.arms.ravel()])
