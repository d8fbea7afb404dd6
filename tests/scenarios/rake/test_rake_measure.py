import numpy as np
import pytest

from chrono_powercontact.scenarios.rake.cases.claims import HELD, deviations, following, pushing
from chrono_powercontact.scenarios.rake.cases.measure import (
    at,
    first_contact,
    largest,
    pulling_stretches,
    spring_step,
    work_between,
)
from chrono_powercontact.scenarios.rake.motion.gauges import (
    GAUGES,
    at_times,
    columns,
    contact_heat,
    energy_gain,
    ledger_error,
    moved_work,
)
from chrono_powercontact.scenarios.rake.motion.setup import Setup
from chrono_powercontact.trajectory import Trajectory


def run_of(**given):
    """A run of eleven records over 100 s with some columns given, the others zero."""
    names = columns(2)
    data = np.zeros((11, len(names)))
    data[:, 0] = np.linspace(0.0, 100.0, 11)
    for name, values in given.items():
        data[:, names.index(name)] = values
    return Trajectory(names, data, 10)


def test_columns_begin_with_time_and_gauges():
    assert columns(2)[: 1 + len(GAUGES)] == ("t", *GAUGES)
    assert columns(2)[-2:] == ("q_1", "q_2")


def test_ledger_counts_what_came_in_and_what_left():
    ramp = np.linspace(0.0, 10.0, 11)
    balanced = run_of(drive_work=3 * ramp, outer_work=ramp, potential=2 * ramp, friction_work=ramp, damping_heat=ramp)
    assert ledger_error(balanced) == pytest.approx(np.zeros(11))
    assert ledger_error(run_of(drive_work=ramp)) == pytest.approx(-ramp)
    assert moved_work(run_of(drive_work=np.abs(ramp - 5.0))) == pytest.approx(10.0)


def test_energy_that_a_contact_gives_out_of_nothing_is_found():
    ramp = np.linspace(0.0, 10.0, 11)
    assert energy_gain(run_of(contact_work=ramp, stored=0.5 * ramp)) == 0.0
    assert contact_heat(run_of(contact_work=ramp, stored=0.5 * ramp)) == pytest.approx(0.5 * ramp)
    assert energy_gain(run_of(contact_work=-ramp)) == pytest.approx(1.0)


def test_forces_are_told_as_far_as_the_run_goes():
    told = at_times(run_of(N=np.linspace(0.0, 1000.0, 11)), "N")
    assert list(told) == ["62", "64", "68", "71", "72", "80", "90", "100"]
    assert told["62"] == pytest.approx(620.0)
    assert at(run_of(), "N", 119.0) is None
    assert largest(run_of(), "N", 110.0, 120.0, 1.0) is None


def test_first_contact_and_friction_work():
    run = run_of(N=[0.0] * 6 + [100.0] * 5, friction_work=np.linspace(0.0, 50.0, 11))
    assert first_contact(run) == 60.0
    assert first_contact(run_of()) is None
    assert work_between(run, 20.0, 40.0) == pytest.approx(10.0)


def test_a_pull_of_the_main_cylinders_is_found_and_named():
    run = run_of(F1=[10.0, 10.0, -10.0, -10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0])
    assert pulling_stretches(run) == [[15.0, 35.0]]
    check = pushing({"main_pulls": pulling_stretches(run), "f1_min": -10.0})
    assert not check.passed
    assert "would have to pull from 15.0 s to 35.0 s" in check.text
    assert pushing({"main_pulls": [], "f1_min": 10.0}).passed


def test_deviation_is_over_the_range_of_the_force():
    metrics = {"F1": {"62": 82.8e3 + 1.8e3}, "F2": {}, "N": {}, "F_t": {}}
    assert max(deviations("lc3", metrics)) == pytest.approx(0.01)
    assert following("lc3", metrics, "chrono")[0].passed
    assert not following("lc3", metrics, "reference")[0].passed


def test_what_a_run_did_not_reach_is_not_judged():
    assert following("lc3", {"F1": {}, "F2": {}, "N": {}, "F_t": {}}, "reference") == []
    assert HELD < 0.0


def test_stiff_springs_want_short_steps():
    usual = spring_step(Setup())
    assert 1.25e-3 < usual < 1.5e-3
    assert spring_step(Setup(arms="rigid")) > usual
