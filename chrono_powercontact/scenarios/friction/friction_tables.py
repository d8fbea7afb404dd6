"""Friction numbers of Tables 2.1 to 2.3, which the scenarios of this family share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ...laws.friction.dissipation import Dissipation
from ...laws.friction.lugre import LuGre
from ...laws.friction.memory import LPVFilter
from ..groups import Anchored
from ..parameters import mass_of, number


class PowerNumbers(NamedTuple):
    """Numbers of the power law.

    Attributes:
        v_c: transition speed in m/s.
        v_s: Stribeck speed in m/s.
        t_f: time constant of the filter in s.
        v_f: speed in m/s at which it closes.
    """

    v_c: float
    v_s: float
    t_f: float
    v_f: float

    def memory(self) -> LPVFilter:
        """The filter."""
        return LPVFilter(self.t_f, self.v_f)


class BristleNumbers(NamedTuple):
    """Numbers of LuGre's bristles: stiffness in N/m and damping in N s/m."""

    stiffness: float
    damping: float


POWER = {"fine": PowerNumbers(5e-5, 1e-4, 3e-4, 1e-4), "coarse": PowerNumbers(0.005, 0.01, 0.03, 0.001)}
"""The power law of Tables 2.2 and 2.3."""

BRISTLES = {"fine": BristleNumbers(1e4, 100.0), "coarse": BristleNumbers(600.0, 20.0)}
"""LuGre of Tables 2.2 and 2.3."""

LUGRE_STRIBECK_SPEED = 0.02
"""Stribeck speed of LuGre in m/s; inferred."""


@dataclass(frozen=True)
class FrictionAmplitudes(Anchored):
    """Mass, spring and friction amplitudes of Table 2.1."""

    mass: float = mass_of(0.1)
    k: float = number(10.0, "stiffness of the spring", "N/m", above=0.0)
    f_c: float = number(1.0, "Coulomb amplitude", "N", minimum=0.0)
    f_s: float = number(1.4, "stiction amplitude; at least f_c", "N", minimum=0.0)
    d: float = number(0.1, "viscous coefficient", "N s/m", minimum=0.0)
    inherited: ClassVar[None]

    def power_law(self, table: str, eps: float = 0.0) -> Dissipation:
        """The power law with the speeds of a table; eps in m/s rounds the norm."""
        numbers = POWER[table]
        return Dissipation(self.f_c, self.f_s, numbers.v_c, numbers.v_s, self.d, eps)

    def lugre(self, table: str) -> LuGre:
        """LuGre with the bristles of a table."""
        bristles = BRISTLES[table]
        return LuGre(self.f_c, self.f_s, LUGRE_STRIBECK_SPEED, bristles.stiffness, bristles.damping, self.d)
