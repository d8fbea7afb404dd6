"""Building and recording a Chrono scene under Chrono's own contact, with a material matched to the power law.

The rule is that of `chrono.run.surfaces`: a box and a column match the penetration at rest; a drop, a cube and a
pendulum that of an impact; all match the restitution at the speed of an impact, and friction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...chrono.run.built_in import BuiltIn, Seen
from ...chrono.run.surfaces import SurfaceRequest, surface
from ...laws.impact import deepest_distance, restitution
from ...laws.normal.restriction import Restriction
from ..timing import RECORDS, steps_per_record
from .chrono_scenes import Columns

if TYPE_CHECKING:
    from ...progress import Progress
    from ...trajectory import Trajectory
    from ..parameters import Timed

CHARACTERISTIC_SPEED = 1.0
"""Impact speed in m/s that Chrono assumes unless set: a body that does not fall is matched there."""

LEAST_DEPTH = 0.01
"""Least penetration to which a rival is matched, over s_0 - s_c."""


def matched_at_rest(
    law: Restriction, load: float, mass: float, mu: float, speed: float = CHARACTERISTIC_SPEED
) -> SurfaceRequest:
    """As deep as a restriction under a load in N, at least LEAST_DEPTH; restitution at a speed in m/s."""
    depth = max(law.s_0 - law.rest_distance(load), LEAST_DEPTH * (law.s_0 - law.s_c))
    return SurfaceRequest(mu, float(restitution(law.r_d, speed)), mass, speed, depth, load=load)


def matched_in_impact(law: Restriction, striking: float, mass: float, mu: float, speed: float) -> SurfaceRequest:
    """As deep as a restriction without dissipation when a mass in kg strikes at a speed in m/s."""
    elastic = Restriction(law.s_0, law.s_c, law.r_f, 0.0, law.r_a)
    depth = max(law.s_0 - deepest_distance(elastic, striking, speed), LEAST_DEPTH * (law.s_0 - law.s_c))
    return SurfaceRequest(mu, float(restitution(law.r_d, speed)), mass, speed, depth, striking=striking)


def built_in_scene(
    law: str, target: SurfaceRequest, gravity: Sequence[float], size: float, reach: float, level: float = 0.0
) -> BuiltIn:
    """An empty scene under a law of Chrono.

    Args:
        law: one of BUILT_IN.
        target: what its material is matched to.
        gravity: in m/s^2.
        size: of the bodies in m.
        reach: distance in m from the origin within which they stay.
        level: height in m of the ground.
    """
    return BuiltIn(law, surface(law, target), gravity, min(0.03, 0.15 * size), reach, level)


def record_built_in(
    built: BuiltIn,
    p: Timed,
    columns: Callable[[Seen], Columns],
    progress: Progress,
    records: int = RECORDS,
) -> Trajectory:
    """Run a finished scene with the integrator, step and length of the parameters."""
    built.prepare(p.integrator)
    return built.run(p.step, p.time, steps_per_record(p, records), columns, progress)
