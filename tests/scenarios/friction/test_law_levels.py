import pytest

from chrono_powercontact.laws.friction.dissipation import Dissipation
from chrono_powercontact.scenarios.friction.law_levels import creep_speed, largest_friction, peak_speed

FINE = Dissipation(1.0, 1.4, 5e-5, 1e-4, 0.1)
COARSE = Dissipation(1.0, 1.4, 0.005, 0.01, 0.1)
PLAIN = Dissipation(1.0, 1.0, 0.005)


def test_largest_static_friction_lies_a_little_above_stiction():
    assert largest_friction(FINE, 5e-4) == pytest.approx(1.4076, abs=1e-4)
    assert largest_friction(COARSE, 0.05) == pytest.approx(1.4077, abs=1e-4)


def test_a_fast_run_has_viscous_friction_too():
    assert largest_friction(COARSE, 10.0) == pytest.approx(2.0, abs=1e-6)


def test_rising_branch_ends_beyond_the_stribeck_speed():
    assert peak_speed(FINE) / 1e-4 == pytest.approx(1.112, abs=2e-3)
    assert peak_speed(COARSE) / 0.01 == pytest.approx(1.11, abs=5e-3)


@pytest.mark.parametrize(("law", "load", "speed"), [(FINE, 0.59, 2.30e-5), (COARSE, 1.13, 5.40e-3)])
def test_creep_speed_carries_the_load(law, load, speed):
    assert creep_speed(law, load) == pytest.approx(speed, rel=1e-2)
    assert float(law.force(creep_speed(law, load))) == pytest.approx(load, rel=1e-6)
    assert creep_speed(law, -load) == creep_speed(law, load)


def test_what_cannot_be_carried_has_the_speed_of_the_peak():
    assert creep_speed(FINE, 5.0) == peak_speed(FINE)
    assert creep_speed(PLAIN, 5.0) == pytest.approx(0.05)
