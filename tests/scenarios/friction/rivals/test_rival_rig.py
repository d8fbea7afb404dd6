"""Rivals on their rig against closed forms, and LuGre against the reference engine."""

import numpy as np
import pytest

from chrono_powercontact.errors import DivergedError
from chrono_powercontact.lagrange.prescribed import friction_along
from chrono_powercontact.laws.friction.friction_table import friction_record
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.scenarios.friction.rivals.rival_friction import PARTS
from chrono_powercontact.scenarios.friction.rivals.rival_rig import driven_force, loaded_rig
from chrono_powercontact.scenarios.friction.rivals.rival_set import BUILDERS, RivalParameters, overshoot

P = RivalParameters(d=0.0)
SLOW = 1e-4
STEP = 1e-3


def pushed(name, steps=4000):
    """Displacement in m and force in N while a law is pushed slowly from rest."""
    force = driven_force(BUILDERS[name](P), np.full(steps, SLOW), STEP)
    return SLOW * STEP * (1.0 + np.arange(steps)), force


def test_dahl_has_its_exponential():
    x, force = pushed("dahl")
    np.testing.assert_allclose(force, P.f_c * -np.expm1(-P.k * x / P.f_c), rtol=1e-9)


def test_bliman_and_sorine_overshoot_to_stiction_and_fall_to_coulomb():
    _, force = pushed("bliman_sorine", 400_000)
    assert force.max() == pytest.approx(P.f_s, rel=1e-4)
    assert force[-1] == pytest.approx(P.f_c, rel=1e-3)
    law = BUILDERS["bliman_sorine"](P).law
    assert overshoot(float(law["fast"]), P.f_c, float(law["ratio"])) == pytest.approx(P.f_s, rel=1e-9)


def test_maxwell_slip_has_a_piecewise_straight_virgin_curve():
    x, force = pushed("maxwell_slip", 1400)
    law = BUILDERS["maxwell_slip"](P).law
    s = P.f_c + (P.f_s - P.f_c) * np.exp(-((SLOW / P.v_s) ** 2))
    expected = sum(np.minimum(P.f_s / PARTS * x / law["limit"][i], s / PARTS) for i in range(PARTS))
    np.testing.assert_allclose(force, expected, atol=0.02)


@pytest.mark.parametrize("name", ["gauss", "tustin", "lorentz", "karnopp", "lugre", "leuven", "maxwell_slip"])
@pytest.mark.parametrize("speed", [0.01, 0.02, 0.1])
def test_steady_sliding_is_the_classical_curve(name, speed):
    rival = BUILDERS[name](P)
    force = driven_force(rival, np.full(round(4e-3 / (speed * 1e-5)), speed), 1e-5)[-1]
    y = speed / P.v_s
    g = {"tustin": np.exp(-y), "lorentz": 1.0 / (1.0 + y * y)}.get(name, np.exp(-(y**2)))
    assert force == pytest.approx(P.f_c + (P.f_s - P.f_c) * g, rel=1e-3)


def test_lugre_is_that_of_the_reference_engine():
    law = LuGre(P.f_c, P.f_s, P.v_s, P.k, P.d_k, 0.0)
    n = 4000
    half = np.arange(2 * n + 1) * 0.5e-4
    speed = 0.03 + 0.02 * np.sin(2.0 * np.pi * 5.0 * half)
    reference = friction_along(friction_record(law), speed, 1e-4)
    got = driven_force(BUILDERS["lugre"](P), speed[::2], 1e-4)
    np.testing.assert_allclose(got[100:], reference[100:], atol=0.01)


def test_karnopp_balances_the_load_until_stiction():
    load = np.linspace(0.0, 1.39, 2000)
    run = loaded_rig(BUILDERS["karnopp"](P), 0.1, load, 1e-4)
    assert np.all(run.x == 0.0)
    np.testing.assert_allclose(run.friction, load, atol=1e-12)


def test_a_rig_that_explodes_says_so():
    rival = BUILDERS["lugre"](RivalParameters(d=10.0))
    with pytest.raises(DivergedError, match="use a smaller step"):
        loaded_rig(rival, 1e-6, np.full(4000, 1.0), 1e-2)
