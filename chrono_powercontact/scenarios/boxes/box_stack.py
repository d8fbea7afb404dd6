"""Ten boxes on one another on a slope: every box is held by the one below, which is held itself."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, within
from ..timing import timed_run
from .held import HELD, HeldScene, creep_under, drift, held_material, held_step
from .held_scenes import boxes_on_chrono
from .planar_box import CONTACT, GRAVITY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...progress import Progress
    from ...trajectory import Trajectory

FEET = 0.9
"""Distance between the feet of a box over its width."""


@cache
def box_stack_model(count: int) -> Model:
    """Boxes of mass m, inertia j and height e on one another; the ground has the slope theta, x points downhill.

    A box stands on a rear and a front foot, a/2 from its middle, spheres of radius r whose centres are r above its
    bottom. Feet touch the top of the box below, which may tilt; friction acts half way between the surfaces.
    """
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities

    q = coordinates(" ".join(f"x{i + 1} z{i + 1} phi{i + 1}" for i in range(count)))
    p = m, j, a, e, r, g, theta = sp.symbols("m j a e r g theta", real=True)
    speeds = velocities(q)
    boxes = [(q[3 * i : 3 * i + 3], speeds[3 * i : 3 * i + 3]) for i in range(count)]
    below = ((sp.S.Zero, -e / 2, sp.S.Zero), (sp.S.Zero,) * 3)
    points = []
    for i, (place, speed) in enumerate(boxes):
        (x, z, phi), (vx, vz, spin) = place, speed
        (bx, bz, tilt), (bvx, bvz, turn) = boxes[i - 1] if i else below
        c, s = sp.cos(tilt), sp.sin(tilt)
        for side, name in ((-1, "rear"), (1, "front")):
            foot = -side * a / 2 * sp.sin(phi - tilt) - (e / 2 - r) * sp.cos(phi - tilt)
            height = (x - bx) * s + (z - bz) * c + foot - e / 2
            back = (height + r) / 2
            slip = (vx - bvx) * c - (vz - bvz) * s + spin * (foot - back) - turn * (height + e / 2 - back)
            points.append(ContactPoint(f"{name}_{i + 1}", height, (slip,)))
    kinetic = sum((m * (v[0] ** 2 + v[1] ** 2) / 2 + j * v[2] ** 2 / 2 for _, v in boxes), sp.S.Zero)
    potential = sum((m * g * (x[1] * sp.cos(theta) - x[0] * sp.sin(theta)) for x, _ in boxes), sp.S.Zero)
    return Model(f"box_stack_{count}", q, kinetic, potential, p, contacts=tuple(points))


class BoxStack(HeldScene):
    """A chain of frictions: the lowest carries the weight of all along the slope."""

    name = "box_stack"
    claim = "Ten boxes on one another stand on a slope of 10 degrees as long as one looks, to 10 um."
    source = "anchored friction: body against body"
    parameters = (
        Parameter("boxes", 10, "number of boxes", minimum=1, maximum=10),
        Parameter("angle", 10.0, "angle of the slope in degrees", "deg", minimum=0.0, maximum=44.0),
        Parameter("width", 0.3, "width of a box along the slope and across", "m", minimum=0.0, above=True),
        Parameter("height", 0.1, "height of a box", "m", minimum=0.0, above=True),
        mass(1.0),
        *HELD,
        *CONTACT,
        duration(2.0),
        step(1e-4),
    )
    chrono_defaults = {"time": 10.0}
    compared = (("t", "x1", "place of the lowest box in m"), ("t", "x10", "place of the top box in m"))
    recorded = ("x1", "z1", "phi1", "x3", "phi3")
    recorded_with = {"time": 0.5, "boxes": 3}

    def forces(self, p: SimpleNamespace) -> NDArray[np.float64]:
        """Normal force in N between each box and what is below, in closed form."""
        return (p.boxes - np.arange(p.boxes)) * p.mass * GRAVITY * math.cos(math.radians(p.angle))

    def rest(self, p: SimpleNamespace) -> NDArray[np.float64]:
        """Places x, z in m and tilts in rad of the boxes at rest, one row each.

        The feet of a box share what is above it so that its moment about them vanishes; the boxes above lean with it.
        """
        rows, arm = np.zeros((p.boxes, 3)), 0.5 * FEET * p.width
        normal, foot = self.forces(p), held_material(p, 2).normal
        rows[:, 1] = p.height * (np.arange(p.boxes) + 0.5)
        for _ in range(20):
            base, tilt = np.zeros(2), 0.0
            for i in range(p.boxes):
                middle = rows[i:, :2].mean(axis=0) - base
                lean = middle[0] + middle[1] * math.tan(math.radians(p.angle))
                share = np.clip(0.5 * (1.0 + np.array([-1.0, 1.0]) * lean / arm), 1e-6, None)
                rear, front = (float(foot.rest_distance(normal[i] * x)) - p.s_0 for x in share)  # type: ignore[union-attr]
                tilt += (rear - front) / (2.0 * arm)
                up = np.array([math.sin(tilt), math.cos(tilt)])
                rows[i] = (*(base + (0.5 * (rear + front) + 0.5 * p.height) * up), tilt)
                base = rows[i, :2] + 0.5 * p.height * up
        return rows

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.system import System

        model, material = box_stack_model(p.boxes), held_material(p, 2)
        numbers = {"m": p.mass, "j": self.moment(p), "a": FEET * p.width, "e": p.height, "r": p.s_0, "g": GRAVITY}
        system = System(
            model, numbers | {"theta": math.radians(p.angle)}, {point.name: material for point in model.contacts}
        )
        start = system.state(self.rest(p).ravel(), np.zeros(3 * p.boxes))
        return timed_run(system, start, p, progress)

    def moment(self, p: SimpleNamespace) -> float:
        """Moment of inertia of a box in kg m^2."""
        return float(p.mass * (p.width**2 + p.height**2) / 12.0)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        return boxes_on_chrono(p, self.rest(p), self.moment(p), held_material(p), progress)

    def holds(self, p: SimpleNamespace) -> bool:
        """Below the friction angle."""
        return math.tan(math.radians(p.angle)) < p.mu

    def settled(self, p: SimpleNamespace) -> float:
        """Half of the run: the stack sways on its feet at first, by some um for some seconds."""
        return float(0.5 * p.time)

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        numbers = range(1, p.boxes + 1)
        place = np.column_stack([trajectory[f"x{i}"] for i in numbers])
        felt = [float((trajectory[f"F_rear_{i}"] + trajectory[f"F_front_{i}"])[-1]) for i in numbers]
        lowest = min(float(trajectory[f"s_{side}_{i}"].min()) for i in numbers for side in ("rear", "front"))
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        return {
            "drift": drift(trajectory["t"], place, self.settled(p)),
            "closed_form_creep": p.boxes * creep_under(p, math.tan(math.radians(p.angle)) / p.mu),
            "way": float(np.abs(place - place[0]).max()),
            "force_error": float(np.abs(np.array(felt) / self.forces(p) - 1.0).max()),
            "tilt": float(np.abs(trajectory[f"phi{p.boxes}"][-1])),
            "closed_form_tilt": float(self.rest(p)[-1, 2]),
            "penetration": max(p.s_0 - lowest, 0.0),
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        carried = within("largest error of the normal forces over their closed form", metrics["force_error"], 0.0, 1e-3)
        return [self.held(p, metrics), carried] if self.holds(p) else [self.held(p, metrics)]

    def stable_step(self, p: SimpleNamespace) -> float:
        return held_step(p, p.mass / 8.0, 2.0 * float(self.forces(p)[0]), p.mass / 2.5)

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, p, ((a, b), (c, d)) = outcome.trajectory, outcome.parameters, figure.subplots(2, 2)
        t, shown = run["t"], sorted({1, (p.boxes + 1) // 2, p.boxes})
        ways = {f"box {i}": (run[f"x{i}"] - run[f"x{i}"][0]) * 1e6 for i in shown}
        panel(a, t, ways, f"drift {outcome.metrics['drift'] * 1e6:.3g} um", "time in s", "way in um")
        panel(b, t, {f"box {i}": run[f"phi{i}"] * 1e3 for i in shown}, "tilt", "time in s", "tilt in mrad")
        forces = {f"{side} {i}": run[f"F_{side}_{i}"] for i in shown for side in ("rear", "front")}
        panel(c, t, forces, "normal forces", "time in s", "force in N")
        panel(d, t, {"T": run["kinetic"] + 1e-30}, "kinetic energy", "time in s", "energy in J")
        d.set_yscale("log")

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from matplotlib.patches import Polygon

        from ...report.style import GREY, PALETTE, stage

        run, p, angle = outcome.trajectory, outcome.parameters, math.radians(outcome.parameters.angle)
        down = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        outline = 0.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * (p.width, p.height)
        top = 1.2 * (p.boxes * p.height + p.width)
        stage(axes, (-0.6 * top, 0.8 * top), (-0.2 * top, top))
        axes.plot(*(np.array([(-top, 0.0), (top, 0.0)]) @ down).T, color=GREY, linewidth=3)
        shapes = [Polygon(outline, color=PALETTE[i % 6], alpha=0.85) for i in range(p.boxes)]
        for shape in shapes:
            axes.add_patch(shape)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            for number, shape in enumerate(shapes, start=1):
                c, s = math.cos(run[f"phi{number}"][i]), math.sin(run[f"phi{number}"][i])
                corners = outline @ np.array([[c, -s], [s, c]])
                shape.set_xy((corners + np.array([run[f"x{number}"][i], run[f"z{number}"][i]])) @ down)
            label.set_text(f"box_stack: t = {run['t'][i]:.2f} s")

        return redraw
