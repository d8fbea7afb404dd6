"""The EKF: the Kalman filter on linear models, analytic Jacobians on others, and bad input."""

import numpy as np
import pytest
from observer_models import LinearCase, pendulum_model

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.observer.filters.cdkf import CDKF
from chrono_powercontact.observer.filters.ekf import EKF


@pytest.mark.parametrize(("n", "r", "m", "steps"), [(6, 2, 2, 1), (4, 0, 1, 3)])
def test_on_a_linear_system_it_is_the_kalman_filter(n, r, m, steps):
    case = LinearCase(n, r, m, seed=n, steps=steps)
    observer, kalman = EKF(*case.numbers()), case.kalman()
    _, ys, us = case.simulate(200)
    for y, u in zip(ys, us, strict=True):
        observer.update(y, u)
        kalman.update(y, u)
    np.testing.assert_allclose(observer.x, kalman.x, atol=1e-8)
    np.testing.assert_allclose(observer.covariance, kalman.covariance, atol=1e-8)


def test_its_mean_runs_through_the_model_alone_and_its_covariance_through_the_jacobian():
    """One short sample of the pendulum, against F P F^T + Q with the derivative of sin; the CDKF's mean differs."""
    model = pendulum_model()
    x_0, p_0, h = np.array([1.0, 0.5]), np.array([0.3, 0.2]) ** 2, 1e-4
    observer = EKF(model, x_0, p_0, [1e-12, 1e-12], [1.0], h)
    observer.predict([0.0])
    g = float(model.p[0])
    a = np.array([[0.0, 1.0], [-g * np.cos(x_0[0]), 0.0]])
    f = np.eye(2) + h * a + 0.5 * h * h * a @ a
    expected = f @ np.diag(p_0) @ f.T + 1e-12 * np.eye(2)
    np.testing.assert_allclose(observer.covariance, expected, rtol=1e-4)
    sure = CDKF(model, x_0, [1e-24, 1e-24], [1e-24, 1e-24], [1.0], h)
    np.testing.assert_allclose(observer.x, sure.predict([0.0]), rtol=1e-12)
    spread = CDKF(model, x_0, p_0, [1e-12, 1e-12], [1.0], h)
    assert abs(spread.predict([0.0])[1] - observer.x[1]) > 1e-6


@pytest.mark.parametrize("difference", [0.0, 2.0, -1e-3])
def test_a_bad_difference_is_refused(difference):
    with pytest.raises(ParameterError, match="difference must lie between 0 and 1, got"):
        EKF(pendulum_model(), [0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0], 0.01, difference=difference)


@pytest.mark.parametrize(
    ("jacobians", "error", "words"),
    [("exact", ParameterError, "this model has no exact derivatives"), ("nice", UnknownNameError, "'nice'")],
)
def test_jacobians_that_are_not_there_are_refused(jacobians, error, words):
    with pytest.raises(error, match=words):
        EKF(pendulum_model(), [0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0], 0.01, jacobians=jacobians)


def test_auto_takes_differences_where_the_model_has_no_derivatives():
    assert not EKF(pendulum_model(), [0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0], 0.01, jacobians="auto").exact
