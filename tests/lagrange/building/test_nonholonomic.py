"""Constraints on velocities: Chaplygin's sleigh and a rolling disc against Newton's laws."""

from __future__ import annotations

import pytest
import sympy as sp

from chrono_powercontact.errors import ModelError
from chrono_powercontact.lagrange.building.nonholonomic import quasi_velocities
from chrono_powercontact.lagrange.building.textbook import rolling_disc, sleigh
from chrono_powercontact.lagrange.model import TIME, coordinates, velocities

Q = coordinates("x y phi")
DX, DY, DPHI = velocities(Q)
ASIDE = -DX * sp.sin(Q[2]) + DY * sp.cos(Q[2])
AHEAD = DX * sp.cos(Q[2]) + DY * sp.sin(Q[2])


def test_every_motion_that_the_matrix_allows_meets_the_constraint() -> None:
    u, n = quasi_velocities(Q, {"v": AHEAD, "w": DPHI}, (ASIDE,))
    motion = dict(zip((DX, DY, DPHI), n * sp.Matrix(u), strict=True))
    assert [s.name for s in u] == ["v", "w"]
    assert sp.simplify(ASIDE.subs(motion)) == 0
    assert sp.simplify(AHEAD.subs(motion) - u[0]) == 0
    assert DPHI.subs(motion) == u[1]


def test_sleigh_has_the_equations_of_chaplygin() -> None:
    """v' = a w^2, (J + m a^2) w' = -m a v w."""
    model = sleigh()
    (v, w), (m, moment, a) = model.u, model.parameters
    found = model.in_speeds(model.mass).LUsolve(-model.bias).applyfunc(sp.simplify)
    expected = sp.Matrix([a * w**2, -m * a * v * w / (moment + m * a**2)])
    assert (found - expected).applyfunc(sp.simplify) == sp.zeros(2, 1)


def test_an_upright_disc_falls_over_below_the_critical_speed() -> None:
    """Linearised: theta'' + (4/5) (3 w^2 - g/r) theta = 0 with psi' = -2 w theta."""
    model = rolling_disc()
    theta = model.q[3]
    (w_psi, w_theta, w_phi), (_, r, g) = model.u, model.parameters
    found = model.in_speeds(model.mass).LUsolve(-model.bias)
    upright = {theta: 0, w_psi: 0, w_theta: 0}
    slope = sp.simplify(found[1].diff(theta).subs(upright))
    by_heading = sp.simplify(found[1].diff(w_psi).subs(upright))
    turned = sp.simplify(found[0].diff(w_theta).subs(upright))
    assert sp.simplify(slope - sp.Rational(4, 5) * g / r) == 0
    assert sp.simplify(by_heading * turned + sp.Rational(12, 5) * w_phi**2) == 0


@pytest.mark.parametrize(
    ("named", "constraints", "message"),
    [
        ({"v": AHEAD}, (ASIDE,), "need 2 quasi-velocities, got 1"),
        ({"v": AHEAD, "w": AHEAD}, (ASIDE,), "do not determine"),
        ({"v": AHEAD**2, "w": DPHI}, (ASIDE,), "must be linear in"),
        ({"v": AHEAD + 1, "w": DPHI}, (ASIDE,), "without other terms"),
        ({"v": AHEAD, "w": DPHI}, (ASIDE * TIME,), "must not contain the time"),
    ],
)
def test_what_does_not_determine_the_motion_is_refused(named, constraints, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        quasi_velocities(Q, named, constraints)
