"""The numbers of laws by name: what a force or a run may be differentiated by."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass, replace
from typing import Any

from .friction.user_friction import UserFriction
from .material import Material
from .normal.user_normal import UserNormal

PARTS = ("normal", "friction", "memory", "rolling", "spinning")
"""Laws of a material."""


def is_user_law(law: object) -> bool:
    """Whether a law is a user's function, which has no derivatives."""
    return isinstance(law, UserNormal | UserFriction)


def law_numbers(law: Any) -> dict[str, float]:
    """Fields of a law that are finite numbers; none of a user's function."""
    if not is_dataclass(law) or is_user_law(law):
        return {}
    values = {item.name: getattr(law, item.name) for item in fields(law)}
    return {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, float | int) and not isinstance(value, bool) and math.isfinite(value)
    }


def material_numbers(material: Material) -> dict[tuple[str, str], float]:
    """Numbers of all laws of a material, by part and name."""
    return {
        (part, name): value for part in PARTS for name, value in law_numbers(getattr(material, part)).items()
    }  # fmt: skip


def with_number(material: Material, part: str, name: str, value: float) -> Material:
    """A material with another number of one of its laws."""
    changed: dict[str, Any] = {part: replace(getattr(material, part), **{name: value})}
    return replace(material, **changed)
