"""When steps are computed without Python."""

import pytest
from long_steps import box_on_slope
from scene import ROUGH, falling_cube, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import set_integrator
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit import step_context as on
from chrono_powercontact.chrono.load import routine

pytestmark = pytest.mark.chrono


def mode_after(system, contacts, step, count=10):
    for _ in range(count):
        system.DoStepDynamics(step)
    return core_of(contacts).stepper.routine.mode


def test_the_mode_follows_the_choice_by_the_step():
    for step, mode in ((1e-5, on.AT_START), (5e-3, on.AT_END)):
        system, _, contacts = box_on_slope(0.0, "auto", ROUGH)
        assert mode_after(system, contacts, step) == mode


@pytest.mark.parametrize("integrator", ["runge_kutta", "euler_implicit"])
def test_other_integrators_are_left_to_python(integrator):
    system, _, contacts = box_on_slope(0.0, "auto", ROUGH)
    set_integrator(system, integrator)
    assert mode_after(system, contacts, 1e-5) == on.IN_PYTHON


def test_a_second_attachment_leaves_both_to_python():
    system, box, contacts = box_on_slope(0.0)
    assert mode_after(system, contacts, 5e-3) == on.AT_END
    other = pc.attach(system)
    other.add(pc.Sphere(box, radius=0.01), pc.Plane(new_body(system, at=(0, 0, -1), fixed=True)), ROUGH)
    assert mode_after(system, contacts, 5e-3) == on.IN_PYTHON
    assert mode_after(system, other, 5e-3) == on.IN_PYTHON


def test_so_does_a_chrono_without_the_symbols(monkeypatch):
    monkeypatch.setattr(routine, "method_address", lambda name: 0)
    system, _, contacts = box_on_slope(0.0)
    assert mode_after(system, contacts, 5e-3) == on.IN_PYTHON


def test_vectors_that_cannot_be_viewed_are_left_to_python():
    system, _, contacts = falling_cube(shared=False)
    run(system, 0.01, 1e-4)
    assert core_of(contacts).stepper.routine.mode == on.IN_PYTHON


def test_contacts_that_come_are_learnt():
    system, box, contacts = box_on_slope(0.0)
    assert mode_after(system, contacts, 5e-3) == on.AT_END
    before = contacts.size
    contacts.add(pc.Sphere(box, radius=0.01), pc.Plane(new_body(system, at=(0, 0, -1), fixed=True)), ROUGH)
    assert contacts.size == before + 1
    assert mode_after(system, contacts, 5e-3) == on.AT_END
