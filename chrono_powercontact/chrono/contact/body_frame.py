"""The frame of a body in which a shape is given: its reference frame, as in Chrono, or that of its centre of mass.

The two differ only on a ChBodyAuxRef. The kernels know the frame of the centre of mass alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..api.bridge import pychrono
from .elements import Element
from .geometry import EDGE_EDGE
from .shapes import REFERENCE, Shape, rotation_matrix
from .solids import probes as pr


class Placing(NamedTuple):
    """A frame on a body: its origin in m, from the centre of mass, and its rotation matrix."""

    origin: NDArray[np.float64]
    turn: NDArray[np.float64]

    def point(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        """A point of this frame, from the centre of mass."""
        return self.origin + self.turn @ p


def placing(frame: Any) -> Placing:
    """Position and rotation matrix of a Chrono frame."""
    p = frame.GetPos()
    q = frame.GetRot()
    return Placing(np.array((p.x, p.y, p.z)), rotation_matrix((q.e0, q.e1, q.e2, q.e3)))


def reference_frame(body: Any) -> Placing | None:
    """The reference frame of a body; None if it is that of the centre of mass."""
    auxiliary = pychrono().CastToChBodyAuxRef(body)
    return None if auxiliary is None else placing(auxiliary.GetFrameRefToCOM())


def _move_a(kind: int, geometry: Any, frame: Placing) -> None:
    """Move the A side of an element: a sphere, a segment, or another probe."""
    probe = kind // pr.TARGETS
    geometry["a0"] = frame.point(geometry["a0"])
    if probe == pr.ROUND:
        _turn_ellipsoid(geometry, frame.turn)
        return
    geometry["a1"] = frame.turn @ geometry["a1"] if probe == pr.RIM else frame.point(geometry["a1"])
    geometry["a_out"] = frame.turn @ geometry["a_out"]


def _turn_ellipsoid(geometry: Any, turn: NDArray[np.float64]) -> None:
    """Turn the shape matrix of an ellipsoid on A."""
    yz, xz, xy = geometry["a_out"]
    xx, yy, zz = geometry["a1"]
    matrix = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
    geometry["a1"] = np.diag(matrix)
    geometry["a_out"] = matrix[1, 2], matrix[0, 2], matrix[0, 1]


def _move_b(kind: int, geometry: Any, frame: Placing) -> None:
    """Move the B side of an element: a plane has a direction in b1, a ball or segment a point, a solid its size."""
    target = kind % pr.TARGETS
    geometry["b0"] = frame.point(geometry["b0"])
    if target == pr.PLANE:
        geometry["b1"] = frame.turn @ geometry["b1"]
    elif kind == EDGE_EDGE or target in (pr.BALL, pr.SEGMENT):
        geometry["b1"] = frame.point(geometry["b1"])
        geometry["b_out"] = frame.turn @ geometry["b_out"]
    else:
        geometry["b_turn"] = frame.turn @ geometry["b_turn"]


def move_to_centres_of_mass(first: Shape, second: Shape, elements: list[Element]) -> None:
    """Change the geometry of the elements of two shapes to the frames of the centres of mass."""
    frames = [reference_frame(shape.body) if shape.frame == REFERENCE else None for shape in (first, second)]
    for kind, swapped, geometry in elements:
        on_a, on_b = frames[::-1] if swapped else frames
        if on_a is not None:
            _move_a(kind, geometry, on_a)
        if on_b is not None:
            _move_b(kind, geometry, on_b)
