"""Motors of the leg on the reference engine: loads and reaction that a prescribed motion needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import CubicSpline

from ...lagrange.loops.loop_engine import KEEP_CHOICE
from ...lagrange.loops.loops import Floats, LoopSystem, Projection
from ...trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...progress import Progress
    from .leg import LegParameters

DRIVEN = ("theta", "s")


def driven_reaction(parts: Projection, push: Floats) -> Floats:
    """The reaction (7) where generalised forces act beside those of the system."""
    free = parts.free_acceleration + np.linalg.solve(parts.mass, push)
    compliance = parts.locked @ np.linalg.solve(parts.mass, parts.locked.T)
    return np.asarray(np.linalg.solve(compliance, parts.locked @ (parts.zeta - free)))


def _record(system: LoopSystem, x: Floats) -> dict[str, float]:
    """The engine's record of a full state, by column."""
    row = np.zeros(len(system.columns))
    choice = system.choice(x[: len(system.names)], DRIVEN)
    system.evaluate(0.0, system.reduce(x, choice), choice, x.copy(), KEEP_CHOICE, row)
    return dict(zip(system.columns, row, strict=True))


def driven_leg(system: LoopSystem, guess: Sequence[float], p: LegParameters, progress: Progress) -> Trajectory:
    """Records of the leg under its prescribed motion, with the loads of the motors and their work."""
    at = system.indices(DRIVEN)
    times = np.linspace(0.0, p.time, max(round(p.time / p.step), 10) + 1)
    q = np.array(guess, float)
    rows = []
    for t in times:
        position, velocity, acceleration = p.prescribed(float(t))
        q[at] = position
        x = system.state(q, velocity, DRIVEN)
        q = x[: len(system.names)].copy()
        parts = system.project(x, DRIVEN)
        drives = parts.drives(acceleration)
        push = np.zeros(q.size)
        push[at] = drives
        found = _record(system, x) | {"t": float(t), "tau": drives[0], "F": drives[1]}
        reaction = driven_reaction(parts, push)
        rows.append(found | {"R_ankle_1": reaction[0], "R_ankle_2": reaction[1]})
        progress(float(t) / p.time)
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    power = columns["tau"] * columns["theta_dot"] + columns["F"] * columns["s_dot"]
    columns["drive_work"] = CubicSpline(times, power).antiderivative()(times)
    return Trajectory(tuple(columns), np.column_stack(list(columns.values())), len(times) - 1)
