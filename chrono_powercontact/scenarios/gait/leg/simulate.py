"""Runs a stage of the leg on the reference engine, and records it with its energy ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError, ParameterError, positive
from ....trajectory import Trajectory
from .drives import Drive
from .leg_rate import FULL, REPORT, ROW, STATE, march
from .stages import Stage
from .trainer_leg import REST

if TYPE_CHECKING:
    from ....progress import Progress

NOT_RECORDED = ("contact_power", "friction_power")
"""What acts, but is no column of a run: the ledger holds its integrals."""
NAMES = ("t", *STATE, "M", "F", *(name for name in REPORT.names or () if name not in NOT_RECORDED))
"""Columns: state, ledger, hip torque in N m and slide force in N of the drives, friction, stops, foot, energies, and
the net input of both axes."""

BLOCKS = 20


def run_stage(
    stage: Stage, drive: Drive, step: float, time: float, start: Sequence[float] = REST, every: int = 1,
    progress: Progress = lambda fraction: None,
) -> Trajectory:  # fmt: skip
    """RK4 with a fixed step in s from rest at a hip angle in rad and a slide position in m; see `run_rk4`."""
    positive("step", step)
    positive("time", time)
    if not isinstance(every, int) or every < 1:
        raise ParameterError(f"every must be an integer of at least 1, got {every!r}")
    stage.check_start(float(start[0]), float(start[1]))
    x = np.zeros(FULL)
    x[: len(start)] = start
    count = max(round(time / step / every), 1) + 1
    rows = np.zeros(count, ROW)
    size = -(-count // BLOCKS)
    for begin in range(0, count, size):
        block = rows[begin : begin + size]
        done = march(x, begin * every, step, every, drive.record, stage.record, block)
        if done < len(block):
            raise _ended(as_trajectory(rows[: begin + done], every), x, step)
        progress(min((begin + size) / count, 1.0))
    return as_trajectory(rows, every)


def as_trajectory(rows: NDArray[Any], every: int) -> Trajectory:
    """Rows of the kernel as named columns; those that are not recorded are the last of a row."""
    numbers = rows.view(np.float64).reshape(len(rows), -1)
    return Trajectory(NAMES, numbers[:, : len(NAMES)].copy(), max((len(rows) - 1) * every, 0))


def _ended(kept: Trajectory, x: NDArray[np.float64], step: float) -> DivergedError:
    """Why a run ended early, in one sentence, with its records."""
    until = f"after {kept['t'][-1]:.6g} s" if len(kept) else "at the start"
    if np.all(np.isfinite(x)):
        return DivergedError(f"the leg was stretched out of its reach {until}: the drives pull it apart", kept)
    return DivergedError(f"the run is no longer finite {until} with a step of {step:g} s: use a smaller step", kept)
