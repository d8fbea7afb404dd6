"""Legs to which something happens, over many seeds: how soon the right alarm goes off, and whether a wrong one does."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....observer.export.c_observer import CObserver
from ....trajectory import Trajectory
from ..control.closed_loop import Loop
from ..control.control_names import WATCHING
from ..control.control_observers import riding_observer
from ..control.controllers import leg_controller
from ..control.gait_motions import gait_motion
from ..control.leg_plants import PLANT_STEP, ReferencePlant, controlled_stage
from ..control.mishaps import Mishap
from ..control.patients import patient_of
from ..leg.trainer_leg import REST
from ..study.experiment import NOISES
from .alarm_rate import expected_per_day
from .alarms import SETTLED, first_alarms, signals
from .jumps import JumpGuard

if TYPE_CHECKING:
    from ....progress import Progress

Array = NDArray[np.float64]

KICK = {"spasm": 12.0, "stop": -30.0}
"""Torque in N m of a spasm, and of one that drives the knee into its stop."""


SOUND_STEP = 1e-3
"""Integration step in s of a sound leg: it ends a minute within 1e-9 rad of where it ends with half of it. A leg that a
blind controller throws against its stops needs the usual one."""


BLIND = 1.0
"""Time in s for which a leg with a stuck sensor is followed: a blind controller throws it anywhere."""


def exercise_of(fault: str, seed: int) -> int:
    """Exercise 2 where the fault is one of the knee stop, 1 for the others; sound legs do both in turn."""
    if fault == "none":
        return 1 + seed % 2
    return 2 if fault == "stop" else 1


def watched_leg(fault: str, seed: int, begin: float, time: float, in_c: bool = False) -> Trajectory:
    """A leg in closed loop to which something happens at a time in s; the observer may be the exported C."""
    motion = gait_motion(exercise_of(fault, seed), min(time, begin + BLIND) if fault == "sensor" else time)
    noise = NOISES["low"]
    kicked = begin if fault in KICK else None
    patient = replace(patient_of(seed), spasm=kicked, push=KICK.get(fault, 0.0))
    observer = riding_observer(WATCHING, np.array(REST), noise)
    plant = ReferencePlant(controlled_stage("lugre"), step=SOUND_STEP if fault == "none" else PLANT_STEP)
    loop = Loop(
        motion, plant, CObserver(observer) if in_c else observer,
        leg_controller("computed_torque", motion, WATCHING), patient, noise, seed, np.array([60.0, 300.0]),
        Mishap(fault, begin), JumpGuard(),
    )  # fmt: skip
    return loop.run()


@dataclass(frozen=True)
class Watch:
    """What came of a leg.

    Attributes:
        delay: time in s from the fault to its alarm; infinite where it is missed. false: alarms before the fault, and
            those of another kind where a fault does not bring them about.
    """

    delay: float
    false: int


BRINGS = {"stop": ("spasm",), "sensor": ("spasm", "wear", "stop"), "spasm": ("wear",)}
"""Alarms that a fault brings about besides its own: a kick is a spasm, and a blind controller does anything."""


def judged(run: Trajectory, fault: str, begin: float) -> Watch:
    """Delay and false alarms of a run."""
    times = first_alarms(run)
    false = 0
    for name, time in times.items():
        welcome = name == fault or name in BRINGS.get(fault, ())
        false += math.isfinite(time) and (time < begin or not welcome)
    return Watch(times.get(fault, math.inf) - begin if fault != "none" else math.inf, false)


@dataclass
class Roll:
    """Legs that were watched one after the other, and what came of them.

    Attributes:
        watches: of each leg. highest: largest value of each signal of each leg while it was sound.
    """

    watches: list[Watch] = field(default_factory=list)
    highest: dict[str, list[float]] = field(default_factory=dict)

    def add(self, run: Trajectory, fault: str, begin: float) -> None:
        """One more leg."""
        self.watches.append(judged(run, fault, begin))
        sound = (run["t"] >= SETTLED) & (run["t"] < begin)
        for name, values in signals(run).items():
            self.highest.setdefault(name, []).append(float(values[sound].max(initial=0.0)))

    def told(self, time: float) -> dict[str, float]:
        """Counts, delays and highest signals; time: length in s of each run."""
        found = [watch.delay for watch in self.watches if math.isfinite(watch.delay)]
        return {
            "detected": float(len(found)), "longest_delay": max(found, default=math.nan),
            "mean_delay": float(np.mean(found)) if found else math.nan,
            "false_alarms": float(sum(watch.false for watch in self.watches)),
            "hours": len(self.watches) * time / 3600.0,
            **{f"sound_{name}": max(values) for name, values in self.highest.items()},
        }  # fmt: skip


def watch_legs(fault: str, seeds: int, begin: float, time: float, in_c: bool, progress: Progress) -> Trajectory:
    """Legs of several seeds; the record of the first with its alarm signals, and what came of all as constants."""
    roll = Roll()
    shown: Trajectory | None = None
    for seed in range(1, seeds + 1):
        run = watched_leg(fault, seed, begin, time, in_c)
        shown = shown or run
        roll.add(run, fault, begin)
        progress(seed / seeds)
    assert shown is not None
    constants = roll.told(time)
    if fault == "none":
        constants["expected_per_day"] = expected_per_day(roll.highest, time)
    table = {f"alarm_{name}": values for name, values in signals(shown).items()}
    table |= {name: np.full(len(shown), value) for name, value in constants.items()}
    data = np.column_stack([shown.data, *table.values()])
    return replace(shown, names=(*shown.names, *table), data=data, steps=seeds * shown.steps)
