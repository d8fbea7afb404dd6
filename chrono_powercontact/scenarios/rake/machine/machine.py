"""The machine in numbers: geometry, masses, cylinders, water. Stand-ins where the source prints none.

Frame: origin O at the base pin of the main arm, x upstream (away from the dam), z up. SI units. The main arm runs from
O to the elbow E, the knuckle arm from E to the scraper T. Both main cylinders count as one line A-B, the knuckle
cylinder is the line C-D.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError, UnknownNameError

GRAVITY = 9.81
WATER_LEVEL = -3.0
WATER_DENSITY = 1000.0
VERSIONS = ("v1", "v2", "v3")
ARM_MASS_FACTOR = 1.05
"""Arms of V2 and V3 over CAD: 2 % zinc, 3 % pins, oil and small parts."""


@dataclass(frozen=True)
class Cylinder:
    """One line of cylinders: a prescribed length in series with the stiffness and damping of its bearings.

    Attributes:
        k: stiffness of the bearings, in N/m. c: their damping, in N s/m.
        shortest, longest: length between the pins at the ends of the stroke, in m.
        seal: seal friction, in N; it adds to the force that the pressure shows.
        pulls: whether it can pull; a single-acting one cannot.
    """

    name: str
    k: float
    c: float
    shortest: float
    longest: float
    seal: float
    pulls: bool

    def check(self, length: float) -> None:
        """Raise where a commanded length is beyond the stroke."""
        if not self.shortest <= length <= self.longest:
            raise ParameterError(
                f"the {self.name} cylinder must be {self.shortest:g} m to {self.longest:g} m long, got {length:.6g} m"
            )


@dataclass(frozen=True)
class Arm:
    """A box beam.

    Attributes:
        length: in m. mass: in kg. stiffness: EI in N m^2.
        joints: where the finite-segment model bends, in m from its beginning.
    """

    length: float
    mass: float
    stiffness: float
    joints: tuple[float, ...]


@dataclass(frozen=True)
class Machine:
    """All numbers of the machine.

    Attributes:
        main, knuckle: the arms. a: foot of the main cylinders. b, c: their head and the knuckle cylinder's foot on the
            main arm (along, above its axis). d: the knuckle cylinder's head on the knuckle arm (along, above its axis).
        rake_mass, rake_inertia, rake_back: of the rake in kg and kg m^2, its centre before T in m.
        rake_length: of the rake along the knuckle arm in m; the arm's box ends there.
        cylinders: main pair and knuckle. beta: damping of the arms over their stiffness, in s.
    """

    main: Arm = Arm(6.0, 1500.0, 1.89e8, (1.5, 4.5))
    knuckle: Arm = Arm(8.0, 800.0, 2.79e7, (2.0, 6.0))
    a: tuple[float, float] = (0.35, -1.05)
    b: tuple[float, float] = (2.6, -0.25)
    c: tuple[float, float] = (2.2, 0.50)
    d: tuple[float, float] = (-0.90, 0.0)
    rake_mass: float = 900.0
    rake_inertia: float = 120.0
    rake_back: float = 0.4
    rake_length: float = 0.8
    cylinders: tuple[Cylinder, Cylinder] = (
        Cylinder("main", 1e8, 1e6, 1.84, 3.39, 0.0, False),
        Cylinder("knuckle", 5e7, 5e5, 3.0, 4.65, 0.0, True),
    )
    beta: float = 0.002


SEALS = (2 * 3e5 * math.pi / 4 * 0.125**2, 3e5 * math.pi / 4 * 0.125**2)
"""3 bar on the piston area of 125 mm bore: both main cylinders together, and the knuckle cylinder, in N."""


def machine(version: str = "v2", bearing_damping: float = 1.0) -> Machine:
    """The machine of a model version: V1 CAD masses, V2 heavier arms, V3 with seal friction as well."""
    if version not in VERSIONS:
        raise UnknownNameError("model version", version, VERSIONS)
    plain = Machine()
    factor = 1.0 if version == "v1" else ARM_MASS_FACTOR
    seals = SEALS if version == "v3" else (0.0, 0.0)
    main, knuckle = (
        replace(cylinder, seal=seal, c=bearing_damping * cylinder.c)
        for cylinder, seal in zip(plain.cylinders, seals, strict=True)
    )
    return replace(
        plain,
        main=replace(plain.main, mass=factor * plain.main.mass),
        knuckle=replace(plain.knuckle, mass=factor * plain.knuckle.mass),
        cylinders=(main, knuckle),
    )


OIL = (3.4e7, 1.7e7)
"""Stiffness in N/m of the oil in the main pair and in the knuckle cylinder: a column of 1 m, a bulk modulus of 1.4 GPa,
a bore of 125 mm."""


def with_oil(plain: Machine, compliance: float) -> Machine:
    """A machine whose bearings are in series with oil of so many times its usual compliance; damping follows."""
    softened = []
    for cylinder, oil in zip(plain.cylinders, OIL, strict=True):
        part = 1.0 / (1.0 + compliance * cylinder.k / oil)
        softened.append(replace(cylinder, k=part * cylinder.k, c=part * cylinder.c))
    return replace(plain, cylinders=(softened[0], softened[1]))


@dataclass(frozen=True)
class Rack:
    """The trash rack: a plane, with options.

    Attributes:
        foot: its lower end P0, in m. angle: inclination in rad. length: arc length in m; concrete follows above.
        offset: how far it is moved towards the rake, in m.
        segment: length of a lowest segment apart from it, in m; 0 is none.
        segment_shift: how far its middle is moved forward, in m. segment_tilt: how much flatter it is, in rad.
        concrete_tilt: how much steeper the concrete is, in rad.
        edge: length over which one plane passes into the next, in m.
    """

    foot: tuple[float, float] = (4.876, -10.5)
    angle: float = math.radians(75.0)
    length: float = 7.247
    offset: float = 0.0
    segment: float = 0.0
    segment_shift: float = 0.0
    segment_tilt: float = 0.0
    concrete_tilt: float = 0.0
    edge: float = 0.1

    @property
    def tangent(self) -> NDArray[np.float64]:
        """t, up the slope."""
        return np.array([-math.cos(self.angle), math.sin(self.angle)])

    @property
    def normal(self) -> NDArray[np.float64]:
        """n, from the rack to the rake."""
        return np.array([math.sin(self.angle), math.cos(self.angle)])

    def point(self, s: float, gap: float = 0.0) -> NDArray[np.float64]:
        """The point at s up the slope and `gap` in front of the plane, in m."""
        return np.array(self.foot) + s * self.tangent + gap * self.normal


@dataclass(frozen=True)
class Water:
    """What the water does; everything is off at first.

    Attributes:
        speed: of the flow towards the rack, in m/s.
        sealed: whether the knuckle arm is full of air, so that it floats.
        debris: mass that the rake lifts out of the water, in kg; its weight acts from the pull until it is dumped.
    """

    speed: float = 0.0
    sealed: bool = False
    debris: float = 0.0

    @property
    def still(self) -> bool:
        """Whether none of it is there."""
        return self.speed == 0.0 and not self.sealed and self.debris == 0.0


RAKE_DRAG, RAKE_AREA = 1.2, 0.84
ARM_DRAG, ARM_WIDTH, ARM_SECTION = 2.0, 0.30, 0.09
"""Drag coefficients, projected area in m^2, width in m and outer cross section in m^2 of the knuckle arm."""
