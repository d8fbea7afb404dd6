"""A user law: a Python function with named parameters, compiled once and called by its address.

The function takes two quantities and `p`, whose attributes are the parameters of the law. It may use anything
that numba compiles. It is compiled when the first law is made from it, once per process, and kept until the process
ends.
"""

from __future__ import annotations

import ctypes
import inspect
import math
import re
from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numba import carray, cfunc, njit, types
from numba.core.errors import NumbaError
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError, finite
from .function_pointer import MOST_NUMBERS
from .law_reading import attributes_read, explained, parameter_uses, parameters_of, passes_on

_ENTRY = types.float64(types.float64, types.float64, types.CPointer(types.float64))
_RESULTS = {types.Number: "one number", types.NoneType: "nothing", types.Array: "an array", types.UnicodeType: "a text"}
_NAMED = re.compile(r"[A-Za-z]\w*")

Function = Callable[..., Any]
Functions = tuple[Function | None, ...]


class UserFunction:
    """A decorated function: it shows the name and docstring of the user's function, and the numbers that it takes."""

    __name__: str
    __signature__: inspect.Signature

    def describe(self, functions: Functions, about: str, first: tuple[str, ...] = ()) -> None:
        """Take name and docstring from the first function, and the signature from the numbers that all of them read.

        Args:
            about: docstring of a function that has none. first: numbers that come first, read or not.
        """
        function = functions[0]
        read, open_ended = numbers_read(functions)
        named = [inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY) for word in dict.fromkeys((*first, *read))]
        more = [inspect.Parameter("numbers", inspect.Parameter.VAR_KEYWORD)] if open_ended else []
        for name in ("__module__", "__name__", "__qualname__"):
            object.__setattr__(self, name, getattr(function, name))
        object.__setattr__(self, "__doc__", getattr(function, "__doc__", None) or about)
        object.__setattr__(self, "__wrapped__", function)
        object.__setattr__(self, "__signature__", inspect.Signature([*named, *more]))

    def __repr__(self) -> str:
        return f"<user law {self.__name__}{self.__signature__}>"

    @property
    def call(self) -> str:
        """How to make a law of it, as text."""
        named = [word for word, given in self.__signature__.parameters.items() if given.kind is given.KEYWORD_ONLY]
        return f"{self.__name__}({', '.join(f'{word}=...' for word in named)})"

    def refuse_unnamed(self, values: tuple[float, ...]) -> None:
        """Raise if a law is given parameters without their names."""
        if values:
            raise ParameterError(f"give the parameters of law {self.__name__!r} by name, {self.call}, got {values}")


class LawOfUser:
    """What a user law is besides its physics: a decorated function and the numbers that it was called with."""

    definition: UserFunction
    values: tuple[tuple[str, float], ...]
    entries: tuple[Any, ...]

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name}={value:g}" for name, value in self.values)
        return f"{self.name}({numbers})"

    @property
    def name(self) -> str:
        """Name of the user's function."""
        return self.definition.__name__

    def evaluated(self, which: int, a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
        """Entry number `which`, called with every pair of two quantities."""
        pointer = (ctypes.c_double * max(len(self.values), 1))(*(value for _, value in self.values))
        call = self.entries[which].ctypes
        first, second = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
        pairs = zip(first.ravel(), second.ravel(), strict=True)
        return np.array([call(float(x), float(y), pointer) for x, y in pairs]).reshape(first.shape)


def check_function(what: str, function: Function, arguments: str) -> None:
    """Raise unless a function takes the required number of arguments; the last one holds the parameters."""
    if not inspect.isfunction(function):
        raise ParameterError(f"{what} must be a Python function of {arguments}, got {function!r}")
    wanted = arguments.count(",") + 1
    got = list(inspect.signature(function).parameters)
    if len(got) != wanted:
        raise ParameterError(f"{what} {function.__name__!r} must take {arguments}, got ({', '.join(got)})")


def numbers_read(functions: Functions) -> tuple[list[str], bool]:
    """Names of the numbers that functions read, in the order of first use, and whether they may read others too."""
    given = [function for function in functions if function is not None]
    read = [word for function in given for word in attributes_read(function)]
    return list(dict.fromkeys(read)), any(passes_on(function) for function in given)


def checked_numbers(
    name: str, functions: Functions, numbers: Mapping[str, float], always: tuple[str, ...] = ()
) -> tuple[tuple[str, float], ...]:
    """The named parameters of a law; raises unless each is finite and used, and all that the functions read are given.

    They are in the order of first use, followed by the others in the order of their names. Laws with equal parameters
    are therefore equal, whatever order the user gives. The names in `always` may be given whether they are read or not.
    """
    _refuse_subscripts(name, functions)
    needed, open_ended = numbers_read(functions)
    missing = [word for word in needed if word not in numbers]
    if missing:
        call = ", ".join(f"{word}=..." for word in missing)
        raise ParameterError(f"law {name!r} needs a value for {', '.join(missing)}: call {name}({call})")
    if len(numbers) > MOST_NUMBERS:
        raise ParameterError(f"law {name!r} may have at most {MOST_NUMBERS} numbers, got {len(numbers)}")
    for word in numbers:
        if not _NAMED.fullmatch(word):
            raise ParameterError(f"a number of law {name!r} must begin with a letter, got {word!r}")
    others = sorted(set(numbers) - set(needed))
    unused = [word for word in others if word not in always and not open_ended]
    if unused:
        known = ", ".join(dict.fromkeys((*needed, *always))) or "none"
        raise ParameterError(f"law {name!r} does not use {', '.join(unused)}: its numbers are {known}")
    return tuple((word, finite(f"{word} of law {name!r}", numbers[word])) for word in (*needed, *others))


def _refuse_subscripts(name: str, functions: Functions) -> None:
    """Raise if a function reads its parameters by index or key."""
    for function in functions:
        for use in parameter_uses(function) if function is not None else ():
            if use.item is not None and function is not None:
                p = parameters_of(function)
                word = use.item.strip("'\"")
                raise ParameterError(
                    f"law {name!r} reads {p}[{use.item}] at line {use.line} of {function.__code__.co_filename}: write "
                    f"{p}.{word if _NAMED.fullmatch(word) else 'k'}, because the numbers of a law are attributes of {p}"
                )


@cache
def entry(function: Function, law: str, names: tuple[str, ...], call: str, after: str = "") -> Any:
    """The compiled entry point of a function: it maps two doubles and a pointer to the parameters to a double.

    An exception inside the function gives not a number, which engines report with the name of the law.

    Args:
        law: name of the law, for messages. names: names of its parameters, in the order in which they are stored.
        call: the arguments of the call, made of a, b and p. after: an index that selects one entry of a pair.
    """
    numbers = namedtuple("numbers", names)  # type: ignore[misc]
    values = ", ".join(f"n[{i}]" for i in range(len(names)))
    text = f"def enter(a, b, pointer):\n    n = carray(pointer, ({max(len(names), 1)},))\n"
    text += f"    p = numbers({values})\n    try:\n        result = function({call}){after}\n"
    text += "    except Exception:\n        result = nan\n    return result\n"
    inner = njit(error_model="numpy", boundscheck=True)(function)
    space: dict[str, Any] = {"carray": carray, "numbers": numbers, "nan": math.nan, "function": inner}
    exec(text, space)
    try:
        compiled = cfunc(_ENTRY, error_model="numpy")(space["enter"])
    except NumbaError as error:
        _check_result(law, inner, bool(after))
        raise ParameterError(explained(law, function, str(error))) from None
    _check_result(law, inner, bool(after))
    return compiled


def _check_result(law: str, inner: Any, pair: bool) -> None:
    """Raise unless a compiled function returns a number, or a pair of numbers."""
    for signature in inner.nopython_signatures:
        result = types.unliteral(signature.return_type)
        code = inner.py_func.__code__
        where = f"{code.co_name!r} at line {code.co_firstlineno} of {code.co_filename}"
        if isinstance(result, types.Optional):
            raise ParameterError(f"law {law!r} returns nothing on some path: it must return a number on every path")
        if pair and not (isinstance(result, types.Array) or (isinstance(result, types.BaseTuple) and len(result) == 2)):
            raise ParameterError(
                f"the slopes of law {law!r} must be a pair, the derivatives of the force by s and by v, "
                f"but {where} returns {_words(result)}"
            )
        if not pair and not isinstance(result, types.Number | types.Boolean):
            raise ParameterError(f"law {law!r} must return one number, but {where} returns {_words(result)}")


def _words(result: Any) -> str:
    """What a function returns, in words."""
    if isinstance(result, types.BaseTuple):
        return f"a tuple of {len(result)}"
    for kind, word in _RESULTS.items():
        if isinstance(result, kind):
            return word
    return str(result)
