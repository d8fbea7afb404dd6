"""Warnings that point at the line of the user's own script, however deep inside a step they arise."""

from __future__ import annotations

import sys
import warnings
from types import FrameType

OURS = ("chrono_powercontact", "pychrono")
"""Packages whose lines are not the user's."""


def _is_ours(frame: FrameType) -> bool:
    """Whether a frame belongs to this package or to PyChrono."""
    return str(frame.f_globals.get("__name__", "")).split(".")[0] in OURS


def tell_user(message: str) -> None:
    """Warn at the innermost line that belongs neither to this package nor to PyChrono."""
    level = 1
    frame: FrameType | None = sys._getframe(0)
    while frame is not None and _is_ours(frame):
        frame = frame.f_back
        level += 1
    warnings.warn(message, stacklevel=level)


class Once:
    """Gives each warning once."""

    def __init__(self) -> None:
        self._told: set[object] = set()

    def tell(self, subject: object, message: str) -> None:
        """Warn, unless there was a warning on this subject before."""
        if subject not in self._told:
            self._told.add(subject)
            tell_user(message)

    def has_told(self, subject: object) -> bool:
        """Whether there was a warning on this subject."""
        return subject in self._told
