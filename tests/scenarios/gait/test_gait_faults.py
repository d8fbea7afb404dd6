"""Alarms of the observer in the loop: each goes off for its own fault, in time, and for nothing else."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.gait.control.chrono_plant import ChronoPlant
from chrono_powercontact.scenarios.gait.control.mishaps import Mishap
from chrono_powercontact.scenarios.gait.control.patients import patient_of
from chrono_powercontact.scenarios.gait.faults import jumps
from chrono_powercontact.scenarios.gait.faults.alarm_rate import expected_per_day, tail_beyond
from chrono_powercontact.scenarios.gait.faults.alarms import LIMITS, departure, equal_readings, first_alarms
from chrono_powercontact.scenarios.gait.faults.fault_runs import watched_leg


@pytest.mark.parametrize(("fault", "delay"), [("wear", 5.0), ("spasm", 0.1), ("stop", 0.1), ("sensor", 0.1)])
def test_a_fault_is_noticed_in_time_and_nothing_else_is(outcome, fault, delay):
    """At 5 s the slide turns, where a kick that the observer is not ready for passes for worn friction."""
    time = 5.0 + (5.0 if fault == "wear" else 1.0)
    result = outcome("gait_faults", fault=fault, begin=5.0, time=time, seeds=1)
    assert result.passed, result.checks
    assert 0.0 < result.metrics["longest_delay"] < delay


def test_without_doubt_a_kick_at_the_turn_of_the_slide_passes_for_wear(monkeypatch):
    monkeypatch.setattr(jumps, "SURPRISE", np.inf)
    found = first_alarms(watched_leg("stop", 1, 5.0, 6.0))
    assert found["stop"] > 5.2
    assert found["wear"] < 6.0


def test_the_exported_filter_notices_the_same(outcome):
    """In C the same kick is noticed in the same sample."""
    python, c = (watched_leg("stop", 1, 5.0, 5.3, in_c) for in_c in (False, True))
    assert first_alarms(python) == first_alarms(c)
    np.testing.assert_allclose(c["est_patient"], python["est_patient"], atol=1e-6)


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


def test_the_tail_of_the_highest_values_tells_how_often_a_limit_is_passed():
    """Highest of 1000 normal values: 0.0034 of them exceed 4.5. Gumbel's tail, to which they tend, is the heavier."""
    highest = np.random.default_rng(2).standard_normal((500, 1000)).max(axis=1)
    assert 0.0034 < tail_beyond(highest, 4.5) < 0.015
    assert tail_beyond([1.0, 1.0], 0.5) == 1.0


def test_alarms_expected_a_day_add_up_and_need_enough_legs():
    rising = np.linspace(1.0, 3.0, 12)
    calm = np.full(12, 1e-9)
    one = expected_per_day({"spasm": rising.tolist(), "stop": calm.tolist()}, 300.0)
    assert one == pytest.approx(288.0 * tail_beyond(rising.tolist(), LIMITS["spasm"]))
    assert np.isnan(expected_per_day({"spasm": [1.0, 2.0]}, 300.0))
