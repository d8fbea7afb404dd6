"""Legs to which something happens, over many seeds: how soon the right alarm goes off, and whether a wrong one does."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....trajectory import Trajectory
from ..leg.trainer_leg import REST
from ..study.experiment import NOISES
from .alarms import first_alarms, signals
from .closed_loop import Loop
from .control_names import WATCHING
from .control_observers import riding_observer
from .controllers import leg_controller
from .gait_motions import gait_motion
from .leg_plants import ReferencePlant, controlled_stage
from .mishaps import Mishap
from .patients import patient_of

if TYPE_CHECKING:
    from ....progress import Progress

Array = NDArray[np.float64]

KICK = {"spasm": 12.0, "stop": -30.0}
"""Torque in N m of a spasm, and of one that drives the knee into its stop."""


def watched_leg(fault: str, seed: int, begin: float, time: float) -> Trajectory:
    """A leg in closed loop to which something happens at a time in s; exercise 2 where it is the stop, else 1."""
    motion = gait_motion(2 if fault == "stop" else 1, time)
    noise = NOISES["low"]
    kicked = begin if fault in KICK else None
    patient = replace(patient_of(seed), spasm=kicked, push=KICK.get(fault, 0.0))
    loop = Loop(
        motion, ReferencePlant(controlled_stage("lugre")), riding_observer(WATCHING, np.array(REST), noise),
        leg_controller("computed_torque", motion, WATCHING), patient, noise, seed, np.array([60.0, 300.0]),
        Mishap(fault, begin),
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


def watch_legs(fault: str, seeds: int, begin: float, time: float, progress: Progress) -> Trajectory:
    """Legs of several seeds; the record of the first with its alarm signals, and what came of all as constants."""
    watches = []
    shown: Trajectory | None = None
    largest = dict.fromkeys(("wear", "spasm", "stop", "sensor"), 0.0)
    for seed in range(1, seeds + 1):
        run = watched_leg(fault, seed, begin, time)
        shown = shown or run
        watches.append(judged(run, fault, begin))
        sound = (run["t"] >= 3.0) & (run["t"] < begin)
        for name, values in signals(run).items():
            largest[name] = max(largest[name], float(values[sound].max(initial=0.0)))
        progress(seed / seeds)
    assert shown is not None
    found = [watch.delay for watch in watches if math.isfinite(watch.delay)]
    constants = {
        "detected": float(len(found)), "longest_delay": max(found, default=math.nan),
        "mean_delay": float(np.mean(found)) if found else math.nan,
        "false_alarms": float(sum(watch.false for watch in watches)), "hours": seeds * time / 3600.0,
        **{f"sound_{name}": value for name, value in largest.items()},
    }  # fmt: skip
    table = {f"alarm_{name}": values for name, values in signals(shown).items()}
    table |= {name: np.full(len(shown), value) for name, value in constants.items()}
    data = np.column_stack([shown.data, *table.values()])
    return replace(shown, names=(*shown.names, *table), data=data, steps=seeds * shown.steps)
