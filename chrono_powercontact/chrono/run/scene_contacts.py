"""The contacts of a live scene as a recording keeps them: ours and Chrono's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...view.poses import turned
from ...view.recording import CONTACT, NO_CONTACTS
from ..core import Core
from ..readout.acted import acted
from ..readout.live_contacts import contact_reader
from .scene_state import SceneBodies, States

Floats = NDArray[np.float64]


def scene_contacts(system: Any, cores: Sequence[Core], bodies: SceneBodies, slip_speed: float) -> NDArray[Any]:
    """All contacts of the last step, records of CONTACT; beyond a sliding speed in m/s they slide."""
    parts = [_ours(core, bodies) for core in cores]
    if type(system).GetNumContacts(system):
        parts.append(_chronos(system, bodies))
    found = np.concatenate(parts) if parts else NO_CONTACTS
    if found.size:
        found["sliding"] = slip_speeds(found, bodies.states) > slip_speed
    return found


def slip_speeds(contacts: NDArray[Any], states: States) -> Floats:
    """Sliding speed in m/s of each contact: that of body A over body B at the point, without its normal part."""
    point = contacts["point"].astype(float)
    speed = _velocity_at(contacts["a"], point, states) - _velocity_at(contacts["b"], point, states)
    normal = contacts["normal"].astype(float)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0.0)
    return np.asarray(np.linalg.norm(speed - (speed * normal).sum(axis=1, keepdims=True) * normal, axis=1))


def _velocity_at(numbers: NDArray[Any], point: Floats, states: States) -> Floats:
    """Velocity in m/s of the points of bodies; zero for unknown ones."""
    turning = turned(states.rotation[numbers], states.spin[numbers])
    speed = states.velocity[numbers] + np.cross(turning, point - states.position[numbers])
    return np.where((numbers >= 0)[:, None], speed, 0.0)


def _ours(core: Core, bodies: SceneBodies) -> NDArray[Any]:
    """Contacts of an attachment."""
    rows = acted(core)
    found = np.zeros(len(rows.elements), CONTACT)
    if not found.size:
        return found
    numbers = bodies.numbers_on(core)
    found["a"] = numbers[rows.elements["a"]]
    found["b"] = numbers[rows.elements["b"]]
    found["point"] = rows.point
    along = (rows.force * rows.normal).sum(axis=1, keepdims=True) * rows.normal
    found["normal"] = along
    found["friction"] = rows.force - along
    return found


def _chronos(system: Any, bodies: SceneBodies) -> NDArray[Any]:
    """Contacts of Chrono's own; forces are those on the first body."""
    report = contact_reader(False)()
    container = type(system).GetContactContainer(system)
    type(container).ReportAllContacts(container, report)
    found = np.zeros(len(report.found), CONTACT)
    for line, seen in zip(found, report.found, strict=True):
        line["a"] = bodies.number_of(seen.first)
        line["b"] = bodies.number_of(seen.second)
        line["point"] = seen.point
        line["normal"] = -seen.force[0] * seen.axes[0]
        line["friction"] = -(seen.force[1:] @ seen.axes[1:])
    return found
