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

from ..api.bridge import addresses_of, fast, pychrono
from ..core import Core
from .acted import NOTHING, Acted, acted, loads
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
    known = _known(core)
    if not core.stepper.clock.once or known.shown_in != computed_in:
        known.shown_in = computed_in
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
    known = _known(core)
    if known.read_in != computed_in:
        known.rows = acted(core)
        known.read_in = computed_in
    return known.rows


class Known:
    """What scripts were told of the contacts of a core, with the numbers of the steps in which these were computed.

    Attributes:
        rows, read_in: the contacts that acted. arguments, shown_in, pool: the same for OnReportContact. force, torque,
            summed_in: resultants on the bodies by number.
    """

    def __init__(self) -> None:
        self.rows = NOTHING
        self.read_in = -1
        self.pool = ReportPool()
        self.arguments: list[tuple[Any, ...]] = []
        self.shown_in = -1
        self.force: list[Any] = []
        self.torque: list[Any] = []
        self.summed_in = -1


def _known(core: Core) -> Known:
    """What scripts were told of the contacts of a core."""
    if core.known is None:
        core.known = Known()
    known: Known = core.known
    return known


class Listener(NamedTuple):
    """Addresses of a system whose calls are completed, and the cores of its attachments, a list that may change."""

    addresses: tuple[int, int]
    cores: Sequence[Core]


_LISTENERS: list[Listener] = []


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
        report = callback.OnReportContact
        for core in cores:
            for arguments in shown(core):
                if not report(*arguments):
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

    kind = pychrono().ChBody
    owner_of = fast(kind, "GetSystem")
    key_of = fast(kind, "GetIdentifier")
    read = fast(kind, original.__name__)

    def reading(body: Any) -> Any:
        owner = owner_of(body)
        if owner is None:
            return pychrono().ChVector3d(0.0, 0.0, 0.0)
        total = read(body)
        for core in cores_on(int(getattr(owner, "this", owner))):
            x, y, z = _of_body(core, key_of(body), part)
            total.Set(total.x + x, total.y + y, total.z + z)
        return total

    reading.__doc__ = f"{original.__doc__ or ''} Includes contacts of chrono_powercontact."
    reading.__name__ = original.__name__
    return reading


def _of_body(core: Core, key: int, part: str) -> Any:
    """Force or torque of a core on a body, by its key, in the last step; all are computed together, once a step."""
    stepper = core.stepper
    place = stepper.roster.numbers.get(key)
    if place is None:
        return 0.0, 0.0, 0.0
    steps = stepper.computed_in if stepper.clock.once else core.system.GetNumSteps()
    known = _known(core)
    if known.summed_in != steps or len(known.force) != len(stepper.bodies):
        total = loads(core)
        known.force = total.force.tolist()
        known.torque = total.torque.tolist()
        known.summed_in = steps
    return (known.force if part == "force" else known.torque)[place]
