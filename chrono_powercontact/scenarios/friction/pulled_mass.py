"""The mass that a spring pulls over a rough plane, on Chrono: one scene for one and two dimensions."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...laws import Anchor, Dissipation, LTIFilter
from ..scenes.chrono_scenes import add_body, new_scene

if TYPE_CHECKING:
    from ...chrono.run.recorder import Recorder, Samples

Signal = NDArray[np.float64]
End = Callable[[Signal], tuple[Signal, Signal]]
"""Where the spring's end is at times in s: x and y in m."""

DIRECTIONS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def pulled_mass_scene(
    p: SimpleNamespace,
    law: Dissipation,
    memory: LTIFilter | Anchor | None,
    end: End,
    speed: End,
    names: tuple[str, ...],
    length: float = 0.0,
    each: bool = False,
) -> Recorder:
    """A mass p.mass on a plane, and a spring p.k to an end that moves.

    Args:
        end, speed: where the end is, and its velocity, at times in s.
        names: columns of position, velocity and friction along each direction; three for each.
        length: of the relaxed spring in m. each: whether the filter works per coordinate.
    """
    from ...chrono.api.start import prepare
    from ...chrono.attachment import attach
    from ...chrono.load.pull import SpringPull
    from ...chrono.run.recorder import Recorder

    system, ground = new_scene()
    body = add_body(system, "mass", p.mass, p.mass, (0.0, 0.0, 0.0))
    count = len(names) // 3

    def path(time: float) -> tuple[float, float, float]:
        x, y = end(np.float64(time))
        return float(x), float(y), 0.0

    spring = SpringPull(system, body, path, p.k, length)
    contacts = attach(system)
    contacts.add_sliding(body, ground, law, memory, directions=DIRECTIONS[:count], each=each)
    prepare(system, p.integrator)

    def columns(seen: Samples) -> dict[str, Any]:
        x, v, friction = seen.x[:, 0, :2], seen.w[:, 0, :2], seen.joint_friction[:, 0]
        signals = [block[:, i] for block in (x, v, friction) for i in range(count)]
        stretch = np.column_stack(end(seen.t)) - x
        reach = np.hypot(*stretch.T)
        pull = spring.stiffness * (1.0 - length / np.maximum(reach, 1e-300))[:, None] * stretch
        drive = (pull * np.column_stack(speed(seen.t))).sum(axis=1)
        potential = 0.5 * spring.stiffness * (reach - length) ** 2
        return {**dict(zip(names, signals, strict=True)), "potential": potential, "drive_power": drive}

    return Recorder(contacts, [body], columns)
