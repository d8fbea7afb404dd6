"""The rack in a Chrono scene as flat pieces: the rack itself, a lowest segment before it, the concrete above.

The reference engine rounds a passage over the rack's edge length. Here rack and concrete meet in its middle, and the
segment is a box so round that its end follows that passage; both are within half a millimetre of it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from ..machine.machine import Rack

Array = NDArray[np.float64]
ENDLESS = 30.0
"""Length in m of a piece that ends nowhere near the rake."""
WIDTH, DEPTH = 4.0, 1.0
"""Of every piece, in m."""
BELOW = 2.0
"""How far the lowest segment reaches below the foot of the rack, in m."""


class Slab(NamedTuple):
    """A flat piece of the rack.

    Attributes:
        top: upper end of its face in m, along x and z; a point of the face where the piece is endless.
        angle: inclination in rad. length: of the face in m. rounding: radius in m of its edges; 0 where it is endless.
    """

    top: Array
    angle: float
    length: float = ENDLESS
    rounding: float = 0.0

    @property
    def endless(self) -> bool:
        """Whether the rake can reach no end of it."""
        return self.rounding == 0.0

    @property
    def normal(self) -> Array:
        """From the piece to the rake."""
        return np.array([math.sin(self.angle), math.cos(self.angle)])

    def centre(self, before: float = 0.0) -> Array:
        """Centre in m of the piece's core, so many m in front of its position."""
        up = np.array([-math.cos(self.angle), math.sin(self.angle)])
        along = 0.0 if self.endless else 0.5 * self.length
        return self.top - along * up + (before - self.rounding - 0.5 * DEPTH) * self.normal


def slabs(rack: Rack) -> list[Slab]:
    """The pieces of a rack."""
    pieces = [Slab(rack.point(0.5 * rack.length, rack.offset), rack.angle)]
    if rack.segment > 0.0:
        before = rack.segment_shift - 0.5 * rack.segment * math.tan(rack.segment_tilt)
        if not before > 0.0:
            raise ParameterError(f"the lowest segment must end before the plane of the rack, got {before:g} m")
        top = rack.point(rack.segment, rack.offset + before)
        rounding = 0.5 * rack.edge**2 / before
        pieces.append(Slab(top, rack.angle - rack.segment_tilt, rack.segment + BELOW, rounding))
    if rack.concrete_tilt != 0.0:
        foot = rack.point(rack.length + 0.5 * rack.edge, rack.offset)
        pieces.append(Slab(foot, rack.angle + rack.concrete_tilt))
    return pieces


def plugin_shape(slab: Slab, ground: Any, before: float) -> Any:
    """A piece as the plugin's shape on the ground, so many m in front of its position."""
    from ....chrono.contact.shapes import Box, Plane

    if slab.endless:
        (x, z) = slab.top + before * slab.normal
        (nx, nz) = slab.normal
        return Plane(ground, (x, 0.0, z), (nx, 0.0, nz))
    (x, z) = slab.centre(before)
    turn = (math.cos(0.5 * slab.angle), 0.0, math.sin(0.5 * slab.angle), 0.0)
    return Box(ground, (slab.length, WIDTH, DEPTH), slab.rounding, (x, 0.0, z), turn)
