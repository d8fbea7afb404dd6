"""Tosses of a real cube: friction, restitution and the body from a part of them, the others predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ParameterError
from ...report.style import BLUE, GREY, PALETTE, legend
from ..parameters import Parameters, count, switch, text
from ..scenario import Check, Metrics, Outcome, Scenario, below, within

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

CENTRE = ("centre_x", "centre_y", "centre_z")
INERTIA = ("inertia_across", "inertia_along")
SHAPE = ("half", "radius")
VALUES = ("mu", "load_exponent", "restitution", *INERTIA, *CENTRE, *SHAPE)
"""Values of a cube that can be fitted."""

ERRORS = ("position_error", "rotation_error")
RIVALS = ("rigid", "smc", "nsc")

TRUE_MU, TRUE_RESTITUTION, TRUE_CENTRE = 0.18, 0.25, 5e-3
"""Values of the simulated cube, the last one along z in m."""


@dataclass(frozen=True)
class CubeTossParameters(Parameters):
    """Tosses, and what is fitted to them."""

    data: str = text("", "file with measured tosses; empty: the tosses are simulated")
    fit: int = count(60, "tosses used for fitting; all others are predicted", minimum=2)
    seed: int = count(0, "number from which the tosses used for fitting are drawn", minimum=0)
    centre: bool = switch(True, "fit the centre of mass")
    inertia: bool = switch(True, "fit the moments of inertia")
    load: bool = switch(True, "fit how friction falls with the load")
    start: int = count(0, "samples in flight that a start is taken from; 0: all of them", minimum=0)
    rivals: bool = switch(False, "also run SMC, NSC and rigid time-stepping on the same tosses")

    def free(self) -> list[str]:
        """Names of the values that are fitted."""
        fixed = {*(() if self.centre else CENTRE), *(() if self.inertia else INERTIA)}
        if not self.load:
            fixed.add("load_exponent")
        return [name for name in VALUES if name not in fixed]


class CubeToss(Scenario[CubeTossParameters]):
    """A law is only as good as what it says about reality."""

    name = "cube_toss"
    claim = (
        "Fitted on some tosses of a cube, the law predicts the others to 10.5 % of the width and 13.5 deg in the mean."
    )
    source = "Pfrommer, Halm, Posa: ContactNets, CoRL 2020, whose 570 tosses are public; the model and the fit are ours"
    parameters = CubeTossParameters
    in_time = False

    def simulate(self, p: CubeTossParameters, progress: Progress) -> Trajectory:
        from .toss_study import study

        if p.start in (1, 2):
            raise ParameterError(f"start must be 0 or at least 3 samples, got {p.start}")
        return study(p.data, p.fit, p.seed, p.free(), p.start or None, p.rivals, progress)

    def measure(self, p: CubeTossParameters, trajectory: Trajectory) -> Metrics:
        unseen = trajectory["fitted"] == 0.0
        metrics: Metrics = {}
        for error in ERRORS:
            metrics[f"{error}_mean"] = float(trajectory[error][unseen].mean())
            metrics[f"{error}_median"] = float(np.median(trajectory[error][unseen]))
        metrics["right_face"] = float(trajectory["right_face"][unseen].mean())
        for name in VALUES:
            metrics[name] = float(trajectory[name][0])
            metrics[f"{name}_interval"] = [float(trajectory[f"{name}_{end}"][0]) for end in ("low", "high")]
        metrics["gravity"] = float(trajectory["gravity"][0])
        metrics["fitted_on"] = int(np.sum(~unseen))
        metrics["judged_on"] = int(np.sum(unseen))
        for rival in RIVALS:
            if f"{rival}_mu" in trajectory.names:
                metrics[rival] = self._rival(rival, trajectory, unseen)
        return metrics

    def _rival(self, rival: str, trajectory: Trajectory, unseen: np.ndarray) -> Metrics:
        """How a rival does on the same tosses, and whether the difference may be chance."""
        from .toss_rivals import paired_test

        found: Metrics = {"mu": float(trajectory[f"{rival}_mu"][0])}
        found["restitution"] = float(trajectory[f"{rival}_restitution"][0])
        for error in ERRORS:
            theirs = trajectory[f"{rival}_{error}"][unseen]
            found[f"{error}_mean"] = float(theirs.mean())
            found[f"{error}_median"] = float(np.median(theirs))
            found[f"{error}_p_value"] = paired_test(trajectory[error][unseen], theirs)
        found["right_face"] = float(trajectory[f"{rival}_right_face"][unseen].mean())
        return found

    def check(self, p: CubeTossParameters, metrics: Metrics) -> list[Check]:
        checks = [
            below("position error in percent of the width, mean", metrics["position_error_mean"], 10.5),
            below("rotation error, mean", metrics["rotation_error_mean"], 13.5, "deg"),
        ]
        if p.data != "":
            return [*checks, within("mu", metrics["mu"], 0.18, 0.01)]
        checks.append(within("mu against the truth", metrics["mu"], TRUE_MU, 0.004))
        checks.append(within("restitution against the truth", metrics["restitution"], TRUE_RESTITUTION, 0.02))
        if p.centre:
            checks.append(within("centre of mass against the truth", metrics["centre_z"], TRUE_CENTRE, 2e-4, "m"))
        return checks

    def plot(self, outcome: Outcome[CubeTossParameters], figure: Figure) -> None:
        run = outcome.trajectory
        (a, b), (c, d) = figure.subplots(2, 2)
        self._distribution(a, run, "position_error", "position error in % of the width")
        self._distribution(b, run, "rotation_error", "rotation error in deg")
        wrong = run["right_face"] == 0.0
        c.loglog(run["position_error"], run["rotation_error"], ".", color=BLUE)
        c.loglog(run["position_error"][wrong], run["rotation_error"][wrong], "x", color=PALETTE[3])
        c.set(title="each toss (x: another face up)", xlabel="position error in %", ylabel="rotation error in deg")
        self._intervals(d, outcome.metrics)

    def _distribution(self, axes: Axes, run: Trajectory, column: str, label: str) -> None:
        """Part of the predicted tosses whose error is below a value, for ours and the rivals."""
        unseen = run["fitted"] == 0.0
        part = (np.arange(int(unseen.sum())) + 1.0) / unseen.sum()
        names = {"power": column} | {rival: f"{rival}_{column}" for rival in RIVALS if f"{rival}_mu" in run.names}
        for colour, (name, key) in zip(PALETTE, names.items(), strict=False):
            axes.semilogx(np.sort(run[key][unseen]), part, color=colour, label=name)
        axes.set(title="predicted tosses", xlabel=label, ylabel="part below")
        if len(names) > 1:
            legend(axes)

    def _intervals(self, axes: Axes, metrics: dict[str, Any]) -> None:
        """Fitted values with their intervals, each relative to itself."""
        fitted = [name for name in VALUES if metrics[f"{name}_interval"][0] < metrics[f"{name}_interval"][1]]
        for row, name in enumerate(fitted):
            low, high = metrics[f"{name}_interval"]
            size = max(abs(metrics[name]), 1e-3)
            axes.plot([(low - metrics[name]) / size, (high - metrics[name]) / size], [row, row], "|-", color=BLUE)
        axes.axvline(0.0, color=GREY, linewidth=1.0)
        axes.set_yticks(range(len(fitted)), [f"{name} {metrics[name]:.3g}" for name in fitted])
        axes.set(title="fitted values with 95 % intervals", xlabel="deviation over the value")
