"""Chrono's cylinders, cones, ellipsoids, convex hulls and closed meshes as solids of our own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from ....errors import ParameterError
from ...api.bridge import pychrono
from ...contact.body_frame import Placing
from ...contact.shapes import CENTRE_OF_MASS, Box, Capsule, Shape
from ...contact.solids.hull_shapes import Faceted
from ...contact.solids.polyhedra import Polyhedron, hull_of, polyhedron, shrunk_hull
from ...contact.solids.solid_shapes import Cone, Cylinder, Ellipsoid
from .solid_pairs import BOX, CAPSULE, CONE, CYLINDER, ELLIPSOID, FACETED, SHAPE, probe_table

MOST_EDGES = 150
MOST_FACETS = 400
"""Larger hulls and meshes stay with Chrono: every pair of edges of two of them is an element."""


class Made(NamedTuple):
    """A shape as a record: its kind, its record of SHAPE, and the tables whose addresses that holds."""

    kind: int
    record: Any
    tables: tuple[NDArray[Any], ...] = ()


class Body(Faceted):
    """A surface of triangles on a body, in the frame of its centre of mass."""

    frame = CENTRE_OF_MASS

    def __init__(self, body: Any, surface: Polyhedron, radius: float) -> None:
        self.body = body
        self.surface = surface
        self.radius = radius


def quaternion(turn: NDArray[np.float64]) -> Sequence[float]:
    """Quaternion (e0, e1, e2, e3) of a rotation matrix."""
    x, y, z, s = Rotation.from_matrix(turn).as_quat()
    return s, x, y, z


def _made(kind: int, shape: Shape, centre: Any, bound: float) -> Made:
    """A solid with its probes; its target is written into the record."""
    record = np.zeros(1, SHAPE)[0]
    parts = shape.targets[0].parts
    record["p0"] = parts["b0"]
    record["p1"] = parts["b1"]
    record["turn"] = parts["b_turn"]
    record["radius"] = parts["b_radius"]
    record["facets"] = parts.get("b_out", np.zeros(3))
    record["centre"] = centre
    record["bound"] = bound
    probes = probe_table(shape)
    record["probes"] = probes.ctypes.data, len(probes)
    facets = (shape.surface.facets,) if isinstance(shape, Faceted) else ()
    return Made(kind, record, (probes, *facets))


def _cylinder(body: Any, shape: Any, place: Placing, rounding: float) -> Made:
    """A cylinder of Chrono's."""
    radius = shape.GetRadius()
    length = shape.GetHeight()
    edge = rounding * min(radius, 0.5 * length)
    own = Cylinder(body, radius, length, edge, place.origin, place.turn[:, 2], CENTRE_OF_MASS)
    return _made(CYLINDER, own, place.origin, float(np.hypot(radius, 0.5 * length)))


def _cone(body: Any, shape: Any, place: Placing, rounding: float) -> Made:
    """A cone of Chrono's."""
    radius = shape.GetRadius()
    height = shape.GetHeight()
    ball = height / (1.0 + float(np.hypot(radius, height)) / radius)
    own = Cone(body, radius, height, rounding * ball, place.origin, place.turn[:, 2], CENTRE_OF_MASS)
    return _made(CONE, own, place.origin, float(np.hypot(radius, 0.5 * height)))


def _ellipsoid(body: Any, shape: Any, place: Placing, rounding: float) -> Made:
    """An ellipsoid of Chrono's."""
    axes = shape.GetSemiaxes()
    size = (axes.x, axes.y, axes.z)
    own = Ellipsoid(body, size, place.origin, quaternion(place.turn), CENTRE_OF_MASS)
    return _made(ELLIPSOID, own, place.origin, max(size))


def _faceted(body: Any, surface: Polyhedron, radius: float) -> Made | None:
    """A surface of triangles; None if it has too many."""
    if len(surface.edges) > MOST_EDGES or len(surface.facets) > MOST_FACETS:
        return None
    middle = 0.5 * (surface.vertices.min(axis=0) + surface.vertices.max(axis=0))
    bound = float(np.linalg.norm(surface.vertices - middle, axis=1).max()) + radius
    return _made(FACETED, Body(body, surface, radius), middle, bound)


def _rows(vectors: Any, place: Placing) -> NDArray[np.float64]:
    """Vectors of Chrono's as rows, in the frame of the centre of mass."""
    points = np.array([(v.x, v.y, v.z) for v in vectors], float).reshape(-1, 3)
    return place.origin + points @ place.turn.T


def _hull(body: Any, shape: Any, place: Placing, rounding: float) -> Made | None:
    """A convex hull of Chrono's: a core smaller by a radius, as a box has it."""
    points = _rows(shape.GetPoints(), place)
    facets = hull_of(points).facets
    middle = points.mean(axis=0)
    depths = ((facets["corners"][:, 0] - middle) * facets["normal"]).sum(axis=1)
    radius = rounding * float(depths.min())
    return _faceted(body, shrunk_hull(points, radius), radius)


def _mesh(body: Any, shape: Any, place: Placing, rounding: float) -> Made | None:
    """A closed mesh of Chrono's with its thickness."""
    mesh = pychrono().CastToChTriangleMeshConnected(shape.GetMesh())
    if mesh is None or mesh.GetNumTriangles() > MOST_FACETS:
        return None
    corners = np.array(
        [[(v.x, v.y, v.z) for v in (t.p1, t.p2, t.p3)] for t in map(mesh.GetTriangle, range(mesh.GetNumTriangles()))]
    )
    points, numbers = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    vertices = place.origin + points @ place.turn.T
    return _faceted(body, polyhedron(vertices, numbers.reshape(-1, 3)), shape.GetRadius())


READERS = {
    "Cylinder": _cylinder,
    "Cone": _cone,
    "Ellipsoid": _ellipsoid,
    "ConvexHull": _hull,
    "TriangleMesh": _mesh,
}
"""How a collision shape of Chrono's becomes a solid, by the name of its class."""


def own_solid(body: Any, shape: Any, place: Placing, rounding: float) -> Made | None:
    """A collision shape on a body as a solid; None if it stays with Chrono, as open, flat or large surfaces do."""
    chrono = pychrono()
    for name, read in READERS.items():
        found = getattr(chrono, f"CastToChCollisionShape{name}")(shape)
        if found is None:
            continue
        try:
            return read(body, found, place, rounding)
        except ParameterError:
            return None
    return None


def simple_probes(body: Any, kind: int, record: Any) -> NDArray[Any] | None:
    """Probes of a box or capsule, written into its record; None for any other shape."""
    shape: Shape
    if kind == BOX:
        size = 2.0 * record["p1"]
        turn = quaternion(record["turn"])
        shape = Box(body, size, float(record["radius"]), record["p0"], turn, CENTRE_OF_MASS)
    elif kind == CAPSULE:
        along = record["p1"] - record["p0"]
        middle = 0.5 * (record["p0"] + record["p1"])
        length = float(np.linalg.norm(along))
        shape = Capsule(body, float(record["radius"]), length, middle, along, CENTRE_OF_MASS)
    else:
        return None
    probes = probe_table(shape)
    record["probes"] = probes.ctypes.data, len(probes)
    return probes
