"""What the function of a user law does with its parameters, read from its bytecode, and where numba refuses it."""

from __future__ import annotations

import dis
import inspect
import os
import re
from collections.abc import Callable
from itertools import zip_longest
from types import ModuleType
from typing import Any, NamedTuple

_REASON = re.compile(r"(Unknown attribute|No conversion|No implementation|Cannot|Invalid|NameError|.*not )")
_PLAIN = re.compile(r"Untyped global name '(\w+)'.*<class 'function'>")
_OF_MODULE = re.compile(r"Unknown attribute '(\w+)' of type Module")


class ParameterUse(NamedTuple):
    """One use of the parameters p in a function.

    Attributes:
        line: line of the file. attribute: name that is read as p.name, or None. item: text of i in p[i], or None.
    """

    line: int
    attribute: str | None
    item: str | None


def parameters_of(function: Callable[..., Any]) -> str:
    """Name of the last argument of a function, which holds the parameters of the law."""
    return list(inspect.signature(function).parameters)[-1]


def parameter_uses(function: Callable[..., Any]) -> list[ParameterUse]:
    """All uses of the parameters in a function, in the order of its bytecode."""
    p = parameters_of(function)
    line = function.__code__.co_firstlineno
    starts = dict(dis.findlinestarts(function.__code__))
    steps = [step for step in dis.get_instructions(function) if step.opname != "EXTENDED_ARG"]
    uses = []
    for step, second, third in zip_longest(steps, steps[1:], steps[2:]):
        line = starts.get(step.offset) or line
        loaded = step.argval if step.opname.startswith("LOAD_FAST") else None
        if loaded == p or (isinstance(loaded, tuple) and loaded[-1] == p):
            attribute = str(second.argval) if second.opname in ("LOAD_ATTR", "LOAD_METHOD") else None
            by_item = attribute is None and _subscripts(third)
            uses.append(ParameterUse(line, attribute, second.argrepr if by_item else None))
        elif isinstance(loaded, tuple) and p in loaded:
            uses.append(ParameterUse(line, None, None))
    return uses


def _subscripts(step: dis.Instruction | None) -> bool:
    """Whether an instruction takes an item by its index or key."""
    if step is None:
        return False
    return step.opname == "BINARY_SUBSCR" or (step.opname == "BINARY_OP" and step.argrepr == "[]")


def attributes_read(function: Callable[..., Any]) -> list[str]:
    """Names of the attributes that a function reads from its last argument, in the order of first use."""
    return list(dict.fromkeys(use.attribute for use in parameter_uses(function) if use.attribute is not None))


def passes_on(function: Callable[..., Any]) -> bool:
    """Whether a function gives its parameters to something else, so that the names it needs cannot be known."""
    shared = parameters_of(function) in function.__code__.co_cellvars
    return shared or any(use.attribute is None for use in parameter_uses(function))


def explained(law: str, function: Callable[..., Any], message: str) -> str:
    """The message for a function that numba does not compile: the law, the line, and the reason."""
    code = function.__code__
    quoted = re.findall(r'File "([^"]*)", line (\d+)', message)
    lines = [int(line) for path, line in quoted if os.path.basename(path) == os.path.basename(code.co_filename)]
    where = f"line {lines[-1] if lines else _line_of_unknown_name(function, message)} of {code.co_filename}"
    helper = _plain_helper(function, message)
    if helper is not None:
        return f"law {law!r} calls {helper!r} at {where}, which is not compiled: decorate {helper!r} with numba.njit"
    report = [text.strip() for text in message.splitlines() if text.strip()]
    reasons = [text for text in report if _REASON.match(text)]
    reason = (reasons or report[-1:])[0].rstrip(".:")
    return f"law {law!r} does not compile, at {where}: {reason}"


def _plain_helper(function: Callable[..., Any], message: str) -> str | None:
    """Name of the plain Python function that numba could not call, or None if that is not the reason."""
    plain = _PLAIN.search(message)
    if plain is not None:
        return plain[1]
    of_module = _OF_MODULE.search(message)
    if of_module is None:
        return None
    known = inspect.getclosurevars(function)
    modules = [value for value in (*known.globals.values(), *known.nonlocals.values()) if isinstance(value, ModuleType)]
    return of_module[1] if any(inspect.isfunction(getattr(module, of_module[1], None)) for module in modules) else None


def _line_of_unknown_name(function: Callable[..., Any], message: str) -> int:
    """The line on which a function uses a name that is not defined, or else its first line."""
    line = function.__code__.co_firstlineno
    unknown = re.search(r"name '(\w+)' is not defined", message)
    if unknown is None:
        return line
    starts = dict(dis.findlinestarts(function.__code__))
    for instruction in dis.get_instructions(function):
        line = starts.get(instruction.offset) or line
        if instruction.opname == "LOAD_GLOBAL" and instruction.argval == unknown[1]:
            return line
    return function.__code__.co_firstlineno
