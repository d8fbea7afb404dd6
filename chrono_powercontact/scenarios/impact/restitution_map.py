"""Restitution over impact speed and dissipation (Fig. 3.11): every pixel one RK4 run, against the closed form."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Restriction
from ...laws.impact import restitution
from ..parameters import Parameter, mass, step
from ..scenario import Check, Metrics, Outcome, Scenario, below
from .ball import CONTACT_PARAMETERS, GAP

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory


class RestitutionMap(Scenario):
    """Impacts on a grid of speeds and dissipations."""

    name = "restitution_map"
    claim = "Over the whole map of speed and dissipation, RK4 meets the closed-form restitution to 1e-5."
    source = "thesis 3.3.1, Fig. 3.11"
    parameters = (
        Parameter("n_speed", 25, "number of speeds", minimum=2, maximum=500),
        Parameter("n_r_d", 25, "number of dissipations", minimum=2, maximum=500),
        Parameter("speed_min", 0.1, "slowest impact", "m/s", minimum=0.0, above=True),
        Parameter("speed_max", 5.0, "fastest impact", "m/s", minimum=0.0, above=True),
        Parameter("r_d_min", 0.05, "least dissipation", "s/m", minimum=0.0, above=True),
        Parameter("r_d_max", 5.0, "largest dissipation", "s/m", minimum=0.0, above=True),
        mass(0.05),
        *CONTACT_PARAMETERS,
        step(1e-5),
    )

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.impacts import free_impacts
        from ...trajectory import Trajectory

        speeds = np.geomspace(p.speed_min, p.speed_max, p.n_speed)
        r_ds = np.geomspace(p.r_d_min, p.r_d_max, p.n_r_d)
        grid = [(v, r_d) for r_d in r_ds for v in speeds]
        rows = np.array([Restriction(p.s_0, p.s_c, p.r_f, r_d).row for _, r_d in grid])
        start = p.s_0 + GAP * (p.s_0 - p.s_c) / 1e-3
        table = np.zeros((len(grid), 7))
        table[:, :2] = grid
        chunk = max(len(grid) // 20, 1)
        for i in range(0, len(grid), chunk):
            table[i : i + chunk, 2:6] = free_impacts(
                rows[i : i + chunk], p.mass, start, table[i : i + chunk, 0], p.step
            )
            progress(min((i + chunk) / len(grid), 1.0))
        table[:, 6] = restitution(table[:, 1], table[:, 0])
        names = ("speed", "r_d", "restitution", "contact_time", "peak_force", "min_distance", "closed_form")
        return Trajectory(names, table, len(grid))

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        e = trajectory["restitution"]
        return {
            "max_closed_form_error": float(np.abs(e - trajectory["closed_form"]).max()),
            "impacts": len(trajectory),
            "least_restitution": float(e.min()),
            "largest_restitution": float(e.max()),
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        return [below("largest difference to the closed form", metrics["max_closed_form_error"], 1e-5)]

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import BLUE, GREY

        run, p = outcome.trajectory, outcome.parameters
        shape = (p.n_r_d, p.n_speed)
        v, r_d = run["speed"].reshape(shape), run["r_d"].reshape(shape)
        panels = (
            ("restitution", "restitution", 1.0, "viridis"),
            ("contact_time", "time under force in ms", 1e3, "magma"),
            ("peak_force", "peak force in N", 1.0, "cividis"),
        )
        axes = figure.subplots(2, 2).ravel()
        for ax, (column, title, unit, colours) in zip(axes, panels, strict=False):
            mesh = ax.pcolormesh(v, r_d, run[column].reshape(shape) * unit, cmap=colours, shading="gouraud")
            figure.colorbar(mesh, ax=ax)
            ax.set(title=title, xlabel="speed in m/s", ylabel="r_d in s/m", xscale="log", yscale="log")
            ax.xaxis.set_minor_formatter("")
            ax.grid(False)
        x = run["speed"] * run["r_d"]
        order = np.argsort(x)
        axes[3].plot(x, run["restitution"], ".", color=BLUE, markersize=3, label="RK4")
        axes[3].plot(x[order], run["closed_form"][order], color=GREY, linewidth=1, label="closed form")
        axes[3].set(title="one curve: e depends on r_d v alone", xlabel="r_d v", ylabel="restitution", xscale="log")
        axes[3].legend()
