"""The contacts of a live scene as a recording keeps them: ours and Chrono's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ...numerics.vectors import Triple, cross, dot, minus, norm, plus, times, triple
from ...view.recording import CONTACT, NO_CONTACTS
from ..core import Core
from ..readout.acted import acted
from ..readout.live_contacts import contact_reader
from .scene_state import SceneBodies, States

Array = Any


class Rows(NamedTuple):
    """Contacts, one row each: numbers of their bodies (-1 if unknown), point in m, unit normal, force on A in N."""

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    point: NDArray[np.float64]
    axis: NDArray[np.float64]
    force: NDArray[np.float64]


def scene_contacts(system: Any, cores: Sequence[Core], bodies: SceneBodies, slip_speed: float) -> NDArray[Any]:
    """All contacts of the last step, records of CONTACT; beyond a sliding speed in m/s they slide."""
    parts = [_ours(core, bodies) for core in cores]
    if type(system).GetNumContacts(system):
        parts.append(_chronos(system, bodies))
    found = [kept(rows, bodies.states, slip_speed) for rows in parts if rows is not None]
    if len(found) == 1:
        return found[0]
    return np.concatenate(found) if found else NO_CONTACTS


def kept(rows: Rows, states: States, slip_speed: float) -> NDArray[Any]:
    """Contacts as records of CONTACT."""
    found = np.empty(len(rows.a), CONTACT)
    write_contacts(rows, states, slip_speed, found)
    return found


@kernel
def write_contacts(rows: Rows, states: States, slip_speed: float, found: Array) -> None:
    """Write contacts into records of CONTACT: their forces are split into normal force and friction."""
    for i in range(rows.a.size):
        normal = triple(rows.axis[i])
        along = times(dot(triple(rows.force[i]), normal), normal)
        found[i].a = rows.a[i]
        found[i].b = rows.b[i]
        for k in range(3):
            found[i].point[k] = rows.point[i, k]
            found[i].normal[k] = along[k]
            found[i].friction[k] = rows.force[i, k] - along[k]
        at = triple(rows.point[i])
        speed = minus(velocity_at(rows.a[i], at, states), velocity_at(rows.b[i], at, states))
        found[i].sliding = norm(minus(speed, times(dot(speed, normal), normal))) > slip_speed


@kernel
def velocity_at(body: int, point: Triple, states: States) -> Triple:
    """Velocity in m/s of a point of a body; zero for an unknown one."""
    if body < 0:
        return 0.0, 0.0, 0.0
    e = triple(states.rotation[body, 1:])
    own = triple(states.spin[body])
    twice = times(2.0, cross(e, own))
    turning = plus(plus(own, times(states.rotation[body, 0], twice)), cross(e, twice))
    return plus(triple(states.velocity[body]), cross(turning, minus(point, triple(states.position[body]))))


def _ours(core: Core, bodies: SceneBodies) -> Rows | None:
    """Contacts of an attachment."""
    rows = acted(core)
    if not len(rows.elements):
        return None
    numbers = bodies.numbers_on(core)
    return Rows(numbers[rows.elements["a"]], numbers[rows.elements["b"]], rows.point, rows.normal, rows.force)


def _chronos(system: Any, bodies: SceneBodies) -> Rows:
    """Contacts of Chrono's own; its report has the forces on the second body."""
    report = contact_reader(False)()
    container = type(system).GetContactContainer(system)
    type(container).ReportAllContacts(container, report)
    seen = report.found
    return Rows(
        np.array([bodies.number_of(contact.first) for contact in seen], np.int32),
        np.array([bodies.number_of(contact.second) for contact in seen], np.int32),
        np.array([contact.point for contact in seen]).reshape(-1, 3),
        np.array([contact.axes[0] for contact in seen]).reshape(-1, 3),
        np.array([-(contact.force @ contact.axes) for contact in seen]).reshape(-1, 3),
    )
