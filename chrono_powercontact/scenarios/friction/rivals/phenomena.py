"""What a dry contact is known to do, as experiments on the rig: each gives a number; a rule says if it is there.

Loads are fractions of stiction and stay below the Coulomb amplitude, so that all laws can hold them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .rival_friction import Rival
from .rival_rig import RigRun, Vector, driven_force, loaded_rig
from .rival_set import RivalParameters

HELD = 0.6
"""Largest load below break-away, as a fraction of stiction."""

LEG = 0.4
"""Time in s of each leg of a load path."""

DASHPOT = 20.0
"""Damping in N s/m of the rig under a load path: laws without damping of their own would ring."""

LOOSE = 0.01
"""A mass faster than this, in m/s, has broken away."""

SLOW_RATE = 1.0
FAST_RATE = 100.0
"""Rates of a load in N/s."""

LIGHT = 0.1
"""Mass in the break-away experiment as a fraction of the other one's, so that it does not ring."""

FREE = 10.0
"""A mass that moved by so many break-away displacements is loose, once it is fast."""

MEAN = 1.5
SWING = 1.25
"""Mean and amplitude of the speed in the lag experiment, in Stribeck speeds."""

FREQUENCIES = (1.0, 2.0, 5.0, 10.0, 20.0)
"""Of that speed, in Hz."""

LAG_STEPS = 2000
LAG_PERIODS = 6
"""Steps of each of its periods, and their number."""

CYCLE = 0.05
CYCLES = 20
"""Length in s and number of the cycles of a dithered load."""


class Phenomenon(NamedTuple):
    """One column of the table.

    Attributes:
        title: in a few words.
        unit: of the number.
        measure: the number, from a law.
        least: how much of it counts as there.
    """

    title: str
    unit: str
    measure: Callable[[RivalParameters, Rival], float]
    least: float


def path_of(p: RivalParameters, corners: tuple[float, ...]) -> Vector:
    """A load in N that swings from corner to corner, in fractions of stiction; LEG seconds each."""
    steps = round(LEG / p.step)
    rise = 0.5 - 0.5 * np.cos(np.pi * np.arange(steps) / steps)
    legs = [a + (b - a) * rise for a, b in pairwise(corners)]
    return p.f_s * np.concatenate([*legs, [corners[-1]]])


def corner(p: RivalParameters, number: int) -> int:
    """Step at which a load path reaches its corner of a number."""
    return number * round(LEG / p.step)


def along(p: RivalParameters, rival: Rival, *corners: float) -> RigRun:
    """The mass under a load path."""
    return loaded_rig(rival, p.mass, path_of(p, corners), p.step, DASHPOT)


def stribeck_drop(p: RivalParameters, rival: Rival) -> float:
    """How far steady friction, less its viscous part, falls between slow and fast sliding, as a fraction of f_c."""
    speeds = p.v_s * np.geomspace(0.2, 10.0, 12)
    forces = [settled_force(p, rival, v) - p.d * v for v in speeds]
    return float((max(forces) - forces[-1]) / p.f_c)


def settled_force(p: RivalParameters, rival: Rival, v: float) -> float:
    """Friction force in N in steady sliding at a speed in m/s."""
    step = 0.02 * p.presliding / v
    steps = round(max(30.0 * p.presliding / v, 0.2) / step)
    return float(driven_force(rival, np.full(steps, v), step)[-1])


def break_away(p: RivalParameters, rival: Rival, rate: float) -> float:
    """Largest friction force in N before a mass under a growing load is loose."""
    steps = round((1.3 * p.f_s / rate + 0.02) / p.step)
    run = loaded_rig(rival, LIGHT * p.mass, rate * p.step * np.arange(steps, dtype=np.float64), p.step)
    loose = np.flatnonzero((run.v > LOOSE) & (run.x > FREE * p.presliding))
    end = int(loose[0]) + 1 if loose.size else steps
    return float(run.friction[:end].max())


def stiction_above_coulomb(p: RivalParameters, rival: Rival) -> float:
    """How far slow break-away is above the Coulomb amplitude, as a fraction of it."""
    return break_away(p, rival, SLOW_RATE) / p.f_c - 1.0


def spring_back(p: RivalParameters, rival: Rival) -> float:
    """Displacement in m by which a mass comes back when a load below break-away is taken off."""
    run = along(p, rival, 0.0, HELD, 0.0)
    return float(run.x[corner(p, 1)] - run.x[-1])


def presliding_area(p: RivalParameters, rival: Rival) -> float:
    """Area of a load cycle below break-away, as a fraction of its box."""
    run = along(p, rival, 0.0, HELD, -HELD, HELD, -HELD, HELD)
    cycle = slice(corner(p, 3), corner(p, 5) + 1)
    x = run.x[cycle]
    load = path_of(p, (0.0, HELD, -HELD, HELD, -HELD, HELD))[cycle]
    area = float(np.sum(0.5 * (load[1:] + load[:-1]) * np.diff(x)))
    return area / (2.0 * HELD * p.f_s * float(np.ptp(x)))


def minor_loop_memory(p: RivalParameters, rival: Rival) -> float:
    """How well a minor loop of the load closes: 1 less its gap over the displacement of the loop."""
    run = along(p, rival, 0.0, HELD, 0.5 * HELD, HELD)
    first = run.x[corner(p, 1)]
    return 1.0 - float(abs(run.x[-1] - first) / abs(first - run.x[corner(p, 2)]))


def lag_loop(p: RivalParameters, rival: Rival, frequency: float) -> tuple[Vector, Vector]:
    """Speed in m/s and friction in N over the last period of a speed that swings without turning back."""
    phase = 2.0 * np.pi * np.arange(LAG_PERIODS * LAG_STEPS) / LAG_STEPS
    speed = p.v_s * (MEAN + SWING * np.sin(phase))
    force = driven_force(rival, speed, 1.0 / (frequency * LAG_STEPS))
    return speed[-LAG_STEPS:], force[-LAG_STEPS:]


def lag_area(p: RivalParameters, rival: Rival, frequency: float) -> float:
    """Area in W between speeding up and slowing down; positive where friction is larger while the speed rises."""
    speed, force = lag_loop(p, rival, frequency)
    ahead = np.roll(force, -1)
    return float(np.sum(0.5 * (force + ahead) * (np.roll(speed, -1) - speed)))


def lag_width(p: RivalParameters, rival: Rival) -> float:
    """Mean width of the lag loop at 5 Hz, as a fraction of the Coulomb amplitude."""
    return lag_area(p, rival, 5.0) / (2.0 * SWING * p.v_s * p.f_c)


def fall_with_rate(p: RivalParameters, rival: Rival) -> float:
    """Fraction by which break-away falls from a slow to a fast load."""
    return 1.0 - break_away(p, rival, FAST_RATE) / break_away(p, rival, SLOW_RATE)


def drift_per_cycle(p: RivalParameters, rival: Rival) -> float:
    """Displacement in m by which a mass advances in each cycle of a load that is dithered below break-away."""
    steps = round(CYCLE / p.step)
    t = p.step * np.arange(CYCLES * steps + 1)
    ramp = np.minimum(t / CYCLE, 1.0)
    load = p.f_s * HELD * (0.6 * ramp + 0.4 * np.sin(2.0 * np.pi * t / CYCLE))
    x = loaded_rig(rival, p.mass, load, p.step, DASHPOT).x
    half = CYCLES // 2
    return float(abs(x[-1] - x[half * steps]) / (CYCLES - half))


def rest(p: RivalParameters, rival: Rival) -> float:
    """How much less than 1 nm a mass drifts in a cycle of a dithered load, as a fraction."""
    return 1.0 - drift_per_cycle(p, rival) / 1e-9


def creep_speed(p: RivalParameters, rival: Rival) -> float:
    """Mean speed in m/s under a constant load below break-away."""
    load = np.concatenate([path_of(p, (0.0, HELD)), np.full(4 * corner(p, 1), HELD * p.f_s)])
    x = loaded_rig(rival, p.mass, load, p.step, DASHPOT).x
    last = 2 * corner(p, 1)
    return float(abs(x[-1] - x[-last - 1]) / (last * p.step))


def standing(p: RivalParameters, rival: Rival) -> float:
    """How much less than 1 nm/s a mass creeps under a constant load, as a fraction."""
    return 1.0 - creep_speed(p, rival) / 1e-9


PHENOMENA = {
    "stribeck": Phenomenon("Stribeck effect", "", stribeck_drop, 0.1),
    "stiction": Phenomenon("stiction", "", stiction_above_coulomb, 0.05),
    "presliding": Phenomenon("presliding", "m", spring_back, 1e-6),
    "area": Phenomenon("area in presliding", "", presliding_area, 0.02),
    "memory": Phenomenon("closed minor loops", "", minor_loop_memory, 0.99),
    "lag": Phenomenon("frictional lag", "", lag_width, 1e-5),
    "rate": Phenomenon("break-away over rate", "", fall_with_rate, 0.01),
    "no_drift": Phenomenon("no drift", "", rest, 0.0),
    "no_creep": Phenomenon("no creep", "", standing, 0.0),
}
"""The columns of the table."""

WITHIN_PRESLIDING = ("area", "memory")
"""Columns that mean nothing without presliding: a law that has none does not have them either."""


def figures_of(p: RivalParameters, rival: Rival) -> dict[str, float]:
    """The number of every phenomenon, of a law."""
    found: dict[str, float] = {}
    for name, phenomenon in PHENOMENA.items():
        if name in WITHIN_PRESLIDING and found["presliding"] <= PHENOMENA["presliding"].least:
            found[name] = 0.0
        else:
            found[name] = phenomenon.measure(p, rival)
    return found


def has(name: str, figure: float) -> bool:
    """Whether a number of a phenomenon says that it is there."""
    return figure > PHENOMENA[name].least
