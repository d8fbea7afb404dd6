"""What compiled filters read and write, by name: the algorithm, counters, the estimate and a correction."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

CDKF_KIND, UKF_KIND = range(2)

ALGORITHM = np.dtype(
    [
        ("kind", np.int64),
        ("spread", np.float64),
        ("mean_centre", np.float64),
        ("spread_centre", np.float64),
        ("others", np.float64),
        ("curvature", np.float64),
    ]
)
"""An algorithm: CDKF_KIND or UKF_KIND; distance of the points from the centre in standard deviations (h of the CDKF);
of the UKF the weight of the centre in the mean and in the covariance; the weight of each other point in the mean; and
of the CDKF the weight of second differences in the covariance. A CDKF without the last two is the EKF."""

COUNTS = np.dtype([("skipped", np.int64), ("lifted", np.int64), ("collapsed", np.int64)])
"""Counters: measurements that were not finite, factors that were mended, predictions without spread."""

Array = Any


class Estimate(NamedTuple):
    """State x and lower factor S of its covariance."""

    x: Array
    s: Array


class Equations(NamedTuple):
    """The model of a filter: pointers to its functions or to its system, its numbers, its outputs.

    Attributes:
        p: numbers of the model, a copy that belongs to the filter: estimated ones are written into it.
        pick: state that each output is; empty where a function gives them. turns: which outputs are angles.
        slots: indices in p of the numbers that are estimated; they are the last states.
    """

    functions: Any
    systems: Any
    p: Array
    pick: Array
    turns: Array
    slots: Array


class Setting(NamedTuple):
    """What a filter is set to.

    Attributes:
        algorithm: one record, see ALGORITHM. counts: one record, see COUNTS.
        s_v, s_n: factors of process and measurement noise. lower, upper: bounds of the states.
        step: of RK4 in s. steps: per sample.
    """

    algorithm: Array
    counts: Array
    s_v: Array
    s_n: Array
    lower: Array
    upper: Array
    step: float
    steps: int


class Correction(NamedTuple):
    """A measurement taken in: its innovation, and the factor of the innovation's covariance."""

    innovation: Array
    s_y: Array
