"""OpenSim: Hunt and Crossley's contact for impacts, the exponential contact for boxes that slide and stick.

Its integrator (Runge-Kutta-Merson) chooses the steps for a given accuracy.
"""

from __future__ import annotations

import math
from typing import Any

import opensim
from engines.opensim import EXPONENTIAL_REST, STIFFNESS

from .world import CORNER_RADIUS, Body, Run, World, followed, hunt_crossley_dissipation

SETTINGS = ("variable step",)

KNOBS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
"""Accuracies asked of the integrator, in place of steps."""

FINEST = 1e-9
"""Accuracy of a fine run."""

IMPOSSIBLE = {"stack": "its contacts know spheres, half-spaces and meshes, and none holds a box on a box."}

PLASTIC = 10.0
"""Dissipation in s/m of contacts that should not bounce."""


def sticks(world: World) -> bool:
    """Whether a world begins on the ground: then its corners are exponential contacts, which stick."""
    body = world.bodies[0]
    return not body.ball and body.at[2] <= 0.5 * body.size[2]


def hunt_crossley(sphere: Any, floor: Any, world: World) -> Any:
    """Hunt and Crossley's contact; the force is that of Hertz times 1 + 3/2 c x', with the dissipation c in s/m."""
    force = opensim.HuntCrossleyForce()
    force.addGeometry(sphere.getName())
    force.addGeometry(floor.getName())
    force.setStiffness(STIFFNESS)
    bounces = world.restitution > 0.0
    asked = hunt_crossley_dissipation(world.restitution, world.speed) / 1.5 if bounces else PLASTIC
    force.setDissipation(asked)
    force.setStaticFriction(world.mu)
    force.setDynamicFriction(world.mu)
    force.setName(f"on_{sphere.getName()}")
    return force


def touch_by_spheres(model: Any, made: Any, body: Body, world: World) -> None:
    """A ball, or spheres at the corners, on a half space, whose outward normal is -x until it is turned."""
    turn = opensim.Vec3(0.0, 0.5 * math.pi, 0.0)
    floor = opensim.ContactHalfSpace(opensim.Vec3(0.0), turn, model.getGround(), "floor")
    model.addContactGeometry(floor)
    radius = body.radius if body.ball else CORNER_RADIUS
    for i, place in enumerate([[0.0, 0.0, 0.0]] if body.ball else body.corners(radius)):
        sphere = opensim.ContactSphere(radius, opensim.Vec3(*place), made, f"sphere_{i}")
        model.addContactGeometry(sphere)
        model.addForce(hunt_crossley(sphere, floor, world))


def touch_by_points(model: Any, made: Any, body: Body, world: World) -> list[Any]:
    """Exponential contacts at the corners."""
    forces = []
    for i, place in enumerate(body.corners()):
        force = opensim.ExponentialContactForce(opensim.Transform(), made, opensim.Vec3(*place))
        force.setName(f"point_{i}")
        force.setInitialMuStatic(world.mu)
        force.setInitialMuKinetic(world.mu)
        model.addForce(force)
        forces.append(force)
    return forces


def add_pull(model: Any, made: Any, along: Any, world: World) -> None:
    """The spring as a linear spring on the coordinate along x and a force that follows the moving end."""
    if world.pull is None:
        return
    spring = opensim.SpringGeneralizedForce(along.getName())
    spring.setName("spring")
    spring.setStiffness(world.pull.stiffness)
    spring.setRestLength(0.0)
    model.addForce(spring)
    moving = opensim.PrescribedForce("moving_end", made)
    size = world.pull.stiffness * world.pull.amplitude
    none = opensim.Constant(0.0)
    moving.setForceFunctions(opensim.Sine(size, world.pull.rate, 0.0), none, none)
    model.addForce(moving)


def start(joint: Any, state: Any, body: Body, lifted: float) -> None:
    """Place and velocity of a body in its free joint, `lifted` in m over where it should be.

    The coordinates are body-fixed angles about x, y, z; their speeds are the angular velocity in the ground's frame.
    """
    rotation = opensim.Rotation(opensim.Quaternion(*body.turn)).convertRotationToBodyFixedXYZ()
    turn = [rotation.get(i) for i in range(3)]
    where = (*turn, *body.at[:2], body.at[2] + lifted)
    for i, (place, speed) in enumerate(zip(where, (*body.spin, *body.velocity), strict=True)):
        joint.upd_coordinates(i).setValue(state, place)
        joint.upd_coordinates(i).setSpeedValue(state, speed)


def simulate(setting: str, world: World, accuracy: float) -> Run:
    """Run a world with an accuracy of the integrator."""
    opensim.Logger.setLevelString("Off")
    model, body = opensim.Model(), world.bodies[0]
    model.setGravity(opensim.Vec3(*world.gravity))
    made = opensim.Body("body", body.mass, opensim.Vec3(0.0), opensim.Inertia(*body.moments))
    model.addBody(made)
    joint = opensim.FreeJoint("free", model.getGround(), made)
    model.addJoint(joint)
    anchored = touch_by_points(model, made, body, world) if sticks(world) else []
    if not anchored:
        touch_by_spheres(model, made, body, world)
    add_pull(model, made, joint.upd_coordinates(3), world)
    state = model.initSystem()
    start(joint, state, body, EXPONENTIAL_REST if anchored else 0.0)
    model.realizePosition(state)
    for force in anchored:
        force.resetAnchorPoint(state)
    return integrated(model, state, made, world, accuracy)


def integrated(model: Any, state: Any, made: Any, world: World, accuracy: float) -> Run:
    """Follow the run of a finished model."""
    manager = opensim.Manager(model)
    manager.setWriteToStorage(False)
    manager.setPerformAnalyses(False)
    manager.setIntegratorAccuracy(accuracy)
    manager.initialize(state)
    done, now = [0], [state]

    def advance(count: int) -> None:
        done[0] += count
        now[0] = manager.integrate(done[0] * world.record)

    def read() -> list[list[float]]:
        model.realizePosition(now[0])
        place = made.getPositionInGround(now[0])
        turn = made.getTransformInGround(now[0]).R().convertRotationToQuaternion()
        return [[*(place.get(i) for i in range(3)), *(turn.get(i) for i in range(4))]]

    return followed(advance, read, world, world.record)
