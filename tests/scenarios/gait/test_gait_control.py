"""The leg in closed loop: both engines, controllers, observers, and drives at their limits."""

import numpy as np
import pytest

from chrono_powercontact.app.runner import choose_engine, execute
from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.gait.control.control_observers import held_acceleration, riding_observer
from chrono_powercontact.scenarios.gait.control.gait_motions import gait_motion
from chrono_powercontact.scenarios.gait.control.leg_plants import controlled_stage
from chrono_powercontact.scenarios.gait.leg.leg_kinematics import poses_along
from chrono_powercontact.scenarios.gait.leg.trainer_leg import REST, Leg


def controlled(engine="reference", **given):
    return execute(find("gait_control"), {"time": 4.5, **given}, engine).outcome


def test_compensation_is_far_better_than_pd_and_knows_the_patient():
    """At stake is the stop of exercise 2; with noise, LuGre friction and a patient as strong as that friction."""
    result = controlled(exercise=2)
    metrics = result.metrics
    assert result.passed, result.checks
    assert metrics["tracking_rms"] < 0.2 * metrics["tracking_rms_pd"]
    assert 0.0 < metrics["patient_torque_rms"] < 0.1 * metrics["patient_torque_range"]
    assert metrics["nis_inside"] > 0.9
    assert 0.0 < metrics["update_time"] < 0.1


@pytest.mark.parametrize("filter", ["ukf", "ekf", "ekf_exact"])
def test_other_filters_do_it_too(filter):
    assert controlled(filter=filter, time=2.5).metrics["tracking_rms"] < 3e-3


def test_the_adaptive_observer_finds_the_ankle_mass():
    result = controlled(plant="heavy", observer="adaptive", time=5.5)
    assert result.metrics["ankle_mass"] == pytest.approx(1.2 * Leg().m_sg, rel=0.02)
    assert result.passed, result.checks


def test_a_stop_that_comes_and_goes_is_told_from_the_patient():
    """Tapping on the stop, mass and friction are soon found with a patient in the trainer; the stop takes longer."""
    found = controlled(plant="changed", observer="augmented", exercise=4, time=9.0).metrics
    assert found["ankle_mass"] == pytest.approx(1.2 * Leg().m_sg, rel=0.02)
    assert 1.0 + found["slide_level"] == pytest.approx(1.1, rel=0.02)
    assert found["knee_stop"] == pytest.approx(controlled_stage("changed").knee.r_c, rel=0.12)


def test_pd_with_a_filtered_difference_tracks_like_pd_and_drives_more_calmly():
    plain, filtered = (controlled(controller=name, time=2.5) for name in ("pd", "pd_filtered"))
    assert filtered.metrics["tracking_rms"] == pytest.approx(plain.metrics["tracking_rms"], rel=0.2)
    calm, rough = (np.abs(np.diff(run.trajectory["M"])).mean() for run in (filtered, plain))
    assert calm < rough


def test_learning_improves_from_cycle_to_cycle():
    run = controlled(controller="learning", time=10.0).trajectory
    error = [run["error"][(run["t"] >= begin) & (run["t"] < begin + 4.5)] for begin in (1.0, 5.5)]
    assert np.sqrt(np.mean(error[1] ** 2)) < 0.7 * np.sqrt(np.mean(error[0] ** 2))


def test_a_drive_at_its_limit_is_counted_and_fails_the_claim():
    result = controlled(torque_limit=10.0, time=3.0)
    assert result.metrics["saturated"] > 0.05
    assert result.metrics["peak_torque"] == 10.0
    assert not result.passed


def test_the_same_seed_gives_the_same_run_and_another_another():
    first, again, other = (controlled(time=1.5, seed=seed).trajectory for seed in (1, 1, 2))
    np.testing.assert_array_equal(first["est_patient"], again["est_patient"])
    assert np.abs(first["measured_phi"] - other["measured_phi"]).max() > 1e-4


@pytest.mark.chrono
def test_on_chrono_it_is_the_same_leg():
    ours, chrono = (controlled(engine, exercise=2, time=1.7) for engine in ("reference", "chrono"))
    assert chrono.metrics["tracking_rms"] < 0.5 * chrono.metrics["tracking_rms_pd"]
    assert chrono.metrics["tracking_rms_pd"] == pytest.approx(ours.metrics["tracking_rms_pd"], rel=0.02)
    np.testing.assert_allclose(chrono.trajectory["s"], ours.trajectory["s"], atol=1e-3)


def test_the_parameter_engine_chooses_too():
    scenario = find("gait_control")
    assert choose_engine(scenario, {"engine": "reference"}, "auto")[0] == "reference"
    with pytest.raises(ParameterError, match="engine=reference was set"):
        choose_engine(scenario, {"engine": "reference"}, "chrono")
    with pytest.raises(ParameterError, match="engine=chrono needs PyChrono"):
        execute(scenario, {"engine": "chrono", "time": 1.1}, "reference")


@pytest.mark.parametrize("exercise", [1, 2, 3, 4])
def test_a_motion_begins_at_rest_within_reach_and_its_derivatives_fit(exercise):
    motion = gait_motion(exercise)
    np.testing.assert_allclose(motion.position[0], REST, atol=1e-6)
    np.testing.assert_allclose(motion.speed[0], 0.0, atol=1e-6)
    slope = np.gradient(motion.position, motion.t, axis=0)
    np.testing.assert_allclose(slope[2:-2], motion.speed[2:-2], atol=5e-3)
    slope = np.gradient(motion.speed, motion.t, axis=0)
    np.testing.assert_allclose(slope[2:-2], motion.acceleration[2:-2], atol=0.1)
    pose = poses_along(Leg(), motion.position[:, 0], motion.position[:, 1])
    assert pose["stretch"].max() < 0.9999
    assert (pose["knee_angle"].min() < 0.0) == (exercise in (2, 4))


def test_the_noise_of_a_held_acceleration_has_rank_one_for_each_axis():
    q_p = held_acceleration((2.0, 3.0), 0.1, 5)
    assert np.linalg.matrix_rank(q_p) == 2
    assert q_p[0, 2] == pytest.approx(0.5 * 0.1**3 * 4.0)
    assert q_p[4, 4] == 0.0


def test_unknown_observers_are_refused():
    with pytest.raises(UnknownNameError, match="unknown observer 's5'"):
        riding_observer("s5", np.array(REST), (1e-3, 1e-3))
    with pytest.raises(UnknownNameError, match="unknown filter 'kf'"):
        riding_observer("s4", np.array(REST), (1e-3, 1e-3), "kf")
