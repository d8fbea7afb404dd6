"""Which parameter matters over whole ranges: Sobol indices of a scenario's metric, by SALib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...errors import ParameterError, UnknownNameError
from .studied import Studied

EXTRA = "Sobol indices need SALib: pip install SALib"


class SobolIndices(NamedTuple):
    """Sobol indices of a metric, by parameter.

    Attributes:
        first: part of the variance that the parameter brings alone. total: with all its interactions.
        first_half, total_half: half widths of their 95 % intervals. runs: how many were made.
    """

    first: dict[str, float]
    total: dict[str, float]
    first_half: dict[str, float]
    total_half: dict[str, float]
    runs: int


def sobol_indices(
    name: str, ranges: Mapping[str, tuple[float, float]], metric: str, n: int = 128,
    given: Mapping[str, object] | None = None, seed: int = 0,
) -> SobolIndices:  # fmt: skip
    """Sobol indices of a metric over ranges of parameters, evenly distributed; n (k + 2) runs for k parameters.

    Args:
        name: of the scenario, which runs on the reference engine.
        ranges: least and largest value of each parameter. n: a power of two.
    """
    try:
        from SALib.analyze import sobol as analysis
        from SALib.sample import sobol as sampling
    except ImportError:
        raise ParameterError(EXTRA) from None
    study = Studied.of(name, given, tuple(ranges))
    if not isinstance(n, int) or n < 2 or n & (n - 1):
        raise ParameterError(f"n must be a power of two, got {n!r}")
    problem = {"num_vars": len(ranges), "names": list(ranges), "bounds": [list(ends) for ends in ranges.values()]}
    points = sampling.sample(problem, n, calc_second_order=False, seed=seed)
    values = np.array([_metric(study, point, metric) for point in points])
    found: Any = analysis.analyze(problem, values, calc_second_order=False, seed=seed)

    def by_name(key: str) -> dict[str, float]:
        return dict(zip(study.names, (float(x) for x in found[key]), strict=True))

    return SobolIndices(by_name("S1"), by_name("ST"), by_name("S1_conf"), by_name("ST_conf"), len(points))


def _metric(study: Studied, point: Any, metric: str) -> float:
    """The metric of one run."""
    metrics = study.scenario.run(study.at(point)).metrics
    if metric not in metrics:
        raise UnknownNameError("metric", metric, metrics)
    if not isinstance(metrics[metric], float):
        raise ParameterError(f"metric {metric!r} is no number: Sobol indices need one, got {metrics[metric]!r}")
    return float(metrics[metric])
