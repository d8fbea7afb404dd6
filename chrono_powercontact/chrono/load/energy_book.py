"""The energy book of an attachment: energy stored, dissipated and exchanged since the first step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ..contact.contact_kernel import close_books
from ..contact.last_step import WIDTH, kept_for, last_step
from ..contact.many.step_passes import close_step
from ..contact.records import BOOK, TOTALS, empty, flat

Floats = NDArray[np.float64]


class EnergyBook:
    """The energy book of an attachment.

    Attributes:
        totals: flat TOTALS of the last evaluation. numbers: the book, flat BOOK. is_open: whether there was a commit.
        kept: the last step of a linearised integrator, see `last_step`. size: number of bodies that it is for.
    """

    def __init__(self) -> None:
        self.totals = flat(empty(TOTALS, 1))
        self.numbers = flat(empty(BOOK, 1))
        self.is_open = False
        self.kept = np.zeros(0)
        self.size = 0
        self._forgotten: set[int] = set()

    @property
    def entries(self) -> Any:
        """The book by named fields."""
        return self.numbers.view(BOOK)[0]

    @property
    def past(self) -> Floats:
        """Packed states and velocities of the bodies at the last commit of a linearised integrator."""
        return self.kept[: (STATE_WIDTH + SPEED_WIDTH) * (self.kept.size // WIDTH)]

    @property
    def last_forces(self) -> Floats:
        """Generalised forces of the load in the last step of a linearised integrator."""
        return last_step.py_func(self.kept).q

    def open_with(self, stored: float) -> None:
        """Record the stored energy in J just before the first commit."""
        self.entries["stored_at_opening"] = stored
        self.is_open = True

    def read_bodies(self, bodies: Sequence[Any], x: Floats, w: Floats) -> None:
        """Read the masses of the bodies on the load; the last step of those that were there before stays."""
        before = last_step.py_func(self.kept)
        self.kept = kept_for(bodies, x, w)
        self.size = len(bodies)
        now = last_step.py_func(self.kept)
        known = np.ones(before.mass.size, bool)
        known[list(self._forgotten)] = False
        self._forgotten.clear()
        for old, new, width in (
            (before.x, now.x, STATE_WIDTH), (before.w, now.w, SPEED_WIDTH), (before.q, now.q, SPEED_WIDTH),
            (before.springs, now.springs, SPEED_WIDTH),
        ):  # fmt: skip
            new[: old.size].reshape(-1, width)[known] = old.reshape(-1, width)[known]

    def make_room(self, bodies: Sequence[Any], x: Floats, w: Floats) -> None:
        """Make room for bodies that have come to the load; they are read again when the next step begins."""
        many = last_step.py_func(self.kept).mass.size
        if many < len(bodies):
            forgotten = self._forgotten | set(range(many, len(bodies)))
            self.read_bodies(bodies, x, w)
            self._forgotten = forgotten

    def forget_body(self, number: int) -> None:
        """Forget the last step of a body on the load: it has left, or another one has its number."""
        last = last_step.py_func(self.kept)
        if number < last.mass.size:
            self._forgotten.add(number)
            for part in (last.q, last.springs, last.mass, last.inertia):
                part.reshape(last.mass.size, -1)[number] = 0.0

    def close(self, q: Floats, w: Floats, since: float, commit: bool) -> int:
        """Number of the first body whose generalised force is not finite, or -1; a commit adds to the book."""
        return int(close_books(q, w, self.totals, since, commit, False, self.kept, self.numbers))

    def close_step(self, x: Floats, w: Floats, q: Floats, since: float) -> int:
        """The same at a commit of a linearised integrator; its state and the forces that act in the step are kept."""
        return close_step(self.kept, x, w, q, self.totals, since, self.numbers)

    def with_step(self, q: Floats, w: Floats, totals: Floats, since: float, once: bool = False) -> Any:
        """The book as it would be after a commit with these forces and sums; this book does not change."""
        numbers = self.numbers.copy()
        if since > 0.0:
            close_books(q, w, totals, since, True, once, self.kept, numbers)
        return numbers.view(BOOK)[0]
