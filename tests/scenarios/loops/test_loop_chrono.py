"""The same mechanisms closed by Chrono's own joints."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.loops.free_bodies import SETTLED
from chrono_powercontact.scenarios.loops.loop_chrono import continue_from
from chrono_powercontact.scenarios.parameters import read_parameters

CASES = {
    "four_bar": {"time": 0.1},
    "double_rocker": {"time": 0.1},
    "slider_crank": {"time": 0.22},
    "leg": {"time": 0.31},
}


def both(name, given):
    scenario = find(name)
    p = read_parameters(scenario.parameters_on("chrono"), given)
    on_chrono = scenario.run(p, engine="chrono")
    return scenario, on_chrono, scenario.run(read_parameters(scenario.parameters, given))


@pytest.mark.chrono
@pytest.mark.parametrize("name", CASES)
def test_twin_meets_the_claim_and_has_the_reactions_of_the_reference_engine(name):
    scenario, twin, reference = both(name, CASES[name])
    assert twin.passed is True, [check.text for check in twin.checks if not check.passed]
    late = (twin.trajectory["t"] > 2 * SETTLED) & (twin.trajectory["t"] < 0.999 * CASES[name]["time"])
    t = twin.trajectory["t"][late]
    for i in (1, 2):
        column = f"R_{scenario.cut}_{i}"
        expected = np.interp(t, reference.trajectory["t"], reference.trajectory[column])
        scale = np.linalg.norm(scenario.reaction(reference.trajectory), axis=1).max()
        assert np.abs(twin.trajectory[column][late] - expected).max() < 5e-3 * scale


@pytest.mark.chrono
def test_motors_of_the_leg_have_the_loads_of_the_digest_on_chrono():
    _, twin, _ = both("leg", {"time": 0.31})
    assert twin.metrics["tau_at_digest_time"] == pytest.approx(10.26427, abs=1e-4)
    assert twin.metrics["F_at_digest_time"] == pytest.approx(-6.74587, abs=1e-4)


def test_angles_count_on_from_the_start():
    angles = np.array([-3.0, 3.1, 2.9]) % (2 * np.pi)
    continue_from(3.2 + 2 * np.pi, angles)
    assert angles == pytest.approx(np.array([3.283185, 3.1, 2.9]) + 2 * np.pi, abs=1e-5)


@pytest.mark.chrono
@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "leg"])
def test_the_claim_holds_up_to_the_longest_step_of_chronos_joints_and_not_far_beyond(name):
    scenario = find(name)
    longest = scenario.step_limit("chrono", scenario.parameters_on("chrono").read({})).step
    for step, holds in ((longest, True), (5.0 * longest, False)):
        p = read_parameters(scenario.parameters_on("chrono"), {"step": step})
        assert scenario.run(p, engine="chrono").passed is holds
