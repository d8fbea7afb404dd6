import gc

import pytest
from scene import empty_system, falling_cube, new_body, run

from chrono_powercontact.chrono.api.bridge import set_integrator
from chrono_powercontact.chrono.load.step_clock import StepClock
from chrono_powercontact.errors import SystemChangedError

pytestmark = pytest.mark.chrono


def clock_on(integrator="euler_implicit_linearized"):
    system = empty_system(0.0, integrator)
    new_body(system)
    return system, StepClock(system)


def test_a_step_begins_once():
    system, clock = clock_on()
    assert clock.steps == -1
    assert clock.read() == (True, 0.0)
    assert clock.read() == (False, 0.0)
    system.DoStepDynamics(1e-3)
    assert clock.read() == (True, pytest.approx(1e-3))
    assert clock.read()[0] is False
    assert clock.steps == 1


def test_time_is_counted_from_the_last_commit():
    system, clock = clock_on()
    run(system, 5e-3, 1e-3)
    assert clock.now() == pytest.approx(5e-3)
    assert clock.since_commit() == pytest.approx(5e-3)
    clock.committed = 3e-3
    assert clock.since_commit() == pytest.approx(2e-3)


def test_a_clock_that_is_made_while_it_runs_counts_from_then_on():
    system, _ = clock_on()
    run(system, 5e-3, 1e-3)
    assert StepClock(system).since_commit() == 0.0


@pytest.mark.parametrize(
    ("integrator", "once"),
    [("euler_implicit_linearized", True), ("euler_implicit_projected", True), ("hht", False), ("runge_kutta", False)],
)
def test_linearised_integrators_ask_for_forces_once_a_step(integrator, once):
    _, clock = clock_on(integrator)
    clock.read_integrator()
    assert clock.once is once


def test_another_integrator_is_seen_when_it_is_read():
    system, clock = clock_on()
    clock.read_integrator()
    set_integrator(system, "runge_kutta")
    assert clock.once
    clock.read_integrator()
    assert not clock.once


def test_a_system_that_is_gone_is_named():
    system, clock = clock_on()
    del system
    gc.collect()
    for ask in (lambda: clock.system, clock.now, clock.since_commit, clock.linearized):
        with pytest.raises(SystemChangedError, match=r"^the Chrono system of this attachment no longer exists$"):
            ask()


def test_an_attachment_outlives_its_system_and_says_so():
    system, cube, contacts = falling_cube(height=0.1)
    run(system, 0.01)
    del system, cube
    gc.collect()
    for ask in (contacts.energy, contacts.forces):
        with pytest.raises(SystemChangedError, match="no longer exists"):
            ask()
