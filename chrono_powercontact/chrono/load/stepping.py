"""Computes the forces of the load as the sum over all parts, and commits their memory and the energy book.

A linearised integrator evaluates forces once, at the start of a step, and that evaluation commits. Other integrators
evaluate trial states only, and the commit follows when DoStepDynamics returns. If something else drives the steps, the
last state that Chrono distributed is kept and committed when the next step begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..api.bridge import body_key
from ..contact.bodies import SPEED_WIDTH
from ..contact.contact_table import ContactTable, Elements, Instant, Part, Stiff
from ..contact.readings import Energy
from ..contact.records import TOTALS, empty, flat
from ..implicit import step_context as on
from ..implicit.choosing.choice import AUTO, EXPLICIT
from ..implicit.implicit_solver import ImplicitSolver
from ..implicit.start_forces import forces_at_start
from ..implicit.step_arrays import StepArrays
from ..implicit.step_context import StepContext, word
from ..joint.joints import Joints
from ..joint.springs import Springs
from .census import EVERY, Census
from .energy_book import EnergyBook
from .free.free_steps import FreeSteps
from .guards import StepWatch, check_states, check_system, explain
from .roster import Roster
from .routine import Routine
from .step_clock import StepClock

State = NDArray[np.float64]
NO_JOINTS = Joints()

RARELY = 8
"""Number of looks at the system after which Python computes a step, where compiled code could."""


class Stepper:
    """Computes the forces that the load asks for.

    Attributes:
        roster: bodies on the load by number. table: contacts of named shapes. parts: what else exerts forces.
        springs: springs of Chrono's that are solved for.
        load: Chrono's load, None while there are no bodies. failures: exceptions in callbacks, raised after the step.
        check_due: whether the next step must check all that may have changed. stiff: whether there is a Jacobian.
        others: gives the steppers of all attachments of the system.
        driven: whether DoStepDynamics is running. started: whether it has ever run.
        followed: whether a step is running that C++ code has begun by itself, see `foreign_steps`.
        computed_in: number of the step in which forces were last computed; at rest they are repeated.
        arrays, context: arrays and numbers of a step that compiled code shares. routine: steps without Python.
        free: steps without Chrono's integrator. container: address of the load's container.
    """

    computed_in: int = word(on.COMPUTED_IN)

    def __init__(self, system: Any, stepping: str = AUTO, stiff: bool = False) -> None:
        self.arrays = StepArrays()
        self.context = StepContext(self.arrays)
        self.routine = Routine(self.context)
        self.free = FreeSteps(self.context.place)
        self.container = 0
        self.clock = StepClock(system, self.context)
        self.census = Census(system)
        self.book = EnergyBook()
        self.roster = Roster()
        self.table = ContactTable({}, {})
        self.parts: list[Part] = []
        self.springs = Springs()
        self.load: Any = None
        self.failures: list[BaseException] = []
        self.check_due = True
        self.stiff = stiff
        self.watch = StepWatch(EXPLICIT if stiff else stepping)
        self.solver = ImplicitSolver(self.arrays, self.context)
        self.others: Callable[[], Iterable[Stepper]] = tuple
        self.driven = False
        self.followed = False
        self.started = False
        self._followed_after = -1
        self._last: tuple[State, State, float] | None = None

    @property
    def system(self) -> Any:
        """The Chrono system."""
        return self.clock.system

    @property
    def bodies(self) -> list[Any]:
        """Bodies on the load, in its order, with a stand-in for each that has left."""
        return self.roster.bodies

    def follow(self) -> None:
        """A step has begun that is not taken by DoStepDynamics: hear of the states that Chrono distributes in it."""
        self.followed = True
        self._followed_after = self.clock.steps
        if self.load is not None:
            self.load.idle(False)

    def end_followed(self) -> None:
        """Such a step has ended: Python computes what is asked for now, and the solver iterates as a script wants."""
        if not self.followed:
            return
        self.followed = False
        self.context.words[on.MODE] = on.IN_PYTHON
        self.solver.iterations.restore()
        if self.load is not None:
            self.load.idle(self.clock.once)

    def scattered(self) -> None:
        """Chrono has distributed a state to the bodies: it may be the last one of the step."""
        if self.clock.steps != self._followed_after:
            self.end_followed()
        if self.clock.once or self.driven:
            return
        try:
            begun, time = self.clock.read()
            if begun:
                self._begin_step()
            self.load.gather()
            self._last = self.load.x.data.copy(), self.load.w.data.copy(), time
        except BaseException as error:
            self.failures.append(error)

    def before_step(self) -> None:
        """DoStepDynamics is about to step, for the first time or after a change.

        The first time, the book opens at the present state. Changes are checked here, because Chrono may crash before
        it asks for forces.
        """
        if self.check_due and self.load is not None:
            check_system(self.system, self.roster.members(), self.stiff)
        if not self.started:
            self.started = True
            self.clock.read_integrator()
            if not self.clock.once:
                self._commit_now()

    def after_step(self) -> None:
        """DoStepDynamics has stepped: commit at the state it has reached, unless an evaluation has done so."""
        if not self.clock.once:
            self._commit_now()

    def _commit_now(self) -> None:
        if self.load is None or self.failures:
            return
        try:
            self.load.gather()
            w = self.load.w.data
            self._sum(self.load.x.data, w, np.zeros(w.size), self.clock.now(), True)
        except BaseException as error:
            self.failures.append(error)

    def evaluate(self, residual: Any, factor: float) -> bool:
        """Compute the forces at the state that the load has gathered; an exception is deferred until after the step.

        After a failure nothing may be added to Chrono's vectors: those of a body that has left are stale memory.
        """
        if self.failures:
            return False
        try:
            if self.context.words[on.LEFT_OPEN]:
                self._finish(residual, factor)
            else:
                self._evaluate(residual, factor)
            self.context.times[on.LAST] = factor
        except BaseException as error:
            self.failures.append(error)
            return False
        return True

    def _evaluate(self, residual: Any, factor: float) -> None:
        """Compute the forces at the state that the load has gathered."""
        self.solver.iterations.restore()
        clock = self.clock
        begun, time = clock.read()
        if begun:
            self._begin_step()
        watch = self.watch
        if watch.implicit and clock.once:
            self._evaluate_at_end(residual, factor, time, begun)
        else:
            self.computed_in = clock.steps
            load = self.load
            commit = begun and clock.once
            self._sum(load.x.data, load.w.data, load.q.data, time, commit)
            if commit and factor > watch.carefree:
                self._look_at_step(residual, factor)
            if self.stiff and clock.once:
                self._undo_double_damping()
        if clock.once and (self.driven or self.followed) and self.census.quiet:
            self.routine.learn(self, residual.Size())

    def _finish(self, residual: Any, h: float) -> None:
        """Do what compiled code has left open in a step h."""
        words = self.context.words
        left_open = words[on.LEFT_OPEN]
        words[on.LEFT_OPEN] = on.NOTHING
        if left_open == on.NOT_FINITE:
            raise explain(self.bodies, int(words[on.BODY]), (self.table, *self.parts), self.now())
        if left_open == on.NO_ROOM:
            self.solver.solve_rows(h)
        else:
            self._look_at_step(residual, h)
            self.routine.learn(self, residual.Size())

    def _look_at_step(self, residual: Any, factor: float) -> None:
        """Look whether a step is too long for forces at its start; if so, replace them by those at its end."""
        watch = self.watch
        if watch.is_due(self.clock.steps, factor):
            watch.look(self.clock.steps, factor, list(self.tables()), self.bodies)
            if watch.implicit:
                self._solve(residual, factor)

    def _evaluate_at_end(self, residual: Any, factor: float, time: float, begun: bool) -> None:
        """Forces at the end of a step of a linearised integrator."""
        if self._repeats(residual, factor, time):
            self.clock.committed = time
            return
        self.computed_in = self.clock.steps
        load = self.load
        self._sum(load.x.data, load.w.data, load.q.data, time, begun, factor)
        self._solve(residual, factor)

    def _repeats(self, residual: Any, h: float, time: float) -> bool:
        """Whether all forces on the load in a step h from a time on are those of the last step."""
        if not self.solver.rested or self._others_later():
            return False
        at = Instant(self.load.x.data, self.load.w.data, time, time - self.clock.committed, True, True, None, h)
        if not all(part.stays(at) for part in self.parts):
            return False
        return self.solver.repeats(self.system, *self._solved(), residual, h)

    def _solve(self, residual: Any, h: float) -> None:
        """Replace the forces at the start of a step of h by those at its end."""
        if self.solver.has_no_links and not self.parts_act():
            self.solver.pass_over()
            return
        load = self.load
        self._enter(load.x.data, load.w.data, load.q.data)
        self.free.add_forces(h)
        self.solver.prepare(load, self.bodies, residual)
        self._expect_others(h)
        self.solver.solve(self.system, self.springs, h)

    def parts_act(self) -> bool:
        """Whether there is anything on the load that may exert a force in the step."""
        return bool(len(self.springs) or len(self.joints) or any(len(table.elements) for table in self.tables()))

    def _solved(self) -> tuple[list[Elements], Joints, Springs]:
        """Contacts, joint forces and springs of a step."""
        if self.parts:
            return list(self.tables()), self.joints, self.springs
        return [self.table], NO_JOINTS, self.springs

    def solves(self, step: float) -> bool:
        """Whether steps of this length in s will be solved for the forces at their end."""
        if self.load is None or not self.clock.linearized():
            return False
        self._expect_laws()
        return self.watch.takes(step)

    def _expect_laws(self) -> None:
        """Tell the watch which laws there are."""
        self.watch.expect(self.system, list(self.tables()), self.joints, self.springs, self.bodies)

    def _others_later(self) -> list[Stepper]:
        """Attachments that Chrono asks after this one."""
        others = self.others()
        return [other for other in others if other is not self and other.clock.steps != self.clock.steps]

    def _expect_others(self, h: float) -> None:
        """Expect that attachments that Chrono asks after this one exert the same forces as in their last step."""
        later = self._others_later()
        if not later:
            return
        self.solver.expected.fill(0.0)
        places = {body_key(body): i for i, body in enumerate(self.bodies)}
        for other in later:
            last = other.book.last_forces.reshape(-1, SPEED_WIDTH)
            for body, forces in zip(other.bodies, last, strict=False):
                if body_key(body) in places:
                    i = SPEED_WIDTH * places[body_key(body)]
                    self.solver.expected[i : i + SPEED_WIDTH] += h * forces

    def differentiate(self, stiffness: State, damping: State) -> None:
        """Compute K and R at the state that the load has gathered."""
        if self.failures:
            return
        try:
            self._slopes(self.clock.since_commit(), stiffness, damping)
        except BaseException as error:
            self.failures.append(error)

    def _slopes(self, since: float, stiffness: State, damping: State) -> None:
        """Sum K and R over all parts that provide them."""
        stiffness.fill(0.0)
        damping.fill(0.0)
        for part in (self.table, *self.parts):
            if isinstance(part, Stiff):
                part.differentiate(self.load.x.data, self.load.w.data, since, stiffness, damping)

    def _undo_double_damping(self) -> None:
        """Add R times the old velocity: a linearised integrator multiplies R by the new velocity, not by its change."""
        w = self.load.w.data
        stiffness = np.empty((w.size, w.size))
        damping = np.empty((w.size, w.size))
        self._slopes(self.clock.since_commit(), stiffness, damping)
        self.load.q.data[:] += damping @ w

    def restart(self) -> None:
        """Discard the stored state, because the load has changed; the book makes room for bodies that have come."""
        self._last = None
        if self.load is not None and self.book.kept.size:
            self.load.gather()
            self.book.make_room(self.bodies, self.load.x.data, self.load.w.data)

    def shift_time(self, by: float) -> None:
        """The time of the system was set, to so many seconds more than it was."""
        self.clock.committed += by
        if self._last is not None:
            x, w, time = self._last
            self._last = x, w, time + by

    def now(self) -> Instant:
        """The present state of the bodies."""
        self.load.gather()
        time = self.clock.now()
        since = time - self.clock.committed
        return Instant(self.load.x.data, self.load.w.data, time, since, False, self.clock.once)

    def sums_at_commit(self) -> State:
        """Flat TOTALS at the last commit of a linearised integrator; a commit itself does not sum the stored energy."""
        x, w = np.split(self.book.past, [self.load.x.data.size])
        return self._sums(Instant(x, w, self.clock.committed, 0.0, False, self.clock.once))[0]

    def balance(self, unsplit: tuple[str, ...] = ()) -> Energy:
        """The energy ledger now; `unsplit` are names of laws without a potential."""
        stored = 0.0
        book = self.book.entries
        if self.load is not None and self.book.is_open:
            at = self.now()
            stored = float(self._sums(at)[0].view(TOTALS)[0]["stored"] - book["stored_at_opening"])
            book = self._book_at(at)
        return self._energy(book, stored, unsplit)

    def _energy(self, book: Any, stored: float, unsplit: tuple[str, ...] = ()) -> Energy:
        """The ledger from a book and the energy in J that is stored."""
        taken = 0.0
        if self.clock.once:
            taken = float(book["kinetic"] - book["impact"] - book["elastic"] - stored)
        exchanged = float(book["work"] - book["springs"] - book["kinetic"])
        return Energy(
            stored, float(book["contact_heat"]), float(book["friction_heat"]), exchanged, unsplit,
            float(book["handed_back"]), max(taken, 0.0), unpaid=max(-taken, 0.0),
        )  # fmt: skip

    def heats_by_power(self) -> tuple[float, float]:
        """Heat of contacts and of friction in J under a linearised integrator, from powers at the ends of the steps.

        Unlike the ledger, this follows the velocities as Chrono gives them, half a step behind the positions.
        """
        if self.load is None or not self.book.is_open:
            return 0.0, 0.0
        book = self._book_at(self.now())
        return float(book["contact_by_power"]), float(book["friction_by_power"])

    def _book_at(self, at: Instant) -> Any:
        """The book including the last step, which a linearised integrator commits only when the next one begins."""
        memories = [memory for part in (self.table, *self.parts) for memory in part.memories]
        kept = [memory.copy() for memory in memories]
        totals, q = self._sums(at._replace(commit=True, past=self.book.past if at.once else None, stepping=False))
        for memory, earlier in zip(memories, kept, strict=True):
            memory[:] = earlier
        return self.book.with_step(q, at.w, totals, at.since, at.once)

    def _sums(self, at: Instant) -> tuple[State, State]:
        """Flat TOTALS of all parts at a state, and their generalised forces."""
        totals = flat(empty(TOTALS, 1))
        q = np.zeros(at.w.size)
        for part in (self.table, *self.parts):
            part.evaluate(at, q, totals)
        return totals, q

    def _sum(self, x: State, w: State, q: State, time: float, commit: bool, ahead: float = 0.0) -> None:
        """Write the forces of all parts to q; at a commit, heat and work are booked. For `ahead` see `Instant`."""
        book = self.book
        clock = self.clock
        since = time - clock.committed
        if book.size != len(self.roster.bodies):
            book.read_bodies(self.bodies, x, w)
        at = Instant(x, w, time, since, commit, clock.once, None, ahead)
        for part in self.parts:
            part.prepare(at)
        if commit and not book.is_open:
            opening = Instant(x, w, time, since, False, clock.once)
            book.open_with(float(self._sums(opening)[0].view(TOTALS)[0]["stored"]))
        if any(part.is_crowd(at) for part in self.parts):
            body = self._sum_parts(at, q)
        else:
            self._enter(x, w, q)
            body = forces_at_start(self.arrays.entries, since, commit, clock.once)
        if body >= 0:
            raise explain(self.bodies, body, (self.table, *self.parts), at._replace(commit=False))
        if commit:
            clock.committed = time

    def _enter(self, x: State, w: State, q: State) -> None:
        """Enter all that acts on the load into the arrays of a step."""
        self.arrays.enter_state(x, w, q)
        self.arrays.enter_book(self.book.totals, self.book.numbers, self.book.kept)
        if self.arrays.enter_tables(*self._solved()):
            self._expect_laws()

    def _sum_parts(self, at: Instant, q: State) -> int:
        """Write the forces of all parts to q, each in turn; see `EnergyBook.close` for what it returns."""
        book = self.book
        q.fill(0.0)
        book.totals.fill(0.0)
        once = at.commit and at.once
        instant = at._replace(past=book.past if once else None, followed=True)
        for part in (self.table, *self.parts):
            part.evaluate(instant, q, book.totals)
        if once:
            return book.close_step(at.x, at.w, q, at.since)
        return book.close(q, at.w, at.since, at.commit)

    def _begin_step(self) -> None:
        """A step has begun: check what may have changed, and commit the state at the end of the last step."""
        clock = self.clock
        if self.census.lost_in_step():
            self.check_due = True
        self.context.words[on.LEFT] = EVERY - 1 - clock.steps % EVERY
        if self.check_due or clock.steps % EVERY == 0:
            check_system(clock.system, self.roster.members(), self.stiff, None if self.check_due else clock.steps)
            if self.check_due:
                self.springs.check(clock.system)
                self.solver.forget()
                self.book.read_bodies(self.bodies, self.load.x.data, self.load.w.data)
            self.check_due = False
            self._look_around()
            self._expect_laws()
        if not clock.once and self._last is not None:
            x, w, time = self._last
            self._last = None
            self._sum(x, w, np.zeros(w.size), time, True)

    def _look_around(self) -> None:
        """Look at what may have changed without a call that tells of it: integrator, sleeping, states."""
        clock = self.clock
        clock.read_integrator()
        self.load.idle(clock.once and not self.followed)
        self.load.learn_places(not clock.system.IsSleepingAllowed())
        self.free.look(self)
        check_states(clock.system, self.roster, self.now())

    def look_between(self) -> None:
        """Look at the system before a step, if that is due; steps for the forces at their end go on without Python.

        Others are computed by Python at each look, which then compares the loads of their anchors with the step.
        """
        steps = self.clock.steps + 1
        if self.context.words[on.LEFT] > 0 or not self.watch.implicit or steps % (RARELY * EVERY) == 0:
            return
        check_system(self.clock.system, self.roster.members(), self.stiff, steps)
        self._look_around()
        self.context.words[on.LEFT] = EVERY

    def tables(self) -> Iterator[Elements]:
        """Contact elements of all parts."""
        return (table for part in (self.table, *self.parts) for table in part.contacts)

    @property
    def joints(self) -> Joints:
        """Stops and friction of joints."""
        return next((part for part in self.parts if isinstance(part, Joints)), NO_JOINTS)
