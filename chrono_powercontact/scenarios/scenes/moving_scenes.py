"""Bodies and contacts of scenarios as moving 3-D scenes: planar motion in x and z, with y across."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...view.drawn import Course, Drawn, Touch, recording_of
from ...view.pieces import BALL, BOX, CAPSULE

if TYPE_CHECKING:
    from ...trajectory import Trajectory
    from ...view.recording import Recording
    from ..scenario import Outcome, Scenario

Floats = NDArray[np.float64]

FRAMES = 60.0
"""Frames per simulated second, where a run is not longer or shorter than usual."""

SLIP = 1e-3
"""Sliding speed in m/s above which a contact is shown as sliding."""

UNITS = {
    "N": re.compile(r"F\w*|N(_\w)?|T_[AB]"),
    "N m": re.compile(r"M|est_patient"),
    "m": re.compile(r"[xyzs]\d*|foot"),
    "m/s": re.compile(r"[xyzs]_dot"),
    "rad": re.compile(r"(\w+_)?phi|theta\d*|kappa|epsilon"),
}
"""Units of the columns that scenarios show beside their scenes, by what the names of these look like."""


class Planar(NamedTuple):
    """Positions in the plane of motion, x and z in m, by record."""

    x: Floats
    z: Floats

    @property
    def point(self) -> tuple[Floats, float, Floats]:
        """As a point in space."""
        return self.x, 0.0, self.z

    def shifted(self, along: ArrayLike, up: ArrayLike, turn: ArrayLike) -> Planar:
        """A point at a distance in m from these, on something that is turned by an angle in rad."""
        offset = on_slope(along, up, turn)
        return Planar(self.x + offset.x, self.z + offset.z)


def on_slope(x: ArrayLike, z: ArrayLike, slope: ArrayLike) -> Planar:
    """Positions along and above a slope of an angle in rad, seen from the world; x points downhill."""
    c = np.cos(slope)
    s = np.sin(slope)
    along = np.asarray(x, float)
    above = np.asarray(z, float)
    return Planar(c * along + s * above, -s * along + c * above)


def ball(name: str, radius: float, at: Planar, turn: ArrayLike = 0.0) -> Drawn:
    """A ball of a radius in m."""
    return Drawn(name, BALL, (radius,), at.point, angle=turn)


def block(name: str, edges: Sequence[float], at: Planar, turn: ArrayLike = 0.0, fixed: bool = False) -> Drawn:
    """A block with edges in m, turned about y by an angle in rad."""
    return Drawn(name, BOX, edges, at.point, angle=turn, fixed=fixed)


def plate(span: ArrayLike, width: float, slope: ArrayLike = 0.0, level: float = 0.0) -> Drawn:
    """A plate under what moves over a span of x in m on a slope; its top is at a level in m above it."""
    low = float(np.min(span)) - width
    high = float(np.max(span)) + width
    thick = 0.04 * (high - low)
    middle = on_slope(np.full(np.shape(slope), 0.5 * (low + high)), level - 0.5 * thick, slope)
    return block("ground", (high - low, max(2.0 * width, 0.4 * (high - low)), thick), middle, slope, fixed=True)


def bar(name: str, start: Planar, end: Planar, thickness: float, fixed: bool = False) -> Drawn:
    """A bar between two points."""
    across = end.x - start.x
    up = end.z - start.z
    length = max(float(np.median(np.hypot(across, up))), 1e-9)
    middle = Planar(0.5 * (start.x + end.x), 0.5 * (start.z + end.z))
    return Drawn(name, CAPSULE, (thickness, length), middle.point, angle=np.arctan2(across, up), fixed=fixed)


def bars(chains: Sequence[Floats], thickness: float | None = None) -> list[Drawn]:
    """Bars through pins; `chains` hold x and z in m by pin and record."""
    every = np.concatenate([chain.reshape(-1, 2, chain.shape[-1]) for chain in chains])
    size = float(np.ptp(every, axis=(0, 2)).max())
    radius = thickness or 0.015 * size
    found = []
    for number, chain in enumerate(chains):
        for pin in range(len(chain) - 1):
            start = Planar(*chain[pin])
            end = Planar(*chain[pin + 1])
            if float(np.hypot(end.x - start.x, end.z - start.z).max()) > 1e-6 * size:
                found.append(bar(f"bar {number + 1}.{pin + 1}", start, end, radius))
    return found


def touch(
    run: Trajectory, at: Planar, force: str, friction: str | None = None, slope: ArrayLike = 0.0, slip: Course = 0.0
) -> list[Touch]:
    """A contact with ground of a slope, from the columns of its normal force and of the friction against its motion.

    Nothing where the run did not record these.
    """
    if force not in run.names or (friction is not None and friction not in run.names):
        return []
    up = on_slope(0.0, 1.0, slope)
    down = on_slope(1.0, 0.0, slope)
    against = run[friction] if friction is not None else 0.0
    return [Touch(at.point, force, up.point, (-against * down.x, 0.0, -against * down.z), slip)]


def unit_of(column: str) -> str:
    """The unit of a column; empty where its name does not tell."""
    return next((unit for unit, names in UNITS.items() if names.fullmatch(column)), "")


def scene_of(
    scenario: Scenario[Any], outcome: Outcome[Any], bodies: Sequence[Drawn], contacts: Sequence[Touch] = (),
    columns: Sequence[str] = (),
) -> Recording:  # fmt: skip
    """The scene of a run; columns that this run did not record, or that never change, are left out."""
    run = outcome.trajectory
    present = {name: unit_of(name) for name in columns if name in run.names and np.ptp(run[name]) > 0.0}
    return recording_of(run, bodies, contacts, present, FRAMES, f"{scenario.name}: {scenario.claim}", SLIP)


def rolling_scene(scenario: Scenario[Any], outcome: Outcome[Any], name: str, height: ArrayLike) -> Recording:
    """A ball that rolls on a slope with its centre at a height in m above it, and a mark that shows its turn."""
    run = outcome.trajectory
    radius = outcome.parameters.radius
    angle = outcome.parameters.slope()
    centre = on_slope(run["x"], height, angle)
    turn = run["phi"] + angle
    mark = centre.shifted(0.0, 0.9 * radius, turn)
    bodies = [
        ball(name, radius, centre, turn),
        block("mark", (0.3 * radius, 0.3 * radius, 0.3 * radius), mark, turn),
        plate(run["x"], 2.0 * radius, angle),
    ]
    foot = on_slope(run["x"], np.zeros(len(run)), angle)
    contact = touch(run, foot, "F_ground", "Ft_ground", angle, run["x_dot"] - radius * run["phi_dot"])
    return scene_of(scenario, outcome, bodies, contact, ("x", "x_dot", "Ft_ground"))
