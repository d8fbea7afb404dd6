"""Where the surfaces of any element are: the geometry of simple shapes, or a probe against a solid."""

from __future__ import annotations

from typing import Any

from ....kernel import kernel
from ..geometry import EDGE_EDGE, Gap, locate
from .probes import locate_solid

Array = Any


@kernel
def locate_any(x: Array, r: Array, element: Any, g: Any) -> Gap:
    """Relative position of the surfaces of an element, from its geometry record."""
    if element.kind <= EDGE_EDGE:
        return locate(x, r, element, g)
    gap, nx, ny, nz, px, py, pz, weight = locate_solid(x, r, element, g)
    return Gap(gap, (nx, ny, nz), (px, py, pz), weight)
