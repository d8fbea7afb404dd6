"""Friction and knee stop from recordings: least squares over the reference engine, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....errors import ParameterError
from ....laws.friction.anchor import Anchor
from ....laws.friction.dissipation import Dissipation
from ....laws.normal.restriction import Restriction
from ....numerics.fitting import Evaluate, fit, robust
from ..leg.stages import Axis, Stage
from .beside import beside_of, with_beside
from .replay import Recording, replay
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

WIDE = (0.02, 20.0)
"""The same with anchored friction, of whose shape little is known."""

WRONG = 1.2
"""Misfit over the noise from which a model counts as wrong."""

BLOCK_TIME = 0.5
"""Length in s of the pieces of a recording whose misfits are taken as independent of each other."""

MOST = 40
"""Evaluations after which a search ends in any case."""

DIFFERENCE = 1e-4
"""Change of a value, as a fraction of its first guess, over which replays are compared."""

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
        evaluations: how often all recordings were replayed. stage: with everything that was found.
    """

    values: Array
    half: Array
    residual: float
    evaluations: int
    stage: Stage | None = None

    def inside(self, truth: ArrayLike) -> NDArray[np.bool_]:
        """Which true values lie in their intervals."""
        return np.asarray(np.abs(self.values - np.asarray(truth, float)) <= self.half)


@dataclass(frozen=True)
class _Unknowns:
    """What a search varies: the values in NAMES, and with anchored friction those in BESIDE.

    Attributes:
        first: stage with which it begins. beside: whether the numbers in BESIDE are varied too.
    """

    first: Stage
    beside: bool

    @property
    def values(self) -> Array:
        """With which the search begins."""
        found = values_of(self.first)
        return np.concatenate([found, beside_of(self.first)]) if self.beside else found

    @property
    def turn(self) -> Array:
        """Values over the factors that the search varies, which begin with 1."""
        search = np.eye(len(self.values))
        search[: len(NAMES), : len(NAMES)] = SEARCH
        return np.asarray(search * np.linalg.solve(search, self.values))

    @property
    def bounds(self) -> tuple[Array, Array]:
        """Between which the factors stay."""
        low, high = (np.full(len(self.values), end) for end in (WIDE if self.beside else RANGE))
        return low, high

    def stage(self, values: Array) -> Stage:
        """The stage with some values."""
        named = with_values(self.first, values[: len(NAMES)])
        return with_beside(named, values[len(NAMES) :]) if self.beside else named


def identify(
    first: Stage, recordings: Sequence[Recording], noise: tuple[float, float], step: float = STEP,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Identified:  # fmt: skip
    """Fit the values in NAMES to recordings, by Gauss-Newton steps.

    Derivatives are exact. With anchored friction they are differences, and its other numbers, those in BESIDE, are
    fitted too. Where the misfit that is left is well above the noise, the model is wrong, and misfits follow each
    other; the intervals then come from their sums over pieces of BLOCK_TIME, whatever they do within them.

    Args:
        first: stage whose values the search begins with; everything else about it is taken as known.
        noise: standard deviations in rad and m of the measurements, by which misfits are weighed.
    """
    sigma = np.array(noise)
    if not np.all(sigma > 0.0):
        raise ParameterError(f"noise must be greater than 0 for both measurements, got {noise}")
    unknowns = _Unknowns(first, isinstance(first.hip.memory, Anchor))
    turn = unknowns.turn
    count = 0

    def watched(factors: Array) -> tuple[Array, Array]:
        nonlocal count
        count += 1
        progress(1.0 - 1.0 / (1.0 + 0.2 * count))
        return misfit(factors)

    misfit = (_by_differences if unknowns.beside else _exactly)(unknowns, recordings, sigma, step)
    found = fit(watched, np.ones(len(turn)), *unknowns.bounds, ftol=1e-4 if unknowns.beside else 1e-6, most=MOST)
    if found.residual > WRONG:
        found = robust(found, watched, _blocks(recordings))
    half = replace(found, covariance=turn @ found.covariance @ turn.T).half()
    values = turn @ found.values
    return Identified(
        values[: len(NAMES)], half[: len(NAMES)], found.residual, found.evaluations, unknowns.stage(values)
    )


def _exactly(unknowns: _Unknowns, recordings: Sequence[Recording], sigma: Array, step: float) -> Evaluate:
    """Misfits and their derivatives by dual numbers.

    The record of a stage is a linear function of the values in NAMES, so its derivatives are found once.
    """
    turn = unknowns.turn
    rates = stage_slopes(unknowns.values, unknowns.stage)

    def misfit(factors: Array) -> tuple[Array, Array]:
        model = unknowns.stage(turn @ factors)
        motions, slopes = zip(*(replay_tangent(model, rates, r, step) for r in recordings), strict=True)
        steep = np.concatenate([(slope / sigma[:, None]).reshape(-1, len(turn)) for slope in slopes])
        return _off(motions, recordings, sigma), steep @ turn

    return misfit


def _by_differences(unknowns: _Unknowns, recordings: Sequence[Recording], sigma: Array, step: float) -> Evaluate:
    """Misfits of anchored friction and their derivatives by differences of replays.

    An anchor yields within 2 % of its presliding, which a step of a millisecond passes at once: the replay is right,
    but its exact derivative is that of the jump, and grows without bound.
    """
    from scipy.optimize import approx_fprime

    def off(factors: Array) -> Array:
        model = unknowns.stage(unknowns.turn @ factors)
        return _off([replay(model, r, step) for r in recordings], recordings, sigma)

    return lambda factors: (off(factors), np.asarray(approx_fprime(factors, off, DIFFERENCE)))


def _off(motions: Sequence[Array], recordings: Sequence[Recording], sigma: Array) -> Array:
    """Misfits of replays over the noise."""
    return np.concatenate([((y - r.ys[1:]) / sigma).ravel() for y, r in zip(motions, recordings, strict=True)])


def _blocks(recordings: Sequence[Recording]) -> NDArray[np.int64]:
    """To which piece of BLOCK_TIME each misfit belongs."""
    found: list[NDArray[np.int64]] = []
    begin = 0
    for recording in recordings:
        rows = np.arange(len(recording.ys) - 1) // max(round(BLOCK_TIME / recording.sample), 1)
        found.append(np.repeat(begin + rows, recording.ys.shape[1]))
        begin += int(rows[-1]) + 1
    return np.concatenate(found)
