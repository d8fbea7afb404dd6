"""Flow as a profile over the depth, identified from runs with and against it (section 5.2 of the rake thesis)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....report.style import PALETTE, legend
from ....trajectory import Trajectory
from ...scenario import Check, Metrics, above, below
from ..machine.arms import WET_CELLS
from ..machine.machine import (
    ARM_DRAG,
    ARM_WIDTH,
    RAKE_AREA,
    RAKE_DRAG,
    WATER_DENSITY,
    WATER_LEVEL,
    Machine,
    Rack,
    machine,
)
from ..machine.two_link import TwoLink
from .arm_case import ArmCase, ArmModesParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress

Vector = NDArray[np.float64]

BED = -12.0
"""Height of the bed in m, where the flow is zero."""

SPEEDS = np.linspace(-0.6, 0.6, 13)
"""Speeds of the scraper with the flow in m/s; negative ones are against it."""

DEPTHS = (-6.0, -8.0, -10.0)
"""Heights of the scraper in m at which the runs are made."""

SEED = 7
"""Number from which the noise of the measured forces is drawn."""

COLUMNS = ("height", "with_flow", "true", "measured", "fitted", "uniform")


def profile(surface: float, exponent: float, z: Vector) -> Vector:
    """Speed of the flow in m/s at heights z in m: surface (depth fraction above the bed)^(1/exponent)."""
    above_bed = np.clip((z - BED) / (WATER_LEVEL - BED), 0.0, 1.0)
    return np.where(z < WATER_LEVEL, surface * above_bed ** (1.0 / exponent), 0.0)


class Wetted:
    """The knuckle arm and the rake at one pose: heights, how fast each part moves, areas, levers to the cylinder."""

    def __init__(self, body: Machine, height: float) -> None:
        rack = Rack()
        two = TwoLink(body)
        s = (height - rack.point(0.0, 1.0)[1]) / rack.tangent[1]
        phi, alpha = two.reach(rack.point(s, 1.0))
        cell = (body.knuckle.length - body.rake_length) / WET_CELLS
        along = np.append((np.arange(WET_CELLS) + 0.5) * cell, body.knuckle.length - body.rake_back)
        self.z = two.elbow(phi)[1] + along * np.sin(alpha)
        self.areas = np.append(np.full(WET_CELLS, ARM_DRAG * ARM_WIDTH * cell), RAKE_DRAG * RAKE_AREA)
        self.share = along / body.knuckle.length
        self.lever = -along * np.sin(alpha) / two.levers(phi, alpha)[1]

    def cylinder_force(self, flow: Vector, with_flow: float, scale: float = 1.0) -> float:
        """Change of the knuckle cylinder's force in N; `scale` multiplies all drag areas."""
        relative = flow - self.share * with_flow
        wet = self.z < WATER_LEVEL
        drag = 0.5 * WATER_DENSITY * scale * self.areas * relative * np.abs(relative)
        return float(np.sum((drag * self.lever)[wet]))


def forces(poses: list[Wetted], surface: float, exponent: float, scale: float) -> Vector:
    """Changes of the cylinder's force in N at all poses and speeds."""
    found = []
    for pose in poses:
        flow = profile(surface, exponent, pose.z)
        found += [pose.cylinder_force(flow, speed, scale) for speed in SPEEDS]
    return np.array(found)


def fit(poses: list[Wetted], measured: Vector, uniform: bool) -> Vector:
    """Surface speed in m/s, exponent and scale of the drag that fit best; a uniform flow has no exponent."""
    from scipy.optimize import least_squares

    if uniform:
        found = least_squares(lambda x: forces(poses, x[0], 1e6, x[1]) - measured, (0.5, 1.0), x_scale=(0.1, 0.1))
        return np.array([found.x[0], np.inf, found.x[1]])
    bounds = ((0.01, 1.0, 0.01), (10.0, 100.0, 10.0))
    found = least_squares(
        lambda x: forces(poses, *x) - measured, (0.5, 4.0, 1.0), bounds=bounds, x_scale=(0.1, 1.0, 0.1)
    )
    return np.asarray(found.x, float)


def run_flow(p: ArmModesParameters, progress: Progress) -> Trajectory:
    """True and measured forces at every height and speed, and those of both fits."""
    poses = [Wetted(machine(), height) for height in DEPTHS]
    true = forces(poses, p.flow, p.exponent, 1.0)
    measured = true + p.noise * np.random.default_rng(SEED).standard_normal(true.size)
    fitted = forces(poses, *fit(poses, measured, uniform=False))
    progress(0.5)
    surface, _, scale = fit(poses, measured, uniform=True)
    uniform = forces(poses, surface, 1e6, scale)
    progress(1.0)
    heights = np.repeat(DEPTHS, SPEEDS.size)
    table = np.column_stack([heights, np.tile(SPEEDS, len(DEPTHS)), true, measured, fitted, uniform])
    return Trajectory(COLUMNS, table, len(table))


def measure_flow(p: ArmModesParameters, run: Trajectory) -> Metrics:
    """The numbers of both fits, and what is left of the forces."""
    poses = [Wetted(machine(), height) for height in DEPTHS]
    surface, exponent, scale = fit(poses, run["measured"], uniform=False)
    flat, _, flat_scale = fit(poses, run["measured"], uniform=True)
    return {
        "surface": float(surface),
        "exponent": float(exponent),
        "drag_scale": float(scale),
        "residual": float(np.std(run["measured"] - run["fitted"])),
        "uniform_speed": float(flat),
        "uniform_drag_scale": float(flat_scale),
        "uniform_residual": float(np.std(run["measured"] - run["uniform"])),
    }


def check_flow(p: ArmModesParameters, m: Metrics) -> list[Check]:
    """Runs with and against the flow give its speed and the drag apart; a uniform flow does not fit."""
    allowed = 0.02 + 1e-3 * p.noise / 50.0
    checks = [
        below("surface speed, off by a fraction of", abs(m["surface"] / p.flow - 1.0), allowed),
        below("drag, off by a fraction of", abs(m["drag_scale"] - 1.0), 2.0 * allowed),
        below("what the fit leaves, over the noise", m["residual"], 1.2 * p.noise + 1e-6, "N"),
    ]
    if p.exponent <= 10.0 and p.noise <= 50.0:
        checks.append(above("what a uniform flow leaves", m["uniform_residual"], 1.5 * p.noise, "N"))
    return checks


def plot_flow(p: ArmModesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """Profiles, and forces over the speed of the scraper."""
    left, right = figure.subplots(1, 2)
    z = np.linspace(BED, WATER_LEVEL - 1e-6, 300)
    left.plot(profile(p.flow, p.exponent, z), z, label="true")
    left.plot(profile(m["surface"], m["exponent"], z), z, "--", label="identified")
    left.axvline(m["uniform_speed"], color="0.6", label="uniform fit")
    left.set(title="flow over the depth", xlabel="speed in m/s", ylabel="height in m")
    legend(left)
    for colour, height in zip(PALETTE, DEPTHS, strict=False):
        rows = run["height"] == height
        right.plot(run["with_flow"][rows], run["measured"][rows] / 1e3, "o", color=colour, markersize=3)
        right.plot(run["with_flow"][rows], run["fitted"][rows] / 1e3, color=colour, label=f"scraper at {height:g} m")
    right.set(title="knuckle cylinder", xlabel="scraper with the flow in m/s", ylabel="change of force in kN")
    legend(right)


FLOW = ArmCase(run_flow, measure_flow, check_flow, plot_flow)
