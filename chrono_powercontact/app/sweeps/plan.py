"""The runs of a sweep: every combination of values, joined with every sample, each with a key by which it is known."""

from __future__ import annotations

import hashlib
import itertools
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import ParameterError
from ...report.folder import plain
from .swept_ranges import LATIN, SOBOL, Interval, Range, Values

MOST_RUNS = 100_000
"""A sweep of more runs must be confirmed."""

DEFAULT_SAMPLES = 64
"""Number of samples unless one is given."""

Point = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """The runs of a sweep.

    Attributes:
        over: swept parameters. points: the values of each run. samples: their number, None where nothing is sampled.
    """

    over: Mapping[str, Range]
    points: Sequence[Point]
    samples: int | None

    @property
    def names(self) -> list[str]:
        """The swept parameters."""
        return list(self.over)


def planned(over: Mapping[str, Range], n: int | None, seed: int, confirmed: bool = False) -> Plan:
    """The plan of a sweep; raises where it has more than MOST_RUNS runs and is not confirmed."""
    if not over:
        raise ParameterError("a sweep needs at least one parameter to vary, got none")
    crossed = {name: swept for name, swept in over.items() if isinstance(swept, Values)}
    sampled = {name: swept for name, swept in over.items() if isinstance(swept, Interval)}
    count = _samples(n, bool(sampled))
    runs = count or 1
    for values in crossed.values():
        runs *= len(values.values)
    if runs > MOST_RUNS and not confirmed:
        raise ParameterError(
            f"the sweep has {runs} runs, more than {MOST_RUNS}: confirm it with --yes (in Python confirmed=True)"
        )
    drawn = draw(sampled, count or 1, seed)
    points = []
    for combination in itertools.product(*(values.values for values in crossed.values())):
        named = dict(zip(crossed, combination, strict=True))
        for sample in drawn:
            both = {**named, **sample}
            points.append({name: both[name] for name in over})
    return Plan(over, points, count)


def _samples(n: int | None, sampled: bool) -> int | None:
    """Number of samples, None where nothing is sampled."""
    if not sampled:
        if n is not None:
            raise ParameterError(f"n is the number of samples, and nothing is sampled, got n={n}")
        return None
    if n is None:
        return DEFAULT_SAMPLES
    if isinstance(n, bool) or int(n) != n or n < 1:
        raise ParameterError(f"n must be a whole number of at least 1, got {n!r}")
    return int(n)


def draw(sampled: Mapping[str, Interval], count: int, seed: int) -> list[Point]:
    """So many samples of all intervals together; one empty sample where there are none."""
    if not sampled:
        return [{}]
    samples: list[Point] = [{} for _ in range(count)]
    for kind in (SOBOL, LATIN):
        named = {name: interval for name, interval in sampled.items() if interval.kind == kind}
        if not named:
            continue
        for sample, fractions in zip(samples, fractions_of(kind, len(named), count, seed), strict=True):
            for (name, interval), fraction in zip(named.items(), fractions, strict=True):
                sample[name] = interval.at(float(fraction))
    return samples


def fractions_of(kind: str, dimensions: int, count: int, seed: int) -> Any:
    """Samples in the unit cube, one row each."""
    from scipy.stats import qmc

    if kind == LATIN:
        return qmc.LatinHypercube(dimensions, rng=seed).random(count)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return qmc.Sobol(dimensions, rng=seed).random(count)


def key_of(identity: Mapping[str, Any], point: Point) -> str:
    """By which a run is known: a hash of what runs, its version, and all of its parameters."""
    text = json.dumps(plain({**identity, "point": point}), sort_keys=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
