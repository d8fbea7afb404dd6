"""The steps of a Chrono scene of the machine: its drive, and the states that it passes.

Chrono computes the force of a line at the end of a step, at the state that the next step begins with: the length for
that moment is set before the step. NSC, where there are contacts, and forces of water have all forces computed again
when a step begins; there the length is that of the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....chrono.api.bridge import fast, pychrono
from ....chrono.api.views import Mirror
from ....chrono.contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ....errors import DivergedError
from ....trajectory import Trajectory
from ..motion.setup import Setup
from .rake_scene import Scene
from .scene_touch import Touch
from .scene_water import WaterLoads

Array = NDArray[np.float64]
APART = 0.02
"""Time between two records, in s."""
FAR = 100.0
"""Gap in m at which the machine has left its scene."""


def left_scene(t: float, step: float, kept: Trajectory) -> DivergedError:
    """The error for a machine that is no longer where it can be, after t in s with a step in s."""
    return DivergedError(
        f"the rake cleaner on Chrono left its scene after {t:.6g} s with a step of {step:g} s: use a smaller step", kept
    )


@dataclass(frozen=True)
class Drive:
    """Commanded lengths in m and rates in m/s at every step, one row each."""

    c: Array
    rate: Array

    @classmethod
    def of(cls, setup: Setup, times: Array) -> Drive:
        """The command of a machine at times in s; held beyond its ends."""
        command = setup.command
        return cls(np.ascontiguousarray(command.at(times).T), np.ascontiguousarray(command.rate(times).T))


class Stepping:
    """Takes the steps of a scene and looks at its bodies after each, with room for so many states.

    After every so many of them it asks the contact for the energy that it holds; 0 never asks.
    """

    def __init__(self, scene: Scene, touch: Touch, water: WaterLoads | None, room: int, every: int = 0) -> None:
        chrono = pychrono()
        coordinates = STATE_WIDTH * len(scene.bodies)
        speeds = SPEED_WIDTH * len(scene.bodies)
        self.scene = scene
        self.touch = touch
        self.water = water
        self.recomputed = touch.recomputed or water is not None
        self.every = every
        self.x = np.zeros((room, coordinates))
        self.w = np.zeros((room, speeds))
        self.push = np.zeros((room, 2))
        self.stored = np.zeros(room // every if every else 0)
        self._at = 0
        state = chrono.ChState()
        state.SetVect([0.0] * coordinates)
        speed = chrono.ChStateDelta()
        speed.SetVect([0.0] * speeds)
        self._state = Mirror(state, coordinates)
        self._speed = Mirror(speed, speeds)
        self._time = chrono.double_ptr()
        self._set_length = fast(chrono.ChLinkTSDA, "SetRestLength")
        self._gather = fast(type(scene.system), "StateGather")
        scene.system.Setup()
        self.look(0)

    def look(self, i: int) -> None:
        """Note the state of the bodies as number i."""
        self._gather(self.scene.system, self._state.vector, self._speed.vector, self._time)
        self.x[i] = self._state.read()
        self.w[i] = self._speed.read()
        self.touch.push(self.push[i])
        if self.every and (i + 1) % self.every == 0:
            self.stored[i // self.every] = self.touch.stored(self.push[i])
        self._at = i

    def take(self, rest: list[list[float]], h: float) -> None:
        """Step so often as there are lengths in m at which the lines rest, by h in s."""
        system = self.scene.system
        main, knuckle = self.scene.lines
        for i, (first, second) in enumerate(rest):
            self._set_length(main, first)
            self._set_length(knuckle, second)
            if self.water is not None:
                self.water.apply(system.GetChTime(), self.x[self._at], self.w[self._at])
            if self.recomputed:
                system.ForceUpdate()
            system.DoStepDynamics(h)
            self.look(i)


def rest_lengths(drive: Drive, lines: NDArray[Any], first: int, count: int) -> Array:
    """Lengths in m at which lines rest in some steps: they damp (c/k) rate, which their rest lengths take on."""
    ahead = slice(first, first + count)
    return drive.c[ahead] + lines["c"] / lines["k"] * drive.rate[ahead]
