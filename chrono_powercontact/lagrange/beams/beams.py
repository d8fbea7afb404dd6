"""Slender beams in the plane as data: sections, rigid masses on the axis, and the stations of the elements."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from ...errors import ParameterError, finite, not_negative, positive

COMPONENTS = ("u", "w", "theta")
"""Displacements of a cross-section: along the axis in m, across it in m, and its rotation in rad."""
_SAME = 1e-9
"""Stations closer than this fraction of the length are one."""
_SHORTEST = 1e-3
"""Shortest element as a fraction of the length; its stiffness is then 1e9 times that of the beam."""
_SLIVER = 0.2
"""Share of the mean element below which an element is a sliver."""


@dataclass(frozen=True)
class Section:
    """Cross-section of an Euler-Bernoulli beam.

    Attributes:
        bending: bending stiffness EI, in N m^2.
        mass: mass per length, in kg/m.
        axial: axial stiffness EA, in N; None makes the axis inextensible and leaves its coordinates out.
        rotary: rotary inertia per length, in kg m.
    """

    bending: float
    mass: float
    axial: float | None = None
    rotary: float = 0.0

    def __post_init__(self) -> None:
        positive("bending stiffness EI", self.bending)
        positive("mass per length", self.mass)
        not_negative("rotary inertia per length", self.rotary)
        if self.axial is not None:
            positive("axial stiffness EA", self.axial)


@dataclass(frozen=True)
class RigidMass:
    """A rigid body fixed to the axis with its centre of mass on it.

    Attributes:
        at: station of the centre of mass, in m.
        mass: in kg.
        inertia: about the centre of mass, in kg m^2.
    """

    at: float
    mass: float
    inertia: float = 0.0

    def __post_init__(self) -> None:
        finite("station of a rigid mass", self.at)
        positive("rigid mass", self.mass)
        not_negative("inertia of a rigid mass", self.inertia)


@dataclass(frozen=True)
class Beam:
    """A straight beam along x from station 0, as finite elements of constant section.

    Attributes:
        stations: of the nodes, in m, rising from 0.
        sections: one per element.
        masses: rigid bodies on the axis; each of them sits on a node.
    """

    stations: tuple[float, ...]
    sections: tuple[Section, ...]
    masses: tuple[RigidMass, ...] = ()

    def __post_init__(self) -> None:
        if len(self.stations) < 2 or len(self.sections) != len(self.stations) - 1:
            raise ParameterError(
                f"a beam needs at least two stations and one section between each two, "
                f"got {len(self.stations)} stations and {len(self.sections)} sections"
            )
        if self.stations[0] != 0.0 or any(b <= a for a, b in pairwise(self.stations)):
            raise ParameterError(f"the stations of a beam must rise from 0, got {self.stations}")
        if len({section.axial is None for section in self.sections}) > 1:
            raise ParameterError("either every section of a beam has an axial stiffness or none, got a mixture")
        for mass in self.masses:
            if mass.at not in self.stations:
                raise ParameterError(f"a rigid mass must sit on a node of the beam, got station {mass.at:g} m")

    @classmethod
    def uniform(cls, length: float, section: Section, elements: int = 20, masses: Sequence[RigidMass] = ()) -> Beam:
        """A beam of one section in elements of equal length; rigid masses get nodes of their own."""
        return cls.pieces(((length, section),), elements, masses)

    @classmethod
    def pieces(
        cls, parts: Sequence[tuple[float, Section]], elements: int = 20, masses: Sequence[RigidMass] = ()
    ) -> Beam:
        """A beam of (length in m, section) pieces one after the other, each in so many elements of equal length."""
        if not isinstance(elements, int) or elements < 1:
            raise ParameterError(f"elements must be an integer of at least 1, got {elements!r}")
        ends = list(accumulate((positive("length of a beam", length) for length, _ in parts), initial=0.0))
        inner = [a + (b - a) * i / elements for a, b in pairwise(ends) for i in range(elements)]
        sections = tuple(section for _, section in parts for _ in range(elements))
        beam = cls((*inner, ends[-1]), sections)
        beam = beam.with_node(*(mass.at for mass in masses))
        return replace(beam, masses=tuple(replace(mass, at=beam.node_at(mass.at)) for mass in masses))

    @property
    def length(self) -> float:
        """Length in m."""
        return self.stations[-1]

    @property
    def extensible(self) -> bool:
        """Whether the axis can stretch."""
        return self.sections[0].axial is not None

    def node(self, at: float) -> int | None:
        """Number of the node at a station, or None where there is none."""
        i = bisect_left(self.stations, at - _SAME * self.length)
        return i if i < len(self.stations) and abs(self.stations[i] - at) <= _SAME * self.length else None

    def reaches(self, at: float) -> bool:
        """Whether a station lies on the beam, rounding aside."""
        return 0.0 <= at <= self.length * (1.0 + _SAME)

    def node_at(self, at: float) -> float:
        """The station of the node that is at `at`, as the beam knows it."""
        i = self.node(at)
        if i is None:
            raise ParameterError(f"the beam has no node at {at:g} m")
        return self.stations[i]

    def with_node(self, *stations: float) -> Beam:
        """The same beam with nodes at these stations; splitting and joining elements changes no static deflection.

        Nodes of the regular mesh that come close to a wanted one are left out: they would make slivers of elements.
        """
        beam = self
        for at in stations:
            beam = beam._split(at)
        wanted = {beam.node_at(at) for at in stations}
        for at in wanted:
            beam = beam._without_slivers(at, wanted)
        return beam._checked()

    def _split(self, at: float) -> Beam:
        if not self.reaches(finite("station", at)):
            raise ParameterError(f"a station must lie on the beam, between 0 and {self.length:g} m, got {at:g} m")
        if self.node(at) is not None:
            return self
        i = bisect_left(self.stations, at)
        stations = (*self.stations[:i], float(at), *self.stations[i:])
        return replace(self, stations=stations, sections=(*self.sections[:i], *self.sections[i - 1 :]))

    def _without_slivers(self, at: float, wanted: set[float]) -> Beam:
        """Without the plain nodes beside `at` that make an element far shorter than the others are."""
        beam = self
        for beside in (-1, 1):
            i = beam.stations.index(at) + beside
            if 0 < i < len(beam.sections) and beam._plain(i, wanted):
                near = abs(beam.stations[i] - at)
                mean = beam.length / len(beam.sections)
                beam = beam._joined(i) if near < _SLIVER * mean else beam
        return beam

    def _checked(self) -> Beam:
        """The beam, if no two of its nodes are so close that the equations lose their digits."""
        for a, b in pairwise(self.stations):
            if b - a < _SHORTEST * self.length:
                raise ParameterError(
                    f"nodes of a beam must be {_SHORTEST * self.length:g} m apart at least, got {a:.9g} m and {b:.9g} m"
                )
        return self

    def _plain(self, i: int, wanted: set[float]) -> bool:
        """Whether node i is there for the mesh alone."""
        needed = wanted | {mass.at for mass in self.masses}
        return self.stations[i] not in needed and self.sections[i - 1] == self.sections[i]

    def _joined(self, i: int) -> Beam:
        return replace(
            self,
            stations=self.stations[:i] + self.stations[i + 1 :],
            sections=self.sections[:i] + self.sections[i + 1 :],
        )
