"""The rigid machine: two links, each cylinder closing a loop by the law of cosines.

Angles are absolute: phi of the main arm, alpha of the knuckle arm, in rad from the x axis. A cylinder between P and Q
about a pivot has c^2 = a^2 + b^2 - 2 a b cos(gamma) and the lever dc/dgamma = a b sin(gamma)/c.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from .machine import Machine

Vector = NDArray[np.float64]


def along(angle: float) -> Vector:
    """Unit vector at an angle in rad."""
    return np.array([math.cos(angle), math.sin(angle)])


def cross(a: Vector, b: Vector) -> float:
    """The planar cross product a_x b_z - a_z b_x: moment of a force b at a, about -y."""
    return float(a[0] * b[1] - a[1] * b[0])


@dataclass(frozen=True)
class Loop:
    """A triangle of pivot, cylinder foot and cylinder head.

    Attributes:
        name: of the cylinder. a, b: distances of foot and head from the pivot, in m.
    """

    name: str
    a: float
    b: float

    def length(self, gamma: float) -> float:
        """Length in m of the cylinder at the included angle gamma in rad."""
        return math.sqrt(self.a**2 + self.b**2 - 2.0 * self.a * self.b * math.cos(gamma))

    def angle(self, length: float) -> float:
        """Included angle in rad at a length in m."""
        low = abs(self.a - self.b)
        high = self.a + self.b
        if not low <= length <= high:
            raise ParameterError(
                f"the loop of the {self.name} cylinder closes for lengths from {low:.4g} m to {high:.4g} m, "
                f"got {length:.6g} m"
            )
        return math.acos(min(max((self.a**2 + self.b**2 - length**2) / (2.0 * self.a * self.b), -1.0), 1.0))

    def lever(self, gamma: float) -> float:
        """dc/dgamma in m."""
        return self.a * self.b * math.sin(gamma) / self.length(gamma)


@dataclass(frozen=True)
class TwoLink:
    """Kinematics of the rigid machine."""

    machine: Machine

    @cached_property
    def loops(self) -> tuple[Loop, Loop]:
        """Loop of the main cylinders about O, and of the knuckle cylinder about E."""
        m = self.machine
        back = (m.c[0] - m.main.length, m.c[1])
        return (Loop("main", math.hypot(*m.a), math.hypot(*m.b)), Loop("knuckle", math.hypot(*back), math.hypot(*m.d)))

    @cached_property
    def _offsets(self) -> tuple[float, float]:
        """gamma_1 - phi, and gamma_2 - (phi - alpha), in rad."""
        m = self.machine
        first = math.atan2(m.b[1], m.b[0]) - math.atan2(m.a[1], m.a[0])
        second = math.atan2(m.c[1], m.c[0] - m.main.length) - math.atan2(m.d[1], m.d[0])
        return first, second

    def included(self, phi: float, alpha: float) -> tuple[float, float]:
        """Included angles of both loops in rad."""
        first, second = self._offsets
        return phi + first, phi - alpha + second

    def lengths(self, phi: float, alpha: float) -> tuple[float, float]:
        """c1 and c2 in m at a pose."""
        g1, g2 = self.included(phi, alpha)
        return self.loops[0].length(g1), self.loops[1].length(g2)

    def angles(self, c1: float, c2: float) -> tuple[float, float]:
        """phi and alpha in rad at the lengths of both cylinders."""
        first, second = self._offsets
        phi = self.loops[0].angle(c1) - first
        return phi, phi + second - self.loops[1].angle(c2)

    def levers(self, phi: float, alpha: float) -> tuple[float, float]:
        """h1 = dc1/dphi and h2 = dc2/dalpha in m."""
        g1, g2 = self.included(phi, alpha)
        return self.loops[0].lever(g1), -self.loops[1].lever(g2)

    def elbow(self, phi: float) -> Vector:
        """E in m."""
        return self.machine.main.length * along(phi)

    def tip(self, phi: float, alpha: float) -> Vector:
        """T in m."""
        return self.elbow(phi) + self.machine.knuckle.length * along(alpha)

    def reach(self, point: Vector) -> tuple[float, float]:
        """phi and alpha in rad that bring T to a point, elbow up and outside."""
        a = self.machine.main.length
        b = self.machine.knuckle.length
        far = math.hypot(*point)
        if not abs(a - b) < far < a + b:
            raise ParameterError(
                f"the rake reaches points {abs(a - b):g} m to {a + b:g} m from the base pin, got {far:.4g} m"
            )
        phi = math.atan2(point[1], point[0]) + math.acos((a * a + far * far - b * b) / (2.0 * a * far))
        rest = point - self.elbow(phi)
        return phi, math.atan2(rest[1], rest[0])

    def moments(self, phi: float, alpha: float, g: float) -> tuple[float, float]:
        """M_O and M_E in N m: what gravity asks of the cylinders about O and E."""
        m = self.machine
        outer = 0.5 * m.knuckle.mass * m.knuckle.length + m.rake_mass * (m.knuckle.length - m.rake_back)
        knuckle = g * math.cos(alpha) * outer
        carried = 0.5 * m.main.mass + m.knuckle.mass + m.rake_mass
        return g * carried * m.main.length * math.cos(phi) + knuckle, knuckle

    def forces(self, phi: float, alpha: float, g: float) -> tuple[float, float]:
        """F1 and F2 in N that hold the machine without contact."""
        (m_o, m_e) = self.moments(phi, alpha, g)
        (h1, h2) = self.levers(phi, alpha)
        return m_o / h1, m_e / h2
