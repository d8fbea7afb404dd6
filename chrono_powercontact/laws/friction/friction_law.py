"""What every law of friction offers: the one abstract class that the built-in and the users' laws share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from .anchor import Anchor
from .memory import LTIFilter

Memory = LTIFilter | Anchor | None
"""What remembers a friction force: a filter, an anchor, or nothing."""


class FrictionLaw(ABC):
    """A law of the friction force along the sliding velocity.

    A law is a small frozen dataclass. With its memory it becomes a record (`friction_table.friction_record`), which is
    what compiled engines read.
    """

    in_contacts: ClassVar[bool] = True
    """Whether the normal force of a contact may scale it."""

    in_joints: ClassVar[bool] = False
    """Whether it may act alone, in a joint or at a friction point."""

    takes_memory: ClassVar[bool] = False
    """Whether a filter or an anchor may remember it."""

    @abstractmethod
    def slot(self, memory: Memory) -> str:
        """Name of the slot of a record that the law fills; it decides which kernels evaluate it."""

    @abstractmethod
    def fill(self, slot: Any, memory: Memory) -> None:
        """Write the law's numbers into its slot."""


def fill_by_name(slot: Any, source: object, names: tuple[str, ...]) -> None:
    """Write attributes by name into a slot of a record."""
    for name in names:
        slot[name] = getattr(source, name)
