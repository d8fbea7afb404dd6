"""Which probes of one taken-over shape look for contact with another: the rules of `elements_between`, compiled.

A solid's probes are made once, in Python, and kept in a table; its record holds the address.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....kernel import kernel
from ...contact.addresses import doubles_at
from ...contact.elements import Probe, all_probes
from ...contact.shapes import Shape
from ...contact.solids import probes as pr

Array = Any

KINDS = 7
SPHERE, CAPSULE, BOX, ELLIPSOID, CONE, CYLINDER, FACETED = range(KINDS)
"""Kinds of shapes, and their number. In a pair, the shape of the higher kind comes first."""

TARGETS = (pr.BALL, pr.SEGMENT, pr.BOX, pr.ELLIPSOID, pr.CONE, pr.CYLINDER, pr.FACETS)
"""Targets of probes by the kind of shape."""

SHAPE = np.dtype(
    [
        ("p0", np.float64, (3,)), ("p1", np.float64, (3,)), ("radius", np.float64), ("turn", np.float64, (3, 3)),
        ("centre", np.float64, (3,)), ("bound", np.float64), ("probes", np.float64, (2,)), ("facets", np.float64, (3,)),
    ]
)  # fmt: skip
"""A shape in the frame of its body's centre of mass, in m: the ends of its segment (a sphere has one point, a box its
centre and half edges, a solid its centre and size), radius, rotation, centre and radius of the bounding sphere; and
address and number of its probes and of its triangles, if it has any."""

PROBE = np.dtype(
    [
        ("probe", np.int64), ("a0", np.float64, (3,)), ("a1", np.float64, (3,)), ("a_out", np.float64, (3,)),
        ("a_radius", np.float64),
    ]
)  # fmt: skip
"""A probe and the A side of its geometry, see `probes`."""

PROBE_WORDS = PROBE.itemsize // 8


def probe_table(shape: Shape) -> NDArray[Any]:
    """All probes of a shape, records of PROBE."""
    return _rows(all_probes(shape))


def _rows(probes: Sequence[Probe]) -> NDArray[Any]:
    """Records of PROBE."""
    table = np.zeros(len(probes), PROBE)
    for row, (probe, parts) in zip(table, probes, strict=True):
        row["probe"] = probe
        for name, value in parts.items():
            row[name] = value
    return table


@kernel
def probes_of(shape: Any) -> Array:
    """The probes of a shape."""
    return doubles_at(int(shape.probes[0]), int(shape.probes[1]) * PROBE_WORDS).view(PROBE)


@kernel
def is_side(kind: int) -> bool:
    """Whether a kind of shape has a curved side."""
    return kind in (CYLINDER, CONE)


@kernel
def is_edge_pair(one: int, other: int) -> bool:
    """Whether edges of two kinds of shapes can touch each other."""
    return one in (FACETED, BOX, CAPSULE) and other in (FACETED, BOX, CAPSULE)


@kernel
def wants_axis(own: int, other: int, is_first: bool) -> bool:
    """Whether the axis of a cylinder looks for contact with another curved side: of two cylinders, the first's does."""
    return own == CYLINDER and is_side(other) and (is_first or other != CYLINDER)


@kernel
def is_wanted(probe: int, own: int, other: int, is_first: bool) -> bool:
    """Whether a probe of a kind of shape looks for contact with another kind, neither of them a sphere."""
    if other == ELLIPSOID:
        if own == ELLIPSOID:
            return is_first
        return own == CAPSULE and probe == pr.ROD
    if own == ELLIPSOID:
        return other != CAPSULE
    if probe == pr.RIM_POINT:
        return other != CAPSULE
    if probe == pr.EDGE:
        return is_side(other)
    if probe == pr.AXIS:
        return wants_axis(own, other, is_first)
    if probe == pr.SIDE:
        return is_first and other == CONE
    return probe in (pr.POINT, pr.RIM)
