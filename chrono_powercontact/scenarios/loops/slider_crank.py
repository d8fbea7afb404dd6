"""A slider-crank whose slider may hit a wall: our contact inside a closed loop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...laws.material import Material
from ...report.style import GREY, energy_panel, panel
from ..constants import GRAVITY
from ..groups import Contact
from ..parameters import mass_of, number, run_length, switch, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, above, within
from ..scenes.moving_scenes import Planar, bars, block, scene_of
from .dyad import angle_of, pin_on_line
from .free_bodies import TurningPoint, along, derivative, uniform
from .loop_pictures import linkage, reaction_panel
from .loop_scenario import LoopParameters, LoopScenario

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.loops.loops import LoopSystem
    from ...trajectory import Trajectory
    from ...view.recording import Recording

STROKE = {"reference": 1e-6, "chrono": 1e-4}
"""Difference in m of the largest reach of the slider from the closed form."""

FELT = 0.01
"""Force over the largest one of the wall from which a contact counts as an impact."""


@dataclass(frozen=True)
class SliderCrankParameters(Contact, LoopParameters):
    """Crank l1 from the origin, rod l2, slider on the line y = e."""

    theta1_0: float = number(0.7, "angle of the crank at the start", "rad")
    speed: float = number(25.0, "angular velocity of the crank at the start", "rad/s")
    wall: bool = switch(True, "whether the slider hits a wall near the end of its stroke")
    at: float = number(0.395, "position of the wall", "m")
    l1: float = number(0.1, "length of the crank", "m", above=0.0)
    l2: float = number(0.3, "length of the rod", "m", above=0.0)
    e: float = number(0.02, "offset of the slider's line", "m")
    m1: float = mass_of(0.5, "mass of the crank")
    m2: float = mass_of(1.1, "mass of the rod")
    m3: float = mass_of(0.7, "mass of the slider")
    inherited: ClassVar[None]
    s_0: float = number(0.01, "distance at which the contact begins", "m")
    s_c: float = number(0.002, "distance at which the activation is complete; below s_0", "m")
    r_f: float = number(5000.0, "largest force of the wall", "N", above=0.0)
    r_d: float = number(0.5, "dissipation of the wall", "s/m", minimum=0.0)
    time: float = run_length(0.5)
    step: float = time_step(2e-5, on_chrono=5e-5)

    def material(self) -> Material | None:
        """The wall; none where there is no wall."""
        return Material(self.restriction()) if self.wall else None


class SliderCrank(LoopScenario[SliderCrankParameters]):
    """Cut at the pin C between rod and slider."""

    name = "slider_crank"
    claim = (
        "A slider-crank hits a wall: energy and closure are kept through the impacts, and the reaction at the cut is "
        "that of free bodies, contact force included."
    )
    source = "closed loops (1)-(7), slider-crank"
    parameters = SliderCrankParameters
    longest = 2e-4
    cut = "C"
    angles = ("theta1", "theta2")
    first = ("theta1",)
    recorded = ("theta1", "theta2", "s", "F_wall")
    recorded_with = {"time": 0.25}

    def numbers(self, p: SliderCrankParameters) -> dict[str, float]:
        names = ("l1", "l2", "e", "m1", "m2", "m3")
        given = {name: float(getattr(p, name)) for name in names}
        return given | {"g": GRAVITY, "tau": 0.0, "F": 0.0, "b": p.at}

    def build(self, p: SliderCrankParameters) -> LoopSystem:
        from .mechanism_systems import slider_crank_system

        return slider_crank_system(self.numbers(p), p.material())

    def start(self, p: SliderCrankParameters) -> tuple[list[float], list[float]]:
        b = p.l1 * np.array([math.cos(p.theta1_0), math.sin(p.theta1_0)])
        c = pin_on_line(b, p.l2, p.e)
        return [p.theta1_0, angle_of(b, c) - p.theta1_0, float(c[0])], [p.speed]

    def _pin(self, p: SliderCrankParameters, run: Trajectory) -> np.ndarray:
        """The pin C as the rod says, by rows."""
        return np.asarray(p.l1 * along(run["theta1"]) + p.l2 * along(run["theta1"] + run["theta2"]))

    def gap(self, p: SliderCrankParameters, run: Trajectory) -> np.ndarray:
        slider = np.column_stack([run["s"], np.full(len(run), p.e)])
        return np.asarray(np.linalg.norm(self._pin(p, run) - slider, axis=1))

    def pins(self, p: SliderCrankParameters, run: Trajectory) -> list[np.ndarray]:
        b = p.l1 * along(run["theta1"])
        c = self._pin(p, run)
        return [np.stack([0.0 * b.T, b.T]), np.stack([b.T, c.T]), np.stack([c.T, c.T])]

    def free_body_force(self, p: SliderCrankParameters, run: Trajectory) -> np.ndarray:
        t = run["t"]
        crank = run["theta1"]
        rod = crank + run["theta2"]
        b = TurningPoint(np.zeros((len(run), 2))).along(p.l1, crank, run["theta1_dot"])
        moment = uniform(p.l2, p.m2).pin_moment(t, b, rod, run["theta1_dot"] + run["theta2_dot"])
        arm = p.l2 * along(rod)
        across = -run["F_wall"] - p.m3 * derivative(t, run["s_dot"])
        return np.column_stack([across, (moment + arm[:, 1] * across) / arm[:, 0]])

    def measure(self, p: SliderCrankParameters, trajectory: Trajectory) -> Metrics:
        push = trajectory["F_wall"]
        felt = push > FELT * p.r_f
        rising = np.flatnonzero(felt[1:] & ~felt[:-1])
        return super().measure(p, trajectory) | {
            "reach": float(trajectory["s"].max()),
            "closed_form_reach": math.sqrt((p.l1 + p.l2) ** 2 - p.e**2),
            "impacts": int(rising.size),
            "peak_force": float(push.max()),
            "contact_heat": float(trajectory["contact_heat"][-1]),
            "turns": float(np.ptp(trajectory["theta1"]) / (2.0 * math.pi)),
        }

    def own_checks(self, engine: str, p: SliderCrankParameters, metrics: Metrics) -> list[Check]:
        if metrics["impacts"]:
            return [above("heat of the wall", metrics["contact_heat"], 0.0, "J")] if p.r_d > 0.0 else []
        if metrics["turns"] < 1.0:
            return []
        return [within("reach", metrics["reach"], metrics["closed_form_reach"], STROKE[engine], "m")]

    def plot(self, outcome: Outcome[SliderCrankParameters], figure: Figure) -> None:
        run = outcome.trajectory
        p = outcome.parameters
        (a, b), (c, d) = figure.subplots(2, 2)
        panel(a, run["t"], {"slider": run["s"]}, "position of the slider", "time in s", "position in m")
        if p.wall:
            a.axhline(p.at, color=GREY, linewidth=1.0)
        reaction_panel(b, run, self.reaction(run), self.free_body_force(p, run))
        energy_panel(c, run)
        panel(d, run["t"], {"wall": run["F_wall"]}, "contact force on the slider", "time in s", "force in N")

    def scene(self, outcome: Outcome[SliderCrankParameters]) -> Recording:
        run = outcome.trajectory
        p = outcome.parameters
        pins = self.pins(p, run)
        slider = Planar(*pins[2][0])
        size = 0.2 * p.l1
        bodies = [*bars(pins), block("slider", (size, size, size), slider)]
        return scene_of(self, outcome, bodies, (), ("s", "F_wall"))

    def animate(self, outcome: Outcome[SliderCrankParameters], axes: Axes) -> Redraw:
        p = outcome.parameters
        redraw = linkage(self.name, outcome.trajectory, self.pins(p, outcome.trajectory), axes)
        axes.axhline(p.e, color=GREY, linewidth=0.8, zorder=0)
        if p.wall:
            axes.axvline(p.at, color=GREY, linewidth=2.0, zorder=0)
        return redraw
