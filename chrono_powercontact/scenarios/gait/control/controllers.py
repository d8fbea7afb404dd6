"""Controllers of the leg: PD, PD on a filtered difference, computed torque with all that is estimated, and learning."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....errors import UnknownNameError
from ....observer.on_line import OnLine
from ..leg.drives import SAMPLE
from ..leg.stages import stage
from ..study.causal import CausalDifference
from .control_names import CONTROLLERS
from .control_observers import ridden_stage
from .gait_motions import BEGIN, GaitMotion
from .needed_drive import needed_drive

Array = NDArray[np.float64]

BANDWIDTH = 14.0
"""Both poles of the closed loop, in rad/s: what a sample of 10 ms leaves room for."""

INERTIA = np.array([0.45, 10.0])
"""Inertia in kg m^2 and mass in kg by which PD scales its gains: the diagonal of M(q) in the middle of an exercise."""

LEARNING_GAIN = 0.6
PREVIEW = 3
"""Fraction of the PD's last answer that is learnt for the next cycle, and samples by which it comes earlier."""

SMOOTHED = 15
"""Samples over which a learnt input is averaged: noise must not be learnt."""


@cache
def _bare() -> Array:
    """Numbers of the leg without friction and stops."""
    return stage("s0").numbers


class LegController(Protocol):
    """What turns measurement and estimate into torque and force."""

    def drive(self, k: int, y: Array, observer: OnLine) -> Array:
        """Hip torque in N m and slide force in N from sample k on."""


@dataclass
class PositionControl:
    """PD about the weight of the leg at the position it should have; it knows nothing of friction, stops and patient.

    Attributes:
        smoothing: time constant in s of its differentiating filter; 0 is the plain difference.
    """

    motion: GaitMotion
    smoothing: float = 0.0
    _difference: CausalDifference | None = field(default=None, init=False)

    def weight(self, k: int) -> Array:
        """Torque and force that hold the bare leg where it should be."""
        u = np.zeros(2)
        needed_drive(np.array([*self.motion.position[k], 0.0, 0.0]), np.zeros(2), _bare(), u)
        return u

    def answer(self, k: int, y: Array) -> Array:
        """The PD part alone."""
        if self._difference is None:
            self._difference = CausalDifference(y, SAMPLE, self.smoothing)
        speed = self._difference.update(y)
        error = BANDWIDTH**2 * (self.motion.position[k] - y) + 2.0 * BANDWIDTH * (self.motion.speed[k] - speed)
        return np.asarray(INERTIA * error)

    def drive(self, k: int, y: Array, observer: OnLine) -> Array:
        return self.weight(k) + self.answer(k, y)


@dataclass
class ComputedTorque:
    """Computed torque (5.16) at the estimated state, with the estimated friction, stops and patient taken off."""

    motion: GaitMotion
    observer: str

    def __post_init__(self) -> None:
        self._numbers = ridden_stage(self.observer).numbers

    def drive(self, k: int, y: Array, observer: OnLine) -> Array:
        x = observer.x
        slots = list(observer.model.slots)
        self._numbers[slots] = x[x.size - len(slots) :]
        moving = x[: x.size - len(slots)]
        away = self.motion.position[k] - moving[:2]
        slow = self.motion.speed[k] - moving[2:4]
        u = np.zeros(2)
        needed_drive(
            moving, self.motion.acceleration[k] + BANDWIDTH**2 * away + 2.0 * BANDWIDTH * slow, self._numbers, u
        )
        return u


@dataclass
class Learning:
    """PD whose answer to a gait cycle is part of the input of the next one, a little earlier."""

    motion: GaitMotion

    def __post_init__(self) -> None:
        self._feedback = PositionControl(self.motion, SAMPLE)
        self._cycle = round(self.motion.period / SAMPLE)
        self._known = np.zeros((self._cycle, 2))
        self._answers = np.zeros((self._cycle, 2))

    def drive(self, k: int, y: Array, observer: OnLine) -> Array:
        place = (k - round(BEGIN / SAMPLE)) % self._cycle
        if place == 0 and k > round(BEGIN / SAMPLE):
            self._learn()
        answer = self._feedback.answer(k, y)
        self._answers[place] = answer
        return self._feedback.weight(k) + self._known[place] + answer

    def _learn(self) -> None:
        """Add the last cycle's answers to what is known, and smooth that around the cycle."""
        raw = self._known + LEARNING_GAIN * np.roll(self._answers, -PREVIEW, axis=0)
        half = SMOOTHED // 2
        shifted = [np.roll(raw, shift, axis=0) for shift in range(-half, half + 1)]
        self._known = np.mean(shifted, axis=0)


def leg_controller(name: str, motion: GaitMotion, observer: str) -> LegController:
    """A controller by its name, for a motion, with the model of an observer."""
    if name not in CONTROLLERS:
        raise UnknownNameError("controller", name, CONTROLLERS)
    if name == "computed_torque":
        return ComputedTorque(motion, observer)
    if name == "learning":
        return Learning(motion)
    return PositionControl(motion, 2.0 * SAMPLE if name == "pd_filtered" else 0.0)
