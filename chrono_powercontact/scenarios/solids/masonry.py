"""Masonry on a tilting table: a column of blocks, dry or with mortar, falls at the angle of the rigid-block formula.

Mortar is a wall that breaks: it stands in the way of the corners of a block as its joint opens, and lets them pass when
the joint is open by its thickness.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.api.start import prepare
from ...chrono.attachment import Attachment, attach
from ...chrono.contact.shapes import Box, Plane, Points
from ...errors import ParameterError
from ...laws.design import design_restriction
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ...laws.normal.restriction import Barrier
from ...progress import Progress, part_of
from ...report.style import panel
from ...trajectory import Trajectory
from ..constants import GRAVITY
from ..parameters import CHRONO, Timed, chrono_integrator, count, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, Scenario, above, below
from ..scenes.chrono_scenes import add_body, gravity_on_slope, new_scene, watch
from ..timing import steps_per_record

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FALLEN = 0.1
"""Way of the top block, in widths, from which on the column counts as fallen."""
TILTING = 1.0
"""Time in s in which the table is tilted before the run."""
STILL = 1e-5
"""Way in m that a standing column may creep in its second half of the run."""
RECORDS = 2000
"""Records of a run, about."""
FILMED = 60.0
"""Length in s of the longest run that is kept as a moving scene."""
GRIP = 1e-5
THICKNESS = 3e-4
"""Opening of a joint in m over which mortar comes to its strength, and at which it is broken."""
MORTAR_DAMPING = 20.0
"""Dissipation of mortar in s/m."""


@dataclass(frozen=True)
class MasonryParameters(Timed):
    """A column of equal blocks."""

    blocks: int = count(3, "number of blocks", minimum=1, maximum=12)
    width: float = number(0.1, "width of a block down the slope", "m", above=0.0)
    height: float = number(0.08, "height of a block", "m", above=0.0)
    edge: float = number(0.001, "radius of the edges", "m", above=0.0)
    mass: float = number(2.0, "mass of a block", "kg", above=0.0)
    mu: float = number(0.8, "friction coefficient", above=0.0)
    mortar: float = number(0.0, "tensile strength of the mortar in all joints; 0 for dry blocks", "Pa", minimum=0.0)
    margin: float = number(
        0.02, "how far the angles of the two runs lie off the closed form, relative to it", above=0.0
    )
    time: float = run_length(2.0)
    step: float = time_step(1e-3)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    def footing(self) -> float:
        """Distance in m between the edges about which a block can turn: the middles of their rounding."""
        return self.width - 2.0 * self.edge

    def bond(self) -> float:
        """Force in N that the mortar at one corner of a block bears."""
        return 0.25 * self.mortar * self.width**2

    def collapse(self) -> float:
        """Angle in rad at which the column turns about its lower edge: its weight there beats that of its mortar.

        W (H/2 sin a - b/2 cos a) = 2 F b, with the forces F of the two upper corners at the distance b.
        """
        weight = self.blocks * self.mass * GRAVITY
        lever = math.hypot(0.5 * self.blocks * self.height, 0.5 * self.footing())
        dry = math.atan2(self.footing(), self.blocks * self.height)
        held = 2.0 * self.bond() * self.footing() / (weight * lever)
        if held >= 1.0:
            raise ParameterError(f"mortar must be weak enough for the column to fall, got {self.mortar:g} Pa")
        return dry + math.asin(held)

    def mortared(self) -> Material:
        """The law of the mortar at a corner, over the opening of its joint with a negative sign."""
        wall = Barrier(
            s_0=0.0,
            s_c=-GRIP,
            r_f=2.0 * self.bond(),
            r_d=MORTAR_DAMPING,
            thickness=THICKNESS,
            s_c_back=GRIP - THICKNESS,
        )
        return Material(wall)

    def material(self) -> Material:
        """The laws between blocks, and between block and table."""
        carried = self.blocks * self.mass
        limit = 400.0 * carried * GRAVITY
        law = design_restriction(
            s_0=0.0, mass=carried, speed=0.05, restitution=0.3, penetration=2e-5, force_limit=limit
        )
        return Material(law, Friction(self.mu, self.mu, 1e-3), Anchor(1e-6))


def column_of_blocks(p: MasonryParameters) -> tuple[Any, Any, list[Any]]:
    """A column on a level table: the system, its attachment, and the blocks from below."""
    system, table = new_scene((0.0, 0.0, -GRAVITY))
    moment = p.mass * (p.width**2 + p.height**2) / 12.0
    contacts = attach(system)
    material = p.material()
    blocks: list[Any] = []
    shapes: list[Box] = []
    for k in range(p.blocks):
        body = add_body(system, f"block {k + 1}", p.mass, moment, (0.0, 0.0, (k + 0.5) * p.height))
        core = [length - 2.0 * p.edge for length in (p.width, p.width, p.height)]
        shape = Box(body, core, p.edge)
        contacts.add(shape, Plane(table) if k == 0 else shapes[-1], material)
        if p.mortar > 0.0:
            add_mortar(contacts, p, body, table if k == 0 else blocks[-1])
        blocks.append(body)
        shapes.append(shape)
    return system, contacts, blocks


def add_mortar(contacts: Attachment, p: MasonryParameters, block: Any, under: Any) -> None:
    """Mortar between a block and what it stands on: its lower corners meet a wall as they rise."""
    out = 0.5 * p.footing()
    corners = [(x, y, -0.5 * p.height) for x in (-out, out) for y in (-out, out)]
    joint = 0.0 if under.IsFixed() else 0.5 * p.height
    contacts.add(Points(block, corners), Plane(under, (0.0, 0.0, joint), (0.0, 0.0, -1.0)), p.mortared())


def run_column(p: MasonryParameters, angle: float, progress: Progress) -> Trajectory:
    """A column on a table tilted by an angle in rad; a run of minutes has no moving scene."""
    system, _, blocks = column_of_blocks(p)
    tilt_slowly(system, p, angle)
    scene = watch(system, p.time) if p.time <= FILMED else None
    run = follow(system, blocks, p, progress)
    system.Clear()
    return replace(run, scene=scene.finished() if scene else None)


def follow(system: Any, blocks: list[Any], p: MasonryParameters, progress: Progress) -> Trajectory:
    """Columns x and z of all blocks in m; nothing is read between two records, because a run may take an hour."""
    every = steps_per_record(p, RECORDS)
    records = round(p.time / (every * p.step))
    rows = []
    begin = perf_counter()
    for record in range(records + 1):
        places = [block.GetPos() for block in blocks]
        rows.append((record * every * p.step, *(at.x for at in places), *(at.z for at in places)))
        for _ in range(every if record < records else 0):
            system.DoStepDynamics(p.step)
        progress(record / records)
    steps = records * every
    names = ("t", *(f"{axis}_{k + 1}" for axis in "xz" for k in range(p.blocks)))
    return Trajectory(names, np.array(rows), steps, 1e6 * (perf_counter() - begin) / steps)


def tilt_slowly(system: Any, p: MasonryParameters, angle: float) -> None:
    """Tilt the table from level to an angle in rad, beginning and ending smoothly: no block is to be tossed."""
    prepare(system, p.integrator)
    steps = round(TILTING / p.step)
    for k in range(steps):
        share = (k + 1) / steps
        smooth = share * share * (3.0 - 2.0 * share)
        system.SetGravitationalAcceleration(pychrono().ChVector3d(*gravity_on_slope(smooth * angle)))
        system.DoStepDynamics(p.step)


class Masonry(Scenario[MasonryParameters]):
    """Dry blocks stand by friction and weight alone; mortar holds them until it breaks."""

    name = "masonry"
    claim = (
        "A column of blocks, dry or with mortar, stands still 2 % below the angle of the rigid-block formula and falls "
        "2 % beyond it."
    )
    source = "rigid-block limit analysis (Heyman 1966): the weight passes the lower edge"
    parameters = MasonryParameters
    engines = (CHRONO,)

    def simulate(self, p: MasonryParameters, progress: Progress) -> Trajectory:
        return self.simulate_chrono(p, progress)

    def simulate_chrono(self, p: MasonryParameters, progress: Progress) -> Trajectory:
        below_it = (1.0 - p.margin) * p.collapse()
        beyond_it = (1.0 + p.margin) * p.collapse()
        stands = run_column(p, below_it, part_of(progress, 0, 2))
        falls = run_column(replace(p, time=min(p.time, 2.0)), beyond_it, part_of(progress, 1, 2))
        top = falls[f"x_{p.blocks}"]
        fallen = np.pad(top, (0, max(len(stands) - len(top), 0)), mode="edge")[: len(stands)]
        data = np.column_stack([stands.data, fallen])
        return replace(stands, names=(*stands.names, "x_falling"), data=data, scene=falls.scene)

    def measure(self, p: MasonryParameters, trajectory: Trajectory) -> Metrics:
        top = trajectory[f"x_{p.blocks}"]
        half = top.size // 2
        return {
            "collapse_angle": math.degrees(p.collapse()),
            "creep": float(np.abs(top[half:] - top[half]).max()),
            "lean": float(np.abs(top).max()),
            "fallen": float(trajectory["x_falling"].max() - trajectory["x_falling"][0]),
            "step_cost": trajectory.step_cost,
        }

    def check(self, p: MasonryParameters, metrics: Metrics) -> list[Check]:
        return [
            below("way of the top block in the second half, below the angle", metrics["creep"], STILL, "m"),
            above("way of the top block beyond the angle", metrics["fallen"], FALLEN * p.width, "m"),
        ]

    def plot(self, outcome: Outcome[MasonryParameters], figure: Figure) -> None:
        run = outcome.trajectory
        p = outcome.parameters
        a, b = figure.subplots(1, 2)
        ways = {f"block {k + 1}": 1e6 * run[f"x_{k + 1}"] for k in range(p.blocks)}
        panel(a, run["t"], ways, "below the angle", "time in s", "way down the slope in um")
        panel(b, run["t"], {"top block": run["x_falling"]}, "beyond the angle", "time in s", "way in m")
