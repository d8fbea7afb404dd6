"""A user law: a Python function with named parameters, compiled once and called by its address.

The function takes two quantities and `p`, whose attributes are the parameters of the law. It may use anything
that numba compiles. It is compiled when the first law is made from it, once per process, and kept until the process
ends.
"""

from __future__ import annotations

import dis
import inspect
import math
import os
import re
from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from numba import carray, cfunc, njit, types
from numba.core.errors import NumbaError

from ..errors import ParameterError, finite
from .function_pointer import MOST_NUMBERS

_ENTRY = types.float64(types.float64, types.float64, types.CPointer(types.float64))
_REASON = re.compile(r"(Unknown attribute|No conversion|No implementation|Cannot|Invalid|NameError|.*not )")
_NAMED = re.compile(r"[A-Za-z]\w*")


def check_function(what: str, function: Callable[..., Any], arguments: str) -> None:
    """Raise unless a function takes the required number of arguments; the last one holds the parameters."""
    if not inspect.isfunction(function):
        raise ParameterError(f"{what} must be a Python function of {arguments}, got {function!r}")
    wanted = arguments.count(",") + 1
    got = list(inspect.signature(function).parameters)
    if len(got) != wanted:
        raise ParameterError(f"{what} {function.__name__!r} must take {arguments}, got ({', '.join(got)})")


def refuse_unnamed(name: str, values: tuple[float, ...]) -> None:
    """Raise if a law is given parameters without their names."""
    if values:
        raise ParameterError(f"give the parameters of law {name!r} by name, such as {name}(s_0=0.0), got {values}")


def attributes_read(function: Callable[..., Any]) -> list[str]:
    """Names of the attributes that a function reads from its last argument, in the order of first use."""
    p = list(inspect.signature(function).parameters)[-1]
    found: dict[str, None] = {}
    on_top = False
    for instruction in dis.get_instructions(function):
        if on_top and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            found[str(instruction.argval)] = None
        loaded = instruction.argval if instruction.opname.startswith("LOAD_FAST") else None
        on_top = loaded == p or (isinstance(loaded, tuple) and loaded[-1] == p)
    return list(found)


def checked_numbers(
    name: str, functions: tuple[Callable[..., Any] | None, ...], numbers: Mapping[str, float]
) -> tuple[tuple[str, float], ...]:
    """The named parameters of a law; raises unless each is finite and all that the functions read are given.

    They are in the order of first use, followed by unused ones in the order of their names. Laws with equal parameters
    are therefore equal, whatever order the user gives.
    """
    read = [word for function in functions if function is not None for word in attributes_read(function)]
    needed = list(dict.fromkeys(read))
    missing = [word for word in needed if word not in numbers]
    if missing:
        call = ", ".join(f"{word}=..." for word in missing)
        raise ParameterError(f"law {name!r} needs a value for {', '.join(missing)}: call {name}({call})")
    if len(numbers) > MOST_NUMBERS:
        raise ParameterError(f"law {name!r} may have at most {MOST_NUMBERS} numbers, got {len(numbers)}")
    for word in numbers:
        if not _NAMED.fullmatch(word):
            raise ParameterError(f"a number of law {name!r} must begin with a letter, got {word!r}")
    words = [*needed, *sorted(set(numbers) - set(needed))]
    return tuple((word, finite(f"{word} of law {name!r}", numbers[word])) for word in words)


@cache
def entry(function: Callable[..., Any], law: str, names: tuple[str, ...], call: str, after: str = "") -> Any:
    """The compiled entry point of a function: it maps two doubles and a pointer to the parameters to a double.

    An exception inside the function gives not a number, which engines report with the name of the law.

    Args:
        law: name of the law, for messages. names: names of its parameters, in the order in which they are stored.
        call: the arguments of the call, made of a, b and p. after: an index that selects part of the result.
    """
    numbers = namedtuple("numbers", names)  # type: ignore[misc]
    values = ", ".join(f"n[{i}]" for i in range(len(names)))
    text = f"def enter(a, b, pointer):\n    n = carray(pointer, ({max(len(names), 1)},))\n"
    text += f"    p = numbers({values})\n    try:\n        result = function({call}){after}\n"
    text += "    except Exception:\n        result = nan\n    return result\n"
    space: dict[str, Any] = {
        "carray": carray,
        "numbers": numbers,
        "nan": math.nan,
        "function": njit(error_model="numpy", boundscheck=True)(function),
    }
    exec(text, space)
    try:
        compiled = cfunc(_ENTRY, error_model="numpy")(space["enter"])
    except NumbaError as error:
        raise ParameterError(_explained(law, function, str(error))) from None
    if any(isinstance(found.return_type, types.Optional) for found in space["function"].nopython_signatures):
        raise ParameterError(f"law {law!r} returns nothing on some path: it must return a number on every path")
    return compiled


def _explained(law: str, function: Callable[..., Any], message: str) -> str:
    """The message for a function that does not compile: the law, the line, and numba's reason."""
    code = function.__code__
    places = re.findall(r'File "([^"]*)", line (\d+)', message)
    own = [int(line) for path, line in places if os.path.basename(path) == os.path.basename(code.co_filename)]
    line = own[-1] if own else _line_of_unknown_name(function, message)
    report = [text.strip() for text in message.splitlines() if text.strip()]
    reasons = [text for text in report if _REASON.match(text)]
    reason = (reasons or report[-1:])[0].rstrip(".:")
    return f"law {law!r} does not compile, at line {line} of {code.co_filename}: {reason}"


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
