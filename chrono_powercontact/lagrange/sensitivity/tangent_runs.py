"""Runs with their derivatives: RK4 of a system with dual numbers, recorded as columns d(column)/d(parameter)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import DivergedError, ParameterError
from ...numerics.dual.dual_type import DIRECTIONS
from ...trajectory import Trajectory, derivative_name
from ..runs import RunPlan, initial_record, record_count
from .dual_kernels import dual_terms
from .tangent_engine import rk4_tangent
from .tangent_seeds import Seeds, seeds
from .variables import Setting, chosen, has_user_law, varied

Array = NDArray[np.float64]
Vary = Callable[[float], Setting]

BLOCKS = 50
AT_ONCE = 256
"""Least number of parts of a run, and most records of a part, that have dual numbers at the same time."""


class Direction(NamedTuple):
    """What a run is differentiated by.

    Attributes:
        name: of the parameter. value: what it is. vary: the system and its start with another value of it.
    """

    name: str
    value: float
    vary: Vary


def directions(setting: Setting, names: Sequence[str]) -> list[Direction]:
    """What the names mean in a system with its start."""
    found = []
    for name in names:
        meant = chosen(setting, name)
        found.append(Direction(name, meant[0].value, partial(varied, setting, meant)))
    return found


def check_differentiable(setting: Setting) -> None:
    """Raise where a run has no derivatives."""
    point = has_user_law(setting.system)
    if point is not None:
        raise ParameterError(
            f"the law of point {point!r} is a user's function, which has no exact derivatives: "
            "take differences of runs, or a law of this package"
        )


class _Tables(NamedTuple):
    """Records of a run in a table, and their derivatives in one table for each direction."""

    values: Array
    rates: list[Array]

    def take(self, duals: Array, at: int) -> None:
        """Take over records with dual numbers, as those from number `at` on."""
        place = slice(at, at + len(duals))
        for lane, table in enumerate((self.values, *self.rates)):
            table[place] = duals[:, :, lane]

    def cut(self, count: int) -> _Tables:
        """The first records."""
        return _Tables(self.values[:count], [table[:count] for table in self.rates])


def run_tangent(plan: RunPlan, along: Sequence[Direction]) -> tuple[Trajectory, list[Array]]:
    """A run, and the derivatives of its records: one table like that of the run for each direction."""
    check_differentiable(Setting(plan.system, plan.start))
    run: Trajectory | None = None
    parts: list[Array] = []
    for begin in range(0, len(along), DIRECTIONS):
        some = along[begin : begin + DIRECTIONS]
        start = seeds(Setting(plan.system, plan.start), [(d.value, d.vary) for d in some])
        tables, steps = _march(plan, start, len(some))
        run = run or Trajectory(tuple(plan.system.columns), tables.values, steps)
        parts += tables.rates
    if run is None:
        raise ParameterError("sensitivities needs the name of a parameter, got none")
    return run, parts


def _march(plan: RunPlan, start: Seeds, lanes: int) -> tuple[_Tables, int]:
    """Records of a run with dual numbers in so many directions, and the steps that it took; see `run_rk4`.

    A few records at a time have dual numbers, so that these stay in the processor's cache.
    """
    system = plan.system
    count = record_count(plan.step, plan.time, plan.every)
    names = tuple(system.columns)
    shape = count + 1, len(names)
    tables = _Tables(np.empty(shape), [np.empty(shape) for _ in range(lanes)])
    initial_record(system, plan.start, 0.0)
    terms = dual_terms(system.terms)
    x = start.start
    chunk = max(min(count // BLOCKS, AT_ONCE), 1)
    block = np.zeros((chunk, len(names), x.shape[1]))
    for begin in range(0, count, chunk):
        part = block[: min(chunk, count - begin)]
        part[:] = 0.0
        done = rk4_tangent(terms, 0.0, x, *start.arguments, plan.step, begin * plan.every, plan.every, part)
        tables.take(part, begin)
        if done < len(part):
            raise diverged(plan, tables.values[: max(begin + done, 1)])
        plan.progress(min((begin + len(part)) / count, 1.0))
        ends = plan.ends(Trajectory(names, tables.values[begin : begin + len(part)], 0))
        if ends.size:
            last = begin + int(ends[0])
            return tables.cut(last + 1), last * plan.every
    end = count * plan.every * plan.step
    final = np.zeros((1, *block.shape[1:]))
    if not (np.all(np.isfinite(x)) and rk4_tangent(terms, end, x, *start.arguments, plan.step, 0, 0, final)):
        raise diverged(plan, tables.values[:count])
    tables.take(final, count)
    return tables, count * plan.every


def diverged(plan: RunPlan, rows: Array) -> DivergedError:
    """The error of a run whose state or derivatives are no longer finite."""
    kept = Trajectory(tuple(plan.system.columns), rows.copy(), 0)
    return DivergedError(
        f"the run of {plan.system.model.name!r} or its derivatives are no longer finite after "
        f"{kept['t'][-1]:.6g} s: use a smaller step",
        kept,
    )


def run_with_sensitivities(plan: RunPlan, names: Sequence[str]) -> Trajectory:
    """A run with columns d(column)/d(name) behind its own; see `run_rk4`."""
    if isinstance(names, str):
        raise ParameterError(f"sensitivities must be a list of names, got {names!r}")
    along = directions(Setting(plan.system, plan.start), names)
    run, rates = run_tangent(plan, along)
    return with_derivatives(run, {d.name: table for d, table in zip(along, rates, strict=True)})


def with_derivatives(run: Trajectory, rates: Mapping[str, Array]) -> Trajectory:
    """A run with the derivatives of all its columns but the time behind them: a table for each parameter by name."""
    columns = [name for name in run.names if name != "t"]
    is_first = run.names[:1] == ("t",)
    kept: Any = slice(1, None) if is_first else [run.names.index(name) for name in columns]
    titles = [derivative_name(column, name) for name in rates for column in columns]
    blocks = [table[:, kept] for table in rates.values()]
    return replace(run, names=(*run.names, *titles), data=np.concatenate([run.data, *blocks], axis=1))
