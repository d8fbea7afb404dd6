"""The demo of learning: a body on four legs whose controller reads the contact forces of its feet (ant: NSC, 10 ms)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...chrono.api.bridge import pychrono
from .demo import Demo, add_body, constant, frame, material, new_system, set_margins, turning, vector

HEIGHT = 0.4
"""Height of the abdomen's middle at the start, in m; the floor is at -0.5 m."""
ABDOMEN = 0.25
"""Radius of the abdomen in m."""
LEG, SHANK = 0.3, 0.4
"""Lengths of the upper and lower part of a leg in m."""
THICKNESS = 0.04
"""Radius of legs and feet in m."""
DENSITY = 250.0
"""Of the legs, in kg/m^3."""
KNEE = math.radians(60)


def _rod(length: float) -> tuple[float, tuple[float, float, float]]:
    """Mass in kg and moments of inertia in kg m^2 of a cylinder along x."""
    mass = DENSITY * length * math.pi * THICKNESS**2
    across = mass / 12.0 * (3.0 * THICKNESS**2 + length**2)
    return mass, (0.5 * mass * THICKNESS**2, across, across)


def _add_joint(system: Any, first: Any, second: Any, at: Any, limits: tuple[float, float]) -> Sequence[Any]:
    """A hinge with limits in rad, and a motor without torque beside it, as in the demo."""
    chrono = pychrono()
    hinge = chrono.ChLinkLockRevolute()
    hinge.Initialize(first, second, at)
    system.Add(hinge)
    motor = chrono.ChLinkMotorRotationTorque()
    motor.Initialize(first, second, at)
    motor.SetTorqueFunction(constant(0.0))
    system.Add(motor)
    hinge.LimitRz().SetActive(True)
    hinge.LimitRz().SetMin(limits[0])
    hinge.LimitRz().SetMax(limits[1])
    return hinge, motor


def _add_leg(system: Any, abdomen: Any, surface: Any, angle: float) -> tuple[Any, Sequence[Any]]:
    """A leg at an angle in rad about y; its lower part, which has the foot, and its joints."""
    chrono = pychrono()
    c, s = math.cos(angle), math.sin(angle)
    turn = turning(-angle, (0, 1, 0))
    mass, inertia = _rod(LEG)
    reach = ABDOMEN + 0.5 * LEG
    leg = chrono.ChBody()
    leg.SetMass(mass)
    leg.SetInertiaXX(vector(inertia))
    leg.SetPos(vector((reach * c, HEIGHT, reach * s)))
    leg.SetRot(turn)
    system.Add(leg)
    hip = frame((ABDOMEN * c, HEIGHT, ABDOMEN * s), turning(0.5 * math.pi, (c, 0, s)) * turn)
    mass, inertia = _rod(SHANK)
    knee_turn = turning(-KNEE, (-s, 0, c)) * turn
    outside = ABDOMEN + LEG
    knee = frame((outside * c, HEIGHT, outside * s), knee_turn)
    middle = outside + 0.5 * SHANK * math.cos(KNEE)
    at = (middle * c, HEIGHT - 0.5 * SHANK * math.sin(KNEE), middle * s)
    foot = (chrono.ChCollisionShapeSphere(surface, THICKNESS), (0.5 * SHANK, 0, 0))
    shank = add_body(system, "shank", at, foot, mass=mass, inertia=inertia)
    shank.SetRot(knee_turn)
    joints = _add_joint(system, abdomen, leg, hip, (-math.pi / 3, math.pi / 3))
    return shank, (*joints, *_add_joint(system, leg, shank, knee, (-math.pi / 2, math.pi / 4)), leg)


def ant() -> Demo:
    """The ant falls on its feet and gives way; the loop reads the forces on feet and abdomen as the demo does."""
    chrono = pychrono()
    system = new_system("NSC")
    set_margins(0.001, 0.001)
    system.GetSolver().AsIterative().SetMaxIterations(70)
    surface = material("NSC", Friction=0.5, DampingF=0.2, Compliance=5e-4, ComplianceT=5e-4)
    mass = 100.0 * 4.0 / 3.0 * math.pi * ABDOMEN**3
    ball = chrono.ChCollisionShapeEllipsoid(surface, ABDOMEN, ABDOMEN, ABDOMEN)
    moments = (0.4 * mass * ABDOMEN**2,) * 3
    abdomen = add_body(system, "abdomen", (0, HEIGHT, 0), ball, mass=mass, inertia=moments)
    legs = [_add_leg(system, abdomen, surface, (0.25 + 0.5 * i) * math.pi) for i in range(4)]
    add_body(system, "floor", (0, -1, 0), chrono.ChCollisionShapeBox(surface, 50, 1, 50), fixed=True)
    shanks = [shank for shank, _ in legs]

    def read() -> None:
        for body in (abdomen, *shanks):
            body.GetContactForce().Length()

    return Demo(system, (abdomen, *shanks), 0.01, read, kept=tuple(joints for _, joints in legs))
