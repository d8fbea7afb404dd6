"""Ten boxes on one another on a slope: every box is held by the one below, which is held itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...report.style import GREY, PALETTE, legend, panel, stage
from ..scenario import Check, Metrics, Outcome, Redraw, energy_gain, within
from ..scenes.moving_scenes import block, on_slope, plate, scene_of, touch
from ..timing import timed_run
from .box_stack_model import BoxStackParameters, box_stack, rest_of
from .held import HeldScene, creep_under, drift, drift_title, held_step, left_open

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

SIDES = ("rear", "front")


class BoxStack(HeldScene[BoxStackParameters]):
    """A chain of frictions: the lowest carries the weight of all along the slope."""

    name = "box_stack"
    claim = "Ten boxes on one another stay at rest on a slope of 10 degrees, however long the run, to 10 um."
    source = "anchored friction: body against body"
    parameters = BoxStackParameters
    compared = (("t", "x1", "position of the lowest box in m"), ("t", "x10", "position of the top box in m"))
    recorded = ("x1", "z1", "phi1", "x3", "phi3")
    recorded_with = {"time": 0.5, "boxes": 3}

    def forces(self, p: BoxStackParameters) -> NDArray[np.float64]:
        """Normal force in N between each box and what is below, in closed form."""
        return p.forces()

    def rest(self, p: BoxStackParameters) -> NDArray[np.float64]:
        """Positions x, z in m and tilts in rad of the boxes at rest, one row each."""
        return rest_of(p)

    def simulate(self, p: BoxStackParameters, progress: Progress) -> Trajectory:
        system = box_stack(p)
        start = system.state(self.rest(p).ravel(), np.zeros(3 * p.boxes))
        return timed_run(system, start, p, progress)

    def simulate_chrono(self, p: BoxStackParameters, progress: Progress) -> Trajectory:
        from .held_chrono import boxes_on_chrono

        return boxes_on_chrono(p, progress)

    def holds(self, p: BoxStackParameters) -> bool:
        """Below the friction angle."""
        return math.tan(p.slope()) < p.mu

    def settled(self, p: BoxStackParameters) -> float:
        """Half of the run: the stack sways on its feet at first, by some um for some seconds."""
        return float(0.5 * p.time)

    def measure(self, p: BoxStackParameters, trajectory: Trajectory) -> Metrics:
        numbers = range(1, p.boxes + 1)
        position = np.column_stack([trajectory[f"x{i}"] for i in numbers])
        normal = [float((trajectory[f"F_rear_{i}"] + trajectory[f"F_front_{i}"])[-1]) for i in numbers]
        lowest = min(float(trajectory[f"s_{side}_{i}"].min()) for i in numbers for side in SIDES)
        return {
            "drift": drift(trajectory["t"], position, self.settled(p)),
            "closed_form_creep": p.boxes * creep_under(p, math.tan(p.slope()) / p.mu),
            "way": float(np.abs(position - position[0]).max()),
            "force_error": float(np.abs(np.array(normal) / self.forces(p) - 1.0).max()),
            "tilt": float(np.abs(trajectory[f"phi{p.boxes}"][-1])),
            "closed_form_tilt": float(self.rest(p)[-1, 2]),
            "penetration": max(p.s_0 - lowest, 0.0),
            "energy_gain": energy_gain(trajectory),
            "step_cost": trajectory.step_cost,
            **left_open(box_stack(p), self.rest(p).ravel(), self.holds(p)),
        }

    def check(self, p: BoxStackParameters, metrics: Metrics) -> list[Check]:
        held = self.held(p, metrics)
        if not self.holds(p):
            return [held]
        text = "largest error of the normal forces over their closed form"
        return [held, within(text, metrics["force_error"], 0.0, 1e-3)]

    def stable_step(self, p: BoxStackParameters) -> float:
        return held_step(p, p.mass / 8.0, 2.0 * float(self.forces(p)[0]), p.mass / 2.5)

    def plot(self, outcome: Outcome[BoxStackParameters], figure: Figure) -> None:
        run = outcome.trajectory
        t = run["t"]
        boxes = outcome.parameters.boxes
        shown = sorted({1, (boxes + 1) // 2, boxes})
        (a, b), (c, d) = figure.subplots(2, 2)
        moves = {f"box {i}": (run[f"x{i}"] - run[f"x{i}"][0]) * 1e6 for i in shown}
        title = drift_title(outcome.metrics["drift"])
        panel(a, t, moves, title, "time in s", "displacement in um")
        tilts = {f"box {i}": run[f"phi{i}"] * 1e3 for i in shown}
        panel(b, t, tilts, "tilt", "time in s", "tilt in mrad")
        forces = {f"{side} {i}": run[f"F_{side}_{i}"] for i in shown for side in SIDES}
        panel(c, t, forces, "normal forces", "time in s", "force in N")
        legend(c, 2, (0.45, 0.58))
        panel(d, t, {"T": run["kinetic"] + 1e-30}, "kinetic energy", "time in s", "energy in J")
        d.set(yscale="log", ylim=(1e-18, None))

    def scene(self, outcome: Outcome[BoxStackParameters]) -> Recording:
        run = outcome.trajectory
        p = outcome.parameters
        angle = p.slope()
        bodies = [plate([0.0], 2.0 * p.width, angle)]
        contacts = []
        for i in range(1, p.boxes + 1):
            centre = on_slope(run[f"x{i}"], run[f"z{i}"], angle)
            turn = run[f"phi{i}"] + angle
            bodies.append(block(f"box {i}", (p.width, p.width, p.height), centre, turn))
            for side, name in ((-0.5, "rear"), (0.5, "front")):
                foot = centre.shifted(side * p.width, -0.5 * p.height, turn)
                contacts += touch(run, foot, f"F_{name}_{i}", f"Ft_{name}_{i}", angle, f"x{i}_dot")
        return scene_of(self, outcome, bodies, contacts, (f"x{p.boxes}", "F_rear_1", "F_front_1"))

    def animate(self, outcome: Outcome[BoxStackParameters], axes: Axes) -> Redraw:
        from matplotlib.patches import Polygon

        run = outcome.trajectory
        p = outcome.parameters
        angle = p.slope()
        to_world = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        outline = 0.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * (p.width, p.height)
        top = 1.2 * (p.boxes * p.height + p.width)
        stage(axes, (-0.6 * top, 0.8 * top), (-0.2 * top, top))
        axes.plot(*(np.array([(-top, 0.0), (top, 0.0)]) @ to_world).T, color=GREY, linewidth=3)
        shapes = [Polygon(outline, color=PALETTE[i % 6], alpha=0.85) for i in range(p.boxes)]
        for shape in shapes:
            axes.add_patch(shape)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            for number, shape in enumerate(shapes, start=1):
                c = math.cos(run[f"phi{number}"][i])
                s = math.sin(run[f"phi{number}"][i])
                corners = outline @ np.array([[c, -s], [s, c]])
                centre = np.array([run[f"x{number}"][i], run[f"z{number}"][i]])
                shape.set_xy((corners + centre) @ to_world)
            label.set_text(f"box_stack: t = {run['t'][i]:.2f} s")

        return redraw
