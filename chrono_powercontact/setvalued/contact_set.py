"""Contacts as statics sees them: directions, friction cones, and the force that they must give together.

The forces of all contacts are one vector, in the thesis' order (B.53): for each contact its tangential components, then
its normal component. The rows W^T hold their directions, so that W lambda is a generalised force. Redundant joints take
part in the same balance:

    W lambda + B kappa = balance,   lambda_N >= 0,   |lambda_T| <= mu lambda_N,   kappa free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError, not_negative

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

PLANAR = ("",)
SPATIAL = ("_x", "_y")
"""Endings of the names of tangential components, in a plane and in space."""


@dataclass(frozen=True)
class Touching:
    """One closed contact.

    Attributes:
        name: of the contact.
        normal: direction of the normal force in the generalised space, one number per velocity.
        tangential: directions of the friction force, none, one or two rows.
        mu: coefficient of friction.
        sliding: friction per unit of normal force, where the contact slides and friction is known; None in stick.
        acting: force in N that an engine found, tangential components first; None where there is none.
    """

    name: str
    normal: Vector
    tangential: Matrix
    mu: float = 0.0
    sliding: Vector | None = None
    acting: Vector | None = None

    @property
    def rows(self) -> Matrix:
        """Directions of all components, tangential ones first."""
        return np.vstack([self.tangential, self.normal[None, :]])

    @property
    def labels(self) -> list[str]:
        """Names of all components."""
        endings = PLANAR if len(self.tangential) == 1 else SPATIAL
        tangential = [f"T_{self.name}{ending}" for _, ending in zip(self.tangential, endings, strict=False)]
        return [*tangential, f"N_{self.name}"]

    @property
    def directions(self) -> Matrix:
        """The components as columns that a cone spans: all, or one where friction follows the normal force."""
        size = len(self.tangential)
        if self.sliding is not None:
            return np.append(self.sliding, 1.0)[:, None]
        if self.mu == 0.0:
            return np.append(np.zeros(size), 1.0)[:, None]
        return np.eye(size + 1)


def touching(
    name: str, normal: ArrayLike, tangential: ArrayLike = (), mu: float = 0.0,
    sliding: ArrayLike | None = None, acting: ArrayLike | None = None,
) -> Touching:  # fmt: skip
    """A closed contact, checked."""
    direction = np.asarray(normal, float).ravel()
    across = np.asarray(tangential, float).reshape(-1, direction.size)
    if len(across) > len(SPATIAL):
        raise ParameterError(f"contact {name!r} has {len(across)} tangential directions, allowed are none, 1 or 2")
    friction = None if sliding is None else np.asarray(sliding, float).ravel()
    force = None if acting is None else np.asarray(acting, float).ravel()
    contact = Touching(name, direction, across, not_negative(f"mu of contact {name!r}", mu), friction, force)
    for text, values, size in (
        ("the directions", contact.rows, None),
        ("the friction in sliding", friction, len(across)),
        ("the acting force", force, len(across) + 1),
    ):
        if values is None:
            continue
        if not np.all(np.isfinite(values)):
            raise ParameterError(f"{text} of contact {name!r} must be finite, got {values.tolist()}")
        if size is not None and values.size != size:
            raise ParameterError(f"{text} of contact {name!r} must have {size} entries, got {values.size}")
    return contact


@dataclass(frozen=True)
class ContactSet:
    """Closed contacts of a system, and what they must balance.

    Attributes:
        contacts: the closed contacts.
        balance: generalised force that contacts and joints must give together, M u' minus all other forces.
        joints: directions of the joints' reactions, one row per constraint.
    """

    contacts: tuple[Touching, ...]
    balance: Vector
    joints: Matrix

    @cached_property
    def rows(self) -> Matrix:
        """Directions of all force components, one row each (W^T)."""
        size = self.balance.size
        return np.vstack([np.zeros((0, size)), *(contact.rows for contact in self.contacts)])

    @cached_property
    def labels(self) -> list[str]:
        """Names of the force components."""
        return [label for contact in self.contacts for label in contact.labels]

    @cached_property
    def acting(self) -> Vector | None:
        """Forces in N that an engine found; None where a contact has none."""
        found = [contact.acting for contact in self.contacts if contact.acting is not None]
        return np.concatenate(found) if found and len(found) == len(self.contacts) else None


def contact_set(contacts: Sequence[Touching], balance: ArrayLike | None = None, joints: ArrayLike = ()) -> ContactSet:
    """A set of closed contacts, checked.

    Args:
        contacts: made by `touching`.
        balance: generalised force in N or N m that they must give together with the joints; None takes that of the
            forces that an engine found, so that all forces with the same motion are asked for.
        joints: directions of the joints' reactions, one row per constraint.
    """
    listed = tuple(contacts)
    if balance is None:
        if not listed or any(contact.acting is None for contact in listed):
            raise ParameterError("a set of contacts needs a balance, or the force that acts in every contact")
        total = sum(contact.rows.T @ contact.acting for contact in listed if contact.acting is not None)
    else:
        total = np.asarray(balance, float).ravel()
    size = np.size(total)
    if not np.all(np.isfinite(total)):
        raise ParameterError(f"the balance must be finite, got {np.asarray(total).tolist()}")
    wrong = [contact.name for contact in listed if contact.normal.size != size]
    if wrong:
        raise ParameterError(f"the directions of contact {wrong[0]!r} must have {size} entries, as the balance has")
    constraints = np.asarray(joints, float)
    if constraints.size and (constraints.ndim != 2 or constraints.shape[1] != size):
        raise ParameterError(f"the joints must be rows of {size} entries, got the shape {constraints.shape}")
    return ContactSet(listed, np.asarray(total, float), constraints.reshape(-1, size))
