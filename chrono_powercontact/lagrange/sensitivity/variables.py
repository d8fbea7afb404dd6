"""What a run may be differentiated by: parameters of the model, numbers of its laws, and its start.

"m"              a parameter of the model
"r_d"            a number of a law; where several laws have it with the same value, all of them at once
"barrier.r_d"    that of one point
"s(0)"           the start of a coordinate, a velocity or a memory, by the name of its column
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError, UnknownNameError
from ...laws.law_numbers import PARTS, is_user_law, law_numbers, with_number
from ..layout import LEDGER_NAMES
from ..system import System

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """A system with its start: what a run begins with."""

    system: System
    start: Array


@dataclass(frozen=True)
class Variable:
    """One number that a run begins with.

    Attributes:
        names: by which it may be asked for, the shortest first and the unmistakable one last.
        value: what it is now.
    """

    names: tuple[str, ...]
    value: float

    def put(self, setting: Setting, value: float) -> Setting:
        """The setting with another value."""
        raise NotImplementedError


@dataclass(frozen=True)
class ModelParameter(Variable):
    """A parameter of the model."""

    def put(self, setting: Setting, value: float) -> Setting:
        """The setting with another value."""
        parameters = {**setting.system.parameters, self.names[0]: value}
        return replace(setting, system=replace(setting.system, parameters=parameters))


@dataclass(frozen=True)
class StartValue(Variable):
    """An entry of the state at the start."""

    index: int

    def put(self, setting: Setting, value: float) -> Setting:
        """The setting with another value."""
        start = setting.start.copy()
        start[self.index] = value
        return replace(setting, start=start)


@dataclass(frozen=True)
class LawNumber(Variable):
    """A number of a law: `table` of the system, `point` in it, `part` of a material, `field` of the law."""

    table: str
    point: str
    part: str
    field: str

    def put(self, setting: Setting, value: float) -> Setting:
        """The setting with another value."""
        table = dict(getattr(setting.system, self.table))
        held = table[self.point]
        if self.part:
            table[self.point] = with_number(held, self.part, self.field, value)
        else:
            table[self.point] = replace(held, **{self.field: value})
        changed: dict[str, Any] = {self.table: table}
        return replace(setting, system=replace(setting.system, **changed))


def _law_numbers(table: str, laws: Mapping[str, Any]) -> Iterator[LawNumber]:
    """Numbers of the laws in a table of a system."""
    for point, held in laws.items():
        parts = PARTS if table == "contacts" else ("",)
        for part in parts:
            law = getattr(held, part) if part else held
            middle = part or table
            for name, value in law_numbers(law).items():
                names = (name, f"{point}.{name}", f"{point}.{middle}.{name}")
                yield LawNumber(names, value, table, point, part, name)


def variables(setting: Setting) -> list[Variable]:
    """All numbers by which a run from this setting may be differentiated."""
    system = setting.system
    found: list[Variable] = [
        ModelParameter((name,), float(system.parameters[name])) for name in (s.name for s in system.model.parameters)
    ]
    for table in ("contacts", "frictions", "memories", "coordinate_memory"):
        found += _law_numbers(table, getattr(system, table) or {})
    names = system.columns[1 : 1 + system.state_size - len(LEDGER_NAMES)]
    found += [StartValue((f"{name}(0)",), float(setting.start[i]), i) for i, name in enumerate(names)]
    return found


def chosen(setting: Setting, name: str) -> list[Variable]:
    """The numbers that a name means; all of them have the same value and are varied together."""
    known = variables(setting)
    meant = [variable for variable in known if name in variable.names]
    if not meant:
        raise UnknownNameError("parameter to differentiate by", name, {v.names[0] for v in known})
    if len({variable.value for variable in meant}) > 1:
        full = ", ".join(variable.names[min(1, len(variable.names) - 1)] for variable in meant)
        raise ParameterError(f"parameter {name!r} has several values in this system: name one of {full}")
    return meant


def varied(setting: Setting, meant: list[Variable], value: float) -> Setting:
    """The setting with another value of what a name means."""
    for variable in meant:
        setting = variable.put(setting, value)
    return setting


def has_user_law(system: System) -> str | None:
    """Name of a point whose law is a user's function, which has no derivatives; None where there is none."""
    for table in (system.contacts, system.frictions):
        for point, held in table.items():
            laws = [getattr(held, part) for part in PARTS] if table is system.contacts else [held]
            if any(is_user_law(law) for law in laws):
                return point
    return None
