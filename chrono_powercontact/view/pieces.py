"""What a body looks like: boxes, balls, capsules, cylinders and meshes on it, each with a colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BALL, BOX, CAPSULE, CYLINDER, MESH, PLANE = KINDS = ("ball", "box", "capsule", "cylinder", "mesh", "plane")
"""What a piece may be. Its size in m: the radius; three edges; radius and length between the round ends; radius and
length; nothing; nothing or the edge of the plate that represents it. Capsules and cylinders lie along z, which is the
normal of a plane."""

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
FIXED = (148, 156, 166)
MOVING = ((232, 196, 128), (150, 182, 214), (164, 202, 156), (196, 172, 214), (222, 166, 158))
"""Colours (red, green, blue; 0 to 255) of bodies that have none of their own: pale, so that arrows stand out."""

Colour = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of what a body looks like.

    Attributes:
        body: number of the body. kind: one of KINDS. size: in m, see KINDS. colour: red, green, blue, 0 to 255.
        position: in m, and rotation: a quaternion (e0, e1, e2, e3), on the body.
        vertices, faces: of a mesh, in m; else empty.
    """

    body: int
    kind: str
    size: tuple[float, ...]
    colour: Colour
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    rotation: tuple[float, ...] = UPRIGHT
    vertices: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    faces: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 3), np.int64))

    def header(self) -> dict[str, Any]:
        """Everything but the mesh, for JSON."""
        names = ("body", "kind", "size", "colour", "position", "rotation")
        return {name: getattr(self, name) for name in names}

    def arrays(self) -> dict[str, Any]:
        """The mesh."""
        if self.kind != MESH:
            return {}
        return {"vertices": self.vertices.astype(np.float32), "faces": self.faces.astype(np.int32)}

    @classmethod
    def read(cls, header: Mapping[str, Any], arrays: Mapping[str, Any], number: int) -> Piece:
        """A piece from its header and the arrays of a file."""
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in header.items()
        }
        if given["kind"] == MESH:
            given |= {name: arrays[f"piece_{number}_{name}"] for name in ("vertices", "faces")}
        return cls(**given)

    def family(self) -> tuple[Any, ...]:
        """Pieces of one family are one mesh, scaled."""
        if self.kind == CAPSULE:
            return (CAPSULE, *self.size)
        return (MESH, id(self.vertices)) if self.kind == MESH else (self.kind,)


def colour_of(body: int, fixed: bool) -> Colour:
    """The colour of a body that has none of its own."""
    return FIXED if fixed else MOVING[body % len(MOVING)]
