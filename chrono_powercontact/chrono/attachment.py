"""What the user holds: `contacts = attach(system)`, then `contacts.add(...)`, and stepping as before."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from ..laws.friction.anchor import Anchor
from ..laws.friction.dissipation import Dissipation
from ..laws.friction.memory import LTIFilter
from ..laws.material import Material
from ..laws.normal.restriction import NormalLaw
from .api.bridge import belongs, body_key, check_solver, check_system, pychrono
from .contact import contact_kernel as ck
from .contact.contact_jacobian import check_size
from .contact.contact_table import ContactTable, Instant, Pair, Part
from .contact.readings import Energy, as_forces, body_name
from .contact.shapes import Shape
from .joint.joints import JOINT_FORCES, NO_REPORT, JointForce, Joints, joint_friction, sliding, stop
from .load.load import load_class, stiff_load_class
from .load.stepping import Stepper
from .load.watch import watch
from .takeover.pair_materials import Choice
from .takeover.takeover import TakeOver, take_over


class Attachment:
    """Power-based contacts on a Chrono system. Made by `attach`; lives until `detach` or the end of the system."""

    def __init__(self, system: Any, shared: bool | None = None, jacobian: bool = False) -> None:
        self.stepper = Stepper(system)
        self.stepper.stiff = jacobian
        self._shared = shared
        self._pairs: dict[int, Pair] = {}
        self._count = 0
        self._index: dict[int, int] = {}
        self._container: Any = None
        self.failures = self.stepper.failures
        self.taken: TakeOver | None = None
        self._joints = Joints()
        self._detached = False

    @property
    def system(self) -> Any:
        """The Chrono system."""
        return self.stepper.system

    @property
    def parts(self) -> list[Part]:
        """What else exerts forces on the load: joints, taken-over contacts."""
        return self.stepper.parts

    def add(self, shape: Shape, partner: Shape, material: Material) -> int:
        """Let two shapes touch; returns the number of the pair, for `remove`."""
        return self.add_all([(shape, partner, material)])[0]

    def add_all(self, pairs: Iterable[tuple[Shape, Shape, Material]]) -> list[int]:
        """Let many pairs of shapes touch, with one rebuild of the tables; returns their numbers."""
        made = [self._pair(*pair) for pair in pairs]
        self.register(*(shape.body for pair in made for shape in (pair.first, pair.second)))
        numbers = list(range(self._count, self._count + len(made)))
        self._pairs.update(zip(numbers, made, strict=True))
        self._count += len(made)
        self._rebuild()
        return numbers

    def remove(self, pair: int) -> None:
        """Take a pair out; its number comes from `add`."""
        if pair not in self._pairs:
            raise ParameterError(
                f"there is no pair {pair}; there are {sorted(self._pairs)} (stops and friction of joints: remove_joint)"
            )
        del self._pairs[pair]
        self._rebuild()

    def add_stop(self, link: Any, law: NormalLaw, lower: float | None = None, upper: float | None = None) -> int:
        """Stop a revolute or prismatic joint or a spring-damper line at limits in rad or m. See `joints.stop`."""
        return self._take_on(stop(self.system, link, law, lower, upper))

    def add_friction(self, link: Any, law: Dissipation, memory: LTIFilter | Anchor | None = None) -> int:
        """Friction in a revolute or prismatic joint or along a spring-damper line. See `joints.joint_friction`."""
        return self._take_on(joint_friction(self.system, link, law, memory))

    def add_sliding(
        self, body: Any, partner: Any, law: Dissipation, memory: LTIFilter | Anchor | None = None,
        at: ArrayLike = (0.0, 0.0, 0.0), directions: Sequence[ArrayLike] = ((1.0, 0.0, 0.0),), each: bool = False,
    ) -> int:  # fmt: skip
        """Friction of given amplitude at a point that slides over a partner. See `joints.sliding`."""
        return self._take_on(sliding(body, partner, law, memory, at, directions, each))

    def remove_joint(self, number: int) -> None:
        """Take out a stop or friction; its number comes from `add_stop`, `add_friction` or `add_sliding`."""
        self._joints.remove(number)

    def joint_forces(self) -> NDArray[Any]:
        """What every stop and friction of a joint does now, as a structured array of dtype JOINT_FORCES."""
        self.raise_failures()
        return self._joints.readings(self.stepper.now()) if len(self._joints) else np.zeros(0, JOINT_FORCES)

    def take_over(
        self, material: Material, pairs: Choice = None, *, skin: float | None = None, rounding: float = 0.02,
        keep_detection: bool = False,
    ) -> TakeOver:  # fmt: skip
        """Let every collision shape in the system touch with our law; Chrono's own contact is silent until `detach`.

        Args:
            material: between all bodies. pairs: other materials by two names of bodies, or a function of two bodies.
            skin: how far in m two bodies may move until near shapes are searched again; None finds one.
            rounding: radius of the edges of boxes, as a share of their smallest half edge.
            keep_detection: Chrono still looks for contacts, as ray casts and proximity need it.
        """
        self._check_attached()
        if any(attachment.taken is not None for attachment in _ALIVE[id(self.system)]):
            raise ParameterError("the shapes of this system were taken over already: detach first")
        self.taken = take_over(self.stepper, self.register, material, pairs, skin, rounding, keep_detection)
        self.parts.append(self.taken)
        return self.taken

    def _take_on(self, force: JointForce) -> int:
        places = self.register(*force.bodies)
        if self._joints not in self.parts:
            self.parts.append(self._joints)
        return self._joints.add(force, places)

    def forces(self) -> NDArray[Any]:
        """What every contact element does now, as a structured array of dtype FORCES."""
        table = self.stepper.table
        heads, rows = table.elements, np.zeros((len(table), ck.REPORT_WIDTH))
        numbers, at = [number for number, _ in table.keys], self.observe(rows, np.zeros(ck.TOTALS))
        if self.taken is not None and at is not None:
            felt, reports = self.taken.felt(at)
            numbers += [-1] * len(felt)
            heads, rows = np.vstack([heads, felt]), np.vstack([rows, reports])
        return as_forces(numbers, heads, rows, self.stepper.bodies)

    def observe(
        self, rows: NDArray[np.float64], totals: NDArray[np.float64], joints: NDArray[np.float64] = NO_REPORT
    ) -> Instant | None:
        """The present state of the bodies on the load, None where there are none; cheap enough for every step.

        Args:
            rows: takes what each contact element does, REPORT_WIDTH numbers each; no rows where it is not wanted.
            totals: TOTALS numbers; takes stored energy in J, power lost in contacts and by friction in W, of all parts.
            joints: takes what each joint force does, as `rows` does for contacts.
        """
        self.raise_failures()
        totals.fill(0.0)
        if self.stepper.load is None:
            return None
        at = self.stepper.now()
        q = np.zeros(at.w.size)
        self.stepper.table.report(at, q, totals, rows)
        for part in self.parts:
            if part is self._joints:
                self._joints.report(at, q, totals, joints)
            else:
                part.evaluate(at, q, totals)
        return at

    @property
    def shapes(self) -> list[Shape]:
        """The shapes of all pairs."""
        return [shape for pair in self._pairs.values() for shape in (pair.first, pair.second)]

    @property
    def size(self) -> int:
        """Number of contact elements, of all pairs."""
        return len(self.stepper.table)

    @property
    def joints(self) -> int:
        """Number of stops and frictions of joints."""
        return len(self._joints)

    def energy(self) -> Energy:
        """The energy ledger of all contacts."""
        self.raise_failures()
        return Energy(*self.stepper.balance())

    def detach(self) -> None:
        """Take all contacts out of the system; Chrono goes on without them."""
        if self.taken is not None:
            self.taken.release()
        if self._container is not None:
            self.system.Remove(self._container)
        self._container, self.stepper.load, self.taken = None, None, None
        self._pairs.clear()
        self.parts.clear()
        self._joints = Joints()
        self._detached = True
        self._rebuild()
        for attachments in _ALIVE.values():
            if self in attachments:
                attachments.remove(self)

    def raise_failures(self) -> None:
        """Raise what a callback of Chrono had to keep to itself."""
        failures = self.stepper.failures
        if failures:
            failure = failures[0]
            failures.clear()
            raise failure

    def suspect(self) -> None:
        """A body may have left or come, or the integrator have changed: that is checked at the next step."""
        self.stepper.suspicious = True
        if self.taken is not None:
            self.taken.stale = True

    def register(self, *bodies: Any) -> list[int]:
        """Numbers of bodies on the load; new ones are taken on it."""
        self._check_attached()
        known = self.stepper.bodies
        before = len(known)
        for body in bodies:
            if not belongs(body, self.system):
                raise ParameterError(f"{body_name(body)!r} is not in this system: call system.AddBody(body) first")
            if body_key(body) not in self._index:
                self._index[body_key(body)] = len(known)
                known.append(body)
        if known and (self.stepper.load is None or len(known) != before):
            self._install()
        return [self._index[body_key(body)] for body in bodies]

    def _check_attached(self) -> None:
        """Raise after `detach`: nothing would keep a load alive or watch the steps."""
        if self._detached:
            raise ParameterError("this attachment was detached: call attach(system) again")

    def _pair(self, shape: Shape, partner: Shape, material: Material) -> Pair:
        """The pair, if these shapes can touch."""
        if not isinstance(material, Material):
            raise ParameterError(f"material must be a Material, got {type(material).__name__}")
        for given in (shape, partner):
            if not isinstance(given, Shape):
                name = type(given).__name__
                raise ParameterError(f"a shape is wanted (Sphere, Points, Box, Capsule or Plane), got {name}")
        if body_key(shape.body) == body_key(partner.body):
            raise ParameterError(f"a shape of {body_name(shape.body)!r} cannot touch a shape of the same body")
        if shape.body.IsFixed() and partner.body.IsFixed():
            raise ParameterError("both bodies are fixed: a contact between them does nothing")
        return Pair.of(shape, partner, material)

    def _rebuild(self) -> None:
        """New tables; the memory of elements that stay is kept."""
        self.stepper.table = ContactTable(self._pairs, self._index, self.stepper.table)

    def _install(self) -> None:
        """Put a load over the present bodies into the system, in place of the earlier one."""
        system, stepper = self.system, self.stepper
        if self._container is not None:
            system.Remove(self._container)
        self._container = pychrono().ChLoadContainer()
        if stepper.stiff:
            check_size(len(stepper.bodies))
            check_solver(system)
        kind = stiff_load_class() if stepper.stiff else load_class()
        stepper.load = kind(stepper.bodies, stepper, self._shared)
        self._container.Add(stepper.load)
        system.Add(self._container)
        stepper.restart()


_ALIVE: dict[int, list[Attachment]] = {}
"""Attachments by the identity of their system's proxy: Chrono holds borrowed pointers, Python must keep them alive."""


def attachments(system: Any) -> list[Attachment]:
    """What is attached to a system."""
    return list(_ALIVE.get(id(system), ()))


def attach(system: Any, *, jacobian: bool = False, shared: bool | None = None) -> Attachment:
    """Give a Chrono system power-based contacts; step it as before.

    Args:
        jacobian: give implicit integrators the stiffness and damping of contacts, stops and friction, for larger
            steps; the system then needs a solver for linear systems such as SPARSE_LU.
        shared: whether NumPy looks at Chrono's vectors without a copy; None finds out.
    """
    pychrono()
    check_system(system)
    if id(system) not in _ALIVE:
        _ALIVE[id(system)] = []
        weakref.finalize(system, _ALIVE.pop, id(system), None)
        watch(system, _ALIVE[id(system)])
    attachment = Attachment(system, shared, jacobian)
    _ALIVE[id(system)].append(attachment)
    return attachment
