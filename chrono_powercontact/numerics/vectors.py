"""Vectors as triples in compiled code: they stay in registers and need no allocation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel import kernel

Triple = tuple[float, float, float]

ZERO: Triple = (0.0, 0.0, 0.0)


@kernel
def dot(a: Any, b: Any) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def norm(a: Any) -> float:
    """Length of a vector."""
    return float(np.sqrt(dot(a, a)))


@kernel
def plus(a: Any, b: Any) -> Triple:
    """Sum of two vectors."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def minus(a: Any, b: Any) -> Triple:
    """Difference of two vectors."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def times(k: float, a: Any) -> Triple:
    """A vector times a number."""
    return k * a[0], k * a[1], k * a[2]


@kernel
def cross(a: Any, b: Any) -> Triple:
    """Vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def triple(vector: Any) -> Triple:
    """An array of one to three components as a triple."""
    y = vector[1] if vector.size > 1 else 0.0
    z = vector[2] if vector.size > 2 else 0.0
    return vector[0], y, z


@kernel
def store(a: Any, out: Any) -> None:
    """Write a triple into an array of one to three components."""
    for i in range(out.size):
        out[i] = a[i]
