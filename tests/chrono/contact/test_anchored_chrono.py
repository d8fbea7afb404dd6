"""The anchored law in Chrono: it stands still, in any frame, under every integrator, and gives no energy."""

import math

import numpy as np
import pytest
from held_scene import GRAVITY, NORMAL, STICKY, body_in, driven, numbers, place, rest_height, slope, vector
from scene import empty_system, run
from scipy.spatial.transform import Rotation

import chrono_powercontact as pc
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.contact.records import flat

pytestmark = pytest.mark.chrono

BOTTOM = (0.0, 0.0, -0.1)
INTEGRATORS = ["euler_implicit_linearized", "euler_implicit", "hht", "newmark", "runge_kutta"]


def test_cube_does_not_creep_and_slides_a_few_um_before_it_sticks():
    system, cube, _ = slope()
    start = place(cube, BOTTOM)
    run(system, 2.0)
    before = place(cube, BOTTOM)
    run(system, 4.0)
    after = place(cube, BOTTOM)
    assert np.abs(after - before).max() / 2.0 < 1e-10
    assert 0.0 < after[0] - start[0] < 10e-6


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_cube_stands_under_every_integrator(integrator):
    system, cube, contacts = slope(integrator=integrator)
    start = place(cube, BOTTOM)
    run(system, 0.5)
    friction = contacts.forces()["friction"].sum(axis=0)
    assert abs(place(cube, BOTTOM)[0] - start[0]) < 10e-6
    assert abs(cube.GetPosDt().x) < 1e-7
    assert friction[0] == pytest.approx(-GRAVITY * math.sin(math.radians(20.0)), rel=1e-4)


def test_cube_stands_with_the_jacobian_of_the_contacts():
    system, cube, _ = slope(integrator="euler_implicit", jacobian=True)
    start = place(cube, BOTTOM)
    run(system, 0.5, 5e-4)
    assert abs(place(cube, BOTTOM)[0] - start[0]) < 10e-6
    assert abs(cube.GetPosDt().x) < 1e-7


def test_beyond_the_friction_angle_it_slides_as_coulomb_says():
    system, cube, _ = slope(28.0)
    run(system, 0.5)
    before, angle = cube.GetPosDt().x, math.radians(28.0)
    run(system, 1.0)
    gained = GRAVITY * (math.sin(angle) - 0.5 * math.cos(angle)) * 0.5
    assert cube.GetPosDt().x - before == pytest.approx(gained, rel=5e-3)


def test_the_frame_does_not_matter():
    turn = Rotation.from_rotvec([0.7, -1.1, 2.3])
    runs = [slope(turn=turned) for turned in (None, turn)]
    for system, _, _ in runs:
        run(system, 0.3)
    plain, turned = (place(cube) for _, cube, _ in runs)
    assert turn.inv().apply(turned) == pytest.approx(plain, abs=1e-11)


def test_the_order_of_contacts_does_not_matter():
    places = []
    for order in ((0, 1, 2, 3), (3, 1, 0, 2)):
        system, cube, _ = slope(split=order)
        run(system, 0.3)
        places.append(place(cube))
    assert places[0] == pytest.approx(places[1], abs=1e-12)


def test_box_on_box_on_a_slope_stands():
    """Corner spheres of the upper box on the face of the lower one, which stands on the ground itself."""
    system, lower, contacts = slope(15.0)
    gap = float(NORMAL.rest_distance(0.3 * GRAVITY * math.cos(math.radians(15.0)) / 4.0)) - 0.002
    upper = body_in(system, "upper", 0.3, 0.1, (0.0, 0.0, place(lower, (0, 0, 0.1))[2] + 0.05 + gap))
    contacts.add(pc.Box(upper, 0.096, 0.002), pc.Box(lower, 0.196, 0.002), STICKY)
    run(system, 1.0)
    before = place(upper), place(lower)
    run(system, 2.0)
    assert np.abs(np.array(before) - (place(upper), place(lower))).max() < 1e-8
    forces = contacts.forces()
    held = forces["friction"][forces["body_a"] == "upper"].sum(axis=0)
    held -= forces["friction"][forces["body_b"] == "upper"].sum(axis=0)
    assert held[0] == pytest.approx(-0.3 * GRAVITY * math.sin(math.radians(15.0)), rel=1e-2)


def test_momentum_of_an_isolated_pair_is_kept():
    system = empty_system(0.0, "runge_kutta")
    pairs = [
        body_in(system, name, mass, 0.2, at) for name, mass, at in (("a", 1.0, (0, 0, 0)), ("b", 2.0, (0.25, 0.03, 0)))
    ]
    pairs[0].SetPosDt(vector((1.0, 0.2, 0.0)))
    pairs[0].SetAngVelLocal(vector((0.0, 3.0, 5.0)))
    spin = pc.SpinFriction(0.01)
    material = pc.Material(NORMAL, pc.Friction(0.5, 0.6, 1e-3, 2e-3), pc.Anchor(), spin, spin)
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(pairs[0], radius=0.1), pc.Sphere(pairs[1], radius=0.1), material)

    def momenta():
        linear, angular = np.zeros(3), np.zeros(3)
        for body in pairs:
            p, v, w = place(body), body.GetPosDt(), body.GetAngVelParent()
            own = body.GetMass() * np.array([v.x, v.y, v.z])
            linear += own
            angular += np.cross(p, own) + body.GetMass() * 0.04 / 6.0 * np.array([w.x, w.y, w.z])
        return np.concatenate([linear, angular])

    before = momenta()
    run(system, 0.2)
    assert contacts.energy().friction_heat > 1e-3  # they did touch
    assert momenta()[:3] == pytest.approx(before[:3], abs=1e-12)
    assert momenta()[3:] == pytest.approx(before[3:], abs=1e-6)


def test_a_box_on_a_turning_table_does_not_drift():
    """The anchors turn with the table: they would drag the box along a spiral if they stayed in the world."""
    system = empty_system(GRAVITY)
    ground = body_in(system, "ground", fixed=True)
    table = body_in(system, "table", 100.0, 1.0, (0.0, 0.0, 0.0))
    driven(system, table, ground, 3.0, Rotation.identity())
    cube = body_in(system, "cube", at=(0.15, 0.0, rest_height()))
    cube.SetPosDt(vector((0.0, 0.45, 0.0)))
    cube.SetAngVelParent(vector((0.0, 0.0, 3.0)))
    contacts = pc.attach(system)
    contacts.add(pc.Box(cube, 0.196, 0.002), pc.Plane(table), STICKY)

    def seen():
        at = table.TransformPointParentToLocal(cube.GetPos())
        return np.array([at.x, at.y, at.z])

    run(system, 0.6)
    before = seen()
    run(system, 0.6 + 2.0 * math.pi / 3.0)
    friction = contacts.forces()["friction"].sum(axis=0)
    assert np.abs(seen() - before).max() < 1e-6
    assert np.linalg.norm(friction) == pytest.approx(9.0 * 0.15, rel=1e-2)


def test_a_ball_between_turning_jaws_is_where_it_was_after_every_turn():
    """Gravity goes around the jaws: the normals turn through the whole circle, the anchors with them."""
    system = empty_system(GRAVITY)
    ground = body_in(system, "ground", fixed=True)
    jaws = body_in(system, "jaws", 100.0, 1.0)
    driven(system, jaws, ground, 2.0 * math.pi, Rotation.from_rotvec([-0.5 * math.pi, 0.0, 0.0]))
    ball = body_in(system, "ball", 0.1, 0.1)
    ball.SetAngVelParent(jaws.GetAngVelParent())
    half = 0.048 + float(NORMAL.rest_distance(5.0))
    contacts = pc.attach(system)
    for side in (-1.0, 1.0):
        contacts.add(pc.Sphere(ball, radius=0.05), pc.Plane(jaws, (side * half, 0, 0), (-side, 0, 0)), STICKY)

    def seen():
        at = jaws.TransformPointParentToLocal(ball.GetPos())
        return np.array([at.x, at.y, at.z])

    run(system, 1.0)
    first = seen()
    run(system, 3.0)
    assert np.abs(seen() - first).max() < 1e-7
    assert np.abs(seen()).max() < 1e-4


def test_an_open_contact_forgets():
    system, cube, contacts = slope()
    run(system, 0.1)
    assert np.linalg.norm(contacts.forces()["friction"].sum(axis=0)) > 1.0
    rest = vector(place(cube))
    system.SetGravitationalAcceleration(vector((0, 0, 0)))
    cube.SetPos(vector((0.0, 0.0, 0.2)))
    run(system, 0.101)
    assert not flat(core_of(contacts).table.memory).any()
    cube.SetPos(rest)
    cube.SetPosDt(vector((0, 0, 0)))
    cube.SetAngVelLocal(vector((0, 0, 0)))
    assert contacts.forces()["force"].sum() > 5.0
    assert np.abs(contacts.forces()["friction"]).max() < 1e-9


def test_a_cube_that_lands_on_the_slope_sticks_after_its_bounces():
    system, cube, _ = slope()
    cube.SetPos(vector((0.0, 0.0, 0.12)))
    run(system, 1.5)
    before = place(cube)
    run(system, 2.0)
    assert np.abs(place(cube) - before).max() < 1e-9


@pytest.mark.parametrize(("integrator", "allowed"), [("euler_implicit_linearized", 2e-3), ("runge_kutta", 2e-5)])
def test_ledger_closes_from_sliding_to_standstill(integrator, allowed):
    system, cube, contacts = slope(10.0, integrator)
    cube.SetPosDt(vector((0.5, 0.0, 0.0)))
    heat, energy = [], []
    while system.GetChTime() < 0.4:
        system.DoStepDynamics(1e-4)
        book, v, w = contacts.energy(), cube.GetPosDt(), cube.GetAngVelLocal()
        heat.append(book.friction_heat)
        kinetic = 0.5 * v.Length2() + 0.5 * 0.04 / 6.0 * w.Length2()
        height = -place(cube) @ numbers(system.GetGravitationalAcceleration())
        energy.append(kinetic + book.stored + height)
    lost = energy[0] - energy[-1]
    assert abs(cube.GetPosDt().x) < 1e-3
    assert lost > 0.1
    assert abs(contacts.energy().error) < allowed * lost
    assert np.diff(heat).min() > (-1e-9 if integrator == "runge_kutta" else -1e-7)
    if integrator == "runge_kutta":
        assert np.diff(energy).max() < 1e-9


def test_ledger_counts_what_an_anchor_stores():
    """Standing on the slope, the anchors hold energy that friction heat does not count."""
    system, _, contacts = slope(20.0, "runge_kutta")
    run(system, 0.5)
    book = contacts.energy()
    turned_to_heat = book.contact_heat + book.friction_heat
    assert book.friction_heat >= 0.0
    assert turned_to_heat > 0.0
    assert abs(book.error) < 1e-3 * turned_to_heat


def test_a_partner_may_leave():
    system, lower, contacts = slope(10.0)
    upper = body_in(system, "upper", 0.3, 0.1, (0.0, 0.0, 0.2 + 0.05))
    contacts.add(pc.Box(upper, 0.096, 0.002), pc.Box(lower, 0.196, 0.002), STICKY)
    run(system, 0.05)
    before = upper.GetPosDt().z
    system.RemoveBody(lower)
    system.DoStepDynamics(1e-4)
    assert upper.GetPosDt().z == pytest.approx(before - 1e-4 * 9.81 * math.cos(math.radians(10.0)), abs=1e-9)


def test_a_removed_pair_lets_go_and_a_new_one_starts_afresh():
    system, cube, contacts = slope()
    run(system, 0.1)
    before = cube.GetPosDt().x
    contacts.remove(0)
    run(system, 0.101)
    assert cube.GetPosDt().x - before == pytest.approx(GRAVITY * math.sin(math.radians(20.0)) * 1e-3, rel=1e-3)
    cube.SetPosDt(vector((0, 0, 0)))
    cube.SetAngVelLocal(vector((0, 0, 0)))
    ground = next(body for body in system.GetBodies() if body.GetName() == "ground")
    contacts.add(pc.Box(cube, 0.196, 0.002), pc.Plane(ground), STICKY)
    assert np.abs(contacts.forces()["friction"]).max() < 1e-6
    run(system, 0.6)
    assert abs(cube.GetPosDt().x) < 1e-6


def test_detaching_and_attaching_starts_afresh():
    system, cube, contacts = slope()
    run(system, 0.1)
    held = np.linalg.norm(contacts.forces()["friction"].sum(axis=0))
    contacts.detach()
    ground = next(body for body in system.GetBodies() if body.GetName() == "ground")
    again = pc.attach(system)
    again.add(pc.Box(cube, 0.196, 0.002), pc.Plane(ground), STICKY)
    cube.SetPosDt(vector((0, 0, 0)))
    cube.SetAngVelLocal(vector((0, 0, 0)))
    assert held > 3.0
    assert np.abs(again.forces()["friction"]).max() < 1e-9
    start = place(cube, BOTTOM)
    run(system, 0.6)
    assert abs(place(cube, BOTTOM)[0] - start[0]) < 10e-6
