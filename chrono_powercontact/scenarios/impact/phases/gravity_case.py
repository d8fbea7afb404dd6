"""Restitution over impact speed under gravity (Fig. 3.13): elastic and rigid activation, and the free impact."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ....laws.impact import restitution
from ....laws.normal.normal_law import NormalLaw
from ....laws.normal.restriction import Restriction, RigidRestriction
from ....report.style import PALETTE, legend
from ....trajectory import Trajectory
from ...scenario import Check, Metrics, below, within
from ..point_mass import point_mass
from .impact_case import ImpactCase, ImpactPhasesParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress

SPEEDS = np.array([0.03, 0.05, 0.08, 0.1, 0.2, 0.3, 0.5, 1.0, 1.5])
"""Impact speeds in m/s."""

LONGEST = 0.5
"""Time in s after which a ball that has not left stays."""

COLUMNS = ("speed", "elastic", "rigid", "free", "second")

FLOOR = {"s_0": 0.01, "s_c": 0.0095, "r_f": 20.0, "r_d": 5.9}
"""The floor of Table 3.1b."""


def floor() -> Restriction:
    """The elastic floor."""
    return Restriction(**FLOOR)


def rigid_floor() -> RigidRestriction:
    """The rigid floor."""
    return RigidRestriction(FLOOR["s_0"], FLOOR["r_f"], FLOOR["r_d"])


def bounce(p: ImpactPhasesParameters, law: NormalLaw, speed: float) -> float:
    """Restitution between entering and leaving s_0; 0 where the ball stays."""
    from ....lagrange.runs import run_rk4

    system = point_mass(p.mass, law, p.gravity)
    start = system.state([law.s_0], [-speed])
    run = run_rk4(system, start, p.step, LONGEST, 1, stop=lambda run: (run["s"] > law.s_0) & (run["t"] > 0.0))
    if run["s"][-1] <= law.s_0:
        return 0.0
    leaving = np.interp(law.s_0, run["s"][-2:], run["s_dot"][-2:])
    return float(leaving / speed)


def second_opinion(p: ImpactPhasesParameters, law: Restriction, speed: float) -> float:
    """The same bounce by an adaptive integrator with an event, from the law's own force."""
    from scipy.integrate import solve_ivp

    def rates(t: float, x: np.ndarray) -> list[float]:
        return [x[1], float(law.force(x[0], x[1])) / p.mass - p.gravity]

    def leaves(t: float, x: np.ndarray) -> float:
        return float(x[0] - law.s_0)

    leaves.terminal = True  # type: ignore[attr-defined]
    leaves.direction = 1.0  # type: ignore[attr-defined]
    start = [law.s_0 - 1e-12, -speed]
    found = solve_ivp(rates, (0.0, LONGEST), start, method="DOP853", events=leaves, rtol=1e-10, atol=1e-13)
    return float(found.y_events[0][0][1] / speed) if found.t_events[0].size else 0.0


def run_gravity(p: ImpactPhasesParameters, progress: Progress) -> Trajectory:
    """One row per speed: restitution with the elastic and the rigid floor, free, and the second opinion."""
    rows = []
    for speed in SPEEDS:
        elastic = bounce(p, floor(), float(speed))
        rigid = bounce(p, rigid_floor(), float(speed))
        free = float(restitution(FLOOR["r_d"], speed))
        rows.append([speed, elastic, rigid, free, second_opinion(p, floor(), float(speed))])
        progress(len(rows) / len(SPEEDS))
    return Trajectory(COLUMNS, np.array(rows), len(rows))


def measure_gravity(p: ImpactPhasesParameters, run: Trajectory) -> Metrics:
    """The curves, and how far gravity lowers each below the free one."""
    found: Metrics = {name: run[name].tolist() for name in COLUMNS}
    found["elastic_error"] = float(np.abs(run["elastic"] - run["second"]).max())
    found["elastic_drop"] = (run["free"] - run["elastic"]).tolist()
    found["rigid_drop"] = (run["free"] - run["rigid"]).tolist()
    return found


def check_gravity(p: ImpactPhasesParameters, m: Metrics) -> list[Check]:
    """Slow elastic balls stay; the slower, the more gravity lowers the elastic curve, and hardly the rigid one."""
    drop = m["elastic_drop"]
    slow = drop[: m["speed"].index(0.3) + 1]
    falling = all(later < earlier for earlier, later in pairwise(slow))
    return [
        below("elastic: RK4 against an adaptive integrator", m["elastic_error"], 1e-4),
        within("elastic: restitution at the slowest speed, where the ball stays", m["elastic"][0], 0.0, 0.0),
        Check(
            f"elastic: the drop below the free curve grows as the speed falls: {np.round(slow, 3).tolist()}", falling
        ),
        below("rigid: largest drop below the free curve", max(m["rigid_drop"]), 0.035),
    ]


def plot_gravity(p: ImpactPhasesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """The three curves."""
    axes = figure.subplots()
    for name, style, colour in zip(("free", "rigid", "elastic"), ("-", "s--", "o-"), PALETTE, strict=False):
        axes.plot(run["speed"], run[name], style, color=colour, label=name, markersize=4)
    axes.set(
        title="restitution under gravity (Fig. 3.13)", xlabel="impact speed in m/s", ylabel="restitution", xscale="log"
    )
    legend(axes)


GRAVITY = ImpactCase(run_gravity, measure_gravity, check_gravity, plot_gravity)
