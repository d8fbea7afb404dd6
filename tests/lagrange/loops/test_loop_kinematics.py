"""The kinematics of loops: closing them, dependent velocities and accelerations."""

from __future__ import annotations

import numpy as np
import pytest

from chrono_powercontact.lagrange.loops import loop_engine
from chrono_powercontact.lagrange.loops.loop_kinematics import CLOSED, OPEN, SINGULAR
from chrono_powercontact.lagrange.loops.loops import LoopSystem
from chrono_powercontact.lagrange.loops.mechanisms import FOUR_BAR, LEG, four_bar, leg_on_slide
from chrono_powercontact.lagrange.system import System


def assemble(system: LoopSystem, q: list[float], u: list[float], choice: list[int]):
    place, speed = np.array(q), np.array(u)
    free = system.loop.freedom
    status = loop_engine.assemble(
        *system.kernels[1:], 0.0, place, speed, system.tree.arguments.parameters, np.array(choice, np.int64), free
    )
    return status, place, speed


FOUR = LoopSystem(four_bar(), System(four_bar().tree, FOUR_BAR))


def test_newton_and_the_explicit_closure_find_the_same_position() -> None:
    ends = [assemble(FOUR, [0.9, 0.1, 1.3], [2.0, 0.0, 0.0], [way, 0, 0, 1, 2]) for way in (-1, 0)]
    assert [end[0] for end in ends] == [CLOSED, CLOSED]
    assert ends[0][1] == pytest.approx(ends[1][1], abs=1e-13)
    assert ends[0][2] == pytest.approx(ends[1][2], abs=1e-11)


def test_dependent_velocities_are_the_rates_of_dependent_positions() -> None:
    """Central difference of closed positions, in one and in two degrees of freedom."""
    leg = LoopSystem(leg_on_slide(), System(leg_on_slide().tree, LEG))
    cases = [(FOUR, [0.9, 0.1, 1.3], [2.0], [0]), (leg, [0.35, 0.6, 0.8, 0.1], [1.2, -0.4], [0, 3])]
    for system, guess, speeds, chosen in cases:
        names = [system.names[i] for i in chosen]
        x, h = system.state(guess, speeds, names), 1e-5
        n = len(guess)
        ends = [x[:n].copy() for _ in range(2)]
        for end, side in zip(ends, (-1.0, 1.0), strict=True):
            end[chosen] += side * h * np.array(speeds)
        before, after = (system.close(end, names) for end in ends)
        assert (after - before) / (2 * h) == pytest.approx(x[n : 2 * n], rel=1e-7, abs=1e-7)
        zeta = (after - 2 * x[:n] + before) / h**2  # at constant independent velocities
        assert zeta == pytest.approx(system.project(x, names).zeta, rel=2e-4, abs=2e-4)


@pytest.mark.parametrize(("way", "q"), [(-1, [0.7, 0.0, 1.4]), (0, [0.7, 0.0, 1.4])])
def test_bars_that_are_too_short_leave_the_loop_open(way: int, q: list[float]) -> None:
    short = LoopSystem(four_bar(), System(four_bar().tree, FOUR_BAR | {"l2": 0.05, "l3": 0.05}))
    assert assemble(short, q, [0.0] * 3, [way, 0, 0, 1, 2])[0] in (OPEN, SINGULAR)


def test_undefined_positions_stay_open() -> None:
    assert assemble(FOUR, [np.nan, 0.0, 1.4], [0.0] * 3, [-1, 0, 0, 1, 2])[0] in (OPEN, SINGULAR)
