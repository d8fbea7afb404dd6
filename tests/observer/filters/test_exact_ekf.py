"""The EKF with exact Jacobians: against differences, on the leg and on a system with contact, and its bad samples."""

import numpy as np
import pytest
import sympy as sp

import chrono_powercontact as pc
from chrono_powercontact.observer.filters.ekf import EKF
from chrono_powercontact.scenarios.gait.control.control_observers import riding_observer
from chrono_powercontact.scenarios.gait.leg.trainer_leg import REST

FLOOR = pc.Restriction(s_0=0.01, s_c=0.006, r_f=400.0, r_d=0.5)


def ball_filter(jacobians, **given):
    (z,) = pc.coordinates("z")
    (w,) = pc.velocities((z,))
    m, g = sp.symbols("m g")
    model = pc.Model("ball", (z,), m * w**2 / 2, m * g * z, (m, g), contacts=(pc.ContactPoint("floor", z),))
    ball = pc.System(model, {"m": 0.1, "g": 9.81}, contacts={"floor": pc.Material(FLOOR)})
    carried = pc.model_of(ball, outputs=("z",), inputs=("g",), estimated=("r_c", "m"), **given)
    start = [0.012, -0.5, FLOOR.r_c, 0.1]
    return EKF(carried, start, [1e-8, 1e-6, 4e-8, 1e-6], [1e-12, 1e-8, 1e-12, 1e-12], [4e-8], 1e-3, 1e-4,
               jacobians=jacobians)  # fmt: skip


def ridden_pair():
    return [riding_observer("augmented", np.array(REST), (5e-4, 2e-4), kind) for kind in ("ekf", "ekf_exact")]


@pytest.mark.parametrize("observers", [lambda: (ball_filter("differences"), ball_filter("auto")), ridden_pair])
def test_exact_jacobians_are_what_small_differences_tend_to(observers):
    """Numbers of law and model among the states, and more of them than a dual number has directions on the leg."""
    coarse, exact = observers()
    inputs = [9.81] if len(exact.model.inputs) == 1 else [3.0, 40.0]
    for _ in range(5):
        for observer in (coarse, exact):
            observer.update(observer.x[: len(observer.model.outputs)] + 1e-4, inputs)
    assert exact.exact
    assert not coarse.exact
    np.testing.assert_allclose(exact.x, coarse.x, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(exact.sigma, coarse.sigma, rtol=1e-4)
    assert exact.nis == pytest.approx(coarse.nis, rel=1e-3)


def test_a_missing_measurement_is_predicted_over_and_counted():
    observer = ball_filter("exact")
    observer.update([np.nan], [9.81])
    assert observer.counts.skipped == 1
    assert np.isnan(observer.nis)
    assert observer.t == pytest.approx(1e-3)


def test_many_samples_in_one_call_are_the_same_and_keep_their_factors():
    one, many = ball_filter("exact"), ball_filter("exact")
    ys = np.array([[0.0115], [0.0111], [0.0106]])
    us = np.full((3, 1), 9.81)
    seen = many.run(ys, us, keep_factors=True)
    for y, u in zip(ys, us, strict=True):
        one.update(y, u)
    np.testing.assert_array_equal(one.x, many.x)
    np.testing.assert_array_equal(seen.factors[-1], many.factor)
