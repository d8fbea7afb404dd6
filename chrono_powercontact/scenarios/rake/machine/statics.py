"""The machine at rest: equilibrium, small motions about it, and lengths that give a target pressing force."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from .arm_terms import point, pose, terms
from .arms import TIP, TRIG_ROWS, B, C, D, Mechanism, straight
from .machine import GRAVITY, Machine, Rack
from .two_link import TwoLink

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Hold:
    """A pose at rest: coordinates, forces of both lines in N, commanded lengths in m."""

    q: Array
    forces: Array
    lengths: Array


@dataclass(frozen=True)
class Statics:
    """Equilibria of a machine with given arms."""

    machine: Machine
    mech: Mechanism

    def position(self, q: Array, station: int) -> tuple[Array, Array]:
        """A station in m, and its derivative by the coordinates."""
        trig = np.zeros((TRIG_ROWS, q.size))
        where = np.zeros(2)
        jacobian = np.zeros((2, q.size))
        pose(self.mech, q, trig)
        point(self.mech, q, trig, station, where, jacobian)
        return where, jacobian

    def inertia(self, q: Array) -> tuple[Array, Array]:
        """Mass matrix, and force of weight and bending at rest."""
        n = q.size
        trig = np.zeros((TRIG_ROWS, n))
        mass = np.zeros((n, n))
        force = np.zeros(n)
        pose(self.mech, q, trig)
        terms(self.mech, q, np.zeros(n), trig, mass, force)
        return mass, force

    def lines(self, q: Array) -> tuple[Array, Array]:
        """Lengths of both cylinder lines in m, and their derivatives by the coordinates."""
        (b, j_b), (c, j_c), (d, j_d) = (self.position(q, station) for station in (B, C, D))
        spans = np.array([b - np.array(self.machine.a), d - c])
        lengths = np.linalg.norm(spans, axis=1)
        return lengths, np.array([spans[0] @ j_b / lengths[0], spans[1] @ (j_d - j_c) / lengths[1]])

    def stiffness(self) -> Array:
        """Of the bearings of both lines, in N/m."""
        return np.array([cylinder.k for cylinder in self.machine.cylinders])

    def _solve(self, residual: object, guess: Array, what: str) -> Array:
        from scipy.optimize import root

        found = root(residual, guess, method="hybr", options={"xtol": 1e-13})
        if not np.abs(found.fun).max() < 1e-6:
            raise ParameterError(f"no equilibrium was found {what}")
        return np.asarray(found.x)

    def settle(self, c1: float, c2: float, load: Array | None = None) -> Hold:
        """Equilibrium at commanded lengths in m, under a generalised load."""
        k = self.stiffness()
        c = np.array([c1, c2])
        extra = np.zeros(len(self.mech.own)) if load is None else load

        def residual(q: Array) -> Array:
            lengths, levers = self.lines(q)
            return (self.inertia(q)[1] + extra + (k * (c - lengths)) @ levers) / 1e4

        guess = straight(self.mech, self.machine, *TwoLink(self.machine).angles(c1, c2))
        q = self._solve(residual, guess, f"for lengths {c1:g} m and {c2:g} m")
        return Hold(q, k * (c - self.lines(q)[0]), c)

    def pressed(self, rack: Rack, s: float, press: float, stiffness: float) -> Hold:
        """The pose with the scraper at s up the slope, pressed by a force in N against a rack of a stiffness in N/m."""
        n = len(self.mech.own)
        k = self.stiffness()
        target = rack.point(s, rack.offset - press / stiffness)

        def residual(x: Array) -> Array:
            (tip, jacobian) = self.position(x[:n], TIP)
            (_, levers) = self.lines(x[:n])
            balance = self.inertia(x[:n])[1] + 1e5 * x[n:] @ levers + press * rack.normal @ jacobian
            return np.concatenate([balance / 1e4, tip - target])

        two = TwoLink(self.machine)
        phi, alpha = two.reach(target)
        guess = np.concatenate(
            [straight(self.mech, self.machine, phi, alpha), np.array(two.forces(phi, alpha, GRAVITY)) / 1e5]
        )
        x = self._solve(residual, guess, f"at {s:g} m up the rack with {press:g} N")
        forces = 1e5 * x[n:]
        return Hold(x[:n], forces, self.lines(x[:n])[0] + forces / k)

    def softness(self, q: Array, forces: Array) -> Array:
        """Stiffness matrix of arms and bearings about a pose, with the lines' forces in N held in their geometry."""
        k = self.stiffness()
        h = 1e-6
        n = q.size

        def force(x: Array) -> Array:
            lengths, levers = self.lines(x)
            return self.inertia(x)[1] + (forces - k * (lengths - rest)) @ levers

        rest = self.lines(q)[0]
        return -np.array([(force(q + h * e) - force(q - h * e)) / (2.0 * h) for e in np.eye(n)]).T

    def tip_mass(self, q: Array, direction: Array) -> float:
        """Mass in kg that the scraper has along a direction."""
        along = direction @ self.position(q, TIP)[1]
        return float(1.0 / (along @ np.linalg.solve(self.inertia(q)[0], along)))

    def frequencies(self, q: Array, forces: Array) -> Array:
        """Natural frequencies in Hz without contact, rising."""
        from scipy.linalg import eigh

        k = self.softness(q, forces)
        return np.sqrt(np.maximum(eigh(0.5 * (k + k.T), self.inertia(q)[0], eigvals_only=True), 0.0)) / (2.0 * np.pi)

    def compliance(self, q: Array, forces: Array, rack: Rack) -> Array:
        """Compliance of the scraper in m/N along n and t of the rack: [[C_nn, C_nt], [C_nt, C_tt]]."""
        along = np.array([rack.normal, rack.tangent]) @ self.position(q, TIP)[1]
        return along @ np.linalg.solve(self.softness(q, forces), along.T)
