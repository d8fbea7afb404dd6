"""What is read off the machine: the columns that every engine records, and their errors and work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ....trajectory import Trajectory

Signal = NDArray[np.float64]

GAUGES = ("F1", "F2", "N", "F_t", "s", "v_t", "gap", "x_T", "z_T", "c1", "c2", "l1", "l2")
"""Columns of every engine after t, in this order.

F1, F2: forces of main pair and knuckle cylinder as their pressures show them, pushing positive, in N. N, F_t: pressing
force and friction along +t (up the slope) on the rake, in N. s, v_t: the scraper's position up the slope in m and its
speed in m/s. gap: in front of the rack in m. x_T, z_T: scraper in m. c1, c2: commanded, l1, l2: actual lengths in m.
"""
INTEGRALS = ("drive_work", "damping_heat", "contact_work", "friction_work", "outer_work", "step_loss")
"""The ledger: integrals in J since the start of the work of the drives, the heat in arms, bearings and seals, the work
against pressing force and friction, the work of water and debris, and what steps with forces at their end take."""
ENERGIES = ("kinetic", "potential", "stored", *INTEGRALS)
"""Energies in J: of motion; of weight, bending and bearings; in the contact; then the ledger."""

GAUGE = np.dtype([(name, np.float64) for name in GAUGES])
LEDGER = np.dtype([(name, np.float64) for name in INTEGRALS])
LEDGER_SIZE = len(INTEGRALS)
RECORD = np.dtype(
    [
        ("t", np.float64),
        ("gauges", GAUGE),
        ("kinetic", np.float64),
        ("potential", np.float64),
        ("stored", np.float64),
        ("ledger", LEDGER),
    ]
)
"""A record of a run by name; behind it a row of a run holds the coordinates."""
RECORD_SIZE = 1 + len(GAUGES) + len(ENERGIES)
"""Columns of a run before its coordinates."""

TIMES = (62, 64, 68, 71, 72, 80, 90, 100, 110, 119)
"""Times in s at which the forces are reported."""


def columns(coordinates: int) -> tuple[str, ...]:
    """Names of a run's columns with so many coordinates."""
    return ("t", *GAUGES, *ENERGIES, *(f"q_{i + 1}" for i in range(coordinates)))


def ledger_error(run: Trajectory) -> Signal:
    """How far the ledger is from closing, in J: mechanical energy and what left it, against what the drives put in."""
    held = run["kinetic"] + run["potential"]
    left = run["damping_heat"] + run["contact_work"] + run["friction_work"] + run["step_loss"]
    total = held + left - run["drive_work"] - run["outer_work"]
    return total - total[0]


def contact_heat(run: Trajectory) -> Signal:
    """Heat in J in the contact: the work against it less what it holds. It may only grow."""
    return run["contact_work"] + run["friction_work"] - run["stored"] + run["stored"][0]


def energy_gain(run: Trajectory) -> float:
    """Largest energy in J that the contact gave out of nothing between two records."""
    return float(max(0.0, np.max(-np.diff(contact_heat(run)), initial=0.0)))


def moved_work(run: Trajectory) -> float:
    """Work of the drives in J, lifting and lowering both counted."""
    return float(np.abs(np.diff(run["drive_work"])).sum())


def between(run: Trajectory, begin: float, end: float) -> NDArray[np.bool_]:
    """Records from one time in s to another."""
    return (run["t"] >= begin - 1e-9) & (run["t"] <= end + 1e-9)


def at_times(run: Trajectory, column: str) -> dict[str, float]:
    """A column at TIMES, as far as the run goes."""
    t = run["t"]
    reported = [x for x in TIMES if t[0] <= x <= t[-1] + 1e-9]
    return {str(x): float(np.interp(x, t, run[column])) for x in reported}
