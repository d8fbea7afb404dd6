"""A rolling disc: steady circling, and the speed below which an upright one falls over."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.contact.solids.solid_shapes import Torus
from ...progress import Progress, part_of
from ...report.style import panel
from ..constants import GRAVITY
from ..parameters import CHRONO, chrono_integrator, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, within
from .rolling_scene import Rolling, RollingScenario, Start, roll_on_chrono

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...trajectory import Trajectory

CIRCLING = 1e-3
CRITICAL = 5e-3
"""Relative errors allowed of the circle and of the critical speed."""
LEAN = 1e-3
"""Lean in rad with which upright discs start."""
SPEEDS = (0.8, 1.2)
"""Speeds of the upright discs, relative to the critical one."""


@dataclass(frozen=True)
class DiscParameters(Rolling):
    """A disc with a round edge."""

    radius: float = number(0.1, "radius of the circle in the middle of its edge", "m", above=0.0)
    edge: float = number(0.005, "radius of its edge", "m", above=0.0)
    angle: float = number(60.0, "angle of its axis to the vertical", "deg", above=0.0, maximum=89.0)
    precession: float = number(6.0, "speed at which the axis circles", "rad/s", above=0.0)
    time: float = run_length(1.0)
    step: float = time_step(2.5e-5)
    integrator: str = chrono_integrator("runge_kutta")

    def moments(self) -> tuple[float, float]:
        """Moments of inertia in kg m^2 about a diameter and about the axis, of a uniform disc."""
        return 0.25 * self.mass * self.radius**2, 0.5 * self.mass * self.radius**2

    def outer(self) -> float:
        """Radius in m on which an upright disc rolls."""
        return self.radius + self.edge

    def spin(self) -> float:
        """Spin about the axis in rad/s, beside the precession, of steady circling."""
        across, axial = self.moments()
        c = math.cos(math.radians(self.angle))
        s = math.sin(math.radians(self.angle))
        arm = self.radius * s + self.edge
        gravity = self.mass * GRAVITY * self.radius * c
        driven = self.precession**2 * c * (self.mass * self.radius * arm - (across - axial) * s)
        against = axial * s + self.mass * (self.radius + self.edge * s) * arm
        return -(gravity + driven) / (self.precession * against)

    def circle(self) -> float:
        """Radius in m of the circle of the centre; the disc leans inward."""
        tilt = math.radians(self.angle)
        rolled = self.spin() / self.precession * (self.radius + self.edge * math.sin(tilt))
        return -self.radius * math.cos(tilt) - rolled

    def critical(self) -> float:
        """Spin in rad/s below which an upright disc falls over."""
        across, axial = self.moments()
        rolling = axial + self.mass * self.outer() ** 2
        return math.sqrt(self.mass * GRAVITY * self.radius * across / (axial * rolling))

    def inertia(self) -> np.ndarray:
        """Inertia matrix in kg m^2."""
        across, axial = self.moments()
        return np.diag([across, across, axial])

    def circling(self) -> Start:
        """Steady circling, its axis leaning along x."""
        tilt = math.radians(self.angle)
        c = math.cos(tilt)
        s = math.sin(tilt)
        turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        turning = turn.T @ np.array([0.0, 0.0, self.precession]) + np.array([0.0, 0.0, self.spin()])
        velocity = np.array([0.0, self.precession * self.circle(), 0.0])
        at = np.array([self.circle(), 0.0, self.radius * s + self.edge - self.sink()])
        return Start(self.inertia(), turn, turning, velocity, at)

    def upright(self, speed: float) -> Start:
        """A disc that rolls along x with a spin in rad/s, leaning a little, and yawing as its lean demands."""
        across, axial = self.moments()
        c = math.cos(LEAN)
        s = math.sin(LEAN)
        turn = np.array([[1.0, 0.0, 0.0], [0.0, -s, c], [0.0, -c, -s]])
        yaw = axial / across * speed * LEAN
        turning = turn.T @ np.array([0.0, 0.0, yaw]) + np.array([0.0, 0.0, speed])
        down = -self.radius * np.array([0.0, s, c]) - np.array([0.0, 0.0, self.edge])
        velocity = -np.cross(turn @ turning, down)
        at = np.array([0.0, 0.0, -down[2] - self.sink()])
        return Start(self.inertia(), turn, turning, velocity, at)


def circle_radius(x: np.ndarray, y: np.ndarray) -> float:
    """Radius of the circle nearest to points in the least-squares sense."""
    matrix = np.column_stack([2.0 * x, 2.0 * y, np.ones(x.size)])
    a, b, c = np.linalg.lstsq(matrix, x**2 + y**2, rcond=None)[0]
    return float(math.sqrt(c + a * a + b * b))


def growth(t: np.ndarray, lean: np.ndarray) -> float:
    """Number k in 1/s^2 of lean'' = k lean, from the mean of both sides twice integrated in time."""
    dt = float(t[1] - t[0])
    once = np.concatenate([[0.0], np.cumsum(0.5 * dt * (lean[1:] + lean[:-1]))])
    twice = np.concatenate([[0.0], np.cumsum(0.5 * dt * (once[1:] + once[:-1]))])
    matrix = np.column_stack([twice, t, np.ones(t.size)])
    return float(np.linalg.lstsq(matrix, lean, rcond=None)[0][0])


class RollingDisc(RollingScenario[DiscParameters]):
    """Rolling without slip by friction alone, on the rim of a closed shape."""

    name = "rolling_disc"
    claim = "A disc circles at the radius and speed of the rigid solution to 0.1 %; its critical speed fits to 0.5 %."
    source = "E. J. Routh, Advanced Dynamics of a System of Rigid Bodies, rolling of a disc; its edge is round here"
    parameters = DiscParameters
    longest = 1e-4
    engines = (CHRONO,)

    def simulate(self, p: DiscParameters, progress: Progress) -> Trajectory:
        return self.simulate_chrono(p, progress)

    def simulate_chrono(self, p: DiscParameters, progress: Progress) -> Trajectory:
        def disc(body: Any) -> Torus:
            return Torus(body, p.radius, p.edge)

        run = roll_on_chrono(p, p.circling(), disc, p.material(), part_of(progress, 0, 3))
        leans = []
        for run_number, speed in enumerate(SPEEDS, 1):
            short = replace(p, time=min(p.time, 0.4))
            start = p.upright(speed * p.critical())
            beside = roll_on_chrono(short, start, disc, p.material(), part_of(progress, run_number, 3))
            leans.append(np.pad(beside["axis_z"], (0, len(run) - len(beside)), constant_values=np.nan))
        names = (*run.names, "lean_slow", "lean_fast")
        return replace(run, names=names, data=np.column_stack([run.data, -np.array(leans).T]))

    def measure(self, p: DiscParameters, trajectory: Trajectory) -> Metrics:
        t = trajectory["t"]
        heading = np.unwrap(np.arctan2(trajectory["axis_y"], trajectory["axis_x"]))
        known = np.isfinite(trajectory["lean_slow"])
        slow, fast = (growth(t[known], trajectory[name][known]) for name in ("lean_slow", "lean_fast"))
        squares = [(speed * p.critical()) ** 2 for speed in SPEEDS]
        critical = squares[0] + slow * (squares[1] - squares[0]) / (slow - fast)
        return {
            "circle": circle_radius(trajectory["x"], trajectory["y"]),
            "rigid_circle": p.circle(),
            "precession": float(np.polyfit(t, heading, 1)[0]),
            "rigid_precession": p.precession,
            "critical_spin": math.sqrt(critical) if critical > 0.0 else 0.0,
            "rigid_critical_spin": p.critical(),
            "tilt_range": float(np.ptp(np.degrees(np.arccos(trajectory["axis_z"])))),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: DiscParameters, metrics: Metrics) -> list[Check]:
        pairs = (("circle", "m", CIRCLING), ("precession", "rad/s", CIRCLING), ("critical_spin", "rad/s", CRITICAL))
        checks = []
        for name, unit, allowed in pairs:
            rigid = metrics[f"rigid_{name}"]
            checks.append(within(name.replace("_", " "), metrics[name], rigid, allowed * abs(rigid), unit))
        return checks

    def plot(self, outcome: Outcome[DiscParameters], figure: Figure) -> None:
        run = outcome.trajectory
        (a, b), (c, d) = figure.subplots(2, 2)
        a.plot(run["x"], run["y"])
        a.set(title="path of the centre", xlabel="x in m", ylabel="y in m", aspect="equal")
        tilt = np.degrees(np.arccos(run["axis_z"]))
        panel(b, run["t"], {"tilt": tilt}, "angle of the axis", "time in s", "angle in deg")
        leans = {"slow": 1e3 * run["lean_slow"], "fast": 1e3 * run["lean_fast"]}
        panel(c, run["t"], leans, "lean of upright discs", "time in s", "lean in mrad")
        panel(d, run["t"], {"height": 1e3 * run["z"]}, "height of the centre", "time in s", "height in mm")
