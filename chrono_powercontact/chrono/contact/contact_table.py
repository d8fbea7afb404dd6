"""The contact elements of an attachment as the kernel reads them: tables of numbers, rebuilt when pairs change."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from ...laws.friction.anchor import LIMIT, Anchor, anchor_potential
from ...laws.friction.dissipation import Friction
from ...laws.friction.lugre import LuGre
from ...laws.material import Material
from ...laws.normal.restriction import NormalLaw
from ...laws.rows import FRICTION_WIDTH, friction_row
from ..api.bridge import body_key
from . import contact_kernel as ck
from .contact_jacobian import contact_jacobian
from .elements import Element, elements_between
from .geometry import WIDTH
from .shapes import Shape

FELT = 15.0
"""r_t (s - r_c) beyond which a contact is not evaluated: its activation is below 1e-13 there."""

NO_FRICTION = -1.0
NO_REPORT = np.zeros((0, ck.REPORT_WIDTH))


@dataclass(frozen=True)
class Instant:
    """A state at which forces are wanted.

    Attributes:
        x, w: packed states and velocities of the bodies. time: in s.
        since: time since the memory was committed, in s. commit: whether to write the memory as it is now.
        once: whether the integrator asks for forces once a step, at its start.
    """

    x: NDArray[np.float64]
    w: NDArray[np.float64]
    time: float
    since: float
    commit: bool
    once: bool = False


class Elements(Protocol):
    """Contact elements as tables."""

    elements: NDArray[np.int64]
    memory: NDArray[np.float64]

    @property
    def rows(self) -> NDArray[np.float64]:
        """Materials as the kernel reads them."""


class Part(Protocol):
    """Something on the load that exerts forces: contacts, joints."""

    @property
    def contacts(self) -> Sequence[Elements]:
        """Its contact elements."""

    @property
    def memories(self) -> Sequence[NDArray[np.float64]]:
        """The tables in which a commit writes."""

    def evaluate(self, at: Instant, q: NDArray[np.float64], totals: NDArray[np.float64]) -> None:
        """Add generalised forces to q; stored energy in J, contact heat and friction power in W to totals."""


@runtime_checkable
class Stiff(Protocol):
    """A part that knows how its forces change with the state."""

    def differentiate(
        self, x: NDArray[np.float64], w: NDArray[np.float64], since: float,
        stiffness: NDArray[np.float64], damping: NDArray[np.float64],
    ) -> None:  # fmt: skip
        """Add K = -dQ/dx and R = -dQ/dv to dense matrices over the velocities of all bodies."""


@dataclass(frozen=True)
class Pair:
    """Two shapes, the material between them, and their elements."""

    first: Shape
    second: Shape
    material: Material
    elements: list[Element]

    @classmethod
    def of(cls, first: Shape, second: Shape, material: Material) -> Pair:
        """The pair with its elements."""
        return cls(first, second, material, elements_between(first, second))


def anchor_rows(material: Material) -> list[NDArray[np.float64]]:
    """The rows of a material's anchors."""
    spins = [friction_row(law) for law in (material.rolling, material.spinning) if law is not None]
    if isinstance(material.friction, Friction) and isinstance(material.memory, Anchor):
        spins.append(friction_row(material.friction, material.memory))
    return spins


def felt_until(material: Material) -> float:
    """Gap in m beyond which a material is not felt: a spring that anchors stretch touches before the gap closes."""
    law = material.normal
    if not isinstance(law, NormalLaw):
        return sum(anchor_potential(row, row[LIMIT]) for row in anchor_rows(material))
    return float(FELT / law.row[1] + law.row[2] - law.s_0)  # type: ignore[attr-defined]


def material_row(material: Material) -> NDArray[np.float64]:
    """A material as the kernel reads it."""
    row = np.zeros(ck.MATERIAL_WIDTH)
    row[ck.REACH], row[ck.OFFSET] = felt_until(material), material.normal.s_0  # type: ignore[union-attr]
    row[ck.NORMAL_LAW : ck.FRICTION_LAW] = material.normal.row
    row[ck.FRICTION_LAW] = NO_FRICTION
    if isinstance(material.friction, LuGre):
        raise ParameterError("LuGre friction is not available in Chrono: use a Friction law")
    if material.friction is not None:
        row[ck.FRICTION_LAW : ck.ROLLING_LAW] = friction_row(material.friction, material.memory)
    for law, first in ((material.rolling, ck.ROLLING_LAW), (material.spinning, ck.SPINNING_LAW)):
        row[first] = NO_FRICTION
        if law is not None:
            row[first : first + FRICTION_WIDTH] = friction_row(law)
    return row


class Reporting(ABC):
    """A part made of contact elements: it can tell what each of them does."""

    def evaluate(self, at: Instant, q: NDArray[np.float64], totals: NDArray[np.float64]) -> None:
        """Add the generalised forces to q; stored energy, contact heat and friction power to totals."""
        self.report(at, q, totals, NO_REPORT)

    @abstractmethod
    def report(
        self, at: Instant, q: NDArray[np.float64], totals: NDArray[np.float64], rows: NDArray[np.float64]
    ) -> None:
        """Like `evaluate`, and what each element does into rows of REPORT_WIDTH."""


class ContactTable(Reporting):
    """Elements, geometry, laws and memory of all pairs, and the kernel over them."""

    def __init__(
        self, pairs: Mapping[int, Pair], bodies: Mapping[int, int], before: ContactTable | None = None
    ) -> None:
        heads, rows = [], []
        self.keys: list[tuple[int, int]] = []
        materials: dict[int, tuple[int, Material]] = {}
        for number, pair in pairs.items():
            slot = materials.setdefault(id(pair.material), (len(materials), pair.material))[0]
            first, second = (bodies[body_key(shape.body)] for shape in (pair.first, pair.second))
            for place, (kind, swapped, row) in enumerate(pair.elements):
                heads.append((kind, second, first, slot) if swapped else (kind, first, second, slot))
                rows.append(row)
                self.keys.append((number, place))
        self.elements = np.array(heads, np.int64).reshape(-1, 4)
        self.geometry = np.array(rows).reshape(-1, WIDTH)
        old = dict(zip(before.keys, before.memory, strict=True)) if before is not None else {}
        kept = [old.get(key, np.zeros(ck.MEMORY_WIDTH)) for key in self.keys]
        self.memory: NDArray[np.float64] = np.array(kept).reshape(-1, ck.MEMORY_WIDTH)
        self._rotations = np.zeros((len(bodies), 3, 3))
        self._set_materials([material for _, material in materials.values()])
        self._arguments = (
            self._rotations, self.elements, self.geometry, self.materials, self.memory, NO_REPORT,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.elements)

    def _set_materials(self, materials: list[Material]) -> None:
        self.materials = np.zeros((len(materials), ck.MATERIAL_WIDTH))
        for row, material in zip(self.materials, materials, strict=True):
            row[:] = material_row(material)

    def report(
        self, at: Instant, q: NDArray[np.float64], totals: NDArray[np.float64], rows: NDArray[np.float64]
    ) -> None:
        """Like `evaluate`, and what each element does into rows of REPORT_WIDTH."""
        ck.contact_forces(at.x, at.w, *self.arguments[:-1], at.since, at.commit, at.once, q, totals, rows)

    def differentiate(
        self, x: NDArray[np.float64], w: NDArray[np.float64], since: float,
        stiffness: NDArray[np.float64], damping: NDArray[np.float64],
    ) -> None:  # fmt: skip
        """K = -dQ/dx and R = -dQ/dv of all elements."""
        contact_jacobian(x, w, *self.arguments[:5], since, stiffness, damping)

    @property
    def rows(self) -> NDArray[np.float64]:
        """Materials as the kernel reads them."""
        return self.materials

    @property
    def contacts(self) -> Sequence[Elements]:
        """Its contact elements."""
        return (self,)

    @property
    def memories(self) -> Sequence[NDArray[np.float64]]:
        """The memory of all elements."""
        return (self.memory,)

    @property
    def arguments(self) -> tuple[NDArray[Any], ...]:
        """What `all_forces` takes after the state."""
        return self._arguments
