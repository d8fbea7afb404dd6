"""The contact elements of an attachment as the kernel reads them: tables of numbers, rebuilt when pairs change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..laws.material import Material
from ..laws.restriction import NormalLaw
from ..laws.rows import FRICTION_WIDTH, LUGRE, NORMAL_WIDTH, friction_row
from . import contact_kernel as ck
from .api import body_key
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
    """

    x: NDArray[np.float64]
    w: NDArray[np.float64]
    time: float
    since: float
    commit: bool


class Part(Protocol):
    """Something on the load that exerts forces: contacts, joints."""

    def evaluate(self, at: Instant, q: NDArray[np.float64], totals: NDArray[np.float64]) -> None:
        """Add generalised forces to q; stored energy in J, contact heat and friction power in W to totals."""


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


def felt_until(material: Material) -> float:
    """Gap in m beyond which a material is not felt."""
    law = material.normal
    if not isinstance(law, NormalLaw):
        return 0.0
    return float(FELT / law.row[1] + law.row[2] - law.s_0)  # type: ignore[attr-defined]


class ContactTable:
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
        self.memory: NDArray[np.float64] = np.array([old.get(key, np.zeros(3)) for key in self.keys]).reshape(-1, 3)
        self._rotations = np.zeros((len(bodies), 3, 3))
        self._set_materials([material for _, material in materials.values()])

    def __len__(self) -> int:
        return len(self.elements)

    def _set_materials(self, materials: list[Material]) -> None:
        count = len(materials)
        self._normal, self._friction = np.zeros((count, NORMAL_WIDTH)), np.full((count, FRICTION_WIDTH), NO_FRICTION)
        self._reach, self._offsets = np.zeros(count), np.zeros(count)
        for i, material in enumerate(materials):
            self._normal[i], self._reach[i] = material.normal.row, felt_until(material)
            self._offsets[i] = material.normal.s_0  # type: ignore[union-attr]
            if material.friction is not None:
                self._friction[i] = friction_row(material.friction, material.memory)
                if self._friction[i, 0] == LUGRE:
                    raise ParameterError("LuGre friction is not available in Chrono: use a Friction law")

    def evaluate(self, at: Instant, q: NDArray[np.float64], totals: NDArray[np.float64]) -> None:
        """Add the generalised forces to q; stored energy, contact heat and friction power to totals."""
        self.report(at, q, totals, NO_REPORT)

    def report(
        self, at: Instant, q: NDArray[np.float64], totals: NDArray[np.float64], rows: NDArray[np.float64]
    ) -> None:
        """Like `evaluate`, and what each element does into rows of REPORT_WIDTH."""
        ck.contact_forces(
            at.x, at.w, self._rotations, self.elements, self.geometry, self._reach, self._offsets, self._normal,
            self._friction, self.memory, at.since, at.commit, q, totals, rows,
        )  # fmt: skip
