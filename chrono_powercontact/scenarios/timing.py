"""Steps of a run: how often it is recorded, how far it stops short, what a step of the reference engine costs."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from ..chrono.api.bridge import LINEARIZED
from .parameters import CHRONO

if TYPE_CHECKING:
    import numpy as np

    from ..lagrange.system import System
    from ..progress import Progress
    from ..trajectory import Trajectory
    from .parameters import Stepped, Timed

RECORDS = 20_000
"""Records of a run, about, unless it has fewer steps."""

LEAST_INTERVAL = 1e-4
"""Time in s between two records, at least."""


def every_tenth_millisecond(step: float) -> int:
    """Steps between two records that are LEAST_INTERVAL apart; a larger step in s is recorded each time."""
    return max(round(LEAST_INTERVAL / step), 1)


def steps_per_record(p: Timed, records: int = RECORDS) -> int:
    """Steps between two records: at least LEAST_INTERVAL apart, and no more than so many of them."""
    interval = max(LEAST_INTERVAL, p.time / records)
    return max(round(interval / p.step), 1)


def stopping_lag(p: Stepped, engine: str, speed: float) -> float:
    """Distance in m by which a run stops short of a body that slows down evenly from a speed in m/s.

    Chrono's linearised Euler moves a body by h v' in a step, with the speed at its end: h v/2 too little over a stop.
    """
    return 0.5 * p.step * speed if engine == CHRONO and p.integrator in LINEARIZED else 0.0


def timed_run(system: System, start: np.ndarray, p: Timed, progress: Progress) -> Trajectory:
    """Run on the reference engine with p.step for p.time, and measure what a step costs in us."""
    from ..lagrange.runs import run_rk4

    run_rk4(system, start, p.step, p.step)
    begin = perf_counter()
    run = run_rk4(system, start, p.step, p.time, steps_per_record(p), progress)
    seconds = perf_counter() - begin
    return replace(run, step_cost=1e6 * seconds / run.steps)
