"""The table on four legs on Chrono."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...chrono.api.bridge import pychrono
from ...chrono.attachment import attach
from ...chrono.contact.shapes import Plane, Points
from ..constants import GRAVITY
from ..scenes.chrono_scenes import Columns, add_body, heading, new_scene, record
from .four_legs_statics import LEGS, FourLegsParameters, moment, resting

if TYPE_CHECKING:
    from ...chrono.run.recorder import Samples
    from ...progress import Progress
    from ...trajectory import Trajectory


def legs_on_chrono(p: FourLegsParameters, progress: Progress) -> Trajectory:
    """A table on four points, pulled by a force that grows evenly."""
    chrono = pychrono()
    system, ground = new_scene((0.0, 0.0, -GRAVITY))
    x, y, z, roll, pitch, _ = resting(p)
    body = add_body(system, "table", p.mass, moment(p), (x, y, z))
    body.SetRot(chrono.QuatFromAngleX(roll) * chrono.QuatFromAngleY(pitch))
    contacts = attach(system)
    floor = Plane(ground)
    half = 0.5 * p.side
    for i, (along, across) in enumerate(LEGS):
        height = -p.height + (p.short if i == 0 else 0.0)
        foot = Points(body, [(along * half, across * half, height)], radius=0.0)
        contacts.add(foot, floor, p.leg(i + 1))
    force = chrono.ChLoadBodyForce(body, chrono.ChVector3d(1, 0, 0), False, chrono.ChVector3d(0, 0, 0), True)
    force.SetModulationFunction(chrono.ChFunctionRamp(0.0, p.pull / p.time))
    container = chrono.ChLoadContainer()
    container.Add(force)
    system.Add(container)

    def columns(seen: Samples) -> Columns:
        found: Columns = {"x": seen.x[:, 0, 0], "z": seen.x[:, 0, 2], "yaw": heading(seen.x[:, 0, 3:])}
        for i in range(4):
            found[f"N_{i + 1}"] = seen.force[:, i]
            found[f"T_{i + 1}"] = seen.friction[:, i, 0]
        return found

    return record(contacts, [body], columns, p, progress)
