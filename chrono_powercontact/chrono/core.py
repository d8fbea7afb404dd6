"""The core of an attachment: the bodies on the load, the load in the system, and what exerts forces.

Users hold an `Attachment`; recorders, windows and take-overs work with its core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from .api.bridge import address, belongs, body_key, check_movable, check_solver, pychrono
from .api.changes import CHANGES
from .api.machines import MACHINES
from .contact.anchors import write_anchors
from .contact.contact_jacobian import check_size
from .contact.contact_table import NO_REPORT, ContactTable, Instant, Pair, Part
from .contact.readings import body_name
from .contact.records import TOTALS, empty, flat
from .implicit.choosing.choice import AUTO, EXPLICIT
from .implicit.linked.links import linked
from .implicit.step_context import IN_PYTHON, LAST, MODE, UNCONVERGED
from .joint.joints import NO_JOINT_REPORT, Joints
from .joint.springs import Springs
from .load.cautions import Cautions
from .load.ledger_watch import LedgerWatch
from .load.load import load_class, stiff_load_class
from .load.roster import Roster
from .load.stepping import Stepper
from .takeover.takeover import TakeOver


class Core:
    """The load of an attachment and everything that belongs to it.

    Attributes:
        stepper: computes the forces on the load. pairs: contacts of named shapes by number. joints: stops and friction.
        taken: contacts of collision shapes that were taken over, or None.
        container: the load container in the system, None while there are no bodies. containers: gives those of all
            attachments of the system. known: what scripts were told of its contacts, see `script_calls`.
    """

    def __init__(self, system: Any, shared: bool | None = None, jacobian: bool = False, stepping: str = AUTO) -> None:
        self.stepper = Stepper(system, stepping, jacobian)
        self.pairs: dict[int, Pair] = {}
        self.joints = Joints()
        self.taken: TakeOver | None = None
        self.containers: Callable[[], Iterable[Any]] = tuple
        self._shared = shared
        self.container: Any = None
        self.known: Any = None
        self._removed = False
        self._left = False
        self._outdated = False
        self.census = self.stepper.census
        self._cautions = Cautions()
        self._cautious = True
        self._reactions_due: bool | None = None
        self._ledger = LedgerWatch()

    @property
    def system(self) -> Any:
        """The Chrono system."""
        return self.stepper.system

    @property
    def roster(self) -> Roster:
        """The bodies on the load by number."""
        return self.stepper.roster

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
        if self._left:
            self._let_go()
        for body in bodies:
            if not belongs(body, self.system):
                raise ParameterError(f"{body_name(body)!r} is not in this system: call system.AddBody(body) first")
        roster = self.roster
        strangers = roster.strangers(bodies)
        if strangers:
            self._check_jacobian(roster.size_with(strangers))
            self._outdated = True
            self._enter(strangers)
        if self._outdated:
            self._install()
        return [roster.numbers[body_key(body)] for body in bodies]

    def _enter(self, bodies: Iterable[Any]) -> None:
        """Give bodies a number on the load; the energy book knows nothing of them yet."""
        for body in bodies:
            self.stepper.book.forget_body(self.roster.enter(body))

    def _check_jacobian(self, size: int) -> None:
        """Raise if a Jacobian over a number of bodies is not possible."""
        if self.stepper.stiff:
            check_size(size)
            check_solver(self.system)

    def place_of(self, body: Any) -> int | None:
        """Number of a body on the load; None if it is not on it."""
        return self.roster.numbers.get(body_key(body))

    def rebuild(self) -> None:
        """Rebuild the tables of the contacts of named shapes; elements that stay keep their memory."""
        self.stepper.table = ContactTable(self.pairs, self.roster.numbers, self.stepper.table)

    def _install(self) -> None:
        """Add a load on the present bodies to the system, in place of the previous one."""
        stepper = self.stepper
        self._withdraw()
        if not self.roster.is_empty:
            kind = stiff_load_class() if stepper.stiff else load_class()
            stepper.load = kind(stepper.bodies, stepper, self._shared)
            self.container = pychrono().ChLoadContainer()
            self.container.Add(stepper.load)
            type(self.system).Add(self.system, self.container)
            stepper.container = address(self.container)
        stepper.restart()
        self.rebuild()
        self._outdated = False

    def _items(self) -> list[int]:
        """Addresses of the loads and other items in the system, in its order."""
        return [address(item) for item in self.system.GetOtherPhysicsItems()]

    def _withdraw(self) -> None:
        """Remove the load from the system, if it is there: Chrono ends the process if told to remove anything else."""
        if self.container is not None and address(self.container) in self._items():
            type(self.system).Remove(self.system, self.container)
        self.container = None
        self.stepper.load = None

    def _let_go(self) -> None:
        """Forget bodies and springs that are no longer in the system, with all contacts and joint forces on them."""
        self._left = False
        springs = self.stepper.springs
        for number, spring in list(springs.springs.items()):
            if not belongs(spring.link, self.system):
                springs.remove(number)
        absent = self.roster.absent(self.system)
        if absent:
            self._outdated = True
            self._drop_forces({body_key(self.stepper.bodies[number]) for number in absent})
            for number in absent:
                self.roster.leave(number)
                self.stepper.book.forget_body(number)
            self._install()
        elif self.container is not None and address(self.container) not in self._items():
            self._install()

    def _drop_forces(self, keys: set[int]) -> None:
        """Remove the contacts, joint forces and springs of bodies, given by their keys."""
        for number, pair in list(self.pairs.items()):
            if not keys.isdisjoint((body_key(pair.first.body), body_key(pair.second.body))):
                del self.pairs[number]
        springs = self.stepper.springs
        for number, joint in list(self.joints.forces.items()):
            if not keys.isdisjoint(map(body_key, joint.bodies)):
                self.joints.remove(number)
        for number, spring in list(springs.springs.items()):
            if not keys.isdisjoint(map(body_key, spring.bodies)):
                springs.remove(number)

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

    def prepare(self) -> None:
        """Follow all changes of the system before Chrono steps: afterwards it would be too late."""
        if self.census.differs():
            self.request_check(leaving=True)
        self._follow()
        self.stepper.free.begin(self.stepper)

    def _follow(self) -> None:
        """Follow what is known to have changed."""
        if self._left:
            self._let_go()
        if self.taken is not None and self.taken.stale:
            self.taken.refresh()
        stepper = self.stepper
        if stepper.check_due or not stepper.started:
            self._stay_last()
            self._register_linked()
            check_movable(self.system)
            self._look_at_weights()
            self._cautious = True
            self._reactions_due = None
            stepper.before_step()

    def _look_at_weights(self) -> None:
        """Warn of bodies that their contacts cannot carry."""
        self._cautions.look_at_pairs(self.system, self.pairs)
        if self.taken is not None:
            laws = [material.normal for material in self.taken.materials.laws]
            self._cautions.look_at_taken(self.system, self.roster.members(), laws)

    def before_foreign_step(self) -> None:
        """C++ code has begun a step by itself; it tells of the start of a step only."""
        stepper = self.stepper
        stepper.end_followed()
        if stepper.context.words[UNCONVERGED]:
            stepper.solver.judge(stepper.context.times[LAST])
        self._begin_step()
        stepper.follow()

    def before_step(self) -> None:
        """DoStepDynamics is about to step."""
        self._begin_step()
        self.stepper.driven = True

    def _begin_step(self) -> None:
        """A step begins: follow what has changed, or leave it to compiled code if nothing has."""
        stepper = self.stepper
        census = self.census
        routine = stepper.routine
        if routine.mode and CHANGES.count == census.changes and routine.holds(stepper):
            stepper.context.words[MODE] = routine.mode
            stepper.look_between()
            if routine.hands_over_all:
                stepper.solver.iterations.spare()
        elif census.quiet and CHANGES.count == census.changes:
            census.quiet = False
        elif census.differs():
            self.request_check(leaving=True)
        if stepper.check_due or not stepper.started:
            self._follow()
        stepper.free.begin(stepper)
        if stepper.solver.handed_over:
            stepper.solver.take_off_reactions(stepper.system)

    def _stay_last(self) -> None:
        """Put our load behind loads that were added later: an implicit step must know their forces."""
        if self.container is None or self.stepper.watch.mode == EXPLICIT:
            return
        items = self._items()
        later = items[items.index(address(self.container)) + 1 :]
        if set(later) - {address(other) for other in self.containers()}:
            kind = type(self.system)
            kind.Remove(self.system, self.container)
            kind.Add(self.system, self.container)

    def _register_linked(self) -> None:
        """Register the bodies that links connect to those on the load: an implicit step solves for all of them.

        Links hold raw pointers; the bodies on the load are those that the system owns.
        """
        if self.roster.is_empty or self.stepper.watch.mode == EXPLICIT:
            return
        keys = {body_key(body) for body in linked(self.system, self.stepper.bodies)}
        if keys:
            self.register(*(body for body in self.system.GetBodies() if body_key(body) in keys))

    def complete_reactions(self) -> None:
        """Let Chrono's links know what was handed over in the last step, unless one is running."""
        stepper = self.stepper
        if stepper.solver.handed_over and not (stepper.driven or stepper.followed):
            stepper.solver.add_reactions(stepper.system)

    def abandon_step(self) -> None:
        """DoStepDynamics has raised an exception."""
        self.stepper.driven = False
        self.stepper.context.words[MODE] = IN_PYTHON
        self.stepper.solver.iterations.restore()

    def after_step(self) -> None:
        """DoStepDynamics has stepped: commit, and raise exceptions that callbacks had to defer."""
        stepper = self.stepper
        stepper.driven = False
        stepper.context.words[MODE] = IN_PYTHON
        if stepper.solver.handed_over:
            stepper.solver.iterations.restore()
            if self._reactions_due is None:
                self._reactions_due = MACHINES.may_exist()
            if self._reactions_due:
                stepper.solver.add_reactions(stepper.system)
        if stepper.context.words[UNCONVERGED]:
            stepper.solver.judge(stepper.context.times[LAST])
        if not stepper.clock.once:
            stepper.after_step()
            if self._cautious and not stepper.stiff:
                self._cautions.look_at_step(self.system, list(stepper.tables()), stepper.bodies)
        self._cautious = False
        if stepper.failures:
            self.raise_failures()
        if stepper.clock.steps >= self._ledger.next_look:
            self._look_at_ledger()
            self._cautions.look_at_links(self.system)

    def prestress(self, anchors: ArrayLike) -> None:
        """Set the anchors of all contact elements in m; what they store is not of the contacts' making."""
        self._ledger.allow(write_anchors(self.table, anchors))
        self.stepper.solver.rested = 0.0

    def _look_at_ledger(self) -> None:
        """Warn if the contacts create energy."""
        taken = self.taken
        easing = taken is not None and taken.parted_lately()
        foreign = taken is not None and bool(taken.near.shapes.foreign)
        self._ledger.look(self.stepper, self.unsplit(), easing, foreign)

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

    @property
    def found_anew(self) -> bool:
        """Whether contacts were found anew in each step: their energy book does not close."""
        return any(table.found_anew for part in self.parts for table in part.contacts)

    def shift_time(self, by: float) -> None:
        """The script has set the time of the system, to so many seconds more than it was."""
        self.request_check()
        self.stepper.shift_time(by)

    def request_check(self, leaving: bool = False) -> None:
        """A body may have been added or the integrator changed: check this at the next step.

        Args:
            leaving: whether something may have left the system.
        """
        self.stepper.check_due = True
        self.stepper.free.stop()
        self._left = self._left or leaving
        if self.taken is not None:
            self.taken.stale = True

    def remove(self) -> None:
        """Remove everything from the system."""
        if self.taken is not None:
            self.taken.release()
        self.stepper.free.release()
        self._withdraw()
        self._removed = True
        self.taken = None
        self.joints = Joints()
        self.stepper.springs = Springs()
        self.parts.clear()
        self.pairs.clear()
        self.rebuild()
