"""Friction under a prescribed sinusoidal speed, then at rest (Figs. 2.6 to 2.9): who remembers?"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...laws import Dissipation, LPVFilter, LTIFilter
from ...laws.rows import friction_row
from ..parameters import Parameter, step
from ..scenario import Check, Metrics, Outcome, Scenario, below

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

FILTERS = ("static", "lti", "lpv")


class Hysteresis(Scenario):
    """Three periods of a sine, then standstill; Table 2.1 with the speeds of Table 2.3."""

    name = "hysteresis"
    claim = "Only the LPV filter keeps friction at rest, between the Coulomb and the stiction level."
    source = "thesis 2.3, Figs. 2.6-2.9"
    parameters = (
        Parameter("filter", "lpv", "memory of the friction force", choices=FILTERS),
        Parameter("frequency", 1.0, "frequency of the motion", "Hz", minimum=0.0, above=True),
        Parameter("amplitude", 0.1, "amplitude of the speed", "m/s", minimum=0.0, above=True),
        Parameter("f_c", 1.0, "Coulomb amplitude", "N", minimum=0.0),
        Parameter("f_s", 1.4, "stiction amplitude", "N", minimum=0.0),
        Parameter("v_c", 0.005, "transition speed", "m/s", minimum=0.0, above=True),
        Parameter("v_s", 0.01, "Stribeck speed", "m/s", minimum=0.0, above=True),
        Parameter("d", 0.1, "viscous coefficient", "N s/m", minimum=0.0),
        Parameter("t_f", 0.003, "time constant of the filter", "s", minimum=0.0, above=True),
        Parameter("v_f", 0.01, "speed at which the LPV filter closes", "m/s", minimum=0.0, above=True),
        step(1e-5),
    )
    models = {filter: {"filter": filter} for filter in FILTERS}
    compared = (("v", "force", "friction in N"), ("t", "force", "friction in N"))
    ranked = ("force_at_zero_speed", "zero_force_speed", "held_force", "peak_force")

    def row(self, p: SimpleNamespace, filter: str) -> NDArray[np.float64]:
        """Friction law and memory as the engine reads them."""
        memory = {"static": None, "lti": LTIFilter(p.t_f), "lpv": LPVFilter(p.t_f, p.v_f)}[filter]
        return friction_row(Dissipation(p.f_c, p.f_s, p.v_c, p.v_s, p.d), memory)

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.prescribed import friction_along
        from ...trajectory import Trajectory

        periods, rest = 3, 0.5 + 20.0 * p.t_f
        n = round((periods / p.frequency + rest) / p.step)
        half = np.arange(2 * n + 1) * 0.5 * p.step
        speed = np.where(half < periods / p.frequency, p.amplitude * np.sin(2.0 * np.pi * p.frequency * half), 0.0)
        columns = [half[::2], speed[::2]]
        for share, filter in enumerate(FILTERS):
            columns.append(friction_along(self.row(p, filter), speed, p.step))
            progress((share + 1) / len(FILTERS))
        columns.append(columns[2 + FILTERS.index(p.filter)])
        keep = max(n // 30000, 1)
        return Trajectory(("t", "v", *FILTERS, "force"), np.column_stack(columns)[::keep], n)

    def cycle(self, p: SimpleNamespace, run: Trajectory) -> NDArray[np.bool_]:
        """Records of the last full period."""
        return (run["t"] >= 2.0 / p.frequency) & (run["t"] <= 3.0 / p.frequency)

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        cycle = self.cycle(p, trajectory)
        v, force = trajectory["v"][cycle], trajectory[p.filter][cycle]
        falling = np.gradient(v) < 0.0
        slowing = np.flatnonzero(falling & (v > -0.9 * p.amplitude) & (v < 0.9 * p.amplitude))
        v, force = v[slowing][::-1], force[slowing][::-1]
        return {
            "force_at_zero_speed": float(np.interp(0.0, v, force)),
            "zero_force_speed": float(np.interp(0.0, force[v < 0.3 * p.amplitude], v[v < 0.3 * p.amplitude])),
            "held_force": float(trajectory[p.filter][-1]),
            "peak_force": float(trajectory[p.filter][cycle].max()),
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        held = abs(metrics["held_force"])
        if p.filter != "lpv":
            return [below(f"force that the {p.filter} law holds at rest", held, 1e-3 * p.f_s, "N")]
        text = f"force held at rest {held:.4f} N lies between {p.f_c:g} N and {1.01 * p.f_s:g} N"
        return [Check(text, p.f_c <= held <= 1.01 * p.f_s)]

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, (a, b) = outcome.trajectory, figure.subplots(1, 2)
        cycle = self.cycle(outcome.parameters, run)
        for filter, style in zip(FILTERS, (":", "--", "-"), strict=True):
            width = 2.2 if filter == outcome.parameters.filter else 1.2
            a.plot(run["v"][cycle], run[filter][cycle], style, label=filter, linewidth=width)
        a.set(title="force over speed, one period", xlabel="speed in m/s", ylabel="friction in N")
        reach = min(outcome.parameters.amplitude, 6.0 * outcome.parameters.v_s)
        a.set_xlim(-reach, reach)
        a.legend()
        panel(b, run["t"], {f: run[f] for f in FILTERS}, "three periods, then rest", "time in s", "friction in N")
        twin = b.twinx()
        twin.plot(run["t"], run["v"], color="0.75", linewidth=0.8)
        twin.set_ylabel("speed in m/s", color="0.5")
        twin.grid(False)
