"""The virtual sensor as a central difference Kalman filter: pressing force and friction coefficient from two forces.

States: N in N, its rate in N/s, mu. Between two readings N runs on at its rate and mu stays; a reading is the balance
of the rigid machine, F = (moments - arms [N, -mu N])/levers, whose coefficients follow from the cylinder lengths.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...observer.filter_model import FilterModel, compiled
from ...observer.filters.cdkf import CDKF
from .cylinder_sensor import Sensor
from .motion.setup import Setup

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


def observe(setup: Setup, t: Array, commanded: Array, forces: Array, along: tuple[float, float], sigma: float) -> Array:
    """N, mu and their standard deviations at times t in s; nan outside the stretch `along`, where the filter rests.

    Args:
        commanded: lengths in m. forces: measured, in N; one row per line. sigma: of a measured force, in N.
    """
    sensor = Sensor(setup.machine, setup.rack)
    inside = (t >= along[0] - 1e-9) & (t <= along[1] + 1e-9)
    found = np.full((4, t.size), np.nan)
    inputs = np.array([_row(sensor, c, f) for c, f in zip(commanded.T[inside], forces.T[inside], strict=True)])
    apart = float(np.median(np.diff(t)))
    model = FilterModel(drift, STATES, INPUTS, ("F1", "F2"), np.zeros(1), measure=cylinder_forces)
    guess = sensor.read(commanded[:, inside][:, :1], forces[:, inside][:, :1])[0, 0]
    kalman = CDKF(
        model,
        np.array((guess, 0.0, 0.5)),
        np.array((1e6, 1e6, 0.04)),
        np.array((100.0, 25.0, 1e-6)),
        np.array((sigma**2, sigma**2)),
        sample_time=apart,
        t_0=float(t[inside][0]) - apart,
    )
    seen = kalman.run(forces.T[inside], inputs)
    found[:, inside] = [seen["N"], seen["mu"], seen["sigma_N"], seen["sigma_mu"]]
    return found


def _row(sensor: Sensor, commanded: Array, forces: Array) -> Array:
    """Coefficients of the balance at one reading, in the order of INPUTS."""
    balance = sensor.balance(sensor.lengths(commanded, forces))
    return np.concatenate([balance.moments, balance.levers, balance.arms.ravel()])
