"""Parameters from a target motion: a scenario's numbers, chosen so that its metrics reach given values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError, UnknownNameError
from ...numerics.fitting import search
from .studied import Studied

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Designed:
    """Parameters that were chosen for a target.

    Attributes:
        values: of the parameters, by name. metrics: what the targets became. evaluations: runs with derivatives.
        reached: whether all targets are met to a millionth of their size; where not, the values come nearest.
    """

    values: dict[str, float]
    metrics: dict[str, float]
    evaluations: int
    reached: bool


def design_motion(
    name: str, targets: Mapping[str, float], by: Sequence[str], given: Mapping[str, object] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
) -> Designed:  # fmt: skip
    """Choose parameters of a scenario so that metrics of its run reach targets, by Gauss-Newton steps.

    Args:
        name: of the scenario, which runs on the reference engine.
        targets: value of each metric that is to be reached.
        by: parameters to choose; the search begins at their values in `given`.
        bounds: least and largest values of parameters; a fifth and five times the first value unless given.
    """
    study = Studied.of(name, given, by)
    if not targets:
        raise ParameterError("a design needs the target of a metric, got none")
    goal = np.array([float(value) for value in targets.values()])
    size = np.where(goal != 0.0, np.abs(goal), 1.0)
    low, high = study.bounds(bounds)

    def misfit(values: Array) -> tuple[Array, Array]:
        found = study.differentiated(values)
        rows = []
        for metric in targets:
            if metric not in found.metrics:
                raise UnknownNameError("metric", metric, found.metrics)
            slopes = found.slopes[metric]
            missing = [key for key, slope in slopes.items() if not isinstance(slope, float)]
            if missing:
                raise ParameterError(
                    f"metric {metric!r} has no derivative by {', '.join(missing)}: take another target"
                )
            rows.append([slopes[key] for key in study.names])
        metrics = np.array([float(found.metrics[metric]) for metric in targets])
        return (metrics - goal) / size, np.array(rows, float) / size[:, None]

    best, asked = search(misfit, study.values, low, high, 1e-12, 1e-15)
    left, _ = misfit(best.x)
    metrics = {metric: float(value) for metric, value in zip(targets, goal + left * size, strict=True)}
    chosen = dict(zip(study.names, best.x.tolist(), strict=True))
    return Designed(chosen, metrics, asked.count, bool(np.all(np.abs(left) < 1e-6)))
