"""Says once, at a cold start, why the first steps take minutes."""

from __future__ import annotations

import sys
from functools import cache

from ...kernel import is_compiled

ROOMS = ("chrono/contact", "chrono/implicit")
"""Folders whose kernels the first steps need."""


@cache
def say_compiling() -> None:
    """Say that the first steps compile, unless machine code is on disk already."""
    if not all(is_compiled(room) for room in ROOMS):
        print(
            "chrono_powercontact: compiling, once; the first steps take two to five minutes",
            file=sys.stderr,
            flush=True,
        )
