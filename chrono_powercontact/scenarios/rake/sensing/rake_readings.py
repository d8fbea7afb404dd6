"""A cycle of the machine read through its cylinders: first a free stroke, then the pull."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..motion.gauges import between
from .cylinder_sensor import Sensor, coefficient
from .free_strokes import identify_strokes
from .machine_twin import MachineTwin
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
FOUND = ("seal_main", "seal_knuckle", "flow_found", "rack_found")


def read_cycle(sensor: Sensor, cycle: Trajectory, forces: Array, sigma: float) -> dict[str, Array]:
    """Columns of what a sensor reads from forces in N that pressures show, one row per line; sigma: of each, in N."""
    twin = MachineTwin(sensor.machine)
    strokes = Strokes(sensor.machine, cycle["t"], np.array([cycle["c1"], cycle["c2"]]))
    free = np.flatnonzero(between(cycle, *STROKE))[::THINNED]
    told = identify_strokes(twin, strokes.part(free), forces[:, free])
    bearing = forces - told.seals[:, None] * strokes.directions
    columns = {name: np.full(len(cycle), np.nan) for name in READ}
    press = np.flatnonzero(between(cycle, *PRESSED))
    pressed = strokes.part(press)
    burden = twin.burden(sensor, pressed, told.flow)
    contact = sensor.read(pressed.commanded, bearing[:, press], burden)
    touching = contact[0] > TOUCHING
    for name, values in zip(READ[:3], (*contact, coefficient(contact)), strict=True):
        columns[name][press] = np.where(touching, values, np.nan)
    pull = np.flatnonzero((pressed.t >= ALONG[0] - 1e-9) & (pressed.t <= ALONG[1] + 1e-9))
    along = pressed.part(pull)
    filtered = observe(sensor, along.t, along.commanded, bearing[:, press[pull]], burden[:, pull], sigma)
    for name, values in zip(READ[3:], filtered, strict=True):
        columns[name][press[pull]] = values
    few = np.arange(ON_RACK // 2, pull.size, ON_RACK)
    on_rack = along.part(few)
    steady = np.array([filtered[0, few], -filtered[1, few] * filtered[0, few]])
    rack = twin.rack_position(sensor.rack, on_rack, steady, told.flow)
    for name, value in zip(FOUND, (*told.seals, told.flow, float(np.mean(rack))), strict=True):
        columns[name] = np.full(len(cycle), value)
    return columns
