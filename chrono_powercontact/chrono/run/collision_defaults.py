"""Chrono's defaults of collision: they hold for a whole process, so what one scene changes the next would inherit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..api.bridge import pychrono


@dataclass(frozen=True)
class CollisionDefaults:
    """Envelope and margin of collision models made from now on, and radius of curvature of contacts, all in m."""

    envelope: float = 0.03
    margin: float = 0.01
    curvature: float = 0.1

    @classmethod
    def in_force(cls) -> CollisionDefaults:
        """Those that Chrono uses now."""
        chrono = pychrono()
        model = chrono.ChCollisionModel
        curvature = chrono.ChCollisionInfo.GetDefaultEffectiveCurvatureRadius()
        return cls(model.GetDefaultSuggestedEnvelope(), model.GetDefaultSuggestedMargin(), curvature)

    def apply(self) -> None:
        """Have Chrono use these."""
        chrono = pychrono()
        chrono.ChCollisionModel.SetDefaultSuggestedEnvelope(self.envelope)
        chrono.ChCollisionModel.SetDefaultSuggestedMargin(self.margin)
        chrono.ChCollisionInfo.SetDefaultEffectiveCurvatureRadius(self.curvature)


@contextmanager
def chronos_own_defaults() -> Iterator[None]:
    """Begin with the defaults of a new process, whatever was set before, and give back afterwards what was found."""
    found = CollisionDefaults.in_force()
    CollisionDefaults().apply()
    try:
        yield
    finally:
        found.apply()
