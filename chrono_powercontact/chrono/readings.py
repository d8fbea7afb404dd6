"""What a user reads from an attachment: forces of contact elements, and the energy ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .api import body_key

FORCES = np.dtype(
    [
        ("pair", "i8"), ("gap", "f8"), ("force", "f8"), ("activation", "f8"), ("point", "f8", 3), ("normal", "f8", 3),
        ("friction", "f8", 3), ("body_a", "U32"), ("body_b", "U32"),
    ]
)  # fmt: skip
"""One row per contact element: number of its pair, gap in m, normal force in N, activation, and in world components
the point in m, the normal towards body A, the friction force on body A in N; and the names of the bodies."""


@dataclass(frozen=True)
class Energy:
    """The ledger of all contacts, in J, since the first step with the attachment.

    Attributes:
        stored: elastic energy in the contacts now, less that at the first step.
        contact_heat: dissipated in the normal direction.
        friction_heat: dissipated by friction.
        exchanged: work that the contacts did on the bodies.
    """

    stored: float
    contact_heat: float
    friction_heat: float
    exchanged: float

    @property
    def error(self) -> float:
        """What is missing for the ledger to close; it falls with the step at the integrator's order."""
        return self.stored + self.contact_heat + self.friction_heat + self.exchanged


def body_name(body: Any) -> str:
    """The name that a user gave a body, or its number."""
    name = body.GetName() if hasattr(body, "GetName") else ""
    return str(name) or f"body {body_key(body)}"
