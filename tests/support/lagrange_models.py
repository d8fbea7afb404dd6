"""Small mechanical systems that the tests of the reference engine share, and views into its compiled half."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import numpy as np
import sympy as sp

from chrono_powercontact.lagrange import engine
from chrono_powercontact.lagrange.model import TIME, ContactPoint, FrictionPoint, Model, coordinates, rate, velocities
from chrono_powercontact.lagrange.rigid import quaternion_rotation
from chrono_powercontact.lagrange.system import System


def real(names: str) -> tuple[sp.Symbol, ...]:
    return tuple(sp.symbols(names, real=True, seq=True))


@cache
def oscillator() -> Model:
    """Mass on a linear spring."""
    (x,), (m, k) = coordinates("x"), real("m k")
    (v,) = velocities((x,))
    return Model("test_oscillator", (x,), m * v**2 / 2, k * x**2 / 2, (m, k))


@cache
def moving_floor() -> Model:
    """Mass over a floor that heaves with a sin(w t) and runs with the speed `belt`; its spring's far end moves too.

    With a, belt, k and f at zero nothing drives it.
    """
    q, p = coordinates("x y"), real("m g k a w belt f")
    (x, y), v, (m, g, k, a, w, belt, f) = q, velocities(q), p
    floor = a * sp.sin(w * TIME)
    point = ContactPoint("floor", y - floor, (v[0] - belt,))
    potential = m * g * y + k * (x - floor) ** 2 / 2
    kinetic, forces = m * (v[0] ** 2 + v[1] ** 2) / 2, {x: f * sp.cos(w * TIME)}
    return Model("test_moving_floor", q, kinetic, potential, p, forces, (point,))


@cache
def towed_mass() -> Model:
    """Mass on a rough plane, pulled by an isotropic spring whose end moves with `pull` in the direction `angle`."""
    q, p = coordinates("x y"), real("m k pull angle")
    v, (m, k, pull, angle) = velocities(q), p
    stretch = [pull * TIME * turn(angle) - c for c, turn in zip(q, (sp.cos, sp.sin), strict=True)]
    potential = k * (stretch[0] ** 2 + stretch[1] ** 2) / 2
    return Model("test_towed", q, m * (v[0] ** 2 + v[1] ** 2) / 2, potential, p, frictions=(FrictionPoint("plane", v),))


@cache
def block(order: str = "AB") -> Model:
    """Planar block of width a and height b on its lower corners A and B; a force F pulls at its upper right corner."""
    q, p = coordinates("x y phi"), real("m a b g F")
    (x, y, phi), d, (m, a, b, g, force) = q, velocities(q), p
    turn = sp.Matrix([[sp.cos(phi), -sp.sin(phi)], [sp.sin(phi), sp.cos(phi)]])

    def place(right: int, up: int) -> sp.Matrix:
        return sp.Matrix([x, y]) + turn * sp.Matrix([right * a / 2, up * b / 2])

    corners = {name: place(side, -1) for name, side in (("A", -1), ("B", 1))}
    points = tuple(ContactPoint(name, corners[name][1], (rate(corners[name][0], q),)) for name in order)
    kinetic = m * (d[0] ** 2 + d[1] ** 2) / 2 + m * (a**2 + b**2) / 24 * d[2] ** 2
    pulled = place(1, 1)[0]
    forces = {c: force * sp.diff(pulled, c) for c in q}
    return Model(f"test_block_{order}", q, kinetic, m * g * y, p, forces, points)


@cache
def top() -> Model:
    """Rigid body about its fixed centre of mass with three different inertias, turned by a quaternion."""
    turn, inertias = quaternion_rotation(), real("I1 I2 I3")
    kinetic = sum(i * w**2 for i, w in zip(inertias, turn.spin, strict=True)) / 2
    return Model("test_top", turn.q, kinetic, sp.Integer(0), inertias, u=turn.u, kinematics=turn.kinematics)


@cache
def polar_mass() -> Model:
    """Free mass in polar coordinates with its radial and tangential speed as quasi-velocities."""
    q, u, (m,) = coordinates("r theta"), coordinates("v_r v_t"), real("m")
    (dr, dtheta), kinematics = velocities(q), sp.Matrix([[1, 0], [0, 1 / q[0]]])
    return Model("test_polar", q, m * (dr**2 + q[0] ** 2 * dtheta**2) / 2, parameters=(m,), u=u, kinematics=kinematics)


def kernel_outputs(system: System, q: object, u: object, t: float = 0.0) -> SimpleNamespace:
    """Everything the compiled kernel of a system's model writes, by name."""
    n_q, n_u, n_c, n_t = (int(n) for n in system.sizes)
    out = SimpleNamespace(
        M=np.zeros((n_u, n_u)), h=np.zeros(n_u), q_dot=np.zeros(n_q), s=np.zeros(n_c), s_dot=np.zeros(n_c),
        J=np.zeros((n_c, n_u)), slip=np.zeros(n_t), S=np.zeros((n_t, n_u)), energy=np.zeros(3),
    )  # fmt: skip
    system.terms(t, np.array(q, float), np.array(u, float), system.arguments[0], *vars(out).values())
    return out


def rates(system: System, x: np.ndarray, t: float = 0.0) -> SimpleNamespace:
    """dx/dt of the whole state as the engine computes it, in its parts, and the record of the state."""
    dx, row = np.zeros(x.size), np.zeros(len(system.columns))
    regular = engine.evaluate(system.terms, t, x, *system.arguments, dx, row)
    n_q, n_u, n_m = int(system.sizes[0]), int(system.sizes[1]), system.memory_size
    q_dot, u_dot, memory, ledger = np.split(dx, np.cumsum([n_q, n_u, n_m]))
    record = dict(zip(system.columns, row, strict=True))
    return SimpleNamespace(q_dot=q_dot, u_dot=u_dot, memory=memory, ledger=ledger, record=record, regular=regular)
