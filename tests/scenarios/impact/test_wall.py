import pytest

from chrono_powercontact.errors import ParameterError


def test_slow_ball_rebounds(outcome):
    metrics = outcome("wall", speed=200.0).metrics
    assert metrics["exit_velocity"] == pytest.approx(41.1786, abs=1e-4)
    assert metrics["min_distance"] == pytest.approx(-0.01050, abs=1e-5)
    assert metrics["energy_end"] == pytest.approx(42.39, abs=5e-3)
    assert metrics["broke_through"] is False


def test_fast_ball_breaks_through(outcome):
    metrics = outcome("wall", speed=270.0).metrics
    assert metrics["exit_velocity"] == pytest.approx(-83.0690, abs=1e-4)
    assert metrics["energy_end"] == pytest.approx(172.51, abs=5e-3)
    assert metrics["peak_force"] == pytest.approx(10000.0, abs=0.1)
    assert metrics["least_power"] == pytest.approx(-2612e3, rel=2e-3)
    assert metrics["broke_through"] is True


@pytest.mark.parametrize("offset", [-0.5, 0.5])
def test_critical_speed_parts_the_two(outcome, offset):
    critical = outcome("wall").metrics["breakthrough_speed"]
    run = outcome("wall", speed=critical + offset)
    assert run.metrics["broke_through"] is (offset > 0)
    assert run.passed


def test_impossible_back_side_is_refused(outcome):
    with pytest.raises(ParameterError, match="s_c_back must lie between"):
        outcome("wall", s_c_back=0.2)
