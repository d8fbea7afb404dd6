"""Water and debris, compiled: drag and buoyancy of the knuckle arm cell by cell, drag of the rake, weight on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from .arm_terms import point
from .arms import CELLS, RAKE, WET_CELLS, Place
from .machine import (
    ARM_DRAG,
    ARM_SECTION,
    ARM_WIDTH,
    GRAVITY,
    RAKE_AREA,
    RAKE_DRAG,
    WATER_DENSITY,
    WATER_LEVEL,
    Machine,
    Water,
)

Array = Any
CARRIED = (72.0, 180.0)
"""Begin of the pull and end at the dump in s, between which the rake carries debris."""
SURFACE = 0.5
"""Height in m over which debris comes to bear when the rake leaves the water."""


WATER = np.dtype(
    [
        ("acts", np.int64),
        ("sealed", np.int64),
        ("speed", np.float64),
        ("debris", np.float64),
        ("cell", np.float64),
    ]
)
"""Water as the kernels read it: whether any of it acts, whether the arm is sealed, flow speed in m/s, debris in kg, and
length of a cell of the arm in m."""


def water_record(water: Water, machine: Machine) -> Any:
    """The water as the kernels read it."""
    cell = (machine.knuckle.length - machine.rake_length) / WET_CELLS
    return np.array([(not water.still, water.sealed, water.speed, water.debris, cell)], WATER)[0]


@kernel
def span(first: float, last: float, cells: int) -> float:
    """Height in m that a cell of an arm spans, from the heights of its first and last one."""
    return max(np.abs(first - last) / (cells - 1), 1e-3)


@kernel
def push(v: Array, jacobian: Array, fx: float, fz: float, force: Array) -> float:
    """Add a force in N at a point with this Jacobian; returns its power in W."""
    power = 0.0
    for i in range(v.size):
        f = fx * jacobian[0, i] + fz * jacobian[1, i]
        force[i] += f
        power += f * v[i]
    return power


@kernel
def drag(speed: float, vx: float, area: float) -> float:
    """Force in N along x of the flow on a part that moves at vx: rho/2 area v_rel |v_rel|, the flow towards -x."""
    relative = -speed - vx
    return 0.5 * WATER_DENSITY * area * relative * np.abs(relative) if speed != 0.0 else 0.0


@kernel
def on_cell(water: Any, drop: float, z: float, vx: float) -> tuple[float, float]:
    """Force in N along x and z on a cell of the knuckle arm at height z in m, which spans `drop` m of height."""
    fraction = min(max((WATER_LEVEL - z) / drop + 0.5, 0.0), 1.0)
    lift = water.sealed * WATER_DENSITY * GRAVITY * ARM_SECTION * water.cell
    return fraction * drag(water.speed, vx, ARM_DRAG * ARM_WIDTH * water.cell), fraction * lift


@kernel
def on_rake(water: Any, t: float, z: float, vx: float) -> tuple[float, float]:
    """Force in N along x and z on the rake at height z in m, at time t in s: drag, and the debris that it carries."""
    debris = water.debris if CARRIED[0] <= t <= CARRIED[1] else 0.0
    above = min(max((z - WATER_LEVEL) / SURFACE, 0.0), 1.0)
    return (1.0 - above) * drag(water.speed, vx, RAKE_DRAG * RAKE_AREA), -above * debris * GRAVITY


@kernel
def along_x(jacobian: Array, v: Array) -> float:
    """Velocity in m/s along x of a point with this Jacobian."""
    vx = 0.0
    for i in range(v.size):
        vx += jacobian[0, i] * v[i]
    return vx


@kernel
def wet(mech: Any, water: Any, t: float, q: Array, v: Array, trig: Array, place: Place, force: Array) -> float:
    """Add the forces of water and debris; returns their power in W. `place` is room for a point."""
    last = mech.stations.size - 1
    point(mech, q, trig, CELLS, place.where, place.jacobian)
    first_height = place.where[1]
    point(mech, q, trig, last, place.where, place.jacobian)
    drop = span(first_height, place.where[1], last + 1 - CELLS)
    power = 0.0
    for station in range(CELLS, last + 1):
        point(mech, q, trig, station, place.where, place.jacobian)
        fx, fz = on_cell(water, drop, place.where[1], along_x(place.jacobian, v))
        power += push(v, place.jacobian, fx, fz, force)
    point(mech, q, trig, RAKE, place.where, place.jacobian)
    fx, fz = on_rake(water, t, place.where[1], along_x(place.jacobian, v))
    return power + push(v, place.jacobian, fx, fz, force)
