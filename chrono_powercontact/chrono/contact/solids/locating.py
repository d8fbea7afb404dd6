"""Where the surfaces of any element are: the geometry of simple shapes, or a probe against a solid."""

from __future__ import annotations

from typing import Any

from ....kernel import kernel
from ....numerics.vectors import Triple, minus, norm, plus, times
from ..bodies import point_on
from ..geometry import EDGE_EDGE, Gap, locate
from .probes import EDGE, HEIGHTS, RIM, ROD, TARGETS, field, locate_solid

Array = Any


@kernel
def curve_around(x: Array, r: Array, element: Any, g: Any) -> tuple[Triple, float]:
    """Middle of the curve of an element in the world, and how far in m it extends from there; -1 if it has none."""
    middle = point_on(x, r, element.a, g.a0)
    probe = element.kind // TARGETS if element.kind > EDGE_EDGE else 0
    if probe == RIM:
        return middle, norm(g.a1)
    if probe in (EDGE, ROD):
        half = times(0.5, minus(point_on(x, r, element.a, g.a1), middle))
        return plus(middle, half), norm(half)
    return middle, -1.0


@kernel
def is_beyond(x: Array, r: Array, element: Any, g: Any, reach: float) -> bool:
    """Whether a curve of an element is surely farther from its target than a gap in m, told by its middle alone.

    To find the nearest point of a curve takes dozens of distances. Terrain is left out: its field is no distance.
    """
    middle, extent = curve_around(x, r, element, g)
    target = element.kind % TARGETS
    if extent < 0.0 or target == HEIGHTS:
        return False
    distance, _ = field(target, middle, x, r, element.b, g)
    return distance - extent - g.a_radius > reach


@kernel
def locate_any(x: Array, r: Array, element: Any, g: Any) -> Gap:
    """Relative position of the surfaces of an element, from its geometry record."""
    if element.kind <= EDGE_EDGE:
        return locate(x, r, element, g)
    gap, nx, ny, nz, px, py, pz, weight = locate_solid(x, r, element, g)
    return Gap(gap, (nx, ny, nz), (px, py, pz), weight)
