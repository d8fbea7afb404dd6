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
from ..machine.arms import RAKE, STATION, TIP, B, C, D, Segment, pieces, spring, with_rake
from ..machine.machine import GRAVITY, Machine
from ..motion.setup import Setup

Array = NDArray[np.float64]
HALF_WIDTH = 1.25
"""Distance in m of both ends of the scraper from the middle of the rake."""
GROUND = -1


BODY = np.dtype([("mass", np.float64), ("inertia", np.float64), ("bend", np.float64)])
"""A body: mass in kg, moment of inertia in kg m^2, stiffness in N m/rad of the bending spring before it (0 is none)."""


class Parts(NamedTuple):
    """The scene as its ledger reads it.

    Attributes:
        bodies: a BODY of each segment. beta: damping over stiffness of the bending springs, in s.
        lines: a LINE of the main and of the knuckle cylinders. feet, heads: STATIONs of their ends, on bodies with
            respect to the centre of mass or on the ground (GROUND), in m.
        scraper: its STATION. wet: STATIONs of the rake's centre and of the knuckle arm's cells, on which water acts.
    """

    bodies: NDArray[Any]
    beta: float
    lines: NDArray[Any]
    feet: NDArray[Any]
    heads: NDArray[Any]
    scraper: Any
    wet: NDArray[Any]


@dataclass(frozen=True)
class Scene:
    """The machine in a Chrono system.

    Attributes:
        system, ground: Chrono's. bodies: of the segments, from the base pin on. bends: springs between them.
        lines: of main pair and knuckle cylinder. parts: numbers of all of them.
    """

    system: Any
    ground: Any
    bodies: list[Any]
    bends: list[Any]
    lines: list[Any]
    parts: Parts

    @property
    def ends_of_scraper(self) -> Array:
        """Both ends of the scraper in the frame of the last body, in m."""
        scraper = self.parts.scraper
        return np.array([(scraper["along"], side, scraper["above"]) for side in (-HALF_WIDTH, HALF_WIDTH)])


def segments_of(machine: Machine, flexible: bool) -> tuple[list[Segment], list[float]]:
    """The segments, and the stiffness in N m/rad of the spring before each; 0 is a pin that turns freely."""
    arms = [pieces(arm, arm.joints if flexible else ()) for arm in (machine.main, machine.knuckle)]
    bends = [spring(arm) if i else 0.0 for arm, row in zip((machine.main, machine.knuckle), arms, strict=True)
             for i in range(len(row))]  # fmt: skip
    segments = arms[0] + arms[1]
    segments[-1] = with_rake(segments[-1], machine)
    return segments, bends


def scene_parts(setup: Setup) -> Parts:
    """The scene as its ledger reads it."""
    segments, bends = segments_of(setup.machine, setup.arms == "segments")
    bodies = [(segment.mass, segment.inertia, bend) for segment, bend in zip(segments, bends, strict=True)]
    held = setup.mech.stations.copy()
    held["along"] -= np.array([segment.centre for segment in segments])[held["part"]]
    foot = np.array([(GROUND, *setup.machine.a, 0.0)], STATION)
    return Parts(
        np.array(bodies, BODY),
        setup.machine.beta,
        setup.lines,
        np.concatenate([foot, held[[C]]]),
        held[[B, D]],
        held[TIP],
        held[RAKE:].copy(),
    )


def add_segment(system: Any, segment: Segment, begin: Array, angle: float, name: str) -> Any:
    """The body of a segment that begins at a point in m, at an angle in rad."""
    chrono = pychrono()
    body = chrono.ChBody()
    x, z = begin + segment.centre * np.array((math.cos(angle), math.sin(angle)))
    body.SetName(name)
    body.SetMass(segment.mass)
    body.SetInertiaXX(chrono.ChVector3d(segment.inertia, segment.inertia, segment.inertia))
    body.SetPos(chrono.ChVector3d(float(x), 0.0, float(z)))
    body.SetRot(chrono.QuatFromAngleY(-float(angle)))
    system.AddBody(body)
    return body


def add_bend(system: Any, body: Any, carrier: Any, at: tuple[float, float], stiffness: float, beta: float) -> Any:
    """A bending spring in N m/rad, straight where both bodies are aligned; the joint is `at` m along each of them."""
    chrono = pychrono()
    across = chrono.QuatFromAngleX(0.5 * math.pi)
    link = chrono.ChLinkRSDA()
    frames = [chrono.ChFramed(chrono.ChVector3d(float(x), 0.0, 0.0), across) for x in at]
    link.Initialize(body, carrier, True, *frames)
    link.SetSpringCoefficient(stiffness)
    link.SetDampingCoefficient(beta * stiffness)
    link.SetRestAngle(0.0)
    system.AddLink(link)
    return link


def add_arms(system: Any, ground: Any, setup: Setup, angles: Sequence[float]) -> tuple[list[Any], list[Any]]:
    """Bodies of both arms on their joints, at angles in rad, and the bending springs between them."""
    chrono = pychrono()
    bodies: list[Any] = []
    springs: list[Any] = []
    segments, bends = segments_of(setup.machine, setup.arms == "segments")
    across = chrono.QuatFromAngleX(0.5 * math.pi)
    begin = np.zeros(2)
    carrier = ground
    end = 0.0
    for i, (segment, angle, bend) in enumerate(zip(segments, angles, bends, strict=True)):
        body = add_segment(system, segment, begin, angle, f"segment {i + 1}")
        pin = chrono.ChLinkRevolute()
        pin.Initialize(body, carrier, chrono.ChFramed(chrono.ChVector3d(float(begin[0]), 0.0, float(begin[1])), across))
        system.AddLink(pin)
        if bend > 0.0:
            springs.append(add_bend(system, body, carrier, (-segment.centre, end), bend, setup.machine.beta))
        begin = begin + segment.length * np.array((math.cos(angle), math.sin(angle)))
        carrier = body
        end = segment.length - segment.centre
        bodies.append(body)
    return bodies, springs


def add_line(system: Any, foot: tuple[Any, Any], head: tuple[Any, Any], line: Any, length: float) -> Any:
    """A line of cylinders commanded to a length in m, from its foot to its head: each a body and a STATION on it."""
    chrono = pychrono()
    (below, a), (above, b) = (
        (body, chrono.ChVector3d(float(end["along"]), 0.0, float(end["above"]))) for body, end in (foot, head)
    )
    link = chrono.ChLinkTSDA()
    link.Initialize(above, below, True, b, a)
    link.SetSpringCoefficient(float(line["k"]))
    link.SetDampingCoefficient(float(line["c"]))
    link.SetRestLength(float(length))
    system.AddLink(link)
    return link


def build(system: Any, ground: Any, setup: Setup, lengths: Array, angles: Sequence[float]) -> Scene:
    """Put the machine into a system, at rest at angles in rad and commanded to lengths in m."""
    chrono = pychrono()
    parts = scene_parts(setup)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0.0, 0.0, -GRAVITY))
    bodies, bends = add_arms(system, ground, setup, angles)

    def held(end: Any) -> tuple[Any, Any]:
        return ground if end["part"] == GROUND else bodies[end["part"]], end

    lines = [
        add_line(system, held(foot), held(head), line, length)
        for foot, head, line, length in zip(parts.feet, parts.heads, parts.lines, lengths, strict=True)
    ]
    return Scene(system, ground, bodies, bends, lines, parts)
