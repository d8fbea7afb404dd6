"""Steps that do not go through our DoStepDynamics: Chrono's own method is what C++ code calls."""

import pytest
from taken import ball, colliding_system, plate

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.api.foreign_steps import following_class
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit.step_context import IN_PYTHON, MODE

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


def linked_balls():
    """Two balls in a rigid joint fall on a plate, with a solver of 37 iterations."""
    chrono = pychrono()
    system, surface = colliding_system()
    system.SetSolverType(chrono.ChSolver.Type_PSOR)
    system.GetSolver().AsIterative().SetMaxIterations(37)
    plate(system, surface)
    low = ball(system, surface, at=(0, 0, 0.15))
    high = ball(system, surface, at=(0.1, 0, 0.4))
    joint = chrono.ChLinkLockLock()
    joint.Initialize(low, high, chrono.ChFramed())
    system.AddLink(joint)
    contacts = pc.attach(system)
    contacts.take_over()
    return system, high, contacts


def test_such_steps_are_computed_without_python_too():
    ends = []
    for steps_of_cpp in (False, True):
        system, high, contacts = linked_balls()
        for _ in range(300):
            if steps_of_cpp:
                step_as_cpp(system, 1)
            else:
                system.DoStepDynamics(STEP)
        stepper = core_of(contacts).stepper
        assert stepper.routine.mode != IN_PYTHON
        assert stepper.routine.hands_over_all
        ends.append((high.GetPos().x, high.GetPos().y, high.GetPos().z))
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)


def test_after_such_a_step_all_is_as_a_script_expects():
    system, _, contacts = linked_balls()
    stepper = core_of(contacts).stepper
    solver = system.GetSolver().AsIterative()
    spared = 0
    for _ in range(120):
        step_as_cpp(system, 1)
        spared += solver.GetIterations() == 1
        assert solver.GetMaxIterations() == 37
        assert stepper.context.words[MODE] == IN_PYTHON
        assert not stepper.followed
    assert spared > 100
    system.DoStepDynamics(STEP)
    assert solver.GetMaxIterations() == 37
    assert contacts.energy().exchanged < 0.0
