"""Parameters of a tossed cube from measured tosses, by least squares over rollouts, with intervals by the bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from ...errors import ParameterError
from ...progress import Progress, unwatched
from .toss_body import TossedCube, toss_records
from .toss_data import HALF, RADIUS, Floats, Ints, Tosses, gravity_about, rotations
from .toss_kernel import QUATERNION, V, X, toss_ensemble
from .toss_start import Starts, ballistic_starts

PUBLISHED_INERTIA = 8.1e-4 / 0.37
"""Inertia over mass of the published cube in m^2."""


class Fitted(NamedTuple):
    """A value that can be fitted.

    Attributes:
        guess: with which a fit begins, and which it keeps if it is not fitted. step: of its difference quotient.
        low, high: its bounds.
    """

    guess: float
    step: float
    low: float
    high: float


_CENTRE = Fitted(0.0, 2e-5, -0.02, 0.02)
_INERTIA = Fitted(PUBLISHED_INERTIA, 1e-5, 5e-4, 6e-3)

FITTED = {
    "mu": Fitted(0.2, 5e-4, 0.01, 1.5),
    "load_exponent": Fitted(0.0, 2e-3, -0.5, 0.5),
    "restitution": Fitted(0.25, 2e-3, 0.0, 0.95),
    "inertia_across": _INERTIA,
    "inertia_along": _INERTIA,
    "centre_x": _CENTRE,
    "centre_y": _CENTRE,
    "centre_z": _CENTRE,
    "half": Fitted(HALF, 2e-5, 0.03, 0.07),
    "radius": Fitted(RADIUS, 2e-5, 1e-4, 2e-2),
}
"""Steps are well above what tumbling makes of round-off, and well below the width of a minimum."""

MILLIMETRE = 1e3
"""Misfits are in mm and degrees: an arm of 57 mm, about the half width, turns one into the other."""

FIRST_IMPACT = (2, 8)
TUMBLING = (2, 60)
"""Samples after the first touch that the two stages of a fit look at. The first stage is not yet chaotic."""

FIRST_STAGE = ("mu", "restitution", "inertia_across", "inertia_along", "centre_x", "centre_y", "centre_z")
"""Values that the first impact shows."""

ROUNDS = 12
"""Most iterations of a stage."""

RESAMPLES = 2000
"""Bootstrap samples of an interval."""

HALVES = 8
REFIT_ROUNDS = 4
"""Random halves of the tosses to which everything is fitted again, and iterations of each of these fits."""

LEAST_TO_HALVE = 6
"""Tosses that are needed for that."""


@dataclass(frozen=True)
class TossFit:
    """What a fit found.

    Attributes:
        cube: with the fitted values. tosses, starts: with the gravity about its centre of mass.
        names: of what was fitted. values: of these.
        low, high: ends of their 95 % intervals. evaluations: rollouts of all tosses.
    """

    cube: TossedCube
    tosses: Tosses
    starts: Starts
    names: tuple[str, ...]
    values: Floats
    low: Floats
    high: Floats
    evaluations: int


@dataclass
class Window:
    """Parts of some tosses: from their starts to some samples after the first touch, where misfits count.

    Attributes:
        tosses, starts, chosen: what is rolled out. first: first row of each rollout.
        compared: rows of a rollout that count. measured: the rows of the tosses that they are compared with.
        owner: toss to which each of these belongs, counted among the chosen.
    """

    tosses: Tosses
    starts: Starts
    chosen: Ints
    first: Ints
    compared: Ints
    measured: Ints
    owner: Ints


def window(tosses: Tosses, starts: Starts, chosen: Ints, after: tuple[int, int]) -> Window:
    """The samples of some tosses between two numbers of samples after the first touch."""
    begin, end = after
    lengths = np.diff(tosses.first)[chosen]
    flight = tosses.flight[chosen]
    used = np.minimum(flight + end + 1, lengths)
    first = np.concatenate([[0], np.cumsum(used)])
    spans = [np.arange(min(a + begin, n - 1), n) for a, n in zip(flight, used, strict=True)]
    compared = np.concatenate([span + row for span, row in zip(spans, first[:-1], strict=True)])
    measured = np.concatenate([span + row for span, row in zip(spans, tosses.first[chosen], strict=True)])
    owner = np.repeat(np.arange(len(chosen)), [len(span) for span in spans])
    return Window(tosses, starts, chosen, first, compared, measured, owner)


def misfits(part: Window, cubes: Sequence[TossedCube]) -> Floats:
    """Differences in mm and degrees between measured and rolled out motion, for each cube, row and component."""
    states = [part.starts.of(cube)[part.chosen] for cube in cubes]
    records = np.repeat(toss_records(cubes), len(part.chosen))
    rows = int(part.first[-1])
    first = np.concatenate([[0], *(part.first[1:] + rows * k for k in range(len(cubes)))])
    run = toss_ensemble(records, np.concatenate(states), first, part.tosses.sample)
    found = []
    for k, cube in enumerate(cubes):
        at = run[rows * k + part.compared]
        turn = rotations(at[:, QUATERNION:V])
        place = at[:, X:QUATERNION] - turn.apply(cube.centre)
        apart = MILLIMETRE * (part.tosses.position[part.measured] - place)
        angle = (rotations(part.tosses.quaternion[part.measured]) * turn.inv()).as_rotvec(degrees=True)
        found.append(np.hstack([apart, angle]))
    return np.array(found)


def cube_with(cube: TossedCube, names: Sequence[str], values: Sequence[float] | Floats) -> TossedCube:
    """A cube with other values."""
    numbers = values_of(cube) | dict(zip(names, map(float, values), strict=True))
    return replace(
        cube,
        mu=numbers["mu"],
        load_exponent=numbers["load_exponent"],
        restitution=numbers["restitution"],
        inertia=(numbers["inertia_across"], numbers["inertia_along"]),
        centre=(numbers["centre_x"], numbers["centre_y"], numbers["centre_z"]),
        half=numbers["half"],
        radius=numbers["radius"],
    )


def first_guess() -> TossedCube:
    """The cube with which a fit begins."""
    begin = TossedCube(FITTED["mu"].guess, FITTED["restitution"].guess, (PUBLISHED_INERTIA, PUBLISHED_INERTIA))
    return cube_with(begin, list(FITTED), [fitted.guess for fitted in FITTED.values()])


def values_of(cube: TossedCube) -> dict[str, float]:
    """The values of a cube by the names under which they are fitted."""
    x, y, z = cube.centre
    across, along = cube.inertia
    return {
        "mu": cube.mu, "load_exponent": cube.load_exponent, "restitution": cube.restitution,
        "inertia_across": across, "inertia_along": along, "centre_x": x, "centre_y": y, "centre_z": z,
        "half": cube.half, "radius": cube.radius,
    }  # fmt: skip


@dataclass
class _Misfit:
    """The misfit of a window as a function of some values, with its difference quotients in one ensemble."""

    part: Window
    cube: TossedCube
    names: tuple[str, ...]
    evaluations: int = 0

    def cube_at(self, scaled: Floats) -> TossedCube:
        """The cube with some values, in units of their steps."""
        return cube_with(self.cube, self.names, scaled * self.steps)

    @property
    def steps(self) -> Floats:
        """Step of each value's difference quotient, which is also its unit in the search."""
        return np.array([FITTED[name].step for name in self.names])

    def residual(self, scaled: Floats) -> Floats:
        """Misfits at some values."""
        self.evaluations += 1
        return misfits(self.part, [self.cube_at(scaled)])[0].ravel()

    def jacobian(self, scaled: Floats) -> Floats:
        """Their derivatives by differences, all in one ensemble."""
        count = len(self.names)
        self.evaluations += count + 1
        cubes = [self.cube_at(scaled + step) for step in (np.zeros(count), *np.eye(count))]
        rows = misfits(self.part, cubes).reshape(count + 1, -1)
        return np.asarray((rows[1:] - rows[0]).T)


def fit_cube(
    tosses: Tosses, starts: Starts, chosen: Ints, free: Sequence[str], seed: int, progress: Progress
) -> TossFit:
    """Fit the values named in `free` to some tosses: first to the first impact, then to the whole tumbling.

    Between the two, gravity is measured again about the centre of mass that the first impact has shown. Nothing but the
    chosen tosses decides on any value, gravity included.
    """
    if len(chosen) < 2:
        raise ParameterError(f"fit must be at least 2 tosses, got {len(chosen)}")
    cube = first_guess()
    tosses, starts = about_centre(tosses, starts, chosen, cube)
    names = tuple(name for name in free if name in FIRST_STAGE)
    early = _Misfit(window(tosses, starts, chosen, FIRST_IMPACT), replace(cube, gravity=tosses.gravity), names)
    best = _search(early, lambda part: progress(0.3 * part))
    cube = early.cube_at(best.x)
    tosses, starts = about_centre(tosses, starts, chosen, cube)
    late = _Misfit(window(tosses, starts, chosen, TUMBLING), replace(cube, gravity=tosses.gravity), tuple(free))
    best = _search(late, lambda part: progress(0.3 + 0.7 * part))
    low, high = _widened(late, best, seed, *_intervals(late, best, seed))
    return TossFit(
        late.cube_at(best.x),
        tosses,
        starts,
        late.names,
        best.x * late.steps,
        low,
        high,
        early.evaluations + late.evaluations,
    )


def about_centre(tosses: Tosses, starts: Starts, chosen: Ints, cube: TossedCube) -> tuple[Tosses, Starts]:
    """Tosses and starts with the gravity that the cube's centre of mass shows in the flights of the chosen tosses."""
    tosses = replace(tosses, gravity=gravity_about(tosses, chosen, np.array(cube.centre)))
    return tosses, ballistic_starts(tosses, starts.most)


def _search(misfit: _Misfit, progress: Callable[[float], None], most: int = ROUNDS) -> Any:
    """Least squares with a loss that grows linearly, so that a toss that falls on another face does not decide."""
    begin = np.array([values_of(misfit.cube)[name] for name in misfit.names]) / misfit.steps
    low = np.array([FITTED[name].low for name in misfit.names]) / misfit.steps
    high = np.array([FITTED[name].high for name in misfit.names]) / misfit.steps
    rounds = 0

    def jacobian(scaled: Floats) -> Floats:
        nonlocal rounds
        rounds += 1
        progress(min(rounds / most, 1.0))
        return misfit.jacobian(scaled)

    return least_squares(
        misfit.residual,
        begin,
        jacobian,
        (low, high),
        loss="soft_l1",
        x_scale="jac",
        max_nfev=most,
        xtol=1e-4,
        ftol=1e-5,
    )


def _intervals(misfit: _Misfit, best: Any, seed: int) -> tuple[Floats, Floats]:
    """95 % intervals by a bootstrap over tosses: for each draw of tosses, one step of Gauss-Newton from the optimum."""
    rows = misfit.jacobian(best.x)
    residual = misfit.residual(best.x)
    weight = 1.0 / np.sqrt(1.0 + residual**2)
    owner = np.repeat(misfit.part.owner, 6)
    count = len(misfit.part.chosen)
    hessian = np.zeros((count, len(best.x), len(best.x)))
    gradient = np.zeros((count, len(best.x)))
    for toss in range(count):
        own = owner == toss
        weighted = rows[own] * weight[own, None]
        hessian[toss] = weighted.T @ rows[own]
        gradient[toss] = weighted.T @ residual[own]
    draws = np.random.default_rng(seed).multinomial(count, np.full(count, 1.0 / count), RESAMPLES)
    moved = -np.linalg.solve(np.tensordot(draws, hessian, 1), np.tensordot(draws, gradient, 1)[..., None])[..., 0]
    moved -= -np.linalg.solve(hessian.sum(axis=0), gradient.sum(axis=0))
    low, high = np.percentile(best.x + moved, [2.5, 97.5], axis=0)
    return low * misfit.steps, high * misfit.steps


def _widened(misfit: _Misfit, best: Any, seed: int, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Intervals that also hold the scatter of fits to random halves of the tosses.

    A step of Gauss-Newton knows nothing of the many minima that misfits have after several impacts; a fit does. The fit
    to half of the tosses is as far from that to all of them as this one is from the truth, on average.
    """
    from scipy.stats import t as student

    part = misfit.part
    count = len(part.chosen)
    if count < LEAST_TO_HALVE:
        return low, high
    draw = np.random.default_rng([seed, count])
    moved = []
    for _ in range(HALVES):
        half = np.sort(draw.permutation(part.chosen)[: count // 2])
        again = _Misfit(window(part.tosses, part.starts, half, TUMBLING), misfit.cube_at(best.x), misfit.names)
        moved.append(_search(again, unwatched, REFIT_ROUNDS).x - best.x)
        misfit.evaluations += again.evaluations // 2
    reach = student.ppf(0.975, HALVES) * np.sqrt(np.mean(np.square(moved), axis=0))
    steps = misfit.steps
    return np.minimum(low, (best.x - reach) * steps), np.maximum(high, (best.x + reach) * steps)


def roll_out(tosses: Tosses, starts: Starts, cube: TossedCube) -> tuple[Floats, Floats]:
    """Positions of the centre in m and quaternions of all tosses with a cube."""
    run = toss_ensemble(toss_records([cube]), starts.of(cube), tosses.first, tosses.sample)
    quaternion = run[:, QUATERNION:V]
    place = run[:, X:QUATERNION] - rotations(quaternion).apply(cube.centre)
    return place, quaternion
