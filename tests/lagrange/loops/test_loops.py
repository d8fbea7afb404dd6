"""Closed loops with numbers: states that close, choices of coordinates, and what is refused in one sentence."""

from __future__ import annotations

import numpy as np
import pytest

from chrono_powercontact.errors import ModelError, ParameterError, UnknownNameError
from chrono_powercontact.lagrange.loops.loop_model import CutJoint, Loop
from chrono_powercontact.lagrange.loops.loops import LoopSystem
from chrono_powercontact.lagrange.loops.mechanisms import (
    DOUBLE_ROCKER,
    FOUR_BAR,
    LEG,
    PENDULUM,
    cartesian_pendulum,
    four_bar,
    leg_on_slide,
    slider_crank,
)
from chrono_powercontact.lagrange.model import velocities
from chrono_powercontact.lagrange.system import System

FOUR = LoopSystem(four_bar(), System(four_bar().tree, FOUR_BAR))
TWO = LoopSystem(leg_on_slide(), System(leg_on_slide().tree, LEG))


def test_states_close_in_position_and_velocity() -> None:
    x = TWO.state([0.3, 0.5, 0.7, 0.08], [0.9, 0.3], ["theta", "s"])
    found = TWO.project(x)
    assert np.all(x[[0, 3, 4, 7]] == [0.3, 0.08, 0.9, 0.3])
    assert found.jacobian @ x[4:8] == pytest.approx(np.zeros(2), abs=1e-13)
    TWO.check_state(x)


def test_best_coordinates_are_taken_unless_others_are_named() -> None:
    x = FOUR.state([0.7, 0.0, 1.4], [5.0])
    assert x[0] == 0.7
    assert FOUR.project(x).independent == ("theta1",)
    assert FOUR.project(x, ["theta3"]).independent == ("theta3",)


def test_columns_name_the_tree_then_reactions_and_choice() -> None:
    assert FOUR.columns == [*FOUR.tree.columns, "R_C_1", "R_C_2", "volume", "independent"]
    assert FOUR.names_in(5.0) == ("theta1", "theta3")


def test_reduced_states_hold_the_independent_rows() -> None:
    x = np.arange(float(TWO.tree.state_size))
    choice = np.array([-1, 0, 0, 3, 1, 2])
    assert list(TWO.reduce(x, choice)) == [0.0, 3.0, 4.0, 7.0, *x[8:]]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([0.7, 0.0], [5.0]), ParameterError, "q must have 3 entries, got 2"),
        (([0.7, 0.0, 1.4, 0.0], [5.0]), ParameterError, "q must have 3 entries, got 4"),
        (([0.7, 0.0, 1.4], [5.0, 1.0]), ParameterError, "u must have 1 entries, got 2"),
        (([0.7, np.nan, 1.4], [5.0]), ParameterError, r"q must be finite, got \[0.7, nan, 1.4\]"),
        (([0.7, 0.0, 1.4], [np.inf]), ParameterError, r"u must be finite, got \[inf\]"),
        (([0.7, "left", 1.4], [5.0]), ParameterError, "q must be 3 numbers, got"),
        (([0.7, 0.0, 1.4], [5.0], ["theta4"]), UnknownNameError, "unknown coordinate 'theta4'"),
        (([0.7, 0.0, 1.4], [5.0], ["theta1", "theta2"]), ParameterError, "has 1 independent coordinates of"),
        (([0.7, 0.0, 1.4], [5.0], "theta1"), ParameterError, "got 'theta1'"),
    ],
)
def test_states_that_cannot_be_are_refused(arguments, error, message: str) -> None:
    with pytest.raises(error, match=message):
        FOUR.state(*arguments)


def test_geometry_that_cannot_close_is_named() -> None:
    short = LoopSystem(four_bar(), System(four_bar().tree, FOUR_BAR | {"l3": 0.01}))
    with pytest.raises(ParameterError, match=r"'four_bar' cannot be closed with \{'theta1': 3.0\}: a gap of"):
        short.state([3.0, 0.0, 1.4], [5.0], ["theta1"])
    rocker = LoopSystem(four_bar(), System(four_bar().tree, DOUBLE_ROCKER))
    with pytest.raises(ParameterError, match="cannot be closed"):
        rocker.close([3.1, 0.0, 0.0], ["theta1"])


def test_a_dead_point_is_named() -> None:
    """Crank and coupler in one line: the rocker's angle does not tell how far the crank has turned."""
    flat = FOUR_BAR | {"l1": 0.1, "l2": 0.3, "l3": 0.3, "l4": 0.5}
    system = LoopSystem(four_bar(), System(four_bar().tree, flat))
    angle = float(np.arccos((0.4**2 + 0.5**2 - 0.3**2) / (2 * 0.4 * 0.5)))
    rocker = float(np.arctan2(0.4 * np.sin(angle), 0.4 * np.cos(angle) - 0.5))
    with pytest.raises(ModelError, match=r"\['theta3'\] of 'four_bar' cannot be independent .* dead point"):
        system.state([angle, 0.0, rocker], [1.0], ["theta3"])


def test_a_kinematic_singularity_is_named() -> None:
    """A parallelogram folded flat: the closure equations lose rank, no choice of coordinates helps."""
    flat = FOUR_BAR | {"l1": 0.2, "l2": 0.3, "l3": 0.2, "l4": 0.3}
    system = LoopSystem(four_bar(), System(four_bar().tree, flat))
    with pytest.raises(ModelError, match=r"2 closure equations of 'four_bar' depend on each other .* only 1"):
        system.state([0.0, 0.0, 0.0], [1.0])


def test_masses_that_vanish_are_named() -> None:
    empty = LoopSystem(cartesian_pendulum(), System(cartesian_pendulum().tree, PENDULUM | {"m": 0.0}))
    with pytest.raises(ModelError, match="mass matrix of 'cartesian_pendulum' is not positive definite"):
        empty.state([0.1, -1.0], [0.0])


def test_states_that_do_not_close_are_not_run() -> None:
    x = FOUR.state([0.7, 0.0, 1.4], [5.0])
    for index, message in ((1, "must close its loops"), (4, "that opens with")):
        bent = x.copy()
        bent[index] += 1e-3
        with pytest.raises(ParameterError, match=message):
            FOUR.project(bent)
    with pytest.raises(ParameterError, match="the state must have 14 entries"):
        FOUR.project(x[:-1])


def test_locked_directions_must_span_the_closure() -> None:
    loop = cartesian_pendulum()
    wrong = Loop(loop.tree, (CutJoint("rod", loop.cuts[0].closure, (velocities(loop.tree.q)[0],)),))
    with pytest.raises(ModelError, match="the locked velocities must span the rates of the closure"):
        LoopSystem(wrong, System(loop.tree, PENDULUM)).state([0.3, -0.7], [0.0])


def test_the_tree_must_be_the_loops_own() -> None:
    with pytest.raises(ModelError, match="the tree must be the system of 'slider_crank', got one of 'four_bar'"):
        LoopSystem(slider_crank(), System(four_bar().tree, FOUR_BAR))
