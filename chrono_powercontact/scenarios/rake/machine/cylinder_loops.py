"""The rigid machine with its cylinders as closed loops of the general engine: barrel, rod, and a cut at the rod's head.

Coordinates of the tree: phi and alpha of the arms; of each cylinder the angle of its barrel and the length to the head
of its rod, all absolute. Two cuts, at B and at D, close the loops. With the lengths as independent coordinates
the motion is that of the drive, and the reaction along the axis at a cut is what the cylinder gives the arm.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ....lagrange.loops.loop_model import CutJoint, Loop
from ....lagrange.loops.loops import LoopSystem
from ....lagrange.model import Model, coordinates, rate
from ....lagrange.system import System
from .machine import GRAVITY, Machine
from .two_link import TwoLink, along

Array = NDArray[np.float64]

ROD_MASS = 1e-3
"""Mass in kg of a rod, at its head: the machine counts its cylinders as lines without one."""

DRIVEN = ("c_1", "c_2")
"""Coordinates that the drive prescribes: lengths of main pair and knuckle cylinder."""

NUMBERS = "L_1 L_2 m_1 m_2 m_r J_r b_r m_c g a_x a_z b_x b_z c_x c_z d_x d_z f_x f_z"
"""Lengths and masses of the arms; mass, inertia and setback of the rake; mass of a rod; gravity; the four pins; force
in N on the scraper."""


def _towards(angle: sp.Expr) -> sp.Matrix:
    return sp.Matrix([sp.cos(angle), sp.sin(angle)])


def _fixed(angle: sp.Expr, x: sp.Expr, z: sp.Expr) -> sp.Matrix:
    """A point that lies x along and z above the axis of an arm at an angle."""
    return x * _towards(angle) + z * sp.Matrix([-sp.sin(angle), sp.cos(angle)])


def _square(position: sp.Matrix, q: tuple[sp.Symbol, ...]) -> sp.Expr:
    return sum(rate(component, q) ** 2 for component in position)


@cache
def cylinder_loops() -> Loop:
    """The machine of `NUMBERS`; reactions at a cut are those on the rod, along its axis and across it."""
    q = coordinates("phi alpha delta_1 c_1 delta_2 c_2")
    p = sp.symbols(NUMBERS, real=True)
    phi, alpha, delta_1, c_1, delta_2, c_2 = q
    l_1, l_2, m_1, m_2, m_r, j_r, b_r, m_c, g, a_x, a_z, b_x, b_z, c_x, c_z, d_x, d_z, f_x, f_z = p
    elbow = l_1 * _towards(phi)
    tip = elbow + l_2 * _towards(alpha)
    heads = (sp.Matrix([a_x, a_z]) + c_1 * _towards(delta_1), _fixed(phi, c_x, c_z) + c_2 * _towards(delta_2))
    pins = (_fixed(phi, b_x, b_z), elbow + _fixed(alpha, d_x, d_z))
    carried = {m_1: elbow / 2, m_2: elbow + l_2 / 2 * _towards(alpha), m_r: elbow + (l_2 - b_r) * _towards(alpha)}
    moving = sum(m * _square(place, q) for m, place in carried.items()) + sum(m_c * _square(h, q) for h in heads)
    w_1, w_2 = (rate(angle, q) for angle in (phi, alpha))
    turning = m_1 * l_1**2 / 12 * w_1**2 + (m_2 * l_2**2 / 12 + j_r) * w_2**2
    height = g * (sum(m * place[1] for m, place in carried.items()) + sum(m_c * head[1] for head in heads))
    pushed = {angle: f_x * sp.diff(tip[0], angle) + f_z * sp.diff(tip[1], angle) for angle in (phi, alpha)}
    tree = Model("rake_loops", q, (moving + turning) / 2, height, p, pushed)
    cuts = []
    for name, head, pin, turn in zip("BD", heads, pins, (delta_1, delta_2), strict=True):
        gap = head - pin
        apart = sp.Matrix([rate(component, q) for component in gap])
        across = sp.Matrix([-sp.sin(turn), sp.cos(turn)])
        cuts.append(CutJoint(name, tuple(gap), (_towards(turn).dot(apart), across.dot(apart))))
    return Loop(tree, tuple(cuts))


@dataclass(frozen=True)
class CylinderForces:
    """What the loops say at one moment.

    Attributes:
        drives: forces in N along both lengths that the motion takes. axial, across: forces in N of the cylinders on the
            arms at the cuts, along their axes and across them.
    """

    drives: Array
    axial: Array
    across: Array


@dataclass(frozen=True)
class LoopedMachine:
    """A machine whose cylinders are closed loops."""

    machine: Machine

    @cached_property
    def numbers(self) -> dict[str, float]:
        """Of the loop, by name, without a force on the scraper."""
        m = self.machine
        arms = (m.main.length, m.knuckle.length, m.main.mass, m.knuckle.mass)
        values = (*arms, m.rake_mass, m.rake_inertia, m.rake_back, ROD_MASS, GRAVITY, *m.a, *m.b, *m.c, *m.d, 0.0, 0.0)
        return dict(zip(NUMBERS.split(), values, strict=True))

    def system(self, force: Array) -> LoopSystem:
        """The loops with a force in N on the scraper."""
        loop = cylinder_loops()
        numbers = self.numbers | {"f_x": float(force[0]), "f_z": float(force[1])}
        return LoopSystem(loop, System(loop.tree, numbers))

    def guess(self, lengths: Array) -> Array:
        """All coordinates at lengths in m, by the law of cosines."""
        m = self.machine
        two = TwoLink(m)
        phi, alpha = two.angles(float(lengths[0]), float(lengths[1]))
        turned = [
            x * along(angle) + z * along(angle + 0.5 * np.pi)
            for angle, (x, z) in ((phi, m.b), (phi, m.c), (alpha, m.d))
        ]
        main = turned[0] - np.array(m.a)
        knuckle = two.elbow(phi) + turned[2] - turned[1]
        barrels = [float(np.arctan2(line[1], line[0])) for line in (main, knuckle)]
        return np.array([phi, alpha, barrels[0], lengths[0], barrels[1], lengths[1]])

    def forces(self, lengths: Array, rates: Array, accelerations: Array, force: Array) -> CylinderForces:
        """Of both cylinders at lengths in m that move, with a force in N on the scraper.

        M (y'' - free) = B^T f + S F has as many equations as reactions f and drives F together.
        """
        system = self.system(force)
        moved = system.motion(self.guess(lengths), rates, accelerations, DRIVEN)
        found = system.project(system.tree.state(moved.position, moved.velocity))
        asked = found.mass @ (moved.acceleration - found.free_acceleration)
        driven = np.zeros((len(system.names), len(DRIVEN)))
        for column, name in enumerate(DRIVEN):
            driven[system.names.index(name), column] = 1.0
        solved = np.linalg.solve(np.hstack([found.locked.T, driven]), asked)
        reactions = -solved[:-2].reshape(2, 2)
        return CylinderForces(solved[-2:], reactions[:, 0], reactions[:, 1])
