"""The one Runge-Kutta step: its polynomial, its order, and that it takes time at its stages."""

import math

import numpy as np
import pytest

from chrono_powercontact.numerics.rk4 import REACH, STAGES, WEIGHT, rk4_add, rk4_finish, rk4_room, rk4_stage


def step(rate, t, x, h):
    room = rk4_room(x.size)
    for stage in range(STAGES):
        rk4_stage(room, x, stage, h)
        room.rate[:] = rate(t + REACH[stage] * h, room.point)
        rk4_add(room, stage)
    rk4_finish(room, x, h)


def test_the_weights_add_up_to_one():
    assert sum(WEIGHT) == pytest.approx(1.0, rel=1e-15)


def test_one_step_of_a_linear_system_is_its_taylor_polynomial():
    a, h = np.array([[0.0, 1.0], [-4.0, -0.3]]), 0.2
    x = np.array([1.0, -0.5])
    wanted = sum(np.linalg.matrix_power(h * a, k) @ x / math.factorial(k) for k in range(5))
    step(lambda t, y: a @ y, 0.0, x, h)
    np.testing.assert_allclose(x, wanted, rtol=1e-14)


def test_a_rate_of_time_alone_is_integrated_by_simpsons_rule():
    x = np.zeros(1)
    step(lambda t, y: np.array([4.0 * t**3]), 1.0, x, 1.0)
    assert x[0] == pytest.approx(2.0**4 - 1.0, rel=1e-14)


def test_the_error_falls_with_the_fourth_power_of_the_step():
    errors = []
    for count in (20, 40):
        x, h = np.array([1.0, 0.0]), 2.0 / count
        for i in range(count):
            step(lambda t, y: np.array([y[1], -y[0] + np.sin(3.0 * t)]), i * h, x, h)
        errors.append(abs(x[0] - (math.cos(2.0) + 0.375 * math.sin(2.0) - 0.125 * math.sin(6.0))))
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.15)


def test_a_room_serves_many_steps():
    first, second = np.array([1.0]), np.array([1.0])
    room = rk4_room(1)
    for _ in range(3):
        for stage in range(STAGES):
            rk4_stage(room, first, stage, 0.1)
            room.rate[:] = -room.point
            rk4_add(room, stage)
        rk4_finish(room, first, 0.1)
        step(lambda t, y: -y, 0.0, second, 0.1)
    assert first[0] == second[0]
