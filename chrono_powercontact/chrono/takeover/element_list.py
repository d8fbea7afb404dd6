"""Contact elements whose number changes from step to step, with the materials of pairs: a part of the load."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...laws.material import Material
from ..contact.bodies import SPEED_WIDTH
from ..contact.contact_jacobian import contact_jacobian
from ..contact.contact_table import FlatTables, Floats, Reporting
from ..contact.records import ELEMENT, GEOMETRY, MEMORY, empty, flat
from .materials.pair_materials import PairMaterials

Records = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]


class ElementList(Reporting):
    """Elements, their geometry and their memory, which a subclass sets and then calls `flatten`."""

    def __init__(self, materials: PairMaterials) -> None:
        self.materials = materials
        self.elements = empty(ELEMENT, 0)
        self.geometry = empty(GEOMETRY, 0)
        self.memory = empty(MEMORY, 0)
        self._flattened: Records | None = None
        self.flatten()

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

    @abstractmethod
    def rotation_space(self, bodies: int) -> NDArray[np.float64]:
        """Space for the rotation matrices of a number of bodies."""

    def _tables(self, bodies: int) -> tuple[NDArray[Any], ...]:
        """Arguments of the kernels after the state."""
        return self.rotation_space(bodies), *self.tables

    def differentiate(self, x: Floats, w: Floats, since: float, stiffness: Floats, damping: Floats) -> None:
        """Add K = -dQ/dx and R = -dQ/dv of all elements."""
        contact_jacobian(x, w, *self._tables(w.size // SPEED_WIDTH), since, stiffness, damping)
