"""Rows of links that push only: limits of joints, ropes. In a step each of them either holds or lets go.

A row that lets go has the softness LOOSE, and is left out. After a solve, a row that pulls lets go, and one that would
be passed holds; then the island is solved again.
"""

from __future__ import annotations

from typing import Any

from ....kernel import kernel
from ..island import LOOSE, Links, full_speed

Array = Any

MOST_CHANGES = 5
"""How often an island is solved again because limits hold or let go."""
PASSED = 1e-9
"""Speed by which a limit is passed, relative to all speeds of its row, that is round-off."""


@kernel
def changes_limits(links: Links, rows: Array, w: Array) -> bool:
    """Let limits among the rows of an island hold or let go, after a solve; whether one has changed.

    w: velocities at the end of the step.
    """
    changed = False
    for row in rows:
        if links.one_sided[row] == 0:
            continue
        speed = full_speed(links.jacobian, links.bodies, row, w)
        demanded = links.demanded[row]
        if links.softness[row] == 0.0:
            if links.impulse[row] < 0.0:
                links.softness[row] = LOOSE
                links.impulse[row] = 0.0
                changed = True
        elif speed < demanded - PASSED * (abs(speed) + abs(demanded)):
            links.softness[row] = 0.0
            changed = True
    return changed
