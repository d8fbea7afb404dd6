"""Chrono's cylinders, cones, ellipsoids, hulls and meshes are taken over as solids of our own."""

import numpy as np
import pytest
from scene import chronos_contacts, run
from taken import GRIP, LAW, SLICK, colliding_system, cube_hull, plate, prism_hull, shaped_body, square_mesh

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.contact.body_frame import Placing
from chrono_powercontact.chrono.takeover.solids.solid_pairs import CONE, CYLINDER, ELLIPSOID, FACETED
from chrono_powercontact.chrono.takeover.solids.solid_records import own_solid

pytestmark = pytest.mark.chrono

HERE = Placing(np.zeros(3), np.eye(3))


def cube_mesh(surface, half=0.1, radius=0.0):
    """A cube of twelve triangles."""
    chrono = pychrono()
    mesh = chrono.ChTriangleMeshConnected()
    hull = pc.Hull(chrono.ChBody(), half * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]))
    for triangle in hull.surface.vertices[hull.surface.triangles]:
        mesh.AddTriangle(*(chrono.ChVector3d(*map(float, corner)) for corner in triangle))
    return chrono.ChCollisionShapeTriangleMesh(surface, mesh, False, False, radius)


def shapes():
    chrono = pychrono()
    return {
        "cylinder": lambda s: chrono.ChCollisionShapeCylinder(s, 0.1, 0.2),
        "cone": lambda s: chrono.ChCollisionShapeCone(s, 0.1, 0.2),
        "ellipsoid": lambda s: chrono.ChCollisionShapeEllipsoid(s, chrono.ChVector3d(0.2, 0.2, 0.2)),
        "hull": cube_hull,
        "mesh": cube_mesh,
    }


KINDS = {"cylinder": CYLINDER, "cone": CONE, "ellipsoid": ELLIPSOID, "hull": FACETED, "mesh": FACETED}


@pytest.mark.parametrize("name", KINDS)
def test_solids_of_chrono_are_read(name):
    _, surface = colliding_system()
    made = own_solid(pychrono().ChBody(), shapes()[name](surface), HERE, 0.02)
    assert made.kind == KINDS[name]
    assert made.record["probes"][1] == len(made.tables[0]) > 0


@pytest.mark.parametrize("make", [prism_hull, square_mesh])
def test_large_hulls_and_open_meshes_stay_with_chrono(make):
    _, surface = colliding_system()
    assert own_solid(pychrono().ChBody(), make(surface), HERE, 0.02) is None


@pytest.mark.parametrize("name", KINDS)
def test_solids_rest_on_a_plate_without_chronos_detection(name):
    """At 1 ms, with friction that sticks: not a trace of motion is left, and Chrono finds no contact."""
    system, surface = colliding_system()
    plate(system, surface)
    body = shaped_body(system, shapes()[name](surface), at=(0, 0, 0.1), inertia=0.007)
    material = pc.Material(GRIP.normal, GRIP.friction, pc.Anchor())
    contacts = pc.attach(system)
    contacts.take_over(material)
    run(system, 1.0, 1e-3)
    assert chronos_contacts(system) == 0
    assert contacts.forces()["force"].sum() == pytest.approx(9.81, rel=1e-6)
    assert body.GetPosDt().Length() < 1e-9
    assert body.GetAngVelLocal().Length() < 1e-8


def test_an_ellipsoid_finds_its_own_depth():
    system, surface = colliding_system()
    plate(system, surface)
    body = shaped_body(system, shapes()["ellipsoid"](surface), at=(0, 0, 0.1))
    pc.attach(system).take_over(SLICK)
    run(system, 0.5)
    assert body.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81), abs=1e-9)
