"""Says once, at a cold start, why it takes minutes."""

from __future__ import annotations

import sys
from functools import cache

from ...kernel import is_compiled

ROOMS = ("chrono/contact", "chrono/implicit")
"""Folders whose kernels every run needs."""


@cache
def say_compiling() -> None:
    """Say that the plugin compiles, unless machine code is on disk already."""
    if not all(is_compiled(room) for room in ROOMS):
        print("chrono_powercontact: compiling, once; this takes two to five minutes", file=sys.stderr, flush=True)
