"""Runs of closed loops: accuracy, energy ledger, switching of coordinates, and how runs end."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from chrono_powercontact.errors import DivergedError, ParameterError, UnknownNameError
from chrono_powercontact.lagrange.loops.loop_runs import (
    HISTORIES,
    LoopTrajectory,
    run_loop_adams,
    run_loop_adaptive,
    run_loop_rk4,
)
from chrono_powercontact.lagrange.loops.loops import LoopSystem
from chrono_powercontact.lagrange.loops.mechanisms import (
    DOUBLE_ROCKER,
    FOUR_BAR,
    LEG,
    PENDULUM,
    cartesian_pendulum,
    four_bar,
    leg_on_slide,
)
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.restriction import Restriction

WALL = Restriction(0.005, 0.0, 3000.0, 1.0)


def of(loop, numbers, **laws) -> LoopSystem:
    return LoopSystem(loop, System(loop.tree, numbers, **laws))


@cache
def rocker() -> tuple[LoopSystem, np.ndarray]:
    system = of(four_bar(), DOUBLE_ROCKER)
    return system, system.state([-1.2, 1.7, -2.3], [9.0], ["theta1"])


@cache
def rocker_run() -> LoopTrajectory:
    system, x = rocker()
    return run_loop_adaptive(system, x, 2.0, 401, rtol=1e-10, atol=1e-12)


def test_double_rocker_keeps_its_energy_over_many_switches() -> None:
    run = rocker_run()
    assert run["kinetic"][0] + run["potential"][0] == pytest.approx(15.5, abs=0.05)
    assert np.abs(run.energy - run.energy[0]).max() < 2e-7
    assert np.abs(run.ledger_error).max() < 2e-7
    assert set(run["independent"]) == {1.0, 2.0, 4.0}
    assert run.switches >= 20
    assert run["volume"].min() > 0.3


def test_double_rocker_stays_closed() -> None:
    run, n = rocker_run(), DOUBLE_ROCKER
    t1, t2, t3 = (run[name] for name in ("theta1", "theta2", "theta3"))
    for turn, base in ((np.cos, n["l4"]), (np.sin, 0.0)):
        assert n["l1"] * turn(t1) + n["l2"] * turn(t1 + t2) == pytest.approx(base + n["l3"] * turn(t3), abs=1e-12)


def test_rk4_agrees_with_the_adaptive_run_through_all_switches() -> None:
    system, x = rocker()
    run, wanted = run_loop_rk4(system, x, 1e-4, 0.5, every=50), rocker_run()
    assert run.switches >= 5
    assert run.evaluations == 4 * 5000 + 1
    for name in ("theta1", "theta2", "theta3", "R_C_1", "R_C_2"):
        scale = np.abs(wanted[name]).max()
        assert run[name] == pytest.approx(wanted[name][:101], abs=1e-6 * scale)
    assert np.abs(run.ledger_error).max() < 1e-6


def test_without_switching_the_rocker_runs_into_a_dead_point() -> None:
    system, x = rocker()
    with pytest.raises(DivergedError, match=r"the loop 'four_bar' .* after 0\.\d+ s near theta1=") as caught:
        run_loop_rk4(system, x, 1e-4, 0.5, independent=["theta1"], hold=0.0)
    assert 10 < len(caught.value.trajectory) < 5000
    with pytest.raises(DivergedError, match="the loop 'four_bar'"):
        run_loop_adaptive(system, x, 0.5, 51, independent=["theta1"], hold=0.0)


def turning_pendulum() -> tuple[LoopSystem, np.ndarray]:
    system, phi, w = of(cartesian_pendulum(), PENDULUM), 0.3, 7.2
    return system, system.state([math.sin(phi), -math.cos(phi)], [w * math.cos(phi)], ["y1"])


@cache
def pendulum_end() -> np.ndarray:
    """Place after 10 s, from the angle alone."""
    fine = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-13}
    angle = solve_ivp(lambda _, y: [y[1], -9.81 * math.sin(y[0])], (0, 10), [0.3, 7.2], **fine).y[0, -1]
    return np.array([math.sin(angle), -math.cos(angle)])


@cache
def adams_run(history: str) -> LoopTrajectory:
    return run_loop_adams(*turning_pendulum(), 10.0, 1e-9, 1e-11, hold=1.0, history=history)


@pytest.mark.parametrize("history", HISTORIES)
def test_adams_reaches_the_same_end_with_either_history(history: str) -> None:
    run = adams_run(history)
    assert run["t"][-1] == 10.0
    assert run.switches == 34
    assert np.array([run["y1"][-1], run["y2"][-1]]) == pytest.approx(pendulum_end(), abs=5e-6)
    assert run["y1"] ** 2 + run["y2"] ** 2 == pytest.approx(np.ones(len(run)), abs=1e-12)


@pytest.mark.parametrize("history", ["convert", "unwind"])
def test_a_kept_history_saves_a_third_of_the_evaluations(history: str) -> None:
    assert adams_run(history).evaluations < 0.67 * adams_run("restart").evaluations


def test_friction_at_the_joints_goes_into_the_ledger() -> None:
    joints = dict.fromkeys("OBCD", Dissipation(0.05, 0.06, 0.05, 0.1, 1e-3))
    system = of(four_bar(), FOUR_BAR | {"tau": 0.4}, frictions=joints)
    run = run_loop_rk4(system, system.state([0.7, 0.0, 1.4], [5.0]), 2e-4, 1.0, every=50)
    assert run["friction_heat"][-1] > 0.03
    assert abs(run["drive_work"][-1]) > 0.01
    assert np.abs(run.ledger_error).max() < 1e-7


def test_contacts_act_inside_a_loop() -> None:
    """A pendulum against a wall at its lowest point: the rod's angle alone as second opinion, same law."""
    system = of(cartesian_pendulum(), PENDULUM, contacts={"wall": Material(WALL)})
    run = run_loop_rk4(system, system.state([0.5, -math.sqrt(0.75)], [0.0]), 1e-4, 1.2, every=20)

    def swing(_: float, y: np.ndarray) -> list[float]:
        push = float(WALL.force(math.sin(y[0]), math.cos(y[0]) * y[1])) * math.cos(y[0])
        return [y[1], push - 9.81 * math.sin(y[0])]

    fine = {"method": "DOP853", "t_eval": run["t"], "rtol": 1e-9, "atol": 1e-11, "max_step": 2e-3}
    angle = solve_ivp(swing, (0, run["t"][-1]), [math.asin(0.5), 0.0], **fine)
    assert run["F_wall"].max() > 50.0
    assert run["contact_heat"][-1] > 0.1
    assert run["y1"] == pytest.approx(np.sin(angle.y[0]), abs=1e-5)
    assert np.abs(run.ledger_error).max() < 1e-5


def test_friction_of_a_contact_acts_inside_a_loop() -> None:
    rough = Material(WALL, Friction(0.3, 0.4, 0.01, 0.02))
    system = of(cartesian_pendulum(), PENDULUM, contacts={"wall": rough})
    x = system.state([0.5, -math.sqrt(0.75)], [0.0])
    coarse, fine = (run_loop_rk4(system, x, step, 0.8, every=20) for step in (1e-4, 5e-5))
    assert coarse["friction_heat"][-1] > 1e-4
    assert np.abs(fine.ledger_error).max() < 0.2 * np.abs(coarse.ledger_error).max() < 2e-6


def test_a_moving_pivot_drives_the_pendulum_and_the_ledger_knows_it() -> None:
    system = of(cartesian_pendulum(), PENDULUM | {"a": 0.2, "w": 4.0})
    x = system.state([0.3, -0.9], [0.0])
    for run in (run_loop_rk4(system, x, 1e-3, 2.0, every=20), run_loop_adaptive(system, x, 2.0, 101)):
        assert np.ptp(run.energy) > 0.5
        assert np.abs(run.ledger_error).max() < 1e-6


def test_two_degrees_of_freedom_switch_pairs() -> None:
    """The leg lets go: hip, knee, foot link and slide fall under gravity, the foot link over and over."""
    system = of(leg_on_slide(), LEG)
    x = system.state([0.35, 0.6, 0.8, 0.1], [1.0, 2.0], ["theta", "s"])
    run = run_loop_adaptive(system, x, 0.6, 61, rtol=1e-10, atol=1e-12)
    assert np.abs(run.ledger_error).max() < 1e-6 * np.abs(run["kinetic"]).max()
    assert all(len(system.names_in(mask)) == 2 for mask in run["independent"])


def test_progress_is_told() -> None:
    seen: list[float] = []
    system, x = turning_pendulum()
    run_loop_rk4(system, x, 1e-3, 0.1, progress=seen.append)
    assert seen[-1] == pytest.approx(1.0)
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"step": 0.0}, ParameterError, "step must be greater than 0, got 0"),
        ({"time": math.nan}, ParameterError, "time must be a finite number, got nan"),
        ({"every": 0}, ParameterError, "every must be an integer of at least 1, got 0"),
        ({"hold": 1.5}, ParameterError, r"hold must be from 0 \(never switch\) to 1 \(always the best\), got 1.5"),
        ({"hold": -1.0}, ParameterError, "hold must not be negative, got -1"),
        ({"independent": ["y3"]}, UnknownNameError, "unknown coordinate 'y3'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, error, message: str) -> None:
    system, x = turning_pendulum()
    with pytest.raises(error, match=message):
        run_loop_rk4(system, x, **({"step": 1e-3, "time": 0.1} | options))


def test_adaptive_runs_refuse_unknown_methods_and_histories() -> None:
    system, x = turning_pendulum()
    with pytest.raises(UnknownNameError, match="unknown method 'RK4'"):
        run_loop_adaptive(system, x, 1.0, method="RK4")
    with pytest.raises(ParameterError, match="records must be an integer of at least 2, got 1"):
        run_loop_adaptive(system, x, 1.0, records=1)
    with pytest.raises(UnknownNameError, match="unknown history 'forget'"):
        run_loop_adams(system, x, 1.0, history="forget")


def test_a_step_that_is_far_too_long_ends_with_a_sentence() -> None:
    system, x = rocker()
    with pytest.raises(DivergedError, match="'four_bar'"):
        run_loop_rk4(system, x, 0.5, 20.0)


def test_a_parallelogram_does_not_fold_unnoticed_in_its_flat_position() -> None:
    """There it may go on as parallelogram or crossed: nothing in the closure equations tells which."""
    system = of(four_bar(), FOUR_BAR | {"l1": 0.2, "l2": 0.3, "l3": 0.2, "l4": 0.3})
    x = system.state([0.05, -0.05, 0.05], [-5.0], ["theta1"])
    with pytest.raises(DivergedError, match=r"the loop 'four_bar' .* after 0\.009") as caught:
        run_loop_rk4(system, x, 1e-4, 0.02)
    assert np.abs(caught.value.trajectory.ledger_error).max() < 1e-6
