"""Between which bounds each contact force lies: all forces that give the same motion, within their friction cones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from ..errors import NoFeasibleForceError, ParameterError, UnknownNameError
from .cone_program import NOTHING_HOLDS, ConeProgram, cones_of
from .contact_set import ContactSet, Matrix, Touching, Vector
from .delassus import ROUND_OFF, Indeterminacy, indeterminacy_of, null_space

BALANCED = 1e-8
"""Part of the balance that may be missing for a force to count as feasible."""

FREE = 1e-12
"""Part of a component, squared, that lies in a pattern which moves nothing, above which the balance leaves it open."""

ROUNDED = 1e-7
"""Error of a bound over the largest force in the balance; what is smaller counts as zero."""

DETERMINED = 1e-6
"""Width of an interval, over the largest force in the balance, below which a force counts as determined."""


class ForceRange(NamedTuple):
    """One component of a contact force.

    Attributes:
        name: T_ or N_ and the name of its contact; in space T_..._x and T_..._y are along the two tangents.
        low, high: smallest and largest value in N with the same motion.
        determined: whether both coincide.
        acting: value in N that the engine found, or None.
    """

    name: str
    low: float
    high: float
    determined: bool
    acting: float | None = None

    @property
    def place(self) -> float | None:
        """Where in the interval the engine's value lies, 0 (low) to 1 (high); None where that has no meaning."""
        if self.acting is None or self.determined or not np.isfinite(self.high - self.low):
            return None
        return (self.acting - self.low) / (self.high - self.low)

    @property
    def outside(self) -> float:
        """By how much the engine's value is outside, in N; 0 inside, or where there is none."""
        return 0.0 if self.acting is None else max(self.low - self.acting, self.acting - self.high, 0.0)

    def __str__(self) -> str:
        """The component in one line."""
        value = "" if self.acting is None else f"  acting {self.acting:.6g} N"
        if self.determined:
            return f"{self.name}  {0.5 * (self.low + self.high):.6g} N, determined{value}"
        return f"{self.name}  {self.low:.6g} to {self.high:.6g} N{value}"


@dataclass(frozen=True)
class ForceRanges:
    """Ranges of all contact forces, in the order of the contacts; by number or by name."""

    components: tuple[ForceRange, ...]
    indeterminacy: Indeterminacy

    def __getitem__(self, key: str | int) -> ForceRange:
        """A component by its number or name."""
        if not isinstance(key, str):
            return self.components[key]
        for component in self.components:
            if component.name == key:
                return component
        raise UnknownNameError("force component", key, [component.name for component in self.components])

    def __len__(self) -> int:
        return len(self.components)

    def __iter__(self) -> Iterator[ForceRange]:
        return iter(self.components)

    @property
    def determined(self) -> bool:
        """Whether every contact force is determined."""
        return all(component.determined for component in self.components)

    @property
    def undetermined(self) -> list[ForceRange]:
        """The components that are not determined."""
        return [component for component in self.components if not component.determined]

    def __str__(self) -> str:
        """One line per component, after a sentence on the whole."""
        if not self.components:
            return "no contact is closed: there is no contact force"
        if self.determined:
            head = f"all {len(self)} contact force components are determined"
        else:
            head = f"{len(self.undetermined)} of {len(self)} contact force components are not determined"
        return "\n".join([head, *(str(component) for component in self.components)])


def ranges_of(contacts: ContactSet) -> ForceRanges:
    """Smallest and largest value of each component of the contact forces.

    Contacts that share no body are asked for one by one, so the cost follows the largest group.
    """
    low = np.zeros(len(contacts.labels))
    high = np.zeros(len(contacts.labels))
    for group in _groups(contacts):
        low[group.components], high[group.components] = _bounds(group)
    width = high - low
    scale = max(float(np.abs(contacts.balance).max(initial=0.0)), float(np.abs(low[np.isfinite(low)]).max(initial=0.0)))
    acting = contacts.acting
    return ForceRanges(
        tuple(
            ForceRange(
                label, float(low[i]), float(high[i]), bool(width[i] <= DETERMINED * max(scale, 1e-300)),
                None if acting is None else float(acting[i]),
            )
            for i, label in enumerate(contacts.labels)
        ),
        indeterminacy_of(contacts),
    )  # fmt: skip


class Group(NamedTuple):
    """Contacts that share bodies, with their part of the balance.

    Attributes:
        contacts: of the group. components: their places in the vector of all forces.
        columns: W without the velocities that joints suppress. balance: what they must give.
    """

    contacts: list[Touching]
    components: list[int]
    columns: Matrix
    balance: Vector


def _groups(contacts: ContactSet) -> Iterator[Group]:
    """The contacts by groups; raises where a force acts on velocities that no contact and no joint reaches."""
    touched = [contact.rows.any(axis=0) for contact in contacts.contacts]
    links = csr_array(np.array([*touched, *(contacts.joints != 0.0)], float).reshape(-1, contacts.balance.size))
    _, label = connected_components((links.T @ links).tocsr(), directed=False)
    scale = float(np.abs(contacts.balance).max(initial=0.0))
    bounds = np.cumsum([0, *(len(contact.rows) for contact in contacts.contacts)])
    home = [label[np.argmax(velocities)] for velocities in touched if velocities.any()]
    if len(home) < len(contacts.contacts):
        raise ParameterError("a contact between bodies that cannot move has no force that a balance knows")
    for which in range(label.max(initial=-1) + 1):
        speeds = np.flatnonzero(label == which)
        members = [i for i, here in enumerate(home) if here == which]
        joints = contacts.joints[:, speeds]
        free = null_space(joints[joints.any(axis=1)])
        balance = free.T @ contacts.balance[speeds]
        if not members:
            if np.abs(balance).max(initial=0.0) > BALANCED * scale:
                raise NoFeasibleForceError(NOTHING_HOLDS)
            continue
        components = [k for i in members for k in range(bounds[i], bounds[i + 1])]
        columns = free.T @ contacts.rows[components][:, speeds].T
        yield Group([contacts.contacts[i] for i in members], components, columns, balance)


class Open(NamedTuple):
    """What balance equations say about each component.

    Attributes:
        a, b: balance equations a x = b, some of which may repeat others.
        value: the components of least norm that meet them. open: whether a component can have another value.
    """

    a: Matrix
    b: Vector
    value: Vector
    open: NDArray[np.bool_]


def _bounds(group: Group) -> tuple[Vector, Vector]:
    """Smallest and largest value of each component of a group, in N."""
    cones = cones_of(group.contacts)
    balance = _independent(group.columns @ cones.spread, group.balance, cones.spread)
    program = ConeProgram(cones, balance.a, balance.b)
    program.largest(np.zeros(cones.spread.shape[1]))
    low = balance.value.copy()
    high = balance.value.copy()
    for i in np.flatnonzero(balance.open):
        high[i] = program.largest(cones.spread[i])
        low[i] = -program.largest(-cones.spread[i])
    for bound in (low, high):
        bound[np.abs(bound) < ROUNDED * program.scale] = 0.0
    return low, high


def _independent(columns: Matrix, balance: Vector, spread: Matrix) -> Open:
    """The balance equations of a group; raises where they contradict each other."""
    base, values, rest = np.linalg.svd(columns, full_matrices=False)
    rank = int(np.sum(values > ROUND_OFF * values[0])) if values.size and values[0] > 0.0 else 0
    kept = base[:, :rank]
    along = rest[:rank]
    parts = kept.T @ balance
    if np.abs(balance - kept @ parts).max(initial=0.0) > BALANCED * np.abs(balance).max(initial=0.0):
        raise NoFeasibleForceError(NOTHING_HOLDS)
    size = (spread**2).sum(axis=1)
    left = size - ((spread @ along.T) ** 2).sum(axis=1) > FREE * size
    value = spread @ (along.T @ (parts / values[:rank]))
    return Open(columns, kept @ parts, value, left)
