"""Whether all entries of an array are finite, compiled."""

from __future__ import annotations

from typing import Any

from ..kernel import kernel


@kernel
def all_finite(a: Any) -> bool:
    """Whether every entry is finite; 0 times an entry is 0 only if it is."""
    total = 0.0
    for value in a.flat:
        total += 0.0 * value
    return total == 0.0
