"""Chrono's own closed loops beside the minimal-coordinate engine: motion and joint reactions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from chrono_powercontact.chrono.run.chrono_mechanisms import (
    PlanarLoop,
    at_rest,
    chrono_four_bar,
    chrono_slider_crank,
    four_bar_state,
    slider_crank_state,
)
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.lagrange.loops.loop_runs import run_loop_rk4
from chrono_powercontact.lagrange.loops.loops import LoopSystem
from chrono_powercontact.lagrange.loops.mechanisms import (
    DOUBLE_ROCKER,
    FOUR_BAR,
    SLIDER_CRANK,
    four_bar,
    slider_crank,
)
from chrono_powercontact.lagrange.system import System

DEFAULT, HHT, TIME = "euler_implicit_linearized", "hht", 0.02

CASES = {
    "four-bar": (four_bar, FOUR_BAR, (0.7, 0.0, 1.4), 5.0, chrono_four_bar, four_bar_state),
    "slider-crank": (slider_crank, SLIDER_CRANK, (0.7, -0.8, 0.37), 5.0, chrono_slider_crank, slider_crank_state),
    "double rocker": (four_bar, DOUBLE_ROCKER, (-1.2, 1.7, -2.3), 9.0, chrono_four_bar, four_bar_state),
}


@dataclass(frozen=True)
class Ends:
    """Both engines at the end of a run, and the reaction by (7) at Chrono's own position and velocity."""

    q: np.ndarray
    u: np.ndarray
    f: np.ndarray
    wanted_q: np.ndarray
    wanted_u: np.ndarray
    wanted_f: np.ndarray
    own_f: np.ndarray


def off(found: np.ndarray, wanted: np.ndarray) -> float:
    return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))


@cache
def reference(name: str, time: float) -> tuple[LoopSystem, np.ndarray, np.ndarray]:
    """The system, its state at the start, and the last record of a fine RK4 run."""
    mechanism, numbers, guess, speed, _, _ = CASES[name]
    system = LoopSystem(mechanism(), System(mechanism().tree, numbers))
    x = system.state(guess, [speed], ["theta1"])
    return system, x, run_loop_rk4(system, x, 2e-5, time, every=round(time / 2e-5)).data[-1]


def chrono_run(name: str, integrator: str, step: float, time: float) -> PlanarLoop:
    system, x, _ = reference(name, time)
    loop = CASES[name][4](CASES[name][1], x[:3], x[3:6], system.project(x).acceleration, integrator)
    for _ in range(round(time / step)):
        loop.system.DoStepDynamics(step)
    return loop


@cache
def ends(name: str, integrator: str, step: float = 1e-4, time: float = TIME) -> Ends:
    system, _, last = reference(name, time)
    loop, record = chrono_run(name, integrator, step, time), dict(zip(system.columns, last, strict=True))
    q, u = CASES[name][5](loop)
    chosen = system.best(q)
    x = system.state(q, u[system.indices(chosen)], chosen)
    return Ends(
        q, u, loop.reaction(), last[1:4], last[4:7], np.array([record["R_C_1"], record["R_C_2"]]),
        system.project(x).reaction,
    )  # fmt: skip


@pytest.mark.chrono
@pytest.mark.parametrize("name", CASES)
def test_reactions_under_hht(name: str) -> None:
    found = ends(name, HHT)
    assert np.linalg.norm(found.f) > 1.0  # a solver that fails leaves all reactions at zero
    assert off(found.f, found.own_f) < 2e-5
    assert off(found.f, found.wanted_f) < 1e-4


@pytest.mark.chrono
@pytest.mark.parametrize("name", CASES)
def test_reactions_under_the_default_integrator(name: str) -> None:
    """At the same time; at Chrono's own state the double rocker, which turns fastest, is 6e-3 off."""
    found = ends(name, DEFAULT)
    assert np.linalg.norm(found.f) > 1.0
    assert off(found.f, found.wanted_f) < 5e-3
    assert off(found.f, found.own_f) < (7e-3 if name == "double rocker" else 2e-3)


@pytest.mark.chrono
@pytest.mark.parametrize("name", CASES)
def test_the_default_integrators_error_halves_with_its_step(name: str) -> None:
    coarse, fine = ends(name, DEFAULT), ends(name, DEFAULT, 5e-5)
    assert off(coarse.f, coarse.own_f) / off(fine.f, fine.own_f) == pytest.approx(2.0, rel=0.1)
    assert off(coarse.f, coarse.wanted_f) / off(fine.f, fine.wanted_f) == pytest.approx(2.0, rel=0.1)


@pytest.mark.chrono
@pytest.mark.parametrize("name", CASES)
def test_motion_under_both_integrators(name: str) -> None:
    for integrator, place, speed in ((HHT, 1e-5, 2e-5), (DEFAULT, 3e-4, 2e-3)):
        found = ends(name, integrator)
        assert found.q == pytest.approx(found.wanted_q, abs=place)
        assert off(found.u, found.wanted_u) < speed


@pytest.mark.chrono
def test_hht_from_consistent_accelerations_is_of_second_order() -> None:
    coarse, fine = (ends("double rocker", HHT, step) for step in (2e-4, 1e-4))
    errors = [np.abs(found.q - found.wanted_q).max() for found in (coarse, fine)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)


@pytest.mark.chrono
def test_the_state_of_the_four_bar_after_20_ms_is_that_of_the_digest() -> None:
    found = ends("four-bar", HHT)
    assert found.wanted_q[0] == pytest.approx(0.7766486, abs=1e-7)
    assert found.wanted_u[0] == pytest.approx(2.747584, abs=1e-6)
    assert found.wanted_f == pytest.approx([0.8371, 3.4841], abs=1e-4)
    assert found.q[0] == pytest.approx(0.7766486, abs=1e-6)


@pytest.mark.chrono
def test_the_rocker_goes_on_together_through_changes_of_coordinates() -> None:
    system, x, _ = reference("double rocker", 0.1)
    assert run_loop_rk4(system, x, 1e-4, 0.1).switches >= 1
    found = ends("double rocker", HHT, time=0.1)
    turns = np.array([math.remainder(angle, 2 * math.pi) for angle in found.wanted_q])
    assert found.q == pytest.approx(turns, abs=2e-4)
    assert off(found.f, found.own_f) < 1e-4


@pytest.mark.chrono
def test_pins_that_are_not_cut_carry_newtons_balance() -> None:
    """Rocker: its two pins and its weight accelerate its centre."""
    system, _, _ = reference("four-bar", TIME)
    loop = chrono_run("four-bar", HHT, 1e-4, TIME)
    q, u = four_bar_state(loop)
    accel = system.project(system.state(q, [u[0]], ["theta1"]), ["theta1"]).acceleration[2]
    ahead, aside = np.array([math.cos(q[2]), math.sin(q[2])]), np.array([-math.sin(q[2]), math.cos(q[2])])
    centre = 0.125 * (accel * aside - u[2] ** 2 * ahead)
    pushed = loop.reaction("D") - loop.reaction("C") + [0.0, -0.9 * 9.81]
    assert pushed == pytest.approx(0.9 * centre, abs=1e-4 * np.linalg.norm(loop.reaction("D")))


def test_a_bar_carries_velocity_and_acceleration_to_its_tip() -> None:
    """Against central differences of a bar on a bar."""
    h = 1e-4

    def tip(t: float) -> np.ndarray:
        one = at_rest(0.1, 0.2).along(0.3, (0.5 + 2 * t, 2.0, 0.0))
        return one.along(0.4, (t**2, 2 * t, 2.0)).position

    found = at_rest(0.1, 0.2).along(0.3, (2.5, 2.0, 0.0)).along(0.4, (1.0, 2.0, 2.0))
    assert (tip(1 + h) - tip(1 - h)) / (2 * h) == pytest.approx(found.velocity, abs=1e-7)
    assert (tip(1 + h) - 2 * tip(1) + tip(1 - h)) / h**2 == pytest.approx(found.acceleration, abs=1e-5)


@pytest.mark.parametrize("q", [(0.7, 0.0), (0.7, math.nan, 1.4)])
@pytest.mark.parametrize("build", [chrono_four_bar, chrono_slider_crank])
def test_states_that_are_none_are_refused_before_anything_is_built(build, q) -> None:
    numbers = FOUR_BAR if build is chrono_four_bar else SLIDER_CRANK
    with pytest.raises(ParameterError, match="must be 3 finite numbers each"):
        build(numbers, q, np.zeros(len(q)), np.zeros(len(q)), DEFAULT)
