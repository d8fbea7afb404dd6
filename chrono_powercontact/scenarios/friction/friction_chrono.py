"""The mass that a spring pulls over a rough plane, on Chrono: one scene for one and two dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.start import prepare
from ...chrono.attachment import attach
from ...chrono.load.pull import SpringPull
from ...chrono.run.recorder import Recorder
from ...laws.friction.anchor import Anchor
from ...laws.friction.friction_law import FrictionLaw
from ...laws.friction.memory import LTIFilter
from ..scenes.chrono_scenes import add_body, new_scene
from .pulled_mass import Pull, PullParameters

if TYPE_CHECKING:
    from ...chrono.run.recorder import Samples

DIRECTIONS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def pulled_columns(seen: Samples, pull: Pull, stiffness: float, names: tuple[str, ...]) -> dict[str, Any]:
    """Columns of a mass that a spring with a stiffness in N/m pulls; `names` as in `pulled_mass_scene`."""
    x = seen.x[:, 0, :2]
    count = len(names) // 3
    signals = [block[:, i] for block in (x, seen.w[:, 0, :2], seen.joint_friction[:, 0]) for i in range(count)]
    stretch = np.column_stack(pull.position(seen.t)) - x
    reach = np.hypot(*stretch.T)
    force = stiffness * (1.0 - pull.length / np.maximum(reach, 1e-300))[:, None] * stretch
    found: dict[str, Any] = dict(zip(names, signals, strict=True))
    found["potential"] = 0.5 * stiffness * (reach - pull.length) ** 2
    found["drive_power"] = (force * np.column_stack(pull.velocity(seen.t))).sum(axis=1)
    return found


def pulled_mass_scene(
    p: PullParameters,
    law: FrictionLaw,
    memory: LTIFilter | Anchor | None,
    pull: Pull,
    names: tuple[str, ...],
    per_coordinate: bool = False,
) -> Recorder:
    """A mass on a plane, and a spring to an end that moves.

    Args:
        p: mass, stiffness and integrator.
        law: friction of the plane.
        memory: what the friction remembers.
        pull: how the end of the spring moves.
        names: columns of position, velocity and friction along each direction; three for each.
        per_coordinate: whether the filter works per coordinate.
    """
    system, ground = new_scene()
    body = add_body(system, "mass", p.mass, p.mass, (0.0, 0.0, 0.0))

    def path(time: float) -> tuple[float, float, float]:
        x, y = pull.position(np.asarray(time))
        return float(x), float(y), 0.0

    spring = SpringPull(system, body, path, p.k, pull.length)
    contacts = attach(system)
    contacts.add_sliding(body, ground, law, memory, directions=DIRECTIONS[: len(names) // 3], each=per_coordinate)
    prepare(system, p.integrator)
    return Recorder(contacts, [body], lambda seen: pulled_columns(seen, pull, spring.stiffness, names))
