"""Two jaws hold a cube by friction alone: grasping is the case where a creeping friction drops what it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...report.style import BLUE, GREY, energy_panel, panel, stage
from ...view.drawn import Touch
from ..boxes.planar_box import CORNERS
from ..constants import GRAVITY
from ..scenario import Check, Metrics, Outcome, Redraw, energy_gain, within
from ..scenes.moving_scenes import Planar, block, scene_of
from ..timing import timed_run
from .gripper_model import GripperParameters, gripper
from .held import HeldScene, creep_under, drift, drift_title, held_step, left_open

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording


class Gripper(HeldScene[GripperParameters]):
    """The press decides: above half the weight over mu the cube stays, below it falls."""

    name = "gripper"
    claim = "Jaws hold a cube by friction, however long the run, to 10 um, and drop it where they press too little."
    source = "anchored friction: grasping"
    parameters = GripperParameters
    compared = (("t", "z", "height of the cube in m"), ("t", "z_dot", "speed upward in m/s"))
    recorded = ("x", "z", "w", "F_1", "F_2")
    recorded_with = {"time": 0.5}

    def used(self, p: GripperParameters) -> float:
        """Weight over the largest force that both jaws can carry."""
        return float(p.mass * GRAVITY / (2.0 * p.mu * p.press))

    def holds(self, p: GripperParameters) -> bool:
        """The jaws press enough."""
        return self.used(p) < 1.0

    def simulate(self, p: GripperParameters, progress: Progress) -> Trajectory:
        system = gripper(p)
        x, w = p.start()
        return timed_run(system, system.state([x, 0.0, 0.0, w], [0.0] * 4), p, progress)

    def simulate_chrono(self, p: GripperParameters, progress: Progress) -> Trajectory:
        from .held_chrono import gripper_on_chrono

        return gripper_on_chrono(p, progress)

    def measure(self, p: GripperParameters, trajectory: Trajectory) -> Metrics:
        run = trajectory
        lowest = float(min(run[f"s_{i}"].min() for i in range(1, 5)))
        return {
            "drift": drift(run["t"], run["z"], self.settled(p)),
            "closed_form_creep": creep_under(p, self.used(p)),
            "way": float(run["z"][-1] - run["z"][0]),
            "end_speed": float(-run["z_dot"][-1]),
            "closed_form_end_speed": max(GRAVITY - 2.0 * p.mu * p.press / p.mass, 0.0) * p.time,
            "squeeze": float(run["F_1"][-1] + run["F_3"][-1]),
            "friction": float(-sum(run[f"Ft_{i}"][-1] for i in range(1, 5))),
            "penetration": max(p.s_0 - lowest, 0.0),
            "energy_gain": energy_gain(run),
            "step_cost": run.step_cost,
            **left_open(gripper(p), (p.start()[0], 0.0, 0.0, p.start()[1]), self.holds(p)),
        }

    def check(self, p: GripperParameters, metrics: Metrics) -> list[Check]:
        squeeze = within("force between the jaws", metrics["squeeze"], p.press, 1e-2 * p.press, "N")
        if not self.holds(p):
            end = metrics["closed_form_end_speed"]
            return [squeeze, within("speed of the fall", metrics["end_speed"], end, 0.02 * end + 1e-3, "m/s")]
        weight = p.mass * GRAVITY
        return [self.held(p, metrics), squeeze, within("friction", metrics["friction"], weight, 1e-3 * weight, "N")]

    def stable_step(self, p: GripperParameters) -> float:
        return held_step(p, min(p.mass, p.jaw) / 4.0, 2.0 * p.press, p.mass / 2.5)

    def plot(self, outcome: Outcome[GripperParameters], figure: Figure) -> None:
        run = outcome.trajectory
        t = run["t"]
        (a, b), (c, d) = figure.subplots(2, 2)
        title = drift_title(outcome.metrics["drift"])
        panel(a, t, {"z": run["z"] * 1e6}, title, "time in s", "displacement in um")
        panel(b, t, {"v": run["z_dot"] * 1e6}, "speed upward", "time in s", "speed in um/s")
        forces = {f"F {i}": run[f"F_{i}"] for i in range(1, 5)}
        panel(c, t, forces, "normal forces", "time in s", "force in N", nested=True)
        energy_panel(d, run)

    def scene(self, outcome: Outcome[GripperParameters]) -> Recording:
        run = outcome.trajectory
        size = outcome.parameters.size
        thick = 0.3 * size
        zero = 0.0 * run["x"]
        centre = Planar(run["x"], run["z"])
        jaw = (thick, size, 1.6 * size)
        bodies = [
            block("cube", (size, size, size), centre, run["phi"]),
            block("fixed jaw", jaw, Planar(zero - 0.5 * thick, zero), fixed=True),
            block("moving jaw", jaw, Planar(run["w"] + 0.5 * thick, zero)),
        ]
        contacts = []
        for i, (a, b) in enumerate(CORNERS):
            at = centre.shifted(0.5 * a * size, 0.5 * b * size, run["phi"])
            if f"Ft_{i + 1}" not in run.names:
                continue
            up = -run[f"Ft_{i + 1}"]
            contacts.append(Touch(at.point, f"F_{i + 1}", (-a, 0.0, 0.0), (0.0, 0.0, up), "z_dot"))
        return scene_of(self, outcome, bodies, contacts, ("z", "F_1", "F_2"))

    def animate(self, outcome: Outcome[GripperParameters], axes: Axes) -> Redraw:
        from matplotlib.patches import Rectangle

        run = outcome.trajectory
        size = outcome.parameters.size
        low = min(float(run["z"].min()), 0.0)
        stage(axes, (-size, 2.0 * size), (low - size, size))
        cube = Rectangle((0.0, 0.0), size, size, color=BLUE, alpha=0.85)
        fixed = Rectangle((-0.3 * size, -0.8 * size), 0.3 * size, 1.6 * size, color=GREY)
        moving = Rectangle((0.0, -0.8 * size), 0.3 * size, 1.6 * size, color=GREY)
        for patch in (cube, fixed, moving):
            axes.add_patch(patch)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            cube.set_xy((run["x"][i] - 0.5 * size, run["z"][i] - 0.5 * size))
            moving.set_x(run["w"][i])
            label.set_text(f"gripper: t = {run['t'][i]:.2f} s, z = {1e6 * run['z'][i]:.2f} um")

        return redraw
