"""Linearly implicit runs: their order, their ledger, stiff systems, and where they give up."""

from __future__ import annotations

import numpy as np
import pytest
from lagrange_models import moving_floor, oscillator

from chrono_powercontact.errors import DivergedError, ParameterError
from chrono_powercontact.lagrange.building.textbook import two_masses
from chrono_powercontact.lagrange.implicit import active_states, run_implicit
from chrono_powercontact.lagrange.runs import run_adaptive, run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.trajectory import Trajectory

MOVING = {"m": 0.2, "g": 9.81, "k": 30.0, "a": 0.004, "w": 25.0, "belt": 0.15, "f": 0.5}
SOFT = Restriction(0.01, 0.004, 60.0, 2.0)
ROUGH = Friction(0.3, 0.4, 0.05, 0.1, 0.2)
KEEP = LPVFilter(0.02, 0.05)
CONTACTS = {
    "static friction": (Material(SOFT, ROUGH), None),
    "lpv memory": (Material(SOFT, ROUGH, KEEP), None),
    "coordinate memory": (Material(SOFT, ROUGH), {"x": KEEP, "y": KEEP}),
    "lugre": (Material(SOFT, LuGre(0.3, 0.4, 0.1, 200.0, 0.5, 0.1)), None),
}


def ball(k: float = 4.0) -> System:
    return System(oscillator(), {"m": 1.0, "k": k})


def floor(name: str) -> tuple[System, np.ndarray]:
    """A mass on a heaving floor with a belt, drive and spring: everything depends on time."""
    material, memory = CONTACTS[name]
    system = System(moving_floor(), MOVING, {"floor": material}, coordinate_memory=memory)
    return system, system.state([0.0, 0.02], [0.4, 0.0])


# --- order and ledger ------------------------------------------------------------------------------------------


def test_a_fixed_step_is_of_third_order() -> None:
    errors = []
    for step in (0.1, 0.05, 0.025):
        run = run_implicit(ball(), ball().state([1.0], [0.0]), step, 5.0)
        errors.append(np.abs(run["x"] - np.cos(2.0 * run["t"])).max())
        assert run.steps == round(5.0 / step)
    assert errors[-1] < 5e-5
    assert np.log2(errors[0] / errors[2]) / 2 == pytest.approx(3.0, abs=0.1)


@pytest.mark.parametrize("name", CONTACTS)
def test_contact_friction_and_drives_keep_the_order_and_the_ledger(name: str) -> None:
    system, start = floor(name)
    fine = run_rk4(system, start, 2e-5, 0.4, 50)
    assert fine["F_floor"].max() > 5.0
    errors = []
    for step, every in ((1e-3, 1), (5e-4, 2), (2.5e-4, 4)):
        run = run_implicit(system, start, step, 0.4, every)
        errors.append([np.abs(run["y"] - fine["y"]).max(), np.abs(run.ledger_error).max()])
    orders = np.log2(np.array(errors[0]) / errors[2]) / 2
    assert np.all(orders > 2.6), errors
    assert errors[2][1] < 2e-5 * fine.energy.max()


@pytest.mark.parametrize("name", CONTACTS)
def test_a_tolerance_is_kept_with_few_steps(name: str) -> None:
    system, start = floor(name)
    fine = run_rk4(system, start, 2e-5, 0.4, 500)
    rough, sharp = (run_implicit(system, start, 0.01, 0.4, 1, tol, 1e-2 * tol) for tol in (1e-3, 1e-5))
    assert np.abs(rough["y"] - fine["y"]).max() < 1e-4
    assert np.abs(sharp["y"] - fine["y"]).max() < 1e-6
    assert np.abs(sharp.ledger_error).max() < 5e-5 * fine.energy.max()
    assert rough.steps < 300
    assert rough.steps < 0.5 * sharp.steps


# --- stiffness -------------------------------------------------------------------------------------------------


def stiff_pair() -> System:
    """A soft oscillator with a mass behind a spring of 1e8 N/m and a damper of 1e6 N s/m: rates up to 1e6 per s."""
    numbers = {"m1": 1.0, "m2": 1.0, "c1": 40.0, "c2": 1e8, "F1": 0.0, "F2": 3.0}
    return System(two_masses(), numbers, frictions={"d2": Dissipation(0.0, 0.0, 1.0, d=1e6)})


def test_stiff_springs_and_dampers_do_not_limit_the_step() -> None:
    """Both masses move as one: x = F/c1 (1 - cos(w t)) with w^2 = 20; an explicit step of this size has no chance."""
    system = stiff_pair()
    start = system.state([0.0, 0.0], [0.0, 0.0])
    run = run_implicit(system, start, 0.01, 2.0)
    exact = 3.0 / 40.0 * (1.0 - np.cos(np.sqrt(20.0) * run["t"]))
    assert run["x2"] == pytest.approx(exact, abs=1e-5)
    assert np.abs(run.ledger_error).max() < 1e-4
    with pytest.raises(DivergedError):
        run_rk4(system, start, 0.01, 2.0)


def test_steep_friction_is_followed_with_long_steps() -> None:
    """A mass that slides to rest under friction of 1e5 N s/m at standstill, against Radau."""
    numbers = {"m1": 1.0, "m2": 1.0, "c1": 40.0, "c2": 60.0, "F1": 0.0, "F2": 0.0}
    system = System(two_masses(), numbers, frictions={"d1": Dissipation(2.0, 2.0, 2e-5)})
    start = system.state([0.3, 0.1], [0.0, 0.0])
    exact = run_adaptive(system, start, 1.5, 31, "Radau", 1e-6, 1e-9)
    run = run_implicit(system, start, 0.05, 1.5, 1, 1e-4, 1e-6)
    assert run["x1"] == pytest.approx(exact["x1"], abs=1e-4)
    assert run["x2"] == pytest.approx(exact["x2"], abs=1e-4)
    assert run.steps < 1500


def test_active_states_are_those_with_consequences() -> None:
    for name, size in (("static friction", 4), ("lpv memory", 5), ("coordinate memory", 6), ("lugre", 5)):
        system, start = floor(name)
        active, passive = active_states(system)
        assert active.size == size
        assert sorted([*active, *passive]) == list(range(start.size))


# --- records and refusals --------------------------------------------------------------------------------------


def test_records_stand_where_they_are_asked_for() -> None:
    start = ball().state([1.0], [0.0])
    run = run_implicit(ball(), start, 0.02, 1.0, 5, 1e-4)
    assert run["t"] == pytest.approx(np.linspace(0.0, 1.0, 11))
    assert run["x"] == pytest.approx(np.cos(2.0 * run["t"]), abs=1e-3)
    assert start.tolist() == ball().state([1.0], [0.0]).tolist()


def test_progress_comes_to_one() -> None:
    told: list[float] = []
    run_implicit(ball(), ball().state([1.0], [0.0]), 0.1, 5.0, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": 0.0}, "step must be greater than 0"),
        ({"time": -1.0}, "time must be greater than 0"),
        ({"every": 0}, "every must be an integer of at least 1, got 0"),
        ({"tolerance": 0.0}, "tolerance must be greater than 0, got 0"),
        ({"absolute": 0.0}, "absolute must be greater than 0, got 0"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, float], message: str) -> None:
    given = {"step": 0.1, "time": 1.0} | options
    with pytest.raises(ParameterError, match=message):
        run_implicit(ball(), ball().state([1.0], [0.0]), **given)


def test_a_run_that_cannot_go_on_says_so_and_keeps_its_records() -> None:
    system = ball(-1e4)  # runs away as exp(100 t)
    with pytest.raises(DivergedError, match=r"'test_oscillator' could not go on after .* s with a step of 0.05 s") as e:
        run_implicit(system, system.state([1.0], [0.0]), 0.05, 100.0)
    kept = e.value.trajectory
    assert isinstance(kept, Trajectory)
    assert len(kept) > 3
    assert np.all(np.isfinite(kept.data))
