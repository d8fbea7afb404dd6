"""How the reference engine lays out its numbers: state, ledger, tables of points and filters, and a record.

Every column of the engine is named here and nowhere else. State x: coordinates q, velocities u, memory, ledger.
Record: time, state, distances, normal forces, slip forces, and three energies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

from ..kernel import inlined, inner
from ..laws.friction.friction_table import FRICTION
from ..laws.normal.normal_table import NORMAL

Array = Any

LEDGER_NAMES = ("contact_heat", "friction_heat", "handed_back", "drive_work")
LEDGER = len(LEDGER_NAMES)
CONTACT_HEAT, FRICTION_HEAT, HANDED_BACK, DRIVE_WORK = range(LEDGER)
"""Integrals of the ledger in J: dissipated in contacts, dissipated by friction, returned by friction that acted along
the motion, and work of the drives."""

ENERGY_NAMES = ("kinetic", "potential", "stored")
"""Energies in J at the end of a record."""

POINT_MEMORY, COORDINATE_MEMORY = range(2)
"""Where friction keeps its memory: at each point, or one filter per generalised velocity (2.25), (4.6b)."""

NO_CONTACT = -1
"""Stands for the contact of a friction point that belongs to none."""

POINT = np.dtype([("first", np.int64), ("size", np.int64), ("contact", np.int64)])
"""A point with friction: its first slip component, their number, and its contact or NO_CONTACT."""

CONTACT = np.dtype(
    [
        ("force", np.float64),
        ("surplus", np.float64),
        ("activation", np.float64),
        ("psi", np.float64),
        ("psi_rate", np.float64),
        ("mean_force", np.float64),
        ("mean_surplus", np.float64),
    ]
)
"""A contact in one evaluation: its normal force in N, the part of it above the elastic force, and its activation, 0 to
1; the potential psi of its anchors in m, by which its distance is shifted, and the rate of psi in m/s; and the means
of both forces over a step of RK4."""

FILTER = np.dtype([("t_f", np.float64), ("v_f", np.float64)])
"""Filter of a generalised velocity: time constant in s, and the speed below which it closes (0: never)."""

VECTOR = types.float64[::1]
MATRIX = types.float64[:, ::1]
INTEGERS = types.int64[::1]
NORMALS = from_dtype(NORMAL)[::1]
POINTS = from_dtype(POINT)[::1]
FRICTIONS = from_dtype(FRICTION)[::1]
FILTERS = from_dtype(FILTER)[::1]


class Sizes(NamedTuple):
    """Numbers of coordinates, velocities, contacts and slip components."""

    n_q: int
    n_u: int
    n_c: int
    n_t: int


class Arguments(NamedTuple):
    """What a flat entry kernel takes after the model's kernel, the time and the state.

    Attributes:
        parameters: of the model. sizes: see `Sizes`, as a vector.
        normal, friction: records of the laws, per contact and per point. points: see POINT. filters: see FILTER.
        mode: POINT_MEMORY or COORDINATE_MEMORY.
    """

    parameters: Array
    sizes: Array
    normal: Array
    points: Array
    friction: Array
    filters: Array
    mode: int


ARGUMENT_TYPES = Arguments(VECTOR, INTEGERS, NORMALS, POINTS, FRICTIONS, FILTERS, types.int64)
"""Types of the arguments in compiled code."""


class State(NamedTuple):
    """Views into a full state, or into its rate."""

    q: Array
    u: Array
    memory: Array
    ledger: Array


class Columns(NamedTuple):
    """Where the blocks of a record begin, its energies, and where it ends; the time is column 0."""

    time: int
    state: int
    distances: int
    normal_forces: int
    slip_forces: int
    kinetic: int
    potential: int
    stored: int
    end: int


@inlined
def sizes_of(vector: Array) -> Sizes:
    """Sizes from the vector of an entry kernel."""
    return Sizes(vector[0], vector[1], vector[2], vector[3])


@inner
def split_state(x: Array, sizes: Sizes) -> State:
    """Coordinates, velocities, memory and ledger of a full state, or of its rate."""
    memory = sizes.n_q + sizes.n_u
    ledger = x.size - LEDGER
    return State(x[: sizes.n_q], x[sizes.n_q : memory], x[memory:ledger], x[ledger:])


@inlined
def record_columns(state_size: int, sizes: Sizes) -> Columns:
    """Columns of the record of a state."""
    state = 1
    distances = state + state_size
    normal_forces = distances + sizes.n_c
    slip_forces = normal_forces + sizes.n_c
    kinetic = slip_forces + sizes.n_t
    return Columns(
        0, state, distances, normal_forces, slip_forces, kinetic, kinetic + 1, kinetic + 2, kinetic + 3
    )  # fmt: skip
