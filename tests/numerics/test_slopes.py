import math

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.numerics.slopes import slopes


def test_smooth_numbers_have_their_slopes_to_twelve_digits():
    def numbers(s):
        return np.array([2.0 / (s - 0.009) * math.atanh(0.99), 0.5 * (s + 0.009), math.exp(s), 3.0, -math.inf])

    exact = np.array([-2.0 / 1e-3**2 * math.atanh(0.99), 0.5, math.exp(0.01), 0.0, 0.0])
    assert slopes(numbers, 0.01) == pytest.approx(exact, rel=2e-12)


@pytest.mark.parametrize(("at", "sign"), [(0.0, 1.0), (1.0, -1.0)])
def test_a_parameter_at_its_limit_is_differentiated_to_one_side(at, sign):
    def numbers(r):
        if (r - at) * sign < 0.0:
            raise ParameterError("outside")
        return np.array([3.0 * r, math.exp(r)])

    assert slopes(numbers, at) == pytest.approx([3.0, math.exp(at)], rel=1e-10)


def test_a_parameter_that_must_not_change_is_told():
    def numbers(r):
        if r != 2.0:
            raise ParameterError("r must be 2")
        return np.array([r])

    with pytest.raises(ParameterError, match="r must be 2"):
        slopes(numbers, 2.0)
