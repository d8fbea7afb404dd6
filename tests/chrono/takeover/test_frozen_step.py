"""Contacts that Chrono finds in steps without Python: the same motion, to the last bit, as with it."""

import numpy as np
import pytest
from taken import ball, colliding_system, plate, prism_hull, shaped_body, square_mesh

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.contact.contact_table import Instant
from chrono_powercontact.chrono.implicit import step_context as on
from chrono_powercontact.chrono.load.routine import Routine
from chrono_powercontact.chrono.takeover.frozen_step import DEEPEST, LIMITS, NUMBERS, widest_gap
from chrono_powercontact.scenarios.adoption.geneva import collision_2d

pytestmark = [pytest.mark.chrono, pytest.mark.usefixtures("without_coal")]

STEP = 2e-3
CALLS = ("GetPos", "GetPosDt", "GetAngVelLocal", "GetContactForce")
READ = len(CALLS)
FORCE = READ - 1
"""How many vectors are read of each body, and which of them is the force."""


def falling_prism():
    """A prism that falls on a plate at an angle, bounces, and slides."""
    chrono = pychrono()
    system, surface = colliding_system("nsc")
    surface.SetRestitution(0.4)
    plate(system, surface)
    body = shaped_body(system, prism_hull(surface), at=(0, 0, 0.3), velocity=(1.0, 0.2, 0.0))
    body.SetRot(chrono.QuatFromAngleX(0.3))
    return system


def balls_on_a_mesh():
    """Balls that fall on a mesh, one after the other, and on each other."""
    system, surface = colliding_system("nsc")
    shaped_body(system, square_mesh(surface), fixed=True)
    for i in range(3):
        ball(system, surface, at=(0.03 * i, 0, 0.15 + 0.25 * i))
    return system


def geneva():
    """Paths in the plane, on bodies that links hold."""
    return collision_2d().system


SCENES = {"prism": (falling_prism, 500), "balls": (balls_on_a_mesh, 400), "geneva": (geneva, 400)}


def ride(scene, count, change=None):
    """States and contact forces of all bodies in each step, the modes of the steps, and what was taken over."""
    system = scene()
    contacts = pc.attach(system)
    contacts.take_over()
    rows = []
    modes = []
    for i in range(count):
        if change is not None and i == count // 2:
            change(system, contacts)
        system.DoStepDynamics(STEP)
        vectors = [getattr(body, call)() for body in system.GetBodies() for call in CALLS]
        rows.append([(vector.x, vector.y, vector.z) for vector in vectors])
        modes.append(core_of(contacts).stepper.routine.mode)
    return rows, modes, core_of(contacts).taken


@pytest.mark.parametrize("name", SCENES)
def test_the_motion_is_that_of_python_to_the_last_bit(monkeypatch, name):
    found, modes, _ = ride(*SCENES[name])
    monkeypatch.setattr(Routine, "learn", lambda *arguments: None)
    expected, plain, _ = ride(*SCENES[name])
    assert found == expected
    assert set(plain) == {on.IN_PYTHON}
    assert np.count_nonzero(modes) > 0.6 * len(modes)
    assert np.abs(np.array(expected)[:, FORCE::READ]).max() > 0.0


def look(system, contacts):
    """Read all that can be read between two steps."""
    contacts.forces()
    contacts.energy()
    system.GetNumContacts()


def shorter(system, contacts):
    """A step of another length."""
    system.DoStepDynamics(0.25 * STEP)
    system.DoStepDynamics(3.0 * STEP)


CHANGES = {"a look": look, "other steps": shorter, "another body": lambda system, contacts: drop(system)}


def drop(system):
    """One more prism comes from above."""
    surface = pychrono().ChContactMaterialNSC()
    shaped_body(system, prism_hull(surface), at=(-1.0, 1.0, 0.2))


@pytest.mark.parametrize("change", CHANGES)
def test_so_it_is_with_changes_on_the_way(monkeypatch, change):
    found, modes, _ = ride(falling_prism, 300, CHANGES[change])
    monkeypatch.setattr(Routine, "learn", lambda *arguments: None)
    expected, _, _ = ride(falling_prism, 300, CHANGES[change])
    assert found == expected
    assert modes[-1] == on.AT_END


def test_a_narrow_phase_callback_that_is_registered_later_is_asked_from_then_on():
    chrono = pychrono()
    asked = []

    class Refusing(chrono.NarrowphaseCallback):
        def OnNarrowphase(self, contact):
            asked.append(contact.distance)
            return False

    refusing = Refusing()

    def register(system, contacts):
        system.GetCollisionSystem().RegisterNarrowphaseCallback(refusing)

    rows, modes, taken = ride(falling_prism, 600, register)
    assert asked
    assert modes[299] == on.AT_END
    assert not len(taken.frozen.elements)
    assert rows[-1][READ][2] < 0.0


def test_after_detach_chrono_acts_again():
    system = falling_prism()
    contacts = pc.attach(system)
    contacts.take_over()
    for _ in range(300):
        system.DoStepDynamics(STEP)
    assert core_of(contacts).stepper.routine.mode == on.AT_END
    contacts.detach()
    for _ in range(300):
        system.DoStepDynamics(STEP)
    prism = list(system.GetBodies())[1]
    assert prism.GetPos().z == pytest.approx(0.1, abs=5e-3)
    assert system.GetNumContacts() > 0


def test_the_widest_gap_is_that_of_python():
    system = falling_prism()
    contacts = pc.attach(system)
    contacts.take_over()
    for _ in range(200):
        system.DoStepDynamics(STEP)
    taken = core_of(contacts).taken
    w = np.array([0.1, -2.0, 0.3, 4.0, -0.5, 0.6, 0.0, 1.0, 0.0, 0.0, -7.0, 0.0])
    at = Instant(np.zeros(14), w, 0.0, 0.0, False)
    limits = taken._frozen_step.directory.arrays[LIMITS]
    assert len(limits) == NUMBERS
    assert limits[DEEPEST] > 0.0
    assert widest_gap(limits, w, STEP) == pytest.approx(taken._within(at), rel=1e-14)
