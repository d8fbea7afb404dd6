"""A box on a slope that rocks below its friction angle: what a creeping friction loses in every swing adds up."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, within
from ..timing import timed_run
from .held import HELD, HeldScene, creep_under, drift, held_material, held_step, with_columns
from .held_scenes import rocking_on_chrono
from .planar_box import CONTACT, CORNERS, GRAVITY, core_of, penetration

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...progress import Progress
    from ...trajectory import Trajectory


@cache
def rocking_box_model() -> Model:
    """A cube of mass m and inertia j in the world frame, on a plane through the origin that turns about y.

    Its slope is theta = (1 - cos(omega t)) top/2. Corners and the place of friction are those of the planar box.
    """
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities
    from ...lagrange.model import TIME

    q = x, z, phi = coordinates("X Z phi")
    p = m, k, r, j, g, top, omega = sp.symbols("m k r j g top omega", real=True)
    vx, vz, spin = velocities(q)
    theta = top / 2 * (1 - sp.cos(omega * TIME))
    c, s = sp.cos(theta), sp.sin(theta)
    points = []
    for i, (a, b) in enumerate(CORNERS):
        height = x * s + z * c + k / 2 * (b * sp.cos(phi - theta) - a * sp.sin(phi - theta))
        place = (height - r) / 2
        slip = vx * c - vz * s + spin * (place - x * s - z * c) - sp.diff(theta, TIME) * place
        points.append(ContactPoint(f"{i + 1}", height, (slip,)))
    kinetic = m * (vx**2 + vz**2) / 2 + j * spin**2 / 2
    return Model("rocking_box", q, kinetic, m * g * z, p, contacts=tuple(points))


class RockingSlope(HeldScene):
    """Every swing loads and unloads the contacts: friction with a true standstill gives nothing away."""

    name = "rocking_slope"
    claim = "A box on a slope that rocks below the friction angle is where it was after every swing, to 10 um."
    source = "anchored friction: standstill under a changing load"
    parameters = (
        Parameter("angle", 20.0, "steepest slope in degrees; the other end is level", "deg", minimum=0.0, maximum=44.0),
        Parameter("frequency", 1.0, "swings per second", "Hz", minimum=0.0, above=True, maximum=2.0),
        Parameter("size", 0.2, "outer edge of the cube", "m", minimum=0.0, above=True),
        mass(1.0),
        *HELD,
        *CONTACT,
        duration(10.0),
        step(2e-4),
    )
    chrono_defaults = {"step": 1e-4}
    compared = (("t", "x", "way downhill in m"), ("t", "theta", "slope in rad"))
    ranked = ("drift", "way", "penetration")
    recorded = ("x", "z", "phi", "theta")
    recorded_with = {"time": 1.0}

    def theta(self, p: SimpleNamespace, t: np.ndarray) -> np.ndarray:
        """Slope in rad at times in s."""
        return np.asarray(0.5 * math.radians(p.angle) * (1.0 - np.cos(2.0 * math.pi * p.frequency * t)))

    def start_height(self, p: SimpleNamespace) -> float:
        """Height in m of the middle of the cube at which the level ground carries it."""
        corner = held_material(p).normal.rest_distance(0.25 * p.mass * GRAVITY)  # type: ignore[union-attr]
        return float(corner + 0.5 * core_of(p))

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.system import System

        model, material = rocking_box_model(), held_material(p, 2)
        numbers = {"m": p.mass, "k": core_of(p), "r": p.s_0, "j": p.mass * p.size**2 / 6.0, "g": GRAVITY}
        numbers |= {"top": math.radians(p.angle), "omega": 2.0 * math.pi * p.frequency}
        system = System(model, numbers, {point.name: material for point in model.contacts})
        run = timed_run(system, system.state([0.0, self.start_height(p), 0.0], [0.0] * 3), p, progress)
        theta = self.theta(p, run["t"])
        c, s = np.cos(theta), np.sin(theta)
        x, z = run["X"] * c - run["Z"] * s, run["X"] * s + run["Z"] * c
        return with_columns(run, {"theta": theta, "x": x, "z": z})

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        return rocking_on_chrono(p, self.start_height(p), held_material(p), progress)

    def holds(self, p: SimpleNamespace) -> bool:
        """Below the friction angle; how the slope speeds up adds less than a tenth of gravity along it."""
        return math.tan(math.radians(p.angle)) < 0.95 * p.mu

    def expected_drift(self, p: SimpleNamespace, seconds: float) -> float:
        """Way in m that friction without an anchor creeps: its creep speed, averaged over a swing."""
        slopes = np.tan(self.theta(p, (np.arange(400) + 0.5) / 400.0 / p.frequency))
        return seconds * float(np.mean([creep_under(p, slope / p.mu) for slope in slopes]))

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        t, period = trajectory["t"], 1.0 / p.frequency
        swings = max(math.floor(t[-1] * p.frequency + 1e-9), 1)
        first = min(period, t[-1] / 2.0) if swings < 2 else period
        normal = np.sum([trajectory[f"F_{i + 1}"] for i in range(4)], axis=0)
        return {
            "drift": drift(t, trajectory["x"], first, swings * period),
            "closed_form_drift": self.expected_drift(p, (swings - 1) * period),
            "swings": swings,
            "way": float(np.ptp(trajectory["x"])),
            "rest_force": float(np.interp(swings * period, t, normal)),
            "weight": p.mass * GRAVITY,
            "penetration": penetration(p, trajectory),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        weight = metrics["weight"]
        level = within("normal force where it is level again", metrics["rest_force"], weight, 0.02 * weight, "N")
        return [self.held(p, metrics), level] if self.holds(p) else [self.held(p, metrics)]

    def stable_step(self, p: SimpleNamespace) -> float:
        return held_step(p, p.mass / 4.0, p.mass * GRAVITY, p.mass / 2.5)

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, metrics, ((a, b), (c, d)) = outcome.trajectory, outcome.metrics, figure.subplots(2, 2)
        t = run["t"]
        panel(a, t, {"slope": np.degrees(run["theta"])}, "slope", "time in s", "angle in degrees")
        panel(b, t, {"x": run["x"] * 1e6}, f"drift {metrics['drift'] * 1e6:.3g} um", "time in s", "way in um")
        forces = {side: run[f"F_{i}"] for side, i in (("uphill corners", 1), ("downhill corners", 2))}
        panel(c, t, forces, "normal forces", "time in s", "force in N")
        pull = run["Ft_1"] + run["Ft_2"] + run["Ft_3"] + run["Ft_4"]
        panel(d, t, {"friction": pull}, "friction", "time in s", "force in N")

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from matplotlib.patches import Polygon

        from ...report.style import BLUE, GREY, stage

        run, p = outcome.trajectory, outcome.parameters
        outline = 0.5 * p.size * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
        reach = float(np.abs(run["x"]).max()) + 2.0 * p.size
        stage(axes, (-reach, reach), (-0.6 * reach, 0.8 * reach))
        (line,) = axes.plot([], [], color=GREY, linewidth=3)
        body = Polygon(outline, color=BLUE, alpha=0.85)
        axes.add_patch(body)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            c, s = math.cos(run["theta"][i]), math.sin(run["theta"][i])
            down = np.array([[c, -s], [s, c]])
            body.set_xy((outline + np.array([run["x"][i], run["z"][i]])) @ down)
            line.set_data(*(np.array([(-reach, 0.0), (reach, 0.0)]) @ down).T)
            label.set_text(f"rocking_slope: t = {run['t'][i]:.2f} s, x = {1e6 * run['x'][i]:.1f} um")

        return redraw
