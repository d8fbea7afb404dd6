"""Closed loops on Chrono: its own joints close them, and their reactions are read after every step."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...chrono.run.chrono_leg import LegState, Swing, chrono_leg, leg_state, motor_loads
from ...chrono.run.chrono_mechanisms import (
    PlanarLoop,
    chrono_four_bar,
    chrono_slider_crank,
    four_bar_state,
    slider_crank_state,
)
from ...chrono.run.plain_recorder import body_energies, record_steps
from ...trajectory import Trajectory
from ..constants import GRAVITY
from ..timing import steps_per_record
from .leg import LegParameters
from .slider_crank import SliderCrankParameters

if TYPE_CHECKING:
    from ...progress import Progress
    from .loop_scenario import L, LoopScenario

Floats = np.ndarray
State = Callable[[PlanarLoop], tuple[Floats, Floats]]
Readings = dict[str, float]


class Twin(NamedTuple):
    """A mechanism in Chrono: the loop, how its coordinates are read, and what else is read."""

    loop: PlanarLoop
    state: State
    more: Callable[[], Readings] = dict


def _four_bar(p: Any, numbers: dict[str, float], start: LegState) -> Twin:
    return Twin(chrono_four_bar(numbers, *start, p.integrator), four_bar_state)


def _slider_crank(p: SliderCrankParameters, numbers: dict[str, float], start: LegState) -> Twin:
    """The slider with the wall, if there is one: our contact between a point of the slider and a plane.

    Only this mechanism loads the kernels of the contact.
    """
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Plane, Points

    loop = chrono_slider_crank(numbers, *start, p.integrator)
    material = p.material()
    if material is None:
        return Twin(loop, slider_crank_state, lambda: {"s_wall": p.at, "F_wall": 0.0})
    contacts = attach(loop.system)
    plane = Plane(loop.ground, (p.at - p.s_0, 0.0, 0.0), (-1.0, 0.0, 0.0))
    contacts.add(Points(loop.bodies["slider"], (0.0, 0.0, 0.0)), plane, material)

    def read() -> Readings:
        (wall,) = contacts.forces()
        booked = contacts.energy()
        return {
            "s_wall": float(wall["gap"]) + p.s_0, "F_wall": float(wall["force"]), "stored": booked.stored,
            "contact_heat": booked.contact_heat,
        }  # fmt: skip

    return Twin(loop, slider_crank_state, read)


def _leg(p: LegParameters, numbers: dict[str, float], start: LegState) -> Twin:
    if p.drive == "free":
        return Twin(chrono_leg(numbers, start, p.integrator, None), leg_state)
    swings = (Swing(p.hip_swing, p.frequency, 0.0), Swing(p.slide_swing, p.frequency, 0.5 * math.pi))
    loop = chrono_leg(numbers, start, p.integrator, swings)

    def read() -> Readings:
        torque, force = motor_loads(loop)
        _, u = leg_state(loop)
        return {"tau": torque, "F": force, "drive_power": torque * float(u[0]) + force * float(u[3])}

    return Twin(loop, leg_state, read)


TWINS: dict[str, Callable[[Any, dict[str, float], LegState], Twin]] = {
    "four_bar": _four_bar,
    "double_rocker": _four_bar,
    "slider_crank": _slider_crank,
    "leg": _leg,
}
"""How each mechanism is built in Chrono."""


def consistent_start(scenario: LoopScenario[L], p: L) -> LegState:
    """Coordinates, velocities and accelerations at the start; motors prescribe theirs."""
    system = scenario.build(p)
    q, u = scenario.start(p)
    x = system.state(q, u, scenario.first)
    n = len(system.names)
    if isinstance(p, LegParameters) and p.drive == "motors":
        return LegState(*system.motion(x[:n], u, p.prescribed(0.0)[2], scenario.first))
    return LegState(x[:n], x[n : 2 * n], system.project(x).acceleration)


def run_on_chrono(scenario: LoopScenario[L], p: L, progress: Progress) -> Trajectory:
    """A mechanism on Chrono with the columns of the reference engine; angles count on over whole turns."""
    start = consistent_start(scenario, p)
    twin = TWINS[scenario.name](p, scenario.numbers(p), start)
    names = [c.name for c in scenario.build(p).loop.tree.q]
    bodies = list(twin.loop.bodies.values())

    def read() -> Readings:
        q, u = twin.state(twin.loop)
        force = twin.loop.reaction()
        energies = body_energies(bodies, (0.0, -GRAVITY, 0.0))
        row = dict(zip(names, map(float, q), strict=True))
        row |= {f"{name}_dot": float(rate) for name, rate in zip(names, u, strict=True)}
        row |= {f"R_{scenario.cut}_{i + 1}": float(part) for i, part in enumerate(force)}
        return row | energies | twin.more()

    run = record_steps(twin.loop.system, read, p.step, p.time, steps_per_record(p), progress)
    for name in scenario.angles:
        continue_from(float(start.q[names.index(name)]), run[name])
    return run


def continue_from(start: float, angles: Floats) -> None:
    """Count recorded angles in rad on over whole turns from the angle at the start, in place."""
    angles[:] = np.unwrap(angles)
    angles += 2.0 * math.pi * round((start - angles[0]) / (2.0 * math.pi))
