"""The square-root UKF against the Kalman filter and against the CDKF."""

import numpy as np
import pytest
from observer_models import LinearCase, pendulum_model, squared, still_scalar

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.observer.filters.cdkf import CDKF
from chrono_powercontact.observer.filters.ukf import UKF


@pytest.mark.parametrize(
    "numbers", [{}, {"kappa": -3.0, "beta": 0.0}, {"alpha": 0.5}], ids=["usual", "minus", "narrow"]
)
def test_on_a_linear_system_it_is_the_kalman_filter(numbers):
    case = LinearCase(seed=3)
    observer, kalman = UKF(*case.numbers(), **numbers), case.kalman()
    _, ys, us = case.simulate(200)
    for y, u in zip(ys, us, strict=True):
        observer.update(y, u)
        kalman.update(y, u)
    np.testing.assert_allclose(observer.x, kalman.x, atol=1e-10)
    np.testing.assert_allclose(observer.covariance, kalman.covariance, atol=1e-10)
    assert observer.counts.lifted == 0


def test_with_the_points_of_the_cdkf_it_predicts_the_same_mean():
    """kappa = 3 - n and beta = 0 put the points at sqrt(3) sigma with the weights of h = sqrt(3)."""
    numbers = (pendulum_model(), [1.2, -0.5], [0.04, 0.2], [1e-6, 1e-4], [1e-4], 0.1)
    first, second = CDKF(*numbers), UKF(*numbers, kappa=1.0, beta=0.0)
    np.testing.assert_allclose(first.predict([0.0]), second.predict([0.0]), atol=1e-13)
    np.testing.assert_allclose(first.covariance, second.covariance, rtol=0.02)


def test_it_agrees_with_the_cdkf_on_a_swinging_pendulum():
    numbers = (pendulum_model(), [0.9, 0.0], [1e-2] * 2, [1e-8, 1e-5], [1e-4], 0.02)
    times = 0.02 * np.arange(1, 201)
    ys, us = np.cos(3.0 * times), np.zeros((200, 1))
    first, second = CDKF(*numbers).run(ys, us), UKF(*numbers).run(ys, us)
    np.testing.assert_allclose(first["omega"], second["omega"], atol=2e-3)
    np.testing.assert_allclose(first["sigma_omega"], second["sigma_omega"], rtol=2e-2)


def test_a_factor_that_cannot_be_reduced_is_kept_and_counted():
    """With beta far below zero the covariance of the squared output is not definite."""
    observer = UKF(still_scalar(squared), [0.0], [1.0], [1e-6], [1e-6], 0.1, beta=-50.0)
    observer.update([1.0])
    assert observer.counts.lifted >= 1
    assert np.isfinite(observer.x).all()
    assert observer.sigma[0] > 0.0


def test_points_that_do_not_spread_are_refused():
    with pytest.raises(ParameterError, match="kappa above -1"):
        UKF(still_scalar(), [0.0], [1.0], [1.0], [1.0], 0.1, kappa=-1.0)
    with pytest.raises(ParameterError, match="alpha must not be 0"):
        UKF(still_scalar(), [0.0], [1.0], [1.0], [1.0], 0.1, alpha=0.0)
