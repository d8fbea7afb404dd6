"""Friction that sticks: an anchor between the surfaces, stretched by their sliding displacement up to a limit.

In stick, the dissipation function of the thesis becomes a potential of the anchor's displacement z (in m):
psi(z) = (D(kappa |z|) - D(0))/kappa, per unit of normal force. With phi = psi' (the Coulomb and Stribeck parts of
(2.14), flat beyond their peak) and e = z/|z|, the law is

    F  = N (1 - alpha delta(u)) phi(kappa (z + tau v)) + a d v,     u = max(e v, 0)
    z' = v - alpha u e,        alpha = 0 up to 0.98 of the limit, rising to 1 at the limit
    delta(u) = 1 - phi(w_p + u)/phi(w_p): how far sliding friction falls below stiction, w_p being the peak speed.

With a lag, sliding friction follows the speed over a distance: the force is N phi(kappa (z + tau z'_+)) + a d v, and
what falls with the speed is the stretch r(u) at which the anchor is dragged, phi(r(u)) = (1 - delta(u)) phi(limit).
alpha then rises from 0 at r(u) - lag to 1 at r(u), and on beyond it; z'_+ = v - min(alpha, 1) u e.

The normal law is evaluated at the distance s - psi(z). U(s - psi) is then a common potential of the normal force and of
the anchor, and the law supplies no energy under any load. docs/anchored_friction.md has the proof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, UnknownNameError, not_negative, positive
from ...kernel import kernel
from ...numerics.vectors import Triple, dot, minus, norm, plus, times
from ..function_pointer import USER_LAW, call_at
from ..smooth import log_cosh_at
from .stribeck import Stribeck

ELASTIC = 0.98
"""Fraction of its limit up to which an anchor is elastic."""

NEWTON_STEPS = 60
"""Most steps of Newton's method in the search of a stretch; a few do unless friction falls by next to nothing."""

FAR_DRAGGED = 40.0
"""Way over limit beyond which a dragged anchor points along it, and is as long as its limit, to round-off."""
ROUND_OFF = 1e-14
"""Fraction of the grip to which that search is exact."""

PLAIN_PEAK = 4.0
"""Peak speed of a law without stiction, in units of v_c: beyond it the hyperbolic tangent is flat."""


EXACT, THESIS = STICTIONS = ("exact", "thesis")
"""What the stiction amplitude of a law with a Stribeck part means to an anchor: see `Anchor`."""


class AnchorNumbers(NamedTuple):
    """An anchored friction law as the kernels read it.

    Attributes:
        c, v_c, delta, v_s, d: the curve, as in `Stribeck`. peak: speed of its peak, in m/s.
        limit: stretch of the anchor in m (or rad) at which it yields. kappa: peak over limit, in 1/s. tau: in s.
        lag: sliding distance in m over which friction follows the speed; 0 follows at once.
    """

    c: float
    v_c: float
    delta: float
    v_s: float
    d: float
    peak: float
    limit: float
    kappa: float
    tau: float
    lag: float


ANCHOR = np.dtype([*((name, np.float64) for name in AnchorNumbers._fields), ("user", USER_LAW)])
"""Slot of an anchored law in a record; a dragged anchor falls below stiction as the law in its slot `user` does."""


@kernel
def curve(p: Any, w: float) -> float:
    """Coulomb and Stribeck parts of (2.14) at a shifted speed w, per unit of normal force."""
    coulomb = p.c * np.tanh(w / p.v_c)
    if p.delta == 0.0:
        return coulomb
    y = w / p.v_s
    return coulomb + p.delta * y * np.exp(0.5 - 0.5 * y * y)


@kernel
def grip(p: Any, stretch: float) -> float:
    """phi at an anchor stretched by a distance in m: friction force per unit of normal force, flat beyond the limit."""
    return curve(p, min(p.kappa * stretch, p.peak))


@kernel
def grip_slope(p: Any, stretch: float) -> float:
    """Derivative of `grip` with respect to the stretch, in 1/m."""
    w = p.kappa * stretch
    if w >= p.peak:
        return 0.0
    y = w / p.v_s
    e = np.exp(-2.0 * w / p.v_c)
    rise = p.c * 4.0 * e / ((1.0 + e) ** 2 * p.v_c)
    return p.kappa * (rise + p.delta * (1.0 - y * y) * np.exp(0.5 - 0.5 * y * y) / p.v_s)


@kernel
def anchor_potential(p: Any, stretch: float) -> float:
    """psi in m (J per N of normal force): the integral of `grip` over the stretch."""
    w = p.kappa * stretch
    coulomb = p.c * p.v_c * log_cosh_at(w / p.v_c) / p.kappa
    if p.delta == 0.0:
        return coulomb
    y = w / p.v_s
    return coulomb - p.delta * p.v_s * np.exp(0.5) * np.expm1(-0.5 * y * y) / p.kappa


@kernel
def yielding(p: Any, stretch: float) -> float:
    """alpha: fraction of an outward motion to which the anchor yields."""
    start = ELASTIC * p.limit
    return min(max((stretch - start) / (p.limit - start), 0.0), 1.0)


@kernel
def fall(p: Any, u: float) -> float:
    """delta: how far friction at the sliding speed u is below stiction, 0 to 1."""
    if u <= 0.0:
        return 0.0
    if p.user.force != 0:
        numbers = p.user.numbers.ctypes.data
        sliding = call_at(p.user.force, p.peak + u, 1.0, numbers)
        return min(max(1.0 - sliding / call_at(p.user.force, p.peak, 1.0, numbers), 0.0), 1.0)
    if p.delta == 0.0:
        return 0.0
    return min(max(1.0 - curve(p, p.peak + u) / curve(p, p.peak), 0.0), 1.0)


@kernel
def dragged_stretch(p: Any, u: float) -> float:
    """r(u): stretch in m at which an anchor with a lag grips as sliding at the speed u does.

    `grip` is concave, so Newton's method from 0 rises to the solution and cannot pass it.
    """
    lost = fall(p, u)
    if lost == 0.0:
        return float(p.limit)
    sliding = (1.0 - lost) * grip(p, p.limit)
    stretch = 0.0
    for _ in range(NEWTON_STEPS):
        missing = sliding - grip(p, stretch)
        if missing <= ROUND_OFF * sliding:
            break
        stretch += missing / grip_slope(p, stretch)
    return min(stretch, p.limit)


@kernel
def elastic_range(p: Any, u: float) -> tuple[float, float]:
    """Stretches in m at which an anchor begins to yield and at which it is dragged, at the outward speed u."""
    if p.lag == 0.0:
        return ELASTIC * p.limit, float(p.limit)
    limit = dragged_stretch(p, u)
    return max(limit - p.lag, (1.0 - ELASTIC) * limit), limit


@kernel
def outward_speed(z: Triple, v: Triple) -> float:
    """u = max(e v, 0) in m/s: how fast the surfaces stretch an anchor z."""
    r = norm(z)
    return norm(v) if r == 0.0 else max(dot(z, v) / r, 0.0)


@kernel
def yielding_at(p: Any, stretch: float, u: float) -> float:
    """alpha at an outward speed u; above 1 where an anchor with a lag is stretched further than that speed allows."""
    if p.lag == 0.0:
        return yielding(p, stretch)
    start, limit = elastic_range(p, u)
    return max((stretch - start) / (limit - start), 0.0)


@kernel
def moved_on(p: Any, z: Triple, v: Triple, displacement: Triple) -> Triple:
    """The anchor z after a straight displacement in m, at the end of which the sliding velocity is v."""
    if p.lag == 0.0:
        return anchor_flow(p.limit, z, displacement)
    start, limit = elastic_range(p, outward_speed(z, v))
    return flow_between(start, limit, z, displacement)


@kernel
def anchor_flow(limit: float, z: Triple, displacement: Triple) -> Triple:
    """The anchor z without a lag after a straight displacement, both in m."""
    return flow_between(ELASTIC * limit, limit, z, displacement)


@kernel
def flow_between(start: float, limit: float, z: Triple, displacement: Triple) -> Triple:
    """The anchor z after a straight displacement, both in m: the exact flow of z' = v - alpha u e, however far.

    It follows the displacement until it points outward beyond its elastic range; then it is dragged. alpha rises from 0
    at the stretch `start` to 1 at `limit`.
    """
    moved = plus(z, displacement)
    if dot(z, z) <= start * start and dot(moved, moved) <= start * start:
        return moved
    length = norm(displacement)
    if length == 0.0:
        return z
    direction = displacement[0] / length, displacement[1] / length, displacement[2] / length
    along = dot(z, direction)
    apart = max(dot(z, z) - along * along, 0.0)
    free = max(-along, 0.0)
    if apart < start * start:
        free = max(np.sqrt(start * start - apart) - along, free)
    if length <= free:
        return moved
    return dragged_anchor(start, limit, plus(z, times(free, direction)), direction, (length - free) / limit)


@kernel
def dragged_anchor(start: float, limit: float, z: Triple, direction: Triple, angle: float) -> Triple:
    """The anchor after being dragged along a direction by `angle` times its limit, from z beyond its elastic range.

    Its stretch r and its angle to the direction follow from r' = (1 - alpha) cos and angle' = -sin/limit. A change of
    the angle takes no energy, because grip acts along z. With the limit in place of r there is this closed form.
    """
    if angle > FAR_DRAGGED:
        return times(limit, direction)
    r = norm(z)
    cosine = min(max(dot(z, direction) / r, 0.0), 1.0)
    side = minus((z[0] / r, z[1] / r, z[2] / r), times(cosine, direction))
    if norm(side) < 1e-12:
        turned = 1.0
        across = 0.0
        growth = angle
        side = (0.0, 0.0, 0.0)
    else:
        e = np.exp(-2.0 * angle)
        spread = 0.5 * ((1.0 + cosine) + (1.0 - cosine) * e)
        turned = ((1.0 + cosine) - (1.0 - cosine) * e) / (2.0 * spread)
        across = np.exp(-angle) / spread
        growth = angle + np.log(spread)
    r = limit - (limit - r) * np.exp(-growth * limit / (limit - start))
    return times(r, plus(times(turned, direction), times(across, side)))


@kernel
def anchor_rate(p: Any, z: Triple, v: Triple) -> tuple[float, float, float, float]:
    """Components of z' in m/s, and psi' in m/s, at an anchor z and a sliding velocity v."""
    r = norm(z)
    if r == 0.0:
        return v[0], v[1], v[2], 0.0
    outward = dot(z, v) / r
    u = max(outward, 0.0)
    lost = yielding_at(p, r, u) * u / r
    return v[0] - lost * z[0], v[1] - lost * z[1], v[2] - lost * z[2], grip(p, r) * (outward - lost * r)


@kernel
def easing(p: Any, z: Triple, v: Triple) -> float:
    """Factor, 0 to 1, by which an anchor z that yields pulls less than stiction at the sliding velocity v.

    It is 1 for an anchor with a lag, whose stretch falls instead.
    """
    if p.lag > 0.0:
        return 1.0
    r = norm(z)
    alpha = yielding(p, r)
    return 1.0 - alpha * fall(p, dot(z, v) / r) if alpha > 0.0 else 1.0


@kernel
def damping_velocity(p: Any, z: Triple, v: Triple) -> Triple:
    """Velocity in m/s that the damping time multiplies: that of sliding; with a lag, that of the anchor alone."""
    r = norm(z)
    if p.lag == 0.0 or r == 0.0:
        return v
    u = max(dot(z, v) / r, 0.0)
    return minus(v, times(min(yielding_at(p, r, u), 1.0) * u / r, z))


@kernel
def eased_pull(p: Any, n: float, a: float, z: Triple, v: Triple, ease: float) -> Triple:
    """`anchor_pull` with a given factor, see `easing`."""
    shifted = plus(z, times(p.tau, damping_velocity(p, z, v)))
    stretch = norm(shifted)
    per_stretch = grip(p, stretch) / stretch if stretch > 1e-12 * p.limit else grip_slope(p, 0.0)
    return plus(times(ease * per_stretch * n, shifted), times(a * p.d, v))


@kernel
def anchor_pull(p: Any, n: float, a: float, z: Triple, v: Triple) -> Triple:
    """Friction force in N against the sliding velocity v, for an anchor z, normal force n and activation a."""
    return eased_pull(p, n, a, z, v, easing(p, z, v))


@kernel
def carried_anchor(p: Any, then: Triple, v: Triple, displacement: Triple, h: float) -> tuple[Triple, float, float]:
    """The anchor after a displacement in m, its potential psi in m, and psi' in m/s if no time has passed."""
    z = moved_on(p, then, v, displacement)
    rate = anchor_rate(p, z, v)[3] if h == 0.0 else 0.0
    return z, anchor_potential(p, norm(z)), rate


def _triple(vector: ArrayLike) -> Triple:
    """A scalar or a vector of up to three components as a triple."""
    numbers = np.atleast_1d(np.asarray(vector, float))
    x, y, z = (*numbers.tolist(), 0.0, 0.0)[:3]
    return x, y, z


@dataclass(frozen=True)
class Anchor:
    """Memory that sticks: below stiction the surfaces stay at rest, after a small elastic presliding.

    The anchor's stiffness under a normal force N is about 4 mu N/presliding. Under its own weight a body
    vibrates on it with the angular frequency sqrt(4 mu g/presliding), whatever its mass: 2000 rad/s with the default.
    The step must resolve this vibration; `design.stable_anchor_step` gives the limit.

    Attributes:
        presliding: displacement in m (or rad) at which stiction is reached and the anchor begins to be dragged.
        tau: damping time of the anchor, in s; 0 means no damping.
        lag: sliding distance in m, at most `presliding`, over which friction follows a change of the sliding speed;
            with 0 it follows at once. With a lag the break-away force falls with the rate of the load. An
            evaluation costs more, and under vibration the anchor is dragged at less than stiction.
        stiction: "exact" lets the anchor yield at the stiction amplitude of the law (mu_s, f_s). "thesis" takes the
            curve (2.14) as it is printed, whose sum of Coulomb and Stribeck parts peaks above it (erratum E19).
    """

    presliding: float = 5e-6
    tau: float = 1e-4
    lag: float = 0.0
    stiction: str = EXACT

    def __post_init__(self) -> None:
        positive("presliding", self.presliding)
        not_negative("tau", self.tau)
        not_negative("lag", self.lag)
        if self.lag > self.presliding:
            raise ParameterError(
                f"lag must not exceed presliding, got lag={self.lag:g} m and presliding={self.presliding:g} m"
            )
        if self.stiction not in STICTIONS:
            raise UnknownNameError("stiction", str(self.stiction), STICTIONS)

    def fill(self, slot: Any, law: Stribeck) -> None:
        """Write the anchored law for a friction curve into its slot."""
        numbers = self.numbers(law)
        for name in AnchorNumbers._fields:
            slot[name] = getattr(numbers, name)

    def numbers(self, law: Stribeck) -> AnchorNumbers:
        """The anchored law for a friction curve.

        Without a Stribeck part, the hyperbolic tangent is scaled to reach its amplitude at the peak.
        """
        if self.stiction == EXACT:
            law = law._replace(delta=exact_delta(law))
        c = law.c
        delta = law.delta
        if delta <= 0.0:
            peak = PLAIN_PEAK * law.v_c
            c = c / math.tanh(PLAIN_PEAK)
            delta = 0.0
        else:
            peak = _peak(law)
        return AnchorNumbers(
            c, law.v_c, delta, law.v_s, law.d, peak, self.presliding, peak / self.presliding, self.tau, self.lag
        )  # fmt: skip


def _peak(p: Stribeck) -> float:
    """Speed in m/s at which the sum of the Coulomb and Stribeck parts is largest; at or slightly above v_s."""
    low = p.v_s
    high = 4.0 * p.v_s
    for _ in range(80):
        w = 0.5 * (low + high)
        y = w / p.v_s
        coulomb = p.c / p.v_c / math.cosh(min(w / p.v_c, 300.0)) ** 2
        slope = coulomb + p.delta / p.v_s * (1.0 - y * y) * math.exp(0.5 - 0.5 * y * y)
        if slope > 0.0:
            low = w
        else:
            high = w
    return 0.5 * (low + high)


def exact_delta(law: Stribeck) -> float:
    """Amplitude of the Stribeck part with which the whole curve peaks at the stiction amplitude; 0 if there is none.

    The peak is a convex function of the amplitude, so Newton's method from above approaches it from one side.
    """
    if law.delta <= 0.0:
        return 0.0
    stiction = law.c * math.tanh(law.v_s / law.v_c) + law.delta
    if stiction <= law.c * (1.0 + 1e-9):
        return 0.0
    delta = law.delta
    for _ in range(50):
        w = _peak(law._replace(delta=delta))
        y = w / law.v_s
        bell = y * math.exp(0.5 - 0.5 * y * y)
        change = (stiction - law.c * math.tanh(w / law.v_c)) / bell - delta
        delta += change
        if abs(change) <= 1e-15 * stiction:
            break
    return delta


def anchored_force(p: Any, normal: float, z: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
    """Friction force in N of an anchored law's slot at an anchor z in m and a sliding velocity v in m/s."""
    parts = anchor_pull(p, float(normal), 1.0, _triple(z), _triple(v))
    return np.array(parts[: np.atleast_1d(v).size])


def moved_anchor(p: Any, z: ArrayLike, displacement: ArrayLike) -> NDArray[np.float64]:
    """Components in m of the anchor after a straight displacement in m, for an anchored law's slot."""
    parts = anchor_flow(float(p["limit"]), _triple(z), _triple(displacement))
    return np.array(parts[: np.atleast_1d(displacement).size])
