"""The contacts of a live Chrono scene as statics sees them: from our contacts, and from Chrono's own report.

The velocities are those of Chrono's vectors: of each body that moves, its velocity in world components and its angular
velocity about body-fixed axes. The contacts must give what they give now; so no mass, gravity or load is needed, and
all forces with the same motion are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError, not_negative
from ...laws.friction.stiction import stiction_of
from ...setvalued.contact_set import ContactSet, Touching, contact_set, touching
from ..api.bridge import body_key, pychrono, shape_instance
from ..contact.bodies import SPEED_WIDTH
from ..contact.readings import body_name
from ..core import Core
from ..implicit.linked.row_plan import SystemRows, rows_one_by_one
from .acted import acted_rows

Floats = NDArray[np.float64]

ROUND_OFF = 1e-9
"""Relative excess of friction over its limit that counts as none."""


class Seen(NamedTuple):
    """A contact of the last step: a point in m, the axes of its plane (normal from A to B first, one row each), the
    force on B along these axes in N, both bodies, and mu."""

    point: Floats
    axes: Floats
    force: Floats
    first: Any
    second: Any
    mu: float


class Placed(NamedTuple):
    """A moving body: where its velocities begin, centre in m, rotation, velocity in m/s, angular velocity in rad/s."""

    offset: int
    centre: Floats
    turn: Floats
    velocity: Floats
    rotation: Floats


def live_contacts(system: Any, cores: Sequence[Core], slip_speed: float, mu: float | None = None) -> ContactSet:
    """All contacts of the last step with the forces that acted, and the joints of the system.

    Args:
        system: after at least one step.
        cores: of its attachments.
        slip_speed: sliding speed in m/s above which friction is not free to change: a contact then keeps its ratio of
            friction to normal force.
        mu: coefficient of friction for all contacts; None takes those of the materials.
    """
    limit = not_negative("slip_speed", slip_speed)
    size = int(system.GetNumCoordsVelLevel())
    bodies = {body_key(body): _placed(body) for body in system.GetBodies() if not body.IsFixed() and body.IsActive()}
    found = [*_ours(cores), *_chronos(system)]
    rows = [_contact(i + 1, contact, bodies, size, limit, mu) for i, contact in enumerate(found)]
    joints = np.zeros((0, size))
    if system.GetNumConstraintsBilateral():
        readers = SystemRows(type(system))
        readers.load_jacobians(system)
        joints = rows_one_by_one(system, readers)
    kept = [row for row in rows if row is not None]
    return contact_set(kept, None if kept else np.zeros(size), joints)


def _vector(v: Any) -> Floats:
    return np.array((v.x, v.y, v.z))


def _placed(body: Any) -> Placed:
    matrix = body.GetRotMat()
    turn = np.array([_vector(axis) for axis in (matrix.GetAxisX(), matrix.GetAxisY(), matrix.GetAxisZ())])
    return Placed(
        int(body.GetOffset_w()), _vector(body.GetPos()), turn, _vector(body.GetPosDt()),
        _vector(body.GetAngVelParent()),
    )  # fmt: skip


def _contact(
    number: int, seen: Seen, bodies: dict[int, Placed], size: int, slip_speed: float, mu: float | None
) -> Touching | None:
    """A contact with its rows; None where neither body moves."""
    rows = np.zeros((3, size))
    slip = np.zeros(3)
    for body, sign in ((seen.first, -1.0), (seen.second, 1.0)):
        at = bodies.get(body_key(body))
        if at is None:
            continue
        arm = seen.point - at.centre
        rows[:, at.offset : at.offset + 3] = sign * seen.axes
        rows[:, at.offset + 3 : at.offset + SPEED_WIDTH] = sign * np.cross(arm, seen.axes) @ at.turn.T
        slip += sign * seen.axes @ (at.velocity + np.cross(at.rotation, arm))
    if not rows.any():
        return None
    normal = max(float(seen.force[0]), 0.0)
    friction = seen.force[1:]
    coefficient = seen.mu if mu is None else mu
    sliding = None
    if normal > 0.0 and np.hypot(*slip[1:]) > slip_speed:
        sliding = friction / normal
    elif normal > 0.0:
        coefficient = max(coefficient, float(np.hypot(*friction)) / normal * (1.0 + ROUND_OFF))
    name = f"{number} {body_name(seen.first)}/{body_name(seen.second)}"
    return touching(name, rows[0], rows[1:], coefficient, sliding, (*friction, normal))


def _ours(cores: Sequence[Core]) -> Iterator[Seen]:
    """Our contacts of the last step."""
    for core in cores:
        bodies = core.stepper.bodies
        for table, rows in acted_rows(core):
            mu = [stiction_of(material.friction) for material in table.laws]
            for i, element in enumerate(rows.elements):
                axes = _axes(-rows.normal[i])
                yield Seen(
                    rows.point[i], axes, -axes @ rows.force[i], bodies[element["a"]], bodies[element["b"]],
                    mu[element["material"]],
                )  # fmt: skip


def _axes(normal: Floats) -> Floats:
    """A normal and two tangents, along the world axes where the normal is one."""
    helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
    second = np.cross(normal, helper)
    second /= np.linalg.norm(second)
    return np.array((normal, np.cross(second, normal), second))


def _chronos(system: Any) -> Iterator[Seen]:
    """Contacts of Chrono's own, in the last step."""
    report = contact_reader()()
    container = type(system).GetContactContainer(system)
    type(container).ReportAllContacts(container, report)
    known: dict[int, float] = {}
    for seen in report.found:
        mu = min(known.setdefault(body_key(body), _friction_of(body)) for body in (seen.first, seen.second))
        yield seen._replace(mu=mu)


def _friction_of(body: Any) -> float:
    """Coefficient of friction of a body: the largest of its shapes, for a report does not tell which of them touch."""
    model = body.GetCollisionModel()
    if model is None:
        return 0.0
    shapes = [shape_instance(model, i)[0] for i in range(model.GetNumShapes())]
    return max((float(f"{shape.GetMaterial().GetStaticFriction():.7g}") for shape in shapes), default=0.0)


@cache
def contact_reader(bodies_only: bool = True) -> type:
    """The class of a report on all contacts; made on demand, because it derives from PyChrono's.

    Contacts of meshes, which have no body, are an error if there must be bodies only, and else left out.
    """
    chrono = pychrono()

    base = chrono.ReportContactCallback

    class Reader(base):  # type: ignore[misc, valid-type]
        """Keeps all contacts that carry a force."""

        def __init__(self) -> None:
            super().__init__()
            self.found: list[Seen] = []

        def OnReportContact(
            self, point_a: Any, point_b: Any, plane: Any, distance: float, radius: float, force: Any, *rest: Any
        ) -> bool:
            if force.x == 0.0 and force.y == 0.0 and force.z == 0.0:
                return True
            axes = np.array([_vector(axis) for axis in (plane.GetAxisX(), plane.GetAxisY(), plane.GetAxisZ())])
            bodies = [chrono.CastToChBody(thing) for thing in rest[1:3]]
            if any(body is None for body in bodies):
                if not bodies_only:
                    return True
                raise ParameterError("force ranges are known for contacts between bodies, not for those of meshes")
            middle = 0.5 * (_vector(point_a) + _vector(point_b))
            self.found.append(Seen(middle, axes, _vector(force), bodies[0], bodies[1], 0.0))
            return True

    return Reader
