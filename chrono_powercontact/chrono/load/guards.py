"""Checks before and between steps, so that nothing crashes the process and nothing fails silently."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...errors import LawError, StateError, SystemChangedError
from ..api.bridge import belongs, body_key, check_solver
from ..api.counting import count_bodies
from ..api.telling import tell_user
from ..contact.contact_table import Elements, Instant, Part
from ..contact.readings import body_name
from ..contact.stiffness import anchored, inverse_masses, longest_step
from ..implicit.choosing.choice import AUTO, IMPLICIT, explicit_limit
from ..implicit.choosing.joint_choice import joint_limit, spring_limit
from ..joint.joints import Joints
from ..joint.springs import Springs
from .census import EVERY
from .roster import Roster

ANCHORS_EVERY = 64
"""Number of steps after which the anchors are checked."""

PERSISTENT = 3
"""Number of such looks in a row at which an anchor must be too stiff: an impact is over before the next one."""

FIRST_LOOKS = 16
FAR_TOO_LONG = 10.0
"""Number of first loaded steps that are all checked, and the factor by which the limit may be exceeded there."""


def check_bodies(bodies: Sequence[Any], system: Any) -> None:
    """Raise if a body has left the system in the middle of a step: forces would be written to stale memory."""
    for body in bodies:
        if not belongs(body, system):
            raise SystemChangedError(
                f"{body_name(body)!r} was removed from the system, and something else than system.DoStepDynamics "
                "steps it: call system.DoStepDynamics, or detach first"
            )


def check_system(system: Any, bodies: Sequence[Any], stiff: bool, steps: int | None = None) -> None:
    """Raise if the solver cannot handle a Jacobian or a body has left; given a step number, check one body only."""
    if stiff:
        check_solver(system)
    check_bodies(bodies if steps is None else [bodies[(steps // EVERY) % len(bodies)]], system)


def explain(bodies: Sequence[Any], body: int, parts: Iterable[Part], at: Instant) -> SystemChangedError:
    """The error for a body whose force is not finite: caused by a law if one is not finite, otherwise by its state."""
    if np.isfinite(at.x).all() and np.isfinite(at.w).all():
        for part in parts:
            blamed = part.blame(at)
            if blamed is not None:
                return LawError(f"{blamed} at {at.time:.6g} s: a law must be finite everywhere")
    return StateError(f"the state of {body_name(bodies[body])!r} is not finite at {at.time:.6g} s")


def _is_finite(body: Any) -> bool:
    """Whether position, rotation and velocities of a body are finite."""
    place = body.GetPos()
    turn = body.GetRot()
    speed = body.GetPosDt()
    spin = body.GetAngVelLocal()
    summed = place.x + place.y + place.z + speed.x + speed.y + speed.z + spin.x + spin.y + spin.z
    return math.isfinite(summed + turn.e0 + turn.e1 + turn.e2 + turn.e3)


def check_states(system: Any, roster: Roster, at: Instant) -> None:
    """Raise if the state of any body of the system is not finite, whether it is on the load or not."""
    if not (np.isfinite(at.x).all() and np.isfinite(at.w).all()):
        suspects = roster.bodies
    elif count_bodies(system) > len(roster.numbers):
        suspects = [body for body in system.GetBodies() if body_key(body) not in roster.numbers]
    else:
        return
    for body in suspects:
        if not _is_finite(body):
            raise StateError(f"the state of {body_name(body)!r} is not finite at {at.time:.6g} s")


class StepWatch:
    """Chooses between forces at the start and at the end of a step, or warns if the choice is the user's.

    The slopes of normal laws, of stops and friction of joints, of springs, and of anchors under the weight of their
    bodies are known in advance. Anchors with a larger load are found on the way: the first loaded steps are all
    checked, because a body that a far too long step throws up is soon out of contact.

    Attributes:
        mode: AUTO, EXPLICIT or IMPLICIT. implicit: the present choice.
        carefree: step in s up to which no look is needed.
    """

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.implicit = mode == IMPLICIT
        self._limit = np.inf
        self._anchors = False
        self._looks = 0
        self._too_long = 0
        self._warned = False
        self._known: tuple[Any, ...] = ()
        self.carefree = 0.0

    def expect(
        self, system: Any, tables: Sequence[Elements], joints: Joints, springs: Springs, bodies: Sequence[Any]
    ) -> None:
        """Take note of the laws, if there are others than before."""
        slopes = tuple(spring.slopes for spring in springs.springs.values())
        known = tuple(map(id, bodies)), tuple(joints.forces), slopes, tuple(id(table.records) for table in tables)
        if known == self._known:
            return
        self._known = known
        gravity = system.GetGravitationalAcceleration().Length()
        self._anchors = any(anchored(table.records) for table in tables)
        if self.mode == AUTO and not self._warned:
            limit = explicit_limit(tables, inverse_masses(bodies), gravity)
            held = map(joint_limit, joints.forces.values())
            self._limit = min([limit, *held, *map(spring_limit, springs.springs.values())])
        self.carefree = 0.0 if self._anchors else self._limit

    @property
    def longest(self) -> float:
        """Step in s up to which a look is due only in the first loaded steps, and then every so many steps."""
        return np.inf if self.implicit or self._warned else self._limit

    @property
    def has_looked(self) -> bool:
        """Whether the first loaded steps are over."""
        return self.implicit or self._warned or not self._anchors or self._looks >= FIRST_LOOKS

    def takes(self, step: float) -> bool:
        """Whether a step in s needs the forces at its end, as far as that is known in advance."""
        return self.implicit or step > self._limit

    def is_due(self, steps: int, step: float) -> bool:
        """Whether a step of Chrono in s needs a look."""
        if self.implicit or self._warned:
            return False
        return step > self._limit or (self._anchors and (steps % ANCHORS_EVERY == 0 or self._looks < FIRST_LOOKS))

    def look(self, steps: int, step: float, tables: Sequence[Elements], bodies: Sequence[Any]) -> None:
        """Compare a step of Chrono in s with the limits, with the loads at its start; see `is_due`."""
        if self.takes(step):
            self.implicit = True
        else:
            self._look_at_anchors(steps % ANCHORS_EVERY == 0, step, tables, bodies)

    def _look_at_anchors(self, regular: bool, step: float, tables: Sequence[Elements], bodies: Sequence[Any]) -> None:
        """Compare a step with the limit of the loaded anchors; in between regular looks an impact may exceed it."""
        limit = np.inf
        lasting = self.mode == AUTO and self._looks > FIRST_LOOKS
        for table in tables:
            if table.memory["load"].any() and anchored(table.records):
                limit = min(limit, longest_step(table, inverse_masses(bodies), lasting))
        self._looks += limit < np.inf
        if step <= (1.0 if regular else FAR_TOO_LONG) * limit:
            self._too_long = 0 if regular else self._too_long
            return
        self._too_long += 1
        if self.mode == AUTO:
            at_first = self._looks <= FIRST_LOOKS and step > FAR_TOO_LONG * limit
            self.implicit = at_first or self._too_long >= PERSISTENT
            return
        self._warned = True
        tell_user(
            f"an anchor is too stiff for the step of {step:g} s under the load it carries: use a step of at most "
            f"{limit:.2g} s, an Anchor with a larger presliding, or attach(system) without stepping='explicit'"
        )
