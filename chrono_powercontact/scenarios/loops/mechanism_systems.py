"""The mechanisms of the reference engine with their numbers; loaded when one of them runs."""

from __future__ import annotations

from collections.abc import Mapping

from ...lagrange.loops.loops import LoopSystem
from ...lagrange.loops.mechanisms import cartesian_pendulum, four_bar, leg_on_slide, slider_crank
from ...lagrange.system import System
from ...laws.material import Material


def four_bar_system(numbers: Mapping[str, float]) -> LoopSystem:
    """Crank, coupler and rocker."""
    return LoopSystem(four_bar(), System(four_bar().tree, numbers))


def slider_crank_system(numbers: Mapping[str, float], wall: Material | None) -> LoopSystem:
    """Crank, rod and slider, and the wall that the slider may hit."""
    contacts = {} if wall is None else {"wall": wall}
    return LoopSystem(slider_crank(), System(slider_crank().tree, numbers, contacts))


def leg_system(numbers: Mapping[str, float]) -> LoopSystem:
    """Thigh, shank, foot link and slide."""
    return LoopSystem(leg_on_slide(), System(leg_on_slide().tree, numbers))


def pendulum_system(numbers: Mapping[str, float]) -> LoopSystem:
    """A point mass on a rod, in Cartesian coordinates."""
    return LoopSystem(cartesian_pendulum(), System(cartesian_pendulum().tree, numbers))
