"""Uncertainty of a scenario's metrics from that of its parameters: by derivatives and by an ensemble, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import ParameterError, positive
from .studied import Studied


@dataclass(frozen=True)
class Spread:
    """How far a metric spreads.

    Attributes:
        value: with the parameters as they are. linear: standard deviation by derivatives, None where there are none.
        mean, ensemble: mean and standard deviation over the ensemble; None where a run has no such number.
        shares: fraction of the linear variance that each parameter brings.
    """

    value: float
    linear: float | None
    mean: float | None
    ensemble: float | None
    shares: dict[str, float]


def uncertainty(
    name: str, spread: Mapping[str, float], given: Mapping[str, object] | None = None, runs: int = 200, seed: int = 0
) -> dict[str, Spread]:
    """Standard deviations of a scenario's metrics where its parameters are normally distributed.

    Args:
        name: of the scenario, which runs on the reference engine.
        spread: standard deviation of each uncertain parameter.
        runs: size of the ensemble. seed: of its samples.
    """
    study = Studied.of(name, given, tuple(spread))
    sigma = np.array([positive(f"spread of {key}", value) for key, value in spread.items()])
    if not isinstance(runs, int) or runs < 2:
        raise ParameterError(f"runs must be a whole number of at least 2, got {runs!r}")
    found = study.differentiated(study.values)
    draws = study.values + sigma * np.random.default_rng(seed).standard_normal((runs, sigma.size))
    ensemble = [study.scenario.run(study.at(draw)).metrics for draw in draws]
    return {
        metric: _spread(metric, value, found.slopes[metric], dict(zip(study.names, sigma, strict=True)), ensemble)
        for metric, value in found.metrics.items()
        if isinstance(value, float) and np.isfinite(value)
    }


def _spread(
    metric: str, value: float, slopes: Mapping[str, float | None], sigma: Mapping[str, float], runs: list[Any]
) -> Spread:
    """The spread of one metric."""
    parts = {name: slope * sigma[name] for name, slope in slopes.items() if slope is not None}
    linear = float(np.sqrt(sum(part**2 for part in parts.values()))) if len(parts) == len(slopes) else None
    shares = {name: float((part / linear) ** 2) for name, part in parts.items()} if linear else {}
    drawn = [run.get(metric) for run in runs]
    if any(not isinstance(x, float) or not np.isfinite(x) for x in drawn):
        return Spread(value, linear, None, None, shares)
    return Spread(value, linear, float(np.mean(drawn)), float(np.std(drawn, ddof=1)), shares)
