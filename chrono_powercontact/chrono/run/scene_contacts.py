"""The contacts of a live scene as a recording keeps them: ours and Chrono's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernel import inlined, kernel
from ...numerics.vectors import Triple, cross, dot, minus, norm, plus, times, triple
from ...view.recording import CONTACT
from ..contact.contact_table import Elements
from ..contact.records import ELEMENT, MEMORY
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


class SceneContacts:
    """The contacts of a system; beyond a sliding speed in m/s they slide."""

    def __init__(self, bodies: SceneBodies, slip_speed: float) -> None:
        self._bodies = bodies
        self._slip_speed = slip_speed
        self._room = np.empty(0, CONTACT)
        self._count = 0

    def read(self, system: Any, cores: Sequence[Core]) -> NDArray[Any]:
        """All contacts of the last step, records of CONTACT, at the states that the bodies were last read in."""
        self._count = 0
        for core in cores:
            self._read_core(core)
        if type(system).GetNumContacts(system):
            self._write(_chronos(system, self._bodies))
        return copied(self._room[: self._count])

    def _read_core(self, core: Core) -> None:
        """Contacts of an attachment."""
        stepper = core.stepper
        if stepper.load is None:
            return
        if not stepper.clock.once:
            self._write(_present(core, self._bodies))
            return
        numbers = self._bodies.numbers_on(core)
        for part in (stepper.table, *stepper.parts):
            for table in part.contacts:
                if len(table.elements):
                    self._read_kept(table, numbers)

    def _read_kept(self, table: Elements, numbers: NDArray[np.int32]) -> None:
        """Contacts of the last step of a linearised integrator, whose forces are in the memory of the elements."""
        elements, _, _, memory = table.tables
        self._make_room(len(table.elements))
        self._count = write_kept(
            elements, memory, numbers, self._bodies.states, self._slip_speed, self._room, self._count
        )

    def _write(self, rows: Rows) -> None:
        """Further contacts."""
        self._make_room(len(rows.a))
        self._count = write_rows(rows, self._bodies.states, self._slip_speed, self._room, self._count)

    def _make_room(self, more: int) -> None:
        """Room for a number of further contacts."""
        if self._count + more > len(self._room):
            larger = np.empty(2 * (self._count + more), CONTACT)
            larger[: self._count] = self._room[: self._count]
            self._room = larger


def copied(contacts: NDArray[Any]) -> NDArray[Any]:
    """A copy by bytes: NumPy copies records one by one, and field by field."""
    return contacts.view(np.uint8).copy().view(CONTACT)


@kernel
def write_kept(
    elements: Array, memory: Array, numbers: Array, states: States, slip_speed: float, found: Array, count: int
) -> int:
    """Write what the memory of elements holds of the last step behind a number of contacts; returns how many there are.

    Args:
        elements, memory: flat. numbers: of the bodies on the load. found: records of CONTACT.
    """
    heads = elements.view(ELEMENT)
    own = memory.view(MEMORY)
    for i in range(heads.size):
        if own[i].load != 0.0:
            normal = triple(own[i].push)
            force = minus(times(own[i].load, normal), triple(own[i].friction))
            a, b = numbers[heads[i].a], numbers[heads[i].b]
            write_contact(found[count], a, b, triple(own[i].point), normal, force, states, slip_speed)
            count += 1
    return count


@kernel
def write_rows(rows: Rows, states: States, slip_speed: float, found: Array, count: int) -> int:
    """Write contacts behind a number of others, as records of CONTACT; returns how many there are."""
    for i in range(rows.a.size):
        point, normal, force = triple(rows.point[i]), triple(rows.axis[i]), triple(rows.force[i])
        write_contact(found[count], rows.a[i], rows.b[i], point, normal, force, states, slip_speed)
        count += 1
    return count


@inlined
def write_contact(
    found: Any, a: int, b: int, point: Triple, normal: Triple, force: Triple, states: States, slip_speed: float
) -> None:
    """Write a contact into a record of CONTACT: its force is split into normal force and friction."""
    along = times(dot(force, normal), normal)
    found.a = a
    found.b = b
    for k in range(3):
        found.point[k] = point[k]
        found.normal[k] = along[k]
        found.friction[k] = force[k] - along[k]
    speed = minus(velocity_at(a, point, states), velocity_at(b, point, states))
    found.sliding = norm(minus(speed, times(dot(speed, normal), normal))) > slip_speed


@inlined
def velocity_at(body: int, point: Triple, states: States) -> Triple:
    """Velocity in m/s of a point of a body; zero for an unknown one."""
    if body < 0:
        return 0.0, 0.0, 0.0
    e = triple(states.rotation[body, 1:])
    own = triple(states.spin[body])
    twice = times(2.0, cross(e, own))
    turning = plus(plus(own, times(states.rotation[body, 0], twice)), cross(e, twice))
    return plus(triple(states.velocity[body]), cross(turning, minus(point, triple(states.position[body]))))


def _present(core: Core, bodies: SceneBodies) -> Rows:
    """Contacts of an attachment at the present state."""
    rows = acted(core)
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
