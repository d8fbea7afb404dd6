"""A crank-rocker: the crank turns fully round, the rocker stands still twice in each turn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..parameters import choice, number
from ..scenario import Check, Metrics, below
from .bar_linkage import BarLinkage, BarParameters
from .loop_scenario import SAVED, saves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...trajectory import Trajectory

STILL = {"reference": 1e-5, "chrono": 1e-3}
"""Largest angular velocity of the rocker over that of the crank where it should stand still, at most."""

COORDINATES = ("best", "theta1", "theta2", "theta3")


@dataclass(frozen=True)
class FourBarParameters(BarParameters):
    """A crank-rocker."""

    begin: str = choice("theta3", "independent coordinate at the start", COORDINATES)
    inherited: ClassVar[None]
    hold: float = number(
        0.9,
        "coordinates are kept while their volume is at least this fraction of the best one's; 0 never switches",
        minimum=0.0,
        maximum=1.0,
    )


def dead_angles(p: BarParameters) -> list[float]:
    """Angles in rad of the crank at which it is on one line with the coupler: there the rocker stands still."""
    found = []
    for reach, turn in ((p.l2 + p.l1, 0.0), (p.l2 - p.l1, math.pi)):
        cosine = (reach**2 + p.l4**2 - p.l3**2) / (2.0 * reach * p.l4) if reach else math.inf
        if abs(cosine) <= 1.0:
            found.append(turn + math.acos(cosine))
    return found


def values_at(angle: np.ndarray, target: float, values: np.ndarray) -> np.ndarray:
    """Values of a signal at every passage of an angle, in rad, through a target, whole turns counted as equal."""
    phase = (angle - target) / (2.0 * np.pi)
    rows = np.flatnonzero(np.floor(phase[1:]) != np.floor(phase[:-1]))
    line = np.maximum(np.floor(phase[rows]), np.floor(phase[rows + 1]))
    share = (line - phase[rows]) / (phase[rows + 1] - phase[rows])
    return np.asarray(values[rows] + share * (values[rows + 1] - values[rows]))


class FourBar(BarLinkage[FourBarParameters]):
    """The only dead points of a crank-rocker are the rocker's: crank and coupler on one line."""

    name = "four_bar"
    claim = (
        "A four-bar turns through the dead points of its rocker: energy and closure are kept, the reaction at the cut "
        "is that of free bodies, and a kept history saves evaluations."
    )
    source = "closed loops (1)-(7), four-bar"
    parameters = FourBarParameters
    longest = 5e-4

    def begins_with(self, p: FourBarParameters) -> Sequence[str] | None:
        return None if p.begin == "best" else (p.begin,)

    def measure(self, p: FourBarParameters, trajectory: Trajectory) -> Metrics:
        ratio = trajectory["theta3_dot"] / np.abs(trajectory["theta1_dot"]).max()
        passed = [values_at(trajectory["theta1"], angle, ratio) for angle in dead_angles(p)]
        rates = np.concatenate([*passed, np.zeros(0)])
        return super().measure(p, trajectory) | {
            "turns": float(abs(trajectory["theta1"][-1] - p.theta1_0) / (2.0 * math.pi)),
            "dead_angles": dead_angles(p),
            "passages": int(rates.size),
            "rocker_at_dead_points": float(np.abs(rates).max()) if rates.size else None,
        }

    def own_checks(self, engine: str, p: FourBarParameters, metrics: Metrics) -> list[Check]:
        checks = saves(metrics, SAVED)
        if metrics["passages"]:
            rate = metrics["rocker_at_dead_points"]
            checks.append(below("rocker over crank in its dead points", rate, STILL[engine]))
        return checks
