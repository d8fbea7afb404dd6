"""The thesis' block on two feet as models: rigid (2.4), and cut into two halves (2.5); and its force ranges."""

from __future__ import annotations

from functools import cache

import sympy as sp

from ....lagrange.model import TIME, ContactPoint, Expr, Model, coordinates, rate, velocities
from ....lagrange.nonsmooth.set_valued import SetValued
from ....setvalued.contact_set import contact_set, touching
from ....setvalued.ranges import ForceRanges, ranges_of
from ...constants import GRAVITY
from .block_statics import HEIGHT, MASS, MOMENT, WEIGHT, WIDTH, Load, Springs


def _load() -> Expr:
    force, begin, rise = sp.symbols("force begin rise", real=True)
    return sp.Min(sp.Max(rise * (TIME - begin), 0), force)


@cache
def one_body() -> Model:
    """A rigid block of width a and height b on its lower corners A and B (2.1)-(2.3), loaded at its upper right."""
    q = coordinates("x y phi")
    x, y, phi = q
    p = sp.symbols("m theta a b g force begin rise", real=True)
    m, theta, a, b, g = p[:5]
    vx, vy, turning = velocities(q)
    c = sp.cos(phi)
    s = sp.sin(phi)

    def corner(i: int, j: int) -> tuple[Expr, Expr]:
        return x + i * a / 2 * c - j * b / 2 * s, y + i * a / 2 * s + j * b / 2 * c

    feet = [ContactPoint(name, corner(i, -1)[1], (rate(corner(i, -1)[0], q),)) for name, i in (("A", -1), ("B", 1))]
    pulled = corner(1, 1)[0]
    load = _load()
    forces = {coordinate: load * sp.diff(pulled, coordinate) for coordinate in q}
    kinetic = m * (vx**2 + vy**2) / 2 + theta * turning**2 / 2
    return Model("hyperstatic_one", q, kinetic, m * g * y, p, forces, tuple(feet))


@cache
def two_bodies() -> Model:
    """The block cut in the middle, its halves joined by springs and dampers (B.57)-(B.59); the load is on the right."""
    q = coordinates("x1 y1 phi1 x2 y2 phi2")
    p = sp.symbols("m theta a b g force begin rise c_t c_r d_t d_r", real=True)
    m, theta, a, b, g, _, _, _, c_t, c_r, d_t, d_r = p
    speeds = velocities(q)

    def point(half: int, i: Expr, j: Expr) -> tuple[Expr, Expr]:
        x, y, phi = q[3 * half : 3 * half + 3]
        c = sp.cos(phi)
        s = sp.sin(phi)
        return x + i * a / 4 * c - j * b / 2 * s, y + i * a / 4 * s + j * b / 2 * c

    foot_a = point(0, -1, -1)
    foot_b = point(1, 1, -1)
    gap = [right - left for right, left in zip(point(1, -1, 0), point(0, 1, 0), strict=True)]
    twist = q[5] - q[2]
    stored = c_t * (gap[0] ** 2 + gap[1] ** 2) / 2 + c_r * twist**2 / 2
    damping = d_t * sum(rate(part, q) ** 2 for part in gap) / 2 + d_r * rate(twist, q) ** 2 / 2
    pulled = point(1, 1, 1)[0]
    forces = {
        coordinate: _load() * sp.diff(pulled, coordinate) - sp.diff(damping, speed)
        for coordinate, speed in zip(q, speeds, strict=True)
    }
    inertia = theta / 2 - m * a**2 / 32
    kinetic = sum(m / 4 * (speeds[k] ** 2 + speeds[k + 1] ** 2) + inertia * speeds[k + 2] ** 2 / 2 for k in (0, 3))
    feet = (
        ContactPoint("A", foot_a[1], (rate(foot_a[0], q),)),
        ContactPoint("B", foot_b[1], (rate(foot_b[0], q),)),
    )
    return Model("hyperstatic_two", q, kinetic, m * g * (q[1] + q[4]) / 2 + stored, p, forces, feet)


def _numbers(load: Load) -> dict[str, float]:
    block = {"m": MASS, "theta": MOMENT, "a": WIDTH, "b": HEIGHT, "g": GRAVITY}
    return {**block, "force": load.force, "begin": load.begin, "rise": load.rise}


def rigid_block(load: Load, mu_a: float = 0.1, mu_b: float = 0.1) -> SetValued:
    """The one-body model with rigid contacts."""
    return SetValued(one_body(), _numbers(load), {"A": mu_a, "B": mu_b})


def cut_block(load: Load, springs: Springs, mu_a: float = 0.1, mu_b: float = 0.1) -> SetValued:
    """The two-body model with rigid contacts."""
    return SetValued(two_bodies(), {**_numbers(load), **springs._asdict()}, {"A": mu_a, "B": mu_b})


def block_ranges(force: float, mu_a: float, mu_b: float, sliding: bool = False) -> ForceRanges:
    """Bounds of the contact forces under a load in N, at rest or sliding to the right with any acceleration."""
    feet = [
        touching(name, (0.0, 1.0, side * 0.5 * WIDTH), ((1.0, 0.0, 0.5 * HEIGHT),), mu, (-mu,) if sliding else None)
        for name, side, mu in (("A", -1, mu_a), ("B", 1, mu_b))
    ]
    free = [(1.0, 0.0, 0.0)] if sliding else []
    return ranges_of(contact_set(feet, (-force, WEIGHT, 0.5 * HEIGHT * force), free))
