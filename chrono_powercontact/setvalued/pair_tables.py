"""Least acceleration of two feet on a plane in closed form: the thesis' quadric (4.14)-(4.45) and its case tables.

All functionals reduce to z = k sigma^2 + 2 w sigma + c with the friction sum sigma = N_A mu_A + N_B mu_B.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import UnknownNameError, not_negative
from .prox import clamp


class Block(NamedTuple):
    """A block on two feet: width and height in m, mass in kg, moment of inertia in kg m^2."""

    a: float
    b: float
    m: float
    theta: float


class Quadric(NamedTuple):
    """z = k sigma^2 + 2 w sigma + c (4.15)."""

    k: float
    w: float
    c: float

    @property
    def least(self) -> float:
        """The least z without bounds, c - w^2/k (4.21)."""
        return self.c - self.w**2 / self.k


APPROACHES = ("min1", "min2", "min3", "gauss")
"""Functionals: |q''|^2, |M q''|^2, (m x'')^2 (erratum E7), and q'' M q'' (Gauss)."""


def quadric(approach: str, block: Block, h: tuple[float, float, float], normal: tuple[float, float]) -> Quadric:
    """The functional of an approach (Table 4.2) for applied forces h in N, N, N m and normal forces in N."""
    if approach not in APPROACHES:
        raise UnknownNameError("approach", approach, APPROACHES)
    x, y, turning = h
    n_a, n_b = normal
    p_x, p_t = {
        "min1": (block.m**-2, block.theta**-2),
        "min2": (1.0, 1.0),
        "min3": (1.0, 0.0),
        "gauss": (1.0 / block.m, 1.0 / block.theta),
    }[approach]
    up = y + n_a + n_b
    turn = turning + 0.5 * block.a * (n_b - n_a)
    lift = 0.0 if approach == "min3" else p_x * up**2
    arm = 0.5 * block.b
    return Quadric(p_x + p_t * arm**2, p_x * x + p_t * arm * turn, p_x * x**2 + lift + p_t * turn**2)


def contraction_of(approach: str, block: Block) -> float:
    """Factor by which an outer iteration reduces the error (erratum E8)."""
    k = quadric(approach, block, (0.0, 0.0, 0.0), (1.0, 1.0)).k
    translation = quadric("min3", block, (0.0, 0.0, 0.0), (1.0, 1.0)).k
    weight = {"min1": block.m**-2, "min2": 1.0, "min3": 1.0, "gauss": 1.0 / block.m}[approach]
    return 1.0 - weight * translation / k


def least_pair(
    found: Quadric, normal: tuple[float, float], mu: tuple[float, float], slip: tuple[float, float]
) -> tuple[float, float]:
    """Friction coefficients with the least z, and among those the least friction forces (cases 1a to 4d-ii).

    Args:
        found: the functional. normal: normal forces in N. mu: coefficients of friction.
        slip: sliding velocities in m/s; zero in stick.
    """
    for name, value in zip(("mu_A", "mu_B", "N_A", "N_B"), (*mu, *normal), strict=True):
        not_negative(name, value)
    if slip[0] != 0.0 or slip[1] != 0.0:
        return _with_slip(found, normal, mu, slip)
    n_a, n_b = normal
    target = -found.w / found.k
    if n_a == 0.0 or n_b == 0.0:
        alone = [clamp(target / n, m) if n > 0.0 else 0.0 for n, m in zip(normal, mu, strict=True)]
        return float(alone[0]), float(alone[1])
    return _both_stick(target, normal, mu)


def _with_slip(
    found: Quadric, normal: tuple[float, float], mu: tuple[float, float], slip: tuple[float, float]
) -> tuple[float, float]:
    """Cases a to c: what slides has its friction, the other takes what is left (C.19)."""
    chosen = [float(-np.sign(v) * m) for v, m in zip(slip, mu, strict=True)]
    for i, other in ((0, 1), (1, 0)):
        if slip[i] == 0.0:
            left = -found.w / found.k - chosen[other] * normal[other]
            chosen[i] = float(clamp(left / normal[i], mu[i])) if normal[i] > 0.0 else 0.0
    return chosen[0], chosen[1]


def _both_stick(target: float, normal: tuple[float, float], mu: tuple[float, float]) -> tuple[float, float]:
    """Case 4d: the point of the line eta_A + eta_B = target that is nearest to zero, moved into the rectangle."""
    n_a, n_b = normal
    limit_a = mu[0] * n_a
    limit_b = mu[1] * n_b
    if abs(target) > limit_a + limit_b:
        return float(np.sign(target) * mu[0]), float(np.sign(target) * mu[1])
    eta_a = clamp(0.5 * target, limit_a)
    eta_b = clamp(target - eta_a, limit_b)
    return float((target - eta_b) / n_a), float(eta_b / n_b)
