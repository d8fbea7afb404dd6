"""What was chosen for the contacts of a system, and why: a readable table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ....laws.material import Material
from ....laws.material_design import Chosen


@dataclass(frozen=True)
class MaterialRow:
    """The material between two bodies, and between all others like them.

    Attributes:
        bodies: names of the first two bodies that met with it. material: its laws.
        numbers: each number of its design by name, with unit and source; empty for a material that was given.
    """

    bodies: tuple[str, ...]
    material: Material
    numbers: Mapping[str, Chosen] = field(default_factory=dict)

    def __getitem__(self, name: str) -> float:
        """The value of a number of the design."""
        return self.numbers[name].value

    def __str__(self) -> str:
        lines = [" and ".join(self.bodies)]
        if not self.numbers:
            return f"{lines[0]}\n  {self.material}"
        for name, chosen in self.numbers.items():
            lines.append(f"  {name:12} {f'{chosen.value:.4g} {chosen.unit}':14} {chosen.source}")
        return "\n".join(lines)


@dataclass(frozen=True)
class MaterialTable:
    """The materials in use, one row for each; print it."""

    rows: tuple[MaterialRow, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[MaterialRow]:
        return iter(self.rows)

    def __getitem__(self, number: int) -> MaterialRow:
        return self.rows[number]

    def __repr__(self) -> str:
        return "\n".join(str(row) for row in self.rows) or "no bodies have come near each other yet"
