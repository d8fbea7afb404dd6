"""What a case of `arm_modes` is, its parameters, and the arm that it looks at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....lagrange.beams.beams import Beam, RigidMass, Section
from ...parameters import Parameters, count, number
from ...scenario import Check, Metrics
from ..machine.machine import Machine, machine

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress
    from ....trajectory import Trajectory


@dataclass(frozen=True)
class ArmModesParameters(Parameters):
    """The arms of the rake cleaner and how they are reduced."""

    modes: int = count(2, "fixed-interface modes of the reduced arm", minimum=0)
    elements: int = count(60, "finite elements of the full arm", minimum=2, maximum=400)
    press: float = number(10e3, "force at the scraper, or at the lug of the main arm", "N", above=0.0)
    modal_mass: float = number(0.9, "modal mass that counts as enough, as a fraction", above=0.0, maximum=1.0)
    time: float = number(7.0, "length of the runs of the machine", "s", above=0.0, maximum=60.0)
    flow: float = number(0.8, "flow at the surface", "m/s", above=0.0, maximum=5.0)
    exponent: float = number(7.0, "the flow falls to the bed as depth to the power 1/exponent", minimum=1.0)
    noise: float = number(50.0, "standard deviation of measured cylinder forces", "N", minimum=0.0)


def knuckle_beam(elements: int) -> Beam:
    """The knuckle arm with the rake on it, as so many finite elements."""
    body: Machine = machine()
    arm = body.knuckle
    rake = RigidMass(arm.length - body.rake_back, body.rake_mass, body.rake_inertia)
    return Beam.uniform(arm.length, Section(arm.stiffness, arm.mass / arm.length), elements, [rake])


def main_beam(elements: int) -> Beam:
    """The main arm as so many finite elements."""
    arm = machine().main
    return Beam.uniform(arm.length, Section(arm.stiffness, arm.mass / arm.length), elements)


def lug_station() -> float:
    """Station in m of the plate that carries the cylinder pins of the main arm."""
    body = machine()
    return 0.5 * (body.b[0] + body.c[0])


@dataclass(frozen=True)
class ArmCase:
    """One case: how it runs, what is measured and claimed, and its picture."""

    run: Callable[[ArmModesParameters, Progress], Trajectory]
    measure: Callable[[ArmModesParameters, Trajectory], Metrics]
    check: Callable[[ArmModesParameters, Metrics], list[Check]]
    plot: Callable[[ArmModesParameters, Trajectory, Metrics, Figure], None]
