"""Demos of many bodies that fall into a container with a mixer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...chrono.api.bridge import pychrono
from .demo import Demo, Place, add_body, add_box, constant, frame, material, new_system, turning, vector

WALLS = (
    ((20, 1, 20), (0, -5, 0)), ((1, 10, 20.99), (-10, 0, 0)), ((1, 10, 20.99), (10, 0, 0)),
    ((20.99, 10, 1), (0, 0, -10)), ((20.99, 10, 1), (0, 0, 10)),
)  # fmt: skip
"""Sizes and places of the floor and the four walls, in m."""

SEED = 1
"""Of the places of the bodies that are strewn; the demo's own are drawn anew for each machine."""


def _add_mixer(system: Any, ground: Any, size: Place, surface: Any, speed: float) -> tuple[Any, ...]:
    """A blade of 4000 kg/m^3 that a motor turns about y at a speed in rad/s."""
    blade = add_box(system, "mixer", size, 4000, (0, -1.6, 0), surface)
    motor = pychrono().ChLinkMotorRotationSpeed()
    motor.Initialize(blade, ground, frame((0, 0, 0), turning(0.5 * math.pi, (1, 0, 0))))
    motor.SetSpeedFunction(constant(speed))
    system.AddLink(motor)
    return blade, motor


def _strewn(system: Any, rounds: int) -> list[Any]:
    """Balls, cubes and cylinders of about 1.5 m, as in the demo, at random places above each other: many overlap."""
    chrono = pychrono()
    smooth = material("NSC", Friction=0.2)
    usual = material("NSC")
    places = np.random.default_rng(SEED).uniform(-5.0, 5.0, (rounds, 3, 2))
    bodies = []
    for i in range(rounds):
        made = (
            chrono.ChBodyEasySphere(1.1, 1000, False, True, smooth),
            chrono.ChBodyEasyBox(1.5, 1.5, 1.5, 100, False, True, usual),
            chrono.ChBodyEasyCylinder(chrono.ChAxis_Y, 0.75, 0.5, 100, False, True, usual),
        )
        for body, kind, (x, z) in zip(made, ("ball", "cube", "cylinder"), places[i], strict=True):
            body.SetName(f"{kind} {i}")
            body.SetPos(vector((x, 4 + 0.05 * i, z)))
            system.Add(body)
            bodies.append(body)
    return bodies


def collision_nsc() -> Demo:
    """29 balls, 29 cubes and 29 cylinders that overlap at the start fall on a mixer (mbs collisionNSC: NSC, 20 ms)."""
    chrono = pychrono()
    system = new_system("NSC")
    surface = material("NSC")
    walls = [add_box(system, f"wall {i}", size, 1000, at, surface, True) for i, (size, at) in enumerate(WALLS)]
    mixer = _add_mixer(system, walls[0], (10, 5, 1), material("NSC", Friction=0.4), 0.25 * math.pi)
    bodies = _strewn(system, 29)
    system.SetSolverType(chrono.ChSolver.Type_PSOR)
    system.GetSolver().AsIterative().SetMaxIterations(20)
    return Demo(system, bodies, 0.02, kept=mixer)


def collision_smc() -> Demo:
    """25 balls and 25 cubes of 1 kg fall on a mixer (mbs collisionSMC: SMC, 0.1 ms)."""
    chrono = pychrono()
    system = new_system("SMC")
    surface = material("SMC")
    shapes = [(chrono.ChCollisionShapeBox(material("SMC"), *size), at) for size, at in WALLS]
    ground = add_body(system, "container", (0, 0, 0), *shapes, fixed=True)
    mixer = _add_mixer(system, ground, (14, 6, 1), material("SMC"), 0.5 * math.pi)
    bodies: list[Any] = []
    for x, z in _grid():
        ball = chrono.ChCollisionShapeSphere(surface, 1.1)
        bodies.append(add_body(system, f"ball {len(bodies)}", (x + 0.1, 4, z), ball, inertia=(0.484, 0.484, 0.484)))
        cube = chrono.ChCollisionShapeBox(surface, 1.5, 1.5, 1.5)
        bodies.append(add_body(system, f"cube {len(bodies)}", (x, 6, z), cube))
    return Demo(system, bodies, 1e-4, kept=mixer)


def _grid() -> Sequence[tuple[float, float]]:
    """Places on a grid of 4 m."""
    return [(4.0 * i, 4.0 * k) for i in range(-2, 3) for k in range(-2, 3)]
