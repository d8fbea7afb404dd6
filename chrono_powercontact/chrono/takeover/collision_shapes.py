"""Chrono's collision shapes as records, in double precision and in the frame of the centre of mass.

Spheres and capsules are used as they are. A box becomes a core with a radius around it. The radius is a fraction of its
smallest half edge (`rounding`), and the core is smaller than the box by that radius. The faces stay where they are in
Chrono; only edges and corners are rounded. Every other shape is foreign: its contact points come from Chrono.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..api.bridge import body_key, pychrono, shape_instance
from ..contact.body_frame import Placing, placing, reference_frame
from ..contact.shapes import Vector
from . import narrowphase as n
from .broadphase import TRAITS


def _on_centre_of_mass(body: Any, frame: Any) -> Placing:
    """Position and rotation of a shape relative to the centre of mass; Chrono uses the body's reference frame."""
    shape = placing(frame)
    reference = reference_frame(body)
    if reference is None:
        return shape
    return Placing(reference.point(shape.origin), reference.turn @ shape.turn)


def _record(
    first: Vector, second: Vector, radius: float, centre: Vector, bound: float, turn: Vector | None = None
) -> Any:
    """The record of a shape for the kernels."""
    record = np.zeros(1, n.SHAPE)[0]
    record["p0"] = first
    record["p1"] = second
    record["radius"] = radius
    record["centre"] = centre
    record["bound"] = bound
    if turn is not None:
        record["turn"] = turn
    return record


def sphere_record(centre: Vector, radius: float) -> Any:
    """A sphere: centre and radius in m."""
    return _record(centre, centre, radius, centre, radius)


def capsule_record(middle: Vector, axis: Vector, length: float, radius: float) -> Any:
    """A capsule: middle, direction and length of its segment, and radius in m."""
    half = 0.5 * length * axis
    return _record(middle - half, middle + half, radius, middle, 0.5 * length + radius)


def box_record(centre: Vector, turn: Vector, half: Vector, rounding: float) -> Any:
    """A box with half edges in m: a core smaller by a radius, which is a fraction of the smallest half edge."""
    radius = rounding * float(half.min())
    core = half - radius
    return _record(centre, core, radius, centre, float(np.linalg.norm(core)) + radius, turn)


def shape_record(body: Any, shape: Any, frame: Any, rounding: float) -> tuple[int, Any] | None:
    """Kind and record of a collision shape on a body; None if it is foreign."""
    chrono = pychrono()
    sphere = chrono.CastToChCollisionShapeSphere(shape)
    if sphere is not None:
        return n.SPHERE, sphere_record(_on_centre_of_mass(body, frame)[0], sphere.GetRadius())
    box = chrono.CastToChCollisionShapeBox(shape)
    if box is not None:
        half = box.GetHalflengths()
        return n.BOX, box_record(*_on_centre_of_mass(body, frame), np.array((half.x, half.y, half.z)), rounding)
    capsule = chrono.CastToChCollisionShapeCapsule(shape)
    if capsule is not None:
        place, turn = _on_centre_of_mass(body, frame)
        return n.CAPSULE, capsule_record(place, turn[:, 2], capsule.GetHeight(), capsule.GetRadius())
    return None


UNBOUNDED = 1e9
"""Size in m of shapes that do not know theirs, such as paths in a plane."""


def span_of(body: Any) -> float:
    """Largest distance in m of a point of a body's shapes from its centre of mass, at most."""
    model = body.GetCollisionModel()
    largest = 0.0
    for i in range(model.GetNumShapes()):
        shape, frame = shape_instance(model, i)
        box = shape.GetBoundingBox()
        corner = max(max(abs(getattr(box.min, axis)), abs(getattr(box.max, axis))) for axis in "xyz")
        origin = _on_centre_of_mass(body, frame).origin
        if corner < UNBOUNDED:
            largest = max(largest, float(np.linalg.norm(origin)) + math.sqrt(3.0) * corner)
    return largest


def own_types() -> frozenset[int]:
    """Chrono's numbers for the shapes that are not foreign."""
    kinds = pychrono().ChCollisionShape
    names = [name if hasattr(kinds, name) else f"Type_{name}" for name in ("SPHERE", "BOX", "CAPSULE")]
    return frozenset(int(getattr(kinds, name)) for name in names)


def touchable(system: Any) -> list[Any]:
    """The bodies of a system that have collision shapes and may collide."""
    bodies = []
    for body in system.GetBodies():
        model = body.GetCollisionModel()
        if model is not None and model.GetNumShapes() > 0 and body.IsCollisionEnabled():
            bodies.append(body)
    return bodies


@dataclass(frozen=True)
class ShapeTable:
    """The shapes of all bodies, without foreign ones.

    Attributes:
        records: dtype SHAPE. traits: dtype TRAITS.
        extents: for each body on the load, the largest distance in m of its shapes' cores from its centre of mass.
        foreign: the bodies with foreign shapes.
    """

    records: NDArray[Any]
    traits: NDArray[Any]
    extents: NDArray[np.float64]
    foreign: list[Any]

    @property
    def size(self) -> float:
        """Median radius in m of the bounding spheres of movable shapes, or of all shapes if none can move."""
        bounds = self.records["bound"]
        free = self.traits["free"] == 1
        chosen = bounds[free] if free.any() else bounds
        return float(np.median(chosen)) if chosen.size else 1.0


def _nameless(shape: Any) -> int:
    """The number of every surface where surfaces do not matter."""
    return 0


def read_shapes(
    bodies: Sequence[Any], places: Sequence[int], rounding: float, names: dict[tuple[int, int], int],
    surface_of: Callable[[Any], int] = _nameless,
) -> ShapeTable:  # fmt: skip
    """The shapes of bodies whose numbers on the load are `places`.

    Args:
        names: holds the lasting numbers of shapes. surface_of: gives the number of a shape's surface.
    """
    records = []
    traits = []
    foreign = {}
    extents = np.zeros(max(places, default=-1) + 1)
    for body, place in zip(bodies, places, strict=True):
        model = body.GetCollisionModel()
        filters = (model.GetFamilyGroup(), model.GetFamilyMask(), 0 if body.IsFixed() else 1)
        for i in range(model.GetNumShapes()):
            shape, frame = shape_instance(model, i)
            made = shape_record(body, shape, frame, rounding)
            if made is None:
                foreign[place] = body
                continue
            kind, record = made
            records.append(record)
            name = names.setdefault((body_key(body), i), len(names))
            traits.append((kind, place, *filters, name, surface_of(shape)))
            core = float(np.linalg.norm(record["centre"])) + record["bound"] - record["radius"]
            extents[place] = max(extents[place], core)
    return ShapeTable(np.array(records, n.SHAPE), np.array(traits, TRAITS), extents, list(foreign.values()))
