"""The worked examples as the digest has them: M, C, g of the crane, pendulum and its numbers."""

from __future__ import annotations

import pytest
import sympy as sp

from chrono_powercontact.lagrange.building.textbook import simple_pendulum, tower_and_jib, tower_crane
from chrono_powercontact.lagrange.model import rate, velocities
from chrono_powercontact.scenarios.examples.worked_examples import CRANE, slewing_inertia


def test_pendulum_is_that_of_example_3_1() -> None:
    model = simple_pendulum()
    (phi,), (m, length, g) = model.q, model.parameters
    assert sp.simplify(model.mass[0] - m * length**2) == 0
    assert model.coriolis == sp.zeros(1)
    assert sp.simplify(model.gravity[0] - m * g * length * sp.sin(phi)) == 0


def test_slewing_inertia_is_steiners() -> None:
    solid, sizes = tower_and_jib()
    values = {s: CRANE.numbers[s.name] for s in sizes}
    assert float(solid.about((0, 0, 0))[2, 2].subs(values)) == pytest.approx(slewing_inertia(CRANE.numbers), rel=1e-12)


def test_the_crane_hangs_still_and_its_loads_act_on_their_own_coordinate() -> None:
    model = tower_crane()
    psi, s, ell, alpha, beta = model.q
    force, tau = model.parameters[-1], model.parameters[-2]
    assert list(model.outer.applyfunc(sp.simplify)) == [tau, force, 0, 0, 0]
    assert not model.mass_q.has(psi)
    at_rest = model.gravity.subs({alpha: 0, beta: 0})
    assert [at_rest[0], at_rest[1], at_rest[3], at_rest[4]] == [0, 0, 0, 0]
    assert s not in model.gravity.free_symbols
    assert sp.simplify(at_rest[2].diff(ell) - sp.Symbol("c_r", real=True)) == 0


def test_mass_rate_minus_twice_coriolis_of_the_crane_is_skew() -> None:
    model = tower_crane()
    skew = model.mass_q.applyfunc(lambda e: rate(e, model.q)) - 2 * model.coriolis
    values = {symbol: 0.3 + 0.1 * i for i, symbol in enumerate((*model.q, *velocities(model.q), *model.parameters))}
    numbers = (skew + skew.T).subs(values).evalf()
    assert max(abs(x) for x in numbers) < 1e-9
