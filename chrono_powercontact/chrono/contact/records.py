"""The tables of the contact kernel, with named fields: elements, geometry, materials, memory, reports, sums.

Kernels take flat arrays, whose types numba recognises quickly, and view them as these records inside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...laws.friction.friction_table import FRICTION
from ...laws.normal.normal_table import NORMAL

_VECTOR = (np.float64, (3,))

ELEMENT = np.dtype([("kind", np.int32), ("a", np.int32), ("b", np.int32), ("material", np.int32)])
"""A contact element: kind of geometry, numbers of bodies A and B on the load, and number of its material."""

GEOMETRY = np.dtype(
    [
        ("a0", *_VECTOR), ("a1", *_VECTOR), ("a_out", *_VECTOR), ("a_radius", np.float64),
        ("b0", *_VECTOR), ("b1", *_VECTOR), ("b_out", *_VECTOR), ("b_radius", np.float64),
        ("b_turn", np.float64, (3, 3)), ("skew", np.float64),
    ]
)  # fmt: skip
"""Geometry of an element, body-fixed, in m: two points, an outward direction and a radius on A; the same on B; and the
rotation of a box on B. A plane has its point in b0 and its normal in b1, a box its centre and half edges. The contact
point lies midway between the surfaces plus `skew` times the gap: -1/2 is on the surface of A, 1/2 on that of B."""

MATERIAL = np.dtype(
    [
        ("reach", np.float64),
        ("offset", np.float64),
        ("patch", np.float64),
        ("normal", NORMAL),
        ("friction", FRICTION),
        ("rolling", FRICTION),
        ("spinning", FRICTION),
    ]
)
"""A material: gap in m beyond which it does not act, s_0 of its normal law in m, radius in m at which friction resists
spinning, and its laws."""

MEMORY = np.dtype(
    [
        ("load", np.float64), ("surplus", np.float64), ("held", *_VECTOR), ("push", *_VECTOR), ("point", *_VECTOR),
        ("friction", *_VECTOR), ("speed", np.float64), ("rubbing", np.float64),
        ("psi", np.float64), ("mark_a", *_VECTOR), ("mark_b", *_VECTOR), ("apart", *_VECTOR),
        ("moment", *_VECTOR), ("turn", *_VECTOR), ("turning", *_VECTOR),
        ("normal", *_VECTOR), ("approach", np.float64), ("exit", np.float64), ("behind", np.float64),
        ("solved", *_VECTOR), ("solved_moment", *_VECTOR),
        ("gate", np.float64), ("earlier", *_VECTOR), ("growth", *_VECTOR), ("since", np.float64),
    ]
)  # fmt: skip
"""Memory of an element at the last commit, in world components, with what most steps need at the front, so that crowds
can leave out the end: normal force in N, its excess over the elastic part; friction force in N or anchor in m. Then
what acts in a step of a linearised integrator: direction of the normal force on A, point, friction force in N against
the motion of A; normal speed in m/s and friction power in W at its start. With anchors, psi of all of them in m, the
marks of the contact point on both bodies, and their separation due to round-off. With rolling or spinning friction its
moment in N m against the motion of A, its anchor in rad, and the relative angular velocity in rad/s. The normal, zero
before the first commit. For an impact within a step the speeds in m/s before and after, zero if there is none; while
the bodies pass a wall that they broke within a step, the gap in m, negative, at which it lies behind them, otherwise 0;
the force in N and moment in N m on A that the last implicit solve found. Between the stages of an integrator, behind a
filter: its opening, the static friction force in N, its mean rate in N/s between the last two commits, and the time in
s between them, 0 if there was one commit only."""

REPORT = np.dtype(
    [
        ("gap", np.float64), ("force", np.float64), ("activation", np.float64), ("stored", np.float64),
        ("contact_power", np.float64), ("friction_power", np.float64),
        ("normal", *_VECTOR), ("point", *_VECTOR), ("friction", *_VECTOR), ("moment", *_VECTOR),
    ]
)  # fmt: skip
"""Report on an element: gap in m, normal force in N, activation, stored energy in J, powers in W dissipated in normal
direction and by friction; in world components the normal, the point, the friction force on A in N, and the moment of
rolling and spinning friction on A in N m."""

TOTALS = np.dtype(
    [
        ("stored", np.float64), ("contact_power", np.float64), ("friction_power", np.float64),
        ("returned_power", np.float64), ("anchors_took", np.float64), ("anchors_gave", np.float64),
        ("contact_heat", np.float64), ("friction_heat", np.float64), ("handed_back", np.float64),
        ("elastic", np.float64), ("impact", np.float64), ("contact_drag", np.float64), ("friction_drag", np.float64),
    ]
)  # fmt: skip
"""Sums over all parts: stored energy in J; powers in W dissipated in contacts and by friction, including what anchors
take from friction and give to contacts, and handed back by filtered friction. At a commit the stored energy of contacts
is not summed, and the energy in J that anchors took and gave since the last commit is summed separately. At a commit of
a linearised integrator follow energies in J of the last step: heat of contacts and of friction, energy handed back,
work of elastic forces, and the difference of work at the end and in the middle of impacts; and what heat at the mean
velocity of the step exceeds that at its end, in contacts and by friction."""

BOOK = np.dtype(
    [
        ("contact_heat", np.float64), ("friction_heat", np.float64), ("handed_back", np.float64), ("work", np.float64),
        ("springs", np.float64), ("elastic", np.float64), ("impact", np.float64), ("kinetic", np.float64),
        ("contact_by_power", np.float64), ("friction_by_power", np.float64),
        ("contact_power", np.float64), ("friction_power", np.float64), ("returned_power", np.float64),
        ("power", np.float64), ("stored_at_opening", np.float64), ("is_open", np.float64),
    ]
)  # fmt: skip
"""The energy book in J: contact heat, friction heat, energy handed back, and work on the bodies; with a linearised
integrator the share of springs of Chrono's in that work, the work of elastic forces, the share of impacts in what the
step took, the kinetic energy that it took, and both heats from the powers at the ends of the steps; powers at the last
commit in W; the energy stored at the first commit, and whether there was one."""


def flat(records: NDArray[Any]) -> NDArray[Any]:
    """A flat view of an array of records, without a copy: integers for elements, floats otherwise."""
    return records.view(np.int64 if records.dtype == ELEMENT else np.float64)


def empty(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """Records filled with zeros."""
    return np.zeros(count, dtype)
