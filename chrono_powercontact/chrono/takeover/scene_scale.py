"""How large things are in a scene: masses with what hangs on them, gravity, speeds, weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from ..api.bridge import body_key
from ..contact.readings import body_name
from ..implicit.links import bodies_of

STANDARD_GRAVITY = 9.81
"""Acceleration in m/s^2 where the scene has neither gravity nor speeds."""


@dataclass(frozen=True)
class SceneScale:
    """What a design needs to know of a system.

    Attributes:
        masses: of each body on the load, with the movable bodies that joints connect to it, in kg; infinite if fixed.
        acceleration: of gravity, in m/s^2; where there is none, of a motion at the scene's speed over its smallest
            size. speed: of impacts, in m/s. load: weight of all movable bodies, in N.
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


def _joined(system: Any) -> dict[int, int]:
    """For each body that a link connects to a movable one, the key of one body of its group."""
    root: dict[int, int] = {}

    def find(key: int) -> int:
        while root.setdefault(key, key) != key:
            key = root[key]
        return key

    for link in system.GetLinks():
        moving = [body_key(body) for body in bodies_of(link) if not body.IsFixed()]
        if len(moving) == 2:
            root[find(moving[0])] = find(moving[1])
    return {key: find(key) for key in list(root)}


def group_masses(system: Any, bodies: Sequence[Any]) -> NDArray[np.float64]:
    """Mass in kg of each body with all movable bodies that joints connect to it; infinite if it is fixed."""
    groups = _joined(system)
    total: dict[int, float] = {}
    for body in system.GetBodies():
        if not body.IsFixed():
            group = groups.get(body_key(body), body_key(body))
            total[group] = total.get(group, 0.0) + body.GetMass()
    keys = [groups.get(body_key(body), body_key(body)) for body in bodies]
    return np.array([math.inf if body.IsFixed() else total[key] for body, key in zip(bodies, keys, strict=True)])


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
    return SceneScale(
        group_masses(system, bodies),
        acceleration,
        max(fastest, math.sqrt(2.0 * gravity * (height + size))),
        acceleration * sum(body.GetMass() for body in moving),
        float(np.abs(places).max(initial=0.0)),
    )
