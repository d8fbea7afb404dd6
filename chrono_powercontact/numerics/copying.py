"""Copies between arrays in compiled code.

A slice assignment such as `a[:] = b` makes numba link the text of its error message about shapes into every caller,
and with it the whole of its string handling: some ten seconds of compilation for each engine.
"""

from __future__ import annotations

from typing import Any

from ..kernel import kernel


@kernel
def put(values: Any, target: Any) -> None:
    """Copy the entries of a vector into another of the same length."""
    for i in range(target.size):
        target[i] = values[i]


@kernel
def put_matrix(values: Any, target: Any) -> None:
    """Copy the entries of a matrix into another of the same shape."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = values[i, j]
