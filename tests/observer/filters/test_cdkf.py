"""The square-root CDKF against the Kalman filter, closed forms, and bad input."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from observer_models import LinearCase, cubic, direction, linear_model, pendulum_model, squared, still_scalar

from chrono_powercontact.errors import DivergedError, ParameterError, UnknownNameError
from chrono_powercontact.observer.filter_model import FilterModel
from chrono_powercontact.observer.filters.cdkf import CDKF
from chrono_powercontact.observer.filters.kalman import KalmanFilter, rk4_transition


@pytest.mark.parametrize(("n", "r", "m", "steps"), [(6, 2, 2, 1), (4, 0, 1, 3), (1, 1, 1, 1)])
def test_on_a_linear_system_it_is_the_kalman_filter(n, r, m, steps):
    case = LinearCase(n, r, m, seed=n, steps=steps)
    observer, kalman = CDKF(*case.numbers()), case.kalman()
    _, ys, us = case.simulate(200)
    for y, u in zip(ys, us, strict=True):
        observer.update(y, u)
        kalman.update(y, u)
        np.testing.assert_allclose(observer.x, kalman.x, atol=1e-10)
        np.testing.assert_allclose(observer.covariance, kalman.covariance, atol=1e-10)
        np.testing.assert_allclose(observer.innovation, kalman.innovation, atol=1e-10)
        assert observer.nis == pytest.approx(kalman.nis, abs=1e-8)


def test_one_pass_over_many_samples_is_the_same_as_one_by_one():
    case = LinearCase()
    _, ys, us = case.simulate(30)
    stepwise, whole = CDKF(*case.numbers()), CDKF(*case.numbers())
    single = [
        (stepwise.update(y, u), stepwise.sigma, stepwise.nis, stepwise.factor) for y, u in zip(ys, us, strict=True)
    ]
    seen = whole.run(ys, us, keep_factors=True)
    for k, (x, sigma, nis, factor) in enumerate(single):
        np.testing.assert_array_equal([seen[f"x{i}"][k] for i in range(6)], x)
        np.testing.assert_allclose([seen[f"sigma_x{i}"][k] for i in range(6)], sigma, rtol=1e-13)
        assert seen["nis"][k] == nis
        np.testing.assert_array_equal(seen.factors[k], factor)
    assert seen["t"][-1] == pytest.approx(stepwise.t) == pytest.approx(0.6)
    assert whole.nis == stepwise.nis


@given(st.floats(0.1, 3.0), st.floats(-2.0, 2.0), st.floats(-3.0, 3.0))
@settings(max_examples=20)
def test_mean_and_variance_of_a_squared_normal_variable_are_exact(sigma, mean, y):
    """E[x^2] = mu^2 + sigma^2 and Var[x^2] = 4 mu^2 sigma^2 + 2 sigma^4: what h = sqrt(3) is chosen for."""
    tiny = 1e-12
    observer = CDKF(still_scalar(squared), [mean], [sigma**2], [tiny], [0.01], 0.1)
    observer.update([y])
    expected, variance = mean**2 + sigma**2, 4.0 * mean**2 * sigma**2 + 2.0 * sigma**4 + 0.01
    assert observer.innovation[0] == pytest.approx(y - expected, abs=1e-9)
    assert observer.nis == pytest.approx((y - expected) ** 2 / variance, rel=1e-7, abs=1e-12)
    gain = 2.0 * mean * sigma**2 / variance
    assert observer.x[0] == pytest.approx(mean + gain * (y - expected), abs=1e-8)
    assert observer.covariance[0, 0] == pytest.approx(sigma**2 - gain**2 * variance, rel=1e-6, abs=1e-9)


def test_prediction_carries_the_input_and_smaller_steps_converge():
    numbers = (pendulum_model(), [0.5, 0.0], [1e-4] * 2, [1e-9] * 2, [1e-4], 0.2)
    coarse, fine, finer = (CDKF(*numbers, step).predict([2.0]) for step in (None, 0.02, 0.002))
    assert np.abs(coarse - finer).max() / np.abs(fine - finer).max() == pytest.approx(1e4, rel=0.5)
    blind = CDKF(*numbers)
    blind.predict([2.0])
    assert blind.counts.skipped == 0
    assert np.isnan(blind.nis)


@given(st.integers(0, 1000), st.floats(1e-3, 10.0))
@settings(max_examples=15)
def test_a_measurement_never_adds_uncertainty(seed, spread):
    chance = np.random.default_rng(seed)
    start = chance.uniform(-1.0, 1.0, 2)
    numbers = (pendulum_model(), start, np.full(2, spread**2 * 0.01), [1e-6, 1e-4], [1e-4], 0.01)
    seeing, blind = CDKF(*numbers), CDKF(*numbers)
    seeing.update([start[0] + 0.01], [0.0])
    blind.predict([0.0])
    assert np.linalg.eigvalsh(blind.covariance - seeing.covariance).min() > -1e-9 * spread**2
    assert seeing.nis >= 0.0


def test_a_missing_measurement_is_predicted_over_and_counted():
    case = LinearCase()
    _, ys, us = case.simulate(5)
    ys[2, 1] = np.nan
    observer, kalman = CDKF(*case.numbers()), CDKF(*case.numbers())
    seen = observer.run(ys, us)
    for k in range(5):
        kalman.predict(us[k]) if k == 2 else kalman.update(ys[k], us[k])
    np.testing.assert_array_equal(observer.x, kalman.x)
    assert observer.counts.skipped == 1
    assert kalman.counts.skipped == 0
    assert np.isnan(seen["nis"][2])
    assert np.isfinite(seen["nis"][[0, 1, 3, 4]]).all()
    assert np.isfinite(seen["x0"]).all()


@pytest.mark.parametrize("sensor", ["state", "function"])
def test_an_angle_that_is_measured_up_to_full_turns_is_followed_over_many(sensor):
    """A pendulum that spins; the sensor tells the angle between -pi and pi."""
    by_function = {"outputs": ("direction",), "measure": direction, "angles": ("direction",)}
    aware = pendulum_model(**(by_function if sensor == "function" else {"angles": ("phi",)}))
    noise = ([1e-10, 1e-8], [1e-6], 0.01)
    truth = CDKF(pendulum_model(), [0.0, 12.0], [1e-4] * 2, *noise)
    angles = np.array([truth.predict([0.0])[0] for _ in range(300)])
    assert angles[-1] > 6.0 * np.pi
    seen, lost = (
        CDKF(model, [0.3, 11.0], [0.1, 1.0], *noise).run(np.arctan2(np.sin(angles), np.cos(angles)), np.zeros((300, 1)))
        for model in (aware, pendulum_model())
    )
    assert np.abs(seen["phi"] - angles)[100:].max() < 1e-3
    assert np.abs(lost["phi"] - angles)[100:].max() > 1.0


def test_a_bounded_state_stays_inside():
    model = linear_model([[0.0, 1.0], [0.0, 0.0]])
    free, bounded = (
        CDKF(model, [0.5, 1.0], [0.1, 0.1], [1e-6, 1e-6], [1e-2], 0.1, bounds=bounds)
        for bounds in (None, {"x0": (0.0, 1.0)})
    )
    ys = np.linspace(0.6, 3.0, 20)
    assert free.run(ys)["x0"].max() > 2.0
    seen = bounded.run(ys)
    assert seen["x0"].max() == 1.0
    assert np.all(seen["sigma_x0"] > 0.0)


def test_bounds_that_are_not_reached_change_nothing():
    case = LinearCase()
    _, ys, us = case.simulate(20)
    free, bounded = CDKF(*case.numbers()), CDKF(*case.numbers(), bounds={"x1": (-1e6, 1e6)})
    np.testing.assert_array_equal(free.run(ys, us).data, bounded.run(ys, us).data)


def test_a_factor_that_became_singular_is_lifted_and_the_filter_goes_on():
    """The second state drives the first so strongly that both are one in double precision."""
    model = linear_model([[0.0, 1e13], [0.0, 0.0]])
    observer = CDKF(model, [0.0, 0.0], [1.0, 1.0], [1e-4, 1e-30], [1.0], 0.1)
    seen = observer.run(np.linspace(0.0, 5e12, 5))
    assert observer.counts.lifted >= 1
    assert np.isfinite(seen.data).all()
    assert np.linalg.matrix_rank(observer.factor / observer.sigma[:, None], tol=1e-13) == 2


def test_spread_points_that_leave_the_finite_numbers_are_left_out_and_counted():
    model = FilterModel(cubic, ("x",), outputs=("x",), p=np.array([-1.0]))
    observer = CDKF(model, [0.0], [1e240], [1.0], [1.0], 0.1)
    observer.update([0.5])
    assert observer.counts.collapsed == 1
    assert observer.x[0] == pytest.approx(0.5)
    assert observer.sigma[0] == pytest.approx(1.0)


def test_a_model_that_leaves_the_finite_numbers_is_named_and_the_estimate_is_kept():
    model = FilterModel(cubic, ("x",), outputs=("x",), p=np.array([1.0]))
    observer = CDKF(model, [1e160], [1.0], [1.0], [1.0], 0.1, t_0=2.0)
    with pytest.raises(DivergedError, match="in the sample after 2 s"):
        observer.update([1.0])
    assert observer.x[0] == 1e160
    assert observer.sigma[0] == 1.0
    assert observer.t == 2.0
    assert observer.counts.skipped == 0


def test_what_was_seen_until_the_model_left_the_finite_numbers_is_kept():
    """x' = x^3 from 3 reaches infinity after 1/18 s."""
    model = FilterModel(cubic, ("x",), outputs=("x",), p=np.array([1.0]))
    observer = CDKF(model, [3.0], [1e-12], [1e-12], [1e6], 0.01)
    with pytest.raises(DivergedError) as caught:
        observer.run(np.full(50, 3.0), keep_factors=True)
    seen = caught.value.trajectory
    assert 5 <= len(seen) < 50
    assert np.isfinite(seen.data).all()
    assert len(seen.factors) == len(seen)
    assert observer.x[0] == seen["x"][-1]
    assert observer.t == pytest.approx(seen["t"][-1])


@pytest.mark.parametrize("name", ["p_0", "q_p", "r_m"])
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.eye(3), "must be 2 x 2"),
        ([[1.0, 2.0], [2.0, 1.0]], "definite, its least eigenvalue is -1"),
        ([[1.0, 0.5], [0.1, 1.0]], "must be symmetric"),
        ([1.0, np.nan], "must be finite"),
        ("many", "must be an array of numbers"),
    ],
)
def test_a_bad_covariance_is_named(name, value, words):
    numbers = {"x_0": [0.0, 0.0], "p_0": np.eye(2), "q_p": np.eye(2), "r_m": np.eye(2), "sample_time": 0.1, name: value}
    with pytest.raises(ParameterError, match=f"{name} must be.*|{words}") as caught:
        CDKF(linear_model(np.zeros((2, 2)), outputs=2), **numbers)
    assert words in str(caught.value)
    assert str(caught.value).startswith(name)


@pytest.mark.parametrize("name", ["p_0", "r_m"])
def test_a_singular_covariance_is_refused_where_it_must_be_regular(name):
    numbers = {"x_0": [0.0, 0.0], "p_0": np.eye(2), "q_p": np.eye(2), "r_m": np.eye(2), "sample_time": 0.1}
    with pytest.raises(ParameterError, match=f"{name} must be positive definite"):
        CDKF(linear_model(np.zeros((2, 2)), outputs=2), **numbers | {name: [1.0, 0.0]})


def test_process_noise_may_be_semidefinite():
    """The covariance of an acceleration that is held over a sample has rank one (5.39)."""
    t = 0.1
    gain = np.array([0.5 * t**2, t])
    a = np.array([[0.0, 1.0], [0.0, 0.0]])
    q_p = np.outer(gain, gain)
    observer = CDKF(linear_model(a, outputs=1), [0.0, 0.0], np.eye(2), q_p, [1e-2], t)
    kalman = KalmanFilter(rk4_transition(a, t), np.zeros((2, 0)), np.eye(1, 2), q_p, [1e-2], np.zeros(2), np.eye(2))
    for y in np.sin(0.3 * np.arange(100)):
        observer.update([y])
        kalman.update([y])
    np.testing.assert_allclose(observer.x, kalman.x, atol=1e-12)
    np.testing.assert_allclose(observer.covariance, kalman.covariance, atol=1e-12)
    with pytest.raises(ParameterError, match="q_p must have no negative variance"):
        CDKF(linear_model(a, outputs=1), [0.0, 0.0], np.eye(2), [1.0, -1.0], [1e-2], t)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"x_0": [1.0, 2.0]}, "x_0 must have 1 entries"),
        ({"sample_time": 0.0}, "sample_time must be greater than 0"),
        ({"sample_time": 0.01, "step": 0.003}, "whole multiple of step, got 0.01 s and 0.003 s"),
        ({"sample_time": 0.01, "step": 0.02}, "whole multiple of step"),
        ({"bounds": {"x0": (1.0, 1.0)}}, "lower bound of x0 must be below"),
        ({"bounds": {"x0": 1.0}}, "bounds of x0 must be a lower and an upper one"),
        ({"h": 0.5}, "h must be at least 1"),
    ],
)
def test_bad_settings_are_refused(change, words):
    numbers = {"x_0": [0.0], "p_0": [1.0], "q_p": [1.0], "r_m": [1.0], "sample_time": 0.1, **change}
    with pytest.raises(ParameterError, match=words):
        CDKF(still_scalar(), **numbers)


def test_unknown_names_and_wrong_samples_are_refused():
    observer = CDKF(still_scalar(), [0.0], [1.0], [1.0], [1.0], 0.1)
    with pytest.raises(UnknownNameError, match="x0"):
        CDKF(still_scalar(), [0.0], [1.0], [1.0], [1.0], 0.1, bounds={"x9": (0.0, 1.0)})
    with pytest.raises(ParameterError, match="y must have"):
        observer.update([1.0, 2.0])
    with pytest.raises(ParameterError, match="u must have 0 entries"):
        observer.update([1.0], [1.0])
    with pytest.raises(ParameterError, match="us must have 3 rows of 0"):
        observer.run(np.zeros(3), np.zeros((2, 0)))
    with pytest.raises(ParameterError, match="us must be finite"):
        CDKF(pendulum_model(), [0.0, 0.0], np.eye(2), np.eye(2), [1.0], 0.1).run([0.0, 0.0], [0.0, np.nan])
    assert observer.t == 0.0


@given(st.floats(allow_nan=True, allow_infinity=True), st.floats(1e-150, 1e150), st.floats(1e-150, 1e150))
@settings(max_examples=60)
def test_whatever_is_measured_the_estimate_stays_finite_or_the_filter_says_so(y, p_0, r_m):
    observer = CDKF(still_scalar(), [0.0], [p_0], [1e-3], [r_m], 0.1)
    with suppress(DivergedError):
        observer.update([y])
    assert np.isfinite(observer.x).all()
    assert np.isfinite(observer.covariance).all()
