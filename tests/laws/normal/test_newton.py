import math

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.normal.newton import NewtonImpact


def test_it_reverses_an_approach_and_leaves_a_separation():
    np.testing.assert_allclose(NewtonImpact(0.6).after([-2.0, 0.0, 3.0]), [1.2, 0.0, 3.0])


@pytest.mark.parametrize(
    ("e", "message"),
    [
        (-0.1, "restitution must lie between 0 and 1, got -0.1"),
        (math.nan, "restitution must be a finite number, got nan"),
    ],
)
def test_a_bad_restitution_is_refused_by_name_and_value(e, message):
    with pytest.raises(ParameterError) as caught:
        NewtonImpact(e)
    assert str(caught.value) == message
