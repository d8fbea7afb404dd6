"""Strokes of both cylinders as they were commanded: poses of the rigid machine, speeds and accelerations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..machine.machine import Machine
from ..machine.two_link import TwoLink
from ..motion.rake_motion import SEAL_SPEED

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Strokes:
    """A stretch of time.

    Attributes:
        machine: whose strokes they are. t: times in s, equally spaced. commanded: lengths in m, one row per line.
    """

    machine: Machine
    t: Array
    commanded: Array

    @cached_property
    def rates(self) -> Array:
        """Of the commanded lengths in m/s."""
        return np.asarray(np.gradient(self.commanded, self.t, axis=1))

    @cached_property
    def directions(self) -> Array:
        """Which way each line moves: 1 out, -1 in, between them at rest."""
        return np.asarray(np.tanh(self.rates / SEAL_SPEED))

    @cached_property
    def angles(self) -> Array:
        """phi and alpha in rad."""
        two = TwoLink(self.machine)
        return np.array([two.angles(float(c1), float(c2)) for c1, c2 in self.commanded.T]).T

    @cached_property
    def speeds(self) -> Array:
        """Of phi and alpha in rad/s."""
        return np.asarray(np.gradient(self.angles, self.t, axis=1))

    @cached_property
    def accelerations(self) -> Array:
        """Of phi and alpha in rad/s^2."""
        return np.asarray(np.gradient(self.speeds, self.t, axis=1))

    @cached_property
    def levers(self) -> Array:
        """h1 and h2 in m."""
        two = TwoLink(self.machine)
        return np.array([two.levers(float(phi), float(alpha)) for phi, alpha in self.angles.T]).T

    def part(self, chosen: NDArray[np.intp]) -> Strokes:
        """Some of its times, with the speeds that they have here."""
        some = Strokes(self.machine, self.t[chosen], self.commanded[:, chosen])
        for name in ("rates", "directions", "angles", "speeds", "accelerations", "levers"):
            some.__dict__[name] = getattr(self, name)[:, chosen]
        return some
