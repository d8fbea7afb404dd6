"""The user's entry point: `contacts = attach(system)`, then `contacts.add(...)`, then step the system as before."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError, shown
from ..laws.friction.friction_law import FrictionLaw, Memory
from ..laws.material import Material
from ..laws.normal.normal_law import NormalLaw
from ..setvalued.ranges import ForceRanges, ranges_of
from .api.bridge import body_key, check_system, proxy_of, pychrono
from .api.changes import notice_changes
from .contact.anchors import read_anchors
from .contact.body_frame import move_to_centres_of_mass
from .contact.contact_table import Pair
from .contact.elements import MIDWAY
from .contact.readings import Energy, Resultant, as_forces, body_name, resultant
from .contact.records import REPORT, empty
from .contact.shapes import Shape, check_body
from .core import Core
from .flexible.flexible_contact import FlexibleContact, flexible_contact
from .implicit.choosing.choice import AUTO, check_mode
from .implicit.implicit_solver import Solved
from .joint.joints import JOINT_FORCES, JointForce, joint_friction, sliding, stop
from .joint.springs import spring_of
from .load.watch import Watcher, watch
from .readout.link_calls import complete_links
from .readout.live_contacts import live_contacts
from .readout.script_calls import ContactReport, answer, reports
from .takeover.materials.material_table import MaterialTable
from .takeover.materials.pair_materials import Choice
from .takeover.takeover import Calls, TakeOver, materials_for, take_over


class Attachment:
    """Power-based contacts on a Chrono system, made by `attach`; it lives until `detach` or as long as the system."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._count = 0
        self._flexible: list[FlexibleContact] = []

    @property
    def system(self) -> Any:
        """The Chrono system."""
        return self._core.system

    def add(self, shape: Shape, partner: Shape, material: Material, point: str = MIDWAY) -> int:
        """Add contact between two shapes; returns the number of the pair, for `remove`.

        Args:
            point: where between the two surfaces the forces act: "midway", on the surface of the "shape" or on that of
                the "partner". Surfaces that overlap are apart by the penetration, so this moves the friction by half of
                it. The side that hardly yields is the more accurate choice; midway fits two that yield alike.
        """
        return self.add_all([(shape, partner, material)], point)[0]

    def add_all(self, pairs: Iterable[tuple[Shape, Shape, Material]], point: str = MIDWAY) -> list[int]:
        """Add contact between many pairs of shapes, with one rebuild of the tables; returns their numbers."""
        made = [_pair(*pair, point) for pair in pairs]
        self._core.register(*(shape.body for pair in made for shape in (pair.first, pair.second)))
        numbers = list(range(self._count, self._count + len(made)))
        self._core.pairs.update(zip(numbers, made, strict=True))
        self._count += len(made)
        self._core.rebuild()
        return numbers

    def add_nodes(
        self, nodes: Any, partners: Shape | Sequence[Shape], material: Material, radius: float = 0.0
    ) -> FlexibleContact:
        """Add contact between finite element nodes and shapes on bodies.

        Each node is a sphere with a radius in m, or a point. What is returned reads forces and energies, and removes
        the contacts again; `forces`, `energy` and other readings of the attachment do not include them.

        Args:
            nodes: a ChMesh of the system, or a sequence of its nodes. partners: one shape or several.
        """
        self._core.check_attached()
        return self._hold(flexible_contact(self.system, nodes, partners, material, radius, False))

    def add_beam(
        self, nodes: Any, partners: Shape | Sequence[Shape], material: Material, radius: float
    ) -> FlexibleContact:
        """Add contact between a beam or cable and shapes on bodies: a capsule from each node to the next one.

        Args:
            nodes: those of the beam in their order, at least two. partners: one shape or several. radius: in m.
        """
        self._core.check_attached()
        return self._hold(flexible_contact(self.system, nodes, partners, material, radius, True))

    def _hold(self, contact: FlexibleContact) -> FlexibleContact:
        """Keep contacts of nodes alive, and watch the steps for them, until they are removed."""
        watchers = _ALIVE[id(self.system)].watchers

        def let_go(contact: FlexibleContact) -> None:
            if contact in self._flexible:
                self._flexible.remove(contact)
                watchers.remove(contact)

        contact.on_remove(let_go)
        self._flexible.append(contact)
        watchers.append(contact)
        return contact

    def remove(self, pair: int) -> None:
        """Remove a pair; its number comes from `add`."""
        pairs = self._core.pairs
        if pair not in pairs:
            raise ParameterError(
                f"there is no pair {pair}; there are {sorted(pairs)} (stops and friction of joints: remove_joint)"
            )
        del pairs[pair]
        self._core.rebuild()

    def add_stop(self, link: Any, law: NormalLaw, lower: float | None = None, upper: float | None = None) -> int:
        """Add stops to a revolute or prismatic joint or to a spring-damper, at limits in rad or m.

        The law measures its distance from the stop: s - s_0 is the distance left to the limit. Returns a number for
        `remove_joint`.
        """
        return self._take_on(stop(self.system, link, law, lower, upper))

    def add_friction(self, link: Any, law: FrictionLaw, memory: Memory = None) -> int:
        """Add friction to a revolute or prismatic joint or along a spring-damper, in N m and rad/s or N and m/s.

        Returns a number for `remove_joint`.
        """
        return self._take_on(joint_friction(self.system, link, law, memory))

    def add_sliding(
        self, body: Any, partner: Any, law: FrictionLaw, memory: Memory = None,
        at: ArrayLike = (0.0, 0.0, 0.0), directions: Sequence[ArrayLike] = ((1.0, 0.0, 0.0),), each: bool = False,
    ) -> int:  # fmt: skip
        """Add friction of a given amplitude in N at a point of a body that slides over its partner.

        Args:
            at: the point in the body's frame, in m.
            directions: one, or two at right angles, in the partner's frame.
            each: whether the filter of each direction opens with the speed along it (2.25), not with the norm.
        """
        return self._take_on(sliding(body, partner, law, memory, at, directions, each))

    def remove_joint(self, number: int) -> None:
        """Remove a stop or friction; its number comes from `add_stop`, `add_friction` or `add_sliding`."""
        self._core.joints.remove(number)
        self._core.request_check()

    def add_spring(self, link: Any, numerical_damping: float = 1.0) -> int:
        """Solve for the force of a ChLinkTSDA or ChLinkRSDA at the end of the step, together with the contacts.

        Chrono alone takes the force of a spring at the start of a step, which limits the step. Forces at the start of
        the step (`stepping`) and integrators that are not linearised are not changed. The force must be linear in
        deformation and rate; coefficients, rest lengths and actuator forces may be changed between steps. Returns a
        number for `remove_spring`.

        Args:
            link: the spring.
            numerical_damping: from 1 (implicit Euler, which damps a vibration that a few steps resolve) to 0 (the
                trapezoidal rule, which takes nothing). The damping ratio that it adds to a vibration with the circular
                frequency w is numerical_damping w h/2.
        """
        core = self._core
        spring = spring_of(link, self.system, numerical_damping)
        return core.stepper.springs.add(spring, core.register(*spring.bodies))

    def remove_spring(self, number: int) -> None:
        """Leave a spring to Chrono again; its number comes from `add_spring`."""
        self._core.stepper.springs.remove(number)

    @property
    def spring_count(self) -> int:
        """Number of Chrono's springs that are solved for."""
        return len(self._core.stepper.springs)

    def joint_forces(self) -> NDArray[Any]:
        """The present state and forces of all joint forces, as a structured array of dtype JOINT_FORCES."""
        self._core.raise_failures()
        joints = self._core.joints
        return joints.readings(self._core.stepper.now()) if len(joints) else np.zeros(0, JOINT_FORCES)

    def take_over(
        self, material: Material | None = None, pairs: Choice = None, *, skin: float | None = None,
        rounding: float = 0.02, keep_detection: bool = False, **choices: float,
    ) -> TakeOver:  # fmt: skip
        """Apply our law to every collision shape in the system; Chrono's own contact is off until `detach`.

        Args:
            material: for all pairs of bodies; None designs one for each pair from the shapes' own materials, the
                masses, sizes and gravity: `materials` tells what was chosen.
            pairs: exceptions, by two names of bodies or as a function of two bodies.
            skin: distance in m, half of which each body may move before the list of near shapes is rebuilt; None
                chooses one.
            rounding: edge radius of boxes, as a fraction of their smallest half edge.
            keep_detection: keep Chrono's collision detection, which ray casts and proximity queries need.
            choices: numbers that replace those of the design for all pairs: restitution, friction, sliding, rolling
                and spinning (in m), penetration and presliding (in m), force_limit (in N).
        """
        core = self._core
        core.check_attached()
        if any(other.taken is not None for other in _ALIVE[id(self.system)].cores):
            raise ParameterError("the shapes of this system have already been taken over: detach first")
        materials = materials_for(core.stepper, material, pairs, choices)
        calls = Calls(core.register, core.before_foreign_step)
        core.taken = take_over(core.stepper, calls, materials, skin, rounding, keep_detection)
        core.parts.append(core.taken)
        return core.taken

    def materials(self) -> MaterialTable:
        """The materials of taken-over shapes that have come near each other: each number, and where it comes from."""
        if self._core.taken is None:
            raise ParameterError("no shapes were taken over: call take_over first")
        self._core.observe()
        return self._core.taken.materials.table()

    def _take_on(self, force: JointForce) -> int:
        core = self._core
        numbers = core.register(*force.bodies)
        if core.joints not in core.parts:
            core.parts.append(core.joints)
        core.request_check()
        return core.joints.add(force, numbers)

    def forces(self) -> NDArray[Any]:
        """The present gaps and forces of all contact elements, as a structured array of dtype FORCES.

        Elements of named shapes come first, in the order of `add`; then those of taken-over shapes that are in range.
        """
        numbers, elements, lines = self._acting()
        return as_forces(numbers, elements, lines, self._core.stepper.bodies)

    def force_on(self, body: Any) -> Resultant:
        """Force in N and torque in N m about its centre of mass on a body, from all contacts now, in world components.

        Stops and friction of joints are not included.
        """
        check_body("body", body)
        known = [body_key(other) for other in self._core.stepper.bodies]
        if body_key(body) not in known:
            return Resultant(np.zeros(3), np.zeros(3))
        _, elements, lines = self._acting()
        centre = body.GetPos()
        return resultant(known.index(body_key(body)), np.array((centre.x, centre.y, centre.z)), elements, lines)

    def sensitivities(self, names: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Exact derivatives of the present contact forces of named shapes by numbers of their laws, by the name.

        Args:
            names: fields of the laws, such as "r_d" or "mu_c"; "friction.k" where two laws of a contact have a k.
                Each element is differentiated by the number of its own law, and has zeros where it has no such number.

        The state of the bodies and the memory of the contacts are held. Records have the fields pair, force, friction
        and moment, in the order of `forces`. A whole run on Chrono is differentiated by differences of runs.
        """
        from .readout.contact_sensitivity import contact_sensitivities

        core = self._core
        at = core.observe(empty(REPORT, len(core.table)))
        if at is None:
            raise ParameterError("there are no contacts yet to differentiate: add some with contacts.add(...)")
        return contact_sensitivities(core.table, at, names)

    def reports(self) -> Iterator[ContactReport]:
        """The contacts that acted in the last step, as Chrono's OnReportContact gets them.

        With Chrono's linearised integrators the forces are those of the step, so an impact within it is seen.
        """
        self._core.raise_failures()
        return iter(reports(self._core))

    def anchors(self) -> NDArray[np.float64]:
        """Anchors of the contact elements of named shapes in m, in world components; zero where there is none.

        An anchor is the displacement of body A over body B since the contact was relaxed: the prestress that a contact
        at rest keeps from its history. The order is that of `forces`.
        """
        self._core.raise_failures()
        return read_anchors(self._core.table)

    def set_anchors(self, anchors: ArrayLike) -> None:
        """Set the anchors that `anchors` reads, after at least one step; see `anchor_for`."""
        self._core.prestress(anchors)

    def force_ranges(self, slip_speed: float = 1e-3, mu: float | None = None) -> ForceRanges:
        """Between which bounds each contact force of the last step lies, see `chrono_force_ranges`."""
        self._core.raise_failures()
        return ranges_of(live_contacts(self.system, _ALIVE[id(self.system)].cores, slip_speed, mu))

    def _acting(self) -> tuple[list[int], NDArray[Any], NDArray[Any]]:
        """Numbers of the pairs, elements and reports of all contacts."""
        core = self._core
        table = core.table
        numbers = [number for number, _ in table.keys]
        lines = empty(REPORT, len(table))
        elements = table.elements
        at = core.observe(lines)
        if core.taken is not None and at is not None:
            more, reports = core.taken.acting(at)
            numbers += [-1] * len(more)
            elements = np.concatenate([elements, more])
            lines = np.concatenate([lines, reports])
        return numbers, elements, lines

    @property
    def shapes(self) -> list[Shape]:
        """The shapes of all pairs."""
        return [shape for pair in self._core.pairs.values() for shape in (pair.first, pair.second)]

    @property
    def size(self) -> int:
        """Number of contact elements of all pairs."""
        return len(self._core.table)

    @property
    def joint_count(self) -> int:
        """Number of joint forces."""
        return len(self._core.joints)

    def energy(self) -> Energy:
        """The energy ledger of all contacts; it says whether contacts found by Chrono keep it from closing."""
        self._core.raise_failures()
        return replace(self._core.stepper.balance(self._core.unsplit()), found_anew=self._core.found_anew)

    def solver(self) -> Solved:
        """What the implicit solve did in the last step: iterations, residual, islands, impacts."""
        self._core.raise_failures()
        return self._core.stepper.solver.solved

    def detach(self) -> None:
        """Remove all contacts from the system; Chrono continues without them."""
        for contact in tuple(self._flexible):
            contact.remove()
        self._core.remove()
        for living in _ALIVE.values():
            if self in living.attachments:
                living.attachments.remove(self)
                living.cores.remove(self._core)
                living.watchers.remove(self._core)


def core_of(contacts: Attachment) -> Core:
    """The core of an attachment, for recorders and windows."""
    return contacts._core


def _pair(shape: Shape, partner: Shape, material: Material, point: str) -> Pair:
    """The pair; raises unless these shapes can touch."""
    if not isinstance(material, Material):
        raise ParameterError(f"material must be a Material, got {shown(material)}")
    for given in (shape, partner):
        if not isinstance(given, Shape):
            kinds = "Sphere, Points, Box, Capsule, Plane or another Shape"
            raise ParameterError(f"shape must be a {kinds}, got {shown(given)}")
    if body_key(shape.body) == body_key(partner.body):
        raise ParameterError(f"a shape of {body_name(shape.body)!r} cannot touch a shape of the same body")
    if shape.body.IsFixed() and partner.body.IsFixed():
        raise ParameterError("both bodies are fixed: a contact between them does nothing")
    pair = Pair.of(shape, partner, material, point)
    move_to_centres_of_mass(shape, partner, pair.elements)
    return pair


class Living(NamedTuple):
    """The attachments of a system and their cores, in the same order, and all that watches its steps."""

    attachments: list[Attachment]
    cores: list[Core]
    watchers: list[Watcher]


_ALIVE: dict[int, Living] = {}
"""Attachments by the id of their system's proxy: Chrono holds borrowed pointers, so Python must keep them alive."""


def attachments(system: Any) -> list[Attachment]:
    """The attachments of a system."""
    living = _ALIVE.get(id(system))
    return list(living.attachments) if living is not None else []


def living_on(system: Any) -> Living:
    """The attachments of a system, lists that may change; from the first call on its steps are watched."""
    if id(system) not in _ALIVE:
        _ALIVE[id(system)] = Living([], [], [])
        weakref.finalize(system, _ALIVE.pop, id(system), None)
        watch(system, _ALIVE[id(system)].watchers)
        answer(system, _ALIVE[id(system)].cores)
        complete_links()
    return _ALIVE[id(system)]


def chrono_force_ranges(system: Any, slip_speed: float = 1e-3, mu: float | None = None) -> ForceRanges:
    """Between which bounds each contact force of a Chrono scene lies: all forces that give the motion of the last step.

    Contacts of this package and Chrono's own (NSC and SMC) are all included, and joints may take part of the load. Per
    component: the interval, whether the force is determined, and where in the interval the engine's answer lies.

    Args:
        system: an SMC or NSC system after at least one step.
        slip_speed: sliding speed in m/s above which a contact counts as sliding; its friction then follows its normal
            force.
        mu: coefficient of friction of all contacts; None takes those of the materials.
    """
    pychrono()
    proxy = proxy_of(system)
    check_system(proxy)
    living = _ALIVE.get(id(proxy))
    return ranges_of(live_contacts(proxy, living.cores if living is not None else [], slip_speed, mu))


def attach(system: Any, *, stepping: str = AUTO, jacobian: bool = False, shared: bool | None = None) -> Attachment:
    """Prepare a Chrono system for power-based contacts; step it as before.

    >>> contacts = pc.attach(system)
    >>> contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), pc.Material(law))
    >>> system.DoStepDynamics(1e-4)

    Args:
        system: an SMC or NSC system of PyChrono, such as chrono.ChSystemSMC(); its bodies may be added before or later.
        stepping: with Chrono's linearised integrators, "explicit" takes the forces at the start of a step, "implicit"
            solves for those at its end, and "auto" chooses by the step: explicit as long as that is stable.
        jacobian: pass the stiffness and damping of contacts, stops and friction to implicit integrators, for larger
            steps. The system then needs a linear solver such as SPARSE_LU.
        shared: whether NumPy views Chrono's vectors without a copy; None finds out whether that works.

    Returns:
        The attachment, to which contacts, stops and friction are added, and which reports forces and energies. It
        acts until `detach`, or as long as the system lives.
    """
    pychrono()
    system = proxy_of(system)
    check_system(system)
    notice_changes()
    cores = living_on(system).cores
    core = Core(system, shared, jacobian, check_mode(stepping))
    core.stepper.others = lambda: [other.stepper for other in cores]
    core.containers = lambda: [other.container for other in cores if other.container is not None]
    for other in cores:
        other.request_check()
    attachment = Attachment(core)
    _ALIVE[id(system)].attachments.append(attachment)
    _ALIVE[id(system)].cores.append(core)
    _ALIVE[id(system)].watchers.append(core)
    return attachment
