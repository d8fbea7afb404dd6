import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.gait.leg.trainer_leg import REST, Leg
from chrono_powercontact.scenarios.gait.study.signals import EDGE, needed_input, reference, slope, smoothed

T = 0.01


def parabola():
    """A motion whose speed is linear and whose acceleration is constant."""
    t = T * np.arange(60)
    return t, np.column_stack([1.1 + 0.2 * t + 0.3 * t**2, 0.2 + 0.1 * t - 0.2 * t**2])


def test_derivatives_of_a_parabola_are_exact():
    t, y = parabola()
    found = reference(Leg(), y, T)
    inner = slice(EDGE, -EDGE)
    assert found.speed[inner] == pytest.approx(np.column_stack([0.2 + 0.6 * t, 0.1 - 0.4 * t])[inner])
    assert found.acceleration[inner] == pytest.approx(np.tile((0.6, -0.4), (len(t) - 2 * EDGE, 1)))


def test_mean_of_five_takes_white_noise_down_by_its_root():
    noise = np.random.default_rng(1).standard_normal((20_000, 1))
    assert np.nanstd(smoothed(noise)) == pytest.approx(5**-0.5, rel=0.03)


def test_ends_have_no_reference():
    found = reference(Leg(), parabola()[1], T)
    for signal, edge in ((found.position, 2), (found.speed, 3), (found.net, 4)):
        known = np.isfinite(signal).all(axis=1)
        assert np.flatnonzero(known).tolist() == list(range(edge, 60 - edge))


def test_leg_at_rest_needs_no_input():
    y = np.tile(REST, (20, 1))
    assert reference(Leg(), y, T).net[5:-5] == pytest.approx(np.zeros((10, 2)), abs=1e-8)


def test_needed_input_moves_the_bare_leg_as_measured():
    place, acceleration = np.array([[1.1, 0.2]]), np.array([[8.514936, -1.474410]])
    assert needed_input(Leg(), place, acceleration)[0] == pytest.approx((5.0, 20.0), abs=1e-5)


def test_slope_is_the_central_difference():
    assert slope(np.array([[0.0], [1.0], [4.0]]), 0.5)[1] == pytest.approx(4.0)


@pytest.mark.parametrize("shape", [(8, 2), (20, 3), (20,)])
def test_too_few_samples_are_told(shape):
    with pytest.raises(ParameterError, match="measured must have more than 8 rows of phi and s, got the shape"):
        reference(Leg(), np.zeros(shape), T)
