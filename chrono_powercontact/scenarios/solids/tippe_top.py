"""A tippe top: a sphere with its centre of mass below its middle, which turns upside down as it spins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.contact.shapes import Sphere
from ...laws.friction.memory import LPVFilter
from ...report.style import panel
from ..parameters import CHRONO, chrono_integrator, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, above, below
from .rolling_scene import Rolling, RollingScenario, Start, roll_on_chrono

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

INVERTED = 150.0
"""Angle in deg of the axis to the vertical at which the top counts as inverted."""
KEPT = 5e-3
"""Change of Jellett's constant that is allowed, relative to it, beyond what the moment of the patch takes."""


@dataclass(frozen=True)
class TippeTopParameters(Rolling):
    """A tippe top that has been spun."""

    mass: float = number(0.015, "mass", "kg", above=0.0)
    radius: float = number(0.02, "radius", "m", above=0.0)
    below: float = number(0.2, "depth of the centre of mass below the middle, in radii", minimum=0.0, maximum=0.9)
    spin: float = number(150.0, "spin at the start", "rad/s")
    tilt: float = number(5.0, "tilt at the start", "deg", minimum=0.0, maximum=90.0)
    patch: float = number(2e-4, "radius of the contact patch", "m", minimum=0.0)
    penetration: float = number(2e-5, "penetration of an impact at 0.05 m/s", "m", above=0.0)
    mu: float = number(0.3, "friction coefficient", above=0.0)
    time: float = run_length(4.0)
    step: float = time_step(1e-4)
    integrator: str = chrono_integrator("runge_kutta")

    def arm(self) -> float:
        """Depth in m of the centre of mass below the middle."""
        return self.below * self.radius

    def inertia(self) -> np.ndarray:
        """Inertia matrix in kg m^2: that of a uniform sphere."""
        return np.eye(3) * 0.4 * self.mass * self.radius**2

    def start(self) -> Start:
        """Spinning about its axis, tilted a little."""
        a = np.radians(self.tilt)
        turn = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
        height = self.radius - self.arm() * np.cos(a) - self.sink()
        return Start(self.inertia(), turn, np.array([0, 0, self.spin]), np.zeros(3), np.array([0, 0, height]))


class TippeTop(RollingScenario[TippeTopParameters]):
    """Sliding friction lifts the centre of mass; a patch that spins resists the slip less."""

    name = "tippe_top"
    claim = "A spun tippe top turns upside down, on its stem; Jellett's constant is kept but for the spin of the patch."
    source = "J. H. Jellett, A Treatise on the Theory of Friction, 1872; R. J. Cohen, The tippe top revisited, 1977"
    parameters = TippeTopParameters
    longest = 2e-3
    engines = (CHRONO,)

    def simulate(self, p: TippeTopParameters, progress: Progress) -> Trajectory:
        return self.simulate_chrono(p, progress)

    def simulate_chrono(self, p: TippeTopParameters, progress: Progress) -> Trajectory:
        def top(body: Any) -> Sphere:
            return Sphere(body, (0.0, 0.0, p.arm()), p.radius)

        material = p.material(LPVFilter(1e-3, 1e-3), p.patch)
        return roll_on_chrono(p, p.start(), top, material, progress)

    def measure(self, p: TippeTopParameters, trajectory: Trajectory) -> Metrics:
        tilt = np.degrees(np.arccos(np.clip(trajectory["axis_z"], -1.0, 1.0)))
        t = trajectory["t"]
        moment = float(p.inertia()[0, 0])
        height = p.radius - p.arm() * trajectory["axis_z"]
        rate = trajectory["moment"] * height
        taken = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(t) * (rate[1:] + rate[:-1]))])
        jellett = moment * (p.radius * trajectory["spin"] - p.arm() * trajectory["turning_z"])
        inverted = np.flatnonzero(tilt > INVERTED)
        return {
            "largest_tilt": float(tilt.max()),
            "inverted_at": float(trajectory["t"][inverted[0]]) if inverted.size else None,
            "jellett": float(jellett[0]),
            "jellett_change": float(np.abs(jellett / jellett[0] - 1.0).max()),
            "jellett_error": float(np.abs((jellett - taken) / jellett[0] - 1.0).max()),
            "height_gain": float(trajectory["z"].max() - trajectory["z"][0]),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: TippeTopParameters, metrics: Metrics) -> list[Check]:
        return [
            above("largest angle of the axis", metrics["largest_tilt"], INVERTED, "deg"),
            below("error of Jellett's constant, relative to it", metrics["jellett_error"], KEPT),
        ]

    def plot(self, outcome: Outcome[TippeTopParameters], figure: Figure) -> None:
        run = outcome.trajectory
        a, b = figure.subplots(2, 1)
        panel(a, run["t"], {"tilt": np.degrees(np.arccos(run["axis_z"]))}, "angle of the axis", "time in s", "deg")
        spins = {"about its axis": run["turning_z"], "about the vertical": run["spin"]}
        panel(b, run["t"], spins, "spin", "time in s", "rad/s")
