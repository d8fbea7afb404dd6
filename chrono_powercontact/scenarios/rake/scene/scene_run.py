"""The machine on Chrono: it steps, and is recorded as on the reference engine.

Chrono computes the force of a line at the end of a step, at the state that the next step begins with: the length for
that moment is set before the step. NSC, where there are contacts, and forces of water have all forces computed again
when a step begins; there the length is that of the beginning. Where a step is too long for forces at its start, the
plugin solves for those at its end, and the length is that of the end again.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....chrono.api.bridge import LINEARIZED, fast, pychrono, set_integrator
from ....chrono.api.views import Mirror
from ....chrono.contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ....errors import DivergedError, ParameterError, SystemChangedError, positive
from ....trajectory import Trajectory
from ..cases.measure import start_step
from ..machine.rack_contact import rack_record
from ..motion.gauges import LEDGER, RECORD, RECORD_SIZE, columns
from ..motion.setup import Setup
from .rake_scene import Scene, build
from .scene_ledger import KEPT, tally
from .scene_seals import add_seals
from .scene_solved import DAMPED, SolvedTouch
from .scene_touch import BUILT_IN, BuiltInTouch, PluginTouch, Touch, built_in_system, direct_solver
from .scene_water import WaterLoads
from .solved_ledger import past_of, tally_solved

if TYPE_CHECKING:
    from ....progress import Progress

Array = NDArray[np.float64]
APART = 0.02
"""Time between two records, in s."""
FAR = 100.0
"""Gap in m at which the machine has left its scene."""


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
    """Takes the steps of a scene and looks at its bodies after each."""

    def __init__(self, scene: Scene, touch: Touch, water: WaterLoads | None, every: int) -> None:
        chrono = pychrono()
        coordinates = STATE_WIDTH * len(scene.bodies)
        speeds = SPEED_WIDTH * len(scene.bodies)
        self.scene = scene
        self.touch = touch
        self.water = water
        self.recomputed = touch.recomputed or water is not None
        self.x = np.zeros((every, coordinates))
        self.w = np.zeros((every, speeds))
        self.push = np.zeros((every, 2))
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
        self._past = past_of(len(scene.bodies))

    def note(self, r: int) -> None:
        """Write record r, and tell the contact how near the rack is."""
        row = self.rows[r]
        record = row[:RECORD_SIZE].view(RECORD)[0]
        seen = slice((r - 1) * self.every + 1, r * self.every + 1) if r else slice(0, 1)
        n = self.every if r else 1
        state = self.stepping
        record["t"] = r * self.every * self.step
        if self.touch.solved:
            tally_solved(
                self.parts, self.rack, self.water, self.times[seen], state.x[:n], state.w[:n], self.drive.c[seen],
                self.drive.rate[seen], state.push[:n], self.step if r else 0.0, DAMPED, self._past, self._ledger,
                self.rows[max(r - 1, 0)], row,
            )  # fmt: skip
        else:
            tally(
                self.parts, self.rack, self.water, self.times[seen], state.x[:n], state.w[:n], self.drive.c[seen],
                self.drive.rate[seen], state.push[:n], self.step if r else 0.0, self._before, self._kept,
                self._ledger, row,
            )  # fmt: skip
        self.touch.report(record)
        gap = record["gauges"]["gap"]
        if not np.isfinite(row.sum()) or np.abs(gap) > FAR:
            raise DivergedError(
                f"the rake cleaner on Chrono left its scene after {record['t']:.6g} s with a step of {self.step:g} s: "
                "use a smaller step",
                self.trajectory(max(r, 1)),
            )
        self.touch.near(gap)

    def advance(self, r: int) -> None:
        """Take the steps after record r; a line damps (c/k) rate, which its rest length takes on."""
        first = r * self.every
        rest = self._rest(first if self.stepping.recomputed else first + 1)
        if self.stepping.recomputed and self.touch.solved:
            rest += DAMPED * (self._rest(first + 1) - rest)
        try:
            self.stepping.take(rest.tolist(), self.step)
        except SystemChangedError as error:
            raise DivergedError(f"{error}: use a smaller step than {self.step:g} s", self.trajectory(r + 1)) from None

    def _rest(self, first: int) -> Array:
        """Lengths in m at which the lines rest, from a step on."""
        ahead = slice(first, first + self.every)
        lines = self.parts.lines
        return self.drive.c[ahead] + lines["c"] / lines["k"] * self.drive.rate[ahead]

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
    system.SetSolver(direct_solver())
    solved = not own and step > start_step(setup)
    touch: Touch
    if solved:
        touch = SolvedTouch(scene, setup)
    else:
        touch = BuiltInTouch(scene, setup, law) if own else PluginTouch(scene, setup, step)
        add_seals(scene)
    return run_scene(setup, scene, touch, step, time, progress)
