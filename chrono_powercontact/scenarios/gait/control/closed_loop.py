"""The loop: measure, observe, control, hold; with everything that is known of it in named columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....observer.filters.sigma_point_filter import SigmaPointFilter
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
class Loop:
    """A closed loop.

    Attributes:
        motion: what is to be done. plant, observer, controller: who does it. patient: who disturbs.
        noise: standard deviations of the measured angle in rad and position in m. seed: of that noise.
        limits: of torque in N m and force in N. mishap: what happens to plant and sensor on the way.
    """

    motion: GaitMotion
    plant: LegPlant
    observer: SigmaPointFilter
    controller: LegController
    patient: Patient
    noise: tuple[float, float]
    seed: int
    limits: Array
    mishap: Mishap = field(default_factory=Mishap)

    def run(self, progress: Progress = lambda fraction: None) -> Trajectory:
        """All samples of the motion."""
        chance = np.random.default_rng([self.seed, 0])
        count = len(self.motion.t)
        rows = np.zeros((count, len(COLUMNS)))
        u = np.zeros(2)
        work = 0.0
        for k in range(count):
            y = self.plant.motion()[:2] + np.array(self.noise) * chance.standard_normal(2)
            y = self.mishap.measured(float(self.motion.t[k]), y, self.plant)
            begin = perf_counter()
            if k > 0:
                self.observer.update(y, u)
            cost = perf_counter() - begin
            u = np.clip(self.controller.drive(k, y, self.observer), -self.limits, self.limits)
            rows[k] = self._row(k, y, u, cost, work)
            before = self.plant.motion()[:2]
            times = self.motion.t[k] + PIECE * np.arange(PIECES)
            self.plant.hold(u, self.patient.torque(times))
            work += float(u @ (self.plant.motion()[:2] - before))
            if k % 100 == 0:
                progress(k / count)
        progress(1.0)
        return Trajectory(COLUMNS, rows, count * PIECES)

    def _row(self, k: int, y: Array, u: Array, cost: float, work: float) -> Array:
        motion = self.motion
        plant = self.plant.motion()
        x = dict(zip(self.observer.model.states, self.observer.x, strict=True))
        sigma = dict(zip(self.observer.model.states, self.observer.sigma, strict=True))
        ankle = poses_along(Leg(), plant[0], plant[1])["ankle"][0]
        full = float(np.any(np.abs(u) >= self.limits))
        estimate = [x["phi"], x["s"], x["omega"], x["v"], x["M_pat"], sigma["M_pat"]]
        estimate += [x.get("m_sg", Leg().m_sg), x.get("slide_level", 0.0), x.get("knee_stop", KNEE_STOP.r_c)]
        told = self.patient.torque(motion.t[k : k + 1])
        error = float(np.hypot(*(ankle - motion.ankle[k])))
        here = [[motion.t[k]], plant, motion.position[k], y, u, [full], estimate, told]
        return np.concatenate([*here, [self.observer.nis, cost, work, error]])
