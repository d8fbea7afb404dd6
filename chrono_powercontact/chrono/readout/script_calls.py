"""Lets the calls by which scripts read contacts include ours.

`body.GetContactForce()`, `body.GetContactTorque()`, `system.GetNumContacts()` and
`system.GetContactContainer().ReportAllContacts(callback)` go through PyChrono's Python layer, where they can be
completed. C++ code that asks Chrono itself, as in a robot's own controller, still finds Chrono's contacts alone.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from ..api.bridge import addresses_of, owner_of, pychrono
from ..core import Core
from .acted import Acted, acted, loads
from .contact_planes import seen_contacts
from .report_pool import ReportPool, can_be_written

NO_OFFSET = -1
"""Offset of the first constraint of a contact that has none."""


class ContactReport(NamedTuple):
    """A contact as Chrono's OnReportContact gets it: vectors and matrices are PyChrono's.

    Attributes:
        point_a, point_b: on the surfaces of both bodies, in m. plane: its x axis is the normal from A to B.
        distance: gap in m, negative if they overlap. radius: effective radius of curvature in m.
        force, torque: on body B in N and N m, in components of the plane. body_a, body_b: the bodies.
    """

    point_a: Any
    point_b: Any
    plane: Any
    distance: float
    radius: float
    force: Any
    torque: Any
    body_a: Any
    body_b: Any


def reports(core: Core) -> Sequence[ContactReport]:
    """The contacts of a core that acted in the last step, as Chrono reports them, to be kept."""
    return [
        _report(seen, *rest)
        for seen, *rest in zip(seen_contacts(_rows(core)).tolist(), *_columns(core), strict=True)
    ]  # fmt: skip


def _columns(core: Core) -> tuple[list[Any], ...]:
    """Gaps, radii of curvature, and both bodies of the contacts that acted in the last step."""
    rows = _rows(core)
    bodies = core.stepper.bodies
    first, second = ([bodies[number] for number in rows.elements[side].tolist()] for side in ("a", "b"))
    return rows.gap.tolist(), rows.curvature.tolist(), first, second


def _shown_reports(core: Core) -> list[tuple[Any, ...]]:
    """Arguments of OnReportContact for each contact, to be used before the next step; made once a step."""
    computed_in = core.stepper.computed_in
    known = _REPORTS.get(core)
    if known is None:
        known = Reports()
        _REPORTS[core] = known
    if not core.stepper.clock.once or known.computed_in != computed_in:
        known.computed_in = computed_in
        known.arguments = _arguments(core, known.pool)
    return known.arguments


def _arguments(core: Core, pool: ReportPool) -> list[tuple[Any, ...]]:
    """Arguments of OnReportContact for each contact, in the objects of a pool."""
    rows = _rows(core)
    if not len(rows.elements):
        return []
    shown = pool.show(seen_contacts(rows))
    return [
        (on_a, on_b, plane, gap, radius, force, torque, first, second, NO_OFFSET)
        for (on_a, on_b, plane, force, torque), gap, radius, first, second in zip(shown, *_columns(core), strict=False)
    ]


def _lasting_reports(core: Core) -> list[tuple[Any, ...]]:
    """The same with new objects, where PyChrono's cannot be written to."""
    return [(*found, NO_OFFSET) for found in reports(core)]


def _report(seen: Sequence[Any], gap: float, curvature: float, first: Any, second: Any) -> ContactReport:
    """One contact as Chrono reports it, from a record of SEEN."""
    chrono = pychrono()
    axis, steep, _, on_a, on_b, force, torque = seen
    vector = chrono.ChVector3d
    plane = chrono.ChMatrix33d()
    plane.SetFromAxisX(vector(*axis), chrono.VECT_X if steep else chrono.VECT_Y)
    return ContactReport(
        vector(*on_a), vector(*on_b), plane, gap, curvature, vector(*force), vector(*torque), first, second
    )


def _rows(core: Core) -> Acted:
    """The contacts that acted in the last step of a linearised integrator, read once a step; else those now."""
    if not core.stepper.clock.once:
        return acted(core)
    computed_in = core.stepper.computed_in
    known = _ROWS.get(core)
    if known is None or known[0] != computed_in:
        known = computed_in, acted(core)
        _ROWS[core] = known
    return known[1]


class Reports:
    """What callbacks were shown of the contacts of a core: the step in which these were computed, and the arguments."""

    def __init__(self) -> None:
        self.pool = ReportPool()
        self.computed_in = -1
        self.arguments: list[tuple[Any, ...]] = []


class Listener(NamedTuple):
    """Addresses of a system whose calls are completed, and the cores of its attachments, a list that may change."""

    addresses: tuple[int, int]
    cores: Sequence[Core]


_LISTENERS: list[Listener] = []
_ROWS: weakref.WeakKeyDictionary[Core, tuple[int, Acted]] = weakref.WeakKeyDictionary()
"""Contacts by core, with the number of the step in which their forces were computed."""
_REPORTS: weakref.WeakKeyDictionary[Core, Reports] = weakref.WeakKeyDictionary()
"""The same as Chrono reports them to callbacks."""
_LOADS: weakref.WeakKeyDictionary[Core, tuple[int, tuple[list[Any], list[Any]]]] = weakref.WeakKeyDictionary()
"""The same for resultants."""


def answer(system: Any, cores: Sequence[Core]) -> None:
    """Let the calls of a script on a system and on its bodies include the contacts of cores."""
    _complete_bodies()
    alive = weakref.ref(system)
    listener = Listener(addresses_of(system), cores)
    _LISTENERS.append(listener)
    weakref.finalize(system, _LISTENERS.remove, listener)
    kind = type(system)

    def count() -> int:
        return int(kind.GetNumContacts(alive())) + _count(cores)

    def container() -> Any:
        return _completed_container(kind.GetContactContainer(alive()), cores)

    system.GetNumContacts = count
    system.GetContactContainer = container


def cores_on(owner: int) -> list[Core]:
    """The cores of all attachments to the system at an address."""
    return [core for listener in _LISTENERS if owner in listener.addresses for core in listener.cores]


def _count(cores: Sequence[Core]) -> int:
    """Number of contacts that acted in the last step."""
    return sum(len(_rows(core).elements) for core in cores)


def _completed_container(container: Any, cores: Sequence[Core]) -> Any:
    """Chrono's contact container with our contacts in its reports."""
    kind = type(container)

    def count() -> int:
        return int(kind.GetNumContacts(container)) + _count(cores)

    shown = _shown_reports if can_be_written() else _lasting_reports

    def report_all(callback: Any) -> None:
        kind.ReportAllContacts(container, callback)
        for core in cores:
            for arguments in shown(core):
                if not callback.OnReportContact(*arguments):
                    return

    container.GetNumContacts = count
    container.ReportAllContacts = report_all
    return container


@cache
def _complete_bodies() -> None:
    """Let PyChrono's bodies add our contacts to what Chrono says."""
    chrono = pychrono()
    for method, part in (("GetContactForce", "force"), ("GetContactTorque", "torque")):
        setattr(chrono.ChBody, method, _completed(getattr(chrono.ChBody, method), part))


def _completed(original: Any, part: str) -> Any:
    """A method of PyChrono's bodies with our part in it. Chrono crashes if asked about a body in no system."""

    def reading(body: Any) -> Any:
        owner = owner_of(body)
        if not owner:
            return pychrono().ChVector3d(0.0, 0.0, 0.0)
        total = original(body)
        for core in cores_on(owner):
            x, y, z = _of_body(core, body, part)
            total.Set(total.x + x, total.y + y, total.z + z)
        return total

    reading.__doc__ = f"{original.__doc__ or ''} Includes contacts of chrono_powercontact."
    reading.__name__ = original.__name__
    return reading


def _of_body(core: Core, body: Any, part: str) -> Any:
    """Force or torque of a core on a body in the last step; all bodies are computed together, once a step."""
    place = core.place_of(body)
    if place is None:
        return 0.0, 0.0, 0.0
    steps = core.stepper.computed_in if core.stepper.clock.once else core.system.GetNumSteps()
    known = _LOADS.get(core)
    if known is None or known[0] != steps or len(known[1][0]) != len(core.stepper.bodies):
        total = loads(core)
        known = steps, (total.force.tolist(), total.torque.tolist())
        _LOADS[core] = known
    force, torque = known[1]
    return (force if part == "force" else torque)[place]
