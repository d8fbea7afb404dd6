"""The state rate of a system of the reference engine, for a filter: all its numbers in one vector p.

p holds sizes, indices of states and inputs, points with friction, then the model's parameters and the records of its
laws. The filter unpacks it once a prediction; the system's own kernel `terms` comes as a pointer, so a new system
compiles nothing in the filter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernel import inlined, kernel
from ..lagrange.engine import resolved_rates
from ..lagrange.equations import SystemData, Work, system_data
from ..lagrange.layout import COORDINATE_MEMORY, FILTER, LEDGER, POINT
from ..lagrange.system import System
from ..laws.friction.friction_table import FRICTION
from ..laws.normal.normal_table import NORMAL

HEAD = np.dtype(
    [
        ("n_q", np.int64),
        ("n_u", np.int64),
        ("n_c", np.int64),
        ("n_t", np.int64),
        ("parameters", np.int64),
        ("points", np.int64),
        ("mode", np.int64),
        ("states", np.int64),
        ("inputs", np.int64),
    ]
)
"""Head of p: the system's sizes, the numbers of its parameters and of its points with friction, the mode of its
memory, and the numbers of the filter's states and inputs."""

HEAD_WIDTH = HEAD.itemsize // 8
SIZES_WIDTH = 4
POINT_WIDTH = POINT.itemsize // 8
NORMAL_WIDTH = NORMAL.itemsize // 8
FRICTION_WIDTH = FRICTION.itemsize // 8
FILTER_WIDTH = FILTER.itemsize // 8
"""How many doubles each takes in p."""

Array = Any


class Carried(NamedTuple):
    """How a filter's states and inputs belong to a system.

    Attributes:
        states: index of each of the filter's states in the full state. inputs: that of each input among the parameters.
        full, full_rate: full state and its rate.
    """

    states: Array
    inputs: Array
    full: Array
    full_rate: Array


def packed(system: System, states: NDArray[np.int64], inputs: NDArray[np.int64]) -> NDArray[np.float64]:
    """p of a system: `states` are indices in its full state, `inputs` indices among its parameters."""
    tables = system.arguments
    head = (*system.sizes, tables.parameters.size, len(tables.points), tables.mode, states.size, inputs.size)
    blocks = [np.array([head], HEAD), states, inputs, tables.points, tables.parameters]
    blocks += [tables.normal, tables.friction, tables.filters]
    return np.concatenate([block.view(np.float64) for block in blocks])


@kernel
def unpacked(terms: Any, p: Array) -> tuple[SystemData, Carried]:
    """A system from its p, and how a filter carries it; inputs and estimated numbers are written into p."""
    head = p[:HEAD_WIDTH].view(HEAD)[0]
    sizes = p[:SIZES_WIDTH].view(np.int64)
    at = HEAD_WIDTH
    states = p[at : at + head.states].view(np.int64)
    at += head.states
    inputs = p[at : at + head.inputs].view(np.int64)
    at += head.inputs
    points = p[at : at + head.points * POINT_WIDTH].view(POINT)
    at += head.points * POINT_WIDTH
    parameters = p[at : at + head.parameters]
    at += head.parameters
    normal = p[at : at + head.n_c * NORMAL_WIDTH].view(NORMAL)
    at += head.n_c * NORMAL_WIDTH
    friction = p[at : at + head.points * FRICTION_WIDTH].view(FRICTION)
    at += head.points * FRICTION_WIDTH
    filters = p[at : at + head.n_u * FILTER_WIDTH].view(FILTER)
    data = system_data(terms, parameters, sizes, normal, points, friction, filters, head.mode)
    memory = head.n_u if head.mode == COORDINATE_MEMORY else head.n_t
    size = head.n_q + head.n_u + memory + LEDGER
    return data, Carried(states, inputs, np.zeros(size), np.zeros(size))


@inlined
def system_rate(
    t: float, x: Array, u: Array, system: SystemData, work: Work, carried: Carried, dx: Array
) -> None:  # fmt: skip
    """dx/dt of the states that a filter carries; not a number where the mass matrix is not positive definite."""
    states, inputs, full, full_rate = carried
    for i in range(inputs.size):
        system.parameters[inputs[i]] = u[i]
    for i in range(states.size):
        full[states[i]] = x[i]
    regular = resolved_rates(system, t, full, work, full_rate)
    for i in range(states.size):
        dx[i] = full_rate[states[i]] if regular else np.nan
