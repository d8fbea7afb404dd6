"""The table of the literature: which phenomena a friction law has.

After the surveys that the sources cite: Olsson, Astrom, Canudas de Wit, Gafvert and Lischinsky 1998; Armstrong,
Dupont and Canudas de Wit 1994; Lampaert, Al-Bender and Swevers 2003; Al-Bender, Lampaert and Swevers 2005. The rows of
the power law and of the anchors are what their derivation says.
"""

from __future__ import annotations

from typing import NamedTuple

_CLASSICAL = frozenset({"stribeck", "stiction"})
_ALL = frozenset({"stribeck", "stiction", "presliding", "area", "memory", "lag", "rate", "no_drift", "no_creep"})

EXPECTED: dict[str, frozenset[str]] = {
    "gauss": _CLASSICAL,
    "tustin": _CLASSICAL,
    "lorentz": _CLASSICAL,
    "karnopp": _CLASSICAL | {"no_drift", "no_creep"},
    "dahl": frozenset({"presliding", "area", "no_creep"}),
    "bliman_sorine": frozenset({"stiction", "presliding", "area", "no_creep"}),
    "lugre": _ALL - {"memory", "no_drift"},
    "leuven": _ALL - {"no_drift"},
    "maxwell_slip": _ALL,
    "power": _CLASSICAL | {"lag", "rate"},
    "anchor": _ALL - {"area", "lag", "rate"},
    "anchor_lag": _ALL - {"area"},
    "strands": _ALL - {"lag"},
    "strands_lag": _ALL - {"memory", "no_drift"},
}
"""Phenomena by law. A lag has its price where strands slip back and forth: minor loops close to 2 % only, and drift."""


class Said(NamedTuple):
    """What a source says of a law: phenomena that it has and lacks, and where."""

    has: frozenset[str]
    lacks: frozenset[str]
    where: str


_STATIC = Said(
    _CLASSICAL,
    frozenset({"presliding", "area", "lag"}),
    "thesis 2.1.1 and 2.1.3: static laws have the Stribeck effect, neither hysteresis nor memory",
)

SAID: dict[str, Said] = {
    "gauss": _STATIC,
    "tustin": _STATIC,
    "lorentz": _STATIC,
    "karnopp": _STATIC._replace(
        has=_CLASSICAL | {"no_creep"}, where="rake thesis 2.3.3: in a band about rest friction is the outer force"
    ),
    "dahl": Said(
        frozenset({"presliding"}),
        _CLASSICAL,
        "thesis 2.1.2 and rake thesis 2.3.4: elastic displacements that go back, no Stribeck effect",
    ),
    "bliman_sorine": Said(frozenset({"presliding", "stiction"}), frozenset(), "thesis 2.1.2: Dahl's law and stiction"),
    "lugre": Said(
        _CLASSICAL | {"presliding", "area", "lag"},
        frozenset(),
        "thesis 2.1.2: all effects, hysteresis at rest and memory in sliding among them",
    ),
    "leuven": Said(
        _CLASSICAL | {"presliding", "area", "memory"},
        frozenset(),
        "rake thesis 2.3.4: LuGre with a presliding hysteresis",
    ),
    "maxwell_slip": Said(
        _CLASSICAL | {"presliding", "area", "memory", "lag"},
        frozenset(),
        "rake thesis 2.3.4: the Leuven law and a description of sliding",
    ),
    "power": Said(
        _CLASSICAL | {"lag"}, frozenset(), "thesis 2.2: static effects, and memory; its hysteresis is one of the speed"
    ),
}
"""What the two theses themselves say, in words."""
