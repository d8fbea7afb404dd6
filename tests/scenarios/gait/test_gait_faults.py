"""Alarms of the observer in the loop: each goes off for its own fault, in time, and for nothing else."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.gait.control.alarms import LIMITS, departure, equal_readings
from chrono_powercontact.scenarios.gait.control.chrono_plant import ChronoPlant
from chrono_powercontact.scenarios.gait.control.mishaps import Mishap
from chrono_powercontact.scenarios.gait.control.patients import patient_of


@pytest.mark.parametrize(("fault", "delay"), [("wear", 5.0), ("spasm", 0.3), ("stop", 0.3), ("sensor", 0.1)])
def test_a_fault_is_noticed_in_time_and_nothing_else_is(outcome, fault, delay):
    begin = 7.0 if fault == "stop" else 5.0
    time = begin + (5.0 if fault == "wear" else 1.0)
    result = outcome("gait_faults", fault=fault, begin=begin, time=time, seeds=1)
    assert result.passed, result.checks
    assert 0.0 < result.metrics["longest_delay"] < delay


def test_a_sound_leg_raises_no_alarm_and_stays_far_from_every_limit(outcome):
    result = outcome("gait_faults", fault="none", time=8.0, seeds=1)
    assert result.passed
    assert result.metrics["longest_delay"] != result.metrics["longest_delay"]
    for name in ("wear", "spasm", "sensor"):
        assert result.metrics[f"sound_{name}"] < 0.6 * LIMITS[name]


def test_equal_readings_are_counted_and_missing_ones_too():
    assert equal_readings(np.array([1.0, 2.0, 2.0, 2.0, 3.0, np.nan, np.nan])).tolist() == [0, 0, 1, 2, 0, 1, 2]


def test_a_torque_departs_from_its_slow_mean_at_a_jump_and_comes_back():
    torque = np.where(np.arange(300) < 100, 1.0, 8.0)
    away = departure(torque)
    assert away[100] == pytest.approx(7.0)
    assert away[-1] < 1e-3
    assert away[:100].max() == 0.0


def test_a_spasm_is_a_push_of_its_size():
    calm = patient_of(3)
    kicked = type(calm)(calm.phases, calm.strength, 5.0, -20.0)
    t = np.array([4.9, 5.2, 6.0])
    np.testing.assert_allclose(kicked.torque(t) - calm.torque(t), [0.0, -20.0, 0.0], atol=1e-12)


def test_unknown_faults_and_plants_that_cannot_wear_are_refused():
    with pytest.raises(UnknownNameError, match="unknown fault 'rust'"):
        Mishap("rust", 1.0)
    other = ChronoPlant.__new__(ChronoPlant)
    with pytest.raises(ParameterError, match="only the plant of the reference engine wears"):
        Mishap("wear", 1.0).measured(2.0, np.zeros(2), other)
