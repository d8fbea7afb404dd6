"""Drake: discrete contact, lagged (Hunt and Crossley's dissipation, a small stiction tolerance) or SAP.

Balls and single boxes touch at points (a box with spheres at its corners), boxes of a stack by hydroelastic faces:
point contact finds one point between two boxes, on which they rock.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    AddContactMaterial,
    AddRigidHydroelasticProperties,
    Box,
    HalfSpace,
    ProximityProperties,
    Sphere,
)
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialForce, SpatialVelocity
from pydrake.multibody.plant import (
    AddMultibodyPlant,
    CoulombFriction,
    ExternallyAppliedSpatialForce,
    MultibodyPlantConfig,
)
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from .world import CORNER_RADIUS, Body, Run, World, damping_ratio, followed, hunt_crossley_dissipation

SETTINGS = ("lagged", "SAP")
"""Values of discrete_contact_approximation."""

IMPOSSIBLE: dict[str, str] = {}

MODULUS = 1e7
"""Hydroelastic modulus in Pa of the boxes of a stack."""

PLASTIC = 50.0
"""Dissipation in s/m of contacts that should not bounce: Drake's default."""


def surface(world: World) -> ProximityProperties:
    """Friction, stiffness and dissipation of a surface; two equal ones in contact are half as stiff as one.

    SAP has a relaxation time instead of Hunt and Crossley's dissipation; in a contact the times of both add up.
    """
    bounces = world.restitution > 0.0
    stiffness = world.impact_stiffness() if bounces else world.rest_stiffness()
    dissipation = hunt_crossley_dissipation(world.restitution, world.speed) if bounces else PLASTIC
    properties = ProximityProperties()
    if bounces:
        relaxation = 2.0 * damping_ratio(world.restitution) * world.depth / world.speed
        properties.AddProperty("material", "relaxation_time", 0.5 * relaxation)
    AddContactMaterial(
        properties=properties,
        friction=CoulombFriction(world.mu, world.mu),
        point_stiffness=2.0 * stiffness,
        dissipation=dissipation,
    )
    return properties


def inertia_of(body: Body) -> SpatialInertia:
    """Mass and moments of inertia of a body."""
    x, y, z = (moment / body.mass for moment in body.moments)
    return SpatialInertia(body.mass, np.zeros(3), UnitInertia(x, y, z))


def touch(plant: Any, made: Any, body: Body, world: World) -> None:
    """The collision geometry of a body."""
    if body.ball:
        plant.RegisterCollisionGeometry(made, RigidTransform(), Sphere(body.radius), made.name(), surface(world))
    elif len(world.bodies) > 1:
        faces = surface(world)
        AddCompliantHydroelasticProperties(min(body.size), MODULUS, faces)
        plant.RegisterCollisionGeometry(made, RigidTransform(), Box(*body.size), made.name(), faces)
    else:
        for i, place in enumerate(body.corners(CORNER_RADIUS)):
            corner = Sphere(CORNER_RADIUS)
            plant.RegisterCollisionGeometry(made, RigidTransform(place), corner, f"corner {i}", surface(world))


def build(setting: str, world: World, step: float) -> tuple[Any, Any, list[Any]]:
    """Diagram, plant and bodies of a world."""
    builder = DiagramBuilder()
    config = MultibodyPlantConfig(
        time_step=step, stiction_tolerance=1e-7, discrete_contact_approximation=setting.lower()
    )
    plant, _ = AddMultibodyPlant(config, builder)
    plant.mutable_gravity_field().set_gravity_vector(world.gravity)
    ground = surface(world)
    if len(world.bodies) > 1:
        AddRigidHydroelasticProperties(ground)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "ground", ground)
    bodies = []
    for i, body in enumerate(world.bodies):
        made = plant.AddRigidBody(f"body {i}", inertia_of(body))
        touch(plant, made, body, world)
        bodies.append(made)
    plant.Finalize()
    return builder.Build(), plant, bodies


def start(plant: Any, seen: Any, bodies: list[Any], world: World) -> None:
    """Put the bodies where they begin, with their velocities."""
    for made, body in zip(bodies, world.bodies, strict=True):
        plant.SetFreeBodyPose(seen, made, RigidTransform(Quaternion(np.array(body.turn)), np.array(body.at)))
        moving = SpatialVelocity(np.array(body.spin), np.array(body.velocity))
        plant.SetFreeBodySpatialVelocity(context=seen, body=made, V_JpJc=moving)


def simulate(setting: str, world: World, step: float) -> Run:
    """Run a world with a step in s."""
    diagram, plant, bodies = build(setting, world, step)
    simulator = Simulator(diagram)
    context = simulator.get_mutable_context()
    seen = plant.GetMyMutableContextFromRoot(context)
    start(plant, seen, bodies, world)
    simulator.Initialize()
    done, pull, port = [0], world.pull, plant.get_applied_spatial_force_input_port()

    def pulled() -> None:
        applied = ExternallyAppliedSpatialForce()
        applied.body_index = bodies[0].index()
        x = float(plant.EvalBodyPoseInWorld(seen, bodies[0]).translation()[0])
        applied.F_Bq_W = SpatialForce(np.zeros(3), np.array([pull.force(done[0] * step, x), 0.0, 0.0]))
        port.FixValue(seen, [applied])

    def advance(count: int) -> None:
        for _ in range(1 if pull is None else count):
            if pull is not None:
                pulled()
            done[0] += count if pull is None else 1
            simulator.AdvanceTo(done[0] * step)

    def read() -> list[list[float]]:
        poses = [plant.EvalBodyPoseInWorld(seen, body) for body in bodies]
        return [[*pose.translation(), *pose.rotation().ToQuaternion().wxyz()] for pose in poses]

    return followed(advance, read, world, step)
