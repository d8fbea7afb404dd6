"""Parameters of a scenario: what may be set, how it is read, and what is allowed."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace

from ..chrono.api.bridge import INTEGRATORS
from ..errors import ParameterError, UnknownNameError, finite

Value = float | int | bool | str

_OPERATORS: dict[type, Callable[..., float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.USub: operator.neg, ast.UAdd: operator.pos,
}  # fmt: skip
_NAMES = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}
_FUNCTIONS = {name: getattr(math, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "radians", "degrees")}


def evaluate(text: str) -> float:
    """The value of a plain expression such as -5*pi/8: numbers, pi, e, + - * / **, sqrt, sin and the like."""

    def value(node: ast.AST) -> float:
        match node:
            case ast.Expression(body=body):
                return value(body)
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return float(number)
            case ast.Name(id=name) if name in _NAMES:
                return _NAMES[name]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(left), value(right))
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(operand))
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
                return float(_FUNCTIONS[name](value(argument)))
        raise ParameterError(f"{text!r} is not a number or plain expression such as 0.1 or -5*pi/8")

    try:
        result = value(ast.parse(text.strip(), mode="eval"))
    except (SyntaxError, ArithmeticError, ValueError, RecursionError) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"{text!r} is not a number or plain expression such as 0.1 or -5*pi/8") from None
    if isinstance(result, complex):
        raise ParameterError(f"{text!r} is not a real number")
    return result


@dataclass(frozen=True)
class Parameter:
    """One thing about a scenario that a user may set.

    Attributes:
        default: its value unless set; its type decides how text is read.
        help: what it is. unit: SI unit.
        choices: allowed words, for a text parameter.
        minimum, maximum: allowed range; `above` excludes the minimum itself.
    """

    name: str
    default: Value
    help: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    above: bool = False

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

    def _switch(self, given: object) -> bool:
        words = {
            "true": True,
            "yes": True,
            "on": True,
            "1": True,
            "false": False,
            "no": False,
            "off": False,
            "0": False,
        }
        word = str(given).strip().lower()
        if word not in words:
            raise ParameterError(f"parameter {self.name} must be true or false, got {given!r}")
        return words[word]

    def _choice(self, given: object) -> str:
        word = str(given).strip().lower()
        if word not in self.choices:
            raise UnknownNameError(f"value of parameter {self.name}", word, self.choices)
        return word

    def _number(self, number: float) -> float | int:
        finite(f"parameter {self.name}", number)
        if isinstance(self.default, int) and number != int(number):
            raise ParameterError(f"parameter {self.name} must be a whole number, got {number:g}")
        too_low = self.minimum is not None and (number <= self.minimum if self.above else number < self.minimum)
        if too_low or (self.maximum is not None and number > self.maximum):
            raise ParameterError(f"parameter {self.name} must be {self.allowed()}, got {number:g}{self._unit()}")
        return int(number) if isinstance(self.default, int) else number

    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""

    def allowed(self) -> str:
        """The allowed values in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if self.choices:
            return " or ".join(self.choices)
        bounds = []
        if self.minimum is not None:
            bounds.append(f"{'greater than' if self.above else 'at least'} {self.minimum:g}{self._unit()}")
        if self.maximum is not None:
            bounds.append(f"at most {self.maximum:g}{self._unit()}")
        return " and ".join(bounds) or f"any number{' in' + self._unit() if self.unit else ''}"

    def described(self) -> str:
        """What it is, what is allowed unless that names every choice, and its default."""
        words = re.findall(r"\w+", self.help.lower())
        told = self.choices and all(choice in words for choice in self.choices)
        default = str(self.default).lower() if isinstance(self.default, bool) else self.default
        return f"{self.help}{'' if told else '; ' + self.allowed()} (default {default}{self._unit()})"


def read_parameters(known: Iterable[Parameter], given: Mapping[str, object]) -> SimpleNamespace:
    """All parameters as attributes: the given ones checked, the others at their defaults."""
    table = {parameter.name: parameter for parameter in known}
    for name in given:
        if name not in table:
            raise UnknownNameError("parameter", name, table)
    return SimpleNamespace(**{n: p.read(given[n]) if n in given else p.default for n, p in table.items()})


STEP_HELP = "integration step"


def step(default: float) -> Parameter:
    """The integration step, as every scenario has one."""
    return Parameter("step", default, STEP_HELP, "s", minimum=0.0, above=True)


def mass(default: float, name: str = "mass", help: str = "mass of the body") -> Parameter:
    """A mass."""
    return Parameter(name, default, help, "kg", minimum=0.0, above=True)


def duration(default: float) -> Parameter:
    """The length of the run."""
    return Parameter("time", default, "length of the run", "s", minimum=0.0, above=True)


def integrator(default: str) -> Parameter:
    """Chrono's integrator, as every scenario has one on that engine."""
    return Parameter("integrator", default, "integrator, on the chrono engine only", choices=tuple(INTEGRATORS))
