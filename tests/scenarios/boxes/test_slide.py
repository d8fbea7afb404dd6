import numpy as np
import pytest

DISTANCE = 2.54842


def test_distance_of_chronos_own_test_within_half_a_per_cent(outcome):
    run = outcome("slide")
    assert run.metrics["distance"] == pytest.approx(DISTANCE, rel=5e-3)
    assert run.metrics["stop_time"] < 2.0
    assert run.passed


def test_without_memory_only_the_settling_is_left_as_error(outcome):
    assert outcome("slide", memory="static", step=1e-5).metrics["distance"] == pytest.approx(DISTANCE, rel=1e-4)


def test_memory_lengthens_the_way_by_speed_times_its_time_constant(outcome):
    late = outcome("slide", t_f=1e-3).metrics["distance"] - outcome("slide", t_f=5e-4).metrics["distance"]
    assert late == pytest.approx(5.0 * 5e-4, rel=0.05)


@pytest.mark.parametrize(("speed", "mu"), [(2.0, 0.3), (5.0, 0.8), (3.0, 0.2)])
def test_distance_follows_speed_and_friction(outcome, speed, mu):
    run = outcome("slide", speed=speed, mu=mu, memory="static", step=1e-5)
    assert run.metrics["distance"] == pytest.approx(speed**2 / (2 * mu * 9.81), rel=1e-3)


def test_all_kinetic_energy_becomes_heat_of_friction(outcome):
    run = outcome("slide").trajectory
    heat = run["friction_heat"][-1] - run["handed_back"][-1]
    assert heat == pytest.approx(0.5 * 5.0**2, rel=2e-3)
    assert np.abs(run.ledger_error).max() < 1e-5


def test_the_box_leans_forward_while_it_brakes(outcome):
    run = outcome("slide").trajectory
    sliding = (run["t"] > 0.5) & (run["t"] < 0.9)
    assert run["F_2"][sliding].mean() / run["F_1"][sliding].mean() == pytest.approx(3.0, rel=0.04)
