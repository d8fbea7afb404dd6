"""Pressing force and friction from the two cylinder forces: a virtual sensor, and the coefficient that it identifies.

Balance of moments of the rigid machine about O and about the elbow E (N along n, F_t along t at the scraper T):

    F1 h1 + N (T x n) + F_t (T x t) = M_O,    F2 h2 + N ((T - E) x n) + F_t ((T - E) x t) = M_E

Two measured forces give N and F_t, and while the rake slides up mu = -F_t/N. The lengths are those of the cylinders as
they are, l = c - F/k: a millimetre of bearing compression turns the arms enough to matter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..machine.machine import GRAVITY, Machine, Rack
from ..machine.two_link import TwoLink, cross

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Balance:
    """Forces of cylinders and scraper as two linear equations: levers [F1 F2] + arms [N F_t] = moments.

    Attributes:
        levers: h1 and h2 in m. arms: of N and F_t about O and about E, in m. moments: M_O and M_E in N m.
    """

    levers: Array
    arms: Array
    moments: Array

    def contact(self, forces: Array) -> Array:
        """N and F_t in N from F1 and F2 in N."""
        return np.asarray(np.linalg.solve(self.arms, self.moments - self.levers * forces), float)

    def cylinders(self, contact: Array) -> Array:
        """F1 and F2 in N from N and F_t in N."""
        return (self.moments - self.arms @ contact) / self.levers


@dataclass(frozen=True)
class Sensor:
    """Reads the contact off the cylinders of a machine that works on a rack."""

    machine: Machine
    rack: Rack

    def balance(self, lengths: Array) -> Balance:
        """The balance at actual lengths in m of both cylinder lines."""
        two = TwoLink(self.machine)
        phi, alpha = two.angles(float(lengths[0]), float(lengths[1]))
        tip = two.tip(phi, alpha)
        n = self.rack.normal
        t = self.rack.tangent
        arm = tip - two.elbow(phi)
        arms = np.array([[cross(tip, n), cross(tip, t)], [cross(arm, n), cross(arm, t)]])
        return Balance(np.array(two.levers(phi, alpha)), arms, np.array(two.moments(phi, alpha, GRAVITY)))

    def lengths(self, commanded: Array, forces: Array) -> Array:
        """Actual lengths in m: what is commanded, less the compression of the bearings."""
        return commanded - forces / np.array([cylinder.k for cylinder in self.machine.cylinders])

    def read(self, commanded: Array, forces: Array, burden: Array | None = None) -> Array:
        """N and F_t in N for each column of commanded lengths in m and forces in N.

        Args:
            burden: moments in N m about O and E that the cylinders carry beside weight and contact, one row each.
        """
        extra = np.zeros_like(forces) if burden is None else burden
        columns = zip(commanded.T, forces.T, extra.T, strict=True)
        return np.array([self.loaded(c, f, moments).contact(f) for c, f, moments in columns]).T

    def loaded(self, commanded: Array, forces: Array, burden: Array) -> Balance:
        """The balance at commanded lengths in m and forces in N, under a burden in N m about O and E."""
        plain = self.balance(self.lengths(commanded, forces))
        return replace(plain, moments=plain.moments + burden)


def coefficient(contact: Array) -> Array:
    """mu = -F_t/N of rows N and F_t, while the rake slides up."""
    return -contact[1] / contact[0]
