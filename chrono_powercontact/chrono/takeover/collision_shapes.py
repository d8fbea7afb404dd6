"""Chrono's collision shapes as records, in double precision and in the frame of the centre of mass.

Spheres and capsules are used as they are. A box becomes a core with a radius around it. The radius is a fraction of its
smallest half edge (`rounding`), and the core is smaller than the box by that radius. The faces stay where they are in
Chrono; only edges and corners are rounded. Cylinders, cones, ellipsoids, hulls and meshes are solids, see
`solid_records`. Every other shape is foreign: its contact points come from Chrono.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from ..api.bridge import address, body_key, pychrono, shape_instance
from ..contact.body_frame import Placing, placing, reference_frame
from ..contact.readings import body_name
from ..contact.shapes import Vector
from .broadphase import TRAITS
from .solids.large_surface import LargeSurface
from .solids.solid_pairs import BOX, CAPSULE, FACETED, SHAPE, SPHERE
from .solids.solid_records import Made, Tell, own_solid, silent, simple_probes


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
    record = np.zeros(1, SHAPE)[0]
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


def shape_record(body: Any, shape: Any, frame: Any, rounding: float, tell: Tell = silent) -> Made | None:
    """A collision shape on a body as a record; None if it is foreign, and `tell` is told why."""
    chrono = pychrono()
    place = _on_centre_of_mass(body, frame)
    sphere = chrono.CastToChCollisionShapeSphere(shape)
    if sphere is not None:
        return Made(SPHERE, sphere_record(place.origin, sphere.GetRadius()))
    box = chrono.CastToChCollisionShapeBox(shape)
    if box is not None:
        half = box.GetHalflengths()
        return Made(BOX, box_record(*place, np.array((half.x, half.y, half.z)), rounding))
    capsule = chrono.CastToChCollisionShapeCapsule(shape)
    if capsule is not None:
        record = capsule_record(place.origin, place.turn[:, 2], capsule.GetHeight(), capsule.GetRadius())
        return Made(CAPSULE, record)
    return own_solid(body, shape, place, rounding, tell)


def _check_sizes(records: NDArray[Any], bodies: Sequence[Any]) -> None:
    """Raise if a shape has no size: what is near one that is not a number would not be found either."""
    bounds = records["bound"]
    wrong = np.flatnonzero(~(np.isfinite(bounds) & (bounds >= 0.0) & (records["radius"] >= 0.0)))
    if wrong.size:
        raise ParameterError(
            f"the sizes of the collision shapes of {body_name(bodies[wrong[0]])!r} must be finite and not negative, "
            f"got a shape that reaches {bounds[wrong[0]]:g} m"
        )


def _check_foreign(body: Any, shape: Any) -> None:
    """Raise if a shape that Chrono is to find is not made of numbers: it would not."""
    box = shape.GetBoundingBox()
    sizes = [getattr(end, axis) for end in (box.min, box.max) for axis in "xyz"]
    if any(map(math.isnan, sizes)):
        raise ParameterError(
            f"the sizes of the collision shapes of {body_name(body)!r} must be finite and not negative, got nan"
        )


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
    """Chrono's numbers for the shapes that are never foreign, whatever their size."""
    kinds = pychrono().ChCollisionShape
    own = ("SPHERE", "BOX", "CAPSULE", "CYLINDER", "CONE", "ELLIPSOID")
    names = [name if hasattr(kinds, name) else f"Type_{name}" for name in own]
    return frozenset(int(getattr(kinds, name)) for name in names)


def is_foreign(shape: Any) -> bool:
    """Whether a collision shape is foreign, by its kind and by its own numbers, wherever it is."""
    if int(shape.GetType()) in own_types():
        return False
    return own_solid(None, shape, Placing(np.zeros(3), np.eye(3)), 0.02) is None


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
        foreign: the bodies with foreign shapes. tables: those whose addresses the records hold.
        owned: addresses of hulls and meshes that are not foreign. surfaces: those of many triangles, by their number.
    """

    records: NDArray[Any]
    traits: NDArray[Any]
    extents: NDArray[np.float64]
    foreign: list[Any]
    tables: list[NDArray[Any]] = field(default_factory=list)
    owned: frozenset[int] = frozenset()
    surfaces: dict[int, LargeSurface] = field(default_factory=dict)

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
    surface_of: Callable[[Any], int] = _nameless, tell: Tell = silent,
) -> ShapeTable:  # fmt: skip
    """The shapes of bodies whose numbers on the load are `places`.

    Args:
        names: holds the lasting numbers of shapes. surface_of: gives the number of a shape's surface. tell: is told
            of shapes that are not what they seem.
    """
    reading = _Reading(rounding, names, surface_of, np.zeros(max(places, default=-1) + 1), tell)
    for body, place in zip(bodies, places, strict=True):
        reading.read(body, place)
    reading.add_probes()
    return reading.table()


class _Reading:
    """The shapes that have been read so far."""

    def __init__(
        self, rounding: float, names: dict[tuple[int, int], int], surface_of: Callable[[Any], int],
        extents: NDArray[np.float64], tell: Tell,
    ) -> None:  # fmt: skip
        self._rounding = rounding
        self._tell = tell
        self._names = names
        self._surface_of = surface_of
        self._extents = extents
        self._made: list[Made] = []
        self._bodies: list[Any] = []
        self._traits: list[tuple[int, ...]] = []
        self._foreign: dict[int, Any] = {}
        self._tables: list[NDArray[Any]] = []
        self._owned: set[int] = set()

    def read(self, body: Any, place: int) -> None:
        """Read the shapes of a body."""
        model = body.GetCollisionModel()
        filters = (model.GetFamilyGroup(), model.GetFamilyMask(), 0 if body.IsFixed() else 1)
        for i in range(model.GetNumShapes()):
            shape, frame = shape_instance(model, i)
            made = shape_record(body, shape, frame, self._rounding, self._tell)
            if made is None:
                _check_foreign(body, shape)
                self._foreign[place] = body
                continue
            name = self._names.setdefault((body_key(body), i), len(self._names))
            self._made.append(made)
            self._bodies.append(body)
            self._traits.append((made.kind, place, *filters, name, self._surface_of(shape)))
            if made.kind == FACETED:
                self._owned.add(address(shape))
            record = made.record
            core = float(np.linalg.norm(record["centre"])) + record["bound"] - record["radius"]
            self._extents[place] = max(self._extents[place], core)

    def add_probes(self) -> None:
        """Where there are solids, boxes and capsules need probes too."""
        for made in self._made:
            self._tables += made.tables
        if not self._tables:
            return
        for body, made in zip(self._bodies, self._made, strict=True):
            probes = simple_probes(body, made.kind, made.record)
            if probes is not None:
                self._tables.append(probes)

    def table(self) -> ShapeTable:
        """All shapes."""
        records = np.array([made.record for made in self._made], SHAPE)
        _check_sizes(records, self._bodies)
        traits = np.array(self._traits, TRAITS)
        owned = frozenset(self._owned)
        surfaces = {number: made.large for number, made in enumerate(self._made) if made.large is not None}
        foreign = list(self._foreign.values())
        return ShapeTable(records, traits, self._extents, foreign, self._tables, owned, surfaces)
