"""Reactions at the cut joints: three ways to compute them, and what they do and do not do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.lagrange.loops.loop_reactions import extended_reactions, index_1, reactions
from chrono_powercontact.lagrange.loops.loops import LoopSystem
from chrono_powercontact.lagrange.loops.mechanisms import FOUR_BAR, LEG, four_bar, leg_on_slide
from chrono_powercontact.lagrange.system import System

FOUR = LoopSystem(four_bar(), System(four_bar().tree, FOUR_BAR | {"tau": 0.4}))
TWO = LoopSystem(leg_on_slide(), System(leg_on_slide().tree, LEG | {"tau": 15.0, "F": -20.0}))


@settings(max_examples=30)
@given(crank=st.floats(-3.0, 3.0), speed=st.floats(-10.0, 10.0), name=st.sampled_from(["theta1", "theta2", "theta3"]))
def test_formula_7_is_the_extension_6_and_the_multiplier(crank: float, speed: float, name: str) -> None:
    x = FOUR.state([crank, -crank, 1.4], [speed], ["theta1"])
    if FOUR.volume(x[:3], [name]) < 0.02:
        return
    found = FOUR.project(x, [name])
    scale = np.abs(found.mass @ found.free_acceleration).max() + np.abs(found.reaction).max()
    f, independent = extended_reactions(found.mass, found.locked, found.tangent, found.zeta, found.free_acceleration)
    accel, multiplier = index_1(found.mass, found.jacobian, found.zeta, found.free_acceleration)
    assert f == pytest.approx(found.reaction, abs=1e-7 * scale)
    assert multiplier == pytest.approx(found.reaction, abs=1e-7 * scale)
    assert accel == pytest.approx(found.acceleration, rel=1e-6, abs=1e-6 * np.abs(accel).max())
    assert found.tangent @ independent + found.zeta == pytest.approx(accel, rel=1e-6, abs=1e-6 * np.abs(accel).max())


@settings(max_examples=20)
@given(hip=st.floats(0.1, 0.5), slide=st.floats(0.0, 0.15), speeds=st.tuples(st.floats(-2, 2), st.floats(-1, 1)))
def test_every_pair_of_coordinates_gives_the_same_motion_and_reaction(hip, slide, speeds) -> None:
    x = TWO.state([hip, 0.6, 0.8, slide], speeds, ["theta", "s"])
    wanted = TWO.project(x, ["theta", "s"])
    for first in range(4):
        for second in range(first + 1, 4):
            pair = [TWO.names[first], TWO.names[second]]
            if TWO.volume(x[:4], pair) > 1e-3:
                found = TWO.project(x, pair)
                assert found.reaction == pytest.approx(wanted.reaction, rel=1e-6, abs=1e-6)
                assert found.acceleration == pytest.approx(wanted.acceleration, rel=1e-6, abs=1e-6)


def test_reactions_do_no_work_along_the_tangent() -> None:
    found = TWO.project(TWO.state([0.35, 0.6, 0.8, 0.1], [1.2, -0.4], ["theta", "s"]))
    assert np.abs(found.tangent.T @ found.locked.T).max() < 1e-14
    assert np.abs(found.locked @ found.velocity).max() < 1e-13
    pushed = found.mass @ (found.acceleration - found.free_acceleration)
    assert pushed == pytest.approx(found.locked.T @ found.reaction, abs=1e-10)


def test_other_directions_of_the_same_span_give_the_same_push() -> None:
    found = FOUR.project(FOUR.state([0.7, 0.0, 1.4], [5.0], ["theta1"]))
    mixed = np.array([[2.0, 1.0], [-0.5, 3.0]]) @ found.locked
    f = np.zeros(2)
    assert reactions(found.mass, mixed, found.zeta, found.free_acceleration, f)
    assert mixed.T @ f == pytest.approx(found.locked.T @ found.reaction, rel=1e-10)


def test_redundant_directions_and_lost_masses_are_noticed() -> None:
    found = FOUR.project(FOUR.state([0.7, 0.0, 1.4], [5.0], ["theta1"]))
    twice = np.ascontiguousarray(found.locked[[0, 0]])
    assert not reactions(found.mass, twice, found.zeta, found.free_acceleration, np.zeros(2))
    assert not reactions(0.0 * found.mass, found.locked.copy(), found.zeta, found.free_acceleration, np.zeros(2))
