"""Contact elements whose number changes from step to step, with the materials of pairs: a part of the load."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...laws.material import Material
from ..contact.bodies import SPEED_WIDTH
from ..contact.contact_jacobian import contact_jacobian
from ..contact.contact_table import FlatTables, Floats, Instant, Reporting
from ..contact.many.crowds import MANY, Crowd, Shared, numbered, shared, taken, words, words_for
from ..contact.records import ELEMENT, GEOMETRY, MEMORY, empty, flat
from .materials.pair_materials import PairMaterials

Records = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]


NOTHING: FlatTables = (flat(empty(ELEMENT, 0)), np.zeros(0), np.zeros(0), np.zeros(0))
"""Flat tables of no elements."""


class ElementList(Reporting):
    """Elements, their geometry and their memory, which a subclass sets and then calls `flatten`."""

    def __init__(self, materials: PairMaterials) -> None:
        self.materials = materials
        self.elements = empty(ELEMENT, 0)
        self.geometry = empty(GEOMETRY, 0)
        self.memory = empty(MEMORY, 0)
        self._flattened: Records | None = None
        self.flatten()

    def _show(self) -> None:
        """Have records and flat tables of all elements, which a subclass may keep otherwise in between."""

    @property
    def geometry(self) -> NDArray[Any]:
        """A record of GEOMETRY for each element."""
        self._show()
        return self._geometry

    @geometry.setter
    def geometry(self, records: NDArray[Any]) -> None:
        self._geometry = records

    @property
    def memory(self) -> NDArray[Any]:
        """A record of MEMORY for each element."""
        self._show()
        return self._memory

    @memory.setter
    def memory(self, records: NDArray[Any]) -> None:
        self._memory = records

    @property
    def tables(self) -> FlatTables:
        """Elements, geometry, materials and memory as flat tables for the kernels."""
        self._show()
        return self._flat_tables

    @tables.setter
    def tables(self, tables: FlatTables) -> None:
        self._flat_tables = tables

    def flatten(self) -> None:
        """Set the flat tables for the kernels; they stay the same objects as long as the arrays do."""
        records = self.elements, self.geometry, self.materials.records, self.memory
        known = self._flattened
        if known is not None and all(new is old for new, old in zip(records, known, strict=True)):
            return
        self._flattened = records
        self.tables: FlatTables = (
            flat(self.elements), flat(self.geometry), flat(self.materials.records), flat(self.memory)
        )  # fmt: skip

    @property
    def records(self) -> NDArray[Any]:
        """Materials as the kernel reads them."""
        return self.materials.records

    @property
    def laws(self) -> list[Material]:
        """The same materials as laws."""
        return self.materials.laws

    @property
    def masses(self) -> NDArray[np.float64]:
        """Least mass in kg of a body that each material was made for; not a number where that is not known."""
        return self.materials.masses

    @abstractmethod
    def rotation_space(self, bodies: int) -> NDArray[np.float64]:
        """Space for the rotation matrices of a number of bodies."""

    def _tables(self, bodies: int) -> tuple[NDArray[Any], ...]:
        """Arguments of the kernels after the state."""
        return self.rotation_space(bodies), *self.tables

    def differentiate(self, x: Floats, w: Floats, since: float, stiffness: Floats, damping: Floats) -> None:
        """Add K = -dQ/dx and R = -dQ/dv of all elements."""
        contact_jacobian(x, w, *self._tables(w.size // SPEED_WIDTH), since, stiffness, damping)


class LongList(ElementList):
    """Elements of which there may be very many: while forces are evaluated once per step, at its start, as a crowd.

    Geometry, memory and flat tables are made again for those who ask.

    Attributes:
        crowds: whether it may be a crowd: nobody changes its geometry or its materials in every step.
    """

    def __init__(self, materials: PairMaterials) -> None:
        self._crowd: Crowd | None = None
        self._long: Crowd | None = None
        self._long_for: Records | None = None
        self.crowds = True
        super().__init__(materials)

    @property
    def kept(self) -> NDArray[Any]:
        """What a commit writes: the memory as it is stored at present."""
        return self._memory if self._crowd is None else self._crowd.memory

    @property
    def nbytes(self) -> int:
        """Bytes of its elements, their geometry and their memory, and of what a parallel evaluation needs."""
        crowd = self._crowd or self._long
        if crowd is not None:
            return crowd.nbytes
        return self.elements.nbytes + self._geometry.nbytes + self._memory.nbytes + self.rotation_space(0).nbytes

    def _show(self) -> None:
        self.spread()

    @abstractmethod
    def kinds(self) -> NDArray[np.int64]:
        """A number for each element that only elements of equal geometry share."""

    def spread(self) -> None:
        """If the list is a crowd, have geometry and memory of each element again."""
        crowd = self._crowd
        if crowd is not None:
            self._crowd = None
            self._geometry = crowd.full_geometry()
            self._memory = crowd.full_memory()
            self.flatten()

    def gather(self) -> None:
        """Make a crowd of the list."""
        geometry = self._geometry
        memory = words(self._memory)[:, : words_for(self.records)].copy()
        self.be_crowd(Crowd(
            self.elements, shared(self.kinds(), lambda numbers: taken(geometry, numbers)), memory, self.records,
            self.rotation_space(0),
        ))  # fmt: skip

    def be_crowd(self, crowd: Crowd) -> None:
        """Use a crowd in place of geometry and memory of each element."""
        self._crowd = crowd
        self._geometry = empty(GEOMETRY, 0)
        self._memory = empty(MEMORY, 0)
        self._flattened = None
        self._flat_tables = NOTHING
        self._long = None

    @property
    def is_gathered(self) -> bool:
        """Whether it is a crowd now."""
        return self._crowd is not None

    def is_crowd(self, at: Instant) -> bool:
        """Whether it is or will be a crowd when forces at a state are asked for."""
        if not self.may_crowd(at) or not at.stepping:
            return False
        return self._crowd is not None or (at.commit and len(self.elements) >= MANY)

    def may_crowd(self, at: Instant) -> bool:
        """Whether forces are evaluated once per step, at its start, and the list may be a crowd."""
        return self.crowds and at.once and at.ahead == 0.0

    def _add_forces(self, at: Instant, q: Floats, totals: Floats, lines: NDArray[Any]) -> None:
        """Evaluate the elements, which have followed to the state."""
        if self._crowd is not None and not (self.may_crowd(at) and self._crowd.fits(self.records)):
            self.spread()
        if self._crowd is None and self.may_crowd(at) and at.commit and at.stepping and len(self.elements) >= MANY:
            self.gather()
        commits = at.commit and at.once and not len(lines)
        if self._crowd is not None and not commits:
            self._crowd.try_forces(at, self.records, q, totals, lines)
        elif commits and len(self.elements) >= MANY:
            (self._crowd or self._at_length()).add_forces(at, self.records, q, totals)
        else:
            super()._add_forces(at, q, totals, lines)

    def _at_length(self) -> Crowd:
        """The elements as they are, each with geometry and memory of its own, for a parallel evaluation."""
        if self._long is None or self._long_for is not self._flattened:
            rows = Shared(self._geometry, numbered(len(self.elements)))
            space = self.rotation_space(0)
            self._long = Crowd(self.elements, rows, words(self._memory), self.records, space)
            self._long_for = self._flattened
        return self._long
