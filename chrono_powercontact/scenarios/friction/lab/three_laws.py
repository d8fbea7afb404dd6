"""The three friction laws of the catalogue, from one set of parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ....laws.friction.anchor import Anchor, AnchorNumbers
from ....laws.friction.dissipation import Dissipation
from ....laws.friction.friction_table import friction_record
from ....laws.friction.lugre import LuGre
from ....laws.friction.memory import LPVFilter
from ...parameters import Stepped, mass_of, number, time_step
from ..friction_tables import BRISTLES, POWER, FrictionAmplitudes

LAWS = ("power", "anchored", "lugre")

Law = Dissipation | LuGre
Memory = LPVFilter | Anchor | None


@dataclass(frozen=True)
class LabParameters(FrictionAmplitudes, Stepped):
    """Numbers of the three laws, and of the mass that they act on."""

    mass: float = mass_of(0.1)
    k: float = number(10.0, "stiffness of the pulling spring", "N/m", above=0.0)
    f_c: float = number(1.0, "Coulomb amplitude", "N", above=0.0)
    f_s: float = number(1.4, "stiction amplitude; at least f_c", "N", above=0.0)
    d: float = number(0.1, "viscous coefficient", "N s/m", minimum=0.0)
    inherited: ClassVar[None]
    step: float = time_step(1e-4)


def law_of(p: LabParameters, name: str, table: str = "fine") -> tuple[Law, Memory]:
    """A friction law and its memory, with the speeds of Table 2.2 (fine) or 2.3 (coarse)."""
    if name == "lugre":
        return p.lugre(table), None
    memory = p.anchor() if name == "anchored" else POWER[table].memory()
    return p.power_law(table), memory


def record_of(p: LabParameters, name: str, table: str = "fine") -> Any:
    """Law and memory as the engine reads them."""
    return friction_record(*law_of(p, name, table))


def anchored_numbers(p: LabParameters) -> AnchorNumbers:
    """The numbers of the anchored law."""
    slot = record_of(p, "anchored")["anchor"]
    return AnchorNumbers(*(float(slot[name]) for name in AnchorNumbers._fields))


def break_away_displacement(p: LabParameters, name: str) -> float:
    """Displacement in m over which a law reaches stiction: of the anchor, of the bristles.

    The power law has none of its own and takes that of the anchor.
    """
    return float(p.f_s / BRISTLES["fine"].stiffness if name == "lugre" else p.presliding)
