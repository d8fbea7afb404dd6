"""Lets the calls by which scripts read contacts include ours.

`body.GetContactForce()`, `body.GetContactTorque()`, `system.GetNumContacts()` and
`system.GetContactContainer().ReportAllContacts(callback)` go through PyChrono's Python layer, where they can be
completed. C++ code that asks Chrono itself, as in a robot's own controller, still finds Chrono's contacts alone.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from ..api.bridge import belongs, pychrono
from ..core import Core
from .acted import Acted, Loads, acted, loads
from .contact_planes import seen_contacts

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
    """The contacts of a core that acted in the last step, as Chrono reports them; made once a step."""
    if not core.stepper.clock.once:
        return list(_reports(core))
    computed_in = core.stepper.computed_in
    known = _REPORTS.get(core)
    if known is None or known[0] != computed_in:
        known = computed_in, list(_reports(core))
        _REPORTS[core] = known
    return known[1]


def _reports(core: Core) -> Iterator[ContactReport]:
    """The same, one after the other."""
    rows = _rows(core)
    bodies = core.stepper.bodies
    elements = rows.elements
    columns = rows.gap, rows.curvature, elements["a"], elements["b"]
    for seen, gap, curvature, a, b in zip(
        seen_contacts(rows).tolist(), *(column.tolist() for column in columns), strict=True
    ):
        yield _report(seen, gap, curvature, bodies[a], bodies[b])


def _report(seen: Sequence[Any], gap: float, curvature: float, first: Any, second: Any) -> ContactReport:
    """One contact as Chrono reports it, from a record of SEEN."""
    chrono = pychrono()
    axis, steep, on_a, on_b, force, torque = seen
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


class Listener(NamedTuple):
    """A system whose calls are completed, and the cores of its attachments, a list that may change."""

    system: weakref.ref[Any]
    cores: Sequence[Core]


_LISTENERS: list[Listener] = []
_ROWS: weakref.WeakKeyDictionary[Core, tuple[int, Acted]] = weakref.WeakKeyDictionary()
"""Contacts by core, with the number of the step in which their forces were computed."""
_REPORTS: weakref.WeakKeyDictionary[Core, tuple[int, Sequence[ContactReport]]] = weakref.WeakKeyDictionary()
"""The same as Chrono reports them."""
_LOADS: weakref.WeakKeyDictionary[Core, tuple[int, Loads]] = weakref.WeakKeyDictionary()
"""The same for resultants."""


def answer(system: Any, cores: Sequence[Core]) -> None:
    """Let the calls of a script on a system and on its bodies include the contacts of cores."""
    _complete_bodies()
    alive = weakref.ref(system)
    listener = Listener(alive, cores)
    _LISTENERS.append(listener)
    weakref.finalize(system, _LISTENERS.remove, listener)
    kind = type(system)

    def count() -> int:
        return int(kind.GetNumContacts(alive())) + _count(cores)

    def container() -> Any:
        return _completed_container(kind.GetContactContainer(alive()), cores)

    system.GetNumContacts = count
    system.GetContactContainer = container


def _count(cores: Sequence[Core]) -> int:
    """Number of contacts that acted in the last step."""
    return sum(len(_rows(core).elements) for core in cores)


def _completed_container(container: Any, cores: Sequence[Core]) -> Any:
    """Chrono's contact container with our contacts in its reports."""
    kind = type(container)

    def count() -> int:
        return int(kind.GetNumContacts(container)) + _count(cores)

    def report_all(callback: Any) -> None:
        kind.ReportAllContacts(container, callback)
        for core in cores:
            for found in reports(core):
                if not callback.OnReportContact(*found, NO_OFFSET):
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
        if body.GetSystem() is None:
            return pychrono().ChVector3d(0.0, 0.0, 0.0)
        total = original(body)
        for listener in _LISTENERS:
            system = listener.system()
            if system is not None and listener.cores and belongs(body, system):
                for core in listener.cores:
                    total = total + pychrono().ChVector3d(*_of_body(core, body, part))
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
    if known is None or known[0] != steps or len(known[1].force) != len(core.stepper.bodies):
        known = steps, loads(core, _rows(core))
        _LOADS[core] = known
    return getattr(known[1], part)[place]
