"""Errors of this package; each message is one sentence that names the value and what is allowed."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable

LIKE, NEAR = 0.8, 0.65
"""Least difflib similarity for a suggestion: of any name, and of a name with the same first letter."""


class PowerContactError(Exception):
    """Base class of every error that this package raises on purpose."""


class ParameterError(PowerContactError, ValueError):
    """A parameter has a value that the physics does not allow."""


class UnknownNameError(PowerContactError, KeyError):
    """A name that is not known; the message suggests the closest one."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        self.kind, self.name, self.known = kind, name, tuple(names)
        same_start = [other for other in names if other[:1] == name[:1]]
        near = difflib.get_close_matches(name, names, 1, LIKE) or difflib.get_close_matches(name, same_start, 1, NEAR)
        hint = f"did you mean {near[0]!r}? " if near else ""
        self.message = f"unknown {kind} {name!r}: {hint}allowed: {', '.join(names) or 'none'}"
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[type, tuple[str, str, tuple[str, ...]]]:
        return type(self), (self.kind, self.name, self.known)


class SystemChangedError(PowerContactError):
    """A Chrono system no longer fits its attachment: a body left it, its state or a law is not finite."""


class StateError(SystemChangedError):
    """The state of a body of a Chrono system is no longer finite."""


class LawError(SystemChangedError):
    """A law gave a force that is not a finite number while a Chrono system was running."""


class ModelError(PowerContactError):
    """A symbolic model that does not describe a mechanical system."""


class NoFeasibleForceError(PowerContactError):
    """No contact force within its friction cone keeps the balance: the bodies must move."""


class DivergedError(PowerContactError):
    """A run produced values that are not finite; what was recorded before is kept.

    Attributes:
        trajectory: the rows up to the last finite one, or None.
    """

    def __init__(self, message: str, trajectory: object | None = None) -> None:
        super().__init__(message)
        self.trajectory = trajectory


def shown(value: object) -> str:
    """A value as messages show it: numbers, text and sequences as they are, a class as such, any other by its type."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    plain = isinstance(value, str | int | float | complex | tuple | list | dict) or hasattr(value, "tolist")
    return repr(value) if plain or value is None else type(value).__name__


def finite(name: str, value: float) -> float:
    """The value as a float; raises unless it is a finite number."""
    try:
        if isinstance(value, str):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be a number, got {shown(value)}") from None
    if not math.isfinite(number):
        raise ParameterError(f"{name} must be a finite number, got {number}")
    return number


def positive(name: str, value: float) -> float:
    """The value as a float; raises unless it is finite and greater than zero."""
    number = finite(name, value)
    if not number > 0.0:
        raise ParameterError(f"{name} must be greater than 0, got {number:g}")
    return number


def not_negative(name: str, value: float) -> float:
    """The value as a float; raises unless it is finite and not negative."""
    number = finite(name, value)
    if number < 0.0:
        raise ParameterError(f"{name} must not be negative, got {number:g}")
    return number
