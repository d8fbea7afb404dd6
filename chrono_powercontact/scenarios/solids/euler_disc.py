"""Euler's disc: a coin that rolls on its edge about a centre at rest comes to lie flat at a finite time.

With the centre at rest, a thin uniform disc of radius a, tilted by alpha, precesses at 2 sqrt(g/(a sin alpha)), and its
energy is E = 3/2 m g a sin(alpha). Rolling friction N c against the angular velocity in the plane of contact, which is
that precession times sin(alpha) cos(alpha), takes it as  alpha' = -4/3 c/a sqrt(g sin(alpha)/a):  the energy falls as
(t_f - t)^2. A friction that opposes the wandering of the contact along the contour would give (t_f - t)^(2/3).

The tilt itself follows less exactly, because friction also takes the spin about the disc's own axis, and the centre
begins to circle: a rigid body that rolls without slip under the same moment does the same. Below a tilt of about one
degree fixed points of the rim carry the disc, and it drops flat sooner than a perfect circle would.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.contact.solids.solid_shapes import Torus
from ...laws.friction.spin import SpinFriction
from ...report.style import panel
from ..constants import GRAVITY
from ..parameters import CHRONO, chrono_integrator, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, below, within
from .pure_rolling import RollingBody, torus_point
from .rolling_disc import DiscParameters
from .rolling_scene import AXES, Rolling, RollingScenario, Start, roll_on_chrono

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...laws.material import Material
    from ...progress import Progress
    from ...trajectory import Trajectory

POWER = 2.0
"""Power of the time that is left with which the energy falls."""
POWER_ERROR = 0.1
"""Largest deviation of the fitted power."""
PUNCTUAL = 0.03
"""Largest error of the time at which the fitted law ends, relative to it."""
NEAR = 0.3
"""Largest difference of the tilt from that of the rigid body in deg."""
FOLLOWED = 0.55
"""Part of the time until it lies flat over which the rigid body is followed."""


@dataclass(frozen=True)
class EulerDiscParameters(Rolling):
    """A heavy coin."""

    mass: float = number(0.4387, "mass", "kg", above=0.0)
    radius: float = number(0.0375, "radius of the circle in the middle of its edge", "m", above=0.0)
    edge: float = number(1e-4, "radius of its edge", "m", above=0.0)
    tilt: float = number(15.0, "angle of its axis to the vertical at the start", "deg", above=0.0, maximum=45.0)
    lowest: float = number(3.0, "angle down to which the law is fitted", "deg", minimum=1.5, maximum=30.0)
    arm: float = number(5e-4, "rolling friction: moment per normal force", "m", above=0.0)
    time: float = run_length(3.2)
    step: float = time_step(4e-5)
    integrator: str = chrono_integrator("runge_kutta")

    def rest(self) -> DiscParameters:
        """The same disc, precessing so fast that its centre stays at rest."""
        from scipy.optimize import brentq

        disc = DiscParameters(mass=self.mass, penetration=self.penetration, mu=self.mu, radius=self.radius,
                              edge=self.edge, angle=self.tilt)  # fmt: skip
        thin = 2.0 * math.sqrt(GRAVITY / (self.radius * math.sin(math.radians(self.tilt))))
        fast = brentq(lambda speed: replace(disc, precession=speed).circle(), 0.5 * thin, 2.0 * thin)
        return replace(disc, precession=float(fast))

    def start(self) -> Start:
        """Rolling about a centre at rest."""
        return self.rest().circling()

    def rolling(self) -> Material:
        """The laws of the contact, with rolling friction."""
        return replace(self.material(), rolling=SpinFriction(self.arm))

    def rigid(self) -> RollingBody:
        """The same disc, rolling without slip on ground that does not give way."""
        return RollingBody(self.mass, self.rest().inertia(), torus_point(self.radius, self.edge), self.arm)

    def flat_at(self) -> float:
        """Time in s at which the disc lies flat, by the law without any approximation for small angles."""
        from scipy.integrate import quad

        whole, _ = quad(lambda u: 2.0 * u / math.sqrt(math.sin(u * u)), 0.0, math.sqrt(math.radians(self.tilt)))
        return float(0.75 * self.radius / self.arm * math.sqrt(self.radius / GRAVITY) * whole)


def energy_of(p: EulerDiscParameters, run: Trajectory) -> np.ndarray:
    """Kinetic and potential energy in J, without that of the disc lying flat."""
    speeds = np.array([run[f"{axis}_dot"] for axis in AXES])
    turning = np.array([run[f"turning_{axis}"] for axis in AXES])
    moments = np.diag(p.rest().inertia())[:, None]
    kinetic = 0.5 * p.mass * (speeds**2).sum(axis=0) + 0.5 * (moments * turning**2).sum(axis=0)
    return np.asarray(kinetic + p.mass * GRAVITY * (run["z"] - p.edge + p.sink()))


def rigid_tilt(p: EulerDiscParameters, times: np.ndarray) -> np.ndarray:
    """Tilt in rad of the rigid body at some times in s; not a number beyond the part that is followed."""
    followed = times <= FOLLOWED * p.flat_at()
    start = p.start()
    verticals, _, _ = p.rigid().roll(start.turn, start.turning, times[followed])
    tilt = np.full(times.size, np.nan)
    tilt[followed] = np.arccos(verticals[:, 2])
    return tilt


def fitted_end(t: np.ndarray, values: np.ndarray) -> tuple[float, float]:
    """Power n and end t_f in s of the law K (t_f - t)^n that fits falling values best."""
    from scipy.optimize import curve_fit

    def law(t: np.ndarray, scale: float, end: float, power: float) -> np.ndarray:
        return scale * np.maximum((end - t) / end, 1e-12) ** power

    first = (float(values[0]), 1.5 * float(t[-1]), 1.0)
    (_, end, power), _ = curve_fit(law, t, values, first, maxfev=10_000)
    return float(power), float(end)


class EulerDisc(RollingScenario[EulerDiscParameters]):
    """A motion that ends in a finite time, faster and faster."""

    name = "euler_disc"
    claim = (
        "The energy of Euler's disc falls as the square of the time that is left, as rolling friction of a constant "
        "moment demands (the power to 0.1); carried on from 3 degrees, it ends at the time of the closed form to 3 %. "
        "The disc tilts as a rigid body that rolls without slip."
    )
    source = "C. Le Saux, R. I. Leine and C. Glocker 2005; R. I. Leine 2009, rolling friction of the classical kind"
    parameters = EulerDiscParameters
    longest = 4e-5
    engines = (CHRONO,)

    def simulate(self, p: EulerDiscParameters, progress: Progress) -> Trajectory:
        return self.simulate_chrono(p, progress)

    def simulate_chrono(self, p: EulerDiscParameters, progress: Progress) -> Trajectory:
        def disc(body: Any) -> Torus:
            return Torus(body, p.radius, p.edge)

        run = roll_on_chrono(p, p.start(), disc, p.rolling(), progress)
        tilt = np.arccos(np.clip(run["axis_z"], -1.0, 1.0))
        columns = (tilt, rigid_tilt(p, run["t"]), energy_of(p, run))
        return replace(
            run, names=(*run.names, "tilt", "rigid_tilt", "energy"), data=np.column_stack([run.data, *columns])
        )

    def measure(self, p: EulerDiscParameters, trajectory: Trajectory) -> Metrics:
        t = trajectory["t"]
        tilt = trajectory["tilt"]
        low = np.flatnonzero(tilt < math.radians(p.lowest))
        fitted = slice(0, low[0] if low.size else None)
        power, end = fitted_end(t[fitted], trajectory["energy"][fitted])
        tilt_power, _ = fitted_end(t[fitted], tilt[fitted])
        return {
            "power": power,
            "end": end,
            "closed_form_end": p.flat_at(),
            "tilt_power": tilt_power,
            "difference": float(np.degrees(np.nanmax(np.abs(tilt - trajectory["rigid_tilt"])))),
            "fitted_until": float(t[fitted][-1]),
            "lowest_tilt": float(np.degrees(tilt.min())),
            "wandered": float(np.hypot(trajectory["x"], trajectory["y"]).max()),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: EulerDiscParameters, metrics: Metrics) -> list[Check]:
        flat = metrics["closed_form_end"]
        return [
            within("power of the time that is left", metrics["power"], POWER, POWER_ERROR),
            within("end of the motion, carried on", metrics["end"], flat, PUNCTUAL * flat, "s"),
            below("difference of the tilt from the rigid body's", metrics["difference"], NEAR, "deg"),
        ]

    def plot(self, outcome: Outcome[EulerDiscParameters], figure: Figure) -> None:
        run = outcome.trajectory
        p = outcome.parameters
        a, b = figure.subplots(2, 1)
        left = np.maximum(1.0 - run["t"] / p.flat_at(), 0.0)
        energies = {"contact": 1e3 * run["energy"], "square of the time left": 1e3 * run["energy"][0] * left**POWER}
        panel(a, run["t"], energies, "energy", "time in s", "mJ", nested=True)
        tilts = {"contact": np.degrees(run["tilt"]), "rolling without slip": np.degrees(run["rigid_tilt"])}
        panel(b, run["t"], tilts, "tilt", "time in s", "deg", nested=True)
