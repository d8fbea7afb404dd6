"""OpenSim: Hunt and Crossley's contact with regularised friction, its smooth twin, and the exponential contact.

Variable steps, the default integrator (Runge-Kutta-Merson) and accuracy.
"""

from __future__ import annotations

import math
from typing import Any

import opensim

from .scene import (
    CORNER_RADIUS,
    EDGE,
    FOOT,
    GRAVITY,
    MASS,
    MOMENT,
    MU,
    RECORDS,
    TIME,
    Setting,
    Track,
    corner_places,
    follow,
)

SOURCE = "https://simtk.org/api_docs/opensim/api_docs/classOpenSim_1_1{}.html"

SETTINGS = (
    Setting("Hunt-Crossley", "HuntCrossleyForce", SOURCE.format("HuntCrossleyForce"), True, None, {"law": "hunt"}),
    Setting(
        "Smooth",
        "SmoothSphereHalfSpaceForce",
        SOURCE.format("SmoothSphereHalfSpaceForce"),
        True,
        None,
        {"law": "smooth"},
    ),
    Setting(
        "Exponential",
        "ExponentialContactForce",
        SOURCE.format("ExponentialContactForce"),
        False,
        None,
        {"law": "exponential"},
    ),
)

STIFFNESS, DISSIPATION = 1e8, 10.0
"""In N/m^2 and s/m, for the two laws that have no defaults for these."""

EXPONENTIAL_REST = 0.00538
"""Height in m above the plane at which the exponential contact carries the cube: it begins to act before touching."""


def hunt_crossley(sphere: Any, floor: Any) -> Any:
    """Hunt and Crossley's contact with its default transition velocity of 0.01 m/s."""
    force = opensim.HuntCrossleyForce()
    force.addGeometry(sphere.getName())
    force.addGeometry(floor.getName())
    force.setStiffness(STIFFNESS)
    force.setDissipation(DISSIPATION)
    force.setStaticFriction(MU)
    force.setDynamicFriction(MU)
    return force


def smooth_sphere(sphere: Any, floor: Any) -> Any:
    """The smooth contact with its default transition velocity of 0.01 m/s."""
    force = opensim.SmoothSphereHalfSpaceForce(f"on_{sphere.getName()}", sphere, floor)
    force.set_stiffness(STIFFNESS)
    force.set_dissipation(DISSIPATION)
    force.set_static_friction(MU)
    force.set_dynamic_friction(MU)
    return force


def touch_by_spheres(model: Any, body: Any, law: str) -> None:
    """Spheres at the corners on a half space, whose outward normal is -x until it is turned."""
    turn = opensim.Vec3(0.0, 0.5 * math.pi, 0.0)
    floor = opensim.ContactHalfSpace(opensim.Vec3(0.0), turn, model.getGround(), "floor")
    model.addContactGeometry(floor)
    for i, place in enumerate(corner_places(CORNER_RADIUS)):
        sphere = opensim.ContactSphere(CORNER_RADIUS, opensim.Vec3(*place), body, f"corner_{i}")
        model.addContactGeometry(sphere)
        force = (hunt_crossley if law == "hunt" else smooth_sphere)(sphere, floor)
        force.setName(f"force_{i}")
        model.addForce(force)


def touch_by_points(model: Any, body: Any) -> list[Any]:
    """Exponential contacts at the corners."""
    forces = []
    for i, place in enumerate(corner_places()):
        force = opensim.ExponentialContactForce(opensim.Transform(), body, opensim.Vec3(*place))
        force.setName(f"force_{i}")
        force.setInitialMuStatic(MU)
        force.setInitialMuKinetic(MU)
        model.addForce(force)
        forces.append(force)
    return forces


def run(setting: Setting) -> Track:
    """The scene with a setting."""
    opensim.Logger.setLevelString("Off")
    model, law = opensim.Model(), setting.values["law"]
    model.setGravity(opensim.Vec3(*GRAVITY))
    body = opensim.Body("box", MASS, opensim.Vec3(0.0), opensim.Inertia(MOMENT, MOMENT, MOMENT))
    model.addBody(body)
    joint = opensim.FreeJoint("free", model.getGround(), body)
    model.addJoint(joint)
    anchored = touch_by_points(model, body) if law == "exponential" else []
    if not anchored:
        touch_by_spheres(model, body, law)
    state = model.initSystem()
    joint.upd_coordinates(5).setValue(state, 0.5 * EDGE + (EXPONENTIAL_REST if anchored else 0.0))
    model.realizePosition(state)
    for force in anchored:
        force.resetAnchorPoint(state)
    return _integrated(model, state, body)


def _integrated(model: Any, state: Any, body: Any) -> Track:
    manager = opensim.Manager(model)
    manager.setWriteToStorage(False)
    manager.setPerformAnalyses(False)
    manager.initialize(state)
    done = [0]

    def advance(count: int) -> float:
        done[0] += count
        now = manager.integrate(done[0] * TIME / RECORDS)
        model.realizePosition(now)
        return float(body.findStationLocationInGround(now, opensim.Vec3(*FOOT)).get(0))

    return follow(advance, TIME / RECORDS)
