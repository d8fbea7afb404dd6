"""The three friction laws of the catalogue, from one set of parameters."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from ....laws import Anchor, Dissipation, LPVFilter, LuGre
from ....laws.rows import friction_row
from ...anchored import anchor_of
from ..stick_slip import LUGRE, POWER

LAWS = ("power", "anchored", "lugre")
STRIBECK_SPEED = 0.02
"""Stribeck speed of LuGre in m/s, as in stick_slip."""

Law = Dissipation | LuGre
Memory = LPVFilter | Anchor | None


def law_of(p: SimpleNamespace, name: str, table: str = "fine") -> tuple[Law, Memory]:
    """A friction law and its memory, with the speeds of Table 2.2 (fine) or 2.3 (coarse)."""
    if name == "lugre":
        return LuGre(p.f_c, p.f_s, STRIBECK_SPEED, *LUGRE[table], p.d), None
    v_c, v_s, *filtered = POWER[table]
    memory = anchor_of(p) if name == "anchored" else LPVFilter(*filtered)
    return Dissipation(p.f_c, p.f_s, v_c, v_s, p.d), memory


def row_of(p: SimpleNamespace, name: str, table: str = "fine") -> NDArray[np.float64]:
    """Law and memory as the engine reads them."""
    return friction_row(*law_of(p, name, table))


def break_away_way(p: SimpleNamespace, name: str) -> float:
    """Way in m on which a law reaches stiction: of the anchor, of the bristles; the power law has none of its own."""
    return float(p.f_s / LUGRE["fine"][0] if name == "lugre" else p.presliding)
