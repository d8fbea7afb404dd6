"""Large meshes touch as small ones do, in double precision, and their contacts keep their names."""

import math

import numpy as np
import pytest
from mesh_scenes import fine_ball, fine_box, mesh_shape, on_ground, rolling_ground
from scene import chronos_contacts, run
from taken import GRIP, LAW, ball, colliding_system, cube_hull, plate, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.contact.solids.polyhedra import plate_of, polyhedron
from chrono_powercontact.chrono.takeover.solids import solid_records
from chrono_powercontact.chrono.takeover.solids.surface_patches import distances

pytestmark = pytest.mark.chrono
pytest.importorskip("coal")

STICKING = pc.Material(GRIP.normal, GRIP.friction, pc.Anchor())


def partners():
    chrono = pychrono()
    return {
        "sphere": lambda s: chrono.ChCollisionShapeSphere(s, 0.1),
        "box": lambda s: chrono.ChCollisionShapeBox(s, 0.2, 0.2, 0.2),
        "capsule": lambda s: chrono.ChCollisionShapeCapsule(s, 0.1, 0.2),
        "cylinder": lambda s: chrono.ChCollisionShapeCylinder(s, 0.1, 0.2),
        "cone": lambda s: chrono.ChCollisionShapeCone(s, 0.1, 0.2),
        "hull": cube_hull,
        "mesh": lambda s: mesh_shape(s, *fine_box(2, np.full(3, 0.1))),
    }


PARTNERS = ("sphere", "box", "capsule", "cylinder", "cone", "hull", "mesh")


def place_after_fall(name):
    """Where a shape comes that falls on a fixed cube of triangles, a little off its middle."""
    system, surface = colliding_system()
    shaped_body(system, mesh_shape(surface, *fine_box(3, np.full(3, 0.2))), fixed=True, name="cube")
    body = shaped_body(system, partners()[name](surface), at=(0.02, 0.03, 0.32), name="body")
    pc.attach(system).take_over(STICKING)
    run(system, 0.3, 1e-3)
    return vector(body.GetPos())


def vector(v):
    return np.array([v.x, v.y, v.z])


@pytest.mark.parametrize("name", PARTNERS)
def test_a_large_surface_touches_as_a_small_one_does(name, monkeypatch):
    """The same cube, once as a small surface and once as if it were a large one."""
    small = place_after_fall(name)
    monkeypatch.setattr(solid_records, "MOST_EDGES", 0)
    assert place_after_fall(name) == pytest.approx(small, abs=1e-9)


@pytest.mark.parametrize("name", PARTNERS)
def test_shapes_come_to_rest_on_a_ground_of_many_triangles(name):
    system, body = on_ground(partners()[name], (0.1, 0.05, 0.28))
    contacts = pc.attach(system)
    with pytest.warns(UserWarning, match="'ground': an open mesh is a plate here"):
        contacts.take_over(rolling=0.05, spinning=0.01)
    run(system, 3.0, 1e-3)
    assert chronos_contacts(system) == 0
    assert contacts.force_on(body)[0] == pytest.approx([0.0, 0.0, 9.81], abs=1e-3)
    assert body.GetPosDt().Length() < 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_gaps_of_a_ball_are_exact(seed):
    """The least gap is the distance from the centre to the nearest of all triangles, in double precision."""
    rng = np.random.default_rng(seed)
    at = (*rng.uniform(-1.0, 1.0, 2), 0.2)
    system, body = on_ground(lambda s: pychrono().ChCollisionShapeSphere(s, 0.1), at)
    contacts = pc.attach(system)
    with pytest.warns(UserWarning, match="open mesh"):
        contacts.take_over(GRIP)
    run(system, 0.5, 1e-3)
    ground = polyhedron(*rolling_ground_as_plate(60, 3.0, 0.08))
    apart = np.zeros((1, len(ground.facets)))
    distances(vector(body.GetPos())[None], ground.facets, apart)
    assert contacts.forces()["gap"].min() == pytest.approx(np.abs(apart).min() - 0.1, abs=1e-12)


def rolling_ground_as_plate(*numbers):
    vertices, triangles = rolling_ground(*numbers)
    return plate_of(vertices, triangles, solid_records.back_of(vertices, triangles))


def test_a_ball_in_a_groove_is_carried_by_both_sides():
    """Each side of a groove bears the weight over twice the cosine of its angle."""
    angle = math.radians(35.0)
    line = np.linspace(-1.0, 1.0, 21)
    x, y = np.meshgrid(line, line, indexing="ij")
    number = np.arange(441).reshape(21, 21)
    a, b, c, d = (p.ravel() for p in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
    vertices = np.column_stack([x.ravel(), y.ravel(), np.abs(x).ravel() * math.tan(angle)])
    triangles = np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    system, surface = colliding_system()
    shaped_body(system, mesh_shape(surface, vertices, triangles), fixed=True, name="groove")
    body = ball(system, surface, at=(0.0, 0.03, 0.1 / math.cos(angle)))
    contacts = pc.attach(system)
    with pytest.warns(UserWarning, match="open mesh"):
        contacts.take_over(pc.Material(LAW))
    run(system, 2.0, 1e-3)
    forces = np.sort(contacts.forces()["force"])[-2:]
    assert forces == pytest.approx(np.full(2, 9.81 / (2.0 * math.cos(angle))), rel=1e-6)
    assert body.GetPosDt().Length() < 1e-9


@pytest.mark.parametrize("radius", [0.0, 0.004])
def test_thickness_is_respected(radius):
    system, surface = colliding_system()
    plate(system, surface)
    shape = mesh_shape(surface, *fine_ball(12, 0.1), radius)
    body = shaped_body(system, shape, at=(0, 0, 0.1 + radius), name="ball")
    pc.attach(system).take_over(pc.Material(LAW))
    run(system, 0.5, 1e-3)
    lowest = fine_ball(12, 0.1)[0][:, 2].min()
    assert body.GetPos().z == pytest.approx(LAW.rest_distance(9.81) + radius - lowest, abs=1e-7)


@pytest.mark.parametrize("cells", [10, 20])
def test_a_mesh_of_many_triangles_rests_on_a_slope_for_a_minute(cells):
    """At most 10 um of drift in 60 s at 1 ms, and no jitter."""
    angle = math.radians(20.0)
    system, surface = colliding_system("nsc", (9.81 * math.sin(angle), 0.0, -9.81 * math.cos(angle)))
    surface.SetFriction(0.6)
    shaped_body(system, mesh_shape(surface, *rolling_ground(30, 2.0, 0.0)), fixed=True, name="slope")
    body = shaped_body(system, mesh_shape(surface, *fine_box(cells, np.full(3, 0.1))), at=(0, 0, 0.1), name="box")
    with pytest.warns(UserWarning, match="open mesh"):
        pc.attach(system).take_over()
    run(system, 2.0, 1e-3)
    start = vector(body.GetPos())
    fastest = 0.0
    for second in range(60):
        run(system, 3.0 + second, 1e-3)
        fastest = max(fastest, body.GetPosDt().Length())
    assert np.linalg.norm(vector(body.GetPos()) - start) < 1e-5
    assert fastest < 1e-9


def test_contacts_keep_their_memory_when_the_list_is_built_anew():
    angle = math.radians(20.0)
    system, surface = colliding_system("nsc", (9.81 * math.sin(angle), 0.0, -9.81 * math.cos(angle)))
    surface.SetFriction(0.6)
    shaped_body(system, mesh_shape(surface, *rolling_ground(30, 2.0, 0.0)), fixed=True, name="slope")
    body = shaped_body(system, mesh_shape(surface, *fine_box(10, np.full(3, 0.1))), at=(0, 0, 0.1), name="box")
    contacts = pc.attach(system)
    with pytest.warns(UserWarning, match="open mesh"):
        taken = contacts.take_over()
    run(system, 2.0, 1e-3)
    near = taken.near
    before = dict(zip(near.keys.tolist(), near.memory["friction"].copy(), strict=True))
    loaded = near.memory["load"] > 0.0
    for _ in range(20):
        near.reference = None
        near.follow(contacts._core.stepper.now())
    after = dict(zip(near.keys.tolist(), near.memory["friction"], strict=True))
    assert loaded.sum() >= 4
    assert set(near.keys[near.memory["load"] > 0.0]) == set(np.array(list(before))[loaded])
    assert all((after[key] == friction).all() for key, friction in before.items())
    assert body.GetPosDt().Length() < 1e-9


def test_a_body_that_is_torn_away_leaves_no_stale_triangles():
    """It is set far away between two steps, while its contacts bear load."""
    system, body = on_ground(partners()["box"], (0.1, 0.05, 0.16), height=0.0)
    contacts = pc.attach(system)
    with pytest.warns(UserWarning, match="open mesh"):
        contacts.take_over(STICKING)
    run(system, 0.5, 1e-3)
    body.SetPos(pychrono().ChVector3d(0.4, 0.05, 0.5))
    run(system, 0.55, 1e-3)
    assert body.GetPosDt().z == pytest.approx(-0.05 * 9.81, rel=1e-3)
