"""Figs. 2.1 to 2.5: dissipation functions and the friction forces that follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...laws.friction.dissipation import Dissipation
from ...report.style import panel
from .source_figure import SourceFigure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

F_C = 1.0
F_S = 1.4
D = 0.1
V_PEAK = 0.01
"""Amplitudes of Table 2.1 in N and N s/m; speed of the Stribeck peak of Table 2.3 in m/s."""

V_COULOMB = 0.5 * V_PEAK
V_STRIBECK = 2.0 * V_PEAK
"""By (2.16): v_S = 2 vhat_S = 4 v_C."""

ROUNDING = 1e-6
"""eps of (2.17) in m/s."""

Vector = NDArray[np.float64]


def speeds(reach: float = 6.0) -> Vector:
    """Speeds in m/s around zero, up to so many peak speeds."""
    return np.linspace(-reach * V_PEAK, reach * V_PEAK, 2001)


def classical_coulomb(v: Vector) -> Vector:
    """(2.3): F_C sign(v)."""
    return F_C * np.sign(v)


def classical_stribeck(v: Vector) -> Vector:
    """(2.7), (2.8): (F_S - F_C) exp(-(v/v_S)^2) sign(v)."""
    return (F_S - F_C) * np.exp(-((v / V_STRIBECK) ** 2)) * np.sign(v)


def classical_force(v: Vector) -> Vector:
    """(2.15): viscous, Coulomb and Stribeck friction with sign functions."""
    return D * v + classical_coulomb(v) + classical_stribeck(v)


def power_law() -> Dissipation:
    """(2.14)."""
    return Dissipation(F_C, F_S, V_COULOMB, V_PEAK, D)


def largest_difference() -> tuple[float, float]:
    """Largest difference in N between (2.15) and (2.14) beyond the peak speed, and the speed in m/s where it is."""
    v = np.linspace(V_PEAK, 6.0 * V_PEAK, 20001)
    gap = np.abs(power_law().force(v) - classical_force(v))
    return float(gap.max()), float(v[gap.argmax()])


def _pair(figure: Figure, power: Vector, forces: dict[str, Vector]) -> None:
    """Dissipation function and forces over the speed."""
    left, right = figure.subplots(1, 2)
    v = speeds() * 1e3
    panel(left, v, {"D": power * 1e3}, "dissipation function", "v in mm/s", "D in mW")
    panel(right, v, forces, "friction force", "v in mm/s", "F in N")


def draw_viscous(figure: Figure) -> None:
    """(2.1), (2.2)."""
    v = speeds()
    _pair(figure, 0.5 * D * v**2, {"d v": D * v})


def draw_coulomb(figure: Figure) -> None:
    """(2.5), (2.6) beside (2.3)."""
    v = speeds()
    law = Dissipation(F_C, F_C, V_COULOMB)
    _pair(figure, law.power(v), {"classical (2.3)": classical_coulomb(v), "from D (2.6)": law.force(v)})


def draw_stribeck(figure: Figure) -> None:
    """(2.9), (2.11) beside (2.7); the amplitude is (2.10) without its viscous part."""
    v = speeds()
    amplitude = F_S - F_C * np.tanh(V_PEAK / V_COULOMB)
    bell = np.exp(0.5 - 0.5 * (v / V_PEAK) ** 2)
    forces = {"classical (2.7)": classical_stribeck(v), "from D (2.11)": amplitude * v / V_PEAK * bell}
    _pair(figure, -amplitude * V_PEAK * bell, forces)


def draw_sum(figure: Figure) -> None:
    """(2.13), (2.14) beside (2.15)."""
    v = speeds()
    law = power_law()
    _pair(figure, law.power(v), {"classical (2.15)": classical_force(v), "from D (2.14)": law.force(v)})
    gap, at = largest_difference()
    text = f"beyond the peak they\ndiffer by {gap:.3f} N\n({gap / F_S:.0%} of F_S)\nat {at * 1e3:.1f} mm/s"
    figure.axes[1].text(0.03, 0.9, text, transform=figure.axes[1].transAxes, va="top", fontsize=8)


def draw_planar(figure: Figure) -> None:
    """(2.22), (2.23): dissipation function, both forces and their norm over both speeds."""
    v = np.linspace(-4.0 * V_PEAK, 4.0 * V_PEAK, 161)
    vx, vy = np.meshgrid(v, v)
    speed = np.sqrt(vx**2 + vy**2 + ROUNDING**2)
    law = power_law()
    pull = law.force(speed) / speed
    maps = {
        "D in mW": law.power(speed) * 1e3,
        "Q_1 in N": pull * vx,
        "Q_2 in N": pull * vy,
        "norm of Q in N": pull * np.hypot(vx, vy),
    }
    for axes, (title, values) in zip(figure.subplots(1, 4), maps.items(), strict=True):
        drawn = axes.contourf(v * 1e3, v * 1e3, values, 24, cmap="viridis")
        figure.colorbar(drawn, ax=axes, shrink=0.6)
        axes.set(title=title, xlabel="v_1 in mm/s", ylabel="v_2 in mm/s", aspect="equal")
        axes.grid(visible=False)


FIGURES = (
    SourceFigure(
        "2.1", "Viscous friction", "Rayleigh's function is a parabola, its force a straight line.", draw_viscous
    ),
    SourceFigure(
        "2.2", "Coulomb friction", "The force from D is smooth through zero, and Coulomb's beyond v_C.", draw_coulomb
    ),
    SourceFigure(
        "2.3", "Stribeck friction", "The force from D rises to its peak at vhat_S instead of jumping.", draw_stribeck
    ),
    SourceFigure(
        "2.4",
        "The static law",
        "The thesis calls both curves practically identical beyond vhat_S. They differ by 9 % of F_S there.",
        draw_sum,
    ),
    SourceFigure(
        "2.5",
        "Friction in the plane",
        "Both forces have the same surface; only the norm reaches F_S, and it falls to zero in the centre.",
        draw_planar,
        (12.0, 3.4),
    ),
)
