"""The loop: measure, observe, control, hold; with everything that is known of it in named columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....observer.on_line import OnLine
from ....trajectory import Trajectory
from ..leg.leg_kinematics import poses_along
from ..leg.stages import KNEE_STOP
from ..leg.trainer_leg import Leg
from .controllers import LegController
from .gait_motions import GaitMotion
from .leg_plants import PIECE, PIECES, LegPlant
from .mishaps import Mishap
from .patients import Patient

if TYPE_CHECKING:
    from ....progress import Progress

Array = NDArray[np.float64]

COLUMNS = (
    "t", "phi", "s", "phi_dot", "s_dot", "ref_phi", "ref_s", "measured_phi", "measured_s", "M", "F", "saturated",
    "est_phi", "est_s", "est_omega", "est_v", "est_patient", "sigma_patient", "est_m_sg", "est_level", "est_stop",
    "patient", "nis", "update_time", "drive_work", "error",
)  # fmt: skip
"""Columns: motion, reference and measurement of hip (rad) and slide (m); held input of hip (N m) and slide (N), and
whether it is at its limit; estimates; the patient's torque in N m; NIS; time of the update in s; work of the drives in
J; distance in m of the ankle from where it should be."""


@dataclass(frozen=True)
class Seen:
    """What a loop notes, one row a sample: motion of the plant, measurement, input, estimate with its deviations, NIS
    and time in s of the update."""

    motion: Array
    y: Array
    u: Array
    x: Array
    sigma: Array
    nis: Array
    cost: Array

    @classmethod
    def of(cls, count: int, states: int) -> Seen:
        """Room for so many samples of a filter with so many states."""
        motion, y, u, x, sigma = (np.zeros((count, width)) for width in (4, 2, 2, states, states))
        return cls(motion, y, u, x, sigma, np.zeros(count), np.zeros(count))

    def note(self, k: int, y: Array, u: Array, observer: OnLine) -> None:
        """Sample k."""
        self.y[k] = y
        self.u[k] = u
        self.x[k] = observer.x
        self.sigma[k] = observer.sigma
        self.nis[k] = observer.nis


def nothing(observer: OnLine) -> None:
    """Leave the observer as it is."""


@dataclass(frozen=True)
class Loop:
    """A closed loop.

    Attributes:
        motion: what is to be done. plant, observer, controller: who does it. patient: who disturbs.
        noise: standard deviations of the measured angle in rad and position in m. seed: of that noise.
        limits: of torque in N m and force in N. mishap: what happens to plant and sensor on the way.
        after_update: what is done with the observer after each of its updates.
    """

    motion: GaitMotion
    plant: LegPlant
    observer: OnLine
    controller: LegController
    patient: Patient
    noise: tuple[float, float]
    seed: int
    limits: Array
    mishap: Mishap = field(default_factory=Mishap)
    after_update: Callable[[OnLine], None] = nothing

    def run(self, progress: Progress = lambda fraction: None) -> Trajectory:
        """All samples of the motion."""
        count = len(self.motion.t)
        spread = np.random.default_rng([self.seed, 0]).standard_normal((count, 2)) * np.array(self.noise)
        pushes = self.patient.torque((self.motion.t[:, None] + PIECE * np.arange(PIECES)).ravel()).reshape(count, -1)
        seen = Seen.of(count, len(self.observer.model.states))
        u = np.zeros(2)
        for k in range(count):
            seen.motion[k] = self.plant.motion()
            y = self.mishap.measured(float(self.motion.t[k]), seen.motion[k, :2] + spread[k], self.plant)
            begin = perf_counter()
            if k > 0:
                self.observer.update(y, u)
                self.after_update(self.observer)
            seen.cost[k] = perf_counter() - begin
            u = np.clip(self.controller.drive(k, y, self.observer), -self.limits, self.limits)
            seen.note(k, y, u, self.observer)
            self.plant.hold(u, pushes[k])
            if k % 100 == 0:
                progress(k / count)
        progress(1.0)
        return self._trajectory(seen)

    def _trajectory(self, seen: Seen) -> Trajectory:
        """The columns of what was seen."""
        motion = self.motion
        states = self.observer.model.states
        x = dict(zip(states, seen.x.T, strict=True))
        sigma = dict(zip(states, seen.sigma.T, strict=True))
        ankle = poses_along(Leg(), seen.motion[:, 0], seen.motion[:, 1])["ankle"]
        error = np.hypot(*(ankle - motion.ankle).T)
        full = np.any(np.abs(seen.u) >= self.limits, axis=1)
        usual = np.ones(len(motion.t))
        walks = [x.get("m_sg", Leg().m_sg * usual), x.get("slide_level", 0.0 * usual)]
        walks += [x.get("knee_stop", KNEE_STOP.r_c * usual)]
        held = np.einsum("ki,ki->k", seen.u[:-1], np.diff(seen.motion[:, :2], axis=0))
        work = np.concatenate([[0.0], np.cumsum(held)])
        estimate = [x[name] for name in ("phi", "s", "omega", "v", "M_pat")]
        here = [motion.t, seen.motion, motion.position, seen.y, seen.u, full, *estimate, sigma["M_pat"], *walks]
        table = np.column_stack([*here, self.patient.torque(motion.t), seen.nis, seen.cost, work, error])
        return Trajectory(COLUMNS, table, len(motion.t) * PIECES)
