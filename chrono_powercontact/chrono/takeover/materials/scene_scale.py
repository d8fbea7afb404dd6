"""How large things are in a scene: masses with what hangs on them, gravity, speeds, weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from ...api.bridge import body_key
from ...contact.bodies import SPEED_WIDTH
from ...contact.readings import body_name
from ...implicit.linked.links import bodies_of

STANDARD_GRAVITY = 9.81
"""Acceleration in m/s^2 where the scene has neither gravity nor speeds."""


@dataclass(frozen=True)
class SceneScale:
    """What a design needs to know of a system.

    Attributes:
        masses: of each body on the load, with the movable bodies that joints connect to it, in kg; infinite if fixed.
        acceleration: of gravity, in m/s^2; where there is none, of a motion at the scene's speed over its smallest
            size. speed: of impacts, in m/s. load: weight in N of all movable bodies that no joint holds.
        extent: largest coordinate of a body, in m.
    """

    masses: NDArray[np.float64]
    acceleration: float
    speed: float
    load: float
    extent: float


def check_masses(bodies: Sequence[Any]) -> None:
    """Raise if a movable body has no positive mass."""
    for body in bodies:
        mass = body.GetMass()
        if not body.IsFixed() and not (math.isfinite(mass) and mass > 0.0):
            raise ParameterError(f"the mass of {body_name(body)!r} must be greater than 0, got {mass:g}")


class Groups:
    """Groups of movable bodies that links connect."""

    def __init__(self, system: Any) -> None:
        self._parents: dict[int, int] = {}
        held = []
        for link in system.GetLinks():
            bodies = bodies_of(link)
            moving = [body_key(body) for body in bodies if not body.IsFixed()]
            if len(moving) == 2:
                self._parents[self.of(moving[0])] = self.of(moving[1])
            elif len(moving) == 1 and len(bodies) == 2 and link.GetNumConstraints() > 0:
                held.append(moving[0])
        self._held = {self.of(key) for key in held}

    def of(self, key: int) -> int:
        """The key of the body that stands for the group of a body."""
        while self._parents.setdefault(key, key) != key:
            key = self._parents[key]
        return key

    def is_held(self, key: int) -> bool:
        """Whether a joint connects the group of a body to a fixed one, which then carries its weight."""
        return self.of(key) in self._held


def locked_pairs(system: Any) -> set[frozenset[int]]:
    """Keys of each two bodies whose relative motion a link prescribes, as a lock or a motor by speed does."""
    pairs = set()
    for link in system.GetLinks():
        if link.GetNumConstraintsBilateral() == SPEED_WIDTH:
            pairs.add(frozenset(body_key(body) for body in bodies_of(link)))
    return pairs


def group_masses(groups: Groups, moving: Sequence[Any], bodies: Sequence[Any]) -> NDArray[np.float64]:
    """Mass in kg of each body with all movable bodies that joints connect to it; infinite if it is fixed."""
    total: dict[int, float] = {}
    for body in moving:
        group = groups.of(body_key(body))
        total[group] = total.get(group, 0.0) + body.GetMass()
    return np.array([math.inf if body.IsFixed() else total[groups.of(body_key(body))] for body in bodies])


def scene_scale(system: Any, bodies: Sequence[Any], size: float) -> SceneScale:
    """The scale of a system.

    Args:
        bodies: the bodies on the load. size: smallest half width of a shape, in m.
    """
    everything = list(system.GetBodies())
    moving = [body for body in everything if not body.IsFixed()]
    check_masses(moving)
    places = np.array([(p.x, p.y, p.z) for p in (body.GetPos() for body in everything)])
    height = float(np.ptp(places, axis=0).max()) if len(places) else 0.0
    gravity = system.GetGravitationalAcceleration().Length()
    fastest = max((body.GetPosDt().Length() for body in moving), default=0.0)
    acceleration = gravity or fastest**2 / size or STANDARD_GRAVITY
    groups = Groups(system)
    resting = [body.GetMass() for body in moving if not groups.is_held(body_key(body))]
    return SceneScale(
        group_masses(groups, moving, bodies),
        acceleration,
        max(fastest, math.sqrt(2.0 * gravity * (height + size))),
        acceleration * sum(resting),
        float(np.abs(places).max(initial=0.0)),
    )
