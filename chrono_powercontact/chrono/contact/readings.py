"""What a user reads from an attachment: forces of contact elements, and the energy ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..api.bridge import body_key

FORCES = np.dtype(
    [
        ("pair", "i8"), ("gap", "f8"), ("force", "f8"), ("activation", "f8"), ("stored", "f8"), ("point", "f8", 3),
        ("normal", "f8", 3), ("friction", "f8", 3), ("moment", "f8", 3), ("body_a", "U32"), ("body_b", "U32"),
    ]
)  # fmt: skip
"""One row per contact element: number of its pair (-1 if it was taken over), gap in m, normal force in N,
activation, stored energy in J; in world components the point in m, the normal towards body A, the friction force on
body A in N, and the moment of rolling and spinning friction on body A in N m; and the names of the bodies."""


class Resultant(NamedTuple):
    """Sum of all contacts on a body, in world components: force in N, torque in N m about its centre of mass."""

    force: NDArray[np.float64]
    torque: NDArray[np.float64]


@dataclass(frozen=True)
class Energy:
    """The ledger of all contacts, in J, since the first step with the attachment.

    Under a linearised integrator the ledger follows the step itself: contacts do work over the way that the step takes
    the bodies, and `exchanged` is exactly what the kinetic and potential energies of the bodies show. Under the others
    it is integrated from the powers at the ends of the steps.

    Attributes:
        stored: elastic energy in the contacts now, minus that at the first step.
        contact_heat: energy dissipated in the normal direction.
        friction_heat: energy dissipated by friction.
        exchanged: energy that the contacts gave to the bodies. The work of Chrono's springs is not counted, whether
            Chrono exerts them or they are solved for.
        unsplit: names of laws without a potential. Their stored and dissipated energy cannot be separated: both count
            as contact_heat, which then decreases when they return energy.
        handed_back: energy that filtered friction gave back.
        step: energy that the steps of a linearised integrator took from the bodies and contacts. With forces at the end
            of the step it grows; with those at its start it stays small.
        unpaid: energy that contacts store, or have turned into heat, beyond what the bodies gave and the steps took:
            within a long step a fast body may pass another one closer than the start of the step could tell. With
            forces at the start of the step it is small, and comes and goes with each contact.
        found_anew: whether contacts were found anew in each step (2D paths; meshes without coal; boxes being parted).
            What the last step did to one that is not found again is not booked as heat or stored energy, so the ledger
            then stays open by `error`; `exchanged` is right all the same.
    """

    stored: float
    contact_heat: float
    friction_heat: float
    exchanged: float
    unsplit: tuple[str, ...] = ()
    handed_back: float = 0.0
    step: float = 0.0
    found_anew: bool = False
    unpaid: float = 0.0

    @property
    def error(self) -> float:
        """Deviation of the ledger from closing: round-off under a linearised integrator, else of its order."""
        heat = self.contact_heat + self.friction_heat - self.handed_back
        return self.stored + heat + self.exchanged + self.step - self.unpaid

    def __str__(self) -> str:
        """All energies in J, and the error."""
        note = f"; contact heat includes the energy stored by {', '.join(self.unsplit)}" if self.unsplit else ""
        if self.found_anew:
            note += "; it does not close, because contacts were found anew in each step"
        return (
            f"stored {self.stored:.6g} J, contact heat {self.contact_heat:.6g} J, friction heat "
            f"{self.friction_heat:.6g} J, handed back {self.handed_back:.6g} J, exchanged {self.exchanged:.6g} J, "
            f"taken by the step {self.step:.6g} J, unpaid {self.unpaid:.6g} J, error {self.error:.2g} J{note}"
        )


def body_name(body: Any) -> str:
    """The name that a user gave a body, or its number."""
    name = body.GetName() if hasattr(body, "GetName") else ""
    return str(name) or f"body {body_key(body)}"


def as_forces(
    numbers: Sequence[int], elements: NDArray[Any], lines: NDArray[Any], bodies: Sequence[Any]
) -> NDArray[Any]:
    """An array of dtype FORCES from the numbers of pairs, the elements and their reports."""
    result = np.zeros(len(lines), FORCES)
    result["pair"] = numbers
    for name in ("gap", "force", "activation", "stored", "point", "normal", "friction", "moment"):
        result[name] = lines[name]
    names = np.array([body_name(body) for body in bodies] or [""])
    result["body_a"] = names[elements["a"]]
    result["body_b"] = names[elements["b"]]
    return result


def resultant(body: int, centre: NDArray[np.float64], elements: NDArray[Any], lines: NDArray[Any]) -> Resultant:
    """Sum over the elements of a body, given by number; the torque is about its centre of mass, in m."""
    force = np.zeros(3)
    torque = np.zeros(3)
    for side, sign in (("a", 1.0), ("b", -1.0)):
        own = lines[elements[side] == body]
        pushes = sign * (own["force"][:, None] * own["normal"] + own["friction"])
        force += pushes.sum(axis=0)
        torque += np.cross(own["point"] - centre, pushes).sum(axis=0) + sign * own["moment"].sum(axis=0)
    return Resultant(force, torque)
