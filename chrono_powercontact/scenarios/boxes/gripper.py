"""Two jaws hold a cube by friction alone: grasping is the case where a creeping friction drops what it holds."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

from ..impact.point_mass import energy_panel
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, within
from ..timing import timed_run
from .held import HELD, HeldScene, creep_under, drift, held_material, held_step
from .held_scenes import gripper_on_chrono
from .planar_box import CONTACT, CORNERS, GRAVITY, core_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...progress import Progress
    from ...trajectory import Trajectory


@cache
def gripper_model() -> Model:
    """A cube of mass m and inertia j between a fixed jaw at x = 0 and one at w, of mass n, that a force f presses.

    Its corners are spheres of radius r, k/2 from the middle: 1 and 3 at the fixed jaw, 2 and 4 at the moving one.
    """
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities

    q = x, z, phi, w = coordinates("x z phi w")
    p = m, k, r, j, n, f, g = sp.symbols("m k r j n f g", real=True)
    vx, vz, spin, vw = velocities(q)
    points = []
    for i, (a, b) in enumerate(CORNERS):
        place = x + k / 2 * (a * sp.cos(phi) + b * sp.sin(phi))
        away = place if a < 0 else w - place
        touching = (away - r) / 2 if a < 0 else w - (away - r) / 2
        points.append(ContactPoint(f"{i + 1}", away, (vz - spin * (touching - x),)))
    kinetic = m * (vx**2 + vz**2) / 2 + j * spin**2 / 2 + n * vw**2 / 2
    return Model("gripper", q, kinetic, m * g * z + f * w, p, contacts=tuple(points))


class Gripper(HeldScene):
    """The press decides: above half the weight over mu the cube stays, below it falls."""

    name = "gripper"
    claim = "Jaws hold a cube by friction as long as one looks, to 10 um, and drop it where they press too little."
    source = "anchored friction: grasping"
    parameters = (
        Parameter("press", 10.0, "force with which the moving jaw presses", "N", minimum=0.0, above=True),
        Parameter("size", 0.1, "outer edge of the cube", "m", minimum=0.0, above=True),
        mass(0.5),
        mass(0.5, "jaw", "mass of the moving jaw"),
        *HELD,
        *CONTACT,
        duration(10.0),
        step(1e-4),
    )
    compared = (("t", "z", "height of the cube in m"), ("t", "z_dot", "speed upward in m/s"))
    recorded = ("x", "z", "w", "F_1", "F_2")
    recorded_with = {"time": 0.5}

    def used(self, p: SimpleNamespace) -> float:
        """Weight over the largest force that both jaws can carry."""
        return float(p.mass * GRAVITY / (2.0 * p.mu * p.press))

    def holds(self, p: SimpleNamespace) -> bool:
        """The jaws press enough."""
        return self.used(p) < 1.0

    def start(self, p: SimpleNamespace) -> tuple[float, float]:
        """Place in m of the middle of the cube, and of the moving jaw, at which the corners carry the press."""
        corner = float(held_material(p).normal.rest_distance(0.25 * p.press))  # type: ignore[union-attr]
        return corner + 0.5 * core_of(p), 2.0 * corner + core_of(p)

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.system import System

        model, material = gripper_model(), held_material(p, 2)
        numbers = {"m": p.mass, "k": core_of(p), "r": p.s_0, "j": p.mass * p.size**2 / 6.0}
        numbers |= {"n": p.jaw, "f": p.press, "g": GRAVITY}
        system = System(model, numbers, {point.name: material for point in model.contacts})
        x, w = self.start(p)
        return timed_run(system, system.state([x, 0.0, 0.0, w], [0.0] * 4), p, progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        return gripper_on_chrono(p, self.start(p), held_material(p), progress)

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        run = trajectory
        mechanical = run["kinetic"] + run["potential"]
        return {
            "drift": drift(run["t"], run["z"], self.settled(p)),
            "closed_form_creep": creep_under(p, self.used(p)),
            "way": float(run["z"][-1] - run["z"][0]),
            "end_speed": float(-run["z_dot"][-1]),
            "closed_form_end_speed": max(GRAVITY - 2.0 * p.mu * p.press / p.mass, 0.0) * p.time,
            "squeeze": float(run["F_1"][-1] + run["F_3"][-1]),
            "friction": float(-sum(run[f"Ft_{i}"][-1] for i in range(1, 5))),
            "penetration": max(p.s_0 - float(min(run[f"s_{i}"].min() for i in range(1, 5))), 0.0),
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
            "step_cost": run.step_cost,
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        squeeze = within("force between the jaws", metrics["squeeze"], p.press, 1e-2 * p.press, "N")
        if not self.holds(p):
            end = metrics["closed_form_end_speed"]
            return [squeeze, within("speed of the fall", metrics["end_speed"], end, 0.02 * end + 1e-3, "m/s")]
        weight = p.mass * GRAVITY
        return [self.held(p, metrics), squeeze, within("friction", metrics["friction"], weight, 1e-3 * weight, "N")]

    def stable_step(self, p: SimpleNamespace) -> float:
        return held_step(p, min(p.mass, p.jaw) / 4.0, 2.0 * p.press, p.mass / 2.5)

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, ((a, b), (c, d)) = outcome.trajectory, figure.subplots(2, 2)
        t = run["t"]
        panel(a, t, {"z": run["z"] * 1e6}, f"drift {outcome.metrics['drift'] * 1e6:.3g} um", "time in s", "way in um")
        panel(b, t, {"v": run["z_dot"] * 1e6}, "speed upward", "time in s", "speed in um/s")
        panel(c, t, {f"F {i}": run[f"F_{i}"] for i in range(1, 5)}, "normal forces", "time in s", "force in N")
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from matplotlib.patches import Rectangle

        from ...report.style import BLUE, GREY, stage

        run, p = outcome.trajectory, outcome.parameters
        low = min(float(run["z"].min()), 0.0)
        stage(axes, (-p.size, 2.0 * p.size), (low - p.size, p.size))
        cube = Rectangle((0.0, 0.0), p.size, p.size, color=BLUE, alpha=0.85)
        jaws = [Rectangle((0.0, -0.8 * p.size), 0.3 * p.size, 1.6 * p.size, color=GREY) for _ in range(2)]
        for patch in (cube, *jaws):
            axes.add_patch(patch)
        jaws[0].set_x(-0.3 * p.size)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            cube.set_xy((run["x"][i] - 0.5 * p.size, run["z"][i] - 0.5 * p.size))
            jaws[1].set_x(run["w"][i])
            label.set_text(f"gripper: t = {run['t'][i]:.2f} s, z = {1e6 * run['z'][i]:.2f} um")

        return redraw
