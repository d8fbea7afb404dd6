"""A flat-bottomed hopper, one grain deep between two panes of glass, on Chrono: every shape is taken over."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...chrono.api.bridge import pychrono
from ...chrono.api.start import prepare
from ...chrono.attachment import Attachment, attach
from ...laws.material import Material
from ..constants import GRAVITY
from ..scenes.chrono_scenes import watch

Floats = NDArray[np.float64]

GLASS = "glass"
SLACK = 1.2
"""Distance of the panes over the diameter of the largest grain."""
APART = 1.16
"""Distance of the grains at the start over the diameter of the largest."""
UNEASY = 0.1
"""Deviation of the grains' horizontal speeds at the start in m/s, so that they do not stack up like a crystal."""
FALL = 30.0
"""Depth of the tray below the hopper, in diameters."""
WALLS = 3.0
"""Height of the walls over that of a bed without voids."""
SAMPLE = 0.01
"""Time in s between two counts."""


class Hopper(NamedTuple):
    """A hopper and what fills it.

    Attributes:
        radii: of the grains in m. width: between the side walls in m. density: of the grains in kg/m^3.
        material: between grains and walls. pane: between grains and glass.
    """

    radii: Floats
    width: float
    density: float
    material: Material
    pane: Material

    @property
    def diameter(self) -> float:
        """Mean diameter of the grains in m."""
        return float(2.0 * self.radii.mean())

    @property
    def depth(self) -> float:
        """Distance of the panes in m."""
        return SLACK * float(2.0 * self.radii.max())

    @property
    def masses(self) -> Floats:
        """Masses of the grains in kg."""
        return np.asarray(self.density * 4.0 / 3.0 * math.pi * self.radii**3)


class Discharge(NamedTuple):
    """A run.

    Attributes:
        times: in s. passed: how many grains have left until then. scene: the moving scene.
        steps: number of steps. unconverged: those whose contact forces were not found to the usual precision.
        seconds: that all steps took.
    """

    times: Floats
    passed: Floats
    scene: Any
    steps: int
    unconverged: int
    seconds: float


def add_wall(system: Any, name: str, size: tuple[float, float, float], at: tuple[float, float, float]) -> Any:
    """A fixed box of edges in m around a place in m."""
    chrono = pychrono()
    wall = chrono.ChBodyEasyBox(*map(float, size), 1000.0, True, True, chrono.ChContactMaterialSMC())
    wall.SetFixed(True)
    wall.SetName(name)
    wall.SetPos(chrono.ChVector3d(*map(float, at)))
    system.AddBody(wall)
    return wall


def add_walls(system: Any, hopper: Hopper, opening: float) -> None:
    """Sides, panes and tray of a hopper, and its floor with an opening of a width in m."""
    d = hopper.diameter
    across = 2.0 * hopper.depth
    high = WALLS * hopper.radii.size * d * d / hopper.width
    half = 0.5 * (hopper.width - opening)
    for side, name in ((-1.0, "left"), (1.0, "right")):
        add_wall(system, name, (d, across, high), (side * 0.5 * (hopper.width + d), 0.0, 0.5 * high))
        add_wall(system, f"{name} floor", (half, across, d), (side * 0.5 * (opening + half), 0.0, -0.5 * d))
        pane = (3.0 * hopper.width, d, 2.0 * (high + FALL * d))
        glass = add_wall(system, GLASS, pane, (0.0, side * 0.5 * (hopper.depth + d), 0.0))
        glass.GetVisualShape(0).SetVisible(False)
    add_wall(system, "tray", (3.0 * hopper.width, across, d), (0.0, 0.0, -FALL * d))


def add_grains(system: Any, hopper: Hopper, places: Floats) -> list[Any]:
    """Grains at places in m, one row each."""
    chrono = pychrono()
    grains = []
    for radius, place in zip(hopper.radii, places, strict=True):
        grain = chrono.ChBodyEasySphere(float(radius), hopper.density, True, True, chrono.ChContactMaterialSMC())
        grain.SetPos(chrono.ChVector3d(*map(float, place)))
        system.AddBody(grain)
        grains.append(grain)
    return grains


def build(hopper: Hopper, opening: float, places: Floats, integrator: str) -> tuple[Any, Attachment, list[Any]]:
    """A hopper on Chrono under our law: the system, what is attached to it, and its grains."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0.0, 0.0, -GRAVITY))
    add_walls(system, hopper, opening)
    grains = add_grains(system, hopper, places)

    def choose(one: Any, other: Any) -> Material | None:
        return hopper.pane if GLASS in (one.GetName(), other.GetName()) else None

    contacts = attach(system)
    contacts.take_over(hopper.material, choose)
    prepare(system, integrator)
    return system, contacts, grains


def rows_of_grains(hopper: Hopper) -> Floats:
    """Places in m of grains that do not touch yet, row above row."""
    pitch = APART * 2.0 * float(hopper.radii.max())
    many = int(hopper.width / pitch)
    number = np.arange(hopper.radii.size)
    x = (number % many - 0.5 * (many - 1)) * pitch
    return np.column_stack([x, np.zeros(x.size), (number // many + 0.6) * pitch])


def places_of(grains: list[Any]) -> Floats:
    """Places of grains in m, one row each."""
    places = [grain.GetPos() for grain in grains]
    return np.array([(place.x, place.y, place.z) for place in places])


def settle(hopper: Hopper, time: float, step: float, integrator: str, seed: int) -> Floats:
    """Places in m of the grains after they have come to rest in a closed hopper for a time in s."""
    system, _, grains = build(hopper, 0.0, rows_of_grains(hopper), integrator)
    chrono = pychrono()
    for grain, speed in zip(grains, np.random.default_rng(seed).normal(0.0, UNEASY, len(grains)), strict=True):
        grain.SetPosDt(chrono.ChVector3d(float(speed), 0.0, 0.0))
    for _ in range(round(time / step)):
        system.DoStepDynamics(step)
    places = places_of(grains)
    system.Clear()
    return places


def discharge(
    hopper: Hopper, opening: float, places: Floats, run: tuple[float, float, str], until: Callable[[int, float], bool]
) -> Discharge:
    """Let a settled bed flow out of an opening of a width in m.

    Args:
        places: of the settled grains in m. run: longest time and step in s, integrator.
        until: whether a number of grains that have left at a time in s is enough.
    """
    time, step, integrator = run
    system, contacts, grains = build(hopper, opening, places, integrator)
    scene = watch(system, time)
    every = max(round(SAMPLE / step), 1)
    times = [0.0]
    passed = [0]
    begin = perf_counter()
    while times[-1] < time - 0.5 * step and not until(passed[-1], times[-1]):
        for _ in range(every):
            system.DoStepDynamics(step)
        times.append(system.GetChTime())
        passed.append(sum(grain.GetPos().z < 0.0 for grain in grains))
    seconds = perf_counter() - begin
    moving = scene.finished()
    missed = contacts.solver().unconverged
    system.Clear()
    return Discharge(np.array(times), np.array(passed, float), moving, every * (len(times) - 1), missed, seconds)
