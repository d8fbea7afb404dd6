"""Warnings about what would otherwise fail silently, each given once, at the line of the script that steps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ...laws.normal.normal_law import NormalLaw
from ..api.bridge import body_key, integrator_name
from ..api.telling import Once
from ..contact.contact_table import Elements, Pair
from ..contact.readings import body_name
from ..contact.shapes import Box
from ..contact.stiffness import inverse_masses
from ..implicit.choosing.choice import explicit_limit
from ..implicit.linked.links import bodies_of

DEEP = 1e3
"""Depth in m at which every law that does not break has reached its limit."""

RIGID_STEP = 1e-12
"""Stable step in s below which a law counts as rigid."""

AT_EASE = 2.0
"""Factor from the weight of a body to the force limit that carries it at a small depth."""

ON_A_FACE = 4
"""Number of corners of a box that may carry it."""

TAKEN_POINTS = 8
"""Number of points at which a body that was taken over may be carried."""

APART = 1e-3
APART_OF_SCENE = 1e-2
"""Error of position of a link that is large if it exceeds both: in m or rad, and relative to the scene's extent."""

ITERATED = {"euler_implicit": 0.5, "newmark": 0.5, "runge_kutta": 1.0}
"""Integrators with the fraction of the explicit limit that their step may have without a Jacobian.

Newton's method without the slopes of a force is a fixed-point iteration, which converges while h^2 k < m and h c < m:
half the step that forces at its start allow.
"""


@cache
def carried_at_rest(law: NormalLaw) -> float:
    """Largest load in N that a law carries at rest; 0 for a law that breaks."""
    return float(law.force(law.s_0 - DEEP, 0.0))


def stronger(law: NormalLaw, factor: float) -> str:
    """What would be a law that is stronger by a factor."""
    limit = getattr(law, "r_f", None)
    kind = type(law).__name__
    return f"a law {factor:.2g} times as strong" if limit is None else f"a {kind} with r_f >= {factor * limit:.3g} N"


def carriers(pair: Pair) -> int:
    """Number of contact elements of a pair that can carry a body at once."""
    is_box = isinstance(pair.first, Box) or isinstance(pair.second, Box)
    return min(len(pair.elements), ON_A_FACE) if is_box else len(pair.elements)


def held_by_links(system: Any) -> set[int]:
    """Keys of the bodies that a link holds."""
    return {body_key(body) for link in system.GetLinks() for body in bodies_of(link)}


def violation(link: Any) -> float:
    """Largest error of position of a link, in m or rad."""
    errors = link.GetConstraintViolation()
    return max((abs(errors.GetItem(i)) for i in range(errors.Size())), default=0.0)


def extent_of(system: Any) -> float:
    """Largest distance of two bodies along an axis, in m."""
    places = [body.GetPos() for body in system.GetBodies()]
    rows = [(place.x, place.y, place.z) for place in places]
    return max((max(along) - min(along) for along in zip(*rows, strict=True)), default=0.0)


class Cautions:
    """Warnings of an attachment."""

    def __init__(self) -> None:
        self._once = Once()
        self._apart: dict[int, float] = {}

    def look_at_pairs(self, system: Any, pairs: Mapping[int, Pair]) -> None:
        """Warn of a body whose contacts, all together, cannot carry its weight."""
        strength: dict[int, float] = {}
        bodies = {}
        for pair in pairs.values():
            carried = carried_at_rest(pair.material.normal)
            for body in (pair.first.body, pair.second.body):
                bodies[body_key(body)] = body, pair.material.normal
                strength[body_key(body)] = strength.get(body_key(body), 0.0) + carriers(pair) * carried
        held = held_by_links(system) if bodies else set()
        for key, (body, law) in bodies.items():
            if key not in held and strength[key] > 0.0:
                self._compare(system, body, law, strength[key])

    def look_at_taken(self, system: Any, bodies: Iterable[Any], laws: Sequence[NormalLaw]) -> None:
        """Warn of a body that was taken over and that no law carries, at any number of points that is likely."""
        law = max(laws, key=carried_at_rest)
        held = held_by_links(system)
        for body in bodies:
            if body_key(body) not in held and carried_at_rest(law) > 0.0:
                self._compare(system, body, law, TAKEN_POINTS * carried_at_rest(law))

    def _compare(self, system: Any, body: Any, law: NormalLaw, strength: float) -> None:
        """Warn if a body weighs more than its contacts carry, in N."""
        weight = body.GetMass() * system.GetGravitationalAcceleration().Length()
        if body.IsFixed() or weight <= strength:
            return
        self._once.tell(
            ("weak", body_key(body)),
            f"{body_name(body)!r} weighs {weight:.4g} N, but its contacts carry at most {strength:.4g} N, so it falls "
            f"through: use {stronger(law, AT_EASE * weight / strength)}",
        )

    def look_at_links(self, system: Any) -> None:
        """Warn of a link whose error of position is large, and not smaller than when it was last looked at."""
        before = self._apart
        self._apart = {}
        links = system.GetLinks()
        large = max(APART, APART_OF_SCENE * extent_of(system)) if links else APART
        for number, link in enumerate(links):
            error = violation(link)
            if not error > large:
                continue
            self._apart[number] = error
            if error >= before.get(number, math.inf):
                self._once.tell(
                    "links",
                    f"the link {link.GetName() or number!r} is {error:.3g} (m or rad) away from where it "
                    "holds its bodies, and comes no nearer: links that contradict each other cannot all hold; remove "
                    "one of them, or use a direct solver such as SPARSE_LU",
                )

    def look_at_step(self, system: Any, tables: Sequence[Elements], bodies: Sequence[Any]) -> None:
        """Warn of a step that an integrator which is not linearised does not master without a Jacobian."""
        name = integrator_name(system)
        if name not in ITERATED or self._once.has_told("step"):
            return
        gravity = system.GetGravitationalAcceleration().Length()
        limit = ITERATED[name] * explicit_limit(tables, inverse_masses(bodies), gravity)
        if limit < RIGID_STEP:
            self._once.tell(
                "step",
                "a rigid restriction has a force that jumps, so a body keeps hopping on it at any step: use a "
                "Restriction with s_c below s_0 for a body that comes to rest",
            )
        elif system.GetStep() > limit:
            slopes = "attach(system, jacobian=True) with the solver SPARSE_LU, " if ITERATED[name] < 1.0 else ""
            self._once.tell(
                "step",
                f"the step of {system.GetStep():g} s is too long for the contact laws under {name}, which does not "
                f"know their slopes: use a step of at most {limit:.2g} s, {slopes}or Chrono's default integrator",
            )
