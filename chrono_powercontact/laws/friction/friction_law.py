"""The abstract base class of all friction laws, built-in laws and user laws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from .anchor import Anchor
from .memory import LTIFilter

Memory = LTIFilter | Anchor | None
"""The memory of a friction force: a filter, an anchor, or none."""


class FrictionLaw(ABC):
    """A friction law: a force along the sliding velocity.

    A law is a small frozen dataclass. With its memory it becomes a record (`friction_table.friction_record`), which
    compiled engines read.
    """

    in_contacts: ClassVar[bool] = True
    """Whether it may act in a contact, scaled by the normal force."""

    in_joints: ClassVar[bool] = False
    """Whether it may act alone, in a joint or at a friction point."""

    takes_memory: ClassVar[bool] = False
    """Whether it may have a filter or an anchor."""

    @abstractmethod
    def slot(self, memory: Memory) -> str:
        """Name of the slot of a record that the law fills; it selects the kernels that evaluate the law."""

    @abstractmethod
    def fill(self, slot: Any, memory: Memory) -> None:
        """Write the parameters of the law into its slot."""


def fill_by_name(slot: Any, source: object, names: tuple[str, ...]) -> None:
    """Write attributes by name into a slot of a record."""
    for name in names:
        slot[name] = getattr(source, name)
