"""The machine as a Chrono scene: segments as bodies, revolute joints, bending springs, cylinder lines.

The plane of motion is x and z, and every joint turns about y. A body's x axis runs along its segment: the segment's
angle is the body's turn about -y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....chrono.api.bridge import pychrono
from ..machine.arms import RAKE, TIP, B, C, D, Segment, pieces, spring, with_rake
from ..machine.machine import GRAVITY, Machine
from ..motion.setup import Setup

Array = NDArray[np.float64]
HALF_WIDTH = 1.25
"""Distance in m of both ends of the scraper from the middle of the rake."""
GROUND = -1


class Parts(NamedTuple):
    """The scene as its ledger reads it.

    Attributes:
        bodies: mass in kg and moment of inertia in kg m^2 of each body.
        bends: stiffness in N m/rad of the spring before each body; 0 is none. beta: damping over stiffness in s.
        lines: k, c and seal of both cylinder lines.
        ends: body (GROUND is the ground), place along and above in m of foot and head of each line, and of the scraper.
        wet: the same of the rake's centre and of the cells of the knick arm, on which water acts.
    """

    bodies: Array
    bends: Array
    beta: float
    lines: Array
    ends: Array
    wet: Array


@dataclass(frozen=True)
class Scene:
    """The machine in a Chrono system.

    Attributes:
        system, ground: Chrono's. bodies: of the segments, from the base pin on. lines: of main pair and knick cylinder.
        parts: numbers of all of them.
    """

    system: Any
    ground: Any
    bodies: list[Any]
    lines: list[Any]
    parts: Parts

    @property
    def ends_of_scraper(self) -> Array:
        """Both ends of the scraper in the frame of the last body, in m."""
        _, along, above = self.parts.ends[-1]
        return np.array([(along, -HALF_WIDTH, above), (along, HALF_WIDTH, above)])


def segments_of(machine: Machine, flexible: bool) -> tuple[list[Segment], list[float]]:
    """The segments, and the stiffness in N m/rad of the spring before each; 0 is a pin that turns freely."""
    arms = [pieces(arm, arm.joints if flexible else ()) for arm in (machine.main, machine.knick)]
    bends = [spring(arm) if i else 0.0 for arm, row in zip((machine.main, machine.knick), arms, strict=True)
             for i in range(len(row))]  # fmt: skip
    segments = arms[0] + arms[1]
    segments[-1] = with_rake(segments[-1], machine)
    return segments, bends


def parts_of(setup: Setup) -> Parts:
    """The numbers of a scene."""
    segments, bends = segments_of(setup.machine, setup.arms == "segments")
    lines = [(cylinder.k, cylinder.c, cylinder.seal) for cylinder in setup.machine.cylinders]
    held = [(body, along - segments[int(body)].centre, above) for body, along, above in setup.mech.stations]
    return Parts(
        np.array([(segment.mass, segment.inertia) for segment in segments]),
        np.array(bends),
        setup.machine.beta,
        np.array(lines),
        np.array([(GROUND, *setup.machine.a), *(held[k] for k in (B, C, D, TIP))]),
        np.array(held[RAKE:]),
    )


def add_segment(system: Any, segment: Segment, begin: Array, angle: float, name: str) -> Any:
    """The body of a segment that begins at a place in m and stands at an angle in rad."""
    chrono, way = pychrono(), np.array((math.cos(angle), math.sin(angle)))
    body, (x, z) = chrono.ChBody(), begin + segment.centre * way
    body.SetName(name)
    body.SetMass(segment.mass)
    body.SetInertiaXX(chrono.ChVector3d(segment.inertia, segment.inertia, segment.inertia))
    body.SetPos(chrono.ChVector3d(float(x), 0.0, float(z)))
    body.SetRot(chrono.QuatFromAngleY(-float(angle)))
    system.AddBody(body)
    return body


def add_bend(system: Any, body: Any, carrier: Any, at: tuple[float, float], stiffness: float, beta: float) -> None:
    """A bending spring in N m/rad, straight where both bodies are aligned; the joint is `at` m along each of them."""
    chrono = pychrono()
    across, link = chrono.QuatFromAngleX(0.5 * math.pi), chrono.ChLinkRSDA()
    frames = [chrono.ChFramed(chrono.ChVector3d(float(x), 0.0, 0.0), across) for x in at]
    link.Initialize(body, carrier, True, *frames)
    link.SetSpringCoefficient(stiffness)
    link.SetDampingCoefficient(beta * stiffness)
    link.SetRestAngle(0.0)
    system.AddLink(link)


def add_arms(system: Any, ground: Any, setup: Setup, angles: Sequence[float]) -> list[Any]:
    """Bodies and joints of both arms, standing at angles in rad."""
    chrono, bodies = pychrono(), []
    segments, bends = segments_of(setup.machine, setup.arms == "segments")
    begin, carrier, end = np.zeros(2), ground, 0.0
    for i, (segment, angle, bend) in enumerate(zip(segments, angles, bends, strict=True)):
        body = add_segment(system, segment, begin, angle, f"segment {i + 1}")
        pin, across = chrono.ChLinkRevolute(), chrono.QuatFromAngleX(0.5 * math.pi)
        pin.Initialize(body, carrier, chrono.ChFramed(chrono.ChVector3d(float(begin[0]), 0.0, float(begin[1])), across))
        system.AddLink(pin)
        if bend > 0.0:
            add_bend(system, body, carrier, (-segment.centre, end), bend, setup.machine.beta)
        begin = begin + segment.length * np.array((math.cos(angle), math.sin(angle)))
        carrier, end = body, segment.length - segment.centre
        bodies.append(body)
    return bodies


def add_line(system: Any, ground: Any, bodies: list[Any], ends: Array, numbers: Array, length: float) -> Any:
    """A cylinder line from its foot to its head, commanded to a length in m."""
    chrono = pychrono()
    (foot, a), (head, b) = (
        (ground if row[0] == GROUND else bodies[int(row[0])], chrono.ChVector3d(float(row[1]), 0.0, float(row[2])))
        for row in ends
    )
    line = chrono.ChLinkTSDA()
    line.Initialize(head, foot, True, b, a)
    line.SetSpringCoefficient(float(numbers[0]))
    line.SetDampingCoefficient(float(numbers[1]))
    line.SetRestLength(float(length))
    system.AddLink(line)
    return line


def build(system: Any, ground: Any, setup: Setup, lengths: Array, angles: Sequence[float]) -> Scene:
    """Put the machine into a system, at rest at angles in rad and commanded to lengths in m."""
    chrono, parts = pychrono(), parts_of(setup)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0.0, 0.0, -GRAVITY))
    bodies = add_arms(system, ground, setup, angles)
    lines = [
        add_line(system, ground, bodies, parts.ends[2 * i : 2 * i + 2], parts.lines[i], lengths[i]) for i in range(2)
    ]
    return Scene(system, ground, bodies, lines, parts)
