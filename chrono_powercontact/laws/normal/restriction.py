"""Normal force from a restriction function: smooth, bounded, never adhesive, and breakable.

R(s, v) = R_a(s) R_p(v) (3.1): an activation that depends on the distance s, times a power function of the normal speed
v. The force is its derivative with respect to v (3.12). Distances are measured from the object's centre to the
constraint plane; v < 0 approaches.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, finite, not_negative, positive
from ...kernel import FloatArray, kernel
from ..smooth import falling_step, log_cosh, soft_plus
from .normal_law import LARGEST, NormalLaw

RIGID = LARGEST
"""Represents an infinite steepness."""

ELASTIC = 1e-300
"""Represents r_d = 0 where r_d is a divisor."""

OUT_OF_REACH = 15.0
"""r_t (s - r_c) beyond which a contact is not evaluated: its activation is below 1e-13 there."""


@kernel
def activation(s: FloatArray, r_t: FloatArray, r_c: FloatArray) -> FloatArray:
    """R_a(s) = (1 - tanh(r_t (s - r_c)))/2, between 0 and 1 (3.2)."""
    return falling_step(r_t * (s - r_c))


@kernel
def activation_integral(s: FloatArray, r_t: FloatArray, r_c: FloatArray) -> FloatArray:
    """I(s) = integral of R_a from s to infinity, in m."""
    return soft_plus(-2.0 * r_t * (s - r_c)) / (2.0 * r_t)


@kernel
def resistance(v: FloatArray, r_f: FloatArray, r_d: FloatArray, loss: FloatArray) -> FloatArray:
    """F_c(v) = r_f (1 - loss tanh(r_d v))/2 in N, the derivative of the power function; (3.6) has the loss 1."""
    return r_f * (0.5 * (1.0 - loss) + loss * falling_step(r_d * v))


@kernel
def power_function(v: FloatArray, r_f: FloatArray, r_d: FloatArray, loss: FloatArray) -> FloatArray:
    """R_p(v) = r_f (v/2 - loss log cosh(r_d v)/(2 r_d)) in W; (3.6) and its limits (3.7), (3.8) have the loss 1."""
    return 0.5 * r_f * (v - loss * log_cosh(r_d * v) / r_d)


@kernel
def restriction_activation(s: FloatArray, p: Any) -> FloatArray:
    """Fraction of the barrier that is active at distance s: (3.2), or (3.21) if it has a back side."""
    front = activation(s, p.r_t, p.r_c)
    if p.r_c_back == -np.inf:
        return front
    return front - activation(s, p.r_t_back, p.r_c_back)


@kernel
def restriction_force(s: FloatArray, v: FloatArray, p: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Normal force in N (3.12), its elastic part in N, and the activation."""
    a = restriction_activation(s, p)
    return a * resistance(v, p.r_f, p.r_d, p.loss), 0.5 * a * p.r_f, a


@kernel
def restriction_potential(s: FloatArray, p: Any) -> FloatArray:
    """Energy in J stored in the contact: r_f/2 times the integral of the activation."""
    reach = activation_integral(s, p.r_t, p.r_c)
    if p.r_c_back != -np.inf:
        reach = reach - activation_integral(s, p.r_t_back, p.r_c_back)
    return 0.5 * p.r_f * reach


@kernel
def restriction_response(s: float, v: float, p: Any) -> tuple[float, float, float, float, float]:
    """Normal force in N, its elastic part in N, the activation, and the slopes of `restriction_slopes`."""
    front = activation(s, p.r_t, p.r_c)
    a = front
    slope = -2.0 * p.r_t * front * (1.0 - front)
    if p.r_c_back != -np.inf:
        back = activation(s, p.r_t_back, p.r_c_back)
        a = front - back
        slope = slope + 2.0 * p.r_t_back * back * (1.0 - back)
    falling = falling_step(p.r_d * v)
    by_v = -2.0 * p.r_d * p.r_f * a * p.loss * falling * (1.0 - falling)
    strength = p.r_f * (0.5 * (1.0 - p.loss) + p.loss * falling)
    return a * strength, 0.5 * a * p.r_f, a, strength * slope, by_v


@kernel
def restriction_slopes(s: float, v: float, p: Any) -> tuple[float, float]:
    """Derivatives of the force with respect to distance, in N/m, and normal speed, in N s/m."""
    return restriction_response(s, v, p)[3:]


class RestrictionLaw(NormalLaw):
    """Base class of all restrictions: (3.1) with the activation of a front side and, if finite, of a back side."""

    family: ClassVar[str] = "restriction"
    fields: ClassVar[tuple[str, ...]] = ("r_t", "r_c", "r_f", "r_d", "r_t_back", "r_c_back", "loss")
    r_f: float
    r_d: float

    @property
    def loss(self) -> float:
        """Largest damping force as a fraction of the elastic one, 0 to 1."""
        return 1.0

    @property
    @abstractmethod
    def r_t(self) -> float:
        """Steepness of the activation in 1/m (3.3)."""

    @property
    @abstractmethod
    def r_c(self) -> float:
        """Offset of the activation in m (3.4)."""

    @property
    def r_t_back(self) -> float:
        """Steepness of the back side in 1/m; unused if there is none."""
        return 1.0

    @property
    def r_c_back(self) -> float:
        """Offset of the back side in m; minus infinity if there is none."""
        return -math.inf

    @property
    def reach(self) -> float:
        """Gap in m beyond s_0 up to which the law acts: beyond it the activation is below 1e-13."""
        return OUT_OF_REACH / self.r_t + self.r_c - self.s_0

    def activation(self, s: ArrayLike) -> NDArray[np.float64]:
        """Fraction of the barrier that is active at distance s in m: (3.2), or (3.21) for a finite barrier."""
        return np.asarray(restriction_activation.py_func(np.asarray(s, float), self))

    def power(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Restriction function R(s, v) in W (3.9), (3.24)."""
        damping = max(min(self.r_d, RIGID), ELASTIC)
        return self.activation(s) * power_function.py_func(np.asarray(v, float), self.r_f, damping, self.loss)

    def force(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Normal force in N at distance s in m and normal speed v in m/s (3.12)."""
        return self.activation(s) * resistance.py_func(np.asarray(v, float), self.r_f, min(self.r_d, RIGID), self.loss)

    def potential(self, s: ArrayLike) -> NDArray[np.float64]:
        """Energy U(s) in J stored in the contact: r_f/2 times the integral of the activation."""
        return np.asarray(restriction_potential.py_func(np.asarray(s, float), self))

    def dissipated_power(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Power in W that the contact dissipates, never negative: (r_f/2) R_a loss v tanh(r_d v)."""
        v = np.asarray(v, float)
        return 0.5 * self.r_f * self.loss * self.activation(s) * v * np.tanh(min(self.r_d, RIGID) * v)


def check_fraction(r_a: float) -> None:
    """Raise unless r_a lies between 0 and 1."""
    if not 0.0 < finite("r_a", r_a) < 1.0:
        raise ParameterError(f"r_a must lie between 0 and 1, got {r_a:g}")


def check_strength(r_f: float, r_d: float) -> None:
    """Raise unless a force limit in N and a dissipation in s/m are not negative; the latter may be infinite."""
    not_negative("r_f", r_f)
    if r_d != math.inf:
        not_negative("r_d", r_d)


def steepness(width: float, r_a: float) -> float:
    """Steepness in 1/m of an activation that rises over a width in m (3.3), (3.22); that of a jump for no width."""
    return 2.0 / width * math.atanh(r_a) if width > 0.0 else RIGID


class SmoothRestriction(RestrictionLaw):
    """Base class of the restrictions whose activation rises smoothly between two distances s_0 and s_c, in m."""

    s_c: float
    r_a: float

    def check(self) -> None:
        """Raise unless the parameters are allowed."""
        finite("s_0", self.s_0)
        finite("s_c", self.s_c)
        self._check_order()
        check_fraction(self.r_a)
        check_strength(self.r_f, self.r_d)

    def _check_order(self) -> None:
        """Raise unless the activation rises from s_0 to s_c."""
        if not self.s_c < self.s_0:
            raise ParameterError(f"s_c must be less than s_0, got s_c={self.s_c:g} and s_0={self.s_0:g}")

    @property
    def r_t(self) -> float:
        """Steepness of the activation in 1/m (3.3)."""
        return steepness(self.s_0 - self.s_c, self.r_a)

    @property
    def r_c(self) -> float:
        """Offset of the activation in m (3.4)."""
        return 0.5 * (self.s_0 + self.s_c)

    @property
    def stiffness(self) -> float:
        """Largest local stiffness r_f r_t/4 of the elastic part, in N/m."""
        return 0.25 * self.r_f * self.r_t

    def rest_distance(self, load: float) -> float:
        """Distance in m at which the contact carries a load in N at rest."""
        if not 0.0 < load < 0.5 * self.r_f:
            raise ParameterError(f"load must lie between 0 and r_f/2 = {0.5 * self.r_f:g} N, got {load:g}")
        fraction = 2.0 * load / self.r_f
        return self.r_c + math.log((1.0 - fraction) / fraction) / (2.0 * self.r_t)


@dataclass(frozen=True)
class Restriction(SmoothRestriction):
    """Unilateral contact with a restriction function (3.9).

    Attributes:
        s_0: distance at which object and barrier begin to touch, in m.
        s_c: distance at which the activation is complete, in m; less than s_0.
        r_f: largest force that the barrier can exert, in N.
        r_d: dissipation, in s/m; 0 is elastic (3.11), infinity is plastic (3.10).
        r_a: fraction of the activation that lies between s_0 and s_c; in (0, 1).
    """

    s_0: float
    s_c: float
    r_f: float
    r_d: float
    r_a: float = 0.99

    def __post_init__(self) -> None:
        self.check()

    @classmethod
    def from_steepness(cls, r_t: float, r_c: float, r_f: float, r_d: float, r_a: float = 0.99) -> Restriction:
        """The law with a given steepness r_t in 1/m and offset r_c in m: (3.3) and (3.4) solved for s_0, s_c."""
        check_fraction(r_a)
        half = math.atanh(r_a) / positive("r_t", r_t)
        return cls(r_c + half, r_c - half, r_f, r_d, r_a)


@dataclass(frozen=True)
class RigidRestriction(RestrictionLaw):
    """The limit s_c -> s_0: the activation jumps at s_0 (3.5). No static contact is possible.

    Attributes:
        s_0: distance at which object and barrier touch, in m.
        r_f: largest force that the barrier can exert, in N.
        r_d: dissipation, in s/m.
    """

    s_0: float
    r_f: float
    r_d: float

    def __post_init__(self) -> None:
        finite("s_0", self.s_0)
        check_strength(self.r_f, self.r_d)

    @property
    def r_t(self) -> float:
        """A steepness that represents infinity."""
        return RIGID

    @property
    def r_c(self) -> float:
        """The jump is at s_0."""
        return self.s_0

    def activation(self, s: ArrayLike) -> NDArray[np.float64]:
        """1 below s_0, 0 above it, one half at s_0 (3.5)."""
        return np.asarray(np.heaviside(self.s_0 - np.asarray(s, float), 0.5))


@dataclass(frozen=True)
class Barrier(Restriction):
    """A wall of finite thickness that a fast object breaks through (3.21)-(3.24).

    If its two sides differ in steepness it can pull slightly outside s_0, by less than (1 - r_a)/2 of r_f. Either side
    may be rigid (3.25): s_c = s_0 in front, s_c_back = s_0 - thickness behind.

    Attributes:
        thickness: s_Delta in m; the back side ends at s_0 - thickness.
        s_c_back: distance at which the back side begins to release, in m; at least s_0 - thickness.
    """

    thickness: float = 0.0
    s_c_back: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("thickness", self.thickness)
        finite("s_c_back", self.s_c_back)
        if not self.s_0_back <= self.s_c_back < self.s_c:
            raise ParameterError(
                f"s_c_back must lie between s_0 - thickness = {self.s_0_back:g} and s_c = {self.s_c:g}, "
                f"got {self.s_c_back:g}: the activation would not rise and fall once"
            )

    def _check_order(self) -> None:
        if not self.s_c <= self.s_0:
            raise ParameterError(f"s_c must not exceed s_0, got s_c={self.s_c:g} and s_0={self.s_0:g}")

    @property
    def s_0_back(self) -> float:
        """Distance at which the object has left the wall, in m (3.23)."""
        return self.s_0 - self.thickness

    @property
    def r_t_back(self) -> float:
        """Steepness of the back side in 1/m, positive (3.22)."""
        return steepness(self.s_c_back - self.s_0_back, self.r_a)

    @property
    def r_c_back(self) -> float:
        """Offset of the back side in m (3.23)."""
        return 0.5 * (self.s_0_back + self.s_c_back)
