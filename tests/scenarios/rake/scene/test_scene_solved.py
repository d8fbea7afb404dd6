"""The rake cleaner on Chrono at long steps: a press on the rack against the reference engine, its ledger, the seals."""

import numpy as np
import pytest
from rake_runs import on_chrono, part_of_the_command, quiet

from chrono_powercontact.scenarios.rake.cases.measure import start_step
from chrono_powercontact.scenarios.rake.machine.machine import machine
from chrono_powercontact.scenarios.rake.machine.rack_contact import contact_law
from chrono_powercontact.scenarios.rake.motion.gauges import contact_heat, ledger_error, moved_work
from chrono_powercontact.scenarios.rake.motion.setup import Setup, run

pytestmark = pytest.mark.chrono

PRESS = (57.0, 68.0)
"""Part of the packaged command in s: the rake comes to the rack, is pressed on, and held."""
TRAVEL = (9.0, 13.0)
"""Part of the packaged command in s in which both cylinders move."""


def pressed(law, **more):
    return Setup(command=part_of_the_command(*PRESS), law=contact_law(law, 0.65, 0.5, 5e-3, 1e-2), **more)


@pytest.fixture(scope="module")
def reference():
    return {law: run(pressed(law), 5e-4, PRESS[1] - PRESS[0], quiet) for law in ("regularised", "anchored")}


@pytest.fixture(scope="module")
def presses():
    made = {}

    def press(law, step):
        if (law, step) not in made:
            made[law, step] = on_chrono(pressed(law), law, step, PRESS[1] - PRESS[0])
        return made[law, step]

    return press


def test_long_steps_are_beyond_those_with_forces_at_their_start():
    assert start_step(pressed("regularised")) < 1.5e-3
    assert start_step(pressed("anchored")) == pytest.approx(1.45e-3, rel=0.02)


@pytest.mark.parametrize("step", [5e-3, 1e-2])
def test_press_is_that_of_the_reference_engine_after_the_first_bounces(presses, reference, step):
    """The command begins with a jump of its rate, and the rake bounces on the rack from 2.5 s to 3.5 s."""
    found, known = presses("regularised", step), reference["regularised"]
    assert found["t"] == pytest.approx(known["t"])
    pressing = (known["t"] > 4.5) & (known["t"] < known["t"][-1])
    for name in ("F1", "F2", "N", "F_t", "s"):
        assert np.abs(found[name] - known[name])[pressing].max() < 0.02 * np.ptp(known[name]), name


@pytest.mark.parametrize("step", [5e-3, 1e-2])
def test_rake_rests_where_the_reference_engine_has_it_at_every_step(presses, reference, step):
    found, known = presses("regularised", step), reference["regularised"]
    for name, close in (("N", 1.0), ("F1", 10.0), ("F2", 10.0), ("x_T", 1e-7), ("z_T", 1e-7)):
        assert found[name][-2] == pytest.approx(known[name][-2], abs=close), name


@pytest.mark.parametrize("step", [5e-3, 1e-2])
def test_anchored_rake_holds(presses, step):
    held = presses("anchored", step)
    assert held["F_t"][-1] == pytest.approx(-5.5e3, abs=600.0)
    assert np.ptp(held["F_t"][held["t"] > 9.0]) < 30.0


@pytest.mark.parametrize("law", ["regularised", "anchored"])
@pytest.mark.parametrize("step", [5e-3, 1e-2])
def test_books_of_the_press_close_after_the_jump_at_its_start(presses, law, step):
    """In the first step Chrono has the lines at the lengths of its end, where the books have those of its start."""
    found = presses(law, step)
    error = ledger_error(found)[1:]
    assert np.abs(error - error[0]).max() < 2e-5 * moved_work(found)
    assert np.diff(contact_heat(found)).min() > -0.2


def test_books_of_a_travel_that_begins_at_rest_are_of_second_order():
    runs = [on_chrono(Setup(), "regularised", step, 12.0) for step in (5e-3, 1e-2)]
    fine, coarse = (np.abs(ledger_error(found)).max() for found in runs)
    assert fine < 1e-6 * moved_work(runs[0])
    assert coarse / fine == pytest.approx(4.0, rel=0.2)


def test_numerical_damping_takes_the_less_the_shorter_the_step(presses):
    fine, coarse = (presses("regularised", step)["step_loss"][-1] for step in (5e-3, 1e-2))
    assert 0.0 < fine < coarse


def test_seals_act_in_the_same_solve():
    setup = Setup(machine("v3"), "rigid", command=part_of_the_command(*TRAVEL))
    time = TRAVEL[1] - TRAVEL[0]
    fine, found = (on_chrono(setup, "regularised", step, time) for step in (1e-3, 5e-3))
    late = fine["t"] > 3.0
    for name in ("F1", "F2"):
        assert np.abs(found[name] - fine[name])[late].max() < 2e-3 * np.abs(fine[name]).max(), name
    assert np.abs(ledger_error(found)).max() < 5e-5 * moved_work(found)
