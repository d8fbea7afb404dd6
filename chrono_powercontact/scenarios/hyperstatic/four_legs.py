"""A table on four legs: here the normal forces are under-determined, and their split decides when it slips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...report.style import BLUE, GREY, PALETTE, legend, level
from ..parameters import CHRONO, REFERENCE
from ..scenario import Check, Metrics, Outcome, Scenario, above, below, within
from ..scenes.moving_scenes import scene_of
from .four_legs_scene import table_on_legs
from .four_legs_statics import FourLegsParameters, rigid_slip, statics, tilted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording


class FourLegs(Scenario[FourLegsParameters]):
    """Half a millimetre of one leg decides how the weight is shared, and so at which pull the table slips."""

    name = "four_legs"
    claim = (
        "The normal forces of a table on four legs follow from its stiffness; they decide the pull at which it slips."
    )
    source = "Seiwald, TU Munich 2014, outlook: dependent normal forces"
    parameters = FourLegsParameters
    engines = (CHRONO, REFERENCE)
    recorded = ("x", "yaw", "N_1", "N_2", "N_3", "N_4")

    def simulate(self, p: FourLegsParameters, progress: Progress) -> Trajectory:
        from .four_legs_model import run_table

        return run_table(p, progress)

    def simulate_chrono(self, p: FourLegsParameters, progress: Progress) -> Trajectory:
        from .four_legs_chrono import legs_on_chrono

        return legs_on_chrono(p, progress)

    def measure(self, p: FourLegsParameters, trajectory: Trajectory) -> Metrics:
        run = trajectory
        early = max(int(np.searchsorted(run["t"], 0.02 * p.time)), 1)
        from .four_legs_model import last_feasible_pull, table_ranges

        ranges = table_ranges(p, 0.0)
        friction = -np.sum([run[f"T_{i}"] for i in range(1, 5)], axis=0)
        return {
            "normals": [float(run[f"N_{i}"][early]) for i in range(1, 5)],
            "closed_form_normals": list(statics(p).normals),
            "range_n1": [ranges["N_1"].low, ranges["N_1"].high],
            "range_n2": [ranges["N_2"].low, ranges["N_2"].high],
            "open_normals": ranges.indeterminacy.of_normals,
            "slip_pull": float(friction[-1]),
            "closed_form_slip_pull": statics(p).slip,
            "rigid_slip_pull": rigid_slip(p),
            "guided_feasible_pull": last_feasible_pull(p, guided=True),
            "last_feasible_pull": last_feasible_pull(p),
            "moved": float(run["x"][-1] - run["x"][0]),
            "turned": float(run["yaw"][-1]),
            "step_cost": run.step_cost,
        }

    def check(self, p: FourLegsParameters, metrics: Metrics) -> list[Check]:
        half = 0.5 * p.weight()
        guided = max(rigid_slip(p))
        expected = metrics["closed_form_normals"]
        found = metrics["normals"]
        pairs = [
            within(f"N_{i + 1} + N_{i + 3}", found[i] + found[i + 2], 2.0 * expected[i], 2e-3 * half, "N")
            for i in (0, 1)
        ]
        checks = [
            *pairs,
            within("least N_1 of a rigid table", metrics["range_n1"][0], 0.0, 1e-6 * half, "N"),
            within("largest N_1 of a rigid table", metrics["range_n1"][1], half, 1e-6 * half, "N"),
            within("open patterns of normal forces", metrics["open_normals"], 1, 0),
            within("pull that a guided table resists", metrics["guided_feasible_pull"], guided, 1e-3 * half, "N"),
            below("pull that a free one resists", metrics["last_feasible_pull"], guided + 1e-3 * half, "N"),
        ]
        slip = metrics["closed_form_slip_pull"]
        if p.pull > 1.1 * slip:
            checks.append(within("pull that it resists in sliding", metrics["slip_pull"], slip, 0.01 * slip, "N"))
            checks.append(above("displacement beyond that", metrics["moved"], 10.0 * p.presliding, "m"))
        elif p.pull < 0.9 * slip:
            checks.append(below("displacement of the feet", metrics["moved"] - tilted(p), p.presliding, "m"))
        return checks

    def scene(self, outcome: Outcome[FourLegsParameters]) -> Recording:
        bodies, contacts = table_on_legs(outcome.trajectory, outcome.parameters)
        return scene_of(self, outcome, bodies, contacts, ("N_1", "N_2", "N_3", "N_4"))

    def plot(self, outcome: Outcome[FourLegsParameters], figure: Figure) -> None:
        run = outcome.trajectory
        p = outcome.parameters
        pulls = p.pull * run["t"] / p.time
        upper, lower = figure.subplots(2, 1, sharex=True)
        from .four_legs_model import table_ranges

        at = np.linspace(0.0, 0.98 * min(outcome.metrics["closed_form_slip_pull"], p.pull), 25)
        bands = [table_ranges(p, float(pull)) for pull in at]
        for i in (1, 2):
            low = [band[f"N_{i}"].low for band in bands]
            high = [band[f"N_{i}"].high for band in bands]
            upper.fill_between(at, low, high, color=PALETTE[i - 1], alpha=0.13, label=f"feasible, leg {i}")
        for i in range(1, 5):
            upper.plot(pulls, run[f"N_{i}"], color=PALETTE[i - 1], label=f"leg {i}")
        upper.set(title="normal forces: one pattern is open", ylabel="force in N", ylim=(-2.0, 0.75 * p.weight()))
        legend(upper, 3, "upper right")
        friction = -np.sum([run[f"T_{i}"] for i in range(1, 5)], axis=0)
        lower.plot(pulls, friction, color=BLUE, label="friction of all legs")
        lower.axhspan(*outcome.metrics["rigid_slip_pull"], color=GREY, alpha=0.15, label="slip of a rigid table")
        level(lower, outcome.metrics["closed_form_slip_pull"], "slip with this leg")
        lower.set(title="the split decides when it slips", xlabel="pull in N", ylabel="force in N")
        legend(lower)
