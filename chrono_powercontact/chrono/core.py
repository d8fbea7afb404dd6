"""The core of an attachment: the bodies on the load, the load in the system, and what exerts forces.

Users hold an `Attachment`; recorders, windows and take-overs work with its core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from .api.bridge import address, belongs, body_key, check_solver, pychrono
from .contact.contact_jacobian import check_size
from .contact.contact_table import NO_REPORT, ContactTable, Instant, Pair, Part
from .contact.readings import body_name
from .contact.records import TOTALS, empty, flat
from .implicit.choice import AUTO, EXPLICIT
from .implicit.links import linked
from .joint.joints import NO_JOINT_REPORT, Joints
from .joint.springs import Springs
from .load.load import load_class, stiff_load_class
from .load.stepping import Stepper
from .takeover.takeover import TakeOver


class Core:
    """The load of an attachment and everything that belongs to it.

    Attributes:
        stepper: computes the forces on the load. pairs: contacts of named shapes by number. joints: stops and friction.
        taken: contacts of collision shapes that were taken over, or None.
        container: the load container in the system, None while there are no bodies. containers: gives those of all
            attachments of the system.
    """

    def __init__(self, system: Any, shared: bool | None = None, jacobian: bool = False, stepping: str = AUTO) -> None:
        self.stepper = Stepper(system, stepping, jacobian)
        self.pairs: dict[int, Pair] = {}
        self.joints = Joints()
        self.taken: TakeOver | None = None
        self.containers: Callable[[], Iterable[Any]] = tuple
        self._shared = shared
        self._index: dict[int, int] = {}
        self.container: Any = None
        self._removed = False

    @property
    def system(self) -> Any:
        """The Chrono system."""
        return self.stepper.system

    @property
    def parts(self) -> list[Part]:
        """What exerts forces besides contacts of named shapes: joints and contacts that were taken over."""
        return self.stepper.parts

    @property
    def table(self) -> ContactTable:
        """Contacts of named shapes."""
        return self.stepper.table

    def check_attached(self) -> None:
        """Raise after `remove`, when nothing would keep a load alive or watch the steps."""
        if self._removed:
            raise ParameterError("this attachment was detached: call attach(system) again")

    def register(self, *bodies: Any) -> list[int]:
        """Numbers of bodies on the load; new bodies are added to it."""
        self.check_attached()
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

    def place_of(self, body: Any) -> int | None:
        """Number of a body on the load; None if it is not on it."""
        return self._index.get(body_key(body))

    def rebuild(self) -> None:
        """Rebuild the tables of the contacts of named shapes; elements that stay keep their memory."""
        self.stepper.table = ContactTable(self.pairs, self._index, self.stepper.table)

    def _install(self) -> None:
        """Add a load on the present bodies to the system, in place of the previous one."""
        stepper = self.stepper
        if self.container is not None:
            self.system.Remove(self.container)
        self.container = pychrono().ChLoadContainer()
        if stepper.stiff:
            check_size(len(stepper.bodies))
            check_solver(self.system)
        kind = stiff_load_class() if stepper.stiff else load_class()
        stepper.load = kind(stepper.bodies, stepper, self._shared)
        self.container.Add(stepper.load)
        self.system.Add(self.container)
        stepper.restart()

    def observe(
        self, lines: NDArray[Any] = NO_REPORT, totals: NDArray[np.float64] | None = None,
        joints: NDArray[Any] = NO_JOINT_REPORT,
    ) -> Instant | None:  # fmt: skip
        """The present state of the bodies on the load, or None if there are none; cheap enough for every step.

        Args:
            lines: receives what each contact element does, records of REPORT; empty if not needed.
            totals: receives flat TOTALS of all parts.
            joints: receives what each joint force does, records of JOINT_REPORT.
        """
        self.raise_failures()
        sums = flat(empty(TOTALS, 1)) if totals is None else totals
        sums.fill(0.0)
        if self.stepper.load is None:
            return None
        at = self.stepper.now()
        q = np.zeros(at.w.size)
        self.table.report(at, q, sums, lines)
        for part in self.parts:
            if part is self.joints:
                self.joints.report(at, q, sums, joints)
            else:
                part.evaluate(at, q, sums)
        return at

    def before_step(self) -> None:
        """DoStepDynamics is about to step."""
        if self.taken is not None and self.taken.stale:
            self.taken.refresh()
        stepper = self.stepper
        if stepper.check_due or not stepper.started:
            self._stay_last()
            self._register_linked()
            stepper.before_step()
        stepper.driven = True

    def _stay_last(self) -> None:
        """Put our load behind loads that were added later: an implicit step must know their forces."""
        if self.container is None or self.stepper.watch.mode == EXPLICIT:
            return
        own = address(self.container)
        after = [address(item) for item in self.system.GetOtherPhysicsItems()]
        later = after[after.index(own) + 1 :] if own in after else []
        if set(later) - {address(other) for other in self.containers()}:
            kind = type(self.system)
            kind.Remove(self.system, self.container)
            kind.Add(self.system, self.container)

    def _register_linked(self) -> None:
        """Register the bodies that links connect to those on the load: an implicit step solves for all of them."""
        if self.stepper.bodies and self.stepper.watch.mode != EXPLICIT:
            self.register(*linked(self.system, self.stepper.bodies))

    def after_step(self) -> None:
        """DoStepDynamics has stepped: commit, and raise exceptions that callbacks had to defer."""
        stepper = self.stepper
        stepper.driven = False
        if not stepper.clock.once:
            stepper.after_step()
        if stepper.failures:
            self.raise_failures()

    def raise_failures(self) -> None:
        """Raise the first exception that a callback of Chrono had to defer."""
        failures = self.stepper.failures
        if failures:
            failure = failures[0]
            failures.clear()
            raise failure

    def unsplit(self) -> tuple[str, ...]:
        """Names of laws without a potential: their stored energy and heat cannot be separated."""
        tables = [*self.table.contacts, *(table for part in self.parts for table in part.contacts)]
        laws = [material.normal for table in tables for material in table.laws]
        laws += self.joints.stop_laws
        return tuple(dict.fromkeys(repr(law) for law in laws if not law.has_potential))

    def request_check(self) -> None:
        """A body may have been added or removed, or the integrator changed: check this at the next step."""
        self.stepper.check_due = True
        if self.taken is not None:
            self.taken.stale = True

    def remove(self) -> None:
        """Remove everything from the system."""
        if self.taken is not None:
            self.taken.release()
        if self.container is not None:
            self.system.Remove(self.container)
        self.container = None
        self._removed = True
        self.stepper.load = None
        self.taken = None
        self.joints = Joints()
        self.stepper.springs = Springs()
        self.parts.clear()
        self.pairs.clear()
        self.rebuild()
