"""How often a run is recorded, and what a step of the reference engine costs without compilation."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from ..lagrange.system import System
    from ..progress import Progress
    from ..trajectory import Trajectory

RECORDS = 20_000
"""Records of a run, about, unless it has fewer steps."""


def records_apart(p: SimpleNamespace, records: int = RECORDS) -> int:
    """Steps between two records: at least 0.1 ms apart, and no more than so many of them."""
    return max(round(max(1e-4, p.time / records) / p.step), 1)


def timed_run(system: System, start: np.ndarray, p: SimpleNamespace, progress: Progress) -> Trajectory:
    """Run on the reference engine with p.step for p.time, and measure what a step costs."""
    from ..lagrange.runs import run_rk4

    run_rk4(system, start, p.step, p.step)
    begin = perf_counter()
    run = run_rk4(system, start, p.step, p.time, records_apart(p), progress)
    return replace(run, step_cost=1e6 * (perf_counter() - begin) / run.steps)
