"""A pendulum in Cartesian coordinates: the example of the paper, with its own way of keeping the history."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..constants import GRAVITY
from ..parameters import REFERENCE, mass_of, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, below, within
from .free_bodies import derivative
from .loop_scenario import LoopParameters, LoopScenario, saves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...lagrange.loops.loops import LoopSystem
    from ...trajectory import Trajectory

SAVED = 0.3
"""Least fraction of evaluations that a kept history saves here, about the best case."""


@dataclass(frozen=True)
class CartesianPendulumParameters(LoopParameters):
    """A point mass on a rod."""

    phi_0: float = number(0.3, "angle from the lowest point at the start", "rad")
    speed: float = number(7.2, "angular velocity at the start", "rad/s")
    mass: float = mass_of(1.0, "mass of the bob")
    length: float = number(1.0, "length of the rod", "m", above=0.0)
    inherited: ClassVar[None]
    hold: float = number(
        1.0,
        "a coordinate is kept while its volume is at least this fraction of the other one's; 1 always takes the best",
        minimum=0.0,
        maximum=1.0,
    )
    time: float = run_length(10.0)
    step: float = time_step(5e-4)


class CartesianPendulum(LoopScenario[CartesianPendulumParameters]):
    """The rod is the cut; y1 is best near the lowest and highest point, y2 beside the pivot."""

    name = "cartesian_pendulum"
    claim = (
        "A pendulum in Cartesian coordinates switches them at 45 degrees, its rod has the force of the closed form, "
        "and a kept history saves a third of the evaluations."
    )
    source = "closed loops, pendulum of the paper"
    parameters = CartesianPendulumParameters
    engines = (REFERENCE,)
    cut = "rod"
    angles = ("y1", "y2")
    first = ("y1",)

    def numbers(self, p: CartesianPendulumParameters) -> dict[str, float]:
        return {"m": p.mass, "l": p.length, "g": GRAVITY, "a": 0.0, "w": 0.0, "b": 0.0}

    def build(self, p: CartesianPendulumParameters) -> LoopSystem:
        from .mechanism_systems import pendulum_system

        return pendulum_system(self.numbers(p))

    def start(self, p: CartesianPendulumParameters) -> tuple[list[float], list[float]]:
        across = p.length * math.sin(p.phi_0)
        return [across, -p.length * math.cos(p.phi_0)], [p.speed * p.length * math.cos(p.phi_0)]

    def reaction(self, run: Trajectory) -> np.ndarray:
        direction = np.column_stack([run["y1"], run["y2"]])
        reach = np.linalg.norm(direction, axis=1, keepdims=True)
        return np.asarray(run["R_rod"][:, None] * direction / reach)

    def free_body_force(self, p: CartesianPendulumParameters, run: Trajectory) -> np.ndarray:
        pulls = [p.mass * derivative(run["t"], run[f"{name}_dot"]) for name in ("y1", "y2")]
        return np.column_stack(pulls) + np.array([0.0, p.mass * GRAVITY])

    def gap(self, p: CartesianPendulumParameters, run: Trajectory) -> np.ndarray:
        return np.asarray(np.abs(np.hypot(run["y1"], run["y2"]) - p.length))

    def pins(self, p: CartesianPendulumParameters, run: Trajectory) -> list[np.ndarray]:
        bob = np.stack([run["y1"], run["y2"]])
        return [np.stack([0.0 * bob, bob])]

    def measure(self, p: CartesianPendulumParameters, trajectory: Trajectory) -> Metrics:
        run = trajectory
        height = run["y2"] / p.length
        speed = np.hypot(run["y1_dot"], run["y2_dot"])
        tension = p.mass * (speed**2 / p.length - GRAVITY * height)
        rows = np.flatnonzero(np.diff(run["independent"])) + 1
        angles = np.degrees(np.arctan2(np.abs(run["y1"][rows]), np.abs(run["y2"][rows])))
        return super().measure(p, run) | {
            "tension_error": float(np.abs(run["R_rod"] + tension).max() / np.abs(tension).max()),
            "switch_angles": angles.tolist(),
            "degrees_a_step": float(np.degrees((speed / p.length).max() * p.step)),
        }

    def own_checks(self, engine: str, p: CartesianPendulumParameters, metrics: Metrics) -> list[Check]:
        checks = [below("tension of the rod away from m l w^2 + m g cos(phi)", metrics["tension_error"], 1e-9)]
        if p.hold == 1.0 and metrics["switches"]:
            far = float(np.abs(np.array(metrics["switch_angles"]) - 45.0).max())
            checks.append(within("switches at 45 degrees", 45.0 + far, 45.0, metrics["degrees_a_step"], "degrees"))
            checks += saves(metrics, SAVED)
        return checks

    def plot(self, outcome: Outcome[CartesianPendulumParameters], figure: Figure) -> None:
        super().plot(outcome, figure)
        first = figure.axes[0]
        first.set(ylabel="position in m", xlim=(0.0, min(2.0, outcome.parameters.time)))
