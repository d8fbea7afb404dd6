"""A machine ready to run on the reference engine: its surroundings, what the compiled motion reads, and the run."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError, ParameterError, positive
from ....trajectory import Trajectory
from ..machine.arms import BEAMS, CHAIN, Mechanism, mechanism
from ..machine.drive import PACKAGED, Command, read_command
from ..machine.machine import Machine, Rack, Water, machine
from ..machine.rack_contact import MEMORY, ContactLaw, contact_law, rack_record
from ..machine.statics import Statics
from ..machine.water import water_record
from .gauges import LEDGER_SIZE, columns
from .rake_motion import CLEAR, LINE, World, rk4

if TYPE_CHECKING:
    from ....progress import Progress

FREE_STEP = 2e-3
"""Step in s off the rack, unless the other one is longer: without friction the machine is less stiff."""


@dataclass(frozen=True)
class Setup:
    """The machine, its surroundings and its drive.

    Attributes:
        machine: numbers of the machine. arms: kind of arms. command: of the cylinders.
        rack, law: the rack, and the law of its contact with the scraper. water: flow, buoyancy, debris.
        modes: fixed-interface modes of modal arms, main and knuckle.
    """

    machine: Machine = field(default_factory=machine)
    arms: str = "segments"
    command: Command = field(default_factory=lambda: read_command(PACKAGED))
    rack: Rack = field(default_factory=Rack)
    law: ContactLaw = field(default_factory=lambda: contact_law("regularised", 0.65, 0.5, 5e-3, 1e-2))
    water: Water = field(default_factory=Water)
    modes: tuple[int, int] = (1, 1)

    @cached_property
    def mech(self) -> Mechanism:
        """The arms as the motion reads them."""
        return mechanism(self.machine, self.arms, self.modes)

    @cached_property
    def statics(self) -> Statics:
        """Equilibria of this machine."""
        return Statics(self.machine, self.mech)

    @cached_property
    def world(self) -> World:
        """Everything as the compiled motion reads it."""
        return World(
            self.mech,
            self.lines,
            np.array(self.machine.a),
            self.command.t,
            self.command.coefficients(),
            rack_record(self.rack),
            self.law.records,
            water_record(self.water, self.machine),
        )

    @property
    def lines(self) -> NDArray[Any]:
        """Both lines of cylinders as the kernels read them."""
        return np.array([(cylinder.k, cylinder.c, cylinder.seal) for cylinder in self.machine.cylinders], LINE)

    def start(self) -> NDArray[np.float64]:
        """The state at rest at the first lengths of the command, in front of the rack."""
        hold = self.statics.settle(*self.command.c[:, 0])
        x = np.zeros(2 * hold.q.size + MEMORY + LEDGER_SIZE)
        x[: hold.q.size] = hold.q
        return x


def joined_steps(step: float, every: int) -> int:
    """How many steps may be taken as one off the rack: a divisor of `every` that keeps to FREE_STEP."""
    most = max(int(FREE_STEP / step + 1e-9), 1)
    return max(n for n in range(1, min(most, every) + 1) if every % n == 0)


def run(setup: Setup, step: float, time: float, progress: Progress, apart: float = 0.02) -> Trajectory:
    """Run on the reference engine; records are `apart` s from each other.

    Beams take linearly implicit steps within a tolerance, for which `step` is no limit; other arms take those of RK4.
    """
    positive("step", step)
    setup.command.check(setup.machine)
    if time > setup.command.t[-1] + 1e-9:
        raise ParameterError(f"the command ends at {setup.command.t[-1]:g} s, the run would take until {time:g} s")
    if setup.arms in BEAMS:
        from .stiff_motion import run_stiff

        return run_stiff(setup, time, progress, apart)
    x = setup.start()
    world = setup.world
    names = columns(len(setup.mech.own))
    every = max(round(apart / step), 1)
    free = joined_steps(step, every) if setup.mech.kind == CHAIN else 1
    count = max(round(time / (every * step)), 1)
    rows = np.zeros((count + 1, len(names)))
    rk4(world, 0.0, x.copy(), step, every, rows[:1], free)
    begin = perf_counter()
    chunk = max(count // 50, 1)
    for first in range(0, count + 1, chunk):
        block = rows[first : first + chunk]
        done = rk4(world, first * every * step, x, step, every, block, free)
        if done < len(block):
            kept = Trajectory(names, rows[: max(first + done, 1)].copy(), (first + done) * every)
            raise DivergedError(
                f"the run of the rake cleaner is no longer finite after {kept['t'][-1]:.6g} s with a step of "
                f"{step:g} s: use a smaller step",
                kept,
            )
        progress(min((first + len(block)) / (count + 1), 1.0))
    gap = rows[:-1, names.index("gap")]
    steps = int(np.where(gap > CLEAR, every // free, every).sum())
    return Trajectory(names, rows, steps, 1e6 * (perf_counter() - begin) / steps)
