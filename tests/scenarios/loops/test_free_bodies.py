"""The force in a pin from the motion of its bars."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.loops.free_bodies import (
    TurningPoint,
    along,
    cross,
    derivative,
    force_of_two,
    largest_difference,
    uniform,
)

T = np.linspace(0.0, 1.0, 201)


def test_a_bar_that_turns_about_a_fixed_end_needs_the_moment_of_its_inertia_and_weight():
    angle, omega = 0.5 * T**2, T
    near = TurningPoint(np.zeros((T.size, 2)))
    found = uniform(0.6, 2.0).pin_moment(T, near, angle, omega)
    expected = 2.0 * 0.6**2 / 3.0 * np.ones(T.size) + 2.0 * 9.81 * 0.3 * np.cos(angle)
    assert found == pytest.approx(expected, rel=1e-6)


def test_force_gives_back_its_moments():
    rng = np.random.default_rng(1)
    arms, force = (rng.normal(size=(9, 2)), rng.normal(size=(9, 2))), rng.normal(size=(9, 2))
    moments = (cross(arms[0], force), -cross(arms[1], force))
    assert force_of_two(arms, moments) == pytest.approx(force)


def test_points_of_a_bar_move_across_it():
    point = TurningPoint(np.ones((3, 2))).along(2.0, np.zeros(3), np.full(3, 0.5))
    assert point.velocity == pytest.approx(np.array([[1.0, 2.0]] * 3))
    assert along(np.array([0.0, np.pi / 2])) == pytest.approx(np.eye(2))


def test_derivative_and_difference():
    assert derivative(T, np.sin(T)) == pytest.approx(np.cos(T), abs=1e-6)
    steady = np.ones((T.size, 2))
    early = steady.copy()
    early[0] += 1.0
    assert largest_difference(T, early, steady) == 0.0
    assert largest_difference(T, 1.1 * steady, steady) == pytest.approx(0.1)
