"""The coefficient of friction that statics asks for."""

import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.dissipation import Friction
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.step_friction import StepFriction
from chrono_powercontact.laws.friction.stiction import stiction_of
from chrono_powercontact.laws.friction.user_friction import friction_law


@friction_law
def coulomb(v, n, p):
    return p.mu * n * v / (v + 1e-6)


def test_every_law_in_a_contact():
    assert stiction_of(None) == 0.0
    assert stiction_of(Friction(0.3, 0.3, 1e-3)) == pytest.approx(0.3)
    assert stiction_of(Friction(0.3, 0.5, 1e-3, 2e-3)) == pytest.approx(0.5, rel=5e-3)
    assert stiction_of(LuGre(0.2, 0.4, 1e-3, 1e5, 1.0)) == 0.4
    assert stiction_of(StepFriction(0.6, 0.5, 1e-3, 1e-2)) == 0.6
    assert stiction_of(coulomb(mu=0.25)) == pytest.approx(0.25, rel=1e-3)


def test_other_laws_are_refused():
    with pytest.raises(ParameterError, match="stiction of a str"):
        stiction_of("rubber")
