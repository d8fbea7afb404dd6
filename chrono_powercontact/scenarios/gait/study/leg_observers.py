"""The observers of the gait trainer: CDKF, UKF or EKF with the stages S1, S2 and S3 (section 5.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....errors import UnknownNameError
from ....observer.filter_model import FilterModel, compiled
from ....observer.filters.cdkf import CDKF
from ....observer.filters.ekf import EKF
from ....observer.filters.sigma_point_filter import SigmaPointFilter
from ....observer.filters.ukf import UKF
from ....observer.observation import Observation
from ..leg import leg_rate as rate
from ..leg.drives import SAMPLE
from ..leg.stages import ANCHORS, STAGE, Stage, stage
from ..leg.trainer_leg import REST
from .experiment import KINDS, Truth
from .leg_tangent import LegTangent

Array = NDArray[np.float64]

OBSERVED = ("s0", "s1", "s2", "s3", "anchored")
"""Stages of the thesis, and S3 with anchors in place of its filters."""
WITHOUT_MEMORY = ("s0", "s1")

FILTERS: dict[str, Callable[..., SigmaPointFilter]] = dict(
    zip(KINDS, (CDKF, UKF, EKF, partial(EKF, jacobians="exact")), strict=True)
)

STATES = ("phi", "s", "omega", "v", "Q_hip", "Q_slide")
SIGMA = (1.0, 1.0)
"""Standard deviation of the unknown acceleration, in rad/s^2 and m/s^2 (5.39)."""

FORCE_NOISE = (1.0, 100.0)
"""Variance per sample of the friction states, in (N m)^2 and N^2 (5.41)."""

R_M = (15e-6, 4e-6)
"""Variance of the measurements, in rad^2 and m^2 (5.44)."""

P_0 = 1e-6
"""Variance of every state at the start (5.42), (5.43)."""

ANCHOR_NOISE = 0.3
"""Standard deviation per sample of an anchor, over its presliding; our choice."""


@compiled
def leg_rate(t: float, x: Any, u: Any, p: Any, dx: Any) -> None:
    """dx/dt of the leg, of 4 states with static friction and 6 with memory."""
    room = np.zeros(1, rate.WORK)
    rate.leg_rate(x, u, p.view(STAGE)[0], dx, room)


def process_noise(size: int, sample: float = SAMPLE) -> Array:
    """Diagonal of Q_P (5.40), (5.41) in the order of the states phi, s, omega, v: that of the print is another."""
    position = sample**4 / 4.0
    speed = sample**2
    variances = [position * SIGMA[0] ** 2, position * SIGMA[1] ** 2, speed * SIGMA[0] ** 2, speed * SIGMA[1] ** 2]
    return np.array([*variances, *FORCE_NOISE][:size])


@dataclass(frozen=True)
class Estimate:
    """What an observer made of an experiment, one row per sample after the first.

    Attributes:
        t: time in s. x: phi, s, omega, v. friction, net: per axis, friction and net input; the latter is the drive less
        friction and with contacts. knee: torque of the knee stop in N m. seen: all columns of the filter.
        nees: error of x over its covariance, squared. update_time: in s per sample.
    """

    t: Array
    x: Array
    friction: Array
    net: Array
    knee: Array
    seen: Observation
    nees: Array
    update_time: float


def anchored_observer(model: Stage, first: Array, kind: str = "cdkf") -> SigmaPointFilter:
    """The same filter with anchors as its last two states, kept within their presliding."""
    limits = np.array([anchor.presliding for anchor in ANCHORS])
    noise = np.concatenate([process_noise(4), (ANCHOR_NOISE * limits) ** 2])
    start = np.concatenate([first, np.zeros(4)])
    sure = np.concatenate([np.full(4, P_0), (0.1 * limits) ** 2])
    tangent = partial(LegTangent, model.numbers, len(STATES), ())
    carried = FilterModel(leg_rate, STATES, ("M", "F"), ("phi", "s"), model.numbers, tangent=tangent)
    within = {name: (-float(x), float(x)) for name, x in zip(STATES[4:], limits, strict=True)}
    return FILTERS[kind](carried, start, sure, noise, R_M, SAMPLE, bounds=within)


def leg_observer(model: Stage, first: Array, dynamic: bool = True, kind: str = "cdkf") -> SigmaPointFilter:
    """The filter of the thesis with a stage of the model, from a first measurement at rest.

    Args:
        dynamic: whether the friction has memory, which is then estimated too. kind: a name in FILTERS.
    """
    size = 6 if dynamic else 4
    tangent = partial(LegTangent, model.numbers, size, ())
    carried = FilterModel(leg_rate, STATES[:size], ("M", "F"), ("phi", "s"), model.numbers, tangent=tangent)
    start = np.concatenate([first, np.zeros(size - 2)])
    return FILTERS[kind](carried, start, np.full(size, P_0), process_noise(size), R_M, SAMPLE)


def observer_of(name: str, kind: str = "cdkf", first: ArrayLike = REST) -> SigmaPointFilter:
    """The observer of a stage by its name, from a first hip angle in rad and slide position in m at rest."""
    if name not in OBSERVED:
        raise UnknownNameError("stage of an observer", name, OBSERVED)
    start = np.asarray(first, float)
    if name == "anchored":
        return anchored_observer(stage("s3", memory="anchored"), start, kind)
    return leg_observer(stage(name), start, name not in WITHOUT_MEMORY, kind)


def observe(
    name: str, truth: Truth, measured: Array, model: Stage | None = None, kind: str = "cdkf"
) -> Estimate:  # fmt: skip
    """Run an observer of a stage over an experiment; kind is a name in FILTERS."""
    if name not in OBSERVED:
        raise UnknownNameError("stage of an observer", name, OBSERVED)
    sticking = name == "anchored"
    model = model or (stage("s3", memory="anchored") if sticking else stage(name))
    dynamic = name not in WITHOUT_MEMORY
    first = measured[0]
    observer = anchored_observer(model, first, kind) if sticking else leg_observer(model, first, dynamic, kind)
    begin = perf_counter()
    seen = observer.run(measured[1:], truth.u[:-1], keep_factors=True)
    cost = (perf_counter() - begin) / (len(measured) - 1)
    size = len(observer.x)
    states = np.ascontiguousarray(seen.data[:, 1 : 1 + size])
    reports = np.zeros(len(states), rate.REPORT)
    rate.write_reports(states, np.ascontiguousarray(truth.u[1:]), model.record, reports)
    friction = np.column_stack([reports["Q_hip"], reports["Q_slide"]])
    net = np.column_stack([reports["net_hip"], reports["net_slide"]])
    motion = states[:, : rate.HELD_HIP]
    nees = _nees(motion - truth.x[1:], seen.factors)
    return Estimate(truth.t[1:], motion, friction, net, reports["F_knee"], seen, nees, cost)


def _nees(error: Array, factors: Array) -> Array:
    """Squared error of the motion over its covariance, per sample; its mean is 4 for a consistent filter."""
    motion = factors[:, :4, :]
    covariance = motion @ motion.transpose(0, 2, 1)
    return np.asarray(np.einsum("ki,ki->k", error, np.linalg.solve(covariance, error[:, :, None])[:, :, 0]))
