"""Drake: discrete contact by convex approximations, regularised by a stiction tolerance or by SAP's own compliance.

Point contact finds one point between a box and a half space, on which a cube rocks; so the corners are spheres, as
in Drake's own inclined plane example, or the box is hydroelastic.
"""

from __future__ import annotations

from typing import Any

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
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import SpatialInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from .scene import CORNER_RADIUS, EDGE, FOOT, GRAVITY, MASS, MU, Setting, Track, corner_places, follow

SOURCE = "https://drake.mit.edu/doxygen_cxx/structdrake_1_1multibody_1_1_multibody_plant_config.html"
HYDROELASTIC = "https://drake.mit.edu/doxygen_cxx/group__hydroelastic__user__guide.html"

SETTINGS = (
    Setting("default", "discrete_contact_approximation=lagged", SOURCE, True, 1e-3),
    Setting(
        "tolerance 1e-7",
        "stiction_tolerance=1e-7",
        SOURCE,
        False,
        1e-3,
        {"config": {"stiction_tolerance": 1e-7}},
    ),
    Setting(
        "SAP",
        "discrete_contact_approximation=sap",
        SOURCE,
        False,
        1e-3,
        {"config": {"discrete_contact_approximation": "sap"}},
    ),
    Setting(
        "SAP hydroelastic",
        "discrete_contact_approximation=sap, compliant hydroelastic box of 1e7 Pa",
        HYDROELASTIC,
        False,
        1e-3,
        {"config": {"discrete_contact_approximation": "sap"}, "modulus": 1e7},
    ),
)


def rubbing() -> ProximityProperties:
    """Properties of a surface with the scene's friction."""
    properties = ProximityProperties()
    AddContactMaterial(properties=properties, friction=CoulombFriction(MU, MU))
    return properties


def touch_by_corners(plant: Any, body: Any) -> None:
    """Spheres at the corners on a half space."""
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "ground", rubbing())
    for i, place in enumerate(corner_places(CORNER_RADIUS)):
        plant.RegisterCollisionGeometry(body, RigidTransform(place), Sphere(CORNER_RADIUS), f"corner {i}", rubbing())


def touch_by_face(plant: Any, body: Any, modulus: float) -> None:
    """A compliant box of a modulus in Pa on a rigid half space."""
    ground, box = rubbing(), rubbing()
    AddRigidHydroelasticProperties(ground)
    AddCompliantHydroelasticProperties(EDGE, modulus, box)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "ground", ground)
    plant.RegisterCollisionGeometry(body, RigidTransform(), Box(EDGE, EDGE, EDGE), "box", box)


def run(setting: Setting) -> Track:
    """The scene with a setting."""
    builder = DiagramBuilder()
    config = MultibodyPlantConfig(time_step=setting.step, **setting.values.get("config", {}))
    plant, _ = AddMultibodyPlant(config, builder)
    plant.mutable_gravity_field().set_gravity_vector(GRAVITY)
    body = plant.AddRigidBody("box", SpatialInertia.SolidBoxWithMass(MASS, EDGE, EDGE, EDGE))
    if "modulus" in setting.values:
        touch_by_face(plant, body, setting.values["modulus"])
    else:
        touch_by_corners(plant, body)
    plant.Finalize()
    simulator = Simulator(builder.Build())
    context = simulator.get_mutable_context()
    seen = plant.GetMyMutableContextFromRoot(context)
    plant.SetFreeBodyPose(seen, body, RigidTransform([0.0, 0.0, 0.5 * EDGE]))
    simulator.Initialize()

    def advance(count: int) -> float:
        simulator.AdvanceTo(context.get_time() + count * setting.step)
        return float(plant.EvalBodyPoseInWorld(seen, body).multiply(FOOT)[0])

    return follow(advance, setting.step)
