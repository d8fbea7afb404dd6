"""Checks before and between steps, so that nothing crashes the process and nothing fails silently."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...errors import LawError, StateError, SystemChangedError
from ..api.bridge import belongs, check_solver
from ..contact.contact_table import Elements, Instant, Part
from ..contact.readings import body_name
from ..contact.stiffness import anchored, inverse_masses, longest_step

EVERY = 16
"""Number of steps after which one body is checked, if no change is known."""

ANCHORS_EVERY = 64
"""Number of steps after which the anchors are checked."""

FIRST_LOOKS = 16
FAR_TOO_LONG = 10.0
"""Number of first loaded steps that are all checked, and the factor by which an impact may exceed the limit there."""


def check_bodies(bodies: Sequence[Any], system: Any) -> None:
    """Raise if a body has left the system: forces would be written to stale memory."""
    for body in bodies:
        if not belongs(body, system):
            raise SystemChangedError(f"{body_name(body)!r} was removed from the system while attached: detach first")


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


class AnchorWatch:
    """Warns once if an anchor is too stiff for the step.

    The first loaded steps are all checked: a body that a far too long step throws up is soon out of contact.
    """

    def __init__(self) -> None:
        self._present = False
        self._warned = False
        self._looks = 0

    def expect(self, tables: Iterable[Elements]) -> None:
        """Find out whether there are any anchors."""
        self._present = any(anchored(table.records) for table in tables)

    def wanted(self, steps: int) -> bool:
        """Whether the anchors should be checked in a step."""
        if not self._present or self._warned:
            return False
        return steps % ANCHORS_EVERY == 0 or self._looks < FIRST_LOOKS

    def look(self, steps: int, system: Any, tables: Iterable[Elements], bodies: Sequence[Any]) -> None:
        """Check the anchors at the start of a step."""
        step = float(system.GetStep())
        limit = np.inf
        for table in tables:
            if anchored(table.records) and table.memory["load"].any():
                limit = min(limit, longest_step(table, inverse_masses(bodies)))
        self._looks += limit < np.inf
        if step > (1.0 if steps % ANCHORS_EVERY == 0 else FAR_TOO_LONG) * limit:
            self._warned = True
            warnings.warn(
                f"an anchor is too stiff for the step of {step:g} s under the load it carries: use a step of at most "
                f"{limit:.2g} s, or an Anchor with a larger presliding",
                stacklevel=2,
            )
