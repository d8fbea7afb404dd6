"""Derivatives of a sample, some directions at a time."""

import numpy as np
import pytest

from chrono_powercontact.numerics.dual.dual_type import DIRECTIONS
from chrono_powercontact.numerics.dual.sample_jacobian import SampleJacobian


@pytest.mark.parametrize("moving", [3, DIRECTIONS, DIRECTIONS + 3])
def test_a_linear_sample_has_its_own_matrix(moving):
    """x' = A x + B n with numbers n: the Jacobian is [A B; 0 1], whether or not it takes several passes."""
    draw = np.random.default_rng(moving)
    states = draw.permutation(moving + 2)[:moving]
    a, b = draw.normal(size=(moving, moving)), draw.normal(size=(moving, 2))
    numbers = np.array([0.0, 5.0, 0.0])
    entries = [2, 0]

    def advance(full, blocks):
        full[states] = a @ full[states] + b @ blocks[0][entries]

    x = draw.normal(size=moving + 2)
    after, jacobian = SampleJacobian([numbers], entries, states, moving + 2)(x, advance)
    expected = np.block([[a, b], [np.zeros((2, moving)), np.eye(2)]])
    np.testing.assert_allclose(jacobian, expected, rtol=1e-14)
    np.testing.assert_allclose(after, expected @ x, rtol=1e-13)
