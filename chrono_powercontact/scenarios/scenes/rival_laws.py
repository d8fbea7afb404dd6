"""Which contact laws of Chrono a scenario may run under, and what they should do."""

from __future__ import annotations

from ...chrono.run.surfaces import BUILT_IN, Surface
from ...errors import ParameterError
from ...laws.impact import restitution

LAWS = ("power", *BUILT_IN)
"""Laws of a scenario whose rivals are Chrono's."""


def only_on_chrono(law: str) -> None:
    """Refuse a law of Chrono on the reference engine."""
    if law in BUILT_IN:
        raise ParameterError(f"law {law!r} is Chrono's own contact: it needs the engine chrono")


def target_restitution(law: str, r_d: float, speed: float) -> float:
    """Restitution that a law should give at an impact speed in m/s: the power law's, or Chrono's default."""
    if law.endswith("-default"):
        return Surface(0.0).restitution
    return float(restitution(r_d, speed))
