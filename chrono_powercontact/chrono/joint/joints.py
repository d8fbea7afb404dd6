"""Stops and friction of joints, and friction at a sliding point: forces on the same load as the contacts.

The coordinate of a joint is Chrono's: the angle in rad or position in m of frame 1 relative to frame 2, about or along
the z axis of frame 2, or the length in m of a spring-damper (`ChLinkTSDA`, as in a hydraulic cylinder). Frames and end
points are read once, when the force is added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, finite
from ...laws.friction.anchor import Anchor
from ...laws.friction.friction_law import FrictionLaw, Memory
from ...laws.friction.friction_table import friction_record
from ...laws.friction.memory import LTIFilter
from ...laws.normal.normal_law import NormalLaw
from ...laws.normal.normal_table import normal_record
from ...laws.normal.restriction import Barrier, Restriction
from ..api.bridge import body_key, is_guided, joint_bodies, joint_motion
from ..contact.bodies import STATE_WIDTH
from ..contact.contact_table import Elements, Floats, Instant
from ..contact.readings import body_name
from ..contact.records import TOTALS, empty, flat
from ..contact.shapes import check_body, rotation_matrix, unit, vector
from .joint_jacobian import joint_jacobian
from .joint_kernel import joint_forces
from .joint_records import JOINT, JOINT_GEOMETRY, JOINT_LAW, JOINT_MEMORY, JOINT_REPORT, LINE, SLIDE, TURN

MOTIONS = {"turn": TURN, "slide": SLIDE, "line": LINE}
TOO_DEEP = 10.0
"""A joint that is farther beyond its limits than this many depths of the stop's law is rejected as a mistake."""
NO_JOINT_REPORT = empty(JOINT_REPORT, 0)

JOINT_FORCES = np.dtype(
    [
        ("joint", "i8"), ("place", "f8"), ("speed", "f8", 2), ("stop", "f8"), ("friction", "f8", 2), ("stored", "f8"),
        ("body_1", "U32"), ("body_2", "U32"),
    ]
)  # fmt: skip
"""One row per joint force: its number, angle in rad, position in m or length of a line in m, speeds along both
directions, force of the stops along the coordinate in N or N m (a positive force along a line pushes the ends apart),
friction against both speeds, energy in the stops and the anchor in J, names of the bodies."""

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class JointForce:
    """A stop, the friction of a joint, or the friction of a sliding point, as records.

    Attributes:
        bodies: the two bodies between which it acts. motion: TURN, SLIDE or LINE.
        geometry, law: records for the kernel. each: 1 opens the filter of each direction separately.
        start: angle in rad near which the present angle is unwrapped.
        stop, friction: the laws behind the record, or None.
        guided: whether a link lets the bodies move in no other way relative to each other.
    """

    bodies: tuple[Any, Any]
    motion: int
    geometry: Any
    law: Any
    each: int = 0
    start: float = 0.0
    stop: NormalLaw | None = None
    friction: FrictionLaw | None = None
    guided: bool = False


def frame_of(frame: Any) -> tuple[Vector, Vector]:
    """Origin and rotation matrix of one of Chrono's frames."""
    p = frame.GetPos()
    e = frame.GetRot()
    return np.array((p.x, p.y, p.z)), rotation_matrix((e.e0, e.e1, e.e2, e.e3))


def _bodies(link: Any, system: Any) -> tuple[Any, Any]:
    """The bodies of a joint; raises unless at least one of them can move."""
    bodies = joint_bodies(link, system)
    if bodies[0].IsFixed() and bodies[1].IsFixed():
        raise ParameterError("both bodies of the joint are fixed: a force between them does nothing")
    return bodies


def geometry_record(**parts: ArrayLike) -> Any:
    """The geometry of a joint from named parts; the others are zero."""
    record = empty(JOINT_GEOMETRY, 1)[0]
    for name, value in parts.items():
        record[name] = value
    return record


def joint_of(link: Any, system: Any) -> tuple[tuple[Any, Any], int, Any]:
    """Bodies, motion and geometry of a revolute or prismatic joint."""
    motion = MOTIONS[joint_motion(link)]
    if motion == LINE:
        name = type(link).__name__
        raise ParameterError(
            f"link must be a revolute or prismatic joint here, got {name}: read its length with GetLength"
        )
    bodies = _bodies(link, system)
    (point, first) = frame_of(link.GetFrame1Rel())
    (origin, second) = frame_of(link.GetFrame2Rel())
    side = second[:, 0] if motion == TURN else np.zeros(3)
    geometry = geometry_record(point=point, mark=first[:, 0], origin=origin, axis=second[:, 2], side=side)
    return bodies, motion, geometry


def _line(link: Any, system: Any) -> tuple[tuple[Any, Any], int, Any]:
    """Bodies, motion and geometry of a spring-damper."""
    bodies = _bodies(link, system)
    points = (link.GetPoint1Rel(), link.GetPoint2Rel())
    one, two = (np.array((point.x, point.y, point.z)) for point in points)
    (centre, pose), (origin, turn) = (frame_of(body) for body in bodies)
    if not np.linalg.norm(centre + pose @ one - origin - turn @ two) > 0.0:
        raise ParameterError(
            f"the ends of a {type(link).__name__} must be apart to give a direction, got a length of 0"
        )
    return bodies, LINE, geometry_record(point=one, origin=two)


def _between(link: Any, system: Any) -> tuple[tuple[Any, Any], int, Any]:
    """Bodies, motion and geometry of any supported link."""
    return _line(link, system) if joint_motion(link) == "line" else joint_of(link, system)


def _position(force: JointForce) -> float:
    """Present position of a joint, in rad or m."""
    poses = [(body.GetPos(), body.GetRot()) for body in force.bodies]
    x = np.array([(p.x, p.y, p.z, e.e0, e.e1, e.e2, e.e3) for p, e in poses]).ravel()
    joints = Joints()
    joints.add(force, (0, 1))
    lines = empty(JOINT_REPORT, 1)
    joints.report(Instant(x, np.zeros(12), 0.0, 0.0, False), np.zeros(12), flat(empty(TOTALS, 1)), lines)
    return float(lines["position"][0])


def _check_position(force: JointForce, reach: float) -> None:
    """Raise if a joint is implausibly far beyond its stops, for instance because its limits are in the wrong unit."""
    low = force.law["lower"]
    high = force.law["upper"]
    position = _position(force)
    measure = "rad" if force.motion == TURN else "m"
    if position < low - reach or position > high + reach:
        raise ParameterError(
            f"the joint is at {position:g} {measure}, far beyond its stops at lower={low:g} and upper={high:g} "
            f"{measure}: more than {TOO_DEEP:g} times the depth of their law"
        )


def _law(friction: FrictionLaw | None = None, memory: Memory = None) -> Any:
    """The laws of a joint without stops."""
    record = empty(JOINT_LAW, 1)[0]
    record["lower"] = -math.inf
    record["upper"] = math.inf
    record["friction"] = friction_record(friction, memory)
    return record


def _checked(law: FrictionLaw, memory: Memory) -> tuple[FrictionLaw, Memory]:
    """A friction law and its memory; raises unless they may act in a joint."""
    if not (isinstance(law, FrictionLaw) and law.in_joints):
        raise ParameterError(
            "law must be a Dissipation, a LuGre or a user law, because no normal force scales it, "
            f"got {type(law).__name__}"
        )
    if memory is not None and not law.takes_memory:
        raise ParameterError(f"{type(law).__name__} has a memory of its own, got memory={memory!r}")
    if memory is not None and not isinstance(memory, LTIFilter | Anchor):
        raise ParameterError(
            f"memory must be an LTIFilter, an LPVFilter, an Anchor or None, got {type(memory).__name__}"
        )
    return law, memory


def stop(system: Any, link: Any, law: NormalLaw, lower: float | None = None, upper: float | None = None) -> JointForce:
    """Stops of a joint at a lower and an upper limit in rad or m, or of a line at its shortest and longest length.

    The law measures its distance from the stop: s - s_0 is the distance left to the limit, in rad or m; r_f is in N m
    or N. If the limits are less than a turn apart, the angle is unwrapped near their middle. Otherwise it starts
    between -pi and pi.
    """
    if not isinstance(law, NormalLaw):
        raise ParameterError(f"law must be a Restriction or another normal law, got {type(law).__name__}")
    if lower is None and upper is None:
        raise ParameterError("a stop needs a lower or an upper limit, got neither")
    low = -math.inf if lower is None else finite("lower", lower)
    high = math.inf if upper is None else finite("upper", upper)
    if not low < high:
        raise ParameterError(f"lower must be less than upper, got lower={low:g} and upper={high:g}")
    bodies, motion, geometry = _between(link, system)
    if motion == LINE and not high > 0.0:
        raise ParameterError(f"upper must be positive because it is a length, got upper={high:g}")
    record = _law()
    record["lower"] = low
    record["upper"] = high
    record["offset"] = law.s_0
    record["reach"] = max(law.reach, 0.0)
    record["stop"] = normal_record(law)
    middle = 0.5 * (low + high) if high - low < 2.0 * math.pi else 0.0
    force = JointForce(bodies, motion, geometry, record, start=middle, stop=law, guided=is_guided(link))
    if isinstance(law, Restriction) and not isinstance(law, Barrier):
        _check_position(force, TOO_DEEP * (law.s_0 - law.s_c))
    return force


def joint_friction(system: Any, link: Any, law: FrictionLaw, memory: Memory = None) -> JointForce:
    """Friction about or along the axis of a joint, or along a line: in N m and rad/s, or in N and m/s."""
    record = _law(*_checked(law, memory))
    return JointForce(*_between(link, system), record, friction=law, guided=is_guided(link))


def sliding(
    body: Any, partner: Any, law: FrictionLaw, memory: Memory = None,
    at: ArrayLike = (0.0, 0.0, 0.0), directions: Sequence[ArrayLike] = ((1.0, 0.0, 0.0),), each: bool = False,
) -> JointForce:  # fmt: skip
    """Friction of a given amplitude in N at a point of a body that slides over its partner.

    Args:
        at: the point in the body's frame, in m.
        directions: one, or two at right angles, in the partner's frame. With two, friction is a vector against the
            sliding velocity, whose norm the law's eps smooths (2.17).
        each: whether the filter of each direction opens with the speed along it (2.25), not with the norm.
    """
    check_body("body", body)
    check_body("partner", partner)
    record = _law(*_checked(law, memory))
    axes = [unit("directions", direction) for direction in directions]
    if len(axes) not in (1, 2):
        raise ParameterError(f"directions must be one or two vectors, got {len(axes)}")
    if len(axes) == 2 and abs(float(axes[0] @ axes[1])) > 1e-9:
        raise ParameterError(f"directions must be at right angles, got {axes[0].tolist()} and {axes[1].tolist()}")
    if body_key(body) == body_key(partner):
        raise ParameterError("a point cannot slide over its own body")
    if body.IsFixed() and partner.IsFixed():
        raise ParameterError("both bodies are fixed: friction between them does nothing")
    point = vector("at", at)
    side = axes[1] if len(axes) == 2 else np.zeros(3)
    (origin, turn) = frame_of(partner)
    (centre, pose) = frame_of(body)
    start = turn.T @ (centre + pose @ point - origin)
    geometry = geometry_record(point=point, origin=start, axis=axes[0], side=side)
    return JointForce((body, partner), SLIDE, geometry, record, int(each), friction=law)


class Joints:
    """All joint forces of an attachment, as tables for the kernel; a part of the load."""

    def __init__(self) -> None:
        self._forces: dict[int, JointForce] = {}
        self._indices: dict[int, Sequence[int]] = {}
        self._memory: dict[int, Any] = {}
        self._count = 0
        self._rotations = np.zeros((0, 3, 3))
        self._rebuild()

    def __len__(self) -> int:
        return len(self._forces)

    def add(self, force: JointForce, indices: Sequence[int]) -> int:
        """Add a force, with the numbers of its bodies on the load; returns its number."""
        number = self._count
        self._count += 1
        self._forces[number] = force
        self._indices[number] = indices
        self._memory[number] = empty(JOINT_MEMORY, 1)[0]
        self._memory[number]["position"] = force.start
        self._memory[number]["speed"] = math.nan
        self._rebuild()
        return number

    def remove(self, number: int) -> None:
        """Remove a force; its number comes from `add`."""
        if number not in self._forces:
            raise ParameterError(f"there is no joint force {number}; there are {sorted(self._forces)}")
        del self._forces[number]
        self._rebuild()

    def _rebuild(self) -> None:
        """Rebuild the tables; forces that stay keep their memory."""
        forces = self._forces.values()
        heads = [(force.motion, *self._indices[number], force.each) for number, force in self._forces.items()]
        self._heads = np.array(heads, JOINT)
        self._geometry = np.array([force.geometry for force in forces], JOINT_GEOMETRY)
        self._laws = np.array([force.law for force in forces], JOINT_LAW)
        self._table = np.array([self._memory[number] for number in self._forces], JOINT_MEMORY)
        self._memory = dict(zip(self._forces, self._table, strict=True))
        self.tables = self._heads.view(np.int64), *map(flat, (self._geometry, self._laws, self._table))
        """Joints, geometry, laws and memory as flat tables."""

    @property
    def forces(self) -> Mapping[int, JointForce]:
        """All joint forces by number; no number is given twice."""
        return self._forces

    @property
    def stop_laws(self) -> list[NormalLaw]:
        """Normal laws of all stops."""
        return [force.stop for force in self._forces.values() if force.stop is not None]

    @property
    def contacts(self) -> Sequence[Elements]:
        """A joint has no contact elements."""
        return ()

    @property
    def memories(self) -> Sequence[NDArray[Any]]:
        """The memory of all joints."""
        return (self._table,)

    def stays(self, at: Instant) -> bool:
        """True: joint forces follow from the states of the bodies."""
        return True

    @property
    def is_regular(self) -> bool:
        """True: there is never anything to do."""
        return True

    @property
    def preparation(self) -> int:
        """0: there is nothing to prepare."""
        return 0

    @property
    def listed(self) -> None:
        """None: a joint has no contact elements."""
        return None

    def is_crowd(self, at: Instant) -> bool:
        """False: a joint has no contact elements."""
        return False

    def prepare(self, at: Instant) -> None:
        """Nothing to do: joint forces are the same at all states."""

    def evaluate(self, at: Instant, q: Floats, totals: Floats) -> None:
        """Add the generalised forces to q, and stored energy and powers to totals."""
        self.report(at, q, totals, NO_JOINT_REPORT)

    def report(self, at: Instant, q: Floats, totals: Floats, lines: NDArray[Any]) -> None:
        """Like `evaluate`; also write what each joint does into records of JOINT_REPORT."""
        if len(lines) not in (0, len(self)):
            raise ParameterError(f"lines must be none or one for each of {len(self)} joint forces, got {len(lines)}")
        tables = self._tables(at.x.size)
        joint_forces(at.x, at.w, *tables, at.since, at.commit, at.once, q, totals, flat(lines), at.before)

    def differentiate(self, x: Floats, w: Floats, since: float, stiffness: Floats, damping: Floats) -> None:
        """Add K = -dQ/dx and R = -dQ/dv of all joint forces."""
        joint_jacobian(x, w, *self._tables(x.size), since, stiffness, damping)

    def _tables(self, size: int) -> tuple[NDArray[Any], ...]:
        """Arguments of the kernels, with space for the rotation matrices of a state of a given size."""
        if STATE_WIDTH * len(self._rotations) != size:
            self._rotations = np.zeros((size // STATE_WIDTH, 3, 3))
        return self._rotations, *self.tables

    def blame(self, at: Instant) -> str | None:
        """Which law gives a force that is not finite, and where."""
        lines = empty(JOINT_REPORT, len(self))
        self.report(at, np.zeros(at.w.size), flat(empty(TOTALS, 1)), lines)
        for force, line in zip(self._forces.values(), lines, strict=True):
            if not np.isfinite(line["stop"]):
                return f"law {force.stop!r} gives a force of {line['stop']:g} with the joint at {line['position']:g}"
            if not np.isfinite(line["friction"]).all():
                return f"law {force.friction!r} gives a friction that is not finite at a speed of {line['speed'][0]:g}"
        return None

    def readings(self, at: Instant) -> NDArray[Any]:
        """State and forces of all joint forces at an instant, as a structured array of dtype JOINT_FORCES."""
        result = np.zeros(len(self), JOINT_FORCES)
        lines = empty(JOINT_REPORT, len(self))
        self.report(at, np.zeros(at.w.size), flat(empty(TOTALS, 1)), lines)
        result["joint"] = list(self._forces)
        result["place"] = lines["position"]
        for name in ("stop", "stored", "speed", "friction"):
            result[name] = lines[name]
        for i, name in enumerate(("body_1", "body_2")):
            result[name] = [body_name(force.bodies[i]) for force in self._forces.values()]
        return result
