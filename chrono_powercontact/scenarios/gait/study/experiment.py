"""A simulated experiment: a plant that is not the observer's model, its inputs, and noisy measurements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ....errors import UnknownNameError
from ....laws.normal.restriction import Restriction
from ..leg.drives import EXERCISES, SAMPLE
from ..leg.simulate import run_stage
from ..leg.stages import KNEE_STOP, Stage, stage
from ..leg.trainer_leg import REST

Array = NDArray[np.float64]

PLANTS = {"lpv": "sharp", "lugre": "lugre", "chrono": "sharp"}
"""Friction numbers of each plant."""

WAVES = ((0.15, 0.48, 1.0), (0.15, 0.12, 0.0))
"""How the friction of a plant varies along its axis: fraction, period in rad and m, phase in rad; our choice."""

STOPS = {"table": KNEE_STOP, "stiff": Restriction.from_steepness(300.0, -9.6e-3, 150.0, 3.0)}
"""Knee stops of a plant: the observer's own, or a stiffer one."""

NOISES = {"low": (5e-4, 2e-4), "sensor": (15e-6**0.5, 4e-6**0.5), "none": (0.0, 0.0)}
"""Standard deviations of the measured angle in rad and position in m; `sensor` is the level of R_M (5.44)."""

PLANT_STEP, CHRONO_STEP = 2e-4, 1e-3

KINDS = ("cdkf", "ukf", "ekf", "ekf_exact")
"""Filters that an observer of the leg may be; the last is the EKF with exact Jacobians."""


@dataclass(frozen=True)
class Truth:
    """What really happened, one row per sample.

    Attributes:
        t: time in s. x: phi, s, omega, v. u: input that is held from the sample on. net: drive less friction and with
        contacts, per axis. knee: torque of the knee stop in N m. steps: integration steps of the plant.
    """

    t: Array
    x: Array
    u: Array
    net: Array
    knee: Array
    steps: int

    def measured(self, noise: str, seed: int) -> Array:
        """phi and s with white noise of a level in NOISES."""
        if noise not in NOISES:
            raise UnknownNameError("noise", noise, NOISES)
        spread = np.random.default_rng(seed).standard_normal((len(self.t), 2))
        return np.asarray(self.x[:, :2] + spread * np.array(NOISES[noise]))


def plant_stage(plant: str, wave: float, stop: str) -> Stage:
    """The stage S3 with other friction than the observer's."""
    if plant not in PLANTS:
        raise UnknownNameError("plant", plant, PLANTS)
    model = stage("s3", friction=PLANTS[plant], coriolis=plant == "chrono")
    waves = [(wave, *numbers[1:]) for numbers in WAVES]
    return replace(
        model, knee=STOPS[stop], hip=replace(model.hip, wave=waves[0]), slide=replace(model.slide, wave=waves[1])
    )


@cache
def experiment(exercise: int, plant: str = "lpv", wave: float = WAVES[0][0], stop: str = "table") -> Truth:
    """Run an exercise on a plant with inputs held over each sample.

    Args:
        wave: fraction by which friction varies along its axis; the Chrono plant has none.
        stop: knee stop, one of STOPS.
    """
    drive, time = EXERCISES[exercise]
    model = plant_stage(plant, 0.0 if plant == "chrono" else wave, stop)
    held = drive.held()
    if plant == "chrono":
        from ..leg.leg_scene import leg_scene

        scene = leg_scene(model, held, REST)
        run = scene.run(CHRONO_STEP, time, round(SAMPLE / CHRONO_STEP))
    else:
        run = run_stage(model, held, PLANT_STEP, time, every=round(SAMPLE / PLANT_STEP))
    x, u, net = (
        np.column_stack([run[name] for name in names])
        for names in (("phi", "s", "phi_dot", "s_dot"), ("M", "F"), ("net_hip", "net_slide"))
    )
    return Truth(run["t"], x, u, net, run["F_knee"], run.steps)
