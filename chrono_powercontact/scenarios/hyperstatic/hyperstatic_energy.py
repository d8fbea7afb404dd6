"""The block cut in two: how it settles, which steps its springs allow, and what an implicit rule costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import level, panel
from ..constants import GRAVITY
from ..parameters import Parameters, number
from ..scenario import Check, Metrics, Outcome, Scenario, above, below, within
from .block.block_statics import LOW, MASS, exact_sag, sagging

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

FROM_RIGID, FROM_SAG, IMPLICIT, FALL_EXPLICIT, FALL_IMPLICIT = range(5)
"""Runs: from the rigid and from the sagging configuration, the implicit rule at long steps, and both in free fall."""

COORDINATES = ("x1", "y1", "phi1", "x2", "y2", "phi2")

SETTLING = 0.020
FALLING = 1e-3
RESTING = 1.0
"""Lengths of the runs in s."""


@dataclass(frozen=True)
class HyperstaticEnergyParameters(Parameters):
    """Steps of the runs."""

    step: float = number(1e-4, "step of Moreau's rule", "s", above=0.0, maximum=1.5e-4)
    long_step: float = number(0.01, "step at which only the implicit rule is stable", "s", minimum=1e-3, maximum=0.05)


class HyperstaticEnergy(Scenario[HyperstaticEnergyParameters]):
    """Results R1 to R3: the start matters, explicit steps are limited, implicit ones take energy."""

    name = "hyperstatic_energy"
    claim = "Moreau's rule keeps energy up to a step limit; an implicit rule rests at any step and takes energy."
    source = "Seiwald, TU Munich 2014: 5.1, Figs. 5.1 and 5.2"
    parameters = HyperstaticEnergyParameters

    def simulate(self, p: HyperstaticEnergyParameters, progress: Progress) -> Trajectory:
        from .energy_runs import energy_runs

        return energy_runs(p, progress)

    def measure(self, p: HyperstaticEnergyParameters, trajectory: Trajectory) -> Metrics:
        def of(kind: int, column: str) -> np.ndarray:
            return trajectory[column][trajectory["run"] == kind]

        def energy(kind: int) -> np.ndarray:
            return of(kind, "kinetic") + of(kind, "potential")

        sag = sagging(LOW)[2]
        angle = of(FROM_RIGID, "phi1")
        return {
            "sag": sag,
            "exact_sag": exact_sag(LOW),
            "settled_sag": float(angle[len(angle) // 2 :].mean()),
            "kinetic_from_rigid": float(of(FROM_RIGID, "kinetic").max()),
            "kinetic_from_sag": float(of(FROM_SAG, "kinetic").max()),
            "implicit_deviation": max(float(np.ptp(of(IMPLICIT, name))) for name in COORDINATES),
            "explicit_diverged": bool(trajectory["diverged"][-1]),
            "explicit_fall": float(energy(FALL_EXPLICIT)[-1] - energy(FALL_EXPLICIT)[0]),
            "implicit_fall": float(energy(FALL_IMPLICIT)[-1] - energy(FALL_IMPLICIT)[0]),
            "implicit_fall_closed_form": -0.5 * MASS * GRAVITY**2 * p.step * FALLING,
        }

    def check(self, p: HyperstaticEnergyParameters, metrics: Metrics) -> list[Check]:
        expected = metrics["implicit_fall_closed_form"]
        sag = metrics["exact_sag"]
        calmer = metrics["kinetic_from_rigid"] / max(metrics["kinetic_from_sag"], 1e-300)
        return [
            within("mean angle from the rigid start", metrics["settled_sag"], sag, 0.02 * abs(sag), "rad"),
            above("kinetic energy of the rigid start over that of the sagging one", calmer, 1e3),
            below("deviation at long implicit steps", metrics["implicit_deviation"], 2e-7, "m or rad"),
            Check(f"explicit steps of {p.long_step:g} s diverge", bool(metrics["explicit_diverged"])),
            below("energy error of explicit steps in free fall", abs(metrics["explicit_fall"]), 1e-11, "J"),
            within(
                "energy of implicit steps in free fall", metrics["implicit_fall"], expected, 1e-3 * abs(expected), "J"
            ),
        ]

    def plot(self, outcome: Outcome[HyperstaticEnergyParameters], figure: Figure) -> None:
        run = outcome.trajectory

        def of(kind: int, column: str) -> np.ndarray:
            return run[column][run["run"] == kind]

        (a, b), (c, d) = figure.subplots(2, 2)
        t = of(FROM_RIGID, "t") * 1e3
        angles = {"rigid start": of(FROM_RIGID, "phi1") * 1e6, "sagging start": of(FROM_SAG, "phi1") * 1e6}
        panel(a, t, angles, "left half after the start", "time in ms", "angle in urad")
        level(a, outcome.metrics["exact_sag"] * 1e6, "equilibrium")
        floor = 1e-14
        kinetic = {"rigid start": of(FROM_RIGID, "kinetic") + floor, "sagging start": of(FROM_SAG, "kinetic") + floor}
        panel(b, t, kinetic, "the rigid start shakes", "time in ms", "kinetic energy in J")
        b.set_yscale("log")
        panel(
            c, of(IMPLICIT, "t"), {"implicit": of(IMPLICIT, "phi1") * 1e6},
            f"implicit steps of {outcome.parameters.long_step * 1e3:g} ms rest", "time in s", "angle in urad",
        )  # fmt: skip
        losses = {}
        for name, kind in (("explicit", FALL_EXPLICIT), ("implicit", FALL_IMPLICIT)):
            energy = of(kind, "kinetic") + of(kind, "potential")
            losses[name] = (energy - energy[0]) * 1e6
        panel(d, of(FALL_EXPLICIT, "t") * 1e3, losses, "free fall", "time in ms", "change of energy in uJ")
