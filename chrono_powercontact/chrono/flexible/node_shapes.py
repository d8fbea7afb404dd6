"""Shapes of nodes and of links between nodes, on stand-ins for the bodies that shapes belong to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..contact.shapes import (
    CAPSULE,
    CENTRE_OF_MASS,
    POINTS,
    Segment,
    Shape,
    SphereCore,
    Target,
    segment_target,
)

_KEYS = itertools.count(-2, -1)
"""Identifiers of stand-ins: negative, which those of bodies are not."""


class StandIn:
    """Stands for a body where a shape needs one: a carrier that follows one node, or two.

    Attributes:
        nodes: one or two nodes. name: as readings show it.
    """

    def __init__(self, nodes: Sequence[Any], name: str) -> None:
        self.nodes = tuple(nodes)
        self.name = name
        self._key = next(_KEYS)

    def GetIdentifier(self) -> int:
        """A number that no body has."""
        return self._key

    def GetName(self) -> str:
        """The name that readings show."""
        return self.name

    def IsFixed(self) -> bool:
        """Whether none of the nodes can move."""
        return all(node.IsFixed() for node in self.nodes)


@dataclass(frozen=True, eq=False)
class NodeSphere(Shape):
    """A sphere around a node, with a radius in m; a radius of 0 makes it a point."""

    body: StandIn
    radius: float
    frame: str = CENTRE_OF_MASS
    rank: ClassVar[int] = POINTS

    @property
    def spheres(self) -> Sequence[SphereCore]:
        """The sphere."""
        return [SphereCore(np.zeros(3), self.radius)]


@dataclass(frozen=True, eq=False)
class BeamLink(Shape):
    """A capsule from one node to the next, along the x axis of its carrier.

    Neighbouring links share a node, so that each has the sphere at its start only, and the last one also at its end.

    Attributes:
        body: the stand-in. radius, length: in m. is_last: whether no link follows.
    """

    body: StandIn
    radius: float
    length: float
    is_last: bool
    frame: str = CENTRE_OF_MASS
    rank: ClassVar[int] = CAPSULE

    @property
    def spheres(self) -> Sequence[SphereCore]:
        """The sphere at the start, and at the end of the last link."""
        start = SphereCore(np.array((-0.5 * self.length, 0.0, 0.0)), self.radius)
        end = SphereCore(np.array((0.5 * self.length, 0.0, 0.0)), self.radius)
        return [start, end] if self.is_last else [start]

    @property
    def segments(self) -> Sequence[Segment]:
        """The axis."""
        half = np.array((0.5 * self.length, 0.0, 0.0))
        return [Segment(-half, half, self.radius, np.zeros(3))]

    @property
    def targets(self) -> Sequence[Target]:
        """The whole capsule."""
        return [segment_target(self.segments[0])]
