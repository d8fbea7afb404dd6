"""The machine on Chrono: it steps, and is recorded as on the reference engine."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....chrono.api.bridge import LINEARIZED, set_integrator
from ....chrono.contact.bodies import SPEED_WIDTH
from ....errors import DivergedError, ParameterError, SystemChangedError, positive
from ....trajectory import Trajectory
from ..cases.measure import start_step
from ..machine.rack_contact import rack_record
from ..motion.gauges import LEDGER, RECORD, RECORD_SIZE, columns
from ..motion.setup import Setup
from .rake_scene import Scene, build
from .scene_ledger import KEPT, tally
from .scene_seals import add_seals
from .scene_solved import SolvedTouch
from .scene_steps import APART, FAR, Drive, Stepping, left_scene, rest_lengths
from .scene_touch import (
    BUILT_IN,
    BuiltInTouch,
    PluginTouch,
    Touch,
    built_in_system,
    direct_solver,
    hardly_any_solver,
)
from .scene_water import WaterLoads
from .solved_run import run_solved

if TYPE_CHECKING:
    from ....progress import Progress

Array = NDArray[np.float64]


class Recording:
    """A run of a scene: its ledger, and a record for every so many steps."""

    def __init__(self, setup: Setup, scene: Scene, touch: Touch, step: float, count: int, every: int) -> None:
        self.step = step
        self.every = every
        self.touch = touch
        self.parts = scene.parts
        self.rack = rack_record(setup.rack)
        self.water = setup.world.water
        self.times = np.arange(count * every + 1, dtype=np.float64) * step
        self.drive = Drive.of(setup, self.times)
        loads = None if setup.water.still else WaterLoads(scene, self.water)
        self.stepping = Stepping(scene, touch, loads, every)
        self.names = columns(len(scene.bodies))
        self.rows = np.zeros((count + 1, len(self.names)))
        self._ledger = np.zeros(1, LEDGER)
        self._kept = np.zeros(1, KEPT)
        self._before = np.zeros(SPEED_WIDTH * len(scene.bodies))

    def note(self, r: int) -> None:
        """Write record r, and tell the contact how near the rack is."""
        row = self.rows[r]
        record = row[:RECORD_SIZE].view(RECORD)[0]
        seen = slice((r - 1) * self.every + 1, r * self.every + 1) if r else slice(0, 1)
        n = self.every if r else 1
        state = self.stepping
        record["t"] = r * self.every * self.step
        tally(
            self.parts, self.rack, self.water, self.times[seen], state.x[:n], state.w[:n], self.drive.c[seen],
            self.drive.rate[seen], state.push[:n], self.step if r else 0.0, self._before, self._kept,
            self._ledger, row,
        )  # fmt: skip
        self.touch.report(record)
        gap = record["gauges"]["gap"]
        if not np.isfinite(row.sum()) or np.abs(gap) > FAR:
            raise left_scene(record["t"], self.step, self.trajectory(max(r, 1)))
        self.touch.near(gap)

    def advance(self, r: int) -> None:
        """Take the steps after record r."""
        first = r * self.every + (0 if self.stepping.recomputed else 1)
        rest = rest_lengths(self.drive, self.parts.lines, first, self.every)
        try:
            self.stepping.take(rest.tolist(), self.step)
        except SystemChangedError as error:
            raise DivergedError(f"{error}: use a smaller step than {self.step:g} s", self.trajectory(r + 1)) from None

    def trajectory(self, records: int, cost: float | None = None) -> Trajectory:
        """The first records; cost of a step in us."""
        return Trajectory(self.names, self.rows[:records], (records - 1) * self.every, cost)


def run_scene(setup: Setup, scene: Scene, touch: Touch, step: float, time: float, progress: Progress) -> Trajectory:
    """Step a scene with a fixed step in s; records are APART s from each other."""
    every = max(round(APART / step), 1)
    count = max(round(time / (every * step)), 1)
    run = Recording(setup, scene, touch, step, count, every)
    begin = perf_counter()
    run.note(0)
    for r in range(count):
        run.advance(r)
        run.note(r + 1)
        if r % max(count // 50, 1) == 0:
            progress(r / count)
    progress(1.0)
    return run.trajectory(count + 1, 1e6 * (perf_counter() - begin) / (count * every))


def check_run(setup: Setup, time: float, integrator: str) -> None:
    """Raise where Chrono cannot run for so long, or with this integrator."""
    setup.command.check(setup.machine)
    if time > setup.command.t[-1] + 1e-9:
        raise ParameterError(f"the command ends at {setup.command.t[-1]:g} s, the run would take until {time:g} s")
    if integrator not in LINEARIZED:
        raise ParameterError(f"the machine runs on Chrono with {' or '.join(LINEARIZED)}, got {integrator!r}")


def run_on_chrono(
    setup: Setup, law: str, step: float, time: float, progress: Progress, integrator: str = LINEARIZED[0]
) -> Trajectory:
    """Run on Chrono, from rest at the first lengths of the command; law names one of Chrono's own, or any other."""
    from ...scenes.chrono_scenes import new_scene

    positive("step", step)
    check_run(setup, time, integrator)
    own = law in BUILT_IN
    system, ground = built_in_system(law) if own else new_scene()
    hold = setup.statics.settle(*setup.command.c[:, 0])
    scene = build(system, ground, setup, hold.lengths, hold.q.tolist())
    set_integrator(system, integrator)
    solved = not own and step > start_step(setup)
    system.SetSolver(hardly_any_solver() if solved else direct_solver())
    if solved:
        return run_solved(setup, scene, SolvedTouch(scene, setup), step, time, progress)
    touch: Touch = BuiltInTouch(scene, setup, law) if own else PluginTouch(scene, setup, step)
    add_seals(scene)
    return run_scene(setup, scene, touch, step, time, progress)
