"""Steps that do not go through our DoStepDynamics: Chrono's own method is what C++ code calls."""

import pytest
from taken import ball, colliding_system, plate

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.foreign_steps import following_class

pytestmark = pytest.mark.chrono

STEP = 2e-3


def step_as_cpp(system, many):
    for _ in range(many):
        type(system).DoStepDynamics(system, STEP)


def fallen_on_a_late_plate():
    system, surface = colliding_system()
    falling = ball(system, surface, at=(0, 0, 0.2))
    contacts = pc.attach(system)
    contacts.take_over()
    step_as_cpp(system, 2)
    plate(system, surface)
    step_as_cpp(system, 500)
    return system, falling, contacts


def test_a_body_that_comes_between_such_steps_is_taken_over():
    system, falling, contacts = fallen_on_a_late_plate()
    assert type(system).GetNumContacts(system) == 0
    assert contacts.force_on(falling).force[2] == pytest.approx(9.81 * falling.GetMass(), rel=1e-3)


def test_nothing_is_registered_where_our_own_steps_are_taken():
    system, surface = colliding_system()
    plate(system, surface)
    ball(system, surface, at=(0, 0, 0.2))
    contacts = pc.attach(system)
    taken = contacts.take_over()
    for _ in range(3):
        system.DoStepDynamics(STEP)
    assert taken._foreign._callback is None
    step_as_cpp(system, 1)
    assert isinstance(taken._foreign._callback, following_class())


def test_after_detach_such_steps_are_chronos_own():
    system, falling, contacts = fallen_on_a_late_plate()
    contacts.detach()
    step_as_cpp(system, 20)
    assert type(system).GetNumContacts(system) > 0
    assert falling.GetPos().z > 0.0


def test_what_goes_wrong_in_the_callback_is_kept_until_it_can_be_raised():
    system, surface = colliding_system()
    ball(system, surface, at=(0, 0, 0.2))
    contacts = pc.attach(system)
    taken = contacts.take_over()
    step_as_cpp(system, 1)

    def fail():
        raise ValueError("as planned")

    taken._foreign._callback._prepare = fail
    step_as_cpp(system, 1)
    with pytest.raises(ValueError, match="as planned"):
        contacts.forces()
