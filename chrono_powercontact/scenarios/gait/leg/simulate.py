"""Runs a stage of the leg on the reference engine, and records it with its energy ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError, ParameterError, positive
from . import leg_rate as rate
from .drives import Drive
from .leg import REST
from .stages import Stage

if TYPE_CHECKING:
    from ....progress import Progress
    from ....trajectory import Trajectory

STATE_NAMES = ("phi", "s", "phi_dot", "s_dot", "held_hip", "held_slide", "held_foot")
REPORT_NAMES = (
    "Q_hip", "Q_slide", "knee", "F_knee", "F_lower", "F_upper", "d_foot", "F_foot", "Ft_foot", "kinetic", "potential",
    "stored", "net_hip", "net_slide",
)  # fmt: skip
NAMES = ("t", *STATE_NAMES, "contact_heat", "friction_heat", "handed_back", "drive_work", "M", "F", *REPORT_NAMES)
"""Columns: state, ledger, hip torque in N m and slide force in N of the drives, friction, stops, foot, energies, and
the net input of both axes."""

BLOCKS = 20


def run_stage(
    stage: Stage, drive: Drive, step: float, time: float, start: Sequence[float] = REST, every: int = 1,
    progress: Progress = lambda share: None,
) -> Trajectory:  # fmt: skip
    """RK4 with a fixed step in s from rest at a hip angle in rad and a slide position in m; see `run_rk4`."""
    positive("step", step)
    positive("time", time)
    if not isinstance(every, int) or every < 1:
        raise ParameterError(f"every must be a whole number of at least 1, got {every!r}")
    stage.check_start(float(start[0]), float(start[1]))
    x = np.zeros(rate.FULL)
    x[: len(start)] = start
    count = max(round(time / step / every), 1) + 1
    rows = np.zeros((count, 3 + rate.FULL + rate.REPORT_WIDTH))
    d, p, size = drive.numbers, stage.numbers, -(-count // BLOCKS)
    for begin in range(0, count, size):
        block = rows[begin : begin + size]
        done = rate.march(x, begin * every, step, every, d, p, block)
        if done < len(block):
            raise _ended(as_trajectory(rows[: begin + done], every), x, step)
        progress(min((begin + size) / count, 1.0))
    return as_trajectory(rows, every)


def as_trajectory(rows: NDArray[np.float64], every: int) -> Trajectory:
    """Rows of the kernel as named columns."""
    from ....trajectory import Trajectory

    return Trajectory(NAMES, rows[:, : len(NAMES)].copy(), max((len(rows) - 1) * every, 0))


def _ended(kept: Trajectory, x: NDArray[np.float64], step: float) -> DivergedError:
    """Why a run ended early, in one sentence, with its records."""
    until = f"after {kept['t'][-1]:.6g} s" if len(kept) else "at the start"
    if np.all(np.isfinite(x)):
        return DivergedError(f"the leg was stretched out of its reach {until}: the drives pull it apart", kept)
    return DivergedError(
        f"the run left the finite numbers {until} with a step of {step:g} s: take a smaller step", kept
    )
