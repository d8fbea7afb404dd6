"""Mechanisms with closed loops: pendulum in Cartesian coordinates, four-bar, slider-crank, leg on a slide.

All move in a vertical plane, x to the right, y up, gravity g along -y. Bars are uniform: centre of mass in the middle,
moment of inertia m l^2/12. Every joint is a friction point as well, by its own name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import sympy as sp

from ..model import TIME, ContactPoint, Expr, FrictionPoint, Model, coordinates, rate, velocities
from .loop_model import BRANCH, CutJoint, ExplicitClosure, Loop, nearest

PENDULUM = {"m": 1.0, "l": 1.0, "g": 9.81, "a": 0.0, "w": 0.0, "b": 0.0}
FOUR_BAR = {"l1": 0.1, "l2": 0.3, "l3": 0.25, "l4": 0.28, "m1": 0.5, "m2": 1.1, "m3": 0.9, "g": 9.81, "tau": 0.0}
"""A crank-rocker."""
DOUBLE_ROCKER = FOUR_BAR | {"l1": 0.3, "l2": 0.2, "l4": 0.45}
"""A four-bar in which no bar can turn fully: every coordinate has dead points."""
SLIDER_CRANK = {
    "l1": 0.1, "l2": 0.3, "e": 0.02, "m1": 0.5, "m2": 1.1, "m3": 0.7, "g": 9.81, "tau": 0.0, "F": 0.0, "b": 0.4,
}  # fmt: skip
LEG = {
    "L_t": 0.42, "L_s": 0.43, "L_f": 0.12, "h": 0.88, "m_t": 8.0, "m_s": 3.5, "m_f": 1.2, "m_p": 2.0, "J_t": 0.13,
    "J_s": 0.06, "J_f": 0.004, "c_t": 0.18, "c_s": 0.19, "c_f": 0.05, "g": 9.81, "tau": 0.0, "F": 0.0,
}  # fmt: skip


def _real(names: str) -> tuple[sp.Symbol, ...]:
    return tuple(sp.symbols(names, real=True, seq=True))


def _towards(angle: Expr) -> sp.Matrix:
    return sp.Matrix([sp.cos(angle), sp.sin(angle)])


def _speed_square(position: sp.Matrix, q: Sequence[sp.Symbol]) -> Expr:
    return sp.simplify(sum(rate(component, q) ** 2 for component in position))


@cache
def cartesian_pendulum() -> Loop:
    """Point mass on a rod of length l in its Cartesian coordinates; the pivot moves as a sin(w t) along x.

    The rod is the cut: its force on the mass counts away from the pivot. A wall is at y1 = -b, for a contact.
    """
    q = coordinates("y1 y2")
    p = _real("m l g a w b")
    y1, y2 = q
    v1, v2 = velocities(q)
    m, length, g, a, w, b = p
    x = y1 - a * sp.sin(w * TIME)
    wall = ContactPoint("wall", y1 + b, (v2,))
    model = Model("cartesian_pendulum", q, m * (v1**2 + v2**2) / 2, m * g * y2, p, contacts=(wall,))
    rod = CutJoint("rod", (x**2 + y2**2 - length**2,), ((x * v1 + y2 * v2) / length,))
    return Loop(model, (rod,))


@cache
def four_bar() -> Loop:
    """Crank l1 from O = (0, 0), coupler l2, rocker l3 from D = (l4, 0), cut at C between coupler and rocker.

    Coordinates: theta1 of the crank and theta3 of the rocker from the x axis, theta2 of the coupler relative to the
    crank. The torque tau in N m acts on the crank. The reaction at C is that on the coupler.
    """
    q = coordinates("theta1 theta2 theta3")
    p = _real("l1 l2 l3 l4 m1 m2 m3 g tau")
    t1, t2, t3 = q
    d1, d2, d3 = velocities(q)
    l1, l2, l3, l4, m1, m2, m3, g, tau = p
    crank = _towards(t1)
    coupler = _towards(t1 + t2)
    rocker = _towards(t3)
    pivot = sp.Matrix([l4, 0])
    middle = l1 * crank + l2 / 2 * coupler
    turning = m1 * l1**2 / 3 * d1**2 + m2 * l2**2 / 12 * (d1 + d2) ** 2 + m3 * l3**2 / 3 * d3**2
    potential = g * (m1 * l1 / 2 * sp.sin(t1) + m2 * middle[1] + m3 * l3 / 2 * sp.sin(t3))
    joints = {"O": d1, "B": d2, "C": d1 + d2 - d3, "D": d3}
    model = Model(
        "four_bar", q, (turning + m2 * _speed_square(middle, q)) / 2, potential, p, {t1: tau},
        frictions=tuple(FrictionPoint(name, (v,)) for name, v in joints.items()),
    )  # fmt: skip
    cut = CutJoint("C", tuple(l1 * crank + l2 * coupler - pivot - l3 * rocker))
    away = pivot - l1 * crank
    reach = sp.sqrt(away.dot(away))
    slope = sp.atan2(away[1], away[0]) + BRANCH * sp.acos((l2**2 + reach**2 - l3**2) / (2 * l2 * reach))
    tip = l1 * crank + l2 * _towards(slope) - pivot
    dependent = {t2: nearest(slope - t1, t2), t3: nearest(sp.atan2(tip[1], tip[0]), t3)}
    return Loop(model, (cut,), (ExplicitClosure((t1,), dependent, away[0] * coupler[1] - away[1] * coupler[0]),))


@cache
def slider_crank() -> Loop:
    """Crank l1 from the origin, rod l2, slider on the line y = e, cut at C between rod and slider.

    Coordinates: theta1 of the crank from the x axis, theta2 of the rod relative to the crank, s of the slider. The
    torque tau in N m acts on the crank, the force F in N on the slider. The reaction at C is that on the rod. A wall is
    at s = b, for a contact of the slider.
    """
    q = coordinates("theta1 theta2 s")
    p = _real("l1 l2 e m1 m2 m3 g tau F b")
    t1, t2, s = q
    d1, d2, v = velocities(q)
    l1, l2, e, m1, m2, m3, g, tau, force, b = p
    crank = _towards(t1)
    rod = _towards(t1 + t2)
    middle = l1 * crank + l2 / 2 * rod
    moving = m1 * l1**2 / 3 * d1**2 + m2 * l2**2 / 12 * (d1 + d2) ** 2 + m3 * v**2
    joints = {"O": d1, "B": d2, "C": d1 + d2, "guide": v}
    model = Model(
        "slider_crank", q, (moving + m2 * _speed_square(middle, q)) / 2,
        g * (m1 * l1 / 2 * sp.sin(t1) + m2 * middle[1]), p, {t1: tau, s: force}, (ContactPoint("wall", b - s),),
        frictions=tuple(FrictionPoint(name, (speed,)) for name, speed in joints.items()),
    )  # fmt: skip
    cut = CutJoint("C", tuple(l1 * crank + l2 * rod - sp.Matrix([s, e])))
    slope = sp.pi * (1 - BRANCH) / 2 + BRANCH * sp.asin((e - l1 * sp.sin(t1)) / l2)
    dependent = {t2: nearest(slope - t1, t2), s: l1 * sp.cos(t1) + l2 * sp.cos(slope)}
    return Loop(model, (cut,), (ExplicitClosure((t1,), dependent, rod[0]),))


@cache
def leg_on_slide() -> Loop:
    """Thigh and shank from the hip (0, 0), foot link from a slide at (s, -h), cut at the ankle; two degrees of freedom.

    Coordinates: theta of the thigh from straight down, knee flexion kappa, epsilon of the foot link from straight up,
    s of the slide. The torque tau in N m acts at the hip, the force F in N on the slide. The reaction at the ankle is
    that on the shank.
    """
    q = coordinates("theta kappa epsilon s")
    p = _real("L_t L_s L_f h m_t m_s m_f m_p J_t J_s J_f c_t c_s c_f g tau F")
    theta, kappa, epsilon, s = q
    w_t, w_k, w_e, v = velocities(q)
    thigh, shank, foot, height, m_t, m_s, m_f, m_p, j_t, j_s, j_f, c_t, c_s, c_f, g, tau, force = p
    down = [sp.Matrix([sp.sin(angle), -sp.cos(angle)]) for angle in (theta, theta - kappa)]
    up = sp.Matrix([-sp.sin(epsilon), sp.cos(epsilon)])
    slide = sp.Matrix([s, -height])
    positions = {m_t: c_t * down[0], m_s: thigh * down[0] + c_s * down[1], m_f: slide + c_f * up, m_p: slide}
    moving = sum(m * _speed_square(position, q) for m, position in positions.items())
    turning = j_t * w_t**2 + j_s * (w_t - w_k) ** 2 + j_f * w_e**2
    joints = {"hip": w_t, "knee": w_k, "ankle": w_t - w_k - w_e, "pivot": w_e, "guide": v}
    model = Model(
        "leg_on_slide", q, (moving + turning) / 2, g * sum(m * position[1] for m, position in positions.items()), p,
        {theta: tau, s: force}, frictions=tuple(FrictionPoint(name, (speed,)) for name, speed in joints.items()),
    )  # fmt: skip
    return Loop(model, (CutJoint("ankle", tuple(thigh * down[0] + shank * down[1] - slide - foot * up)),))
