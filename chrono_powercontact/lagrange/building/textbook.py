"""Worked examples of the lecture notes (3.1 to 3.4 and the tower crane), and two systems with rolling constraints.

The boxes of the examples are empty in the notes: layout and numbers are those of our digest. The crane is the one of
exercise 3.10 with trolley and load.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from ..model import FrictionPoint, Model, coordinates, rate, velocities
from .loads import BodyMoment, PointForce
from .nonholonomic import quasi_velocities
from .solids import Solid, composite_solid, solid_box


def real(names: str) -> tuple[sp.Symbol, ...]:
    """Symbols of real numbers, from names separated by blanks."""
    return tuple(sp.symbols(names, real=True, seq=True))


def speed_square(position: sp.Matrix, q: tuple[sp.Symbol, ...]) -> sp.Expr:
    """Square of the velocity of a point."""
    velocity = position.applyfunc(lambda component: rate(component, q))
    return velocity.dot(velocity)


@cache
def simple_pendulum() -> Model:
    """Example 3.1: point mass m on a rod l, phi from hanging."""
    q = coordinates("phi")
    m, length, g = p = real("m l g")
    bob = length * sp.Matrix([sp.sin(q[0]), -sp.cos(q[0])])
    kinetic = sp.simplify(m * speed_square(bob, q) / 2)
    return Model("simple_pendulum", q, kinetic, m * g * bob[1], p)


@cache
def two_masses() -> Model:
    """Example 3.2: wall - spring c1 - mass m1 - spring c2 - mass m2, a damper beside each spring."""
    q = coordinates("x1 x2")
    x1, x2 = q
    v1, v2 = velocities(q)
    m1, m2, c1, c2, f1, f2 = p = real("m1 m2 c1 c2 F1 F2")
    dampers = (FrictionPoint("d1", (v1,)), FrictionPoint("d2", (v2 - v1,)))
    kinetic = m1 * v1**2 / 2 + m2 * v2**2 / 2
    potential = c1 * x1**2 / 2 + c2 * (x2 - x1) ** 2 / 2
    return Model("two_masses", q, kinetic, potential, p, {x1: f1, x2: f2}, frictions=dampers)


@cache
def cart_pendulum() -> Model:
    """Example 3.3: cart m1 on a wall spring c, bob m2 on a rod l that hangs from it; force F on the cart."""
    q = coordinates("x phi")
    x, phi = q
    m1, m2, length, c, g, force = p = real("m1 m2 l c g F")
    bob = sp.Matrix([x + length * sp.sin(phi), -length * sp.cos(phi)])
    kinetic = m1 * velocities(q)[0] ** 2 / 2 + m2 * speed_square(bob, q) / 2
    potential = c * x**2 / 2 - m2 * g * length * sp.cos(phi)
    return Model("cart_pendulum", q, kinetic, potential, p, {x: force})


@cache
def two_link_arm() -> Model:
    """Example 3.4: planar arm with joint torques; angles from the horizontal, the second relative to the first."""
    q = coordinates("q1 q2")
    q1, q2 = q
    d1, d2 = velocities(q)
    m1, m2, l1, _, s1, s2, i1, i2, g, u1, u2 = p = real("m1 m2 l1 l2 s1 s2 I1 I2 g u1 u2")
    first = s1 * sp.Matrix([sp.cos(q1), sp.sin(q1)])
    second = l1 * sp.Matrix([sp.cos(q1), sp.sin(q1)]) + s2 * sp.Matrix([sp.cos(q1 + q2), sp.sin(q1 + q2)])
    moving = m1 * speed_square(first, q) + m2 * speed_square(second, q)
    kinetic = (moving + i1 * d1**2 + i2 * (d1 + d2) ** 2) / 2
    return Model("two_link_arm", q, kinetic, g * (m1 * first[1] + m2 * second[1]), p, {q1: u1, q2: u2})


def tower_and_jib() -> tuple[Solid, tuple[sp.Symbol, ...]]:
    """Tower and jib of exercise 3.10 as one body, and its parameters: sizes in m, density in kg/m^3."""
    a, b, c, h, length, density = p = real("a b c h l rho")
    tower = solid_box(density, (-b / 2, -c / 2, 0), (b, c, h + a / 2))
    jib = solid_box(density, (-b / 2, c / 2, h - a / 2), (b, length - c / 2, a))
    return composite_solid([tower, jib]), p


@cache
def tower_crane() -> Model:
    """Tower crane with five degrees of freedom: slewing psi, trolley s, rope ell, swing alpha along and beta across.

    Tower and jib are those of exercise 3.10. The rope is a spring c_r of the free length ell_0. The torque tau in N m
    slews, the force F in N moves the trolley along the jib; both enter as loads at their body. Velocities are taken in
    the frame of the jib, with the transport that its turning adds (3.19).
    """
    q = coordinates("psi s ell alpha beta")
    psi, s, ell, alpha, beta = q
    solid, sizes = tower_and_jib()
    own = real("m_t m_l c_r ell_0 g tau F")
    m_t, m_l, c_r, ell_0, g, tau, force = own
    turning = sp.Matrix([0, 0, velocities(q)[0]])
    trolley = sp.Matrix([0, s, sizes[3]])
    rope = sp.Matrix([sp.sin(beta), sp.cos(beta) * sp.sin(alpha), -sp.cos(beta) * sp.cos(alpha)])
    load = trolley + ell * rope
    moving = sp.Integer(0)
    for mass, place in ((m_t, trolley), (m_l, load)):
        velocity = place.applyfunc(lambda component: rate(component, q)) + turning.cross(place)
        moving += mass * velocity.dot(velocity)
    inertia = sp.simplify(solid.about((0, 0, 0))[2, 2])
    potential = m_l * g * load[2] + c_r * (ell - ell_0) ** 2 / 2
    frame = sp.Matrix([[sp.cos(psi), -sp.sin(psi), 0], [sp.sin(psi), sp.cos(psi), 0], [0, 0, 1]])
    pushed = PointForce(tuple(frame * trolley), tuple(frame * sp.Matrix([0, force, 0])))
    loads = (BodyMoment(frame, (0, 0, tau)), pushed)
    kinetic = (moving + inertia * velocities(q)[0] ** 2) / 2
    return Model("tower_crane", q, kinetic, potential, (*sizes, *own), loads=loads)


@cache
def sleigh() -> Model:
    """Chaplygin's sleigh: a blade at (x, y) that cannot move sideways, the centre of mass a ahead of it."""
    q = coordinates("x y phi")
    x, y, phi = q
    dx, dy, dphi = velocities(q)
    m, moment, a = p = real("m J a")
    centre = sp.Matrix([x + a * sp.cos(phi), y + a * sp.sin(phi)])
    kinetic = (m * speed_square(centre, q) + moment * dphi**2) / 2
    aside = -dx * sp.sin(phi) + dy * sp.cos(phi)
    ahead = dx * sp.cos(phi) + dy * sp.sin(phi)
    u, kinematics = quasi_velocities(q, {"v": ahead, "w": dphi}, (aside,))
    return Model("sleigh", q, kinetic, parameters=p, u=u, kinematics=kinematics)


@cache
def rolling_disc() -> Model:
    """A thin disc of radius r that rolls without slipping: heading psi, lean theta, turn phi about its axis."""
    q = coordinates("x y psi theta phi")
    x, y, psi, theta, _ = q
    w_psi, w_theta, w_phi = velocities(q)[2:]
    m, r, g = p = real("m r g")
    ahead = sp.Matrix([sp.cos(psi), sp.sin(psi), 0])
    left = sp.Matrix([-sp.sin(psi), sp.cos(psi), 0])
    up = sp.Matrix([0, 0, 1])
    axis = sp.cos(theta) * left + sp.sin(theta) * up
    spoke = -sp.sin(theta) * left + sp.cos(theta) * up
    omega = w_psi * up + w_theta * ahead + w_phi * axis
    centre = sp.Matrix([x, y, r * sp.cos(theta)])
    velocity = centre.applyfunc(lambda component: rate(component, q))
    across = omega.dot(ahead) ** 2 + omega.dot(spoke) ** 2
    turning = m * r**2 * (across / 4 + omega.dot(axis) ** 2 / 2)
    kinetic = sp.simplify((m * velocity.dot(velocity) + turning) / 2)
    slip = velocity - omega.cross(r * spoke)
    speeds = {"w_psi": w_psi, "w_theta": w_theta, "w_phi": w_phi}
    u, kinematics = quasi_velocities(q, speeds, tuple(sp.simplify(part) for part in slip[:2]))
    return Model("rolling_disc", q, kinetic, m * g * centre[2], p, u=u, kinematics=kinematics)
