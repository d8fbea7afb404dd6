"""A dual number in compiled code: a value and its derivatives in eight directions, a SIMD register of the processor.

A kernel that is called with dual numbers instead of floats is compiled once more, from the same text, and carries the
derivatives along: the laws, the equations of motion and the integrators are written once. Branches follow the values,
so the derivative of a piecewise smooth function is that of the piece on which the value lies.

In memory a dual number is nine floats, the value and then the derivatives.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.typeconv import Conversion
from numba.extending import intrinsic, lower_cast, overload, register_model

DIRECTIONS = 8
"""Directions of one dual number; more of them take several runs."""

WIDTH = 1 + DIRECTIONS
"""Floats of a dual number in memory."""

_TEXTS = sorted(Path(__file__).parent.glob("*.py"))
_VERSION = hashlib.sha256(b"".join(path.read_bytes() for path in _TEXTS)).hexdigest()[:8]
"""Part of the type's name: kernels that were compiled with an older arithmetic are not found again."""

_FLOAT = ir.DoubleType()
_LANES = ir.VectorType(_FLOAT, DIRECTIONS)
_PAIR = ir.LiteralStructType([_FLOAT, _LANES], packed=True)
_NUMBERS = (types.Float, types.Integer, types.Boolean)


class DualType(types.Type):
    """Numba's type of a dual number; plain numbers become duals without derivatives where both meet."""

    bitwidth = 64 * WIDTH

    def __init__(self) -> None:
        super().__init__(name=f"Dual{DIRECTIONS}_{_VERSION}")

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """A plain number may stand where a dual is expected; never the other way round."""
        return Conversion.promote if is_number(other) else None

    def unify(self, context: Any, other: Any) -> Any:
        """A variable that is sometimes a number and sometimes a dual is a dual."""
        return self if is_number(other) else None


def is_number(kind: Any) -> bool:
    """Whether a type of numba is that of a plain number."""
    return isinstance(kind, _NUMBERS)


def is_dual(kind: Any) -> bool:
    """Whether a type of numba is that of dual numbers."""
    return isinstance(kind, DualType)


DUAL = DualType()


@register_model(DualType)
class DualModel(models.PrimitiveModel):
    """How a dual number lies in registers and in memory."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _PAIR)


def _spread(builder: Any, number: Any) -> Any:
    """A number in all lanes."""
    none = ir.Constant(_LANES, ir.Undefined)
    first = builder.insert_element(none, number, ir.Constant(ir.IntType(32), 0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), DIRECTIONS), [0] * DIRECTIONS)
    return builder.shuffle_vector(first, none, everywhere)


def _pair(builder: Any, value: Any, lanes: Any) -> Any:
    """A dual number from its value and derivatives."""
    half = builder.insert_value(ir.Constant(_PAIR, ir.Undefined), value, 0)
    return builder.insert_value(half, lanes, 1)


def _scaled(builder: Any, factor: Any, dual: Any) -> Any:
    """Derivatives of a dual number times a factor."""
    return builder.fmul(_spread(builder, factor), builder.extract_value(dual, 1), flags=("contract",))


@lower_cast(types.Float, DualType)
@lower_cast(types.Integer, DualType)
@lower_cast(types.Boolean, DualType)
def _from_number(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    number = context.cast(builder, value, source, types.float64)
    return _pair(builder, number, ir.Constant(_LANES, [0.0] * DIRECTIONS))


@intrinsic
def value_of(context: Any, x: Any) -> Any:
    """The value of a dual number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.extract_value(arguments[0], 0)

    return types.float64(DUAL), generate


def plain_value(x: Any) -> float:
    """The value of a number, dual or not: what decides a step size or an increment. For compiled code only."""
    return float(x)


@overload(plain_value, strict=False)
def _plain_value(x: Any) -> Any:
    return (lambda x: value_of(x)) if is_dual(x) else (lambda x: x)


@intrinsic
def chain(context: Any, value: Any, slope: Any, x: Any) -> Any:
    """The dual number f(x) from its value and slope f'(x)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        result, factor, dual = arguments
        return _pair(builder, result, _scaled(builder, factor, dual))

    return DUAL(types.float64, types.float64, DUAL), generate


@intrinsic
def chain_two(context: Any, value: Any, by_x: Any, x: Any, by_y: Any, y: Any) -> Any:
    """The dual number f(x, y) from its value and both slopes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        result, a, first, b, second = arguments
        lanes = builder.fadd(_scaled(builder, a, first), _scaled(builder, b, second), flags=("contract",))
        return _pair(builder, result, lanes)

    return DUAL(types.float64, types.float64, DUAL, types.float64, DUAL), generate
