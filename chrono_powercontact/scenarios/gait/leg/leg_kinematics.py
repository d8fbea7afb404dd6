"""Where the leg is, in closed form (5.2)-(5.9), (5.27)-(5.32): points, their derivatives, and the knee angle.

The ankle lies where the circle of the shank about the knee meets the circle of the foot unit about the slide. Its
derivatives follow from those two circles as two linear equations, so no angle has to be differentiated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....kernel import kernel
from ....numerics.two_by_two import solve_two
from .trainer_leg import Leg

POSE = np.dtype(
    [
        *((name, np.float64, 2) for name in ("knee", "slide", "ankle", "spring", "tip", "ankle_phi", "ankle_s")),
        *((name, np.float64) for name in ("knee_angle", "knee_phi", "knee_s", "gap", "gap_phi", "gap_s")),
        *((name, np.float64) for name in ("along_phi", "along_s", "shank", "stretch")),
    ]
)
"""A pose: points (x and y in m); derivatives of the ankle by phi and s; knee angle in rad and its derivatives; signed
distance in m of the tip from the guide and its derivatives; derivatives of the tip's position along the guide; angle of
the shank in rad; and how stretched shank and foot unit are: 1 where their circles only touch."""

STRETCHED = 1.0 - 1e-9
"""The cosine at the knee is kept from one: where the two circles only touch, the ankle's derivatives are infinite."""


@kernel
def write_pose(phi: float, s: float, leg: Any, pose: Any) -> None:
    """Write the pose of the leg at hip angle phi in rad and slide position s in m."""
    write_ends(phi, s, leg, pose)
    write_ankle(phi, leg, pose)
    write_tip(leg, pose)


@kernel
def write_ends(phi: float, s: float, leg: Any, pose: Any) -> None:
    """Write knee, slide, and the point of the thigh that the hip's spring holds."""
    pose.knee[0] = leg.l_os * np.sin(phi)
    pose.knee[1] = -leg.l_os * np.cos(phi)
    pose.slide[0] = leg.x_sl + s * leg.cos_sl
    pose.slide[1] = leg.y_sl + s * leg.sin_sl
    turn = phi - leg.delta_hf
    pose.spring[0] = leg.l_hf * np.sin(turn)
    pose.spring[1] = -leg.l_hf * np.cos(turn)


@kernel
def write_ankle(phi: float, leg: Any, pose: Any) -> None:
    """Write the ankle, the angles of shank and knee, and their derivatives; knee and slide are known."""
    xk = pose.knee[0]
    yk = pose.knee[1]
    dx = pose.slide[0] - xk
    dy = pose.slide[1] - yk
    span = np.sqrt(dx * dx + dy * dy)
    cosine = (leg.l_us * leg.l_us + span * span - leg.l_st * leg.l_st) / (2.0 * leg.l_us * span)
    shank = 0.5 * np.pi - np.arctan2(-dy, dx) - np.arccos(min(max(cosine, -STRETCHED), STRETCHED))
    c = np.sin(shank)
    d = -np.cos(shank)
    pose.ankle[0] = xk + leg.l_us * c
    pose.ankle[1] = yk + leg.l_us * d
    ex = pose.ankle[0] - pose.slide[0]
    ey = pose.ankle[1] - pose.slide[1]
    phi_x, phi_y = solve_two(c, d, -c * yk + d * xk, ex, ey, 0.0)
    s_x, s_y = solve_two(c, d, 0.0, ex, ey, ex * leg.cos_sl + ey * leg.sin_sl)
    pose.ankle_phi[0] = phi_x
    pose.ankle_phi[1] = phi_y
    pose.ankle_s[0] = s_x
    pose.ankle_s[1] = s_y
    pose.knee_angle = phi - shank
    pose.knee_phi = 1.0 - (-(phi_x + yk) * d + (phi_y - xk) * c) / leg.l_us
    pose.knee_s = -(-s_x * d + s_y * c) / leg.l_us
    pose.shank = shank
    pose.stretch = abs(cosine)


@kernel
def write_tip(leg: Any, pose: Any) -> None:
    """Write the tip of the foot unit (5.28) and its signed distance from the guide; ankle and slide are known."""
    ex = pose.ankle[0] - pose.slide[0]
    ey = pose.ankle[1] - pose.slide[1]
    reach = leg.l_b / np.sqrt(ex * ex + ey * ey)
    c = np.cos(leg.delta_b)
    d = np.sin(leg.delta_b)
    bx = -reach * (c * ex - d * ey)
    by = -reach * (d * ex + c * ey)
    square = ex * ex + ey * ey
    turn_phi = (ex * pose.ankle_phi[1] - ey * pose.ankle_phi[0]) / square
    turn_s = (ex * (pose.ankle_s[1] - leg.sin_sl) - ey * (pose.ankle_s[0] - leg.cos_sl)) / square
    pose.tip[0] = pose.slide[0] + bx
    pose.tip[1] = pose.slide[1] + by
    pose.gap = -leg.sin_sl * bx + leg.cos_sl * by
    along = leg.cos_sl * bx + leg.sin_sl * by
    pose.gap_phi = along * turn_phi
    pose.gap_s = along * turn_s
    pose.along_phi = -pose.gap * turn_phi
    pose.along_s = 1.0 - pose.gap * turn_s


@kernel
def inertia(leg: Any, pose: Any) -> tuple[float, float, float]:
    """Entries 11, 12 and 22 of the mass matrix (5.10), in kg m^2, kg m and kg."""
    ax = pose.ankle_phi[0]
    ay = pose.ankle_phi[1]
    bx = pose.ankle_s[0]
    by = pose.ankle_s[1]
    return (
        leg.m_kg * leg.l_os**2 + leg.m_sg * (ax * ax + ay * ay),
        leg.m_sg * (ax * bx + ay * by),
        leg.m_sg * (bx * bx + by * by) + leg.m_sl,
    )


@kernel
def weight(leg: Any, pose: Any, s: float) -> tuple[float, float, float]:
    """Derivatives of the potential energy by phi and s (5.11)-(5.14), in N m and N, and that energy in J."""
    hx = pose.spring[0] - leg.x_hf
    hy = pose.spring[1] - leg.y_hf
    length = np.sqrt(hx * hx + hy * hy)
    stretch = length - leg.l_hf_0
    pull = s - leg.s_lf_0
    twist = leg.k_hf * stretch * (hy * pose.spring[0] - hx * pose.spring[1]) / length
    by_phi = leg.gravity * (leg.m_kg * pose.knee[0] + leg.m_sg * pose.ankle_phi[1]) + twist
    by_s = leg.gravity * (leg.m_sg * pose.ankle_s[1] + leg.m_sl * leg.sin_sl) + leg.k_lf * pull
    height = leg.m_kg * pose.knee[1] + leg.m_sg * pose.ankle[1] + leg.m_sl * pose.slide[1]
    return by_phi, by_s, leg.gravity * height + 0.5 * leg.k_hf * stretch**2 + 0.5 * leg.k_lf * pull**2


@kernel
def velocity_forces(leg: Any, pose: Any, w: float, v: float) -> tuple[float, float]:
    """Coriolis and centrifugal terms by phi and s, in N m and N: what the thesis leaves out."""
    ux = pose.ankle[0] - pose.knee[0]
    uy = pose.ankle[1] - pose.knee[1]
    ex = pose.ankle[0] - pose.slide[0]
    ey = pose.ankle[1] - pose.slide[1]
    vx = pose.ankle_phi[0] * w + pose.ankle_s[0] * v
    vy = pose.ankle_phi[1] * w + pose.ankle_s[1] * v
    kx = vx + pose.knee[1] * w
    ky = vy - pose.knee[0] * w
    sx = vx - leg.cos_sl * v
    sy = vy - leg.sin_sl * v
    along = -(w * w) * (ux * pose.knee[0] + uy * pose.knee[1]) - kx * kx - ky * ky
    ax, ay = solve_two(ux, uy, along, ex, ey, -sx * sx - sy * sy)
    return (
        leg.m_sg * (ax * pose.ankle_phi[0] + ay * pose.ankle_phi[1]),
        leg.m_sg * (ax * pose.ankle_s[0] + ay * pose.ankle_s[1]),
    )


@kernel
def write_poses(phi: Any, s: Any, leg: Any, poses: Any) -> None:
    """Write the pose at each hip angle and slide position."""
    for i in range(poses.size):
        write_pose(phi[i], s[i], leg, poses[i])


def poses_along(leg: Leg, phi: Any, s: Any) -> NDArray[Any]:
    """Poses of a leg at hip angles in rad and slide positions in m, one record each."""
    angles, positions = np.broadcast_arrays(np.atleast_1d(np.asarray(phi, float)), np.asarray(s, float))
    poses = np.zeros(angles.size, POSE)
    write_poses(angles.copy(), positions.copy(), leg.record, poses)
    return poses
