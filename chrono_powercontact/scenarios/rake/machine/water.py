"""Water and debris, compiled: drag and buoyancy of the knick arm cell by cell, drag of the rake, weight on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....kernel import kernel
from .arm_terms import point
from .arms import CELLS, RAKE, WET_CELLS
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


def water_numbers(water: Water, machine: Machine) -> NDArray[np.float64]:
    """Flow speed in m/s, sealed 0 or 1, debris in kg, length of a cell in m, 1 where any of it acts."""
    cell = (machine.knick.length - machine.rake_length) / WET_CELLS
    return np.array((water.speed, water.sealed, water.debris, cell, not water.still), float)


@kernel
def span(first: float, last: float, cells: int) -> float:
    """Height in m that a cell of an arm spans, from the heights of its first and last one."""
    return max(np.abs(first - last) / (cells - 1), 1e-3)


@kernel
def push(v: Array, jacobian: Array, fx: float, fz: float, force: Array) -> float:
    """Add a force in N at a place with this Jacobian; returns its power in W."""
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
def on_cell(water: Array, drop: float, z: float, vx: float) -> tuple[float, float]:
    """Force in N along x and z on a cell of the knick arm at height z in m, which spans `drop` m of height."""
    share = min(max((WATER_LEVEL - z) / drop + 0.5, 0.0), 1.0)
    lift = water[1] * WATER_DENSITY * GRAVITY * ARM_SECTION * water[3]
    return share * drag(water[0], vx, ARM_DRAG * ARM_WIDTH * water[3]), share * lift


@kernel
def on_rake(water: Array, t: float, z: float, vx: float) -> tuple[float, float]:
    """Force in N along x and z on the rake at height z in m, at time t in s: drag, and the debris that it carries."""
    debris = water[2] if CARRIED[0] <= t <= CARRIED[1] else 0.0
    above = min(max((z - WATER_LEVEL) / SURFACE, 0.0), 1.0)
    return (1.0 - above) * drag(water[0], vx, RAKE_DRAG * RAKE_AREA), -above * debris * GRAVITY


@kernel
def along_x(jacobian: Array, v: Array) -> float:
    """Velocity in m/s along x of a place with this Jacobian."""
    vx = 0.0
    for i in range(v.size):
        vx += jacobian[0, i] * v[i]
    return vx


@kernel
def wet(
    mech: Any, water: Array, t: float, q: Array, v: Array, trig: Array, places: Array, jacobians: Array, force: Array
) -> float:
    """Add the forces of water and debris; returns their power in W."""
    last, power = mech.stations.shape[0], 0.0
    point(mech, q, trig, CELLS, places[0], jacobians[0])
    point(mech, q, trig, last - 1, places[1], jacobians[1])
    drop = span(places[0, 1], places[1, 1], last - CELLS)
    for station in range(CELLS, last):
        point(mech, q, trig, station, places[0], jacobians[0])
        fx, fz = on_cell(water, drop, places[0, 1], along_x(jacobians[0], v))
        power += push(v, jacobians[0], fx, fz, force)
    point(mech, q, trig, RAKE, places[0], jacobians[0])
    fx, fz = on_rake(water, t, places[0, 1], along_x(jacobians[0], v))
    return power + push(v, jacobians[0], fx, fz, force)
