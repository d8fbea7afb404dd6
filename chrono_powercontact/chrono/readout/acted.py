"""What contacts did to the bodies in the last step.

A linearised integrator evaluates forces once a step. They stay in the memory of the contacts, so an impact that begins
and ends within a step is seen: its force is the impulse over the step, as with Chrono's NSC. Under other integrators
the forces are those at the present state.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ...numerics.vectors import Triple, cross, minus, plus, times, triple
from ..contact.bodies import STATE_WIDTH, rotations
from ..contact.contact_table import Elements, Instant
from ..contact.geometry import SPHERE_BOX, SPHERE_PLANE
from ..contact.records import ELEMENT, GEOMETRY, MEMORY, empty
from ..contact.solids.locating import locate_any
from ..core import Core

Array = Any
Floats = NDArray[np.float64]


class Acted(NamedTuple):
    """Contacts that acted in a step, one row each, in world components.

    Attributes:
        elements: records of ELEMENT, with the numbers of bodies A and B on the load. normal: towards A.
        point: in m. force, moment: on A in N and N m. gap: in m. curvature: effective radius in m, 0 at an edge.
    """

    elements: NDArray[Any]
    normal: Floats
    point: Floats
    force: Floats
    moment: Floats
    gap: Floats
    curvature: Floats


NO_VECTORS = np.zeros((0, 3))
NOTHING = Acted(empty(ELEMENT, 0), NO_VECTORS, NO_VECTORS, NO_VECTORS, NO_VECTORS, np.zeros(0), np.zeros(0))
"""No contact."""


class Loads(NamedTuple):
    """Force in N and torque in N m about its centre of mass on each body of a load, in world components."""

    force: Floats
    torque: Floats


NORMAL, POINT, FORCE, MOMENT = range(4)
GAP, CURVATURE = range(2)
"""Vectors and numbers of contacts in the order of `Acted`."""


@kernel
def curvature_of(kind: int, shape: Any) -> float:
    """Effective radius in m of the surfaces of an element, 1/R = 1/R_a + 1/R_b; faces are straight."""
    a = shape.a_radius
    b = 0.0 if kind in (SPHERE_PLANE, SPHERE_BOX) else shape.b_radius
    return a * b / (a + b) if a > 0.0 and b > 0.0 else max(a, b)


@kernel
def add_load(body: int, sign: float, arm: Triple, force: Triple, moment: Triple, forces: Array, torques: Array) -> None:
    """Add a force at the end of an arm from the centre of mass of a body, and a moment, each times a sign."""
    torque = plus(cross(arm, force), moment)
    for k in range(3):
        forces[body, k] += sign * force[k]
        torques[body, k] += sign * torque[k]


@kernel
def add_loads(
    a: Array, b: Array, point: Array, force: Array, moment: Array, centres: Array, forces: Array, torques: Array
) -> None:
    """Add forces and moments on bodies A at points, and the reverse on bodies B, to those on all bodies."""
    for i in range(a.size):
        for body, sign in ((a[i], 1.0), (b[i], -1.0)):
            arm = minus(triple(point[i]), triple(centres[body]))
            add_load(body, sign, arm, triple(force[i]), triple(moment[i]), forces, torques)


@kernel
def add_kept_loads(elements: Array, memory: Array, past: Array, forces: Array, torques: Array) -> None:
    """The same from what the memory of elements holds of the last step; `past` are packed states at its start."""
    heads = elements.view(ELEMENT)
    memories = memory.view(MEMORY)
    for e in range(heads.size):
        own = memories[e]
        if own.load == 0.0:
            continue
        force = minus(times(own.load, own.push), own.friction)
        moment = times(-1.0, own.moment)
        for body, sign in ((heads[e].a, 1.0), (heads[e].b, -1.0)):
            k = STATE_WIDTH * body
            arm = minus(own.point, (past[k], past[k + 1], past[k + 2]))
            add_load(body, sign, arm, force, moment, forces, torques)


def acted(core: Core) -> Acted:
    """The contacts of a core that acted in the last step."""
    return _joined([rows for _, rows in acted_rows(core)])


def acted_rows(core: Core) -> list[tuple[Elements, Acted]]:
    """The contacts of a core that acted in the last step, by the tables that hold them."""
    if core.stepper.load is None:
        return []
    tables = [table for table in core.stepper.tables() if len(table.elements)]
    if not tables:
        return []
    if core.stepper.clock.once:
        core.stepper.load.gather()
        x = core.stepper.load.x.data
        return [(table, _kept(table, x)) for table in tables]
    at = core.stepper.now()
    return [(table, _present(table, at)) for table in tables]


@kernel
def read_kept(
    x: Array, elements: Array, geometry: Array, memory: Array, chosen: Array, vectors: Array, scalars: Array
) -> int:
    """Read what the memory of elements holds of the last step, and their gaps at a state; returns how many acted.

    Args:
        elements, geometry, memory: flat. chosen: receives the numbers of the elements that acted.
        vectors: receive normal, point, force and moment of each. scalars: receive its gap and its curvature.
    """
    r = np.empty((x.size // STATE_WIDTH, 3, 3))
    rotations(x, r)
    heads = elements.view(ELEMENT)
    shapes = geometry.view(GEOMETRY)
    memories = memory.view(MEMORY)
    count = 0
    for e in range(heads.size):
        own = memories[e]
        if own.load == 0.0:
            continue
        chosen[count] = e
        for k in range(3):
            vectors[NORMAL, count, k] = own.push[k]
            vectors[POINT, count, k] = own.point[k]
            vectors[FORCE, count, k] = own.load * own.push[k] - own.friction[k]
            vectors[MOMENT, count, k] = -own.moment[k]
        scalars[GAP, count] = locate_any(x, r, heads[e], shapes[e]).gap
        scalars[CURVATURE, count] = curvature_of(heads[e].kind, shapes[e])
        count += 1
    return count


def _kept(table: Elements, x: Floats) -> Acted:
    """What the memory of elements holds of the last step; their gaps are those at packed states x."""
    elements, geometry, _, memory = table.tables
    most = len(table.elements)
    chosen = np.empty(most, np.int64)
    vectors = np.empty((MOMENT + 1, most, 3))
    scalars = np.empty((CURVATURE + 1, most))
    count = read_kept(x, elements, geometry, memory, chosen, vectors, scalars)
    normal, point, force, moment = vectors[:, :count]
    gap, curvature = scalars[:, :count]
    return Acted(table.elements[chosen[:count]], normal, point, force, moment, gap, curvature)


def _present(table: Elements, at: Instant) -> Acted:
    """What elements do at the present state."""
    lines = table.reported(at)
    acting = np.flatnonzero(lines["force"])
    now = lines[acting]
    force = now["force"][:, None] * now["normal"] + now["friction"]
    return Acted(
        table.elements[acting], now["normal"], now["point"], force, now["moment"], now["gap"],
        _curvature(table, acting),
    )  # fmt: skip


def _curvature(table: Elements, acting: NDArray[np.int64]) -> Floats:
    """Effective radius in m of the surfaces of elements."""
    rows = zip(table.elements["kind"][acting], table.geometry[acting], strict=True)
    return np.array([curvature_of(kind, shape) for kind, shape in rows])


def _joined(found: list[Acted]) -> Acted:
    """All rows together."""
    acting = [rows for rows in found if len(rows.elements)]
    if not acting:
        return NOTHING
    if len(acting) == 1:
        return acting[0]
    return Acted(*(np.concatenate(columns) for columns in zip(*acting, strict=True)))


def loads(core: Core) -> Loads:
    """Resultants on all bodies of a core in the last step; torques are about the centres of mass at its start."""
    stepper = core.stepper
    count = len(stepper.bodies)
    total = Loads(np.zeros((count, 3)), np.zeros((count, 3)))
    if stepper.load is None:
        return total
    if stepper.clock.once:
        for table in stepper.tables():
            if len(table.elements):
                elements, _, _, memory = table.tables
                add_kept_loads(elements, memory, stepper.book.past, *total)
        return total
    rows = acted(core)
    centres = stepper.load.x.data[: STATE_WIDTH * count].reshape(count, STATE_WIDTH)[:, :3]
    first, second = np.ascontiguousarray(rows.elements["a"]), np.ascontiguousarray(rows.elements["b"])
    add_loads(first, second, rows.point, rows.force, rows.moment, centres, *total)
    return total
