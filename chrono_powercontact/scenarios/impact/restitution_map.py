"""Restitution over impact speed and dissipation (Fig. 3.11): every pixel one RK4 run, against the closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...laws.impact import restitution
from ...laws.normal.normal_table import normal_record
from ...laws.normal.restriction import Restriction
from ...report.style import BLUE, GREY, legend
from ...trajectory import Trajectory
from ..parameters import Stepped, count, mass_of, number, time_step
from ..scenario import Check, Metrics, Outcome, Scenario, below
from .ball import start_distance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress

COLUMNS = ("speed", "r_d", "restitution", "contact_time", "peak_force", "min_distance", "closed_form")

CHUNKS = 20
"""Parts of the map after which progress is shown."""

PANELS = (
    ("restitution", "restitution", 1.0, "viridis"),
    ("contact_time", "contact time in ms", 1e3, "magma"),
    ("peak_force", "peak force in N", 1.0, "cividis"),
)
"""Maps that are drawn: column, title, factor to its unit, colours."""


@dataclass(frozen=True)
class RestitutionMapParameters(Stepped):
    """A grid of speeds and dissipations."""

    n_speed: int = count(25, "number of speeds", minimum=2, maximum=500)
    n_r_d: int = count(25, "number of dissipations", minimum=2, maximum=500)
    speed_min: float = number(0.1, "slowest impact", "m/s", above=0.0)
    speed_max: float = number(5.0, "fastest impact", "m/s", above=0.0)
    r_d_min: float = number(0.05, "least dissipation", "s/m", above=0.0)
    r_d_max: float = number(5.0, "largest dissipation", "s/m", above=0.0)
    mass: float = mass_of(0.05)
    s_0: float = number(0.01, "distance at which the contact begins", "m")
    s_c: float = number(0.009, "distance at which the activation is complete; below s_0", "m")
    r_f: float = number(200.0, "largest force of the wall", "N", above=0.0)
    step: float = time_step(1e-5)


class RestitutionMap(Scenario[RestitutionMapParameters]):
    """Impacts on a grid of speeds and dissipations."""

    name = "restitution_map"
    claim = "Over the whole map of speed and dissipation, RK4 meets the closed-form restitution to 1e-5."
    source = "thesis 3.3.1, Fig. 3.11"
    parameters = RestitutionMapParameters

    def simulate(self, p: RestitutionMapParameters, progress: Progress) -> Trajectory:
        from ...lagrange.impacts import free_impacts

        speeds = np.geomspace(p.speed_min, p.speed_max, p.n_speed)
        r_ds = np.geomspace(p.r_d_min, p.r_d_max, p.n_r_d)
        grid = [(v, r_d) for r_d in r_ds for v in speeds]
        laws = np.array([normal_record(Restriction(p.s_0, p.s_c, p.r_f, r_d)) for _, r_d in grid])
        start = start_distance(p.s_0, p.s_c)
        table = np.zeros((len(grid), len(COLUMNS)))
        table[:, :2] = grid
        size = max(len(grid) // CHUNKS, 1)
        for i in range(0, len(grid), size):
            chunk = slice(i, i + size)
            table[chunk, 2:6] = free_impacts(laws[chunk], p.mass, start, table[chunk, 0], p.step)
            progress(min((i + size) / len(grid), 1.0))
        times = table[:, COLUMNS.index("contact_time")]
        times[times == 0.0] = np.nan
        table[:, 6] = restitution(table[:, 1], table[:, 0])
        return Trajectory(COLUMNS, table, len(grid))

    def measure(self, p: RestitutionMapParameters, trajectory: Trajectory) -> Metrics:
        e = trajectory["restitution"]
        return {
            "max_closed_form_error": float(np.abs(e - trajectory["closed_form"]).max()),
            "impacts": len(trajectory),
            "least_restitution": float(e.min()),
            "largest_restitution": float(e.max()),
        }

    def check(self, p: RestitutionMapParameters, metrics: Metrics) -> list[Check]:
        return [below("largest difference to the closed form", metrics["max_closed_form_error"], 1e-5)]

    def plot(self, outcome: Outcome[RestitutionMapParameters], figure: Figure) -> None:
        run = outcome.trajectory
        shape = (outcome.parameters.n_r_d, outcome.parameters.n_speed)
        v = run["speed"].reshape(shape)
        r_d = run["r_d"].reshape(shape)
        axes = figure.subplots(2, 2).ravel()
        for ax, (column, title, unit, colours) in zip(axes, PANELS, strict=False):
            mesh = ax.pcolormesh(v, r_d, run[column].reshape(shape) * unit, cmap=colours, shading="gouraud")
            figure.colorbar(mesh, ax=ax)
            ax.set(title=title, xlabel="speed in m/s", ylabel="r_d in s/m", xscale="log", yscale="log")
            ax.xaxis.set_minor_formatter("")
            ax.grid(False)
        self.draw_one_curve(axes[3], run)

    def draw_one_curve(self, axes: Axes, run: Trajectory) -> None:
        """All impacts over the product of dissipation and speed."""
        x = run["speed"] * run["r_d"]
        order = np.argsort(x)
        axes.plot(x, run["restitution"], ".", color=BLUE, markersize=3, label="RK4")
        axes.plot(x[order], run["closed_form"][order], color=GREY, linewidth=1, label="closed form")
        axes.set(title="one curve: e depends on r_d v alone", xlabel="r_d v", ylabel="restitution", xscale="log")
        legend(axes)
