"""Figures of a cleaning cycle: forces at set times, peaks, work, first contact, what the laws do while holding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....laws.friction.step_friction import StepFriction
from ...events import episodes
from ...scenario import Metrics
from ..machine.arms import straight
from ..machine.machine import GRAVITY
from ..machine.two_link import TwoLink
from ..motion.gauges import at_times, between, energy_gain, ledger_error, moved_work
from ..motion.setup import Setup

if TYPE_CHECKING:
    from ....trajectory import Trajectory

RK4_REACH = 2.785
"""How far RK4 is stable along the negative real axis."""
EULER_REACH = 2.0
"""Step times damping rate up to which Chrono's linearised Euler is stable with friction at the start of a step."""
LARGEST_LOAD = 12e3
"""Pressing force in N for which the largest stable step is reported."""
LONGEST = 0.1
"""Step in s with which the springs of the machine are certainly not stable."""
PRESS, HOLD, RELEASE, PULL = (60.0, 64.0), (64.0, 70.0), (70.0, 72.0), (72.0, 120.0)
"""Begin and end in s of pressing, holding, releasing and pulling up."""


def first_contact(run: Trajectory, load: float = 5.0) -> float | None:
    """Time in s at which the rake first presses with more than a load in N; None where it never does."""
    touched = np.flatnonzero(run["N"] > load)
    return float(run["t"][touched[0]]) if touched.size else None


def work_between(run: Trajectory, begin: float, end: float) -> float:
    """Work against friction in J from one time in s to another."""
    at = np.interp((begin, end), run["t"], run["friction_work"])
    return float(at[1] - at[0])


def largest(run: Trajectory, column: str, begin: float, end: float, sign: float) -> float | None:
    """Largest value of a column in a stretch, of sign * column; None where the run ends before."""
    values = run[column][between(run, begin, end)]
    return float(sign * np.max(sign * values)) if values.size else None


def at(run: Trajectory, column: str, time: float) -> float | None:
    """A column at a time in s; None where the run ends before."""
    return float(np.interp(time, run["t"], run[column])) if time <= run["t"][-1] + 1e-9 else None


def pulling_stretches(run: Trajectory) -> list[list[float]]:
    """Begin and end in s of every stretch in which the main cylinders, which only push, would have to pull."""
    return [[float(a), float(b)] for a, b in episodes(run["t"], -run["F1"])]


def speed(run: Trajectory) -> float:
    """Simulated seconds per second of computing."""
    return float(run["t"][-1] / (1e-6 * (run.step_cost or np.nan) * run.steps))


def first_frequency(setup: Setup) -> float:
    """First natural frequency in Hz at the foot of the rack, without contact."""
    two = TwoLink(setup.machine)
    pose = two.reach(setup.rack.point(0.0))
    forces = np.array(two.forces(*pose, GRAVITY))
    return float(setup.statics.frequencies(straight(setup.mech, setup.machine, *pose), forces)[0])


def stable_step(setup: Setup, damping: float) -> float:
    """Largest step in s of RK4 where friction damps the scraper by so many N s/m."""
    q = straight(setup.mech, setup.machine, *TwoLink(setup.machine).reach(setup.rack.point(0.0)))
    return RK4_REACH * setup.statics.tip_mass(q, setup.rack.tangent) / damping


def spring_step(setup: Setup) -> float:
    """Largest stable step in s of arms and cylinders where springs and dampers act with the state that it begins with.

    That is Chrono's linearised Euler: v' = v - h M^-1 (K x + D v), x' = x + h v', at the foot of the rack.
    """
    statics = setup.statics
    pose = TwoLink(setup.machine).reach(setup.rack.point(0.0))
    q = straight(setup.mech, setup.machine, *pose)
    inverse = np.linalg.inv(statics.inertia(q)[0])
    stiffness = statics.softness(q, np.array(TwoLink(setup.machine).forces(*pose, GRAVITY)))
    levers = statics.lines(q)[1]
    in_lines = levers.T @ (statics.stiffness()[:, None] * levers)
    damping = setup.machine.beta * (stiffness - in_lines) + levers.T @ (setup.lines["c"][:, None] * levers)

    def grows(h: float) -> bool:
        unit = np.eye(q.size)
        kicked = np.block([-h * inverse @ stiffness, unit - h * inverse @ damping])
        moved = np.block([unit, 0.0 * unit]) + h * kicked
        return bool(np.abs(np.linalg.eigvals(np.vstack([moved, kicked]))).max() > 1.0 + 1e-9)

    low, high = 0.0, LONGEST
    while high - low > 1e-3 * high:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if grows(middle) else (middle, high)
    return low


def start_step(setup: Setup) -> float:
    """Longest step in s of Chrono's linearised Euler with all forces at its start: of springs, and of friction."""
    friction = setup.law.friction
    longest = spring_step(setup)
    if not isinstance(friction, StepFriction) or friction.mu_s == 0.0:
        return longest
    return min(longest, EULER_REACH / RK4_REACH * stable_step(setup, friction.creep_damping(LARGEST_LOAD)))


def cycle_metrics(setup: Setup, run: Trajectory) -> Metrics:
    """All figures of a cycle."""
    contact = run["N"][between(run, 70.5, 75.0)]
    return {
        **{name: at_times(run, name) for name in ("F1", "F2", "N", "F_t")},
        "friction_peak": largest(run, "F_t", *RELEASE, 1.0),
        "friction_press": largest(run, "F_t", *PRESS, -1.0),
        "friction_hold": at(run, "F_t", 69.0),
        "friction_stop": at(run, "F_t", 121.0),
        "friction_work": work_between(run, *PULL),
        "friction_work_press": work_between(run, *PRESS),
        "friction_work_release": work_between(run, *RELEASE),
        "first_contact": first_contact(run),
        "n_min": float(contact.min()) if contact.size else None,
        "f1_min": float(run["F1"].min()),
        "main_pulls": pulling_stretches(run),
        "f1_hz": first_frequency(setup),
        "real_time_factor": speed(run),
        "max_energy_gain": energy_gain(run),
        "ledger_error": float(np.abs(ledger_error(run)).max() / max(moved_work(run), 1.0)),
    }
