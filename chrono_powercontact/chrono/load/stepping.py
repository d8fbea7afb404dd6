"""When a step begins and ends, and what is committed then: the memory of friction and the energy ledger.

A linearised integrator evaluates forces once, at the start of a step: that evaluation commits. The others evaluate
trial states only: the commit follows when DoStepDynamics returns. Where something else drives the steps, the last state
that Chrono distributed is kept, and committed when the next step begins.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import PowerContactError
from ..api.bridge import belongs, check_solver, fast, linearized_types
from ..contact import contact_kernel as ck
from ..contact.contact_table import ContactTable, Elements, Instant, Part, Stiff
from ..contact.readings import body_name
from ..contact.stiffness import anchored, inverse_masses, longest_step

State = NDArray[np.float64]
FIRST_LOOKS, FAR_TOO_LONG = 16, 10.0
"""Loaded steps at which anchors are looked at one by one; what an impact may ask of them there, over the limit."""


class SystemChangedError(PowerContactError):
    """The Chrono system no longer fits the attachment: a body left it, or its state is not finite."""


class Stepper:
    """Computes the forces that the load asks for, and keeps the books between steps."""

    def __init__(self, system: Any) -> None:
        self._system = weakref.ref(system)
        self.bodies: list[Any] = []
        self.table = ContactTable({}, {})
        self.parts: list[Part] = []
        self.failures: list[BaseException] = []
        self.suspicious, self.stiff = True, False
        self.load: Any = None
        self._open = False
        self._anchored, self._warned, self._looks = False, False, 0
        self._steps, self._linearized, self._driven, self._closed = -1, True, False, True
        self._time = float(system.GetChTime())
        self._count_steps, self._tell_time = fast(type(system), "GetNumSteps"), fast(type(system), "GetChTime")
        self._totals, self.book = np.zeros(ck.TOTALS), np.zeros(ck.BOOK_SIZE)
        self._last: tuple[State, State, float] | None = None

    @property
    def system(self) -> Any:
        """The Chrono system."""
        system = self._system()
        if system is None:
            raise SystemChangedError("the Chrono system of this attachment no longer exists")
        return system

    def scattered(self) -> None:
        """Chrono has distributed a state to the bodies: it may be the last one of the step."""
        if self._linearized or self._driven:
            return
        try:
            self._keep_state()
        except BaseException as error:
            self.failures.append(error)

    def before_step(self) -> None:
        """DoStepDynamics is about to step: the first time, the book opens at the present state.

        What a change may have brought is looked at here, for Chrono may end the process before it asks for forces.
        """
        if self.suspicious and self.load is not None:
            self._check_system(self.system)
        self._driven = True
        if self._closed:
            self._closed = False
            if self.system.GetTimestepperType() not in linearized_types():
                self._commit_now()

    def after_step(self) -> None:
        """DoStepDynamics has stepped: commit at the state it has reached."""
        self._driven = False
        if not self._linearized:
            self._commit_now()

    def _commit_now(self) -> None:
        if self.load is None or self.failures:
            return
        try:
            self.load.gather()
            x, w = self.load.x.data, self.load.w.data
            self._sum(x, w, np.zeros(w.size), self._tell_time(self._system()), True)
        except BaseException as error:
            self.failures.append(error)

    def evaluate(self) -> bool:
        """Forces at the state that the load has gathered. An exception is kept for after the step.

        After a failure nothing may be added to Chrono's vectors: a body that has left would be written to at a stale
        place.
        """
        if self.failures:
            return False
        try:
            system = self._system()
            steps, time, commit = self._count_steps(system), self._tell_time(system), False
            if steps != self._steps:
                self._begin_step(system, steps)
                commit = self._linearized
            self._sum(self.load.x.data, self.load.w.data, self.load.q.data, time, commit)
            if self.stiff and self._linearized:
                self._undo_double_damping(time)
        except BaseException as error:
            self.failures.append(error)
        return not self.failures

    def differentiate(self, stiffness: State, damping: State) -> None:
        """K and R of the contacts at the state that the load has gathered."""
        if self.failures:
            return
        try:
            since = self._tell_time(self._system()) - self._time
            self._slopes(since, stiffness, damping)
        except BaseException as error:
            self.failures.append(error)

    def _slopes(self, since: float, stiffness: State, damping: State) -> None:
        """K and R of all parts that know them."""
        stiffness.fill(0.0)
        damping.fill(0.0)
        for part in (self.table, *self.parts):
            if isinstance(part, Stiff):
                part.differentiate(self.load.x.data, self.load.w.data, since, stiffness, damping)

    def _undo_double_damping(self, time: float) -> None:
        """A linearised integrator multiplies R by the whole new velocity: its old part belongs to the right side."""
        w, q = self.load.w.data, self.load.q.data
        stiffness, damping = np.empty((w.size, w.size)), np.empty((w.size, w.size))
        self._slopes(time - self._time, stiffness, damping)
        q += damping @ w

    def restart(self) -> None:
        """Forget the state that was kept: the load has changed."""
        self._last = None

    def now(self) -> Instant:
        """The present state of the bodies."""
        self.load.gather()
        time = self.system.GetChTime()
        return Instant(self.load.x.data, self.load.w.data, time, time - self._time, False, self._linearized)

    def balance(self) -> tuple[float, ...]:
        """Energy in J stored since the book opened, heat of contacts, heat of friction, and work on the bodies, now."""
        if self.load is None or not self._open:
            return 0.0, *map(float, self.book[:3])
        at = self.now()
        stored = float(self._powers(at)[0][0] - self.book[ck.BOOK_STORED])
        return stored, *map(float, self._book_at(at)[:3])

    def _book_at(self, at: Instant) -> State:
        """The book with what the last step did, which a linearised integrator commits when the next one begins."""
        book = self.book.copy()
        if at.since > 0.0:
            memories = [memory for part in (self.table, *self.parts) for memory in part.memories]
            kept = [memory.copy() for memory in memories]
            totals, q = self._powers(replace(at, commit=True))
            ck.close_books(q, at.w, totals, at.since, True, book)
            for memory, earlier in zip(memories, kept, strict=True):
                memory[:] = earlier
        return book

    def _powers(self, at: Instant) -> tuple[State, State]:
        """Totals of all parts at a state, and their generalised forces."""
        totals, q = np.zeros(ck.TOTALS), np.zeros(at.w.size)
        for part in (self.table, *self.parts):
            part.evaluate(at, q, totals)
        return totals, q

    def check_bodies(self, bodies: Sequence[Any]) -> None:
        """Raise if a body has left the system: forces would be written to a stale place."""
        for body in bodies:
            if not belongs(body, self.system):
                raise SystemChangedError(f"{body_name(body)!r} has left the system while it is attached: detach first")

    def _sum(self, x: State, w: State, q: State, time: float, commit: bool) -> None:
        """Forces of all parts into q; where they are committed, heat and work go into the book."""
        totals, since = self._totals, time - self._time
        if commit and not self._open:
            self._open = True
            self.book[ck.BOOK_STORED] = self._powers(Instant(x, w, time, since, False, self._linearized))[0][0]
        if self.parts:
            q.fill(0.0)
            totals.fill(0.0)
            at = Instant(x, w, time, since, commit, self._linearized)
            for part in (self.table, *self.parts):
                part.evaluate(at, q, totals)
            body = ck.close_books(q, w, totals, since, commit, self.book)
        else:
            body = ck.all_forces(x, w, *self.table.arguments, q, totals, self.book, since, commit, self._linearized)
        if body >= 0:
            raise SystemChangedError(f"the state of {body_name(self.bodies[body])!r} is not finite at {time:.6g} s")
        if commit:
            self._time = time

    def _begin_step(self, system: Any, steps: int) -> None:
        self._steps = steps
        if self.suspicious or steps % 16 == 0:
            self._linearized = system.GetTimestepperType() in linearized_types()
            self._check_system(system, steps)
            self.suspicious = False
            self._anchored = any(anchored(part.rows) for part in self._tables())
        if self._anchored and not self._warned and (steps % 64 == 0 or self._looks < FIRST_LOOKS):
            self._check_anchors(1.0 if steps % 64 == 0 else FAR_TOO_LONG)
        if not self._linearized and self._last is not None:
            x, w, at = self._last
            self._last = None
            self._sum(x, w, np.zeros(w.size), at, True)

    def _check_system(self, system: Any, steps: int = 0) -> None:
        """Raise if the solver cannot take a Jacobian or a body has left; one body suffices where nothing changed."""
        if self.stiff:
            check_solver(system)
        some = self.bodies[(steps // 16) % len(self.bodies)]
        self.check_bodies(self.bodies if self.suspicious else [some])

    def _tables(self) -> Iterator[Elements]:
        """Contact elements of all parts."""
        return (table for part in (self.table, *self.parts) for table in part.contacts)

    def _check_anchors(self, margin: float) -> None:
        """Warn, once, where an anchor is too stiff for the step, by a margin.

        The first loads are looked at one by one: a body that a far too long step throws up is in the air later.
        """
        h, limit = float(self.system.GetStep()), np.inf
        for part in self._tables():
            if anchored(part.rows) and part.memory[:, ck.LOAD].any():
                limit = min(limit, longest_step(part.elements, part.memory, part.rows, inverse_masses(self.bodies)))
        self._looks += limit < np.inf
        if h > margin * limit:
            self._warned = True
            warnings.warn(
                f"an anchor is too stiff for the step of {h:g} s under the load it carries: take a step of at most "
                f"{limit:.2g} s, or an Anchor with a larger presliding",
                stacklevel=2,
            )

    def _keep_state(self) -> None:
        system = self.system
        if system.GetNumSteps() != self._steps:
            self._begin_step(system, system.GetNumSteps())
        self.load.gather()
        self._last = self.load.x.data.copy(), self.load.w.data.copy(), float(system.GetChTime())
