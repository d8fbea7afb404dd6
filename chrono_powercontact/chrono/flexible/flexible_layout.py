"""Where bodies and nodes are in the vectors of a load, and the carriers and pairs that kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from ..api.bridge import address, body_key
from ..contact.contact_table import Pair
from .carriers import CARRIER, FRAME, LINK, POINT, TURNING_LINK
from .node_shapes import StandIn
from .nodes import turns
from .pair_slopes import PAIR

Floats = NDArray[np.float64]


def kind_of(stand_in: StandIn) -> int:
    """Kind of the carrier of a stand-in."""
    turning = all(turns(node) for node in stand_in.nodes)
    if len(stand_in.nodes) == 1:
        return FRAME if turning else POINT
    return TURNING_LINK if turning else LINK


class Layout:
    """Bodies and nodes on a load, and the carriers that follow them: those of the bodies first.

    A fixed node is not on the load, for Chrono gives it no place of its own in the vectors of the system. Its position
    stands behind the states of the load.

    Attributes:
        bodies: on the load, before the nodes. nodes: as they were given. stand_ins: of spheres or links.
        free, held: nodes that can move, which are on the load, and nodes that are fixed.
        x, w: numbers of states and of velocities of the load. numbers: of the carriers, by the keys of bodies and
            stand-ins. carriers: records of CARRIER.
    """

    def __init__(self, bodies: Sequence[Any], nodes: Sequence[Any], stand_ins: Sequence[StandIn]) -> None:
        self.bodies = list(bodies)
        self.nodes = list(nodes)
        self.stand_ins = list(stand_ins)
        self.free = [node for node in nodes if not node.IsFixed()]
        self.held = [node for node in nodes if node.IsFixed()]
        self.numbers = {body_key(owner): i for i, owner in enumerate(self.owners)}
        self.x = 0
        self.w = 0
        self._places = self._placed()
        self.carriers = np.array([self._carrier(owner) for owner in self.owners], CARRIER)

    @property
    def things(self) -> list[Any]:
        """What the load acts on."""
        return [*self.bodies, *self.free]

    @property
    def owners(self) -> list[Any]:
        """What the carriers stand for: bodies and stand-ins."""
        return [*self.bodies, *self.stand_ins]

    def _placed(self) -> dict[int, tuple[int, int]]:
        """Where each body and node begins in states and velocities, by its address."""
        places = {}
        for thing in self.things:
            places[address(thing)] = self.x, self.w
            states = int(thing.GetLoadableNumCoordsPosLevel())
            if states == 0:
                raise ParameterError(
                    "Chrono does not move a node with slopes that was fixed in the first step and released later: fix "
                    "it by a link, such as ChLinkNodeFrame, and remove the link"
                )
            self.x += states
            self.w += int(thing.GetLoadableNumCoordsVelLevel())
        x = self.x
        for node in self.held:
            places[address(node)] = x, self.w
            x += len(coordinates(node))
        return places

    def _carrier(self, owner: Any) -> tuple[int, ...]:
        """The record of a carrier; Chrono itself leaves out forces on fixed bodies."""
        if not isinstance(owner, StandIn):
            return (FRAME, *self._places[address(owner)], 0, 0, 1, 0)
        first = owner.nodes[0]
        last = owner.nodes[-1]
        ends = *self._places[address(first)], *self._places[address(last)]
        return (kind_of(owner), *ends, not first.IsFixed(), not last.IsFixed())

    @property
    def is_current(self) -> bool:
        """Whether the same nodes are fixed as when this was made."""
        return not any(node.IsFixed() for node in self.free) and all(node.IsFixed() for node in self.held)

    def held_coordinates(self) -> Floats:
        """Positions of the fixed nodes in m, with the rotations of those that have one."""
        return np.concatenate([np.zeros(0), *(coordinates(node) for node in self.held)])

    def of_nodes(self, q: Floats) -> Floats:
        """Forces in N on all nodes, one row each, from the generalised forces of the load; zero on fixed nodes."""
        starts = {address(node): self._places[address(node)][1] for node in self.free}
        rows = [q[starts[key] : starts[key] + 3] if key in starts else np.zeros(3) for key in map(address, self.nodes)]
        return np.array(rows)

    def pair_records(self, pairs: Sequence[Pair]) -> NDArray[Any]:
        """The pairs as kernels read them, records of PAIR."""
        records = np.zeros(len(pairs), PAIR)
        first = 0
        for p, pair in enumerate(pairs):
            widths = [speed_width(node) for node in pair.first.body.nodes]
            last = first + len(pair.elements)
            carrier = self.numbers[body_key(pair.first.body)]
            partner = self.numbers[body_key(pair.second.body)]
            records[p] = (carrier, partner, first, last, widths[0], sum(widths[1:]))
            first = last
        return records


def speed_width(node: Any) -> int:
    """Number of velocities of a node on the load."""
    return 0 if node.IsFixed() else int(node.GetLoadableNumCoordsVelLevel())


def coordinates(node: Any) -> Floats:
    """Position of a node in m, and its quaternion if it has a rotation."""
    p = node.GetPos()
    if not turns(node):
        return np.array((p.x, p.y, p.z))
    e = node.GetRot()
    return np.array((p.x, p.y, p.z, e.e0, e.e1, e.e2, e.e3))
