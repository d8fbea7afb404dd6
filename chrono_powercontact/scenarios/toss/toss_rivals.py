"""Other contact laws on the same tosses: each with the fitted body, and with mu and restitution of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import wilcoxon

from ...chrono.api.bridge import missing
from ...progress import Progress
from .chrono_toss import NSC, SMC, chrono_ensemble
from .rigid_toss import rigid_ensemble
from .toss_body import TossedCube, toss_records
from .toss_data import Floats, Ints, Tosses, rotations
from .toss_errors import TossErrors, errors_of
from .toss_kernel import QUATERNION, V, X
from .toss_start import Starts

RIGID = "rigid"

MUS = (0.14, 0.155, 0.17, 0.185, 0.2)
RESTITUTIONS = (0.0, 0.1, 0.2, 0.3, 0.4)
"""Values that are tried for a rival: mu first, then restitution, then mu again."""


@dataclass(frozen=True)
class RivalResult:
    """A rival on all tosses: its name, its values, and its errors."""

    name: str
    mu: float
    restitution: float
    errors: TossErrors


Ensemble = Callable[[TossedCube, Floats, Ints, float], Floats]


def _rigid(cube: TossedCube, starts: Floats, first: Ints, sample: float) -> Floats:
    return rigid_ensemble(toss_records([cube]), (cube.mu, cube.restitution), starts, first, sample)


def _on_chrono(kind: str) -> Ensemble:
    return lambda cube, starts, first, sample: chrono_ensemble(kind, cube, starts, first, sample)


def rival_names() -> tuple[str, ...]:
    """Rivals that can run here: those of Chrono need PyChrono."""
    return (RIGID,) if missing() is not None else (RIGID, SMC, NSC)


def part_of(tosses: Tosses, chosen: Ints) -> Tosses:
    """Some of the tosses."""
    lengths = np.diff(tosses.first)[chosen]
    rows = np.concatenate([np.arange(*tosses.first[[i, i + 1]]) for i in chosen])
    first = np.concatenate([[0], np.cumsum(lengths)])
    return replace(
        tosses,
        first=first,
        position=tosses.position[rows],
        quaternion=tosses.quaternion[rows],
        flight=tosses.flight[chosen],
    )


def run_rivals(tosses: Tosses, starts: Starts, chosen: Ints, body: TossedCube, progress: Progress) -> list[RivalResult]:
    """All rivals on all tosses, each with values chosen on the tosses that ours was fitted on."""
    states = starts.of(body)
    names = rival_names()
    results = []
    for number, name in enumerate(names):
        ensemble = _rigid if name == RIGID else _on_chrono(name)
        cube = _tuned(ensemble, part_of(tosses, chosen), states[chosen], replace(body, load_exponent=0.0))
        errors = _errors(ensemble, tosses, states, cube)
        results.append(RivalResult(name, cube.mu, cube.restitution, errors))
        progress((number + 1.0) / len(names))
    return results


def _errors(ensemble: Ensemble, tosses: Tosses, states: Floats, cube: TossedCube) -> TossErrors:
    """Errors of a rival."""
    run = ensemble(cube, states, tosses.first, tosses.sample)
    turn = rotations(run[:, QUATERNION:V])
    return errors_of(tosses, run[:, X:QUATERNION] - turn.apply(cube.centre), run[:, QUATERNION:V])


def _tuned(ensemble: Ensemble, tosses: Tosses, states: Floats, cube: TossedCube) -> TossedCube:
    """A cube with the values under which a rival has the least mean error of position and rotation together."""

    def best(cubes: Sequence[TossedCube]) -> TossedCube:
        tried = [_errors(ensemble, tosses, states, cube) for cube in cubes]
        return cubes[int(np.argmin([found.position.mean() + found.rotation.mean() for found in tried]))]

    cube = best([replace(cube, mu=mu, restitution=0.2) for mu in MUS])
    cube = best([replace(cube, restitution=e) for e in RESTITUTIONS])
    return best([replace(cube, mu=cube.mu + shift) for shift in (-0.007, 0.0, 0.007)])


def paired_test(ours: Floats, other: Floats) -> float:
    """p value of Wilcoxon's signed-rank test that ours and another's errors on the same tosses differ by chance."""
    return float(wilcoxon(ours, other).pvalue)
