"""The right-hand side without a compiler: SymPy's lambdify and NumPy. A second opinion, and a yardstick for speed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..laws.friction.friction_table import friction_point
from ..laws.normal.normal_table import normal_force
from .layout import COORDINATE_MEMORY, NO_CONTACT, split_state
from .model import TIME, rate
from .system import System

State = NDArray[np.float64]


def lambdified_rate(system: System) -> Callable[[float, State], State]:
    """dx/dt of the state as a Python function; the ledger's rates are left at zero. Memory at the points only."""
    tables = system.arguments
    if tables.mode == COORDINATE_MEMORY:
        raise NotImplementedError("the lambdified right-hand side keeps memory at the points only")
    terms = _lambdified_terms(system)

    def state_rate(t: float, x: State) -> State:
        state = split_state.py_func(x, system.sizes)
        mass, bias, q_dot, s, s_dot, jac, slip, slip_jac = terms(t, state.q, state.u, tables.parameters)
        dx = np.zeros_like(x)
        rates = split_state.py_func(dx, system.sizes)
        force = -np.ravel(bias)
        normal, activation = _normal_forces(tables.normal, np.ravel(s), np.ravel(s_dot))
        if normal.size:
            force = force + normal @ jac
        sliding = np.ravel(slip)
        friction = np.zeros(sliding.size)
        for point, law in zip(tables.points, tables.friction, strict=True):
            part = slice(point["first"], point["first"] + point["size"])
            contact = point["contact"]
            load = (1.0, 1.0) if contact == NO_CONTACT else (normal[contact], activation[contact])
            friction_point(law, *load, sliding[part], state.memory[part], friction[part], rates.memory[part])
        if friction.size:
            force = force - friction @ slip_jac
        rates.q[:] = np.ravel(q_dot)
        rates.u[:] = np.linalg.solve(mass, force)
        return dx

    return state_rate


def _lambdified_terms(system: System) -> Callable[..., Any]:
    """What a model's kernel gives, in its order and without the energies, of (t, q, u, parameters)."""
    m = system.model
    rates = [rate(c.distance, m.q) for c in m.contacts]
    slips = [component for vector in m.slips for component in vector]
    outputs = [
        m.in_speeds(m.mass), m.bias, m.in_speeds(m.q_dot), sp.Matrix([c.distance for c in m.contacts]),
        m.in_speeds(sp.Matrix(rates)), sp.Matrix([list(m.direction(v)) for v in rates]),
        m.in_speeds(sp.Matrix(slips)), sp.Matrix([list(m.direction(v)) for v in slips]),
    ]  # fmt: skip
    terms: Callable[..., Any] = sp.lambdify((TIME, m.q, m.speeds, m.parameters), outputs, modules="numpy", cse=True)
    return terms


def _normal_forces(laws: NDArray[Any], s: State, s_dot: State) -> tuple[State, State]:
    """Normal force in N and activation of each contact at distances in m and their rates in m/s."""
    found = [normal_force(law, *motion) for law, *motion in zip(laws, s, s_dot, strict=True)]
    return np.array([force for force, _, _ in found]), np.array([activation for _, _, activation in found])
