"""Statics and first vibration along the rack, measured on Chrono: the machine is held, rings, and comes to rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....trajectory import Trajectory
from ..cases.load_cases import RakeParameters, setup_of
from ..machine.drive import Command
from ..machine.rack_contact import STIFFNESS
from ..motion.setup import Setup
from .scene_run import run_on_chrono

if TYPE_CHECKING:
    from ....progress import Progress

Array = NDArray[np.float64]
MEASURED = ("s", "c1", "c2", "F1", "F2", "f1")
KICK = 1e-3
"""How far the knuckle cylinder moves at the start, in m."""
HOLD, RINGING = 6.0, 1.0
"""Length of a hold in s, and the time in s from which on its first vibration is alone."""


def kicked(setup: Setup, lengths: Array) -> Setup:
    """The machine off the rack, held at lengths in m after a kick of the knuckle cylinder."""
    t = np.linspace(0.0, HOLD, round(HOLD / 0.05) + 1)
    c = np.repeat(lengths[:, None], t.size, axis=1)
    c[1, 0] -= KICK
    return replace(setup, command=Command(t, c), rack=replace(setup.rack, offset=-1.0))


def ringing(t: Array, x: Array, guess: float) -> tuple[float, float]:
    """Frequency in Hz and decay in 1/s of a signal that rings about a constant."""
    from scipy.optimize import curve_fit

    def model(t: Array, mean: float, a: float, b: float, frequency: float, decay: float) -> Array:
        turn = 2.0 * np.pi * frequency * t
        return mean + np.exp(-decay * t) * (a * np.cos(turn) + b * np.sin(turn))

    middle = float(x.mean())
    size = float(np.ptp(x))
    found = curve_fit(model, t, x, (middle, 0.5 * size, 0.0, guess, 0.3))[0]
    return float(found[3]), float(found[4])


def rest_value(t: Array, x: Array, frequency: float, decay: float) -> float:
    """Where a signal that rings comes to rest."""
    envelope = np.exp(-decay * t)
    turn = 2.0 * np.pi * frequency * t
    shapes = np.column_stack([np.ones(t.size), envelope * np.cos(turn), envelope * np.sin(turn)])
    return float(np.linalg.lstsq(shapes, x, rcond=None)[0][0])


def measured_row(setup: Setup, p: RakeParameters, s: float, progress: Progress) -> Array:
    """Forces at rest in N and first frequency in Hz with the scraper at a position in m up the slope."""
    hold = setup.statics.pressed(setup.rack, s, 0.0, STIFFNESS)
    run = run_on_chrono(kicked(setup, hold.lengths), p.law, p.step, HOLD, progress, p.integrator)
    late = run["t"] > RINGING
    t = run["t"][late]
    guess = setup.statics.frequencies(hold.q, hold.forces)[0]
    frequency, decay = ringing(t, run["x_T"][late], float(guess))
    forces = [rest_value(t, run[name][late], frequency, decay) for name in ("F1", "F2")]
    return np.array((s, *hold.lengths, *forces, frequency))


def statics_on_chrono(p: RakeParameters, positions: tuple[float, ...], progress: Progress) -> Trajectory:
    """Forces and first frequency along the rack."""
    setup = setup_of(p)
    rows = []
    for i, s in enumerate(positions):

        def partly(part: float, i: int = i) -> None:
            progress((i + part) / len(positions))

        rows.append(measured_row(setup, p, s, partly))
    return Trajectory(MEASURED, np.array(rows), round(len(positions) * HOLD / p.step))
