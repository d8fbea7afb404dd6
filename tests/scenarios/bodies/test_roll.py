import math

import pytest

SPEED = 1.813582


def test_drakes_figures(outcome):
    run = outcome("roll")
    assert run.metrics["speed"] == pytest.approx(SPEED, rel=5.5e-4)
    assert run.metrics["spin"] == pytest.approx(SPEED / 0.05, rel=5.5e-4)
    assert run.passed


@pytest.mark.parametrize("angle", [5.0, 30.0, 60.0])
def test_five_sevenths_at_any_angle_that_stiction_holds(outcome, angle):
    run = outcome("roll", angle=angle)
    assert run.metrics["speed"] == pytest.approx(5 / 7 * 9.81 * math.sin(math.radians(angle)), rel=5.5e-4)


def test_friction_is_two_sevenths_of_the_pull(outcome):
    run = outcome("roll").trajectory
    pull = 0.1 * 9.81 * math.sin(math.radians(15.0))
    assert run["Ft_ground"][run["t"] > 0.1].mean() == pytest.approx(2 / 7 * pull, rel=1e-3)


def test_rolling_loses_next_to_nothing(outcome):
    assert 0.0 <= outcome("roll").metrics["energy_loss"] < 1e-5


def test_too_little_friction_lets_it_slip(outcome):
    run = outcome("roll", angle=45, mu_s=0.2, mu_c=0.1)
    angle = math.radians(45.0)
    assert run.metrics["slip"] > 1.0
    assert run.metrics["speed"] == pytest.approx(9.81 * (math.sin(angle) - 0.1 * math.cos(angle)), rel=1e-2)
    assert run.passed
