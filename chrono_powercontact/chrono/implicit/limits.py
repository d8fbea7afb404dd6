"""Rows of links that push only: limits of joints, ropes. In a step each of them either holds or lets go.

A row that lets go is one of a softness so large that it has no impulse. After a solve, a row that pulls lets go, and
one that would be passed holds; then the island is solved again.
"""

from __future__ import annotations

from typing import Any

from ...kernel import kernel
from .island import Island, Links, full_speed

Array = Any

LOOSE = 1e30
"""Softness in 1/kg or 1/(kg m^2) of a row that lets go."""
MOST_CHANGES = 5
"""How often an island is solved again because limits hold or let go."""
PASSED = 1e-9
"""Speed by which a limit is passed, relative to all speeds of its row, that is round-off."""


@kernel
def has_limits(links: Links, island: Island) -> bool:
    """Whether an island has rows that push only."""
    found = 0
    for row in island.rows:
        found += links.one_sided[row]
    return found > 0


@kernel
def changes_limits(links: Links, island: Island, w: Array) -> bool:
    """Let limits of an island hold or let go, after a solve with velocities w and impulses; whether one has changed."""
    changed = False
    for row in island.rows:
        if links.one_sided[row] == 0:
            continue
        speed = full_speed(links.jacobian, links.bodies, row, w)
        demanded = links.demanded[row]
        if links.softness[row] == 0.0:
            if links.impulse[row] < 0.0:
                links.softness[row] = LOOSE
                changed = True
        elif speed < demanded - PASSED * (abs(speed) + abs(demanded)):
            links.softness[row] = 0.0
            changed = True
    return changed
