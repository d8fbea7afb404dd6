"""Where Chrono adds the forces of bodies, and that forces on many bodies go there."""

import numpy as np
import pytest
from scene import run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.contact.many.places import Places, places_of
from chrono_powercontact.chrono.contact.many.step_passes import MANY

pytestmark = pytest.mark.chrono

SIDE = 48
RADIUS = 0.05


def spheres(count=SIDE**2, fixed=()):
    """A system with spheres in rows that touch a plate, taken over."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    material = chrono.ChContactMaterialSMC()
    plate = chrono.ChBodyEasyBox(12.0, 12.0, 0.2, 1000.0, False, True, material)
    plate.SetPos(chrono.ChVector3d(0, 0, -0.1))
    plate.SetFixed(True)
    system.AddBody(plate)
    for i in range(count):
        ball = chrono.ChBodyEasySphere(RADIUS, 1000.0, False, True, material)
        x, y = (0.2 * (n - 0.5 * SIDE) for n in (i % SIDE, i // SIDE))
        ball.SetPos(chrono.ChVector3d(x, y, RADIUS))
        ball.SetFixed(i in fixed)
        system.AddBody(ball)
    contacts = pc.attach(system, stepping="explicit")
    contacts.take_over()
    return system, contacts


def load_of(contacts):
    return core_of(contacts).stepper.load


def heights(system):
    return np.array([body.GetPos().z for body in system.GetBodies()])


def test_there_are_enough_bodies_for_these_tests():
    assert SIDE**2 > MANY


def test_places_are_the_offsets_of_the_bodies_that_move():
    system, contacts = spheres(6, fixed=(1, 4))
    system.DoStepDynamics(1e-4)
    places = places_of(load_of(contacts), 24).reshape(-1, 6)
    for body, own in zip(core_of(contacts).stepper.bodies, places, strict=True):
        wanted = np.full(6, -1) if body.IsFixed() else body.GetOffset_w() + np.arange(6)
        np.testing.assert_array_equal(own, wanted)


def test_looking_for_places_leaves_the_forces_as_they_are():
    system, contacts = spheres(3)
    system.DoStepDynamics(1e-4)
    load = load_of(contacts)
    before = load.q.data.copy()
    places_of(load, 18)
    np.testing.assert_array_equal(load.q.data, before)


def test_a_vector_of_another_length_is_left_alone():
    system, contacts = spheres(3)
    system.DoStepDynamics(1e-4)
    load = load_of(contacts)
    other = pychrono().ChVectorDynamicd(12)
    assert not Places(load, 18).add(load.q.data, other, 1.0)


def changed(system, change):
    """Fix, free or remove a body, or fix one and free another one."""
    bodies = list(system.GetBodies())
    if change in ("fix", "swap"):
        bodies[3].SetFixed(True)
    if change in ("free", "swap"):
        bodies[8].SetFixed(False)
    if change == "remove":
        system.RemoveBody(bodies[5])


@pytest.mark.parametrize("change", [None, "fix", "free", "swap", "remove"])
def test_many_bodies_move_as_by_chronos_own_additions(monkeypatch, change):
    found = []
    for by_chrono in (False, True):
        system, contacts = spheres(fixed=(7,))
        if by_chrono:
            monkeypatch.setattr(type(load_of(contacts)), "learn_places", lambda *_: None)
        run(system, 3e-3, 1e-4)
        changed(system, change)
        run(system, 6e-3, 1e-4)
        assert (load_of(contacts)._places is None) == by_chrono
        found.append(heights(system))
    np.testing.assert_array_equal(*found)


def test_sleeping_bodies_leave_the_additions_to_chrono():
    system, contacts = spheres()
    system.SetSleepingAllowed(True)
    for _ in range(3):
        system.DoStepDynamics(1e-4)
    assert load_of(contacts)._places is None
