import numpy as np
import pytest
from scene import chronos_contacts, run
from taken import GRIP, LAW, SLICK, ball, colliding_system, cube_hull, plate, prism_hull, shaped_body, square_mesh

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.geometry import locate
from chrono_powercontact.chrono.contact.records import ELEMENT, GEOMETRY, MEMORY, empty
from chrono_powercontact.chrono.takeover.contact_patch import FOUND
from chrono_powercontact.chrono.takeover.frozen import freeze, moving, nearest_memory

pytestmark = [pytest.mark.chrono, pytest.mark.usefixtures("without_coal")]


@pytest.mark.parametrize("method", ["smc", "nsc"])
def test_a_hull_rests_on_a_plate_with_its_weight(method):
    system, surface = colliding_system(method)
    plate(system, surface)
    body = shaped_body(system, cube_hull(surface), at=(0, 0, 0.1))
    contacts = pc.attach(system)
    contacts.take_over(GRIP)
    run(system, 0.3)
    loads = []
    while system.GetChTime() < 0.5:
        system.DoStepDynamics(1e-4)
        loads.append(contacts.forces()["force"].sum())
    forces = contacts.forces()
    assert chronos_contacts(system) == 0
    assert np.mean(loads) == pytest.approx(9.81, rel=0.01)
    assert forces["normal"][:, 2] * np.where(forces["body_a"] == "plate", -1, 1) == pytest.approx(1.0, abs=1e-3)
    assert body.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81 / 4), abs=5e-5)


def test_a_ball_rests_on_a_mesh():
    """The mesh is thickened by 2 mm; on the common edge of its triangles there are two contacts."""
    system, surface = colliding_system()
    shaped_body(system, square_mesh(surface), fixed=True, name="mesh")
    body = ball(system, surface, at=(0, 0, 0.1022))
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    run(system, 0.5)
    forces = contacts.forces()
    assert forces["force"].sum() == pytest.approx(9.81, rel=1e-3)
    rest = LAW.rest_distance(9.81 / len(forces))
    assert body.GetPos().z == pytest.approx(0.102 + rest, abs=1e-6)


def test_a_prism_stands_and_is_given_back_on_detach():
    system, surface = colliding_system()
    plate(system, surface)
    body = shaped_body(system, prism_hull(surface), at=(0, 0, 0.1))
    before = body.GetCollisionModel().GetEnvelope()
    contacts = pc.attach(system)
    contacts.take_over(GRIP)
    run(system, 0.3)
    assert body.GetPos().z == pytest.approx(0.1, abs=3e-4)
    assert body.GetCollisionModel().GetEnvelope() > before
    contacts.detach()
    assert body.GetCollisionModel().GetEnvelope() == before
    run(system, 0.6)
    assert chronos_contacts(system) > 0


def test_own_shapes_beside_foreign_ones_keep_their_precision():
    system, surface = colliding_system()
    plate(system, surface)
    shaped_body(system, prism_hull(surface), at=(1, 0, 0.1))
    body = ball(system, surface, at=(0, 0, 0.1), name="ball")
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    run(system, 0.5)
    assert body.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81), abs=1e-9)
    assert (contacts.forces()["body_a"] == "ball").sum() == 1


@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_a_hull_that_falls_is_caught(step):
    system, surface = colliding_system("nsc")
    plate(system, surface)
    body = shaped_body(system, prism_hull(surface), at=(0, 0, 0.5))
    pc.attach(system).take_over()
    run(system, 1.5, step)
    assert body.GetPos().z == pytest.approx(0.1, abs=1e-3)


def test_a_hull_in_the_air_feels_nothing():
    system, surface = colliding_system()
    plate(system, surface)
    body = shaped_body(system, prism_hull(surface), at=(0, 0, 1.0))
    contacts = pc.attach(system)
    contacts.take_over(GRIP)
    run(system, 0.1)
    assert len(contacts.forces()) == 0
    assert body.GetPosDt().z == pytest.approx(-0.981, rel=1e-9)


def test_a_frozen_contact_has_the_gap_and_normal_that_were_found():
    turn = np.array((0.5, 0.5, 0.5, 0.5))
    x = np.concatenate([(1.0, 2, 3), turn, (0.5, 0, 0), (1.0, 0, 0, 0)])
    found = np.array([((0.3, 0.4, 0.5), (0.0, 0.6, 0.8), -0.01, 0, 1, (0, 0))], FOUND)
    r, elements, shapes = np.zeros((2, 3, 3)), empty(ELEMENT, 1), empty(GEOMETRY, 1)
    rotations(x, r)
    freeze(found, x, r, elements, shapes)
    gap = locate(x, r, elements[0], shapes[0])
    assert gap.gap == pytest.approx(-0.01)
    assert gap.normal == pytest.approx((0.0, 0.6, 0.8))
    assert np.array(gap.point) == pytest.approx((0.3, 0.4 + 0.005 * 0.6, 0.5 + 0.005 * 0.8))


def test_memory_goes_to_the_nearest_contact_of_the_same_bodies_once():
    elements, shapes, memory = empty(ELEMENT, 3), empty(GEOMETRY, 3), empty(MEMORY, 3)
    old_elements, old_shapes, old = empty(ELEMENT, 2), empty(GEOMETRY, 2), empty(MEMORY, 2)
    elements["b"], old_elements["b"] = (1, 1, 2), (1, 2)
    shapes["a0"], old_shapes["a0"] = [(0.0, 0, 0), (0.1, 0, 0), (0, 0, 0)], [(0.02, 0, 0), (5.0, 0, 0)]
    old["held"], old["load"] = [(1.0, 2, 3), (4, 5, 6)], (7.0, 8.0)
    nearest_memory(elements, shapes, old_elements, old_shapes, old, memory)
    assert memory["held"].tolist() == [[1, 2, 3], [0, 0, 0], [4, 5, 6]]
    assert memory["load"].tolist() == [7, 0, 8]


def test_the_ledger_says_that_it_stays_open_and_what_was_exchanged_is_right():
    """A prism that slides, whose contacts Chrono finds anew in each step."""
    system, surface = colliding_system()
    plate(system, surface)
    body = shaped_body(system, prism_hull(surface), at=(0, 0, 0.1), velocity=(0.5, 0, 0))
    contacts = pc.attach(system)
    contacts.take_over(GRIP)
    assert not contacts.energy().found_anew

    def held():
        return 0.5 * body.GetPosDt().Length2() + 0.002 * body.GetAngVelLocal().Length2() + 9.81 * body.GetPos().z

    before = held()
    run(system, 0.2, 1e-3)
    energy = contacts.energy()
    assert energy.found_anew
    assert "it does not close, because contacts were found anew" in str(energy)
    assert energy.exchanged == pytest.approx(held() - before, rel=1e-6)


def test_where_all_shapes_are_ours_the_ledger_closes():
    system, surface = colliding_system()
    plate(system, surface)
    ball(system, surface, at=(0, 0, 0.12))
    contacts = pc.attach(system)
    contacts.take_over(GRIP)
    run(system, 0.2, 1e-3)
    energy = contacts.energy()
    assert not energy.found_anew
    assert "does not close" not in str(energy)
    assert abs(energy.error) < 1e-9


class Body:
    """A body that is fixed or not."""

    def __init__(self, fixed):
        self.IsFixed = lambda: fixed


def test_contacts_between_bodies_that_do_not_move_are_left_out():
    found = np.zeros(4, FOUND)
    found["a"] = [0, 0, 1, 2]
    found["b"] = [1, 2, 2, 3]
    bodies = [Body(True), Body(True), Body(False), Body(True)]
    assert moving(found, bodies)[["a", "b"]].tolist() == [(0, 2), (1, 2), (2, 3)]
    assert len(moving(found[:1], bodies)) == len(moving(found[:0], bodies)) == 0


@pytest.mark.parametrize("many", [3, 300])
def test_a_fixed_mesh_on_a_fixed_plate_carries_as_alone(many):
    """Chrono finds their contacts too: they need no material, and count nowhere."""
    system, surface = colliding_system()
    plate(system, surface)
    shaped_body(system, square_mesh(surface), fixed=True, name="mesh")
    ball(system, surface, at=(0, 0, 0.1022), name="ball")
    contacts = pc.attach(system)
    contacts.take_over()
    for _ in range(many):
        system.DoStepDynamics(1e-3)
    forces = contacts.forces()
    assert all("ball" in (row["body_a"], row["body_b"]) for row in forces)
    assert system.GetNumContacts() == len(forces) > 0
    assert contacts.energy().stored < 0.01
