"""A mass pulled over a rough plane along a winding path (section 2.4.2): friction as a vector."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Anchor, Dissipation, LPVFilter
from ...laws.design import stable_friction_step
from ..anchored import ANCHOR, anchor_of
from ..events import episodes
from ..parameters import Parameter, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below
from .stick_slip import POWER, PULL_TIME, RUN_TIME, SLIP_PAUSE, SLIP_SPEED, TABLE_2_1

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...progress import Progress
    from ...trajectory import Trajectory

LENGTH = 0.1
"""Length of the relaxed spring, in m."""


@cache
def planar_mass_model() -> Model:
    """Mass m on a plane, spring k to an end at (l + pull t, A sin(2 pi f t)) until `stop` (2.36)."""
    import sympy as sp

    from ...lagrange import TIME, FrictionPoint, Model, coordinates, velocities

    q, p = coordinates("x y"), sp.symbols("m k length pull stop amplitude frequency", real=True)
    m, k, length, pull, stop, amplitude, frequency = p
    (x, y), v, now = q, velocities(q), sp.Min(TIME, stop)
    reach = sp.sqrt((length + pull * now - x) ** 2 + (amplitude * sp.sin(2 * sp.pi * frequency * now) - y) ** 2)
    kinetic, potential = m * (v[0] ** 2 + v[1] ** 2) / 2, k * (reach - length) ** 2 / 2
    return Model("planar_mass", q, kinetic, potential, p, frictions=(FrictionPoint("plane", v),))


FILTER = LPVFilter(*POWER["fine"][2:])
"""T_F and v_F of Table 2.2."""


class StickSlip2D(Scenario):
    """Stick-slip in two dimensions with the parameters of Tables 2.1 and 2.2."""

    name = "stick_slip_2d"
    claim = "Both directions slip together, and the norm of the friction never exceeds the stiction level."
    source = "thesis 2.4.2, Tables 2.1 and 2.2"
    engines = ("chrono", "reference")
    recorded_with = {"memory": "anchored", "step": 4e-4, "presliding": 1e-4}
    parameters = (
        Parameter("amplitude", 0.1, "amplitude of the sideways motion", "m", minimum=0.0),
        Parameter("frequency", 0.2, "frequency of the sideways motion", "Hz", minimum=0.0),
        Parameter(
            "memory",
            "coordinate",
            "filter per coordinate (thesis) or at the point, or an anchor there",
            choices=("coordinate", "point", "anchored"),
        ),
        *TABLE_2_1,
        *ANCHOR,
        step(1e-4),
    )

    models = {memory: {"memory": memory} for memory in ("coordinate", "point", "anchored")}
    compared = (("t", "x", "x in m"), ("t", "y", "y in m"))
    ranked = ("slip_starts", "peaks_norm", "rest_chatter", "final_position", "max_speed")

    def law(self, p: SimpleNamespace) -> Dissipation:
        """The friction law of the plane."""
        return Dissipation(p.f_c, p.f_s, *POWER["fine"][:2], p.d, 1e-6)

    def memory(self, p: SimpleNamespace) -> LPVFilter | Anchor:
        """What the plane remembers."""
        return anchor_of(p) if p.memory == "anchored" else FILTER

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4
        from ...lagrange.system import System

        numbers = {"m": p.mass, "k": p.k, "length": LENGTH, "pull": p.pull_speed, "stop": PULL_TIME}
        numbers |= {"amplitude": p.amplitude, "frequency": p.frequency}
        per_coordinate = {"x": FILTER, "y": FILTER} if p.memory == "coordinate" else None
        memories = {"plane": self.memory(p)}
        system = System(planar_mass_model(), numbers, {}, {"plane": self.law(p)}, memories, per_coordinate)
        return run_rk4(
            system, system.state([0.0, 0.0], [0.0, 0.0]), p.step, RUN_TIME, max(round(1e-4 / p.step), 1), progress
        )

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from .pulled_mass import Signal, pulled_mass_scene

        turn, rate = p.amplitude, 2.0 * np.pi * p.frequency

        def end(t: Signal) -> tuple[Signal, Signal]:
            now = np.minimum(t, PULL_TIME)
            return LENGTH + p.pull_speed * now, turn * np.sin(rate * now)

        def speed(t: Signal) -> tuple[Signal, Signal]:
            return p.pull_speed * (t < PULL_TIME), turn * rate * np.cos(rate * t) * (t < PULL_TIME)

        memory, names = self.memory(p), ("x", "y", "x_dot", "y_dot", *self.friction_names(p))
        each = p.memory == "coordinate"
        scene = pulled_mass_scene(p, self.law(p), memory, end, speed, names, LENGTH, each)
        return scene.run(p.step, RUN_TIME, max(round(1e-4 / p.step), 1), progress)

    def friction_names(self, p: SimpleNamespace) -> tuple[str, str]:
        """Columns of the filtered friction force along x and y."""
        return ("Q_x", "Q_y") if p.memory == "coordinate" else ("Ft_plane_x", "Ft_plane_y")

    def friction(self, p: SimpleNamespace, run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
        """Filtered friction force in N along x and y."""
        x, y = self.friction_names(p)
        return run[x], run[y]

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        t, vx, vy = trajectory["t"], trajectory["x_dot"], trajectory["y_dot"]
        f1, f2 = self.friction(p, trajectory)
        slips = episodes(t, np.hypot(vx, vy) - SLIP_SPEED, SLIP_PAUSE)
        before = np.concatenate([[0.0], slips[:-1, 1]]) if len(slips) else np.zeros(0)
        spans = [(t >= a) & (t <= b) for a, b in zip(before, slips[:, 0] + 0.01, strict=True)]
        moving = np.hypot(vx, vy) > 0.1
        return {
            "slip_starts": slips[:, 0].tolist(),
            "slip_ends": slips[:, 1].tolist(),
            "peak_q_d1": float(np.abs(f1).max()),
            "peak_q_d2": float(np.abs(f2).max()),
            "peaks_q_d1": [float(np.abs(f1[span]).max()) for span in spans],
            "peaks_norm": [float(np.hypot(f1, f2)[span].max()) for span in spans],
            "least_sliding_norm": float(np.hypot(f1, f2)[moving].min()) if moving.any() else None,
            "final_position": [float(trajectory["x"][-1]), float(trajectory["y"][-1])],
            "rest_chatter": float(np.ptp(np.hypot(f1, f2)[t > RUN_TIME - 1.0])),
            "max_speed": float(np.hypot(vx, vy).max()),
            "ledger_error": float(np.abs(trajectory.ledger_error).max()),
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        peaks = metrics["peaks_norm"]
        return [
            Check(f"{len(peaks)} slips, at least 2", len(peaks) >= 2),
            below("norm of the friction over stiction", max(peaks, default=0.0) / p.f_s if p.f_s else 0.0, 1.02),
        ]

    def stable_step(self, p: SimpleNamespace) -> float:
        return stable_friction_step(self.law(p), p.mass, self.memory(p))

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import GREY, panel

        run, p, ((a, b), (c, d)) = outcome.trajectory, outcome.parameters, figure.subplots(2, 2)
        t, (f1, f2) = run["t"], self.friction(p, run)
        panel(a, t, {"x": run["x"], "y": run["y"]}, "position: stairs in both directions", "time in s", "position in m")
        panel(b, t, {"Q_1": f1, "Q_2": f2, "norm": np.hypot(f1, f2)}, "friction", "time in s", "force in N")
        b.axhline(p.f_s, color=GREY, linestyle=":", linewidth=0.8)
        panel(c, t, {"speed": np.hypot(run["x_dot"], run["y_dot"])}, "speed", "time in s", "speed in m/s")
        panel(d, run["x"], {"mass": run["y"]}, "path of the mass", "x in m", "y in m")
        d.set_aspect("equal", "datalim")

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from ...report.style import BLUE, GREY, RED, stage

        run, p = outcome.trajectory, outcome.parameters
        now = np.minimum(run["t"], PULL_TIME)
        ex, ey = LENGTH + p.pull_speed * now, p.amplitude * np.sin(2.0 * np.pi * p.frequency * now)
        f1, f2 = self.friction(p, run)
        stage(axes, (-0.1, float(ex.max()) + 0.05), (-p.amplitude - 0.08, p.amplitude + 0.08))
        axes.plot(ex, ey, color=GREY, linestyle=":", linewidth=0.8)
        (spring,) = axes.plot([], [], color=GREY, linewidth=1.2)
        (path,) = axes.plot([], [], color=BLUE, linewidth=0.8)
        (body,) = axes.plot([], [], "s", color=BLUE, markersize=12)
        (force,) = axes.plot([], [], color=RED, linewidth=3)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            x, y = run["x"][i], run["y"][i]
            spring.set_data([x, ex[i]], [y, ey[i]])
            path.set_data(run["x"][: i + 1 : 20], run["y"][: i + 1 : 20])
            body.set_data([x], [y])
            force.set_data([x, x - 0.05 * f1[i]], [y, y - 0.05 * f2[i]])
            label.set_text(f"stick-slip: t = {run['t'][i]:.2f} s, |friction| {np.hypot(f1[i], f2[i]):.2f} N")

        return redraw
