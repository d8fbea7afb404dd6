"""Friction that sticks: an anchor between the surfaces, stretched by the way they slide, up to a limit.

In stick the dissipation function of the thesis turns into a potential of the anchor's displacement z (in m):
psi(z) = (D(kappa |z|) - D(0))/kappa, per unit of normal force. With phi = psi' (the Coulomb and Stribeck parts of
(2.14), flat beyond their peak) and e = z/|z| the law is

    F  = N (1 - alpha delta(u)) phi(kappa (z + tau v)) + a d v,     u = max(e v, 0)
    z' = v - alpha u e,        alpha = 0 up to 0.98 of the limit, rising to 1 at the limit
    delta(u) = 1 - phi(w_p + u)/phi(w_p): how far sliding falls below stiction at the peak speed w_p.

The normal law is taken at the distance s - psi(z), so U(s - psi) is one potential of the normal force and of the
anchor, and the law gives no energy under any load: docs/anchored_friction.md has the proof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import not_negative, positive
from ...kernel import kernel
from ..smooth import log_cosh

ELASTIC = 0.98
"""Share of the anchor's limit up to which it is elastic."""

PLAIN_PEAK = 4.0
"""Peak of a law without stiction, in v_c: its hyperbolic tangent is flat from there on."""

C, V_C, DELTA, V_S, D, PEAK, LIMIT, KAPPA, TAU = 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Columns of an anchored friction row after its kind: amplitudes and speeds of phi, viscous part, speed of the peak,
limit of the anchor in m (or rad), kappa in 1/s, tau in s."""

Array = Any


@kernel
def length(v: Any) -> float:
    """Norm of a triple."""
    return float(np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]))


@kernel
def curve(row: Array, w: float) -> float:
    """Coulomb and Stribeck parts of (2.14) at a shifted speed w, per unit of normal force."""
    coulomb = row[C] * np.tanh(w / row[V_C])
    if row[DELTA] == 0.0:
        return coulomb
    y = w / row[V_S]
    return coulomb + row[DELTA] * y * np.exp(0.5 - 0.5 * y * y)


@kernel
def grip(row: Array, stretch: float) -> float:
    """phi at an anchor stretched by a distance in m: friction force per unit of normal force, flat beyond the limit."""
    return curve(row, min(row[KAPPA] * stretch, row[PEAK]))


@kernel
def grip_slope(row: Array, stretch: float) -> float:
    """Derivative of `grip` by the stretch, per m."""
    w = row[KAPPA] * stretch
    if w >= row[PEAK]:
        return 0.0
    y, e = w / row[V_S], np.exp(-2.0 * w / row[V_C])
    rise = row[C] * 4.0 * e / ((1.0 + e) ** 2 * row[V_C])
    return row[KAPPA] * (rise + row[DELTA] * (1.0 - y * y) * np.exp(0.5 - 0.5 * y * y) / row[V_S])


@kernel
def anchor_potential(row: Array, stretch: float) -> float:
    """psi in m (J per N of normal force): the integral of `grip` over the stretch."""
    w = row[KAPPA] * stretch
    coulomb = row[C] * row[V_C] * log_cosh(w / row[V_C]) / row[KAPPA]
    if row[DELTA] == 0.0:
        return coulomb
    y = w / row[V_S]
    return coulomb - row[DELTA] * row[V_S] * np.exp(0.5) * np.expm1(-0.5 * y * y) / row[KAPPA]


@kernel
def yielding(row: Array, stretch: float) -> float:
    """alpha: share of an outward motion that the anchor gives way to."""
    start = ELASTIC * row[LIMIT]
    return min(max((stretch - start) / (row[LIMIT] - start), 0.0), 1.0)


@kernel
def fall(row: Array, u: float) -> float:
    """delta: how far friction at the sliding speed u is below stiction, 0 to 1."""
    if row[DELTA] == 0.0 or u <= 0.0:
        return 0.0
    return min(max(1.0 - curve(row, row[PEAK] + u) / curve(row, row[PEAK]), 0.0), 1.0)


@kernel
def anchor_flow(limit: float, z: Any, way: Any) -> Any:
    """The anchor z after a straight way, both in m as triples: the exact flow of z' = v - alpha u e, for any way.

    It moves along until it points outward beyond its elastic share. From there on its stretch r and its angle to the
    way follow from r' = (1 - alpha) cos and angle' = -sin/limit. How the angle runs takes no energy, for grip acts
    along z; with the limit in place of r it has this closed form.
    """
    start = ELASTIC * limit
    x, y, w = z[0] + way[0], z[1] + way[1], z[2] + way[2]
    square = z[0] * z[0] + z[1] * z[1] + z[2] * z[2]
    if square <= start * start and x * x + y * y + w * w <= start * start:
        return x, y, w
    length = np.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
    if length == 0.0:
        return z[0], z[1], z[2]
    dx, dy, dz = way[0] / length, way[1] / length, way[2] / length
    along = z[0] * dx + z[1] * dy + z[2] * dz
    apart = max(square - along * along, 0.0)
    free = max(-along, 0.0)
    if apart < start * start:
        free = max(np.sqrt(start * start - apart) - along, free)
    if length <= free:
        return z[0] + way[0], z[1] + way[1], z[2] + way[2]
    x, y, w = z[0] + free * dx, z[1] + free * dy, z[2] + free * dz
    rest = (length - free) / limit
    r = np.sqrt(x * x + y * y + w * w)
    cosine = min(max((x * dx + y * dy + w * dz) / r, 0.0), 1.0)
    sx, sy, sz = x / r - cosine * dx, y / r - cosine * dy, w / r - cosine * dz
    sine = np.sqrt(sx * sx + sy * sy + sz * sz)
    if sine < 1e-12:
        turned, growth = 1.0, rest
        sx, sy, sz, across = 0.0, 0.0, 0.0, 0.0
    else:
        e = np.exp(-2.0 * rest)
        spread = 0.5 * ((1.0 + cosine) + (1.0 - cosine) * e)
        turned = ((1.0 + cosine) - (1.0 - cosine) * e) / (2.0 * spread)
        growth = rest + np.log(spread)
        across = np.exp(-rest) / spread
    r = limit - (limit - r) * np.exp(-growth * limit / (limit - start))
    return (
        r * (turned * dx + across * sx),
        r * (turned * dy + across * sy),
        r * (turned * dz + across * sz),
    )


@kernel
def anchor_rate(row: Array, z: Any, v: Any) -> Any:
    """z' in m/s and psi' in m/s at an anchor z and a sliding velocity v."""
    r = np.sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2])
    if r == 0.0:
        return v[0], v[1], v[2], 0.0
    outward = (z[0] * v[0] + z[1] * v[1] + z[2] * v[2]) / r
    lost = yielding(row, r) * max(outward, 0.0) / r
    return v[0] - lost * z[0], v[1] - lost * z[1], v[2] - lost * z[2], grip(row, r) * (outward - lost * r)


@kernel
def anchor_pull(row: Array, n: float, a: float, z: Any, v: Any) -> Any:
    """Friction force in N against the sliding velocity v under normal force n and activation a, the anchor at z."""
    r = np.sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2])
    tau = row[TAU]
    x, y, w = z[0] + tau * v[0], z[1] + tau * v[1], z[2] + tau * v[2]
    stretch = np.sqrt(x * x + y * y + w * w)
    per_stretch = grip(row, stretch) / stretch if stretch > 1e-12 * row[LIMIT] else grip_slope(row, 0.0)
    alpha = yielding(row, r)
    if alpha > 0.0:
        per_stretch *= 1.0 - alpha * fall(row, (z[0] * v[0] + z[1] * v[1] + z[2] * v[2]) / r)
    per_stretch *= n
    viscous = a * row[D]
    return (
        per_stretch * x + viscous * v[0],
        per_stretch * y + viscous * v[1],
        per_stretch * w + viscous * v[2],
    )


def _triple(vector: ArrayLike) -> tuple[float, float, float]:
    """A scalar or a vector of up to three components as a triple."""
    numbers = np.atleast_1d(np.asarray(vector, float))
    x, y, z = (*numbers.tolist(), 0.0, 0.0)[:3]
    return x, y, z


@dataclass(frozen=True)
class Anchor:
    """Memory that sticks: below stiction the surfaces stand, after a small elastic presliding.

    The anchor's stiffness under a normal force N is about 4 mu N/presliding. Under its own weight a body vibrates on it
    with the angular frequency sqrt(4 mu g/presliding), whatever its mass: 2000 rad/s with the default. The step must
    resolve that; `design.stable_anchor_step` gives the limit.

    Attributes:
        presliding: way in m (or rad) at which stiction is reached and the anchor begins to be dragged along.
        tau: damping time of the anchor in s; 0 leaves it undamped.
    """

    presliding: float = 5e-6
    tau: float = 1e-4

    def __post_init__(self) -> None:
        positive("presliding", self.presliding)
        not_negative("tau", self.tau)

    def row(self, c: float, v_c: float, delta: float, v_s: float, d: float) -> NDArray[np.float64]:
        """Numbers of an anchored friction row after its kind, for the amplitudes and speeds of a friction law.

        Without a Stribeck part the hyperbolic tangent is raised so that it has its amplitude at the peak.
        """
        if delta <= 0.0:
            peak, c, delta = PLAIN_PEAK * v_c, c / math.tanh(PLAIN_PEAK), 0.0
        else:
            peak = _peak(c, v_c, delta, v_s)
        return np.array((c, v_c, delta, v_s, d, peak, self.presliding, peak / self.presliding, self.tau))


def _peak(c: float, v_c: float, delta: float, v_s: float) -> float:
    """Speed in m/s at which Coulomb and Stribeck part together are largest; at or a little above v_s."""
    low, high = v_s, 4.0 * v_s
    for _ in range(80):
        w = 0.5 * (low + high)
        y = w / v_s
        slope = c / v_c / math.cosh(min(w / v_c, 300.0)) ** 2 + delta / v_s * (1.0 - y * y) * math.exp(
            0.5 - 0.5 * y * y
        )
        low, high = (w, high) if slope > 0.0 else (low, w)
    return 0.5 * (low + high)


def anchored_force(row: ArrayLike, normal: float, z: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
    """Friction force in N of an anchored row at an anchor z in m and a sliding velocity v in m/s, by component."""
    parts = anchor_pull(np.asarray(row, float), float(normal), 1.0, _triple(z), _triple(v))
    return np.array(parts[: np.atleast_1d(v).size])


def moved_anchor(row: ArrayLike, z: ArrayLike, way: ArrayLike) -> NDArray[np.float64]:
    """The anchor in m after a straight way in m, per component of the way."""
    parts = anchor_flow(float(np.asarray(row, float)[LIMIT]), _triple(z), _triple(way))
    return np.array(parts[: np.atleast_1d(way).size])
