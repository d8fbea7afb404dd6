"""The leg on a slide in Chrono: thigh, shank, foot link and slide, free or moved by two motors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..api.bridge import pychrono
from .chrono_mechanisms import THIN, Motion, PlanarLoop, at_rest

Floats = NDArray[np.float64]


class Swing(NamedTuple):
    """A harmonic motion about its mean: amplitude in rad or m, frequency in Hz, phase in rad."""

    amplitude: float
    frequency: float
    phase: float

    def from_start(self) -> Any:
        """Chrono's function of the motion, counted from the start of the run."""
        start = self.amplitude * math.sin(self.phase)
        return pychrono().ChFunctionSine(self.amplitude, self.frequency, self.phase, -start)


class LegState(NamedTuple):
    """Coordinates (theta, kappa, epsilon, s) of the leg with their first and second derivatives."""

    q: Floats
    u: Floats
    acceleration: Floats

    def turn(self, *signed: tuple[int, float], offset: float = 0.0) -> tuple[float, float, float]:
        """Angle of a bar, its angular velocity and acceleration, as a sum of coordinates with signs and an offset."""
        parts = [sum(sign * float(values[i]) for i, sign in signed) for values in self]
        return parts[0] + offset, parts[1], parts[2]


THETA, KAPPA, EPSILON, SLIDE = range(4)


def _bodies(loop: PlanarLoop, n: Mapping[str, float], state: LegState) -> dict[str, Motion]:
    """Add the bodies; returns the motion of each pin."""
    thigh = state.turn((THETA, 1.0), offset=-0.5 * math.pi)
    shank = state.turn((THETA, 1.0), (KAPPA, -1.0), offset=-0.5 * math.pi)
    foot = state.turn((EPSILON, 1.0), offset=0.5 * math.pi)
    hip = at_rest(0.0, 0.0)
    knee = hip.along(n["L_t"], thigh)
    path = [np.array([values[SLIDE], 0.0]) for values in state]
    pivot = Motion(path[0] - [0.0, n["h"]], path[1], path[2], (0.0, 0.0, 0.0))
    loop.add_body("thigh", n["m_t"], n["J_t"], hip.along(n["c_t"], thigh))
    loop.add_body("shank", n["m_s"], n["J_s"], knee.along(n["c_s"], shank))
    loop.add_body("foot", n["m_f"], n["J_f"], pivot.along(n["c_f"], foot))
    loop.add_body("slide", n["m_p"], THIN, pivot)
    return {"hip": hip, "knee": knee, "pivot": pivot, "ankle": knee.along(n["L_s"], shank)}


def chrono_leg(
    numbers: Mapping[str, float], state: LegState, integrator: str, motors: tuple[Swing, Swing] | None
) -> PlanarLoop:
    """The leg of `lagrange.mechanisms.leg_on_slide` from a consistent state; motors move hip and slide if given."""
    loop = PlanarLoop(numbers["g"], "ankle")
    pins = _bodies(loop, numbers, state)
    thigh, shank, foot, slide = (loop.bodies[name] for name in ("thigh", "shank", "foot", "slide"))
    loop.join("knee", "revolute", shank, thigh, pins["knee"].position)
    loop.join("pivot", "revolute", foot, slide, pins["pivot"].position)
    loop.join("ankle", "revolute", shank, foot, pins["ankle"].position)
    if motors is None:
        loop.join("hip", "revolute", thigh, loop.ground, pins["hip"].position)
        loop.join("guide", "prismatic", slide, loop.ground, pins["pivot"].position)
    else:
        _add_motors(loop, pins, motors)
    return loop.prepare(integrator)


def _add_motors(loop: PlanarLoop, pins: Mapping[str, Motion], motors: tuple[Swing, Swing]) -> None:
    """A motor that turns the thigh, and one that moves the slide along x."""
    chrono = pychrono()
    hip = chrono.ChLinkMotorRotationAngle()
    hip.Initialize(loop.bodies["thigh"], loop.ground, chrono.ChFramed(chrono.ChVector3d(0.0, 0.0, 0.0), chrono.QUNIT))
    hip.SetAngleFunction(motors[0].from_start())
    guide = chrono.ChLinkMotorLinearPosition()
    place = chrono.ChVector3d(*map(float, pins["pivot"].position), 0.0)
    guide.Initialize(
        loop.bodies["slide"], loop.ground, chrono.ChFramed(place, chrono.QuatFromAngleY(0.5 * math.pi))
    )  # fmt: skip
    guide.SetMotionFunction(motors[1].from_start())
    for name, motor in (("hip", hip), ("guide", guide)):
        loop.system.AddLink(motor)
        loop.joints[name] = motor


def leg_state(loop: PlanarLoop) -> tuple[Floats, Floats]:
    """Coordinates (theta, kappa, epsilon, s), angles within a half turn of zero, and their velocities."""
    thigh, shank, foot = (np.array(loop.turn_of(name)) for name in ("thigh", "shank", "foot"))
    slide = loop.bodies["slide"]
    position = slide.GetPos()
    speed = slide.GetPosDt()
    angles = (thigh[0] + 0.5 * math.pi, thigh[0] - shank[0], foot[0] - 0.5 * math.pi)
    q = [*(math.remainder(float(angle), 2.0 * math.pi) for angle in angles), position.x]
    return np.array(q), np.array([thigh[1], thigh[1] - shank[1], foot[1], speed.x])


def motor_loads(loop: PlanarLoop) -> tuple[float, float]:
    """Torque in N m of the hip motor and force in N of the slide motor."""
    return float(loop.joints["hip"].GetMotorTorque()), float(loop.joints["guide"].GetMotorForce())
