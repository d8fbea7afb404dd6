"""The state rate of a system of the reference engine, for a filter: all its numbers in one vector p.

p holds sizes, places of states and inputs, points with friction, then the model's parameters and law rows. The filter
unpacks it once a prediction; the system's own kernel `terms` comes as a pointer, so a new system compiles nothing
in the filter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernel import kernel
from ..lagrange.engine import LEDGER, derivative, workspace
from ..lagrange.system import System
from ..laws.friction.friction_table import FRICTION
from ..laws.normal.normal_table import NORMAL

HEAD = 9
"""Whole numbers at the head of p: coordinates, velocities, contacts, slip components, parameters, points with
friction, mode of the memory, states of the filter, inputs."""

NORMAL_WIDTH = NORMAL.itemsize // 8
FRICTION_WIDTH = FRICTION.itemsize // 8
"""How many doubles the record of a law takes in p."""

Array = Any


def packed(system: System, states: NDArray[np.int64], inputs: NDArray[np.int64]) -> NDArray[np.float64]:
    """p of a system: `states` are places in its full state, `inputs` places among its parameters."""
    p, sizes, normal, points, friction, filters, mode = system.arguments
    head = np.array([*sizes, p.size, len(points), mode, states.size, inputs.size], np.int64)
    whole = np.concatenate([head, states, inputs, points.ravel()]).view(np.float64)
    return np.concatenate([whole, p, normal.view(np.float64), friction.view(np.float64), filters.ravel()])


@kernel
def unpacked(p: Array, is_system: bool) -> Any:
    """Places, numbers, laws and workspace of a system from its p; all empty where p is no system's."""
    head = p[:HEAD].view(np.int64) if is_system else np.zeros(HEAD, np.int64)
    n_q, n_u, n_c, n_t, n_p, n_k, mode = head[0], head[1], head[2], head[3], head[4], head[5], head[6]
    n_x, n_i = head[7], head[8]
    at = HEAD + n_x + n_i + 3 * n_k if is_system else 0
    whole = p[at - n_x - n_i - 3 * n_k : at].view(np.int64)
    places = (whole[:n_x], whole[n_x : n_x + n_i], n_q, n_u)
    points = whole[n_x + n_i :].reshape(n_k, 3)
    numbers, at = p[at : at + n_p].copy(), at + n_p
    normal = p[at : at + n_c * NORMAL_WIDTH].view(NORMAL)
    at += n_c * NORMAL_WIDTH
    friction = p[at : at + n_k * FRICTION_WIDTH].view(FRICTION)
    at += n_k * FRICTION_WIDTH
    filters = p[at : at + 2 * n_u].reshape(n_u, 2)
    size = n_q + n_u + (n_u if mode == 1 else n_t) + LEDGER
    return (
        places, numbers, (normal, points, friction, filters, mode), workspace(n_q, n_u, n_c, n_t),
        (np.zeros(size), np.zeros(size)),
    )  # fmt: skip


@kernel
def system_rate(terms: Any, t: float, x: Array, u: Array, system: Any, dx: Array) -> None:
    """dx/dt of the states that a filter carries; not a number where the mass matrix is not positive definite."""
    places, numbers, laws, room, whole = system
    states, inputs, n_q, n_u = places
    full, full_rate = whole
    for i in range(inputs.size):
        numbers[inputs[i]] = u[i]
    for i in range(states.size):
        full[states[i]] = x[i]
    memory = full[n_q + n_u : full.size - LEDGER]
    regular = derivative(terms, t, full, numbers, n_q, n_u, laws, room, memory, True, full_rate)
    for i in range(states.size):
        dx[i] = full_rate[states[i]] if regular else np.nan
