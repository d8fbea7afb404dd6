"""J_v and J_w, and the kinematics of moving frames that they stand for (3.16)-(3.20)."""

from __future__ import annotations

import sympy as sp

from chrono_powercontact.lagrange.building.jacobians import axial, point_jacobian, skew, turning_jacobian
from chrono_powercontact.lagrange.model import TIME, coordinates, velocities
from chrono_powercontact.lagrange.rigid import angle_rotation

TURN = angle_rotation()


def test_skew_is_the_cross_product_and_axial_its_inverse() -> None:
    a, b = sp.Matrix(sp.symbols("a1:4")), sp.Matrix(sp.symbols("b1:4"))
    assert (skew(a) * b - a.cross(b)).expand() == sp.zeros(3, 1)
    assert axial(skew(a)) == a


def test_turning_jacobian_gives_the_angular_velocity_of_the_thesis_angles() -> None:
    omega = turning_jacobian(TURN.matrix, TURN.q) * sp.Matrix(velocities(TURN.q))
    assert (omega - TURN.spin).applyfunc(sp.simplify) == sp.zeros(3, 1)


def test_point_jacobian_is_the_slope_of_the_position() -> None:
    q = coordinates("a b")
    position = sp.Matrix([sp.sin(q[0]) * q[1] + TIME, q[1] ** 2, 3 * q[0]])
    assert point_jacobian(position, q) == sp.Matrix([[sp.cos(q[0]) * q[1], sp.sin(q[0])], [0, 2 * q[1]], [3, 0]])


def test_relative_acceleration_has_transport_relative_and_coriolis_parts() -> None:
    """(3.19), (3.20): p = p_A(t) + R p_1(t), with angles that turn on by themselves."""
    spinning = dict(zip(TURN.q, (0.3 * TIME, sp.sin(TIME), TIME**2 / 2), strict=True))
    turn = TURN.matrix.subs(spinning)
    base = sp.Matrix([TIME**2, sp.cos(TIME), sp.exp(-TIME)])
    seen = sp.Matrix([1 + TIME, sp.sin(2 * TIME), TIME**3])
    omega = axial(turn.diff(TIME) * turn.T)
    arm = turn * seen
    transport = base.diff(TIME) + omega.cross(arm)
    velocity = transport + turn * seen.diff(TIME)
    carried = base.diff(TIME, 2) + omega.diff(TIME).cross(arm) + omega.cross(omega.cross(arm))
    coriolis = 2 * omega.cross(turn * seen.diff(TIME))
    acceleration = carried + turn * seen.diff(TIME, 2) + coriolis
    position = base + arm
    for found, expected in ((position.diff(TIME), velocity), (position.diff(TIME, 2), acceleration)):
        difference = (found - expected).subs(TIME, sp.Rational(7, 10)).evalf()
        assert max(abs(x) for x in difference) < 1e-12
    assert abs(coriolis.dot(omega).subs(TIME, 0.7).evalf()) < 1e-12
    assert abs(coriolis.dot(turn * seen.diff(TIME)).subs(TIME, 0.7).evalf()) < 1e-12
