"""The machine with reduced arms against the machine with full ones (Table 5.1): cost and deviation while it presses."""

from __future__ import annotations

from itertools import pairwise
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from ....report.style import panel
from ....trajectory import Trajectory
from ...scenario import Check, Metrics, above, below
from ..machine.drive import PACKAGED, Command, read_command
from ..motion.setup import Setup
from ..motion.stiff_motion import run_stiff
from .arm_case import ArmCase, ArmModesParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress

BEGIN, APART = 59.0, 0.05
"""Time in s of the cycle at which a run begins, just before the first contact; and between two records."""

PRESSING = {"F1": 113e3, "F2": 86e3, "N": 10e3, "F_t": 3.6e3}
"""Changes in N of cylinder forces, pressing force and friction while the rake is pressed on; deviations are shares."""

STUDIED = (0, 1, 2, 4)
"""Numbers of fixed-interface modes that are looked at beside the one that is asked for."""

ALLOWED = 0.01
"""Share of PRESSING by which a machine with a mode or more in each arm may differ from the full one."""

DEARER = 5.0
"""Times more that full arms must cost at least for the reduction to be worth its name."""


def pressing(p: ArmModesParameters, arms: str, modes: int) -> Setup:
    """The machine at rest in front of the rack, and the command from there on."""
    whole = read_command(PACKAGED)
    kept = whole.t >= BEGIN - 1e-9
    command = Command(whole.t[kept] - BEGIN, whole.c[:, kept])
    return Setup(arms=arms, command=command, modes=(modes, modes))


def timed(setup: Setup, time: float, progress: Progress) -> tuple[Trajectory, float]:
    """A run, and the processor time in s that it took."""
    run_stiff(setup, APART, progress, APART)
    begin = process_time()
    run = run_stiff(setup, time, progress, APART)
    return run, process_time() - begin


def column(what: str, modes: int | None) -> str:
    """Name of a column: of the full machine, or of one with so many modes."""
    return f"{what}_full" if modes is None else f"{what}_{modes}"


def numbers(p: ArmModesParameters) -> list[int]:
    """All numbers of modes of a run."""
    return sorted({*STUDIED, p.modes})


def run_machine(p: ArmModesParameters, progress: Progress) -> Trajectory:
    """The full machine and reduced ones under the same command; costs and sizes stand in columns of their own."""
    full, cost = timed(pressing(p, "full", 0), p.time, lambda share: progress(0.8 * share))
    columns = {"t": full["t"]}
    steps = 0
    for modes in (None, *numbers(p)):
        setup = pressing(p, "full" if modes is None else "modal", modes or 0)
        run, took = (full, cost) if modes is None else timed(setup, p.time, lambda share: None)
        columns |= {column(name, modes): run[name] for name in PRESSING}
        columns[column("cost", modes)] = np.full(len(run), took)
        columns[column("coordinates", modes)] = np.full(len(run), float(len(setup.mech.own)))
        steps += run.steps
    progress(1.0)
    return Trajectory(tuple(columns), np.column_stack(list(columns.values())), steps)


def compared(run: Trajectory, modes: int) -> dict[str, float]:
    """How far a machine with so many modes is from the full one, as shares of PRESSING, and what it costs."""
    apart = {
        name: float(np.abs(run[column(name, modes)] - run[column(name, None)]).max() / change)
        for name, change in PRESSING.items()
    }
    size = int(run[column("coordinates", modes)][0])
    return {"modes": modes, "coordinates": size, "cost": float(run[column("cost", modes)][0]), **apart}


def measure_machine(p: ArmModesParameters, run: Trajectory) -> Metrics:
    """Deviations and costs by number of modes, and what full arms cost."""
    study = [compared(run, modes) for modes in numbers(p)]
    asked = next(row for row in study if row["modes"] == p.modes)
    full = float(run[column("cost", None)][0])
    return {
        "full_coordinates": int(run[column("coordinates", None)][0]),
        "full_cost": full,
        "full_time_factor": full / p.time,
        "study": study,
        "deviation": max(asked[name] for name in PRESSING),
        "times_dearer": full / asked["cost"],
        "largest_press": float(run[column("N", None)].max()),
    }


def check_machine(p: ArmModesParameters, m: Metrics) -> list[Check]:
    """With a mode in each arm the forces are those of the full machine, at a fraction of the cost."""
    apart = [max(row[name] for name in PRESSING) for row in m["study"]]
    falling = all(later < earlier for earlier, later in pairwise(apart))
    checks = [
        Check(f"the deviation falls with every mode: {[f'{share:.1e}' for share in apart]}", falling),
        above("full arms cost, times the reduced ones", m["times_dearer"], DEARER),
    ]
    if p.modes >= 1:
        checks.append(below("forces: reduced against full, share of what pressing changes", m["deviation"], ALLOWED))
    return checks


def plot_machine(p: ArmModesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """Pressing force and friction of both, deviations over the number of modes, cost over the size."""
    (a, b), (c, d) = figure.subplots(2, 2)
    for axes, name, title in ((a, "N", "pressing force"), (b, "F_t", "friction")):
        curves = {"full": run[column(name, None)] / 1e3, f"{p.modes} modes": run[column(name, p.modes)] / 1e3}
        panel(axes, BEGIN + run["t"], curves, title, "time in s", "in kN", True)
    modes = [row["modes"] for row in m["study"]]
    for name in PRESSING:
        c.semilogy(modes, [row[name] for row in m["study"]], "o-", label=name)
    c.set(title="deviation from full arms", xlabel="fixed-interface modes", ylabel="fraction of what pressing changes")
    c.legend()
    sizes = [*(row["coordinates"] for row in m["study"]), m["full_coordinates"]]
    costs = np.array([*(row["cost"] for row in m["study"]), m["full_cost"]]) / p.time
    d.loglog(sizes, costs, "o-")
    d.set(title="cost, in this run", xlabel="coordinates", ylabel="processor s per s")


MACHINE = ArmCase(run_machine, measure_machine, check_machine, plot_machine)
