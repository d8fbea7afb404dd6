"""Where the leg is, by closed form (5.2)-(5.9), (5.27)-(5.32): places, their slopes, and the knee angle.

The ankle lies where the circle of the shank about the knee meets the circle of the foot unit about the slide. Its
slopes come from those two circles as two linear equations, so no angle has to be differentiated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....kernel import kernel
from . import leg as at
from .leg import Leg

KNEE, SLIDE, ANKLE, SPRING, TIP = 0, 2, 4, 6, 8
ANKLE_PHI, ANKLE_S = 10, 12
KNEE_ANGLE, KNEE_PHI, KNEE_S = 14, 15, 16
GAP, GAP_PHI, GAP_S = 17, 18, 19
ALONG_PHI, ALONG_S = 20, 21
SHANK, STRETCH = 22, 23
POSE_WIDTH = 24
"""Places in a pose: points (x and y in m), slopes of the ankle by phi and s, knee angle in rad and its slopes, signed
distance in m of the tip from the guide and its slopes, slopes of the tip's way along the guide, angle of the shank,
and how stretched shank and foot unit are: 1 where their circles only touch."""

STRETCHED = 1.0 - 1e-9
"""The cosine at the knee is kept from one: where the two circles only touch, the slopes of the ankle are infinite."""

Array = Any


@kernel
def meet(x1: float, y1: float, a: float, x2: float, y2: float, b: float) -> tuple[float, float]:
    """Solve x1 u + y1 w = a, x2 u + y2 w = b."""
    det = x1 * y2 - y1 * x2
    return (a * y2 - b * y1) / det, (b * x1 - a * x2) / det


@kernel
def place(phi: float, s: float, p: Array, pose: Array) -> None:
    """Write the pose of the leg at hip angle phi in rad and slide position s in m."""
    l_os, l_us, l_st = p[at.L_OS], p[at.L_US], p[at.L_ST]
    xk, yk = l_os * np.sin(phi), -l_os * np.cos(phi)
    xs, ys = p[at.X_SL] + s * p[at.COS_SL], p[at.Y_SL] + s * p[at.SIN_SL]
    dx, dy = xs - xk, ys - yk
    span = np.sqrt(dx * dx + dy * dy)
    cosine = (l_us * l_us + span * span - l_st * l_st) / (2.0 * l_us * span)
    shank = 0.5 * np.pi - np.arctan2(-dy, dx) - np.arccos(min(max(cosine, -STRETCHED), STRETCHED))
    c, d = np.sin(shank), -np.cos(shank)
    xa, ya = xk + l_us * c, yk + l_us * d
    ex, ey = xa - xs, ya - ys
    phi_x, phi_y = meet(c, d, -c * yk + d * xk, ex, ey, 0.0)
    s_x, s_y = meet(c, d, 0.0, ex, ey, ex * p[at.COS_SL] + ey * p[at.SIN_SL])
    turn = phi - p[at.DELTA_HF]
    pose[KNEE], pose[KNEE + 1], pose[SLIDE], pose[SLIDE + 1] = xk, yk, xs, ys
    pose[ANKLE], pose[ANKLE + 1] = xa, ya
    pose[SPRING], pose[SPRING + 1] = p[at.L_HF] * np.sin(turn), -p[at.L_HF] * np.cos(turn)
    pose[ANKLE_PHI], pose[ANKLE_PHI + 1], pose[ANKLE_S], pose[ANKLE_S + 1] = phi_x, phi_y, s_x, s_y
    pose[KNEE_ANGLE], pose[SHANK], pose[STRETCH] = phi - shank, shank, abs(cosine)
    pose[KNEE_PHI] = 1.0 - (-(phi_x + yk) * d + (phi_y - xk) * c) / l_us
    pose[KNEE_S] = -(-s_x * d + s_y * c) / l_us
    tip(p, ex, ey, pose)


@kernel
def tip(p: Array, ex: float, ey: float, pose: Array) -> None:
    """Write the tip of the foot unit (5.28) and its signed distance from the guide; (ex, ey) is ankle from slide."""
    reach = p[at.L_B] / np.sqrt(ex * ex + ey * ey)
    c, d = np.cos(p[at.DELTA_B]), np.sin(p[at.DELTA_B])
    bx, by = -reach * (c * ex - d * ey), -reach * (d * ex + c * ey)
    cos, sin = p[at.COS_SL], p[at.SIN_SL]
    square = ex * ex + ey * ey
    turn_phi = (ex * pose[ANKLE_PHI + 1] - ey * pose[ANKLE_PHI]) / square
    turn_s = (ex * (pose[ANKLE_S + 1] - sin) - ey * (pose[ANKLE_S] - cos)) / square
    pose[TIP], pose[TIP + 1] = pose[SLIDE] + bx, pose[SLIDE + 1] + by
    pose[GAP] = -sin * bx + cos * by
    along = cos * bx + sin * by
    pose[GAP_PHI], pose[GAP_S] = along * turn_phi, along * turn_s
    pose[ALONG_PHI], pose[ALONG_S] = -pose[GAP] * turn_phi, 1.0 - pose[GAP] * turn_s


@kernel
def inertia(p: Array, pose: Array) -> tuple[float, float, float]:
    """Entries 11, 12 and 22 of the mass matrix (5.10), in kg m^2, kg m and kg."""
    ax, ay, bx, by = pose[ANKLE_PHI], pose[ANKLE_PHI + 1], pose[ANKLE_S], pose[ANKLE_S + 1]
    m = p[at.M_SG]
    return (
        p[at.M_KG] * p[at.L_OS] ** 2 + m * (ax * ax + ay * ay),
        m * (ax * bx + ay * by),
        m * (bx * bx + by * by) + p[at.M_SL],
    )


@kernel
def weight(p: Array, pose: Array, s: float) -> tuple[float, float, float]:
    """Slopes of the potential energy by phi and s (5.11)-(5.14), in N m and N, and that energy in J."""
    g, sin = p[at.GRAVITY], p[at.SIN_SL]
    hx, hy = pose[SPRING] - p[at.X_HF], pose[SPRING + 1] - p[at.Y_HF]
    length = np.sqrt(hx * hx + hy * hy)
    stretch, pull = length - p[at.L_HF_0], s - p[at.S_LF_0]
    twist = p[at.K_HF] * stretch * (hy * pose[SPRING] - hx * pose[SPRING + 1]) / length
    by_phi = g * (p[at.M_KG] * pose[KNEE] + p[at.M_SG] * pose[ANKLE_PHI + 1]) + twist
    by_s = g * (p[at.M_SG] * pose[ANKLE_S + 1] + p[at.M_SL] * sin) + p[at.K_LF] * pull
    height = p[at.M_KG] * pose[KNEE + 1] + p[at.M_SG] * pose[ANKLE + 1] + p[at.M_SL] * pose[SLIDE + 1]
    return by_phi, by_s, g * height + 0.5 * p[at.K_HF] * stretch**2 + 0.5 * p[at.K_LF] * pull**2


@kernel
def turning(p: Array, pose: Array, w: float, v: float) -> tuple[float, float]:
    """Coriolis and centrifugal terms by phi and s, in N m and N: what the thesis leaves out."""
    ux, uy = pose[ANKLE] - pose[KNEE], pose[ANKLE + 1] - pose[KNEE + 1]
    ex, ey = pose[ANKLE] - pose[SLIDE], pose[ANKLE + 1] - pose[SLIDE + 1]
    vx, vy = pose[ANKLE_PHI] * w + pose[ANKLE_S] * v, pose[ANKLE_PHI + 1] * w + pose[ANKLE_S + 1] * v
    kx, ky = vx + pose[KNEE + 1] * w, vy - pose[KNEE] * w
    sx, sy = vx - p[at.COS_SL] * v, vy - p[at.SIN_SL] * v
    along = -(w * w) * (ux * pose[KNEE] + uy * pose[KNEE + 1]) - kx * kx - ky * ky
    ax, ay = meet(ux, uy, along, ex, ey, -sx * sx - sy * sy)
    m = p[at.M_SG]
    return (
        m * (ax * pose[ANKLE_PHI] + ay * pose[ANKLE_PHI + 1]),
        m * (ax * pose[ANKLE_S] + ay * pose[ANKLE_S + 1]),
    )


@kernel
def poses(q: Array, p: Array, out: Array) -> None:
    """The pose of each row (phi, s)."""
    for i in range(q.shape[0]):
        place(q[i, 0], q[i, 1], p, out[i])


def poses_along(leg: Leg, phi: Any, s: Any) -> NDArray[np.float64]:
    """Poses of a leg at hip angles in rad and slide positions in m, one row each."""
    q = np.column_stack(np.broadcast_arrays(np.atleast_1d(np.asarray(phi, float)), np.asarray(s, float)))
    out = np.zeros((len(q), POSE_WIDTH))
    poses(np.ascontiguousarray(q), leg.numbers, out)
    return out
