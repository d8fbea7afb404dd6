"""Arrays and records of dual numbers: how NumPy lays them out, and how compiled code sees them.

NumPy knows no dual numbers. It holds them as floats with a last axis of nine, `duals_of(values)`, and a record with
every float widened to nine, `lifted_dtype(dtype)`. In compiled code `as_duals` sees both as what they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload, register_model
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import ArrayLike, NDArray

from .dual_type import DUAL, WIDTH, is_dual

Array = Any

EIGHT = 8
"""Size in bytes of every number in a record."""

KEPT = "user"
"""Name of the field that is never widened: a user's compiled function takes plain floats."""


VALUES = -1
"""The direction in which `put_direction` writes numbers instead of their derivatives."""


def duals_of(values: ArrayLike) -> NDArray[np.float64]:
    """Numbers as duals whose derivatives are zero."""
    numbers = np.asarray(values, float)
    out = np.zeros((*numbers.shape, WIDTH))
    out[..., 0] = numbers
    return out


@cache
def lifted_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """A record's dtype with every float widened to a dual number; counts and the slots of user laws stay."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        inner = lifted_dtype(base)
        return np.dtype((inner.base, (*shape, *inner.shape)))
    if dtype.names is not None:
        parts = [(name, dtype[name] if name == KEPT else lifted_dtype(dtype[name])) for name in dtype.names]
        return np.dtype(parts)
    return np.dtype((dtype, (WIDTH,))) if dtype == np.float64 else dtype


class Places(NamedTuple):
    """Where the numbers of a record are, counted in eights of bytes.

    Attributes:
        floats: those that dual numbers replace, in the plain record. values: these numbers in the lifted one.
        others: all else in the plain record. copies: the same in the lifted one.
    """

    floats: NDArray[np.intp]
    values: NDArray[np.intp]
    others: NDArray[np.intp]
    copies: NDArray[np.intp]


@cache
def places_of(dtype: np.dtype[Any]) -> Places:
    """Where the numbers of a plain record and of the lifted one are."""
    table = np.array(list(_numbers_of(dtype, False, 0, 0)), np.intp).reshape(-1, 3)
    widened, kept = table[table[:, 2] == 1], table[table[:, 2] == 0]
    return Places(widened[:, 0], widened[:, 1], kept[:, 0], kept[:, 1])


def _numbers_of(dtype: np.dtype[Any], kept: bool, plain: int, wide: int) -> Iterator[tuple[int, int, bool]]:
    """Each number of a part of a record: its place in the plain and in the lifted one, and whether it is widened.

    The part begins at the bytes `plain` and `wide`; one that is kept is not widened.
    """
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        size = base.itemsize if kept else lifted_dtype(base).itemsize
        for i in range(math.prod(shape)):
            yield from _numbers_of(base, kept, plain + i * base.itemsize, wide + i * size)
    elif dtype.names is not None:
        fields: Any = dtype.fields
        lifted_fields: Any = fields if kept else lifted_dtype(dtype).fields
        for name in dtype.names:
            at, there = plain + fields[name][1], wide + lifted_fields[name][1]
            yield from _numbers_of(dtype[name], kept or name == KEPT, at, there)
    else:
        yield plain // EIGHT, wide // EIGHT, dtype == np.float64 and not kept


def _seen(records: NDArray[Any], kind: type[Any]) -> NDArray[Any]:
    """Records as rows of numbers of eight bytes, in the same memory."""
    return records.view(kind).reshape(len(records), records.dtype.itemsize // EIGHT)


def lifted(records: NDArray[Any]) -> NDArray[Any]:
    """Records with their floats as duals whose derivatives are zero."""
    out = np.zeros(records.shape, lifted_dtype(records.dtype))
    put_direction(out, VALUES, records)
    return out


def floats_of(records: NDArray[Any]) -> NDArray[np.float64]:
    """All numbers of an array, or of records the floats that dual numbers replace, in one vector."""
    if records.dtype.names is None:
        return np.asarray(records, float).ravel()
    return _seen(np.ascontiguousarray(records), np.float64)[:, places_of(records.dtype).floats].ravel()


def from_floats(vector: NDArray[np.float64], like: NDArray[Any]) -> NDArray[Any]:
    """An array or records from the vector that `floats_of` gives; what no float is becomes zero."""
    if like.dtype.names is None:
        return vector.reshape(like.shape)
    out = np.zeros(like.shape, like.dtype)
    places = places_of(like.dtype).floats
    _seen(out, np.float64)[:, places] = vector.reshape(len(out), places.size)
    return out


def lift(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers or records as duals whose derivatives are zero."""
    return duals_of(values) if values.dtype.names is None else lifted(values)


def put_direction(out: NDArray[Any], direction: int, slopes: NDArray[Any]) -> None:
    """Write derivatives of numbers or records into one direction of what `lift` made of them.

    Direction VALUES writes the numbers themselves, those that are not widened too.
    """
    lane = 1 + direction
    if slopes.dtype.names is None:
        out[..., lane] = slopes
        return
    places = places_of(slopes.dtype)
    rows, plain = _seen(out, np.int64), _seen(np.ascontiguousarray(slopes), np.int64)
    rows[:, places.values + lane] = plain[:, places.floats]
    if lane == 0:
        rows[:, places.copies] = plain[:, places.others]


def put_slopes(out: NDArray[Any], slopes: NDArray[np.float64], dtype: np.dtype[Any]) -> None:
    """Write derivatives into what `lift` made of an array: one row a direction, its numbers as `floats_of` gives them.

    `dtype` is that of the plain array.
    """
    lanes = 1 + np.arange(len(slopes))
    if dtype.names is None:
        out.reshape(-1, WIDTH)[:, lanes] = slopes.T
        return
    places = places_of(dtype).values[:, None] + lanes
    rows_of(out)[:, places] = slopes.T.reshape(len(out), *places.shape)


class DualRecord(types.Record):
    """Numba's type of a record with dual numbers."""

    def __init__(self, fields: Any, size: int, layout: np.dtype[Any]) -> None:
        self._layout = layout
        super().__init__(fields, size, False)

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's dtype of the record."""
        return self._layout


register_model(DualRecord)(models.RecordModel)


@cache
def dual_record(dtype: np.dtype[Any]) -> DualRecord:
    """Numba's type of the records that a plain dtype becomes with dual numbers."""
    layout = lifted_dtype(dtype)
    fields = []
    for name in dtype.names or ():
        places: Any = layout.fields
        offset = places[name][1]
        fields.append((name, {"type": _dual_field(name, dtype[name]), "offset": offset}))
    return DualRecord(fields, layout.itemsize, layout)


def _dual_field(name: str, dtype: np.dtype[Any]) -> Any:
    """Numba's type of a field that a plain one becomes."""
    if name == KEPT:
        return from_dtype(dtype)
    if dtype.names is not None:
        return dual_record(dtype)
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return types.NestedArray(_dual_field(name, base), shape)
    return DUAL if dtype == np.float64 else from_dtype(dtype)


def plain_dtype(kind: Any) -> np.dtype[Any]:
    """The dtype behind a constant of numba's type DType."""
    return np.dtype(kind.dtype.dtype)


def _seen_as(context: Any, builder: Any, signature: Any, source: Any, item: int) -> Any:
    """The same memory as an array of another type, whose items are so many bytes long."""
    held, kind = signature.args[0], signature.return_type
    old = make_array(held)(context, builder, source)
    new = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, item)
    populate_array(
        new, data=builder.bitcast(old.data, context.get_data_type(kind.dtype).as_pointer()),
        shape=cgutils.unpack_tuple(builder, old.shape)[: kind.ndim],
        strides=cgutils.unpack_tuple(builder, old.strides)[: kind.ndim],
        itemsize=size, meminfo=old.meminfo, parent=None,
    )  # fmt: skip
    return impl_ret_borrowed(context, builder, kind, new._getvalue())


@intrinsic
def as_duals(context: Any, floats: Any) -> Any:
    """Floats with a last axis of nine as an array of dual numbers, in the same memory."""
    kind = types.Array(DUAL, floats.ndim - 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _seen_as(context, builder, signature, arguments[0], 8 * WIDTH)

    return kind(floats), generate


@intrinsic
def as_dual_records(context: Any, rows: Any, dtype: Any) -> Any:
    """Rows of floats as records of dual numbers, in the same memory; `dtype` is that of the plain record."""
    record = dual_record(plain_dtype(dtype))
    kind = types.Array(record, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _seen_as(context, builder, signature, arguments[0], record.size)

    return kind(rows, dtype), generate


def rows_of(records: NDArray[Any]) -> NDArray[np.float64]:
    """Lifted records as the rows of floats that `as_dual_records` takes, in the same memory."""
    return _seen(records, np.float64)


def zero_records(like: Array, count: int, dtype: Any) -> Array:
    """Records of a dtype, all zero; with dual numbers where the array `like` has them. For compiled code only."""
    raise NotImplementedError


@overload(zero_records, strict=False)
def _zero_records(like: Any, count: Any, dtype: Any) -> Any:
    if not is_dual(like.dtype):
        return lambda like, count, dtype: np.zeros(count, dtype)
    width = lifted_dtype(plain_dtype(dtype)).itemsize // 8

    def zeros(like: Any, count: Any, dtype: Any) -> Any:
        return as_dual_records(np.zeros((count, width)), dtype)

    return zeros
