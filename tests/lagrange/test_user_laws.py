"""User laws in the reference engine: the same motion as the built-in law of the same formula."""

from __future__ import annotations

import numpy as np
import pytest
from lagrange_models import moving_floor, rates, towed_mass

from chrono_powercontact.errors import DivergedError
from chrono_powercontact.lagrange.implicit import active_states, run_implicit
from chrono_powercontact.lagrange.runs import run_adaptive, run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.anchor import Anchor
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter
from chrono_powercontact.laws.friction.user_friction import friction_law
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.hertz import Hertz
from chrono_powercontact.laws.normal.user_normal import normal_law
from chrono_powercontact.trajectory import Trajectory

STILL = {"m": 1.0, "g": 9.81, "k": 0.0, "a": 0.0, "w": 0.0, "belt": 0.0, "f": 0.0}
S_0, K = 0.01, 1e6
MU, V_C = 0.4, 1e-2


def stored(s, p):
    return 0.4 * p.k * max(p.s_0 - s, 0.0) ** 2.5


def hertz(s, v, p):
    return p.k * max(p.s_0 - s, 0.0) ** 1.5 * (1.0 - p.chi * v)


@friction_law
def coulomb(v, n, p):
    return p.mu * n * np.tanh(v / p.v_c)


PLAIN = normal_law(hertz)
STORING = normal_law(potential=stored)(hertz)
MEMORIES = {"none": None, "LTI": LTIFilter(2e-3), "LPV": LPVFilter(2e-3, 1e-3)}
every_memory = pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)


def floor(material: Material, **numbers: float) -> System:
    return System(moving_floor(), STILL | numbers, {"floor": material})


def drop(normal, step: float = 2e-6, time: float = 0.025) -> Trajectory:
    system = floor(Material(normal))
    return run_rk4(system, system.state([0.0, S_0 + 1e-4], [0.0, -0.5]), step, time, 10)


def resting(normal) -> float:
    return float(normal.rest_distance(STILL["g"]))


# --- normal laws -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chi", [0.0, 0.3])
@pytest.mark.parametrize("definition", [PLAIN, STORING], ids=["plain", "storing"])
def test_an_own_normal_law_moves_a_mass_as_the_built_in_one(definition, chi: float) -> None:
    found, expected = drop(definition(s_0=S_0, k=K, chi=chi)), drop(Hertz(S_0, K, chi))
    for column in ("y", "y_dot", "F_floor"):
        assert found[column] == pytest.approx(expected[column], rel=1e-12, abs=1e-12)


def test_with_a_potential_the_ledger_tells_stored_energy_from_heat() -> None:
    found, expected = drop(STORING(s_0=S_0, k=K, chi=0.3)), drop(Hertz(S_0, K, 0.3))
    assert found["stored"] == pytest.approx(expected["stored"], rel=1e-12, abs=1e-15)
    assert found["contact_heat"] == pytest.approx(expected["contact_heat"], abs=1e-7)
    assert expected["contact_heat"][-1] > 1e-2
    assert np.abs(found.ledger_error).max() < 1e-7


def test_without_a_potential_stored_energy_is_booked_as_heat() -> None:
    found, expected = drop(PLAIN(s_0=S_0, k=K, chi=0.3)), drop(STORING(s_0=S_0, k=K, chi=0.3))
    assert not found["stored"].any()
    assert expected["stored"].max() > 0.1
    both = expected["stored"] + expected["contact_heat"]
    assert found["contact_heat"] == pytest.approx(both, abs=1e-7)
    assert np.abs(found.ledger_error).max() < 1e-9


def test_heat_of_an_elastic_law_without_a_potential_comes_back() -> None:
    """No damping: what was booked as heat at the deepest point is handed out again during the rebound."""
    found = drop(PLAIN(s_0=S_0, k=K, chi=0.0))
    deepest = int(np.argmin(found["y"]))
    assert found["contact_heat"][deepest] == pytest.approx(0.4 * K * (S_0 - found["y"][deepest]) ** 2.5, rel=1e-6)
    assert found["contact_heat"][-1] == pytest.approx(0.0, abs=1e-9)
    assert found["F_floor"][-1] == 0.0


def test_a_law_that_gives_no_number_ends_the_run_with_what_was_recorded() -> None:
    """Finite where a law is sampled when it is made, not a number deeper than 2 mm."""

    @normal_law
    def brittle(s, v, p):
        return p.k * max(p.s_0 - s, 0.0) if s > p.s_0 - 2e-3 else np.nan

    with pytest.raises(DivergedError, match="no longer finite") as caught:
        drop(brittle(s_0=S_0, k=1e4), 1e-5, 0.05)
    kept = caught.value.trajectory
    assert np.isfinite(kept.data).all()
    assert kept["y"].min() > S_0 - 2.1e-3


# --- friction in contacts and at friction points -------------------------------------------------------------------


def slide(friction, memory, speed: float = 0.05, step: float = 2e-5) -> Trajectory:
    normal = Hertz(S_0, K, 0.3)
    system = floor(Material(normal, friction, memory))
    return run_rk4(system, system.state([0.0, resting(normal)], [speed, 0.0]), step, 0.02, 10)


@every_memory
def test_own_friction_in_a_contact_is_the_built_in_one_of_the_same_formula(memory) -> None:
    built_in = Friction(mu_c=MU, mu_s=MU, v_c=V_C, eps=0.0)
    found, expected = slide(coulomb(mu=MU, v_c=V_C), memory), slide(built_in, memory)
    for column in ("x", "x_dot", "Ft_floor", "memory_floor", "friction_heat", "handed_back"):
        assert found[column] == pytest.approx(expected[column], rel=1e-9, abs=1e-12)
    assert found["friction_heat"][-1] > 1e-4
    assert np.abs(found.ledger_error).max() < 1e-9


@every_memory
def test_own_friction_at_a_friction_point_is_the_built_in_one(memory) -> None:
    numbers = {"m": 1.0, "k": 500.0, "pull": 0.05, "angle": 0.7}

    def towed(law) -> Trajectory:
        memories = {} if memory is None else {"plane": memory}
        system = System(towed_mass(), numbers, frictions={"plane": law}, memories=memories)
        return run_rk4(system, system.state([0.0, 0.0], [0.0, 0.0]), 1e-4, 0.3, 10)

    found, expected = towed(coulomb(mu=2.0, v_c=V_C)), towed(Dissipation(2.0, 2.0, V_C, eps=0.0))
    for column in ("x", "y", "Ft_plane_x", "Ft_plane_y", "friction_heat"):
        assert found[column] == pytest.approx(expected[column], rel=1e-9, abs=1e-12)
    assert np.hypot(found["Ft_plane_x"], found["Ft_plane_y"])[-1] > 1.0


@pytest.mark.parametrize("load", [0.3, 0.7])
def test_own_friction_on_an_anchor_sticks_below_its_peak(load: float) -> None:
    normal = STORING(s_0=S_0, k=K, chi=0.3)
    system = floor(Material(normal, coulomb(mu=MU, v_c=V_C), Anchor()), f=load * MU * STILL["g"])
    held = run_rk4(system, system.state([0.0, resting(normal)], [0.0, 0.0]), 2e-5, 0.6, 10)
    assert abs(held["x"][-1] - held["x"][-100]) < 1e-3 * Anchor().presliding
    assert held["Ft_floor"][-1] == pytest.approx(load * MU * STILL["g"], rel=1e-3)
    assert np.abs(held.ledger_error).max() < 1e-6


def test_own_friction_on_an_anchor_slides_at_its_peak() -> None:
    normal = STORING(s_0=S_0, k=K, chi=0.3)
    system = floor(Material(normal, coulomb(mu=MU, v_c=V_C), Anchor()), f=1.5 * MU * STILL["g"])
    found = run_rk4(system, system.state([0.0, resting(normal)], [0.0, 0.0]), 2e-5, 0.3, 10)
    assert found["Ft_floor"][-100:] == pytest.approx(MU * found["F_floor"][-100:], rel=1e-3)
    assert found["x_dot"][-1] > 0.3
    assert np.abs(found.ledger_error).max() < 1e-5


def test_own_friction_on_an_anchor_at_a_friction_point_holds_a_load() -> None:
    numbers = {"m": 1.0, "k": 500.0, "pull": 0.01, "angle": 0.0}
    system = System(
        towed_mass(), numbers, frictions={"plane": coulomb(mu=2.0, v_c=V_C)}, memories={"plane": Anchor(1e-5, 1e-3)}
    )
    found = run_rk4(system, system.state([0.0, 0.0], [0.0, 0.0]), 2e-5, 0.6, 50)
    sticking = found["t"] < 0.35  # the spring reaches 2 N after 0.4 s
    assert np.abs(found["x"][sticking]).max() < 1.2e-5
    assert found["x"][-1] > 1e-4
    assert np.abs(found.ledger_error).max() < 1e-6


# --- other integrators -----------------------------------------------------------------------------------------


def test_user_laws_in_the_other_integrators() -> None:
    normal, friction = STORING(s_0=S_0, k=K, chi=0.3), coulomb(mu=MU, v_c=V_C)
    system = floor(Material(normal, friction, LPVFilter(2e-3, 1e-3)))
    start = system.state([0.0, resting(normal)], [0.05, 0.0])
    exact = run_rk4(system, start, 1e-5, 0.02, 2000)["x"][-1]
    assert run_adaptive(system, start, 0.02, 2)["x"][-1] == pytest.approx(exact, rel=1e-6)
    assert run_implicit(system, start, 1e-4, 0.02, 200)["x"][-1] == pytest.approx(exact, rel=1e-4)


def test_a_filtered_user_law_has_memory_and_a_static_one_has_none() -> None:
    normal, friction = Hertz(S_0, K), coulomb(mu=MU, v_c=V_C)
    sizes = [active_states(floor(Material(normal, friction, memory)))[0].size for memory in (None, LTIFilter(1e-3))]
    assert sizes == [4, 5]
    at = floor(Material(normal, friction))
    found = rates(at, at.state([0.0, resting(normal)], [-0.5, 0.0]))
    assert found.record["Ft_floor"] == pytest.approx(-MU * STILL["g"], rel=1e-6)
