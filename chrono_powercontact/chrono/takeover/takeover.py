"""Take-over: our law, instead of Chrono's SMC or NSC, for every collision shape that is already in a system.

Spheres, boxes, capsules, cylinders, cones, ellipsoids, hulls and meshes are read once, and their gaps are computed here
in double precision. If nothing else can touch, all models are removed from Chrono's collision detection, which then
costs nothing. If there are foreign shapes (paths; large or open meshes where coal is missing), detection continues. A
narrow-phase callback passes their contact points to us and suppresses Chrono's own force. `detach` restores everything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError, positive
from ...laws.material import Material
from ..api.bridge import pychrono
from ..api.changes import narrowphase_callback
from ..api.foreign_steps import ForeignSteps
from ..api.telling import Once
from ..contact.bodies import SPEED_WIDTH
from ..contact.contact_table import Instant
from ..contact.readings import body_name
from ..implicit import step_context as on
from ..load.stepping import Stepper
from .asking.contact_callback import ContactQuestions, questions
from .asking.preparation import Preparation
from .collision_shapes import read_shapes, span_of, touchable
from .frozen import LISTED, FrozenContacts
from .frozen_step import FrozenStep
from .materials.designed_materials import Choices, DesignedMaterials
from .materials.pair_materials import Choice, PairMaterials, Rule, rule_by_names
from .near_list import NearList
from .overlaps import overlaps
from .silence import BuiltInContact
from .user_callbacks import (
    contact_callback,
    users_narrowphase,
    warn_of_contact_callback,
    warn_of_custom_collision,
)

SKIN = 0.1
"""Skin of the list of near elements, as a fraction of the median radius of the shapes' bounding spheres."""

GRAIN = 0.02
"""Distance of points that count as one, as a fraction of the smallest half width of a shape."""

ELASTIC = "elastic"

Array = NDArray[np.float64]
Report = tuple[NDArray[Any], NDArray[Any]]
"""Elements and their reports, records of ELEMENT and REPORT."""


class Calls(NamedTuple):
    """What a take-over asks of the attachment that it belongs to.

    Attributes:
        register: gives the numbers of bodies on the load. prepare: is called when C++ code has begun a step by itself.
    """

    register: Callable[..., list[int]]
    prepare: Callable[[], None]


def _has_other_contact(system: Any) -> bool:
    """Whether the system contains other objects than bodies that may collide: finite elements, particles."""
    chrono = pychrono()
    items = system.GetOtherPhysicsItems()
    return len(system.GetMeshes()) > 0 or any(chrono.CastToChLoadContainer(item) is None for item in items)


class TakeOver:
    """The contacts of all collision shapes of a system, with our law; made by `Attachment.take_over`."""

    def __init__(
        self, stepper: Stepper, calls: Calls, materials: PairMaterials, skin: float | None, rounding: float,
        keep_detection: bool,
    ) -> None:  # fmt: skip
        self._stepper = stepper
        self._register = calls.register
        self._foreign = ForeignSteps(stepper, calls.prepare)
        self._skin = skin
        self._rounding = rounding
        self._keep = keep_detection
        self._once = Once()
        self._names: dict[tuple[int, int], int] = {}
        self.materials = materials
        self.near = NearList(self.materials, stepper.bodies)
        self.frozen = FrozenContacts(self.materials, stepper.bodies, self._steps, self._found_at)
        self.frozen.within = self._within
        self._span = 0.0
        self._built_in = BuiltInContact(self.frozen)
        self._built_in.callback.failures = stepper.failures
        self._built_in.callback.once = self._once
        self._built_in.callback.surface_of = materials.surface_of
        self._questions: ContactQuestions | None = None
        self._preparation = Preparation()
        self._frozen_step = FrozenStep(self.frozen, stepper.context.place)
        self._overlaps = overlaps(materials, self._once)
        self._users: Any = users_narrowphase(stepper.system.GetCollisionSystem(), self._once)
        self.stale = False
        if not touchable(stepper.system):
            raise ParameterError("no body of this system has a collision shape with EnableCollision(True)")
        self.refresh()
        warn_of_custom_collision(self._once)
        if len(stepper.system.GetMeshes()):
            self._once.tell(ELASTIC, "finite elements are no bodies: their contacts stay Chrono's")

    def _steps(self) -> int:
        return int(self._stepper.system.GetNumSteps())

    def _tell(self, message: str) -> None:
        """Warn, once, of a shape that is not what it seems."""
        self._once.tell(message, message)

    def _found_at(self) -> Instant:
        """Chrono finds the first contact of a step, which compiled code knows nothing of: the state that it is at."""
        self._stepper.context.words[on.MODE] = on.IN_PYTHON
        return self._stepper.now()

    def _within(self, at: Instant) -> float:
        """Gap in m up to which a contact found by Chrono may act in the step that begins at a state."""
        w = np.abs(at.w.reshape(-1, 2, SPEED_WIDTH // 2)).max(axis=(0, 2), initial=0.0)
        step = float(self._stepper.system.GetStep())
        gravity = float(self._stepper.system.GetGravitationalAcceleration().Length())
        return self.materials.used_reach + step * (6.0 * float(w[0] + self._span * w[1]) + 2.0 * step * gravity)

    def refresh(self) -> None:
        """Read all shapes again: bodies added or removed, other shapes or families, fixed or disabled bodies."""
        system = self._stepper.system
        bodies = touchable(system)
        self.materials.survey(bodies)
        places = self._register(*bodies)
        shapes = read_shapes(bodies, places, self._rounding, self._names, self.materials.surface_of, self._tell)
        if shapes.foreign and system.GetCollisionSystem() is None:
            raise ParameterError(
                f"the shapes of {body_name(shapes.foreign[0])!r} need Chrono's collision detection: "
                "call system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET) first"
            )
        self._span = max((span_of(body) for body in shapes.foreign), default=0.0)
        self.frozen.grain = GRAIN * self.materials.smallest
        self.near.set_shapes(shapes, self._skin if self._skin is not None else SKIN * shapes.size)
        self._hear_users(system)
        if self._overlaps is not None:
            self._overlaps.look_again()
        detect = self._keep or bool(shapes.foreign) or _has_other_contact(system) or self._users is not None
        taken = dict(zip(places, bodies, strict=True))
        self._built_in.callback.owned = shapes.owned
        self._built_in.switch_off(system, taken, detect, self.materials.reach)
        self._preparation.freeze_by(self._frozen_step if detect else None)
        self.stale = False

    def _hear_users(self, system: Any) -> None:
        """Let the callbacks of the script be asked; warn of one that cannot be."""
        collision = system.GetCollisionSystem()
        if collision is not None:
            self._users = narrowphase_callback(collision) or self._users
        self._built_in.callback.users = self._users
        callback = contact_callback(system)
        self._questions = questions(callback, system, self.materials, self._stepper.failures)
        self._preparation.ask_by(None if self._questions is None else self._questions.sheet)
        if callback is not None and self._questions is None:
            warn_of_contact_callback(callback, self._once)

    @property
    def contacts(self) -> tuple[NearList, FrozenContacts]:
        """Its contact elements: those between our shapes, and those found by Chrono."""
        return self.near, self.frozen

    @property
    def memories(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The memory of all elements."""
        return self.near.kept, self.frozen.memory

    def parted_lately(self) -> bool:
        """Whether bodies that overlap were being parted since this was last asked."""
        return self._overlaps is not None and self._overlaps.parted_lately()

    def stays(self, at: Instant) -> bool:
        """Whether no contact comes from Chrono, which finds each anew, and the script does not change any."""
        if len(self.frozen.elements):
            return False
        return self._questions is None or not self._questions.ask(self.near, self._stepper.bodies, at, self._steps())

    @property
    def is_regular(self) -> bool:
        """Whether the next step needs no more than the contacts that are listed, as long as no other ones come near."""
        if self.stale or self.near.is_gathered or (self.frozen.status[LISTED] and not self._frozen_step.is_possible):
            return False
        if self._questions is not None and not self._questions.is_compiled:
            return False
        return self._overlaps is None or self._overlaps.are_done

    @property
    def preparation(self) -> int:
        """Address of what prepares its contacts for a step without Python; 0 if there is nothing to prepare."""
        return 0 if self._preparation.is_empty else self._preparation.place

    @property
    def listed(self) -> NearList:
        """The contacts between our shapes."""
        return self.near

    def is_crowd(self, at: Instant) -> bool:
        """Whether there are so many contacts between our shapes that they are computed by themselves."""
        return self.near.is_crowd(at)

    def prepare(self, at: Instant) -> None:
        """Bring the elements up to date with a state, and in a step with what the script wants of them."""
        if self.materials.outgrown():
            self.near.set_shapes(self.near.shapes, self.near.skin)
        if at.commit and at.stepping:
            self._foreign.notice()
            self._choose_materials(at)
        self.near.follow(at)
        self.frozen.follow(at)
        if at.commit and at.stepping and not self._preparation.is_empty:
            self._expect_found()

    def _expect_found(self) -> None:
        """Know what a step without Python needs for contacts that Chrono finds."""
        stepper = self._stepper
        table = list(stepper.tables()).index(self.frozen)
        pairs = None
        if isinstance(self.materials, DesignedMaterials):
            pairs = self.materials.pair_table(stepper.bodies)
        gravity = float(stepper.system.GetGravitationalAcceleration().Length())
        deepest = np.inf if self._overlaps is None else self._overlaps.deepest
        self._frozen_step.follow(table, pairs, (self.materials.used_reach, self._span, gravity, deepest))

    def evaluate(self, at: Instant, q: NDArray[np.float64], totals: NDArray[np.float64]) -> None:
        """Add the generalised forces to q, and stored energy and powers to totals."""
        self.near.evaluate(at, q, totals)
        self.frozen.evaluate(at, q, totals)

    def _choose_materials(self, at: Instant) -> None:
        """Give contacts the materials that the callback of the script wants, and part bodies that overlap."""
        if self._overlaps is not None:
            self._overlaps.take_back(self.near)
        if self._questions is not None:
            self._questions.ask(self.near, self._stepper.bodies, at, self._steps())
        if self._overlaps is not None:
            self._overlaps.part(self.near, self.frozen, self._stepper.bodies, at)
        self.near.crowds = self._questions is None and (self._overlaps is None or self._overlaps.is_idle)

    def differentiate(self, x: Array, w: Array, since: float, stiffness: Array, damping: Array) -> None:
        """Add K = -dQ/dx and R = -dQ/dv of all elements."""
        self.near.differentiate(x, w, since, stiffness, damping)
        self.frozen.differentiate(x, w, since, stiffness, damping)

    def blame(self, at: Instant) -> str | None:
        """Which law gives a force that is not finite, and where."""
        return self.near.blame(at) or self.frozen.blame(at)

    def acting(self, at: Instant) -> Report:
        """The elements that are active at a state, and their reports."""
        elements = []
        reports = []
        for part in self.contacts:
            lines = part.reported(at)
            active = lines["activation"] > 0.0
            elements.append(part.elements[active])
            reports.append(lines[active])
        return np.concatenate(elements), np.concatenate(reports)

    def release(self) -> None:
        """Let Chrono's built-in contact act again."""
        self._foreign.release()
        self._built_in.switch_on(self._stepper.system)


def _rule(system: Any, pairs: Choice) -> Rule | None:
    """The rule for exceptions that a user gives."""
    if pairs is None or callable(pairs):
        return pairs
    return rule_by_names(pairs, [body_name(body) for body in system.GetBodies()])


def materials_for(
    stepper: Stepper, material: Material | None, pairs: Choice, choices: Mapping[str, float]
) -> PairMaterials:
    """The materials of all pairs: the given one, or those designed from the shapes' own materials."""
    rule = _rule(stepper.system, pairs)
    if material is None:
        return DesignedMaterials(stepper, Choices.of(choices), rule)
    if choices:
        raise ParameterError(
            f"give either a material or single choices such as {next(iter(choices))}, which a material already contains"
        )
    return PairMaterials(material, rule)


def take_over(
    stepper: Stepper, calls: Calls, materials: PairMaterials, skin: float | None = None, rounding: float = 0.02,
    keep_detection: bool = False,
) -> TakeOver:  # fmt: skip
    """See `Attachment.take_over`."""
    if skin is not None:
        positive("skin", skin)
    if not 0.0 < rounding < 1.0:
        raise ParameterError(f"rounding must lie between 0 and 1, got {rounding:g}")
    return TakeOver(stepper, calls, materials, skin, rounding, keep_detection)
