import numpy as np
import pytest
from scipy.linalg import expm, solve_discrete_are

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.observer.filters.kalman import KalmanFilter, rk4_transition


def test_the_transition_of_rk4_is_the_exponential_to_fifth_order():
    a = np.array([[0.0, 1.0], [-4.0, -0.5]])
    errors = [np.abs(rk4_transition(a, h) - expm(h * a)).max() for h in (0.1, 0.05)]
    assert errors[0] / errors[1] == pytest.approx(32.0, rel=0.15)
    np.testing.assert_allclose(rk4_transition(a, 0.1, 50), expm(0.1 * a), atol=1e-9)


def test_the_covariance_settles_at_the_solution_of_the_riccati_equation():
    a, b, c = np.array([[1.0, 0.1], [0.0, 0.9]]), np.zeros((2, 0)), np.array([[1.0, 0.0]])
    q_p, r_m = np.diag([0.01, 0.02]), np.array([[0.3]])
    kalman = KalmanFilter(a, b, c, q_p, r_m, np.zeros(2), np.eye(2))
    for _ in range(400):
        kalman.update([0.0])
    predicted = solve_discrete_are(a.T, c.T, q_p, r_m)
    gain = predicted @ c.T @ np.linalg.inv(c @ predicted @ c.T + r_m)
    np.testing.assert_allclose(kalman.covariance, (np.eye(2) - gain @ c) @ predicted, atol=1e-10)


def test_a_constant_is_estimated_by_its_mean():
    one, none = np.eye(1), np.zeros((1, 0))
    kalman = KalmanFilter(one, none, one, [1e-20], [1.0], [0.0], [1e9])
    values = np.random.default_rng(4).normal(size=50)
    for value in values:
        kalman.update([value])
    assert kalman.x[0] == pytest.approx(values.mean(), abs=1e-7)
    assert kalman.covariance[0, 0] == pytest.approx(1.0 / 50.0, rel=1e-6)


def test_matrices_of_the_wrong_shape_are_named():
    one, none = np.eye(2), np.zeros((2, 0))
    with pytest.raises(ParameterError, match="c must have the shape"):
        KalmanFilter(one, none, np.eye(3), one, one, np.zeros(2), one)
    with pytest.raises(ParameterError, match="q_p must be 2 x 2"):
        KalmanFilter(one, none, one, np.eye(3), one, np.zeros(2), one)
    with pytest.raises(ParameterError, match="b must have the shape"):
        KalmanFilter(one, np.zeros((3, 1)), one, one, one, np.zeros(2), one)
