"""Exudyn: penalty contact between spheres and triangles, friction proportional to speed within a zone."""

from __future__ import annotations

import math
import time
from typing import Any

import exudyn
import numpy as np
from exudyn.itemInterface import MarkerBodyRigid, ObjectGround, SensorBody
from exudyn.rigidBodyUtilities import InertiaCuboid

from .scene import CORNER_RADIUS, EDGE, FOOT, GRAVITY, MASS, MU, RECORDS, TIME, Setting, Track, corner_places

SOURCE = "https://exudyn.readthedocs.io/en/latest/docs/RST/cInterface/GeneralContact.html"

SETTINGS = (
    Setting("default", "frictionProportionalZone=1e-3", SOURCE, True, 1e-3),
    Setting(
        "zone 1e-7", "frictionProportionalZone=1e-7: at 1e-8 Newton's method fails", SOURCE, False, 1e-3, {"zone": 1e-7}
    ),
)

SURFACE = {"contactStiffness": 1e5, "contactDamping": 1e2, "frictionMaterialIndex": 0}
"""Stiffness in N/m and damping in N s/m of a contact: Exudyn has no defaults for these."""

REACH = 10.0


def add_contact(system: Any, body: int) -> exudyn.GeneralContact:
    """Spheres at the corners of a body on two triangles."""
    contact = system.AddGeneralContact()
    contact.SetFrictionPairings(MU * np.eye(1))
    contact.SetSearchTreeCellSize([1, 1, 1])
    ground = system.AddMarker(MarkerBodyRigid(bodyNumber=system.AddObject(ObjectGround())))
    square = [[-REACH, -REACH, 0.0], [REACH, -REACH, 0.0], [REACH, REACH, 0.0], [-REACH, REACH, 0.0]]
    contact.AddTrianglesRigidBodyBased(
        rigidBodyMarkerIndex=ground, pointList=square, triangleList=[[0, 1, 2], [0, 2, 3]], **SURFACE
    )
    for place in corner_places(CORNER_RADIUS):
        marker = system.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=place))
        contact.AddSphereWithMarker(marker, radius=CORNER_RADIUS, **SURFACE)
    return contact


def quiet_settings(step: float) -> exudyn.SimulationSettings:
    """Default implicit solver (generalised alpha) with a step in s, nothing on disk or screen."""
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(TIME / step)
    settings.timeIntegration.endTime = TIME
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = TIME / RECORDS
    return settings


def run(setting: Setting) -> Track:
    """The scene with a setting, solved in one go."""
    system = exudyn.SystemContainer().AddSystem()
    body = system.CreateRigidBody(
        inertia=InertiaCuboid(MASS / EDGE**3, [EDGE] * 3),
        referencePosition=[0.0, 0.0, 0.5 * EDGE],
        gravity=list(GRAVITY),
    )
    contact = add_contact(system, body)
    if "zone" in setting.values:
        contact.frictionProportionalZone = setting.values["zone"]
    place = exudyn.OutputVariableType.Position
    sensor = system.AddSensor(
        SensorBody(bodyNumber=body, localPosition=list(FOOT), storeInternal=True, outputVariableType=place)
    )
    system.Assemble()
    begin = time.process_time()
    system.SolveDynamic(quiet_settings(setting.step))
    cost = (time.process_time() - begin) / TIME
    seen = system.GetSensorStoredData(sensor)
    if not math.isclose(seen[-1, 0], TIME):
        raise RuntimeError(f"the solver stopped at {seen[-1, 0]:g} s")
    return Track(seen[:, 0], seen[:, 1], cost)
