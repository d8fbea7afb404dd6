"""The right-hand side without a compiler: SymPy's lambdify and NumPy. A second opinion, and a yardstick for speed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..laws.friction.friction_table import friction_point
from ..laws.normal.normal_table import normal_force
from .engine import COORDINATE_MEMORY, LEDGER
from .model import TIME, rate
from .system import System

State = NDArray[np.float64]


def lambdified_rate(system: System) -> Callable[[float, State], State]:
    """dx/dt of the state as a Python function; the ledger's rates are left at zero. Memory at the points only."""
    m = system.model
    p, sizes, normal, points, friction, _, mode = system.arguments
    if mode == COORDINATE_MEMORY:
        raise NotImplementedError("the lambdified right-hand side keeps memory at the points only")
    n_q, n_u, n_c, n_t = (int(n) for n in sizes)
    rates = [rate(c.distance, m.q) for c in m.contacts]
    slips = [component for vector in m.slips for component in vector]
    outputs = [
        m.in_speeds(m.mass), m.bias, m.in_speeds(m.q_dot), sp.Matrix([c.distance for c in m.contacts]),
        m.in_speeds(sp.Matrix(rates)), sp.Matrix([list(m.direction(v)) for v in rates]),
        m.in_speeds(sp.Matrix(slips)), sp.Matrix([list(m.direction(v)) for v in slips]),
    ]  # fmt: skip
    terms = sp.lambdify((TIME, m.q, m.speeds, m.parameters), outputs, modules="numpy", cse=True)

    def state_rate(t: float, x: State) -> State:
        q, u, memory = x[:n_q], x[n_q : n_q + n_u], x[n_q + n_u : -LEDGER]
        mass, h, q_dot, s, s_dot, jac, slip, slip_jac = terms(t, q, u, p)
        dx, pull, f_n, a_n = np.zeros_like(x), -np.ravel(h), np.zeros(n_c), np.zeros(n_c)
        for c in range(n_c):
            f_n[c], _, a_n[c] = normal_force(normal[c], s[c, 0], s_dot[c, 0])
        pull = pull + f_n @ jac if n_c else pull
        force, memory_dot = np.zeros(n_t), np.zeros(memory.size)
        for (first, size, contact), law in zip(points, friction, strict=True):
            part = slice(first, first + size)
            n, a = (f_n[contact], a_n[contact]) if contact >= 0 else (1.0, 1.0)
            friction_point(law, n, a, np.ravel(slip)[part], memory[part], force[part], memory_dot[part])
        pull = pull - force @ slip_jac if n_t else pull
        dx[:n_q], dx[n_q : n_q + n_u] = np.ravel(q_dot), np.linalg.solve(mass, pull)
        dx[n_q + n_u : -LEDGER] = memory_dot
        return dx

    return state_rate
