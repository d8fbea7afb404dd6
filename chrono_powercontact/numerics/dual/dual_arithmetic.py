"""What dual numbers can do: the operators and functions that the kernels of this package use.

A function has a slope of zero where its own is infinite or jumps, at the square root of 0 and in the kink of |x|: a
sliding speed of exactly zero then gives a derivative instead of not a number.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numba.extending import overload

from .dual_type import chain, chain_two, is_dual, is_number, value_of

Function = Callable[..., Any]


def _of_one(functions: Iterable[Function], of_dual: Function) -> None:
    """Teach functions of one argument what they give for a dual number."""

    def choose(x: Any) -> Function | None:
        return of_dual if is_dual(x) else None

    for function in functions:
        overload(function, strict=False)(choose)


def _of_two(functions: Iterable[Function], of_both: Function, of_first: Function, of_second: Function) -> None:
    """Teach functions of two arguments what they give where both, the first or the second is a dual number."""

    def choose(a: Any, b: Any) -> Function | None:
        if is_dual(a) and is_dual(b):
            return of_both
        if is_dual(a) and is_number(b):
            return of_first
        return of_second if is_number(a) and is_dual(b) else None

    for function in functions:
        overload(function, strict=False)(choose)


_of_two(
    (operator.add, operator.iadd),
    lambda a, b: chain_two(value_of(a) + value_of(b), 1.0, a, 1.0, b),
    lambda a, b: chain(value_of(a) + b, 1.0, a),
    lambda a, b: chain(a + value_of(b), 1.0, b),
)
_of_two(
    (operator.sub, operator.isub),
    lambda a, b: chain_two(value_of(a) - value_of(b), 1.0, a, -1.0, b),
    lambda a, b: chain(value_of(a) - b, 1.0, a),
    lambda a, b: chain(a - value_of(b), -1.0, b),
)
_of_two(
    (operator.mul, operator.imul),
    lambda a, b: chain_two(value_of(a) * value_of(b), value_of(b), a, value_of(a), b),
    lambda a, b: chain(value_of(a) * b, 1.0 * b, a),
    lambda a, b: chain(a * value_of(b), 1.0 * a, b),
)


def _quotient(a: Any, b: Any) -> Any:
    ratio = value_of(a) / value_of(b)
    return chain_two(ratio, 1.0 / value_of(b), a, -ratio / value_of(b), b)


def _quotient_of_second(a: Any, b: Any) -> Any:
    ratio = a / value_of(b)
    return chain(ratio, -ratio / value_of(b), b)


_of_two(
    (operator.truediv, operator.itruediv), _quotient, lambda a, b: chain(value_of(a) / b, 1.0 / b, a),
    _quotient_of_second,
)  # fmt: skip


def _power(a: Any, b: Any) -> Any:
    x = value_of(a)
    y = value_of(b)
    result = x**y
    by_base = y * x ** (y - 1.0) if y != 0.0 else 0.0
    return chain_two(result, by_base, a, result * np.log(x) if x > 0.0 else 0.0, b)


def _power_of_first(a: Any, b: Any) -> Any:
    x = value_of(a)
    return chain(x**b, b * x ** (b - 1) if b != 0 else 0.0, a)


def _power_of_second(a: Any, b: Any) -> Any:
    result = a ** value_of(b)
    return chain(result, result * np.log(a) if a > 0.0 else 0.0, b)


_of_two((operator.pow, operator.ipow, math.pow), _power, _power_of_first, _power_of_second)


def _compared(function: Function, of_both: Function, of_first: Function, of_second: Function) -> None:
    """Teach a comparison that it looks at values alone."""
    _of_two((function,), of_both, of_first, of_second)


_compared(
    operator.lt, lambda a, b: value_of(a) < value_of(b), lambda a, b: value_of(a) < b, lambda a, b: a < value_of(b)
)
_compared(
    operator.le, lambda a, b: value_of(a) <= value_of(b), lambda a, b: value_of(a) <= b, lambda a, b: a <= value_of(b)
)
_compared(
    operator.gt, lambda a, b: value_of(a) > value_of(b), lambda a, b: value_of(a) > b, lambda a, b: a > value_of(b)
)
_compared(
    operator.ge, lambda a, b: value_of(a) >= value_of(b), lambda a, b: value_of(a) >= b, lambda a, b: a >= value_of(b)
)
_compared(
    operator.eq, lambda a, b: value_of(a) == value_of(b), lambda a, b: value_of(a) == b, lambda a, b: a == value_of(b)
)
_compared(
    operator.ne, lambda a, b: value_of(a) != value_of(b), lambda a, b: value_of(a) != b, lambda a, b: a != value_of(b)
)

_of_two(
    (min, np.minimum),
    lambda a, b: a if value_of(a) <= value_of(b) else b,
    lambda a, b: a if value_of(a) <= b else chain(1.0 * b, 0.0, a),
    lambda a, b: b if value_of(b) < a else chain(1.0 * a, 0.0, b),
)
_of_two(
    (max, np.maximum),
    lambda a, b: a if value_of(a) >= value_of(b) else b,
    lambda a, b: a if value_of(a) >= b else chain(1.0 * b, 0.0, a),
    lambda a, b: b if value_of(b) > a else chain(1.0 * a, 0.0, b),
)


def _angle(a: Any, b: Any) -> Any:
    square = value_of(a) ** 2 + value_of(b) ** 2
    return chain_two(np.arctan2(value_of(a), value_of(b)), value_of(b) / square, a, -value_of(a) / square, b)


def _angle_of_first(a: Any, b: Any) -> Any:
    return chain(np.arctan2(value_of(a), b), b / (value_of(a) ** 2 + b**2), a)


def _angle_of_second(a: Any, b: Any) -> Any:
    return chain(np.arctan2(a, value_of(b)), -a / (a**2 + value_of(b) ** 2), b)


_of_two((np.arctan2, math.atan2), _angle, _angle_of_first, _angle_of_second)


def _exp(x: Any) -> Any:
    result = np.exp(value_of(x))
    return chain(result, result, x)


def _expm1(x: Any) -> Any:
    result = np.expm1(value_of(x))
    return chain(result, result + 1.0, x)


def _tanh(x: Any) -> Any:
    result = np.tanh(value_of(x))
    return chain(result, 1.0 / np.cosh(min(max(value_of(x), -300.0), 300.0)) ** 2, x)


def _sqrt(x: Any) -> Any:
    result = np.sqrt(value_of(x))
    return chain(result, 0.5 / result if result > 0.0 else 0.0, x)


def _arccos(x: Any) -> Any:
    return chain(np.arccos(value_of(x)), -1.0 / np.sqrt(1.0 - value_of(x) ** 2), x)


def _arcsin(x: Any) -> Any:
    return chain(np.arcsin(value_of(x)), 1.0 / np.sqrt(1.0 - value_of(x) ** 2), x)


_of_one((operator.neg,), lambda x: chain(-value_of(x), -1.0, x))
_of_one((operator.pos, float), lambda x: x)
_of_one((abs, np.abs, math.fabs), lambda x: chain(np.abs(value_of(x)), np.sign(value_of(x)), x))
_of_one((np.sign,), lambda x: np.sign(value_of(x)))
_of_one((np.isfinite, math.isfinite), lambda x: np.isfinite(value_of(x)))
_of_one((np.exp, math.exp), _exp)
_of_one((np.expm1, math.expm1), _expm1)
_of_one((np.log, math.log), lambda x: chain(np.log(value_of(x)), 1.0 / value_of(x), x))
_of_one((np.log1p, math.log1p), lambda x: chain(np.log1p(value_of(x)), 1.0 / (1.0 + value_of(x)), x))
_of_one((np.sqrt, math.sqrt), _sqrt)
_of_one((np.sin, math.sin), lambda x: chain(np.sin(value_of(x)), np.cos(value_of(x)), x))
_of_one((np.cos, math.cos), lambda x: chain(np.cos(value_of(x)), -np.sin(value_of(x)), x))
_of_one((np.tan, math.tan), lambda x: chain(np.tan(value_of(x)), 1.0 / np.cos(value_of(x)) ** 2, x))
_of_one((np.sinh, math.sinh), lambda x: chain(np.sinh(value_of(x)), np.cosh(value_of(x)), x))
_of_one((np.cosh, math.cosh), lambda x: chain(np.cosh(value_of(x)), np.sinh(value_of(x)), x))
_of_one((np.tanh, math.tanh), _tanh)
_of_one((np.arctan, math.atan), lambda x: chain(np.arctan(value_of(x)), 1.0 / (1.0 + value_of(x) ** 2), x))
_of_one((np.arccos, math.acos), _arccos)
_of_one((np.arcsin, math.asin), _arcsin)
