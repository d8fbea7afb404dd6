"""Stops and friction of joints, and friction of a point that slides: forces on the same load as the contacts.

A joint's coordinate is that of Chrono: angle in rad or position in m of frame 1 relative to frame 2, about or along the
z axis of frame 2, or the length in m of a spring-damper (`ChLinkTSDA`, as in a hydraulic cylinder). Frames and end
points are read once, when the force is added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, finite
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Dissipation
from ...laws.friction.memory import LTIFilter
from ...laws.normal.hertz import Hertz
from ...laws.normal.hooke import Hooke
from ...laws.normal.restriction import Barrier, NormalLaw, Restriction
from ...laws.rows import friction_row
from ..api.bridge import body_key, joint_bodies, joint_motion
from ..contact.contact_kernel import TOTALS
from ..contact.contact_table import Elements, Instant
from ..contact.readings import body_name
from ..contact.shapes import check_body, rotation_matrix, unit, vector
from . import joint_kernel as jk
from .joint_jacobian import joint_jacobian

MOTIONS = {"turn": jk.TURN, "slide": jk.SLIDE, "line": jk.LINE}
TOO_DEEP = 10.0
"""Depths of a stop's law beyond its limits at which a joint is taken to be there by mistake."""
NO_REPORT = np.zeros((0, jk.REPORT_WIDTH))

JOINT_FORCES = np.dtype(
    [
        ("joint", "i8"), ("place", "f8"), ("speed", "f8", 2), ("stop", "f8"), ("friction", "f8", 2), ("stored", "f8"),
        ("body_1", "U32"), ("body_2", "U32"),
    ]
)  # fmt: skip
"""One row per joint force: its number, angle in rad, position in m or length in m of a line, speeds along both
directions, force of the stops along the coordinate in N or N m (along a line it pushes the ends apart), friction
against both speeds, energy in the stops and the anchor in J, names of the bodies."""

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class JointForce:
    """A stop, the friction of a joint, or the friction of a sliding point, as rows of numbers.

    Attributes:
        bodies: the two that it acts between. motion: TURN, SLIDE or LINE.
        geometry, law: rows of the kernel. each: 1 opens each direction's filter by itself.
        start: angle in rad near which the present one is counted.
    """

    bodies: tuple[Any, Any]
    motion: int
    geometry: Vector
    law: Vector
    each: int = 0
    start: float = 0.0


def _frame(frame: Any) -> tuple[Vector, Vector]:
    """Origin and rotation matrix of one of Chrono's frames."""
    p, e = frame.GetPos(), frame.GetRot()
    return np.array((p.x, p.y, p.z)), rotation_matrix((e.e0, e.e1, e.e2, e.e3))


def _bodies(link: Any, system: Any) -> tuple[Any, Any]:
    """The bodies of a joint, at least one of which can move."""
    bodies = joint_bodies(link, system)
    if bodies[0].IsFixed() and bodies[1].IsFixed():
        raise ParameterError("both bodies of the joint are fixed: a force between them does nothing")
    return bodies


def _joint(link: Any, system: Any) -> tuple[tuple[Any, Any], int, Vector]:
    """Bodies, motion and row of geometry of a revolute or prismatic joint."""
    motion, name = MOTIONS[joint_motion(link)], type(link).__name__
    if motion == jk.LINE:
        raise ParameterError(f"link must be a revolute or prismatic joint here, got {name}: it tells its own GetLength")
    bodies = _bodies(link, system)
    (point, first), (origin, second) = _frame(link.GetFrame1Rel()), _frame(link.GetFrame2Rel())
    side = second[:, 0] if motion == jk.TURN else np.zeros(3)
    return bodies, motion, np.concatenate([point, first[:, 0], origin, second[:, 2], side])


def _line(link: Any, system: Any) -> tuple[tuple[Any, Any], int, Vector]:
    """Bodies, motion and row of geometry of a spring-damper line."""
    bodies, points = _bodies(link, system), (link.GetPoint1Rel(), link.GetPoint2Rel())
    one, two = (np.array((point.x, point.y, point.z)) for point in points)
    (place, pose), (origin, turn) = (_frame(body) for body in bodies)
    if not np.linalg.norm(place + pose @ one - origin - turn @ two) > 0.0:
        raise ParameterError(
            f"the ends of a {type(link).__name__} must be apart to give a direction, got a length of 0"
        )
    return bodies, jk.LINE, np.concatenate([one, np.zeros(3), two, np.zeros(6)])


def _between(link: Any, system: Any) -> tuple[tuple[Any, Any], int, Vector]:
    """Bodies, motion and row of geometry of any link that takes a force."""
    return _line(link, system) if joint_motion(link) == "line" else _joint(link, system)


def _place(force: JointForce) -> float:
    """Where a joint is now, in rad or m."""
    poses = [(body.GetPos(), body.GetRot()) for body in force.bodies]
    x = np.array([(p.x, p.y, p.z, e.e0, e.e1, e.e2, e.e3) for p, e in poses]).ravel()
    joints, rows, w = Joints(), np.zeros((1, jk.REPORT_WIDTH)), np.zeros(12)
    joints.add(force, (0, 1))
    joints.report(Instant(x, w, 0.0, 0.0, False), np.zeros(12), np.zeros(TOTALS), rows)
    return float(rows[0, jk.PLACE])


def _check_place(force: JointForce, reach: float) -> None:
    """Raise if a joint is further beyond its stops than it could be pressed: its limits are in other units, say."""
    low, high, place = *force.law[[jk.LOWER, jk.UPPER]], _place(force)
    measure = "rad" if force.motion == jk.TURN else "m"
    if place < low - reach or place > high + reach:
        raise ParameterError(
            f"the joint is at {place:g} {measure}, far beyond its stops at lower={low:g} and upper={high:g} {measure}: "
            f"more than {TOO_DEEP:g} times the depth of their law"
        )


def _law(friction: Vector | None = None) -> Vector:
    """A row of laws without stops."""
    row = np.zeros(jk.LAW_WIDTH)
    row[jk.LOWER], row[jk.UPPER], row[jk.FRICTION_LAW] = -math.inf, math.inf, -1.0
    if friction is not None:
        row[jk.FRICTION_LAW :] = friction
    return row


def _friction(law: Dissipation, memory: LTIFilter | Anchor | None) -> Vector:
    if not isinstance(law, Dissipation):
        raise ParameterError(f"law must be a Dissipation, for no normal force scales it, got {type(law).__name__}")
    if memory is not None and not isinstance(memory, LTIFilter | Anchor):
        raise ParameterError(
            f"memory must be an LTIFilter, an LPVFilter, an Anchor or None, got {type(memory).__name__}"
        )
    return friction_row(law, memory)


def stop(
    system: Any, link: Any, law: NormalLaw | Hooke | Hertz, lower: float | None = None, upper: float | None = None
) -> JointForce:
    """Stops of a joint at a lower and an upper limit, in rad or m, or of a line at a shortest and a longest length.

    The law counts its distance from the stop: s - s_0 is the way left to the limit, in rad or m; r_f is in N m or N.
    A joint with less than a turn between its limits is taken to be on the turn nearest to their middle, else its
    angle is first taken between -pi and pi.
    """
    if not isinstance(law, NormalLaw | Hooke | Hertz):
        raise ParameterError(f"law must be a Restriction or another normal law, got {type(law).__name__}")
    if lower is None and upper is None:
        raise ParameterError("a stop needs a lower or an upper limit, got neither")
    low = -math.inf if lower is None else finite("lower", lower)
    high = math.inf if upper is None else finite("upper", upper)
    if not low < high:
        raise ParameterError(f"lower must be less than upper, got lower={low:g} and upper={high:g}")
    bodies, motion, geometry = _between(link, system)
    if motion == jk.LINE and not high > 0.0:
        raise ParameterError(f"upper must be positive, for it is a length, got upper={high:g}")
    row = _law()
    row[jk.LOWER], row[jk.UPPER], row[jk.OFFSET] = low, high, law.s_0  # type: ignore[union-attr]
    row[jk.STOP_LAW : jk.FRICTION_LAW] = law.row
    middle = 0.5 * (low + high) if high - low < 2.0 * math.pi else 0.0
    force = JointForce(bodies, motion, geometry, row, start=middle)
    if isinstance(law, Restriction) and not isinstance(law, Barrier):
        _check_place(force, TOO_DEEP * (law.s_0 - law.s_c))
    return force


def joint_friction(system: Any, link: Any, law: Dissipation, memory: LTIFilter | Anchor | None = None) -> JointForce:
    """Friction about or along the axis of a joint, or along a line: in N m and rad/s, or in N and m/s."""
    row = _law(_friction(law, memory))
    return JointForce(*_between(link, system), row)


def sliding(
    body: Any, partner: Any, law: Dissipation, memory: LTIFilter | Anchor | None = None,
    at: ArrayLike = (0.0, 0.0, 0.0), directions: Sequence[ArrayLike] = ((1.0, 0.0, 0.0),), each: bool = False,
) -> JointForce:  # fmt: skip
    """Friction of a point of a body that slides over its partner, of a given amplitude in N.

    Args:
        at: the point in the frame of the body, in m.
        directions: one, or two at right angles, in the frame of the partner; two make friction a vector against the
            sliding velocity, whose norm is rounded by the law's eps (2.17).
        each: whether the memory of each direction opens by the speed along it (2.25) rather than by the norm.
    """
    check_body("body", body)
    check_body("partner", partner)
    row = _law(_friction(law, memory))
    axes = [unit("directions", direction) for direction in directions]
    if len(axes) not in (1, 2):
        raise ParameterError(f"directions must be one or two vectors, got {len(axes)}")
    if len(axes) == 2 and abs(float(axes[0] @ axes[1])) > 1e-9:
        raise ParameterError(f"directions must be at right angles, got {axes[0].tolist()} and {axes[1].tolist()}")
    if body_key(body) == body_key(partner):
        raise ParameterError("a point cannot slide over its own body")
    if body.IsFixed() and partner.IsFixed():
        raise ParameterError("both bodies are fixed: friction between them does nothing")
    point, side = vector("at", at), axes[1] if len(axes) == 2 else np.zeros(3)
    (origin, turn), (place, pose) = _frame(partner), _frame(body)
    start = turn.T @ (place + pose @ point - origin)
    geometry = np.concatenate([point, np.zeros(3), start, axes[0], side])
    return JointForce((body, partner), jk.SLIDE, geometry, row, int(each))


class Joints:
    """All joint forces of an attachment as tables, and the kernel over them: a part of the load."""

    def __init__(self) -> None:
        self._forces: dict[int, JointForce] = {}
        self._places: dict[int, Sequence[int]] = {}
        self._memory: dict[int, Vector] = {}
        self._count = 0
        self._rotations = np.zeros((0, 3, 3))
        self._rebuild()

    def __len__(self) -> int:
        return len(self._forces)

    def add(self, force: JointForce, places: Sequence[int]) -> int:
        """Take a force on, with the numbers of its bodies on the load; returns its number."""
        number, self._count = self._count, self._count + 1
        self._forces[number], self._places[number] = force, places
        self._memory[number] = np.array((force.start, 0.0, 0.0, math.nan, math.nan, 0.0))
        self._rebuild()
        return number

    def remove(self, number: int) -> None:
        """Take a force out; its number comes from `add`."""
        if number not in self._forces:
            raise ParameterError(f"there is no joint force {number}; there are {sorted(self._forces)}")
        del self._forces[number]
        self._rebuild()

    def _rebuild(self) -> None:
        """New tables; the memory of forces that stay is kept."""
        forces = self._forces.values()
        heads = [(force.motion, *self._places[number], force.each) for number, force in self._forces.items()]
        self._heads = np.array(heads, np.int64).reshape(-1, 4)
        self._geometry = np.array([force.geometry for force in forces]).reshape(-1, jk.GEOMETRY_WIDTH)
        self._laws = np.array([force.law for force in forces]).reshape(-1, jk.LAW_WIDTH)
        self._table = np.array([self._memory[number] for number in self._forces]).reshape(-1, jk.MEMORY_WIDTH)
        self._memory = dict(zip(self._forces, self._table, strict=True))

    @property
    def contacts(self) -> Sequence[Elements]:
        """A joint has no contact elements."""
        return ()

    @property
    def memories(self) -> Sequence[Vector]:
        """What all joints remember."""
        return (self._table,)

    def evaluate(self, at: Instant, q: Vector, totals: Vector) -> None:
        """Add the generalised forces to q; stored energy, heat in the stops and friction power to totals."""
        self.report(at, q, totals, NO_REPORT)

    def report(self, at: Instant, q: Vector, totals: Vector, rows: Vector) -> None:
        """Like `evaluate`, and what each joint does into rows of REPORT_WIDTH."""
        if len(rows) not in (0, len(self)):
            raise ParameterError(f"rows must be none or one for each of {len(self)} joint forces, got {len(rows)}")
        jk.joint_forces(at.x, at.w, *self._tables(at.x.size), at.since, at.commit, not at.once, q, totals, rows)

    def differentiate(self, x: Vector, w: Vector, since: float, stiffness: Vector, damping: Vector) -> None:
        """Add K = -dQ/dx and R = -dQ/dv of all joint forces."""
        joint_jacobian(x, w, *self._tables(x.size), since, stiffness, damping)

    def _tables(self, size: int) -> tuple[NDArray[Any], ...]:
        """What the kernels read, with room for the rotation matrices of a state of a size."""
        if 7 * len(self._rotations) != size:
            self._rotations = np.zeros((size // 7, 3, 3))
        return self._rotations, self._heads, self._geometry, self._laws, self._table

    def readings(self, at: Instant) -> NDArray[Any]:
        """What every joint force does at a state, as a structured array of dtype JOINT_FORCES."""
        result, rows = np.zeros(len(self), JOINT_FORCES), np.zeros((len(self), jk.REPORT_WIDTH))
        self.report(at, np.zeros(at.w.size), np.zeros(TOTALS), rows)
        result["joint"] = list(self._forces)
        for name, column in (("place", jk.PLACE), ("stop", jk.STOP), ("stored", jk.STORED)):
            result[name] = rows[:, column]
        for name, column in (("speed", jk.SPEED), ("friction", jk.FRICTION)):
            result[name] = rows[:, column : column + 2]
        for i, name in enumerate(("body_1", "body_2")):
            result[name] = [body_name(force.bodies[i]) for force in self._forces.values()]
        return result
