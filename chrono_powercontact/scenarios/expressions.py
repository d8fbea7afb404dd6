"""Plain arithmetic in the text of a parameter, such as -5*pi/8."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable

from ..errors import ParameterError

_OPERATORS: dict[type, Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}
_FUNCTIONS = {name: getattr(math, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "radians", "degrees")}


class _NotPlainError(Exception):
    """A node of the expression that is none of the allowed ones."""


def evaluate(text: str) -> float:
    """The value of a plain expression such as -5*pi/8: numbers, pi, e, + - * / **, sqrt, sin and the like."""
    try:
        result = _value(ast.parse(text.strip(), mode="eval"))
    except (_NotPlainError, SyntaxError, ArithmeticError, ValueError, RecursionError):
        raise ParameterError(f"{text!r} is not a number or plain expression such as 0.1 or -5*pi/8") from None
    if isinstance(result, complex):
        raise ParameterError(f"{text!r} is not a real number")
    return result


def _value(node: ast.AST) -> float:
    """The value of a node of the syntax tree."""
    match node:
        case ast.Expression(body=body):
            return _value(body)
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left), _value(right))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(operand))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
            return float(_FUNCTIONS[name](_value(argument)))
    raise _NotPlainError
