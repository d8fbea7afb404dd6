"""Positions and quaternions (e0, e1, e2, e3) on arrays, the last axis their components."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def product(p: ArrayLike, q: ArrayLike) -> Floats:
    """Product of quaternions: first q, then p."""
    a, b = np.broadcast_arrays(np.asarray(p, float), np.asarray(q, float))
    u = a[..., 1:]
    v = b[..., 1:]
    real = a[..., :1] * b[..., :1] - (u * v).sum(axis=-1, keepdims=True)
    rest = a[..., :1] * v + b[..., :1] * u + np.cross(u, v)
    return np.concatenate([real, rest], axis=-1)


def turned(q: ArrayLike, v: ArrayLike) -> Floats:
    """Vectors turned by unit quaternions."""
    e = np.asarray(q, float)
    u = e[..., 1:]
    t = 2.0 * np.cross(u, np.asarray(v, float))
    return np.asarray(np.asarray(v, float) + e[..., :1] * t + np.cross(u, t))


def inverse(q: ArrayLike) -> Floats:
    """The reverse rotations of unit quaternions."""
    return np.asarray(q, float) * np.array([1.0, -1.0, -1.0, -1.0])


def to_direction(direction: ArrayLike) -> Floats:
    """The shortest rotations that turn the z axis to unit directions."""
    d = np.asarray(direction, float)
    q = np.stack([1.0 + d[..., 2], -d[..., 1], d[..., 0], np.zeros(d.shape[:-1])], axis=-1)
    q[d[..., 2] < -1.0 + 1e-9] = (0.0, 1.0, 0.0, 0.0)
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def about(axis: ArrayLike, angle: ArrayLike) -> Floats:
    """Rotations about one unit axis by angles in rad."""
    half = 0.5 * np.asarray(angle, float)[..., None]
    return np.concatenate([np.cos(half), np.sin(half) * np.asarray(axis, float)], axis=-1)
