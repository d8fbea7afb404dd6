"""What a switch of coordinates costs Adams' method: history converted, unwound as in the paper, or thrown away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...lagrange.loops.loop_runs import HISTORIES, LoopTrajectory, run_loop_adams, run_loop_adaptive
from ...lagrange.loops.loops import LoopSystem

FINE = 1e-12
"""Relative tolerance of the run (DOP853) whose end is taken as exact."""


class HistoryCost(NamedTuple):
    """One run of Adams' method: evaluations of the equations of motion, switches, and the error at the end."""

    evaluations: int
    switches: int
    error: float


def _end(system: LoopSystem, run: LoopTrajectory) -> np.ndarray:
    """Position at the end of a run."""
    return np.array([run[name][-1] for name in system.names])


def history_costs(
    system: LoopSystem, q: Sequence[float], u: Sequence[float], first: Sequence[str], time: float, hold: float
) -> dict[str, HistoryCost]:
    """Runs of a time in s with each treatment of the history, at a relative tolerance of 1e-9."""
    x = system.state(q, u, first)
    exact = _end(system, run_loop_adaptive(system, x, time, 2, rtol=FINE, atol=FINE, hold=hold))
    costs = {}
    for history in HISTORIES:
        run = run_loop_adams(system, x, time, hold=hold, history=history)
        error = float(np.abs(_end(system, run) - exact).max())
        costs[history] = HistoryCost(run.evaluations, run.switches, error)
    return costs
