"""The compiled engine of closed loops: projection, choice, and the RK4 loop."""

from __future__ import annotations

import numpy as np
import pytest

from chrono_powercontact.lagrange.loops import loop_engine
from chrono_powercontact.lagrange.loops.loop_kinematics import CLOSED, OTHER_BRANCH, SINGULAR, SWITCHED
from chrono_powercontact.lagrange.loops.loops import LoopSystem
from chrono_powercontact.lagrange.loops.mechanisms import FOUR_BAR, four_bar
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.dissipation import Dissipation
from chrono_powercontact.laws.friction.memory import LTIFilter

FOUR = LoopSystem(four_bar(), System(four_bar().tree, FOUR_BAR))
START = FOUR.state([0.7, 0.0, 1.4], [5.0], ["theta1"])


def look(system: LoopSystem, x: np.ndarray, name: str, hold: float = 0.0):
    choice, place, row = system.choice(x[:3], [name]), x.copy(), np.zeros(len(system.columns))
    status, dx = system.evaluate(0.0, system.reduce(x, choice), choice, place, hold, row)
    return status, dx, dict(zip(system.columns, row, strict=True)), choice


def test_derivative_of_the_full_state_holds_velocities_and_accelerations() -> None:
    status, dx, record, _ = look(FOUR, START, "theta1")
    found = FOUR.project(START)
    assert status == CLOSED
    assert dx[:3] == pytest.approx(START[3:6], rel=1e-12)
    assert dx[3:6] == pytest.approx(found.acceleration, rel=1e-12)
    assert [record["R_C_1"], record["R_C_2"]] == pytest.approx(found.reaction, rel=1e-12)
    assert FOUR.names_in(record["independent"]) == ("theta1",)
    assert record["volume"] == pytest.approx(FOUR.projections(START[:3])[0], rel=1e-12)


def test_poor_coordinates_are_replaced_and_good_ones_are_held() -> None:
    """p is 0.90, 0.77 and 0.05 here."""
    for name, hold, status, chosen in (
        ("theta1", 1.0, CLOSED, 0), ("theta2", 0.7, CLOSED, 1), ("theta2", 0.95, SWITCHED, 0),
        ("theta3", 0.7, SWITCHED, 0), ("theta3", 0.0, CLOSED, 2),
    ):  # fmt: skip
        found = look(FOUR, START, name, hold)
        assert (found[0], found[3][2]) == (status, chosen)


def test_a_switch_rereads_branch_and_explicit_closure() -> None:
    _, _, _, choice = look(FOUR, START, "theta3", 1.0)
    assert list(choice) == list(FOUR.choice(START[:3], ["theta1"]))
    assert choice[0] == 0  # the four-bar's explicit closure is that of theta1
    assert FOUR.choice(START[:3], ["theta3"])[0] == -1


def test_the_other_side_of_a_dead_point_is_not_taken_for_the_same_loop() -> None:
    choice = FOUR.choice(START[:3], ["theta1"])
    choice[:2] = -1, -choice[1]
    status, _ = FOUR.evaluate(0.0, FOUR.reduce(START, choice), choice, START.copy(), 0.0, np.zeros(len(FOUR.columns)))
    assert status == OTHER_BRANCH


def test_laws_act_on_the_tree_and_are_projected() -> None:
    """Friction at the cut joint itself: J^T of its torque, and the ledger gets its power."""
    law = Dissipation(0.3, 0.3, 1e-3)
    rough = LoopSystem(four_bar(), System(four_bar().tree, FOUR_BAR, frictions={"C": law}))
    free, found = FOUR.project(START), rough.project(START)
    slip = START[3] + START[4] - START[5]
    torque = -float(law.force(slip)) * np.array([1.0, 1.0, -1.0])
    assert found.applied_i - free.applied_i == pytest.approx(found.tangent.T @ torque, rel=1e-9)
    _, dx, _, _ = look(rough, START, "theta1")
    assert dx[-3] == pytest.approx(float(law.force(slip)) * slip, rel=1e-9)


def test_memory_of_friction_is_part_of_the_state() -> None:
    laws = {"frictions": {"D": Dissipation(0.3, 0.3, 1e-3)}, "memories": {"D": LTIFilter(1e-2)}}
    system = LoopSystem(four_bar(), System(four_bar().tree, FOUR_BAR, **laws))
    x = system.state([0.7, 0.0, 1.4], [5.0], ["theta1"], memory=[0.0, 0.0, 0.0, 0.1])
    _, dx, record, _ = look(system, x, "theta1")
    assert record["Ft_D"] == pytest.approx(0.1)
    assert dx[9] == pytest.approx((0.3 - 0.1) / 1e-2, rel=1e-6)


def test_rk4_converges_with_the_fourth_order() -> None:
    ends = []
    for count in (25, 50, 100, 800):
        choice, x = FOUR.choice(START[:3]), START.copy()
        z, rows = FOUR.reduce(x, choice), np.zeros((1, len(FOUR.columns)))
        watch = np.array([(np.nan, 0.0)], loop_engine.WATCH)
        done = loop_engine.rk4_loop(
            *FOUR.kernels, 0.0, z, *FOUR.tree.arguments, FOUR.masks, choice, 0.0, x,
            0.1 / count, 0, count, watch, rows,
        )  # fmt: skip
        assert done == (1, 0, CLOSED)
        ends.append(z[:2])
    errors = [np.abs(end - ends[-1]).max() for end in ends[:-1]]
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.35)
    assert errors[1] / errors[2] == pytest.approx(16.0, rel=0.35)


def test_lost_rank_and_dead_points_are_noticed() -> None:
    """A parallelogram in its flat position, where it may fold either way; a crank-rocker next to a dead point."""
    flat = LoopSystem(four_bar(), System(four_bar().tree, FOUR_BAR | {"l1": 0.2, "l2": 0.3, "l3": 0.2, "l4": 0.3}))
    x, row = flat.tree.state([0.0] * 3, [0.0] * 3), np.zeros(len(flat.columns))
    assert flat.evaluate(0.0, x[[0, 3, *range(6, x.size)]], np.array([-1, 0, 0, 1, 2]), x, 0.7, row)[0] == SINGULAR
    dead = FOUR.state([0.6676677019, 0.0, 1.4], [1.0], ["theta1"])
    assert look(FOUR, dead, "theta1", 0.0)[0] == CLOSED
    assert look(FOUR, dead, "theta3", 0.7)[0] == SWITCHED
    assert look(FOUR, dead, "theta3", 0.0)[0] == SINGULAR
