"""A tyre: a torus rolls over the ground, held by friction alone; it approaches the non-holonomic solution."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.contact.solids.solid_shapes import Torus
from ...progress import Progress, part_of
from ...report.style import panel
from ..parameters import CHRONO, chrono_integrator, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, above, below
from .pure_rolling import RollingBody, torus_point
from .rolling_scene import Rolling, RollingScenario, Start, roll_on_chrono

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...trajectory import Trajectory

HARDER = (4.0, 2.0, 1.0)
"""Penetrations of three runs, relative to the hardest ground."""
ORDER = 1.0
"""Least order in which the error falls with the penetration that the ground allows; measured is 1.5."""
NEAR = 2e-4
"""Largest distance from the rigid solution on the hardest ground, relative to the way."""


@dataclass(frozen=True)
class TyreParameters(Rolling):
    """A tyre on hard ground."""

    mass: float = number(10.0, "mass", "kg", above=0.0)
    penetration: float = number(4e-5, "penetration of an impact at 0.05 m/s on the hardest ground", "m", above=0.0)
    ring: float = number(0.25, "radius of the middle of the tube", "m", above=0.0)
    tube: float = number(0.06, "radius of the tube", "m", above=0.0)
    speed: float = number(2.0, "speed at the start", "m/s", above=0.0)
    lean: float = number(10.0, "lean at the start", "deg", minimum=0.0, maximum=60.0)
    time: float = run_length(0.6)
    step: float = time_step(2.5e-5)
    integrator: str = chrono_integrator("runge_kutta")

    def inertia(self) -> np.ndarray:
        """Inertia matrix in kg m^2 of a hollow torus, about."""
        axial = self.mass * (self.ring**2 + 1.5 * self.tube**2)
        across = self.mass * (0.5 * self.ring**2 + 1.25 * self.tube**2)
        return np.diag([across, across, axial])

    def rigid(self) -> RollingBody:
        """The same tyre on ground that does not give way."""
        return RollingBody(self.mass, self.inertia(), torus_point(self.ring, self.tube))

    def start(self) -> Start:
        """The tyre rolls along x, leaning, without a yaw."""
        tilt = math.radians(self.lean)
        c = math.cos(tilt)
        s = math.sin(tilt)
        turn = np.array([[1.0, 0.0, 0.0], [0.0, -s, c], [0.0, -c, -s]])
        turning = np.array([0.0, 0.0, self.speed / (self.ring + self.tube)])
        down = self.rigid().lowest(turn[2])
        velocity = turn @ self.rigid().velocity(turn[2], turning)
        at = np.array([0.0, 0.0, -float(turn[2] @ down) - self.sink()])
        return Start(self.inertia(), turn, turning, velocity, at)

    def on_ground(self, softer: float) -> TyreParameters:
        """The same with a ground that is softer by a factor; its anchor gives way as much more."""
        return replace(self, penetration=softer * self.penetration, presliding=softer**2 * self.presliding)


class Tyre(RollingScenario[TyreParameters]):
    """A wheel without a non-holonomic constraint."""

    name = "tyre"
    claim = "A leaning tyre approaches the non-holonomic solution: its error falls faster than the penetration."
    source = "Specker 2017, outlook; the limit is rolling without slip (Neimark and Fufaev)"
    parameters = TyreParameters
    longest = 1e-4
    engines = (CHRONO,)

    def simulate(self, p: TyreParameters, progress: Progress) -> Trajectory:
        return self.simulate_chrono(p, progress)

    def simulate_chrono(self, p: TyreParameters, progress: Progress) -> Trajectory:
        def tyre(body: Any) -> Torus:
            return Torus(body, p.ring, p.tube)

        runs = []
        for number_of_run, softer in enumerate(HARDER):
            ground = p.on_ground(softer)
            run = roll_on_chrono(ground, ground.start(), tyre, ground.material(), part_of(progress, number_of_run, 3))
            runs.append(run)
        last = runs[-1]
        start = p.start()
        _, _, way = p.rigid().roll(start.turn, start.turning, last["t"])
        others = [column for run in runs[:-1] for column in (run["x"], run["y"])]
        names = (*last.names, "x_softest", "y_softest", "x_soft", "y_soft", "x_rigid", "y_rigid")
        return replace(last, names=names, data=np.column_stack([last.data, *others, way]))

    def measure(self, p: TyreParameters, trajectory: Trajectory) -> Metrics:
        rigid = np.array([trajectory["x_rigid"][-1], trajectory["y_rigid"][-1]])
        errors = []
        for name in ("_softest", "_soft", ""):
            end = np.array([trajectory[f"x{name}"][-1], trajectory[f"y{name}"][-1]])
            errors.append(float(np.linalg.norm(end - rigid)))
        by_penetration = math.log(errors[0] / errors[-1]) / math.log(HARDER[0] / HARDER[-1])
        soft = [p.on_ground(softer).compliance() for softer in HARDER]
        return {
            "errors": errors,
            "compliances": soft,
            "order": by_penetration,
            "order_by_compliance": math.log(errors[0] / errors[-1]) / math.log(soft[0] / soft[-1]),
            "way": float(np.linalg.norm(rigid)),
            "error": errors[-1],
            "turned_aside": float(trajectory["y_rigid"][-1]),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: TyreParameters, metrics: Metrics) -> list[Check]:
        return [
            above("order of the error over the penetration", metrics["order"], ORDER),
            below("distance from the rigid solution", metrics["error"], NEAR * metrics["way"], "m"),
        ]

    def plot(self, outcome: Outcome[TyreParameters], figure: Figure) -> None:
        run = outcome.trajectory
        a, b = figure.subplots(1, 2)
        names = {"softest": "_softest", "soft": "_soft", "hard": ""}
        for label, name in names.items():
            a.plot(run[f"x{name}"], run[f"y{name}"], label=label)
        a.plot(run["x_rigid"], run["y_rigid"], "k--", label="rigid")
        a.legend()
        a.set(title="path of the centre", xlabel="x in m", ylabel="y in m")
        apart = {
            label: 1e6 * np.hypot(run[f"x{name}"] - run["x_rigid"], run[f"y{name}"] - run["y_rigid"])
            for label, name in names.items()
        }
        panel(b, run["t"], apart, "distance from the rigid solution", "time in s", "distance in um")
