"""Many runs of one model in one compiled parallel loop: they differ in their numbers, laws and initial states."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import get_num_threads, njit, prange, set_num_threads, types
from numpy.typing import NDArray

from ..errors import DivergedError, ParameterError, UnknownNameError
from ..progress import Progress, unwatched
from ..trajectory import Trajectory
from .engine import TERMS, rk4
from .layout import FILTERS, FRICTIONS, INTEGERS, MATRIX, NORMALS, POINTS
from .runs import initial_record, record_count
from .system import System

Array = Any

MOST_BYTES = 2e9
"""Memory in bytes that the records of an ensemble may take."""

CHUNK_BYTES = 1e8
"""Memory in bytes of the full records that are held at once; only the columns that are kept outlive a chunk."""

CUBE = types.float64[:, :, ::1]
LAWS = (NORMALS.copy(ndim=2), FRICTIONS.copy(ndim=2))


@njit(
    types.void(
        TERMS, MATRIX, MATRIX, INTEGERS, LAWS[0], POINTS, LAWS[1], FILTERS, types.int64, types.float64, types.int64,
        CUBE, INTEGERS,
    ),
    cache=True, parallel=True, error_model="numpy",
)  # fmt: skip
def rk4_ensemble(
    terms: Any, states: Array, parameters: Array, sizes: Array, normal: Array, points: Array, friction: Array,
    filters: Array, mode: int, h: float, every: int, rows: Array, done: Array,
) -> None:  # fmt: skip
    """`engine.rk4` for each row of the states, parameters and laws; `done` is how many records each has written."""
    for i in prange(states.shape[0]):
        done[i] = rk4(
            terms, 0.0, states[i], parameters[i], sizes, normal[i], points, friction[i], filters, mode, h, 0, every,
            rows[i],
        )  # fmt: skip


@dataclass(frozen=True)
class Ensemble:
    """The records of many runs.

    Attributes:
        names: of the columns. data: by run, record and column; not a number after a run has diverged.
        steps: of each run. diverged: numbers of the runs that did.
    """

    names: tuple[str, ...]
    data: NDArray[np.float64]
    steps: int
    diverged: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A column of all runs, one row each."""
        if name not in self.names:
            raise UnknownNameError("column", name, self.names)
        return self.data[:, :, self.names.index(name)]

    def run(self, number: int) -> Trajectory:
        """One run; raises where it has diverged."""
        if number in self.diverged:
            raise DivergedError(f"run {number} of the ensemble is no longer finite: use a smaller step")
        return Trajectory(self.names, self.data[number], self.steps)


def run_ensemble(
    systems: System | Sequence[System],
    states: Sequence[NDArray[np.float64]] | NDArray[np.float64],
    step: float,
    time: float,
    every: int = 1,
    columns: Sequence[str] | None = None,
    progress: Progress = unwatched,
) -> Ensemble:
    """Classical RK4 with a fixed step for many runs of one model at once, on all cores; each run is that of `run_rk4`.

    Args:
        systems: one for all runs, or one each; all of the same model, with friction at the same points.
        states: one initial state per run (`System.state`).
        step: in s. time: length of the runs in s. every: steps between two records.
        columns: that are kept; all unless given.
        progress: called now and then with the fraction that is done.
    """
    starts = [np.ascontiguousarray(state, float) for state in states]
    if not starts:
        raise ParameterError("an ensemble needs at least one initial state, got none")
    each = [systems] * len(starts) if isinstance(systems, System) else list(systems)
    _check_alike(each, starts)
    count = record_count(step, time, every)
    names = tuple(each[0].columns)
    kept = _kept(names, columns, len(starts) * (count + 1))
    data = np.full((len(starts), count + 1, len(kept)), np.nan)
    where = [names.index(name) for name in kept]
    diverged: list[int] = []
    for part in _chunks(len(starts), 8.0 * (count + 1) * len(names)):
        rows, lost = _run_part(each[part], starts[part], (step, count, every))
        data[part] = rows[:, :, where]
        diverged += [part.start + i for i in lost]
        progress(part.stop / len(starts))
    return Ensemble(kept, data, count * every, tuple(diverged))


def _kept(names: tuple[str, ...], columns: Sequence[str] | None, rows: int) -> tuple[str, ...]:
    """The columns that are kept; raises where one is unknown or so many rows of them take too much memory."""
    kept = names if columns is None else tuple(columns)
    for name in kept:
        if name not in names:
            raise UnknownNameError("column", name, names)
    size = 8.0 * rows * len(kept)
    if size > MOST_BYTES:
        raise ParameterError(
            f"the records would take {size / 1e9:.3g} GB, at most {MOST_BYTES / 1e9:g} are allowed: "
            "record fewer columns, or not every step"
        )
    return kept


def _check_alike(systems: Sequence[System], starts: Sequence[NDArray[np.float64]]) -> None:
    """Raise unless there is one system per state and all are of one model with friction at the same points."""
    if len(systems) != len(starts):
        raise ParameterError(f"give one system, or one for each of the {len(starts)} states, got {len(systems)}")
    first = systems[0]
    for number, system in enumerate(systems):
        if system is first:
            continue
        alike = system.model is first.model and system.arguments.mode == first.arguments.mode
        if not (alike and np.array_equal(system.arguments.points, first.arguments.points)):
            raise ParameterError(
                "the systems of an ensemble must be of one model with friction at the same points, "
                f"number {number} is not like the first"
            )


def _chunks(count: int, size: float) -> Iterator[slice]:
    """Slices of so many runs whose records of a size in bytes each can be held at once."""
    threads = os.cpu_count() or 1
    length = max(int(CHUNK_BYTES / size), 4 * threads)
    for begin in range(0, count, length):
        yield slice(begin, min(begin + length, count))


def _run_part(
    systems: Sequence[System], starts: Sequence[NDArray[np.float64]], clock: tuple[float, int, int]
) -> tuple[NDArray[np.float64], list[int]]:
    """Records of some runs, by run, record and column, and which of them have diverged; `clock`: step, count, every."""
    step, count, every = clock
    first = systems[0]
    arguments = [system.arguments for system in systems]
    states = np.array(starts)
    rows = np.zeros((len(starts), count + 1, len(first.columns)))
    for system, x, own in zip(systems, states, rows, strict=True):
        own[0] = initial_record(system, x, 0.0)
    done = np.zeros(len(starts), np.int64)
    ahead = np.zeros((len(starts), count, rows.shape[2]))
    rk4_ensemble(
        first.terms, states, np.array([a.parameters for a in arguments]), arguments[0].sizes,
        np.array([a.normal for a in arguments]), arguments[0].points, np.array([a.friction for a in arguments]),
        arguments[0].filters, arguments[0].mode, step, every, ahead, done,
    )  # fmt: skip
    rows[:, :count] = ahead
    lost = [i for i in range(len(starts)) if done[i] < count or not np.all(np.isfinite(states[i]))]
    for i, (system, x) in enumerate(zip(systems, states, strict=True)):
        if i in lost:
            rows[i, done[i] :] = np.nan
        else:
            rows[i, count] = initial_record(system, x, count * every * step)
    return rows, lost


def use_threads(count: int) -> int:
    """Let ensembles use so many threads, at most as many as numba started with; returns how many they used before."""
    before = int(get_num_threads())
    set_num_threads(count)
    return before
