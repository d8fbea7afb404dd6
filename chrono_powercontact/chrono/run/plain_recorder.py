"""Steps a Chrono system without contacts, or with few, and records what a function reads after each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from ...errors import DivergedError
from ...progress import Progress
from ...trajectory import Trajectory
from ..api.bridge import inertia_of
from .keyboard import stopped_between_steps

LEDGER = ("contact_heat", "friction_heat", "handed_back", "drive_work", "kinetic", "potential", "stored")
"""Columns of the energy ledger; those that nothing reads are zero."""

BLOCKS = 50
"""How often progress is reported."""


def body_energies(bodies: Sequence[Any], gravity: tuple[float, float, float]) -> dict[str, float]:
    """Kinetic and potential energy in J of some bodies under gravity in m/s^2."""
    kinetic = 0.0
    potential = 0.0
    for body in bodies:
        mass = body.GetMass()
        velocity = body.GetPosDt()
        position = body.GetPos()
        omega = body.GetAngVelLocal()
        turning = np.array([omega.x, omega.y, omega.z])
        kinetic += 0.5 * mass * velocity.Length2()
        kinetic += 0.5 * float(turning @ inertia_of(body) @ turning)
        potential -= mass * float(np.dot(gravity, [position.x, position.y, position.z]))
    return {"kinetic": kinetic, "potential": potential}


def record_steps(
    system: Any, read: Callable[[], Mapping[str, float]], step: float, time: float, every: int, progress: Progress
) -> Trajectory:
    """Run a system for a time in s; one record after each `every` steps, the first after the first of them.

    What `read` gives as `drive_power` in W is integrated to the column `drive_work`. Joints have reactions only after
    a step, so the state at the start is not recorded.
    """
    count = max(round(time / step / every), 2)
    rows: list[Mapping[str, float]] = []
    with stopped_between_steps() as check_keyboard:
        for number in range(count):
            for _ in range(every):
                system.DoStepDynamics(step)
                check_keyboard()
            row = {"t": (number + 1) * every * step, **read()}
            if not np.all(np.isfinite(list(row.values()))):
                message = f"the run on Chrono ended after {row['t']:.6g} s: use a smaller step than {step:g} s"
                raise DivergedError(message, _trajectory(rows) if len(rows) > 1 else None)
            rows.append(row)
            if number % max(count // BLOCKS, 1) == 0:
                progress((number + 1) / count)
    progress(1.0)
    return _trajectory(rows, count * every)


def _trajectory(rows: Sequence[Mapping[str, float]], steps: int = 0) -> Trajectory:
    """Rows as columns, with the ledger complete."""
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    power = columns.pop("drive_power", None)
    if power is not None:
        columns["drive_work"] = CubicSpline(columns["t"], power).antiderivative()(columns["t"])
    own = {name: values for name, values in columns.items() if name not in LEDGER}
    ledger = {name: columns.get(name, np.zeros(len(rows))) for name in LEDGER}
    whole = {**own, **ledger}
    return Trajectory(tuple(whole), np.column_stack(list(whole.values())), steps)
