"""How good an estimate is: what was watched as named columns, and its errors against the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....trajectory import Trajectory
from ..leg.drives import SAMPLE
from ..leg.trainer_leg import Leg
from .causal import causal_speeds
from .experiment import Truth
from .signals import Reference, reference

if TYPE_CHECKING:
    from .leg_observers import Estimate

Array = NDArray[np.float64]

SINCE = 1.0
"""Errors count from this time in s on, when the exercise begins."""

STILL = 5e-3
"""A slide slower than this, in m/s, counts as at rest."""

MOTION = ("phi", "s", "omega", "v")


@dataclass(frozen=True)
class Watched:
    """Measurements, the reference signals made of them, and the estimate of an observer."""

    measured: Array
    reference: Reference
    estimate: Estimate


def watch(truth: Truth, stage: str, noise: str, seed: int, kind: str = "cdkf") -> Watched:
    """Measure an experiment with noise and observe it."""
    from .leg_observers import observe

    measured = truth.measured(noise, seed)
    return Watched(measured, reference(Leg(), measured, SAMPLE), observe(stage, truth, measured, None, kind))


def _block(prefix: str, motion: Array, net: Array) -> dict[str, Array]:
    names = (*MOTION, "net_hip", "net_slide")
    return {f"{prefix}_{name}": column for name, column in zip(names, np.column_stack([motion, net]).T, strict=True)}


def as_trajectory(truth: Truth, watched: Watched, rival: Watched) -> Trajectory:
    """Columns of a watched experiment: truth, measurements, reference, estimate, and the estimate of a rival."""
    seen = watched.estimate
    ref = watched.reference
    table = {"t": truth.t[1:], **dict(zip(MOTION, truth.x[1:].T, strict=True))}
    table |= dict(zip(("net_hip", "net_slide"), truth.net[1:].T, strict=True))
    table |= dict(zip(("M", "F"), truth.u[1:].T, strict=True))
    table |= dict(zip(("measured_phi", "measured_s"), watched.measured[1:].T, strict=True))
    table |= _block("est", seen.x, seen.net) | _block("rival", rival.estimate.x, rival.estimate.net)
    table |= _block("ref", np.column_stack([ref.position, ref.speed])[1:], ref.net[1:])
    table |= dict(zip(("causal_omega", "causal_v"), causal_speeds(watched.measured, SAMPLE)[1:].T, strict=True))
    table |= {f"sigma_{name}": seen.seen[f"sigma_{name}"] for name in MOTION}
    table |= dict(zip(("Q_hip", "Q_slide"), seen.friction.T, strict=True))
    table |= {"knee": truth.knee[1:], "est_knee": seen.knee, "nis": seen.seen["nis"], "nees": seen.nees}
    table["update_time"] = np.full(len(seen.t), seen.update_time)
    return Trajectory(tuple(table), np.column_stack(list(table.values())), truth.steps)


def rms(error: Array) -> float:
    """Root mean square of what is known of an error."""
    return float(np.sqrt(np.nanmean(error**2)))


def scores(run: Trajectory, prefix: str) -> dict[str, float]:
    """Errors of the columns with a prefix: RMS in rad, m, rad/s, m/s, N m and N, and the largest of omega."""
    later = run["t"] >= SINCE
    names = (*MOTION, "net_hip", "net_slide")
    error = {name: (run[f"{prefix}_{name}"] - run[name])[later] for name in names}
    found = {f"rms_{name}": rms(error[name]) for name in MOTION}
    found["max_omega_error"] = float(np.nanmax(np.abs(error["omega"])))
    found |= {"rms_net_torque": rms(error["net_hip"]), "rms_net_force": rms(error["net_slide"])}
    still = np.abs(run["v"][later]) < STILL
    found["standstill_rms_omega"] = rms(error["omega"][still]) if np.any(still) else 0.0
    found["standstill_rms_v"] = rms(error["v"][still]) if np.any(still) else 0.0
    return found
