"""What a case of `impact_phases` is, and the numbers that the cases share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ....laws.normal.restriction import Restriction
from ...groups import Contact
from ...parameters import Stepped, mass_of, number, time_step
from ...scenario import Check, Metrics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress
    from ....trajectory import Trajectory


@dataclass(frozen=True)
class ImpactPhasesParameters(Contact, Stepped):
    """The contact of Table 3.1a, and what the cases add to it."""

    speed: float = number(1.0, "impact speed", "m/s", above=0.0)
    mass: float = mass_of(0.05)
    inherited: ClassVar[None]
    gravity: float = number(9.81, "gravity in the case gravity", "m/s^2", above=0.0)
    play: float = number(0.01, "backlash: how far the flanks are apart", "m", above=0.0)
    drag: float = number(0.5, "backlash: friction of the driven mass", "N", above=0.0)
    stroke: float = number(0.02, "backlash: amplitude of the drive", "m", above=0.0)
    step: float = time_step(1e-5)

    def wall(self, r_d: float | None = None) -> Restriction:
        """The contact with its own dissipation or another, in s/m."""
        return Restriction(self.s_0, self.s_c, self.r_f, self.r_d if r_d is None else r_d)


@dataclass(frozen=True)
class ImpactCase:
    """One case: how it runs, what is measured and claimed, and its picture."""

    run: Callable[[ImpactPhasesParameters, Progress], Trajectory]
    measure: Callable[[ImpactPhasesParameters, Trajectory], Metrics]
    check: Callable[[ImpactPhasesParameters, Metrics], list[Check]]
    plot: Callable[[ImpactPhasesParameters, Trajectory, Metrics, Figure], None]
