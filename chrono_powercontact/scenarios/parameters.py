"""Parameters of a scenario: what may be set, how it is read, and what is allowed.

The parameters of a scenario are one frozen dataclass. Each field is declared by `number`, `count`, `switch` or
`choice`, which keep unit, range and help as metadata of the field:

    @dataclass(frozen=True)
    class BallParameters(Stepped):
        speed: float = number(1.0, "impact speed", "m/s", above=0.0)
        law: str = choice("power", "contact law", LAWS)
        step: float = time_step(1e-5)

What several scenarios share is a base class (see `groups`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from inspect import get_annotations
from typing import Any, Generic, TypeVar

from ..chrono.api.bridge import INTEGRATORS
from ..errors import ParameterError, UnknownNameError, finite
from .expressions import evaluate

Value = float | int | bool | str
P = TypeVar("P", bound="Parameters")
V = TypeVar("V")

REFERENCE = "reference"
CHRONO = "chrono"
"""Names of the two engines."""

SWITCHES = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
"""Words for a parameter that is true or false."""

_PARAMETER = "parameter"
"""Key of the metadata of a field under which its `Parameter` is kept."""

_INHERITED = "inherited"
"""Name in a class body that says where the parameters of the base classes are listed."""


@dataclass(frozen=True)
class Parameter:
    """One thing about a scenario that a user may set.

    Attributes:
        name: as it is set with --set.
        default: its value unless set; its type decides how text is read.
        help: what it is.
        unit: SI unit.
        choices: allowed words, for a text parameter; without any it may be every text, such as a path.
        above: values must be greater than this.
        minimum: least allowed value.
        maximum: largest allowed value.
        chrono_default: the default on Chrono, where it differs.
        chrono_only: whether the reference engine does not have it.
    """

    name: str
    default: Value
    help: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    above: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    chrono_default: Value | None = None
    chrono_only: bool = False

    def read(self, given: object) -> Value:
        """The value of a text or Python object, checked."""
        if isinstance(self.default, bool):
            return self._switch(given)
        if isinstance(self.default, str):
            return self._choice(given)
        try:
            number = evaluate(given) if isinstance(given, str) else finite(self.name, given)  # type: ignore[arg-type]
        except ParameterError as error:
            raise ParameterError(f"parameter {self.name}: {error}") from None
        return self._number(number)

    def on_chrono(self) -> Parameter:
        """The parameter with its default on Chrono."""
        if self.chrono_default is None:
            return self
        return replace(self, default=self.chrono_default)

    def allowed(self) -> str:
        """The allowed values in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if self.choices:
            return " or ".join(self.choices)
        if isinstance(self.default, str):
            return "any text"
        bounds = []
        if self.above is not None:
            bounds.append(f"greater than {self.above:g}{self._unit()}")
        if self.minimum is not None:
            bounds.append(f"at least {self.minimum:g}{self._unit()}")
        if self.maximum is not None:
            bounds.append(f"at most {self.maximum:g}{self._unit()}")
        return " and ".join(bounds) or f"any number{' in' + self._unit() if self.unit else ''}"

    def described(self) -> str:
        """What it is, what is allowed unless the help names every choice, and its default."""
        words = re.findall(r"\w+", self.help.lower())
        choices_named = bool(self.choices) and all(choice in words for choice in self.choices)
        allowed = "" if choices_named else f"; {self.allowed()}"
        default = str(self.default).lower() if isinstance(self.default, bool) else self.default
        if self.default == "":
            return self.help
        return f"{self.help}{allowed} (default {default}{self._unit()})"

    def _switch(self, given: object) -> bool:
        word = str(given).strip().lower()
        if word not in SWITCHES:
            raise ParameterError(f"parameter {self.name} must be true or false, got {given!r}")
        return SWITCHES[word]

    def _choice(self, given: object) -> str:
        if not self.choices:
            return str(given).strip()
        word = str(given).strip().lower()
        if word not in self.choices:
            raise UnknownNameError(f"value of parameter {self.name}", word, self.choices)
        return word

    def _number(self, number: float) -> float | int:
        finite(f"parameter {self.name}", number)
        if isinstance(self.default, int) and number != int(number):
            raise ParameterError(f"parameter {self.name} must be a whole number, got {number:g}")
        if not self._in_range(number):
            raise ParameterError(f"parameter {self.name} must be {self.allowed()}, got {number:g}{self._unit()}")
        return int(number) if isinstance(self.default, int) else number

    def _in_range(self, number: float) -> bool:
        if self.above is not None and number <= self.above:
            return False
        if self.minimum is not None and number < self.minimum:
            return False
        return self.maximum is None or number <= self.maximum

    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""


def declared(parameter: Parameter) -> Any:
    """A field of a dataclass of parameters; it takes its name from the field."""
    return field(default=parameter.default, metadata={_PARAMETER: parameter})


def number(
    default: float,
    help: str,
    unit: str = "",
    *,
    above: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    on_chrono: float | None = None,
) -> float:
    """A field that is a number: greater than `above`, at least `minimum`, at most `maximum`."""
    parameter = Parameter("", default, help, unit, (), above, minimum, maximum, on_chrono)
    value: float = declared(parameter)
    return value


def count(default: int, help: str, *, minimum: int | None = None, maximum: int | None = None) -> int:
    """A field that is a whole number."""
    value: int = declared(Parameter("", default, help, minimum=minimum, maximum=maximum))
    return value


def switch(default: bool, help: str) -> bool:
    """A field that is true or false."""
    value: bool = declared(Parameter("", default, help))
    return value


def choice(default: str, help: str, choices: tuple[str, ...], on_chrono: str | None = None) -> str:
    """A field that is one of some words."""
    value: str = declared(Parameter("", default, help, choices=choices, chrono_default=on_chrono))
    return value


def text(default: str, help: str) -> str:
    """A field that is any text, such as a path."""
    value: str = declared(Parameter("", default, help))
    return value


def fixed(value: V) -> V:
    """A field that no user may set, for a scenario that takes part of another one's parameters as constants."""
    constant: V = field(default=value, init=False)
    return constant


STEP_HELP = "integration step"


def time_step(default: float, on_chrono: float | None = None) -> float:
    """The integration step in s."""
    return number(default, STEP_HELP, "s", above=0.0, on_chrono=on_chrono)


def run_length(default: float, on_chrono: float | None = None) -> float:
    """The length of a run in s."""
    return number(default, "length of the run", "s", above=0.0, on_chrono=on_chrono)


def mass_of(default: float, help: str = "mass of the body") -> float:
    """A mass in kg."""
    return number(default, help, "kg", above=0.0)


def chrono_integrator(default: str) -> str:
    """Chrono's integrator, by the names of `chrono.api.INTEGRATORS`."""
    help = "integrator, on the chrono engine only"
    value: str = declared(Parameter("", default, help, choices=tuple(INTEGRATORS), chrono_only=True))
    return value


@dataclass(frozen=True)
class Parameters:
    """Base of the parameters of every scenario.

    They are listed in the order of the class body. Those of the base classes come where the body says
    `inherited: ClassVar[None]`, else first. The integrator comes last and belongs to Chrono alone. Where several base
    classes have a field of the same name, that of the first one counts.
    """

    integrator: str = chrono_integrator("runge_kutta")


@dataclass(frozen=True)
class Stepped(Parameters):
    """Parameters of a scenario with an integration step in s."""

    step: float = time_step(1e-4)


@dataclass(frozen=True)
class Timed(Stepped):
    """Parameters of a scenario with an integration step and a length, both in s."""

    time: float = run_length(1.0)


@dataclass(frozen=True)
class Known(Generic[P]):
    """The parameters that a scenario has on an engine.

    Attributes:
        kind: the dataclass that declares them.
        engine: "reference" or "chrono".
    """

    kind: type[P]
    engine: str = REFERENCE

    def __iter__(self) -> Iterator[Parameter]:
        """The parameters in the order in which they are listed."""
        for parameter in _listed(self.kind):
            if self.engine == CHRONO:
                yield parameter.on_chrono()
            elif not parameter.chrono_only:
                yield parameter

    def read(self, given: Mapping[str, object]) -> P:
        """All parameters: the given ones checked, the others at their defaults."""
        table = {parameter.name: parameter for parameter in self}
        for name in given:
            if name not in table:
                raise UnknownNameError("parameter", name, table)
        values: dict[str, Any] = {}
        for name, parameter in table.items():
            values[name] = parameter.read(given[name]) if name in given else parameter.default
        return self.kind(**values)

    def values(self, p: P) -> dict[str, Value]:
        """The values of some parameters by name, as params.json holds them."""
        return {parameter.name: getattr(p, parameter.name) for parameter in self}


def read_parameters(known: type[P] | Known[P], given: Mapping[str, object]) -> P:
    """All parameters of a scenario: the given ones checked, the others at their defaults.

    Args:
        known: `scenario.parameters` for the reference engine, or `scenario.parameters_on(engine)`.
        given: values or texts by name.
    """
    declared_on = known if isinstance(known, Known) else Known(known)
    return declared_on.read(given)


def _listed(kind: type[Parameters]) -> list[Parameter]:
    """The parameters of a dataclass in the order in which they are listed."""
    declarations = {item.name: item.metadata.get(_PARAMETER) for item in fields(kind)}
    found = []
    for name in _names(kind):
        parameter = declarations.get(name)
        if parameter is not None:
            found.append(replace(parameter, name=name))
    return sorted(found, key=lambda parameter: parameter.chrono_only)


def _names(kind: type[Parameters]) -> list[str]:
    """Names in the order of the class bodies, those of the base classes where they are inherited."""
    own = list(get_annotations(kind))
    if _INHERITED not in own:
        own.insert(0, _INHERITED)
    names: list[str] = []
    for name in own:
        if name != _INHERITED:
            names.append(name)
            continue
        for base in kind.__bases__:
            if issubclass(base, Parameters):
                names += [item for item in _names(base) if item not in own]
    return list(dict.fromkeys(names))
