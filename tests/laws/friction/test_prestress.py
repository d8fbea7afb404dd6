"""Start anchors: they pull as they were asked to, and refuse what friction cannot hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.anchor import Anchor, anchored_force
from chrono_powercontact.laws.friction.dissipation import Friction
from chrono_powercontact.laws.friction.friction_table import friction_record
from chrono_powercontact.laws.friction.memory import LPVFilter
from chrono_powercontact.laws.friction.prestress import anchor_for, presliding_for

LAW = Friction(0.3, 0.5, 1e-4, 2e-4)
MEMORY = Anchor(5e-6, 1e-4)


@given(st.floats(-0.99, 0.99), st.floats(0.0, 6.3), st.floats(0.1, 1e4))
def test_anchors_pull_as_asked(part, angle, normal):
    wanted = 0.5 * part * normal * np.array([np.cos(angle), np.sin(angle)])
    anchor = anchor_for(LAW, MEMORY, wanted, normal)
    slot = friction_record(LAW, MEMORY)["anchor"]
    assert np.allclose(-anchored_force(slot, normal, anchor, np.zeros(2)), wanted, atol=1e-6 * normal)


def test_stiffness_is_that_of_a_small_stretch():
    presliding = presliding_for(LAW, 2e6, 50.0)
    slot = friction_record(LAW, Anchor(presliding, 0.0))["anchor"]
    stretch = 1e-4 * presliding
    assert anchored_force(slot, 50.0, stretch, 0.0)[0] / stretch == pytest.approx(2e6, rel=1e-3)


def test_bad_input():
    with pytest.raises(ParameterError, match="cannot be held: stiction is 5"):
        anchor_for(LAW, MEMORY, 5.1, 10.0)
    with pytest.raises(ParameterError, match="needs an Anchor"):
        anchor_for(LAW, LPVFilter(1e-3, 1e-4), 1.0, 10.0)
    with pytest.raises(ParameterError, match="finite"):
        anchor_for(LAW, MEMORY, np.nan, 10.0)
    with pytest.raises(ParameterError, match="stiffness must be greater"):
        presliding_for(LAW, 0.0, 10.0)
    assert anchor_for(LAW, MEMORY, 0.0, 0.0).tolist() == [0.0]
