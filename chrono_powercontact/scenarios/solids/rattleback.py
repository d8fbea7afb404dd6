"""A rattleback: a half ellipsoid with skewed axes of inertia that reverses its spin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.contact.solids.solid_shapes import Ellipsoid
from ...report.style import panel
from ..parameters import CHRONO, chrono_integrator, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, above, below, within
from .pure_rolling import RollingBody, ellipsoid_point
from .rolling_scene import Rolling, RollingScenario, Start, roll_on_chrono

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

SMOOTHING = 0.1
"""Time in s over which the spin is averaged: a rattleback rocks a dozen times a second."""
NEAR = 0.02
"""Largest difference of the averaged spin from that of the rigid solution, relative to the spin at the start, in runs
that end before it reverses."""
PUNCTUAL = 0.01
"""Largest difference of the time of the reversal, relative to it."""


@dataclass(frozen=True)
class RattlebackParameters(Rolling):
    """Kane and Levinson's rattleback, without their friction of the air."""

    long_axis: float = number(0.2, "half axis along x", "m", above=0.0)
    short_axis: float = number(0.03, "half axis along y", "m", above=0.0)
    height: float = number(0.02, "half axis along z", "m", above=0.0)
    below: float = number(0.01, "depth of the centre of mass below the ellipsoid's centre", "m", minimum=0.0)
    skew: float = number(-2e-5, "product of inertia", "kg m^2")
    spin: float = number(-5.0, "spin at the start", "rad/s")
    roll: float = number(0.5, "tilt about the long axis x at the start", "deg", minimum=-5.0, maximum=5.0)
    pitch: float = number(0.0, "tilt about the short axis y at the start", "deg", minimum=-5.0, maximum=5.0)
    time: float = run_length(4.6)
    step: float = time_step(1e-5)
    integrator: str = chrono_integrator("runge_kutta")

    def half_axes(self) -> np.ndarray:
        """Half axes in m."""
        return np.array([self.long_axis, self.short_axis, self.height])

    def centre(self) -> np.ndarray:
        """Centre of the ellipsoid in m, from the centre of mass."""
        return np.array([0.0, 0.0, self.below])

    def inertia(self) -> np.ndarray:
        """Inertia matrix in kg m^2."""
        return np.array([[2e-4, self.skew, 0.0], [self.skew, 1.6e-3, 0.0], [0.0, 0.0, 1.7e-3]])

    def rigid(self) -> RollingBody:
        """The same body, rolling without slip on ground that does not give way."""
        return RollingBody(self.mass, self.inertia(), ellipsoid_point(self.half_axes(), self.centre()))

    def start(self) -> Start:
        """Spinning, tilted a little."""
        a, b = np.radians((self.roll, self.pitch))
        about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        turn = about_x @ about_y
        turning = np.array([0.0, 0.0, self.spin])
        rigid = self.rigid()
        height = -float(turn[2] @ rigid.lowest(turn[2]))
        velocity = turn @ rigid.velocity(turn[2], turning)
        return Start(self.inertia(), turn, turning, velocity, np.array([0.0, 0.0, height - self.sink()]))


def averaged(t: np.ndarray, values: np.ndarray, over: float) -> tuple[np.ndarray, np.ndarray]:
    """Running mean of equally spaced values over a time in s: the middles of its windows, and the means."""
    dt = float(t[1] - t[0])
    many = max(round(over / dt), 1)
    means = np.convolve(values, np.full(many, 1.0 / many), mode="valid")
    return t[: means.size] + 0.5 * (many - 1) * dt, means


def reversal(t: np.ndarray, spin: np.ndarray) -> float | None:
    """Time in s at which a spin has first lost its sign; None if it never does."""
    changed = np.flatnonzero(np.sign(spin) == -np.sign(spin[0]))
    return float(t[changed[0]]) if changed.size else None


class Rattleback(RollingScenario[RattlebackParameters]):
    """The spin turns round: rocking couples to it through the skewed inertia."""

    name = "rattleback"
    claim = (
        "A rattleback with Kane and Levinson's data reverses its spin when the rigid body that rolls without slip does "
        "(after 4.16 s), to 1 %."
    )
    source = "T. R. Kane and D. A. Levinson, Realistic mathematical modeling of the rattleback, 1982"
    parameters = RattlebackParameters
    longest = 1e-5
    engines = (CHRONO,)

    def simulate(self, p: RattlebackParameters, progress: Progress) -> Trajectory:
        return self.simulate_chrono(p, progress)

    def simulate_chrono(self, p: RattlebackParameters, progress: Progress) -> Trajectory:
        def stone(body: Any) -> Ellipsoid:
            return Ellipsoid(body, p.half_axes(), p.centre())

        start = p.start()
        run = roll_on_chrono(p, start, stone, p.material(), progress)
        _, turning, _ = p.rigid().roll(start.turn, start.turning, run["t"])
        data = np.column_stack([run.data, turning[:, 2]])
        return replace(run, names=(*run.names, "rigid_turning_z"), data=data)

    def measure(self, p: RattlebackParameters, trajectory: Trajectory) -> Metrics:
        t = trajectory["t"]
        middles, ours = averaged(t, trajectory["turning_z"], SMOOTHING)
        _, rigid = averaged(t, trajectory["rigid_turning_z"], SMOOTHING)
        return {
            "difference": float(np.abs(ours - rigid).max()),
            "end_spin": float(ours[-1]),
            "rigid_end_spin": float(rigid[-1]),
            "reversal": reversal(middles, ours),
            "rigid_reversal": reversal(middles, rigid),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: RattlebackParameters, metrics: Metrics) -> list[Check]:
        rigid = metrics["rigid_reversal"]
        if rigid is None:
            return [below("largest difference of the spin", metrics["difference"], NEAR * abs(p.spin), "rad/s")]
        reached = metrics["reversal"] if metrics["reversal"] is not None else p.time
        turned = -np.sign(p.spin) * metrics["end_spin"]
        return [
            within("reversal of the spin", reached, rigid, PUNCTUAL * rigid, "s"),
            above("spin at the end, against that at the start", turned, 0.0, "rad/s"),
        ]

    def plot(self, outcome: Outcome[RattlebackParameters], figure: Figure) -> None:
        run = outcome.trajectory
        a, b = figure.subplots(2, 1)
        spins = {"contact": run["turning_z"], "rolling without slip": run["rigid_turning_z"]}
        panel(a, run["t"], spins, "spin", "time in s", "spin in rad/s", nested=True)
        panel(b, run["t"], {"rocking": run["turning_y"]}, "rocking about the short axis", "time in s", "rad/s")
