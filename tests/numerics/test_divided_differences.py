"""Modified divided differences and their unwinding."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.numerics.divided_differences import modified_differences, unwound

STEPS = st.lists(st.floats(1e-3, 1.0), min_size=1, max_size=11)


@given(STEPS, st.integers(0, 1000))
def test_unwinding_gives_the_derivatives_back(steps, seed):
    times = -np.concatenate([[0.0], np.cumsum(steps)])
    rates = np.random.default_rng(seed).normal(size=(times.size, 3))
    phi, psi = modified_differences(times, rates)
    offsets, found = unwound(phi, psi)
    assert offsets == pytest.approx(times, abs=1e-9)
    smallest = min(steps) / max(steps)
    assert found == pytest.approx(rates, abs=1e-9 / smallest ** len(steps))


def test_differences_of_a_polynomial_end_with_its_degree():
    times = np.array([2.0, 1.7, 1.1, 0.8, 0.0])
    phi, psi = modified_differences(times, (3.0 * times**2 - times)[:, None])
    assert psi == pytest.approx([0.3, 0.9, 1.2, 2.0])
    assert phi[0, 0] == pytest.approx(10.0)
    assert phi[2, 0] == pytest.approx(3.0 * 0.3 * 0.9)
    assert phi[3:] == pytest.approx(np.zeros((2, 1)), abs=1e-12)


def test_equal_steps_give_backward_differences():
    rates = np.array([[5.0], [3.0], [2.5]])
    phi, psi = modified_differences([0.2, 0.1, 0.0], rates)
    assert psi == pytest.approx([0.1, 0.2])
    assert phi[1, 0] == pytest.approx(2.0)
    assert phi[2, 0] == pytest.approx(5.0 - 2 * 3.0 + 2.5)
