"""Friction and knee stop from recordings: least squares over the reference engine, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....errors import ParameterError
from ....laws.friction.dissipation import Dissipation
from ....laws.normal.restriction import Restriction
from ....numerics.fitting import fit
from ..leg.stages import Axis, Stage
from .replay import Recording
from .replay_tangent import replay_tangent, stage_slopes

Array = NDArray[np.float64]

NAMES = ("hip_f_c", "hip_f_s", "slide_f_c", "slide_f_s", "knee_r_t", "knee_r_c", "knee_r_f", "knee_r_d")
"""What is identified: amplitudes of hip (N m) and slide (N), and the knee stop (1/rad, rad, N m, s/rad)."""

UNITS = ("N m", "N m", "N", "N", "1/rad", "rad", "N m", "s/rad")

SEARCH = np.eye(len(NAMES))
SEARCH[1, 0] = SEARCH[3, 2] = 1.0
"""Values over what the search varies: instead of stiction its excess over Coulomb friction, which stays positive."""

RANGE = (0.3, 3.0)
"""How far, as a factor, what the search varies may be from where it begins."""

STEP = 2e-3
"""Integration step of the search, in s."""


def values_of(stage: Stage) -> Array:
    """The values in NAMES of a stage with power friction and a knee stop."""
    laws = [axis.law for axis in (stage.hip, stage.slide)]
    if stage.knee is None or not all(isinstance(law, Dissipation) for law in laws):
        raise ParameterError("identification needs a stage with a knee stop and friction by a dissipation function")
    knee = stage.knee
    amplitudes = [value for law in laws for value in (law.f_c, law.f_s)]
    return np.array([*amplitudes, knee.r_t, knee.r_c, knee.r_f, knee.r_d])


def with_values(stage: Stage, values: ArrayLike) -> Stage:
    """The stage with other values of NAMES."""
    v = np.asarray(values, float)

    def axis(old: Axis, f_c: float, f_s: float) -> Axis:
        return replace(old, law=replace(old.law, f_c=float(f_c), f_s=float(f_s)))

    knee = Restriction.from_steepness(*(float(x) for x in (v[4], v[5], v[6], v[7])))
    return replace(stage, hip=axis(stage.hip, v[0], v[1]), slide=axis(stage.slide, v[2], v[3]), knee=knee)


@dataclass(frozen=True)
class Identified:
    """What a fit found.

    Attributes:
        values: of NAMES. half: half width of their 95 % confidence intervals. residual: RMS misfit over the noise.
        evaluations: how often all recordings were replayed.
    """

    values: Array
    half: Array
    residual: float
    evaluations: int

    def inside(self, truth: ArrayLike) -> NDArray[np.bool_]:
        """Which true values lie in their intervals."""
        return np.asarray(np.abs(self.values - np.asarray(truth, float)) <= self.half)


def identify(
    first: Stage, recordings: Sequence[Recording], noise: tuple[float, float], step: float = STEP,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Identified:  # fmt: skip
    """Fit the values in NAMES to recordings, by Gauss-Newton steps with exact derivatives.

    The record of a stage is a linear function of these values, so its derivatives are found once.

    Args:
        first: stage whose values the search begins with; everything else about it is taken as known.
        noise: standard deviations in rad and m of the measurements, by which misfits are weighed.
    """
    scale = np.linalg.solve(SEARCH, values_of(first))
    sigma = np.array(noise)
    if not np.all(sigma > 0.0):
        raise ParameterError(f"noise must be greater than 0 for both measurements, got {noise}")
    turn = SEARCH * scale
    rates = stage_slopes(values_of(first), partial(with_values, first))
    count = 0

    def misfit(factors: Array) -> tuple[Array, Array]:
        nonlocal count
        count += 1
        progress(1.0 - 1.0 / (1.0 + 0.2 * count))
        model = with_values(first, turn @ factors)
        motions, slopes = zip(*(replay_tangent(model, rates, r, step) for r in recordings), strict=True)
        off = np.concatenate([((y - r.ys[1:]) / sigma).ravel() for y, r in zip(motions, recordings, strict=True)])
        steep = np.concatenate([(slope / sigma[:, None]).reshape(-1, len(NAMES)) for slope in slopes])
        return off, steep @ turn

    found = fit(misfit, np.ones(len(scale)), np.full(len(scale), RANGE[0]), np.full(len(scale), RANGE[1]))
    half = replace(found, covariance=turn @ found.covariance @ turn.T).half()
    return Identified(turn @ found.values, half, found.residual, found.evaluations)
