"""Cost of a step in Chrono: our contacts against Chrono's own SMC, side by side in one run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ..chrono.api.bridge import pychrono
from ..chrono.attachment import attach
from ..chrono.contact.shapes import Box, Plane
from ..laws.design import design_restriction
from ..laws.friction.anchor import Anchor
from ..laws.friction.dissipation import Friction
from ..laws.friction.memory import LPVFilter, LTIFilter
from ..laws.material import Material
from ..laws.normal.hooke import Hooke
from ..laws.normal.normal_law import NormalLaw
from ..laws.normal.restriction import Restriction
from ..laws.normal.user_normal import normal_law

STEP = 1e-4
EDGE = 0.2
MASS = 1.0
FILTER = LPVFilter(1e-3, 1e-3)
RESTRICTION = Restriction(0.002, 0.001, 400.0, 3.0)


def _cubes(count: int, system: Any) -> tuple[Any, list[Any]]:
    """A fixed ground and cubes at rest on it, in rows."""
    chrono = pychrono()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    ground = chrono.ChBody()
    ground.SetFixed(True)
    system.AddBody(ground)
    cubes = []
    row = max(int(count**0.5), 1)
    for i in range(count):
        cube = chrono.ChBody()
        cube.SetMass(MASS)
        moment = MASS * EDGE**2 / 6.0
        cube.SetInertiaXX(chrono.ChVector3d(moment, moment, moment))
        cube.SetPos(chrono.ChVector3d(0.4 * (i % row), 0.4 * (i // row), 0.5 * EDGE))
        system.AddBody(cube)
        cubes.append(cube)
    return ground, cubes


@normal_law
def user_hooke(s: float, v: float, p: Any) -> float:
    """Hooke's law as a user would write it."""
    return p.k * (p.s_0 - s) - p.c * v if s < p.s_0 else 0.0


def power_cubes(
    count: int, memory: LTIFilter | Anchor | None = FILTER, law: NormalLaw = RESTRICTION, stepping: str = "explicit"
) -> Any:
    """Cubes with eight corners each, on our law with friction and memory."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    ground, cubes = _cubes(count, system)
    material = Material(law, Friction(0.5, 0.5, 1e-3, 2e-3, 0.0, 1e-6), memory)
    contacts = attach(system, stepping=stepping)
    plane = Plane(ground)
    contacts.add_all([(Box(cube, EDGE - 0.004, 0.002), plane, material) for cube in cubes])
    return system


def smc_cubes(count: int) -> Any:
    """The same cubes on Chrono's SMC at its defaults."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    ground, cubes = _cubes(count, system)
    material = chrono.ChContactMaterialSMC()
    material.SetFriction(0.5)
    floor = chrono.ChCollisionShapeBox(material, 100.0, 100.0, 1.0)
    ground.AddCollisionShape(floor, chrono.ChFramed(chrono.ChVector3d(0, 0, -0.5)))
    ground.EnableCollision(True)
    for cube in cubes:
        cube.AddCollisionShape(chrono.ChCollisionShapeBox(material, EDGE, EDGE, EDGE))
        cube.EnableCollision(True)
    return system


def free_cubes(count: int) -> Any:
    """The same cubes without any contact, to see what Chrono itself costs."""
    system = pychrono().ChSystemSMC()
    _cubes(count, system)
    return system


def spheres_in_a_box(count: int) -> Any:
    """Spheres of 0.1 m that fall into a box of five walls, about twice as high as wide, on Chrono's SMC."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    material = chrono.ChContactMaterialSMC()
    material.SetFriction(0.4)
    side = max(round((count / 2.0) ** (1.0 / 3.0)), 1)
    width = 0.11 * side
    height = 0.22 * (count // side**2 + 1)
    chrono.CreateBoxContainer(system, material, chrono.ChVector3d(width, width, height), 0.1)
    for i in range(count):
        ball = chrono.ChBodyEasySphere(0.05, 2000.0, False, True, material)
        row = i % side
        column = i // side % side
        layer = i // side**2
        lean = 0.001 * (layer % 3 - 1)
        across = [0.107 * (number - 0.5 * (side - 1)) + lean for number in (row, column)]
        ball.SetPos(chrono.ChVector3d(*across, 0.06 + 0.107 * layer))
        system.AddBody(ball)
    return system


def taken_spheres(count: int) -> Any:
    """The same spheres taken over, on our law with friction and memory."""
    system = spheres_in_a_box(count)
    law = design_restriction(s_0=0.0, mass=1.0, speed=1.0, restitution=0.4, penetration=1e-3, force_limit=3000.0)
    friction = Friction(0.4, 0.4, 1e-3, 2e-3, 0.0, 1e-6)
    attach(system).take_over(Material(law, friction, LPVFilter(1e-3, 1e-3)))
    return system


def _least_times(systems: Sequence[Any], warm: int, steps: int, rounds: int) -> list[float]:
    """Seconds for a step of each system: the least of some rounds in turn, after some steps to warm up."""
    for system in systems:
        for _ in range(warm):
            system.DoStepDynamics(STEP)
    least = [float("inf")] * len(systems)
    for _ in range(rounds):
        for i, system in enumerate(systems):
            begin = time.perf_counter()
            for _ in range(steps):
                system.DoStepDynamics(STEP)
            least[i] = min(least[i], (time.perf_counter() - begin) / steps)
    return least


def step_costs(count: int, steps: int, rounds: int = 5) -> tuple[float, float, float]:
    """Seconds for a step of cubes with our contacts, with SMC, and without contact."""
    ours, smc, free = _least_times([power_cubes(count), smc_cubes(count), free_cubes(count)], 20, steps, rounds)
    return ours, smc, free


def anchor_costs(count: int, steps: int, rounds: int = 5) -> tuple[float, float]:
    """Seconds that contacts add to a step of cubes, with anchors and with filters."""
    systems = [power_cubes(count, Anchor()), power_cubes(count), free_cubes(count)]
    anchored, filtered, free = _least_times(systems, 20, steps, rounds)
    return anchored - free, filtered - free


def user_law_costs(count: int, steps: int, rounds: int = 5) -> tuple[float, float]:
    """Seconds for a step of cubes on Hooke's law as a user wrote it, and on the one that is built in."""
    own = user_hooke(s_0=0.002, k=1e4, c=50.0)
    user, built_in = _least_times(
        [power_cubes(count, FILTER, own), power_cubes(count, FILTER, Hooke(0.002, 1e4, 50.0))], 20, steps, rounds
    )
    return user, built_in


def implicit_costs(count: int, steps: int, rounds: int = 5) -> tuple[float, float]:
    """Seconds for a step of resting cubes on anchors with the forces at its end, and with those at its start."""
    systems = [power_cubes(count, Anchor(), stepping=stepping) for stepping in ("implicit", "explicit")]
    implicit, explicit = _least_times(systems, 10000 // count + 20, steps, rounds)
    return implicit, explicit


def sphere_costs(count: int, steps: int, rounds: int = 5, settle: int = 5000) -> tuple[float, float]:
    """Seconds for a step of spheres in a box with our contacts and with SMC, once they have settled."""
    ours, smc = _least_times([taken_spheres(count), spheres_in_a_box(count)], settle, steps, rounds)
    return ours, smc
