"""Chrono scenes of a point mass in front of a barrier: under our contact, and a dropped ball under Chrono's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...chrono.api.bridge import pychrono
from ...chrono.api.start import prepare
from ...chrono.attachment import attach
from ...chrono.contact.shapes import Plane, Points
from ...chrono.run.recorder import Recorder
from ...laws.material import Material
from ...laws.normal.normal_law import NormalLaw
from ..scenes.chrono_scenes import Columns, add_body, new_scene
from ..scenes.rival_scenes import built_in_scene, matched_in_impact, record_built_in
from .drop_model import DropParameters
from .point_mass import Flight

if TYPE_CHECKING:
    from ...chrono.run.built_in import Seen
    from ...chrono.run.recorder import Samples
    from ...progress import Progress
    from ...trajectory import Trajectory


def point_mass_scene(
    mass: float, law: NormalLaw, start: float, speed: float, integrator: str, gravity: float = 0.0,
    stepping: str = "auto",
) -> Recorder:  # fmt: skip
    """A mass in kg at a distance in m from a barrier, with a speed in m/s away from it; gravity pulls towards it."""
    system, ground = new_scene((0.0, 0.0, -gravity))
    body = add_body(system, "mass", mass, mass, (0.0, 0.0, start))
    body.SetPosDt(pychrono().ChVector3d(0.0, 0.0, speed))
    contacts = attach(system, stepping=stepping)
    contacts.add(Points(body, (0.0, 0.0, 0.0)), Plane(ground, (0.0, 0.0, law.s_0)), Material(law))
    prepare(system, integrator)

    def columns(seen: Samples) -> Columns:
        return {"s": seen.x[:, 0, 2], "s_dot": seen.w[:, 0, 2], "F_barrier": seen.force[:, 0]}

    return Recorder(contacts, [body], columns)


def fly_on_chrono(
    mass: float, law: NormalLaw, flight: Flight, integrator: str, step: float, progress: Progress,
    stepping: str = "auto",
) -> Trajectory:  # fmt: skip
    """A free mass in kg against a barrier, with a step in s; for `stepping` see `attach`."""
    scene = point_mass_scene(mass, law, flight.start, -flight.speed, integrator, stepping=stepping)
    return scene.run(step, flight.longest, 1, progress, flight.ended)


def drop_on_chrono(p: DropParameters, progress: Progress) -> Trajectory:
    """A ball dropped on the ground."""
    scene = point_mass_scene(p.mass, p.floor(), p.height, 0.0, p.integrator, p.gravity)
    return scene.run(p.step, p.time, 1, progress)


def drop_under_rival(p: DropParameters, progress: Progress) -> Trajectory:
    """A ball of radius s_0 dropped on the ground, under Chrono's own contact."""
    target = matched_in_impact(p.restriction(), p.mass, p.mass, 0.0, p.impact_speed())
    built = built_in_scene(p.law, target, (0.0, 0.0, -p.gravity), p.s_0, 20.0 * p.s_0)
    built.add_sphere(p.mass, p.s_0, 0.4 * p.mass * p.s_0**2, (0.0, 0.0, p.height))

    def columns(seen: Seen) -> Columns:
        return {"s": seen.x[:, 0, 2], "s_dot": seen.w[:, 0, 2], "F_barrier": seen.force[:, 0, 2]}

    return record_built_in(built, p, columns, progress)
