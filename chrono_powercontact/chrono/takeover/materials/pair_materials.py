"""The material between two bodies: one for all, or chosen by their names, or by a function of the user."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError, UnknownNameError
from ....laws.material import Material
from ...contact.contact_table import material_record
from ...contact.readings import body_name
from ...contact.records import MATERIAL, empty
from .material_table import MaterialRow, MaterialTable

Rule = Callable[[Any, Any], Material | None]
Choice = Mapping[tuple[str, str], Material] | Rule | None
"""Materials by the names of two bodies in either order, or a symmetric function of two bodies; None: one for all."""


def _checked(material: Any) -> Material:
    if not isinstance(material, Material):
        raise ParameterError(f"material must be a Material, got {type(material).__name__}")
    return material


def rule_by_names(choice: Mapping[tuple[str, str], Material], known: Iterable[str]) -> Rule:
    """The rule that a mapping of pairs of names describes."""
    names = set(known)
    materials = {}
    for key, material in choice.items():
        if not (isinstance(key, tuple) and len(key) == 2):
            raise ParameterError(f"each key of pairs must be a tuple of two body names, got {key!r}")
        for name in key:
            if name not in names:
                raise UnknownNameError("body", str(name), names)
        materials[frozenset(key)] = _checked(material)
    return lambda a, b: materials.get(frozenset((body_name(a), body_name(b))))


class PairMaterials:
    """Materials as records for the kernel, and the choice between two bodies."""

    def __init__(self, default: Material | None, rule: Rule | None = None) -> None:
        self._rule = rule
        self._slots: dict[Material, int] = {}
        self.records = empty(MATERIAL, 0)
        self._known = np.zeros(0, np.int64)
        self._chosen = np.zeros(0, np.int64)
        if default is not None:
            self._slot(default)

    def survey(self, bodies: Sequence[Any]) -> None:
        """Look at all bodies that may touch before their shapes are used; raises if something is not allowed."""

    def outgrown(self) -> bool:
        """Whether the step has become too long for the materials, so that `slots` must be asked again."""
        return False

    def surface_of(self, shape: Any) -> int:
        """Number of the surface of a collision shape."""
        return 0

    def table(self) -> MaterialTable:
        """The materials that are in use, as a readable table."""
        return MaterialTable(tuple(MaterialRow(("all bodies",), law) for law in self.laws))

    @property
    def reach(self) -> float:
        """Largest gap in m at which any of the materials acts."""
        return float(self.records["reach"].max())

    @property
    def used_reach(self) -> float:
        """The same for materials that are in use; infinite if there are none yet."""
        return self.reach

    @property
    def smallest(self) -> float:
        """Smallest half width of a shape in m; 0 where sizes do not matter."""
        return 0.0

    @property
    def masses(self) -> NDArray[np.float64]:
        """Least mass in kg of a body that each material was made for; not a number where that is not known."""
        return np.full(len(self.records), np.nan)

    @property
    def laws(self) -> list[Material]:
        """The materials in the order of their records."""
        return list(self._slots)

    def forget(self) -> None:
        """Apply the rule again to all pairs."""
        self._known = np.zeros(0, np.int64)
        self._chosen = np.zeros(0, np.int64)

    def slots(
        self, first: NDArray[np.int64], second: NDArray[np.int64], bodies: list[Any],
        surfaces: NDArray[np.int64] | None = None,
    ) -> NDArray[np.int64]:  # fmt: skip
        """Number of the material for each pair of bodies; the rule is called once for each pair.

        Args:
            surfaces: numbers of the surfaces of each pair, for materials that are designed from these.
        """
        if self._rule is None:
            return np.zeros(len(first), np.int64)
        keys = (np.minimum(first, second) << 32) | np.maximum(first, second)
        new = np.setdiff1d(keys, self._known)
        if new.size:
            chosen = [self._choose(bodies[key >> 32], bodies[key & 0xFFFFFFFF]) for key in new.tolist()]
            known = np.append(self._known, new)
            slots = np.append(self._chosen, np.array(chosen, np.int64))
            order = np.argsort(known)
            self._known = known[order]
            self._chosen = slots[order]
        return self._chosen[np.searchsorted(self._known, keys)]

    def _choose(self, a: Any, b: Any) -> int:
        material = self._rule(a, b) if self._rule is not None else None
        return 0 if material is None else self._slot(_checked(material))

    def _slot(self, material: Material) -> int:
        if material not in self._slots:
            self.records = np.append(self.records, material_record(_checked(material)))
            self._slots[material] = len(self._slots)
        return self._slots[material]
