"""Exudyn: penalty contact between spheres and triangles, friction proportional to speed below 1e-3 m/s (its default).

With smaller zones, which hold a box on a slope better, its solver fails at most steps once the box slides.
"""

from __future__ import annotations

import math
import time
from typing import Any

import exudyn
import numpy as np
from exudyn.itemInterface import MarkerBodyRigid, ObjectGround, SensorBody
from exudyn.rigidBodyUtilities import EulerParameters2RotationMatrix, RigidBodyInertia

from .world import CORNER_RADIUS, Body, Run, World, damping_ratio, record_times

SETTINGS = ("default zone",)

IMPOSSIBLE = {
    "stack": "with ten boxes it took 107 s of processor time per simulated second at 1 ms.",
    "tumble": "the spheres at the corners are pushed through the triangles, or, if stiffer, its solver fails.",
}

REACH = 10.0
"""Half the edge of the ground in m."""


def surface(world: World) -> dict[str, float]:
    """Stiffness in N/m and damping in N s/m of a surface: in a contact stiffnesses are in series, dampings add up."""
    bounces = world.restitution > 0.0
    stiffness = world.impact_stiffness() if bounces else world.rest_stiffness()
    mass = world.bodies[0].mass if bounces else 0.25 * world.bodies[0].mass
    ratio = damping_ratio(world.restitution) if bounces else 1.0
    damping = 2.0 * ratio * math.sqrt(stiffness * mass)
    return {"contactStiffness": 2.0 * stiffness, "contactDamping": 0.5 * damping, "frictionMaterialIndex": 0}


def add_square(contact: Any, marker: int, half: tuple[float, float], height: float, made: dict[str, float]) -> None:
    """Two triangles at a height in m over a marker, with half edges in m."""
    x, y = half
    square = [[-x, -y, height], [x, -y, height], [x, y, height], [-x, y, height]]
    contact.AddTrianglesRigidBodyBased(
        rigidBodyMarkerIndex=marker, pointList=square, triangleList=[[0, 1, 2], [0, 2, 3]], **made
    )


def add_spheres(system: Any, contact: Any, number: int, body: Body, world: World) -> None:
    """The spheres with which a body touches."""
    made = surface(world)
    radius = body.radius if body.ball else CORNER_RADIUS
    corners = body.feet(radius) if len(world.bodies) > 1 else body.corners(radius)
    for place in [[0.0, 0.0, 0.0]] if body.ball else corners:
        marker = system.AddMarker(MarkerBodyRigid(bodyNumber=number, localPosition=place))
        contact.AddSphereWithMarker(marker, radius=radius, **made)


def add_body(system: Any, body: Body, world: World) -> int:
    """A body of a world, as yet without contact."""
    turn = np.array(EulerParameters2RotationMatrix(list(body.turn)))
    return int(
        system.CreateRigidBody(
            inertia=RigidBodyInertia(mass=body.mass, inertiaTensor=np.diag(body.moments)),
            referencePosition=list(body.at),
            referenceRotationMatrix=turn,
            initialVelocity=list(body.velocity),
            initialAngularVelocity=list(body.spin),
            gravity=list(world.gravity),
        )
    )


def add_pull(system: Any, number: int, ground: int, world: World) -> None:
    """Exudyn's own spring to a body; its end is moved before each step."""
    pull = world.pull
    if pull is None:
        return
    spring = system.CreateCartesianSpringDamper(
        bodyNumbers=[ground, number], localPosition0=list(world.bodies[0].at), stiffness=[pull.stiffness, 0.0, 0.0]
    )

    def move(moved: Any, t: float) -> bool:
        moved.SetObjectParameter(spring, "offset", [pull.end(t), 0.0, 0.0])
        return True

    system.SetPreStepUserFunction(move)


def build(world: World) -> tuple[Any, list[int]]:
    """System of a world, and sensors of the positions of its bodies."""
    system = exudyn.SystemContainer().AddSystem()
    numbers = [add_body(system, body, world) for body in world.bodies]
    contact = system.AddGeneralContact()
    contact.SetFrictionPairings(world.mu * np.eye(1))
    contact.SetSearchTreeCellSize([1, 1, 1])
    contact.sphereSphereContact = False
    ground = system.AddObject(ObjectGround())
    add_square(contact, system.AddMarker(MarkerBodyRigid(bodyNumber=ground)), (REACH, REACH), 0.0, surface(world))
    for number, body in zip(numbers, world.bodies, strict=True):
        add_spheres(system, contact, number, body, world)
        if len(world.bodies) > 1:
            marker = system.AddMarker(MarkerBodyRigid(bodyNumber=number))
            add_square(contact, marker, (0.5 * body.size[0], 0.5 * body.size[1]), 0.5 * body.size[2], surface(world))
    add_pull(system, numbers[0], ground, world)
    kind = exudyn.OutputVariableType.Position
    sensors = [
        system.AddSensor(SensorBody(bodyNumber=number, storeInternal=True, outputVariableType=kind))
        for number in numbers
    ]
    system.Assemble()
    return system, sensors


def simulate(setting: str, world: World, step: float) -> Run:
    """Run a world with a step in s, solved in one go by the default implicit solver (generalised alpha)."""
    system, sensors = build(world)
    times = record_times(world, step)
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(times[-1] / step)
    settings.timeIntegration.endTime = times[-1]
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = max(world.record, step)
    begin = time.process_time()
    system.SolveDynamic(settings)
    cost = (time.process_time() - begin) / times[-1]
    seen = [system.GetSensorStoredData(sensor) for sensor in sensors]
    if not math.isclose(seen[0][-1, 0], times[-1], rel_tol=1e-6):
        raise RuntimeError(f"the solver stopped at {seen[0][-1, 0]:g} s")
    return Run(times, np.stack([track[:, 1:4] for track in seen], axis=1), cost)
