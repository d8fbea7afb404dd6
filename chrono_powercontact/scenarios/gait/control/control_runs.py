"""A closed loop put together from the parameters of the scenario."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ....trajectory import Trajectory
from ..study.experiment import NOISES
from .closed_loop import Loop
from .control_observers import riding_observer
from .controllers import leg_controller
from .gait_motions import EXERCISED, gait_motion
from .leg_plants import LegPlant
from .patients import patient_of

if TYPE_CHECKING:
    from ....progress import Progress

LEARNT_CYCLES = 6
"""Gait cycles of a run in which the controller learns, where no length is given."""


class ControlSettings(Protocol):
    """What a closed loop is told: the parameters of `gait_control`."""

    @property
    def exercise(self) -> int: ...

    @property
    def controller(self) -> str: ...

    @property
    def observer(self) -> str: ...

    @property
    def filter(self) -> str: ...

    @property
    def noise(self) -> str: ...

    @property
    def patient(self) -> float: ...

    @property
    def torque_limit(self) -> float: ...

    @property
    def force_limit(self) -> float: ...

    @property
    def seed(self) -> int: ...

    @property
    def time(self) -> float: ...


def length(p: ControlSettings) -> float:
    """Length of a run in s."""
    _, period, usual = EXERCISED[p.exercise]
    return p.time or (usual if p.controller != "learning" else 1.0 + LEARNT_CYCLES * period)


def closed_loop(p: ControlSettings, controller: str, plant: LegPlant, progress: Progress) -> Trajectory:
    """Run a controller on a plant."""
    motion = gait_motion(p.exercise, length(p))
    noise = NOISES[p.noise]
    observer = riding_observer(p.observer, motion.position[0], noise, p.filter, alone=p.patient == 0.0)
    limits = np.array([p.torque_limit, p.force_limit])
    patient = patient_of(p.seed, p.patient)
    loop = Loop(motion, plant, observer, leg_controller(controller, motion, p.observer), patient, noise, p.seed, limits)
    return loop.run(progress)


def with_rival(run: Trajectory, rival: Trajectory) -> Trajectory:
    """A run with the error of another beside its own."""
    return replace(run, names=(*run.names, "error_pd"), data=np.column_stack([run.data, rival["error"]]))
