"""The table of the literature: which phenomena a friction law has.

After the surveys that the sources cite: Olsson, Astrom, Canudas de Wit, Gafvert and Lischinsky 1998; Armstrong,
Dupont and Canudas de Wit 1994; Lampaert, Al-Bender and Swevers 2003; Al-Bender, Lampaert and Swevers 2005. The rows of
the power law and of the anchors are what their derivation says.
"""

from __future__ import annotations

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
