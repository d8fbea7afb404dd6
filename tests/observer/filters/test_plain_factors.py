"""Factors in plain NumPy: the factor of a sum, and a doubted state."""

import numpy as np
import pytest
from observer_models import pendulum_model

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.observer.filters.cdkf import CDKF
from chrono_powercontact.observer.filters.plain_factors import lower_factor_of


def test_a_factor_of_a_stack_is_lower_and_gives_the_sum():
    stack = np.random.default_rng(1).standard_normal((7, 4))
    s = lower_factor_of(stack)
    np.testing.assert_allclose(s @ s.T, stack.T @ stack, atol=1e-12)
    np.testing.assert_array_equal(s, np.tril(s))
    assert np.all(np.diag(s) >= 0.0)


def test_a_doubted_state_gets_a_larger_variance_and_nothing_else_changes():
    observer = CDKF(pendulum_model(), [0.1, 0.2], [[0.04, 0.01], [0.01, 0.09]], [1e-6, 1e-6], [1.0], 0.01)
    observer.widen("omega", 2.0)
    np.testing.assert_allclose(observer.covariance, [[0.04, 0.01], [0.01, 4.09]], atol=1e-14)
    np.testing.assert_array_equal(observer.x, [0.1, 0.2])


def test_unknown_states_and_negative_doubts_are_refused():
    observer = CDKF(pendulum_model(), [0.1, 0.2], [1.0, 1.0], [1e-6, 1e-6], [1.0], 0.01)
    with pytest.raises(UnknownNameError, match="unknown state 'warp'"):
        observer.widen("warp", 1.0)
    with pytest.raises(ParameterError, match="sigma must not be negative"):
        observer.widen("omega", -1.0)
