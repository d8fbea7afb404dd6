"""Mechanisms with closed loops, modelled in Chrono: bodies, revolute and prismatic joints, all in one plane.

No loop is cut here: Chrono closes the loops with its own constraints. Its motion and reactions are therefore an
independent check of the minimal-coordinate engine. In 3-D a planar loop has three redundant constraints. They need a
solver that finds the smallest of many solutions (sparse QR); sparse LU fails without an exception.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError
from ..api.bridge import pychrono, set_integrator, tighten

Floats = NDArray[np.float64]
THIN = 1e-3
"""Moment of inertia in kg m^2 about the axes in the plane, about which nothing rotates."""


@dataclass(frozen=True)
class Motion:
    """Motion of a point in the plane, with the rotation of its body.

    Attributes:
        position, velocity, acceleration: in m, m/s, m/s^2.
        turn: angle, angular velocity and angular acceleration in rad, rad/s, rad/s^2.
    """

    position: Floats
    velocity: Floats
    acceleration: Floats
    turn: tuple[float, float, float]

    def along(self, length: float, turn: tuple[float, float, float]) -> Motion:
        """The point at a distance in m along a bar that starts here and has its own rotation."""
        angle, omega, alpha = turn
        ahead = np.array([math.cos(angle), math.sin(angle)])
        aside = np.array([-ahead[1], ahead[0]])
        return Motion(
            self.position + length * ahead,
            self.velocity + length * omega * aside,
            self.acceleration + length * (alpha * aside - omega**2 * ahead),
            turn,
        )


def at_rest(x: float, y: float) -> Motion:
    """A point of the ground."""
    return Motion(np.array([x, y]), np.zeros(2), np.zeros(2), (0.0, 0.0, 0.0))


class PlanarLoop:
    """A planar mechanism in a separate Chrono system, with one joint whose reactions are read.

    Attributes:
        system: Chrono's system; step it with DoStepDynamics.
        bodies: the moving bodies, by name. joints: the links, by name.
        cut: name of the joint at which the reference engine cuts the loop; its body 1 is the reference's body a.
    """

    def __init__(self, gravity: float, cut: str) -> None:
        chrono = pychrono()
        self.system = chrono.ChSystemNSC()
        self.cut = cut
        self.system.SetGravitationalAcceleration(chrono.ChVector3d(0.0, -gravity, 0.0))
        self.ground = chrono.ChBody()
        self.ground.SetFixed(True)
        self.system.AddBody(self.ground)
        self.bodies: dict[str, Any] = {}
        self.joints: dict[str, Any] = {}

    def add_body(self, name: str, mass: float, inertia: float, motion: Motion) -> Any:
        """A body with a mass in kg, a moment of inertia in kg m^2 about its centre, and an initial motion."""
        chrono = pychrono()
        body = chrono.ChBody()
        body.SetName(name)
        body.SetMass(mass)
        body.SetInertiaXX(chrono.ChVector3d(THIN, THIN, inertia))
        body.SetPos(chrono.ChVector3d(*map(float, motion.position), 0.0))
        body.SetRot(chrono.QuatFromAngleZ(float(motion.turn[0])))
        body.SetPosDt(chrono.ChVector3d(*map(float, motion.velocity), 0.0))
        body.SetAngVelLocal(chrono.ChVector3d(0.0, 0.0, float(motion.turn[1])))
        body.SetPosDt2(chrono.ChVector3d(*map(float, motion.acceleration), 0.0))
        body.SetAngAccLocal(chrono.ChVector3d(0.0, 0.0, float(motion.turn[2])))
        self.system.AddBody(body)
        self.bodies[name] = body
        return body

    def join(self, name: str, kind: str, one: Any, other: Any, at: Floats) -> None:
        """A revolute joint about z, or a prismatic one along x, between two bodies at a position in m."""
        chrono = pychrono()
        link = chrono.ChLinkLockPrismatic() if kind == "prismatic" else chrono.ChLinkLockRevolute()
        turn = chrono.QuatFromAngleY(math.pi / 2) if kind == "prismatic" else chrono.QUNIT
        link.Initialize(one, other, chrono.ChFramed(chrono.ChVector3d(*map(float, at), 0.0), turn))
        self.system.AddLink(link)
        self.joints[name] = link

    def prepare(self, integrator: str) -> PlanarLoop:
        """Set an integrator that solves its equations to round-off, and a solver that handles redundant constraints."""
        set_integrator(self.system, integrator)
        tighten(self.system)
        self.system.SetSolver(pychrono().ChSolverSparseQR())
        return self

    def turn_of(self, name: str) -> tuple[float, float]:
        """Angle in rad, within a half turn of zero, and angular velocity in rad/s of a body."""
        body = self.bodies[name]
        rotation = body.GetRot()
        omega = body.GetAngVelParent()
        return math.remainder(2.0 * math.atan2(rotation.e3, rotation.e0), 2.0 * math.pi), float(omega.z)

    def reaction(self, name: str | None = None) -> Floats:
        """Force in N in the plane on body 1 of a joint; the cut joint unless one is named."""
        link = self.joints[self.cut if name is None else name]
        wrench = link.GetReaction1()
        force = link.GetFrame1Abs().TransformDirectionLocalToParent(wrench.force)
        return np.array([force.x, force.y])


def _turns(state: Sequence[ArrayLike], rows: Sequence[Sequence[int]]) -> list[tuple[float, float, float]]:
    """Angle, angular velocity and acceleration of each bar, as sums of coordinates."""
    table = np.array([np.asarray(part, float) for part in state])
    if table.ndim != 2 or table.shape[1] != 3 or not np.all(np.isfinite(table)):
        raise ParameterError(f"positions, velocities and accelerations must be 3 finite numbers each, got {state!r}")
    return [tuple(float(v) for v in table[:, list(row)].sum(axis=1)) for row in rows]  # type: ignore[misc]


def chrono_four_bar(
    numbers: Mapping[str, float], q: ArrayLike, u: ArrayLike, acceleration: ArrayLike, integrator: str
) -> PlanarLoop:
    """The four-bar of `lagrange.mechanisms.four_bar`, without torque, from a consistent state.

    HHT uses the accelerations as those of the step before the first.
    """
    lengths, masses = ([numbers[f"{kind}{i}"] for i in (1, 2, 3)] for kind in "lm")
    crank, coupler, rocker = _turns((q, u, acceleration), ((0,), (0, 1), (2,)))
    loop = PlanarLoop(numbers["g"], "C")
    o = at_rest(0.0, 0.0)
    d = at_rest(numbers["l4"], 0.0)
    b = o.along(lengths[0], crank)
    c = o.along(lengths[0], crank).along(lengths[1], coupler)
    bases = {"crank": (o, crank), "coupler": (b, coupler), "rocker": (d, rocker)}
    one, two, three = (
        loop.add_body(name, m, m * length**2 / 12.0, base.along(0.5 * length, turn))
        for (name, (base, turn)), m, length in zip(bases.items(), masses, lengths, strict=True)
    )
    for name, first, second, point in (
        ("O", one, loop.ground, o), ("B", two, one, b), ("D", three, loop.ground, d), ("C", two, three, c),
    ):  # fmt: skip
        loop.join(name, "revolute", first, second, point.position)
    return loop.prepare(integrator)


def chrono_slider_crank(
    numbers: Mapping[str, float], q: ArrayLike, u: ArrayLike, acceleration: ArrayLike, integrator: str
) -> PlanarLoop:
    """The slider-crank of `lagrange.mechanisms.slider_crank`, without torque and force, from a consistent state."""
    l1, l2, m1, m2, m3 = (numbers[name] for name in ("l1", "l2", "m1", "m2", "m3"))
    crank, rod, slide = _turns((q, u, acceleration), ((0,), (0, 1), (2,)))
    loop = PlanarLoop(numbers["g"], "C")
    o = at_rest(0.0, 0.0)
    b = o.along(l1, crank)
    straight = [np.array([value, 0.0]) for value in slide]
    c = Motion(straight[0] + [0.0, numbers["e"]], straight[1], straight[2], (0.0, 0.0, 0.0))
    one = loop.add_body("crank", m1, m1 * l1**2 / 12.0, o.along(0.5 * l1, crank))
    two = loop.add_body("rod", m2, m2 * l2**2 / 12.0, b.along(0.5 * l2, rod))
    three = loop.add_body("slider", m3, THIN, c)
    for name, first, second, point in (("O", one, loop.ground, o), ("B", two, one, b), ("C", two, three, c)):
        loop.join(name, "revolute", first, second, point.position)
    loop.join("guide", "prismatic", three, loop.ground, c.position)
    return loop.prepare(integrator)


def four_bar_state(loop: PlanarLoop) -> tuple[Floats, Floats]:
    """Coordinates (theta1, theta2, theta3) of a four-bar within a half turn of zero, and their velocities."""
    crank, coupler, rocker = (np.array(loop.turn_of(name)) for name in ("crank", "coupler", "rocker"))
    q, u = np.array([crank, coupler - crank, rocker]).T
    return np.array([math.remainder(angle, 2.0 * math.pi) for angle in q]), u


def slider_crank_state(loop: PlanarLoop) -> tuple[Floats, Floats]:
    """Coordinates (theta1, theta2, s) of a slider-crank, angles within a half turn of zero, and their velocities."""
    crank, rod = (np.array(loop.turn_of(name)) for name in ("crank", "rod"))
    slider = loop.bodies["slider"]
    position = slider.GetPos()
    speed = slider.GetPosDt()
    angles = [math.remainder(float(angle), 2.0 * math.pi) for angle in (crank[0], rod[0] - crank[0])]
    return np.array([*angles, position.x]), np.array([crank[1], rod[1] - crank[1], speed.x])
