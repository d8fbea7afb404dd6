"""A cycle of the machine read through its cylinders: first a free stroke, then the pull."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..machine.drive import Command, lagged
from ..motion.gauges import between
from .cylinder_sensor import Sensor, coefficient
from .free_strokes import identify_strokes
from .machine_twin import MachineTwin
from .pressures import Pressures
from .rake_filter import observe
from .strokes import Strokes

if TYPE_CHECKING:
    from ....trajectory import Trajectory

Array = NDArray[np.float64]

ALONG = (76.0, 119.0)
"""Begin and end in s of the stretch of the pull in which the rake slides steadily."""
PRESSED = (58.0, 124.0)
"""Begin and end in s of the stretch in which contact forces are read."""
STROKE = (6.0, 44.5)
"""Begin and end in s of the stroke without contact from which seals and flow are found."""
THINNED = 10
"""Every so many readings of that stroke are used."""
ON_RACK = 60
"""Every so many readings of the pull the rack's position is found."""
TOUCHING = 50.0
"""Pressing force in N from which on contact forces are read."""
READ = ("N_seen", "F_t_seen", "mu_seen", "N_filtered", "mu_filtered", "sigma_N", "sigma_mu")
FOUND = ("seal_main", "seal_knuckle", "flow_found", "rack_found", "lag_found", "debris_found")
CARRYING = (142.0, 178.0)
"""Begin and end in s of the way to the dump, out of the water, on which debris is weighed."""


def read_cycle(sensor: Sensor, cycle: Trajectory, pressures: Pressures, sigma: float) -> dict[str, Array]:
    """Columns of what a sensor reads along a cycle from its pressures; sigma: of each force, in N."""
    twin = MachineTwin(sensor.machine)
    forces = pressures.forces
    asked = Strokes(sensor.machine, cycle["t"], pressures.commanded)
    free = np.flatnonzero(between(cycle, *STROKE))[::THINNED]
    told = identify_strokes(twin, asked.part(free), forces[:, free])
    strokes = Strokes(sensor.machine, cycle["t"], behind(cycle["t"], pressures.commanded, told.lag))
    bearing = forces - told.seals[:, None] * strokes.directions
    columns = {name: np.full(len(cycle), np.nan) for name in READ}
    press = np.flatnonzero(between(cycle, *PRESSED))
    pressed = strokes.part(press)
    burden = twin.burden(sensor, pressed, told.flow)
    contact = sensor.read(pressed.commanded, bearing[:, press], burden)
    touching = (contact[0] > TOUCHING) & ~pressures.locked[:, press].any(axis=0)
    for name, values in zip(READ[:3], (*contact, coefficient(contact)), strict=True):
        columns[name][press] = np.where(touching, values, np.nan)
    pull = np.flatnonzero((pressed.t >= ALONG[0] - 1e-9) & (pressed.t <= ALONG[1] + 1e-9))
    along = pressed.part(pull)
    filtered = observe(sensor, along.t, along.commanded, bearing[:, press[pull]], burden[:, pull], sigma)
    for name, values in zip(READ[3:], filtered, strict=True):
        columns[name][press[pull]] = values
    few = np.arange(ON_RACK // 2, pull.size, ON_RACK)
    steady = np.array([filtered[0, few], -filtered[1, few] * filtered[0, few]])
    rack = twin.rack_position(sensor.rack, along.part(few), steady, told.flow)
    carried = debris_mass(twin, strokes, replace(pressures, forces=bearing), told.flow)
    found = (*told.seals, told.flow, float(np.mean(rack)), told.lag, carried)
    return columns | {name: np.full(len(cycle), value) for name, value in zip(FOUND, found, strict=True)}


def behind(t: Array, commanded: Array, lag: float) -> Array:
    """Lengths in m that follow the commanded ones as a first-order lag in s; ahead of them for a negative one."""
    if lag <= 0.0:
        return np.array([np.interp(t - lag, t, c) for c in commanded])
    return lagged(Command(t, commanded), lag).at(t)


def debris_mass(twin: MachineTwin, strokes: Strokes, bearing: Pressures, flow: float) -> float:
    """Mass in kg that the rake carries out of the water, from forces without seals on its way to the dump.

    Lines that are locked in tell nothing. Not a number where the cycle ends before.
    """
    way = np.flatnonzero((strokes.t >= CARRYING[0]) & (strokes.t <= CARRYING[1]))[::THINNED]
    if way.size < 2:
        return float("nan")
    some = strokes.part(way)
    empty = twin.held(some) + (twin.inertia(some) - twin.water(some, flow)) / some.levers
    each = np.where(bearing.locked[:, way], 0.0, twin.rake_weight(some) / some.levers)
    return float(np.sum(each * (bearing.forces[:, way] - empty)) / np.sum(each**2))
