"""What a user reads from an attachment: forces of contact elements, and the energy ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..api.bridge import body_key
from . import contact_kernel as ck

FORCES = np.dtype(
    [
        ("pair", "i8"), ("gap", "f8"), ("force", "f8"), ("activation", "f8"), ("point", "f8", 3), ("normal", "f8", 3),
        ("friction", "f8", 3), ("body_a", "U32"), ("body_b", "U32"),
    ]
)  # fmt: skip
"""One row per contact element: number of its pair (-1 where it was taken over), gap in m, normal force in N,
activation, and in world components the point in m, the normal towards body A, the friction force on body A in N; and
the names of the bodies."""


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

    def __str__(self) -> str:
        """All of it in J, with the error."""
        return (
            f"stored {self.stored:.6g} J, contact heat {self.contact_heat:.6g} J, friction heat "
            f"{self.friction_heat:.6g} J, exchanged {self.exchanged:.6g} J, error {self.error:.2g} J"
        )


def body_name(body: Any) -> str:
    """The name that a user gave a body, or its number."""
    name = body.GetName() if hasattr(body, "GetName") else ""
    return str(name) or f"body {body_key(body)}"


def as_forces(
    numbers: Sequence[int], heads: NDArray[np.int64], rows: NDArray[np.float64], bodies: Sequence[Any]
) -> NDArray[Any]:
    """An array of dtype FORCES from the numbers of pairs, the heads of elements and their report rows."""
    result = np.zeros(len(rows), FORCES)
    result["pair"] = numbers
    for name, column in (("gap", ck.GAP), ("force", ck.FORCE), ("activation", ck.ACTIVATION)):
        result[name] = rows[:, column]
    for name, column in (("point", ck.POINT), ("normal", ck.NORMAL), ("friction", ck.FRICTION)):
        result[name] = rows[:, column : column + 3]
    names = np.array([body_name(body) for body in bodies] or [""])
    result["body_a"], result["body_b"] = names[heads[:, ck.BODY_A]], names[heads[:, ck.BODY_B]]
    return result
