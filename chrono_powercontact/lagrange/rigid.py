"""Rotations for spatial bodies: quaternions with quasi-velocities (no gimbal lock), or the thesis' angles."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from .model import coordinates, rate, velocities


@dataclass(frozen=True)
class Rotation:
    """How a body turns.

    Attributes:
        q: coordinates of the rotation.
        matrix: maps body components to inertial components.
        spin: angular velocity in rad/s, as a column in the coordinate velocities.
        u: quasi-velocities, or None where the coordinate velocities are integrated.
        kinematics: matrix of q' = N u.
    """

    q: tuple[sp.Symbol, ...]
    matrix: sp.Matrix
    spin: sp.Matrix
    u: tuple[sp.Symbol, ...] | None = None
    kinematics: sp.Matrix | None = None


def quaternion_rotation() -> Rotation:
    """Unit quaternion (e0, e1, e2, e3); the quasi-velocities are the angular velocity in the body's frame."""
    q = coordinates("e0 e1 e2 e3")
    e0, e1, e2, e3 = q
    matrix = sp.Matrix(
        [
            [1 - 2 * (e2**2 + e3**2), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1**2 + e3**2), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1**2 + e2**2)],
        ]
    )
    columns = sp.Matrix([[-e1, -e2, -e3], [e0, -e3, e2], [e3, e0, -e1], [-e2, e1, e0]])
    spin = 2 * columns.T * sp.Matrix(velocities(q))
    return Rotation(q, matrix, spin, coordinates("w_x w_y w_z"), columns / 2)


def angle_rotation() -> Rotation:
    """The thesis' angles alpha, beta, gamma (3.39)-(3.43); singular at beta = +-pi/2.

    The angular velocity is in inertial components (E2).
    """
    q = coordinates("alpha beta gamma")
    a, b, c = q
    turn_z = sp.Matrix([[sp.cos(c), sp.sin(c), 0], [-sp.sin(c), sp.cos(c), 0], [0, 0, 1]])
    turn_y = sp.Matrix([[sp.cos(b), 0, -sp.sin(b)], [0, 1, 0], [sp.sin(b), 0, sp.cos(b)]])
    turn_x = sp.Matrix([[1, 0, 0], [0, sp.cos(a), sp.sin(a)], [0, -sp.sin(a), sp.cos(a)]])
    matrix = (turn_x * turn_y * turn_z).T
    da, db, dc = velocities(q)
    spin = sp.Matrix(
        [
            da * sp.cos(b) * sp.cos(c) - db * sp.sin(c),
            da * sp.cos(b) * sp.sin(c) + db * sp.cos(c),
            dc - da * sp.sin(b),
        ]
    )
    return Rotation(q, matrix, spin)


def point_velocity(position: sp.Matrix, q: tuple[sp.Symbol, ...]) -> tuple[sp.Expr, ...]:
    """Velocity of a point given by its inertial position."""
    return tuple(rate(component, q) for component in position)
