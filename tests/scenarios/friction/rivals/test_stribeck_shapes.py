import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.friction.rivals.stribeck_shapes import SHAPES, decay_curve


@given(st.sampled_from(SHAPES), st.floats(1e-4, 1.0), st.floats(0.5, 4.0))
def test_shapes_fall_from_one_to_zero(name, v_s, exponent):
    g = decay_curve(name, v_s * np.linspace(0.0, 50.0, 200), v_s, exponent)
    assert g[0] == 1.0
    assert np.all(np.diff(g) <= 0.0)
    assert g[-1] < 1e-2


@pytest.mark.parametrize(("name", "value"), [("gauss", np.exp(-1.0)), ("tustin", np.exp(-1.0)), ("lorentz", 0.5)])
def test_shapes_at_the_stribeck_speed(name, value):
    assert decay_curve(name, 0.02, 0.02) == pytest.approx(value)
    assert decay_curve(name, -0.02, 0.02) == pytest.approx(value)


def test_gauss_has_an_exponent():
    assert decay_curve("gauss", 0.04, 0.02, 1.0) == pytest.approx(np.exp(-2.0))


def test_bad_shapes_are_refused():
    with pytest.raises(UnknownNameError, match="unknown Stribeck shape 'popp'"):
        decay_curve("popp", 0.0, 1.0)
    with pytest.raises(ParameterError, match="v_s must be greater than 0"):
        decay_curve("gauss", 0.0, 0.0)
