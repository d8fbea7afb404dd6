"""A hopper: grains flow out of a slot as Beverloo's law says, however high they stand above it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...errors import ParameterError
from ...laws.design import design_restriction
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ...progress import Progress, part_of
from ...report.style import PALETTE, panel
from ...trajectory import Trajectory
from ..constants import GRAVITY
from ..parameters import CHRONO, Timed, chrono_integrator, count, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, Scenario, StepLimit, below, within
from .beverloo import POWER, Bed, coefficient, fitted_power, free_width, steady_flow
from .hopper_scene import Discharge, Hopper, discharge, settle

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SETTLING = 1.0
"""Time in s in which the grains come to rest before a run."""
BEGUN = 0.1
ENOUGH = 0.5
"""Parts of the grains that have left when the flow is first looked at, and when the run ends."""
POWER_ERROR = 0.15
"""Largest deviation of the fitted power from 3/2."""
UNSTEADY = 0.2
"""Largest change of the flow from the first half of what is looked at to the second, relative to it."""
WALL = 2.0
"""Least width of a hopper over that of its opening: nearer walls would hold the flow."""


@dataclass(frozen=True)
class HopperParameters(Timed):
    """A bed of grains, one deep, above slots of several widths."""

    grains: int = count(700, "number of grains", minimum=200, maximum=2000)
    diameter: float = number(0.02, "mean diameter of a grain", "m", above=0.0)
    spread: float = number(0.15, "largest deviation of a diameter, relative to the mean", minimum=0.0, maximum=0.4)
    density: float = number(2500.0, "density of a grain", "kg/m^3", above=0.0)
    mu: float = number(0.5, "friction coefficient; the panes have none", above=0.0)
    restitution: float = number(0.4, "restitution at 1 m/s", above=0.0, maximum=1.0)
    width: float = number(30.0, "width of the hopper in diameters", minimum=10.0)
    narrowest: float = number(6.0, "width of the narrowest slot in diameters", minimum=3.0)
    widest: float = number(12.0, "width of the widest slot in diameters", minimum=4.0)
    slots: int = count(4, "number of slots", minimum=3, maximum=8)
    seed: int = count(0, "seed of the diameters and of the first motion", minimum=0)
    time: float = run_length(4.0)
    step: float = time_step(1e-3)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    def openings(self) -> np.ndarray:
        """Widths of the slots in m."""
        return self.diameter * np.linspace(self.narrowest, self.widest, self.slots)

    def hopper(self) -> Hopper:
        """The hopper with its grains."""
        scatter = np.random.default_rng(self.seed).uniform(-self.spread, self.spread, self.grains)
        radii = 0.5 * self.diameter * (1.0 + scatter)
        mass = self.density * np.pi / 6.0 * self.diameter**3
        law = design_restriction(
            s_0=0.0, mass=mass, speed=1.0, restitution=self.restitution, penetration=0.01 * self.diameter,
            force_limit=3000.0 * mass * GRAVITY,
        )  # fmt: skip
        rough = Material(law, Friction(self.mu, self.mu, 1e-3), Anchor(1e-6))
        return Hopper(radii, self.width * self.diameter, self.density, rough, Material(law))

    def check_widths(self) -> None:
        """Raise unless the slots grow and fit between the walls."""
        if self.widest <= self.narrowest:
            raise ParameterError(f"widest must be more than narrowest, {self.narrowest:g}, got {self.widest:g}")
        if self.width < WALL * self.widest:
            raise ParameterError(
                f"width must be at least twice that of the widest slot, {WALL * self.widest:g}, got {self.width:g}"
            )


def bed_of(hopper: Hopper, places: np.ndarray) -> Bed:
    """Density, depth and grain of a settled bed; its height is twice that of its centre."""
    volume = 2.0 * float(places[:, 2].mean()) * hopper.width * hopper.depth
    return Bed(float(hopper.masses.sum()) / volume, hopper.depth, hopper.diameter)


def rates(p: HopperParameters, times: np.ndarray, passed: np.ndarray) -> tuple[float, float]:
    """Mean number of grains per s while the flow is looked at, and its change from the first half to the second."""
    part = passed / p.grains
    looked = (part >= BEGUN) & (part <= ENOUGH)
    if np.count_nonzero(looked) < 4:
        return 0.0, np.inf
    early = looked & (part <= 0.5 * (BEGUN + ENOUGH))
    late = looked & ~early
    mean = steady_flow(times[looked], passed[looked])
    return mean, (steady_flow(times[late], passed[late]) - steady_flow(times[early], passed[early])) / mean


def columns_of(runs: list[Discharge], widths: np.ndarray, bed: Bed) -> Trajectory:
    """Counts over time, one column for each slot, not a number once its run has ended; and what all runs share.

    That is the density of the bed in kg/m^3, and the fraction of steps that did not converge.
    """
    longest = max(runs, key=lambda run: run.times[-1])
    names = ["t", *(f"passed_{k + 1}" for k in range(len(runs))), "bed_density", "unconverged"]
    counts = [np.interp(longest.times, run.times, run.passed) for run in runs]
    for run, column in zip(runs, counts, strict=True):
        column[longest.times > run.times[-1]] = np.nan
    steps = sum(run.steps for run in runs)
    missed = sum(run.unconverged for run in runs) / max(steps, 1)
    whole = np.tile([bed.density, missed], (longest.times.size, 1))
    cost = 1e6 * sum(run.seconds for run in runs) / max(steps, 1)
    middle = runs[len(widths) // 2]
    return Trajectory(tuple(names), np.column_stack([longest.times, *counts, whole]), steps, cost, middle.scene)


class HopperFlow(Scenario[HopperParameters]):
    """Grains bridge above an opening: what leaves depends on the opening alone."""

    name = "hopper"
    claim = (
        "Grains leave a hopper through slots of several widths at rates that follow Beverloo's power of 3/2 to 0.15, "
        "and that change by less than 20 % while the bed sinks."
    )
    source = "W. A. Beverloo, H. A. Leniger and J. van de Velde, The flow of granular solids through orifices, 1961"
    parameters = HopperParameters
    engines = (CHRONO,)

    def simulate(self, p: HopperParameters, progress: Progress) -> Trajectory:
        return self.simulate_chrono(p, progress)

    def simulate_chrono(self, p: HopperParameters, progress: Progress) -> Trajectory:
        p.check_widths()
        hopper = p.hopper()
        widths = p.openings()
        places = settle(hopper, SETTLING, p.step, p.integrator, p.seed)
        runs = []
        for k, width in enumerate(widths):
            share = part_of(progress, k, len(widths))

            def enough(passed: int, time: float, share: Progress = share) -> bool:
                share(min(passed / (ENOUGH * p.grains), 1.0))
                return passed > ENOUGH * p.grains

            runs.append(discharge(hopper, float(width), places, (p.time, p.step, p.integrator), enough))
        return columns_of(runs, widths, bed_of(hopper, places))

    def long_step_limit(self, p: HopperParameters) -> StepLimit:
        why = "a falling grain moves by a good part of its size within a step"
        return StepLimit(2e-3, "the longest step that follows the grains", why)

    def measure(self, p: HopperParameters, trajectory: Trajectory) -> Metrics:
        hopper = p.hopper()
        bed = Bed(float(trajectory["bed_density"][0]), hopper.depth, hopper.diameter)
        found: Metrics = {}
        flows = []
        changes = []
        for k, width in enumerate(p.openings(), 1):
            known = np.isfinite(trajectory[f"passed_{k}"])
            rate, change = rates(p, trajectory["t"][known], trajectory[f"passed_{k}"][known])
            flows.append(rate * float(hopper.masses.mean()))
            changes.append(abs(change))
            found[f"flow_{k}"] = flows[-1]
            found[f"coefficient_{k}"] = coefficient(float(width), flows[-1], bed)
        flowing = all(flow > 0.0 for flow in flows)
        power = fitted_power(p.openings(), np.array(flows), bed.diameter) if flowing else None
        return found | {
            "power": power,
            "unsteady": max(changes),
            "bed_density": bed.density,
            "unconverged": float(trajectory["unconverged"][0]),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: HopperParameters, metrics: Metrics) -> list[Check]:
        power = metrics["power"] if metrics["power"] is not None else 0.0
        return [
            within("power of the free width of a slot", power, POWER, POWER_ERROR),
            below("change of the flow while the bed sinks, relative to it", metrics["unsteady"], UNSTEADY),
        ]

    def plot(self, outcome: Outcome[HopperParameters], figure: Figure) -> None:
        run = outcome.trajectory
        p = outcome.parameters
        a, b = figure.subplots(1, 2)
        slots = np.linspace(p.narrowest, p.widest, p.slots)
        passed = {f"{slot:.3g} diameters": run[f"passed_{k}"] for k, slot in enumerate(slots, 1)}
        panel(a, run["t"], passed, "grains that have left", "time in s", "number")
        free = free_width(p.openings(), p.hopper().diameter)
        flows = np.array([outcome.metrics[f"flow_{k}"] for k in range(1, p.slots + 1)])
        b.loglog(1e3 * free, flows, "o", color=PALETTE[0], label="flow")
        line = np.exp(np.mean(np.log(np.maximum(flows, 1e-300)) - POWER * np.log(free)))
        b.loglog(1e3 * free, line * free**POWER, color=PALETTE[1], label="power 3/2")
        b.set(title="Beverloo's law", xlabel="free width of the slot in mm", ylabel="flow in kg/s")
        b.legend()
