"""Dry masonry on a tilting table: a column of blocks falls at the angle of the rigid-block formula, and not before."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.api.start import prepare
from ...chrono.attachment import attach
from ...chrono.contact.shapes import Box, Plane
from ...chrono.run.recorder import Samples
from ...laws.design import design_restriction
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ...progress import Progress, part_of
from ...report.style import panel
from ..constants import GRAVITY
from ..parameters import CHRONO, Timed, chrono_integrator, count, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, Scenario, above, below
from ..scenes.chrono_scenes import Columns, add_body, gravity_on_slope, new_scene, record, watch

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...trajectory import Trajectory

FALLEN = 0.1
"""Way of the top block, in widths, from which on the column counts as fallen."""
TILTING = 1.0
"""Time in s in which the table is tilted before the run."""
STILL = 1e-5
"""Way in m that a standing column may creep in its second half of the run."""


@dataclass(frozen=True)
class MasonryParameters(Timed):
    """A column of equal blocks."""

    blocks: int = count(3, "number of blocks", minimum=1, maximum=12)
    width: float = number(0.1, "width of a block down the slope", "m", above=0.0)
    height: float = number(0.08, "height of a block", "m", above=0.0)
    edge: float = number(0.001, "radius of the edges", "m", above=0.0)
    mass: float = number(2.0, "mass of a block", "kg", above=0.0)
    mu: float = number(0.8, "friction coefficient", above=0.0)
    margin: float = number(
        0.02, "how far the angles of the two runs lie off the closed form, relative to it", above=0.0
    )
    time: float = run_length(2.0)
    step: float = time_step(1e-3)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    def collapse(self) -> float:
        """Angle in rad at which the weight passes the lower edge: the blocks turn about the middle of their edges."""
        return math.atan((self.width - 2.0 * self.edge) / (self.blocks * self.height))

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
        blocks.append(body)
        shapes.append(shape)
    return system, contacts, blocks


def run_column(p: MasonryParameters, angle: float, progress: Progress) -> Trajectory:
    """A column on a table tilted by an angle in rad."""
    system, contacts, blocks = column_of_blocks(p)

    def columns(samples: Samples) -> Columns:
        places = {f"x_{k + 1}": samples.x[:, k, 0] for k in range(p.blocks)}
        return places | {f"z_{k + 1}": samples.x[:, k, 2] for k in range(p.blocks)}

    tilt_slowly(system, p, angle)
    scene = watch(system, p.time)
    run = record(contacts, blocks, columns, p, progress)
    system.Clear()
    return replace(run, scene=scene.finished())


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
    """Blocks without mortar stand by friction and weight alone."""

    name = "masonry"
    claim = (
        "A column of dry blocks stands still 2 % below the angle of the rigid-block formula and falls 2 % beyond it."
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
