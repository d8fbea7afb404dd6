"""The energy book of an attachment: energy stored, dissipated and exchanged since the first step."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..contact.contact_kernel import close_books
from ..contact.records import BOOK, TOTALS, empty, flat

Floats = NDArray[np.float64]


class EnergyBook:
    """The energy book of an attachment.

    Attributes:
        totals: flat TOTALS of the last evaluation. numbers: the book, flat BOOK. is_open: whether there was a commit.
    """

    def __init__(self) -> None:
        self.totals = flat(empty(TOTALS, 1))
        self.numbers = flat(empty(BOOK, 1))
        self.is_open = False

    @property
    def entries(self) -> Any:
        """The book by named fields."""
        return self.numbers.view(BOOK)[0]

    def open_with(self, stored: float) -> None:
        """Record the stored energy in J just before the first commit."""
        self.entries["stored_at_opening"] = stored
        self.is_open = True

    def close(self, q: Floats, w: Floats, since: float, commit: bool) -> int:
        """Number of the first body whose generalised force is not finite, or -1; a commit adds to the book."""
        return int(close_books(q, w, self.totals, since, commit, self.numbers))

    def with_step(self, q: Floats, w: Floats, totals: Floats, since: float) -> Any:
        """The book as it would be after a commit with these forces and sums; this book does not change."""
        numbers = self.numbers.copy()
        if since > 0.0:
            close_books(q, w, totals, since, True, numbers)
        return numbers.view(BOOK)[0]
