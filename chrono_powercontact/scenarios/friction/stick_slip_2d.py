"""A mass pulled over a rough plane along a winding path (section 2.3.3): friction as a vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...laws.design import stable_friction_step
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Dissipation
from ...laws.friction.lugre import LuGre
from ...laws.friction.memory import LPVFilter
from ...report.style import BLUE, GREY, RED, level, panel, stage
from ...view.drawn import Drawn, Touch
from ..events import episodes
from ..parameters import CHRONO, REFERENCE, choice, number, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, above, below
from ..scenes.moving_scenes import scene_of
from ..timing import every_tenth_millisecond
from .friction_tables import POWER
from .law_levels import STEP_ERROR, largest_friction, peak_speed
from .pulled_mass import PULL_TIME, RUN_TIME, SLIP_PAUSE, SLIP_SPEED, Pull, PullParameters, Signal, planar_mass_model

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

LENGTH = 0.1
"""Length of the relaxed spring, in m."""

NORM_ROUNDING = 1e-6
"""Speed in m/s that rounds the norm of the velocity."""

FILTER = POWER["fine"].memory()
"""T_F and v_F of Table 2.2."""

PER_COORDINATE = 1.01
"""Norm of the friction over stiction that filters per coordinate may hold: 1.412 N in the reference run of 1.4 N."""

MEMORIES = ("coordinate", "point", "anchored", "lugre")


@dataclass(frozen=True)
class StickSlip2DParameters(PullParameters):
    """Stick-slip in two dimensions."""

    amplitude: float = number(0.1, "amplitude of the sideways motion", "m", minimum=0.0)
    frequency: float = number(0.2, "frequency of the sideways motion", "Hz", minimum=0.0)
    memory: str = choice("coordinate", "filter per coordinate (thesis) or at the point, an anchor, or LuGre", MEMORIES)
    inherited: ClassVar[None]
    step: float = time_step(1e-4)

    def law(self) -> Dissipation:
        """The power law of the plane."""
        return self.power_law("fine", NORM_ROUNDING)

    def plane_law(self) -> Dissipation | LuGre:
        """The friction law of the plane: the power law, or LuGre with a vector of bristles."""
        return self.lugre("fine") if self.memory == "lugre" else self.law()

    def plane_memory(self) -> LPVFilter | Anchor | None:
        """What the plane remembers; LuGre has its own memory."""
        if self.memory == "lugre":
            return None
        return self.anchor() if self.memory == "anchored" else FILTER

    def friction_names(self) -> tuple[str, str]:
        """Columns of the filtered friction force along x and y."""
        return ("Q_x", "Q_y") if self.memory == "coordinate" else ("Ft_plane_x", "Ft_plane_y")


def winding_pull(p: StickSlip2DParameters) -> Pull:
    """The end of the spring moves along x and swings along y until PULL_TIME."""
    rate = 2.0 * np.pi * p.frequency

    def position(t: Signal) -> tuple[Signal, Signal]:
        now = np.minimum(t, PULL_TIME)
        return LENGTH + p.pull_speed * now, p.amplitude * np.sin(rate * now)

    def velocity(t: Signal) -> tuple[Signal, Signal]:
        moving = t < PULL_TIME
        return p.pull_speed * moving, p.amplitude * rate * np.cos(rate * t) * moving

    return Pull(position, velocity, LENGTH)


def speeds_within(run: Trajectory, begin: float, end: float) -> list[float]:
    """Largest speed in m/s along x and along y between two times in s."""
    during = (run["t"] >= begin) & (run["t"] <= end)
    return [float(np.abs(run[name][during]).max()) for name in ("x_dot", "y_dot")]


class StickSlip2D(Scenario[StickSlip2DParameters]):
    """Stick-slip in two dimensions with the parameters of Tables 2.1 and 2.2."""

    name = "stick_slip_2d"
    claim = (
        "Both directions slip in every slip, and the norm of the friction never exceeds what its law can hold: "
        "0.5 % more than stiction, 1 % with a filter per coordinate."
    )
    source = "thesis 2.3.3, Tables 2.1 and 2.2"
    parameters = StickSlip2DParameters
    engines = (CHRONO, REFERENCE)
    recorded_with = {"memory": "anchored", "step": 4e-4, "presliding": 1e-4}
    also_recorded = {"thesis": {"memory": "coordinate", "step": 1e-4}}
    models = {memory: {"memory": memory} for memory in MEMORIES}
    compared = (("t", "x", "x in m"), ("t", "y", "y in m"))
    ranked = ("slip_starts", "peaks_norm", "rest_chatter", "final_position", "max_speed")

    def simulate(self, p: StickSlip2DParameters, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4
        from ...lagrange.system import System

        numbers = {
            "m": p.mass,
            "k": p.k,
            "length": LENGTH,
            "pull": p.pull_speed,
            "stop": PULL_TIME,
            "amplitude": p.amplitude,
            "frequency": p.frequency,
        }
        per_coordinate = {"x": FILTER, "y": FILTER} if p.memory == "coordinate" else None
        memory = p.plane_memory()
        memories = {} if memory is None else {"plane": memory}
        system = System(planar_mass_model(), numbers, {}, {"plane": p.plane_law()}, memories, per_coordinate)
        start = system.state([0.0, 0.0], [0.0, 0.0])
        return run_rk4(system, start, p.step, RUN_TIME, every_tenth_millisecond(p.step), progress)

    def not_on_chrono(self, p: StickSlip2DParameters) -> str | None:
        if p.memory == "lugre":
            return "LuGre friction (memory=lugre) runs on the reference engine only"
        return None

    def simulate_chrono(self, p: StickSlip2DParameters, progress: Progress) -> Trajectory:
        from .friction_chrono import pulled_mass_scene

        names = ("x", "y", "x_dot", "y_dot", *p.friction_names())
        per_coordinate = p.memory == "coordinate"
        scene = pulled_mass_scene(p, p.law(), p.plane_memory(), winding_pull(p), names, per_coordinate)
        return scene.run(p.step, RUN_TIME, every_tenth_millisecond(p.step), progress)

    def friction(self, p: StickSlip2DParameters, run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
        """Filtered friction force in N along x and y."""
        x, y = p.friction_names()
        return run[x], run[y]

    def measure(self, p: StickSlip2DParameters, trajectory: Trajectory) -> Metrics:
        t = trajectory["t"]
        speed = np.hypot(trajectory["x_dot"], trajectory["y_dot"])
        f1, f2 = self.friction(p, trajectory)
        norm = np.hypot(f1, f2)
        slips = episodes(t, speed - SLIP_SPEED, SLIP_PAUSE)
        before = np.concatenate([[0.0], slips[:-1, 1]]) if len(slips) else np.zeros(0)
        spans = [(t >= a) & (t <= b) for a, b in zip(before, slips[:, 0] + 0.01, strict=True)]
        moving = speed > 0.1
        return {
            "slip_speeds": [speeds_within(trajectory, begin, end) for begin, end in slips],
            "largest_norm": float(norm.max()),
            "slip_starts": slips[:, 0].tolist(),
            "slip_ends": slips[:, 1].tolist(),
            "peak_q_d1": float(np.abs(f1).max()),
            "peak_q_d2": float(np.abs(f2).max()),
            "peaks_q_d1": [float(np.abs(f1[span]).max()) for span in spans],
            "peaks_norm": [float(norm[span].max()) for span in spans],
            "least_sliding_norm": float(norm[moving].min()) if moving.any() else None,
            "final_position": [float(trajectory["x"][-1]), float(trajectory["y"][-1])],
            "rest_chatter": float(np.ptp(norm[t > RUN_TIME - 1.0])),
            "max_speed": float(speed.max()),
            "ledger_error": float(np.abs(trajectory.ledger_error).max()),
        }

    def check(self, p: StickSlip2DParameters, metrics: Metrics) -> list[Check]:
        peaks = metrics["peaks_norm"]
        checks = [
            Check(f"{len(peaks)} slips, at least 2", len(peaks) >= 2),
            below("norm of the friction", metrics["largest_norm"], self.most(p, metrics["max_speed"]), "N"),
        ]
        if p.amplitude == 0.0 or p.frequency == 0.0 or not peaks:
            return checks
        slowest = min(min(speeds) for speeds in metrics["slip_speeds"])
        creep = peak_speed(p.law())
        return [*checks, above("speed of the slower direction in every slip, not creep", slowest, creep, "m/s")]

    def most(self, p: StickSlip2DParameters, speed: float) -> float:
        """Largest norm of the friction in N at speeds up to one in m/s.

        Filters per coordinate hold the components of a force that turns for different times: their norm may exceed
        that of the law.
        """
        if p.memory == "lugre":
            return (1.0 + STEP_ERROR) * (p.f_s + p.d * speed)
        held = largest_friction(p.law(), speed)
        return max(held, PER_COORDINATE * p.f_s) if p.memory == "coordinate" else (1.0 + STEP_ERROR) * held

    def stable_step(self, p: StickSlip2DParameters) -> float | None:
        if p.memory == "lugre":
            return None
        return stable_friction_step(p.law(), p.mass, p.plane_memory(), integrator="rk4")

    def plot(self, outcome: Outcome[StickSlip2DParameters], figure: Figure) -> None:
        run = outcome.trajectory
        p = outcome.parameters
        t = run["t"]
        f1, f2 = self.friction(p, run)
        (a, b), (c, d) = figure.subplots(2, 2)
        position = {"x": run["x"], "y": run["y"]}
        panel(a, t, position, "position: stairs in both directions", "time in s", "position in m")
        panel(b, t, {"Q_1": f1, "Q_2": f2, "norm": np.hypot(f1, f2)}, "friction", "time in s", "force in N")
        level(b, p.f_s, "stiction")
        speed = np.hypot(run["x_dot"], run["y_dot"])
        panel(c, t, {"speed": speed}, "speed", "time in s", "speed in m/s")
        panel(d, run["x"], {"mass": run["y"]}, "path of the mass", "x in m", "y in m")
        d.set_aspect("equal", "datalim")

    def scene(self, outcome: Outcome[StickSlip2DParameters]) -> Recording:
        run = outcome.trajectory
        p = outcome.parameters
        ex, ey = winding_pull(p).position(run["t"])
        f1, f2 = self.friction(p, run)
        side = 0.06
        reach = float(ex.max())
        bodies = [
            Drawn("mass", "box", (side, side, side), ("x", "y", 0.5 * side)),
            Drawn("end of the spring", "ball", (0.2 * side,), (ex, ey, 0.5 * side)),
            Drawn("plane", "box", (reach + 0.4, 2.0 * p.amplitude + 0.4, 0.01), (0.5 * reach, 0.0, -0.005), fixed=True),
        ]
        slip = np.hypot(run["x_dot"], run["y_dot"])
        contact = Touch(("x", "y", 0.0), 0.0, (0.0, 0.0, 1.0), (-f1, -f2, 0.0), slip)
        return scene_of(self, outcome, bodies, [contact], ("x", "y"))

    def animate(self, outcome: Outcome[StickSlip2DParameters], axes: Axes) -> Redraw:
        run = outcome.trajectory
        p = outcome.parameters
        ex, ey = winding_pull(p).position(run["t"])
        f1, f2 = self.friction(p, run)
        stage(axes, (-0.1, float(ex.max()) + 0.05), (-p.amplitude - 0.08, p.amplitude + 0.08))
        axes.plot(ex, ey, color=GREY, linestyle=":", linewidth=0.8)
        (spring,) = axes.plot([], [], color=GREY, linewidth=1.2)
        (path,) = axes.plot([], [], color=BLUE, linewidth=0.8)
        (body,) = axes.plot([], [], "s", color=BLUE, markersize=12)
        (force,) = axes.plot([], [], color=RED, linewidth=3)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            x = run["x"][i]
            y = run["y"][i]
            spring.set_data([x, ex[i]], [y, ey[i]])
            path.set_data(run["x"][: i + 1 : 20], run["y"][: i + 1 : 20])
            body.set_data([x], [y])
            force.set_data([x, x - 0.05 * f1[i]], [y, y - 0.05 * f2[i]])
            label.set_text(f"stick-slip: t = {run['t'][i]:.2f} s, |friction| {np.hypot(f1[i], f2[i]):.2f} N")

        return redraw
