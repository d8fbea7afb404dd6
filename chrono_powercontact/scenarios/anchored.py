"""What every scenario with contact friction knows of the anchor: its two parameters, and the anchor itself."""

from __future__ import annotations

from types import SimpleNamespace

from ..laws import Anchor
from .parameters import Parameter

ANCHOR = (
    Parameter("presliding", 5e-6, "way at which an anchored contact breaks away", "m", minimum=0.0, above=True),
    Parameter("tau", 1e-4, "damping time of the anchor", "s", minimum=0.0),
)


def anchor_of(p: SimpleNamespace) -> Anchor:
    """The anchor of a scenario's parameters."""
    return Anchor(p.presliding, p.tau)
