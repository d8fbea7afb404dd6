"""Observers that ride on line: a stage of the leg in a filter, with the patient's torque and the ankle mass as states.

Process noise is that of an acceleration held over a sample (5.39), with its cross terms: semidefinite. Friction is
trusted, so that what it does not explain is the patient's.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ....errors import UnknownNameError
from ....laws.friction.dissipation import Dissipation
from ....laws.friction.memory import LPVFilter
from ....observer.estimated import field_index
from ....observer.filter_model import FilterModel
from ....observer.filters.sigma_point_filter import SigmaPointFilter
from ..leg.drives import SAMPLE
from ..leg.stages import KNEE_STOP, STAGE, STAGES, Axis, Stage, stage
from ..study.leg_observers import FILTERS, STATES, WITHOUT_MEMORY, leg_rate
from ..study.leg_tangent import LegTangent
from .control_names import ADAPTIVE, AUGMENTED, RIDING, WATCHING

Array = NDArray[np.float64]

QUICK = (
    Axis(Dissipation(4.0, 5.0, 0.02, 0.04), LPVFilter(0.03, 0.02)),
    Axis(Dissipation(35.0, 45.0, 0.01, 0.02), LPVFilter(0.03, 0.01)),
)
"""The amplitudes of Table 5.1 with a fifth to a tenth of its speeds and times: at those of the table friction turns so
slowly that the patient's torque has to stand in for it. Ours."""

STEP = 0.5 * SAMPLE
"""Integration step of the observer, in s."""

ACCELERATION_NOISE = (0.5, 1.0)
"""Standard deviation of the unknown acceleration, in rad/s^2 and m/s^2."""

MEMORY_NOISE = (0.05, 2.0)
"""Standard deviation per sample of the friction states, in N m and N."""

PATIENT_NOISE = 0.3
"""Standard deviation per sample of the patient's torque, in N m."""

ALONE = (0.0, 0.1, 0.01)
"""The same three numbers of the patient's torque where no patient is in the trainer: what else is left over."""

MASS_NOISE = 2e-3
"""Standard deviation per sample of the ankle mass, in kg."""

LEVEL_NOISE = 2e-3
"""Standard deviation per sample of the level of the slide's friction over its usual one."""

STEADY = (5e-4, 5e-4, 3e-6)
"""Standard deviations per sample of ankle mass in kg, friction level and knee stop in rad where all three are sought:
numbers of the leg that hardly change, so that many cycles tell about them."""

EVERYWHERE = (0.0, 1e30, 0.5 * np.pi)
"""A wave of the friction along its axis that is the same everywhere: its amplitude is what the level exceeds one by."""

START = {"position": 1e-3, "speed": 1e-3, "patient": 1.0, "mass": 1.0, "level": 0.05, "stop": 3e-3}
"""Standard deviations at the start, in rad or m, rad/s or m/s, N m and kg, of the level, and in rad."""


def ridden_stage(name: str) -> Stage:
    """The model of an observer."""
    if name not in RIDING:
        raise UnknownNameError("observer", name, RIDING)
    level = name if name in STAGES else "s4"
    hip, slide = (Axis(axis.law) if level in WITHOUT_MEMORY else axis for axis in QUICK)
    return replace(stage(level, coriolis=True), hip=hip, slide=replace(slide, wave=EVERYWHERE))


def held_acceleration(sigma: tuple[float, float], sample: float, size: int) -> Array:
    """Q_P of an unknown acceleration of both axes that is held over a sample (5.39), states phi, s, omega, v first."""
    q_p = np.zeros((size, size))
    for axis, deviation in enumerate(sigma):
        gain = np.zeros(size)
        gain[axis] = 0.5 * sample**2 * deviation
        gain[2 + axis] = sample * deviation
        q_p += np.outer(gain, gain)
    return q_p


WALKING = {
    "patient.0": "M_pat",
    "leg.m_sg": "m_sg",
    "slide_wave.amplitude": "slide_level",
    "knee.restriction.r_c": "knee_stop",
}
"""Numbers of a stage that are estimated, and their names as states."""


def _walks(name: str, alone: bool) -> dict[str, tuple[float, float, float]]:
    """Numbers that an observer estimates: value and standard deviation at the start, and deviation per sample."""
    walks = {"patient.0": ALONE if alone else (0.0, START["patient"], PATIENT_NOISE)}
    mass, level, stop = STEADY if name == AUGMENTED else (MASS_NOISE, LEVEL_NOISE, 0.0)
    if name in (ADAPTIVE, AUGMENTED):
        walks["leg.m_sg"] = (ridden_stage(name).leg.m_sg, START["mass"], mass)
    if name in (WATCHING, AUGMENTED):
        walks["slide_wave.amplitude"] = (0.0, START["level"], level)
    if name == AUGMENTED:
        walks["knee.restriction.r_c"] = (KNEE_STOP.r_c, START["stop"], stop)
    return walks


def riding_observer(
    name: str,
    first: Array,
    noise: tuple[float, float],
    kind: str = "cdkf",
    sample: float = SAMPLE,
    alone: bool = False,
) -> SigmaPointFilter:
    """An observer from a first measurement at rest.

    Args:
        noise: standard deviations of the measured angle in rad and position in m. kind: a name in FILTERS.
        sample: time in s between two measurements. alone: whether the leg is known to be without a patient.
    """
    if kind not in FILTERS:
        raise UnknownNameError("filter", kind, FILTERS)
    memories = () if name in WITHOUT_MEMORY else MEMORY_NOISE
    moving = STATES[: 4 + len(memories)]
    walks = _walks(name, alone)
    slots = tuple(field_index(STAGE, path) for path in walks)
    names = (*moving, *(WALKING[path] for path in walks))
    numbers = ridden_stage(name).numbers
    tangent = partial(LegTangent, numbers, len(moving), slots)
    model = FilterModel(leg_rate, names, ("M", "F"), ("phi", "s"), numbers, slots=slots, tangent=tangent)
    begin, spread, walk = (list(column) for column in zip(*walks.values(), strict=True))
    x_0 = [*first, *np.zeros(2 + len(memories)), *begin]
    sure = [START["position"]] * 2 + [START["speed"]] * 2 + [2.0 * sigma for sigma in memories] + spread
    q_p = held_acceleration(ACCELERATION_NOISE, sample, len(names))
    q_p[4:, 4:] = np.diag(np.square([*memories, *walk])) * sample / SAMPLE
    step = min(STEP, sample)
    bounds = {"m_sg": (2.0, 12.0)} if "m_sg" in names else None
    return FILTERS[kind](model, x_0, np.square(sure), q_p, np.square(noise), sample, step, bounds)
