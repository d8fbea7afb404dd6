"""Chrono's cylinders, cones, ellipsoids, hulls and meshes are taken over as solids of our own."""

import numpy as np
import pytest
from mesh_scenes import fine_box, mesh_shape, rolling_ground
from scene import chronos_contacts, run
from taken import GRIP, LAW, SLICK, ball, colliding_system, cube_hull, plate, prism_hull, shaped_body, square_mesh

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
def test_large_hulls_and_open_meshes_are_ours_where_coal_is_installed(make):
    pytest.importorskip("coal")
    _, surface = colliding_system()
    assert own_solid(pychrono().ChBody(), make(surface), HERE, 0.02).kind == FACETED


@pytest.mark.parametrize("make", [prism_hull, square_mesh])
def test_without_coal_they_stay_with_chrono_and_a_sentence_tells_how_to_get_it(make, without_coal):
    _, surface = colliding_system()
    told = []
    assert own_solid(pychrono().ChBody(), make(surface), HERE, 0.02, told.append) is None
    assert len(told) == 1
    assert "are found by Chrono, in single precision" in told[0]
    assert "pip install coal" in told[0]


def hull_shape(surface, points):
    chrono = pychrono()
    corners = [chrono.ChVector3d(*map(float, point)) for point in points]
    return chrono.ChCollisionShapeConvexHull(surface, chrono.vector_ChVector3d(corners))


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([(0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0), (0, 0.1, 0)], "must not lie in one plane, got 4 that do"),
        ([(0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0)], "a hull needs at least four points, got 3"),
        ([(0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0), (0, 0, np.nan)], "points must be rows of 3 finite numbers"),
    ],
    ids=["flat", "three", "nan"],
)
def test_a_bad_hull_stays_with_chrono_and_one_sentence_says_why(points, sentence):
    """And steps go on."""
    system, surface = colliding_system()
    plate(system, surface)
    shaped_body(system, hull_shape(surface, points), at=(0, 0, 0.3), name="bad")
    with pytest.warns(UserWarning, match="contacts of 'bad' are found by Chrono") as told:
        pc.attach(system).take_over(SLICK)
    assert [sentence in str(warning.message) for warning in told] == [True]
    run(system, 0.02, 1e-3)


def open_mesh(surface, triangles, vertices=((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0, 0), (0, 0, np.nan))):
    return mesh_shape(surface, np.array(vertices, float), triangles)


@pytest.mark.parametrize(
    ("triangles", "sentence"),
    [
        ([(0, 4, 1), (0, 1, 2)], "triangles must have an area, got 1 degenerate ones"),
        ([(0, 1, 2), (0, 1, 3)], "a mesh must have each edge once in each direction"),
        ([(0, 0, 1)], "triangles with three different corners, got none of 1"),
        ([], "triangles with three different corners, got none of 0"),
        ([(0, 1, 5)], "vertices must be rows of 3 finite numbers"),
    ],
    ids=["degenerate", "turned", "lines", "empty", "nan"],
)
def test_a_mesh_that_cannot_be_ours_says_why_and_stays_with_chrono(triangles, sentence):
    pytest.importorskip("coal")
    _, surface = colliding_system()
    told = []
    assert own_solid(pychrono().ChBody(), open_mesh(surface, triangles), HERE, 0.02, told.append) is None
    assert len(told) == 1
    assert sentence in told[0]


def test_triangles_with_two_equal_corners_are_left_out():
    """They close nothing: the others fit together without them."""
    _, surface = colliding_system()
    vertices, triangles = fine_box(1, np.full(3, 0.1))
    extra = np.vstack([triangles, [(0, 1, 1)]])
    made = own_solid(pychrono().ChBody(), mesh_shape(surface, vertices, extra), HERE, 0.02)
    assert made.record["facets"][1] == len(triangles)


def test_a_mesh_with_a_flaw_is_taken_as_closed_and_carries():
    """A box of 1200 triangles, of which one is missing on its lower face."""
    pytest.importorskip("coal")
    system, surface = colliding_system()
    plate(system, surface)
    vertices, triangles = fine_box(10, np.full(3, 0.1))
    lower = np.flatnonzero((vertices[triangles][:, :, 2] < -0.0999).all(axis=1))
    flawed = np.delete(triangles, lower[110], axis=0)
    body = shaped_body(system, mesh_shape(surface, vertices, flawed), at=(0, 0, 0.1), inertia=0.007, name="box")
    contacts = pc.attach(system)
    with pytest.warns(UserWarning, match="'box': a mesh is taken as closed, though 3 sides of its triangles"):
        contacts.take_over(pc.Material(GRIP.normal, GRIP.friction, pc.Anchor()))
    run(system, 1.0, 1e-3)
    assert contacts.forces()["force"].sum() == pytest.approx(9.81, rel=1e-6)
    assert body.GetPosDt().Length() < 1e-9


def test_a_closed_mesh_with_a_side_of_four_triangles_says_so():
    """Two boxes that share an edge."""
    pytest.importorskip("coal")
    _, surface = colliding_system()
    vertices, triangles = fine_box(1, np.full(3, 0.1))
    moved = vertices + np.array([0.2, 0.2, 0.0])
    both, first = np.unique(np.vstack([vertices, moved]).round(9), axis=0, return_inverse=True)
    triangles = first.reshape(-1)[np.vstack([triangles, triangles + len(vertices)])]
    made = own_solid(pychrono().ChBody(), mesh_shape(surface, both, triangles), HERE, 0.02)
    assert made.note == "a mesh is taken as closed, though more than two triangles meet at some sides"


def test_a_mesh_inside_out_is_turned_and_says_so():
    _, surface = colliding_system()
    vertices, triangles = fine_box(1, np.full(3, 0.1))
    told = []
    made = own_solid(pychrono().ChBody(), mesh_shape(surface, vertices, triangles[:, ::-1]), HERE, 0.02, told.append)
    assert made.kind == FACETED
    assert "inside out is turned" in told[0]


@pytest.mark.parametrize("thickness", [0.0, 0.002])
def test_an_open_mesh_is_a_plate_that_carries_on_both_sides(thickness):
    """On its back a ball rests deeper by the depth of the plate, as the sentence says."""
    pytest.importorskip("coal")
    heights = []
    for make in (lambda v, t: (v, t), lambda v, t: (v, t[:, ::-1])):
        system, surface = colliding_system()
        ground = mesh_shape(surface, *make(*rolling_ground(4, 1.0, 0.0)), thickness)
        shaped_body(system, ground, fixed=True, name="ground")
        body = ball(system, surface, at=(0.03, 0.02, 0.1))
        with pytest.warns(UserWarning, match="an open mesh is a plate here, whose back lies 0.0283 m behind"):
            pc.attach(system).take_over(SLICK)
        run(system, 1.0, 1e-3)
        heights.append(body.GetPos().z)
    front = 0.1 + thickness + LAW.rest_distance(9.81)
    back = front + 0.02 * np.sqrt(2.0)
    assert heights == pytest.approx([front, back], abs=1e-7)


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
