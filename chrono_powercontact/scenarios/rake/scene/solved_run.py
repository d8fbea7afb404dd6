"""The machine on Chrono with forces at the end of a step: many records are written at once."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError, SystemChangedError
from ....trajectory import Trajectory
from ..machine.rack_contact import rack_record
from ..motion.gauges import LEDGER, columns
from ..motion.setup import Setup
from .rake_scene import Scene
from .scene_solved import DAMPED, SolvedTouch
from .scene_steps import APART, FAR, Drive, Stepping, left_scene, rest_lengths
from .scene_water import WaterLoads
from .solved_ledger import past_of, tally_solved

if TYPE_CHECKING:
    from ....progress import Progress

Array = NDArray[np.float64]
AT_ONCE = 32
"""Records that are written at once."""


class SolvedRecording:
    """A run of a scene with forces at the end of a step: its ledger, and a record for every so many steps."""

    def __init__(self, setup: Setup, scene: Scene, touch: SolvedTouch, step: float, count: int, every: int) -> None:
        self.step = step
        self.every = every
        self.parts = scene.parts
        self.rack = rack_record(setup.rack)
        self.water = setup.world.water
        self.ahead = touch.ahead
        self.times = np.arange(count * every + 1, dtype=np.float64) * step
        self.drive = Drive.of(setup, self.times)
        loads = None if setup.water.still else WaterLoads(scene, self.water)
        self.stepping = Stepping(scene, touch, loads, every * AT_ONCE, every)
        self.names = columns(len(scene.bodies))
        self.rows = np.zeros((count + 1, len(self.names)))
        self.rows[:, 0] = self.times[::every]
        self._ledger = np.zeros(1, LEDGER)
        self._past = past_of(len(scene.bodies))

    def note(self, r: int, records: int) -> None:
        """Write so many records after record r; none writes that of the start."""
        first = r * self.every + 1 if records else 0
        n = records * self.every if records else 1
        seen = slice(first, first + n)
        state = self.stepping
        tally_solved(
            self.parts, self.rack, self.water, self.times[seen], state.x[:n], state.w[:n], self.drive.c[seen],
            self.drive.rate[seen], state.push[:n], state.stored, self.every, self.step if records else 0.0, DAMPED,
            self.ahead, self._past, self._ledger, self.rows[r : r + records + 1],
        )  # fmt: skip
        written = self.rows[r : r + records + 1]
        left = ~np.isfinite(written.sum(axis=1)) | (np.abs(written[:, self.names.index("gap")]) > FAR)
        if left.any():
            last = r + int(left.argmax())
            raise left_scene(self.rows[last, 0], self.step, self.trajectory(max(last, 1)))

    def advance(self, r: int, records: int) -> None:
        """Take the steps of so many records after record r.

        The lines rest at the lengths of the end of each step. If Chrono computes its forces again when a step begins,
        only the part of the change that the plugin would add may be in them.
        """
        first = r * self.every
        steps = records * self.every
        rest = rest_lengths(self.drive, self.parts.lines, first + 1, steps)
        if self.stepping.recomputed:
            rest -= (1.0 - DAMPED) * (rest - rest_lengths(self.drive, self.parts.lines, first, steps))
        try:
            self.stepping.take(rest.tolist(), self.step)
        except SystemChangedError as error:
            raise DivergedError(f"{error}: use a smaller step than {self.step:g} s", self.trajectory(r + 1)) from None

    def trajectory(self, records: int, cost: float | None = None) -> Trajectory:
        """The first records; cost of a step in us."""
        return Trajectory(self.names, self.rows[:records], (records - 1) * self.every, cost)


def run_solved(
    setup: Setup, scene: Scene, touch: SolvedTouch, step: float, time: float, progress: Progress
) -> Trajectory:
    """Step a scene with a fixed step in s and forces at its end; records are APART s from each other."""
    every = max(round(APART / step), 1)
    count = max(round(time / (every * step)), 1)
    run = SolvedRecording(setup, scene, touch, step, count, every)
    begin = perf_counter()
    run.note(0, 0)
    for r in range(0, count, AT_ONCE):
        records = min(AT_ONCE, count - r)
        run.advance(r, records)
        run.note(r, records)
        progress(r / count)
    progress(1.0)
    return run.trajectory(count + 1, 1e6 * (perf_counter() - begin) / (count * every))
