"""Alarms: what an observer that rides along notices, sample by sample, and how soon.

Each alarm is one number of the record against its limit. The limits stand far beyond what a sound leg shows, see
`docs/gait_control.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..control.control_observers import ridden_stage
from ..leg.drives import SAMPLE
from ..leg.leg_rate import REPORT, write_reports

if TYPE_CHECKING:
    from ....trajectory import Trajectory

Array = NDArray[np.float64]

SETTLED = 3.0
"""Time in s until which an observer finds the numbers it estimates, and nothing is judged."""

SLOW = 0.2
"""Time constant in s of the mean from which a spasm departs."""

LIMITS = {"wear": 0.05, "spasm": 6.0, "stop": 15.0, "sensor": 2.5}
"""Level of the slide's friction above its usual one; departure of the patient's torque from its slow mean in N m;
torque of the knee stop in N m; and equal readings in a row."""


def departure(torque: Array, sample: float = SAMPLE) -> Array:
    """How far a torque is from its own mean over the last SLOW seconds, in N m."""
    mean = torque[0]
    away = np.zeros_like(torque)
    for k, value in enumerate(torque):
        away[k] = abs(value - mean)
        mean += sample / (sample + SLOW) * (value - mean)
    return away


def equal_readings(values: Array) -> Array:
    """How many readings before each one are the same as it, without a break: a live sensor has noise."""
    count = np.zeros(len(values))
    for k in range(1, len(values)):
        count[k] = count[k - 1] + 1.0 if values[k] == values[k - 1] or not np.isfinite(values[k]) else 0.0
    return count


def stop_torque(run: Trajectory) -> Array:
    """Torque in N m of the knee stop at the estimated motion."""
    motion = np.column_stack([run[f"est_{name}"] for name in ("phi", "s", "omega", "v")])
    reports = np.zeros(len(motion), REPORT)
    write_reports(motion, np.zeros((len(motion), 2)), ridden_stage("s4").record, reports)
    return np.asarray(reports["F_knee"])


def signals(run: Trajectory) -> dict[str, Array]:
    """The number of each alarm at every sample."""
    return {
        "wear": run["est_level"],
        "spasm": departure(run["est_patient"]),
        "stop": stop_torque(run),
        "sensor": np.maximum(equal_readings(run["measured_phi"]), equal_readings(run["measured_s"])),
    }


def first_alarms(run: Trajectory) -> dict[str, float]:
    """Time in s at which each alarm goes off first; infinite where it never does."""
    t = run["t"]
    found = {}
    for name, values in signals(run).items():
        over = (t >= SETTLED) & (values > LIMITS[name])
        found[name] = float(t[np.argmax(over)]) if np.any(over) else np.inf
    return found
