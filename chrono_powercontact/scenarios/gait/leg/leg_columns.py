"""What is recorded of a leg on Chrono, under the names that the reference engine uses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .drives import Drive
from .leg_kinematics import poses_along
from .stages import Stage

if TYPE_CHECKING:
    from ....chrono.run.recorder import Samples

Signal = NDArray[np.float64]


def leg_columns(stage: Stage, drive: Drive, seen: Samples, names: Sequence[str], phi: Signal) -> dict[str, Signal]:
    """Columns of a stretch; `names` lists the joint forces in order, and the bodies are thigh, shank and slide."""
    leg = stage.leg
    zero = 0.0 * seen.t
    along = np.array((math.cos(leg.delta_sl), math.sin(leg.delta_sl)))
    s = (seen.x[:, 2, :2] - (leg.x_sl_0, leg.y_sl_0)) @ along
    omega = seen.w[:, 0, 5]
    v = seen.w[:, 2, :2] @ along
    found = {name: seen.joints[:, i] for i, name in enumerate(names)}
    stop = {name: np.abs(found[name]["stop"]) if name in found else zero for name in ("knee", "lower", "upper")}
    friction = {name: found[name]["friction"][:, 0] for name in ("hip", "slide")}
    pose = poses_along(leg, phi, s)
    u = drive.at(seen.t)
    touch = seen.force[:, 0] if stage.foot is not None else zero
    drag = -seen.friction[:, 0, :2] @ along if stage.foot is not None else zero
    hip = u[:, 0] - friction["hip"]
    hip += stop["knee"] * pose["knee_phi"] + touch * pose["gap_phi"] - drag * pose["along_phi"]
    slide = u[:, 1] - friction["slide"]
    slide += stop["knee"] * pose["knee_s"] + touch * pose["gap_s"] - drag * pose["along_s"]
    gap = seen.gap[:, 0] + stage.foot.s_0 if stage.foot is not None else pose["gap"]
    return {
        "phi": phi, "s": s, "phi_dot": omega, "s_dot": v, "M": u[:, 0], "F": u[:, 1], "Q_hip": friction["hip"],
        "Q_slide": friction["slide"], "knee": _knee(seen), "F_knee": stop["knee"], "F_lower": stop["lower"],
        "F_upper": stop["upper"], "d_foot": gap, "F_foot": touch, "Ft_foot": drag, "net_hip": hip,
        "net_slide": slide + stop["lower"] - stop["upper"], "potential": _potential(stage, seen, pose, s),
        "drive_power": u[:, 0] * omega + u[:, 1] * v,
    }  # fmt: skip


def _knee(seen: Samples) -> Signal:
    """Knee angle in rad, from where thigh and shank are."""
    thigh = seen.x[:, 0, :2]
    shank = seen.x[:, 1, :2] - seen.x[:, 0, :2]
    across = shank[:, 0] * thigh[:, 1] - shank[:, 1] * thigh[:, 0]
    return np.asarray(np.arctan2(across, (shank * thigh).sum(axis=1)))


def _potential(stage: Stage, seen: Samples, pose: NDArray[Any], s: Signal) -> Signal:
    """Energy of weight and springs in J."""
    leg = stage.leg
    heights = seen.x[:, :3, 1] @ np.array((leg.m_kg, leg.m_sg, leg.m_sl))
    stretch = np.hypot(pose["spring"][:, 0] - leg.x_hf_0, pose["spring"][:, 1] - leg.y_hf_0) - leg.l_hf_0
    return np.asarray(leg.gravity * heights + 0.5 * leg.k_hf * stretch**2 + 0.5 * leg.k_lf * (s - leg.s_lf_0) ** 2)
