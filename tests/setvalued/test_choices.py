"""Strategies that choose among friction forces: against a library's box program, and by their selection rules."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.setvalued.choices import (
    bilateral_forces,
    box_program,
    hand_over,
    least_by_library,
    least_forces,
)


@given(st.integers(0, 10_000), st.integers(1, 5))
def test_box_program_meets_the_conditions_of_a_minimum(seed, size):
    random = np.random.default_rng(seed)
    root = random.normal(size=(size, size))
    h = root @ root.T + 0.1 * np.eye(size)
    g = 3.0 * random.normal(size=size)
    limits = random.uniform(0.0, 1.0, size)
    x = box_program(h, g, -limits, limits)
    slope = h @ x + g
    assert np.all(np.abs(x) <= limits + 1e-12)
    assert np.abs(np.clip(x - slope, -limits, limits) - x).max() < 1e-8


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_least_forces_are_those_of_the_library(seed, size):
    random = np.random.default_rng(seed)
    a = np.outer(random.normal(size=3), random.uniform(0.5, 2.0, size))
    d = random.normal(size=3)
    limits = random.uniform(0.1, 1.0, size)
    ours = least_forces(a, d, np.eye(size), np.zeros(size), -limits, limits)
    assert np.allclose(ours, least_by_library(a, d, limits), atol=2e-5)


def test_library_refuses_negative_limits():
    with pytest.raises(ParameterError, match="not negative"):
        least_by_library(np.eye(2), np.ones(2), np.array([1.0, -1.0]))
    assert least_by_library(np.eye(2), np.ones(2), np.zeros(2)).tolist() == [0.0, 0.0]


def test_pseudoinverse_splits_by_weights():
    g = np.array([[1.0, 1.0], [1.0, 1.0]])
    assert np.allclose(bilateral_forces(g, np.ones(2), np.ones(2)), (-0.5, -0.5))
    weighted = bilateral_forces(g, np.ones(2), np.sqrt(np.array([1.0, 3.0])))
    assert np.allclose(weighted, (-0.25, -0.75))


@given(st.lists(st.tuples(st.floats(-5.0, 5.0), st.floats(0.0, 4.0)), min_size=1, max_size=5))
def test_hand_over_keeps_the_sum_where_there_is_room(pairs):
    forces = np.array([force for force, _ in pairs])
    limits = np.array([limit for _, limit in pairs])
    total = forces.sum()
    hand_over(forces, limits)
    assert np.all(np.abs(forces) <= limits + 1e-9)
    assert np.isclose(forces.sum(), np.clip(total, -limits.sum(), limits.sum()), atol=1e-6)
