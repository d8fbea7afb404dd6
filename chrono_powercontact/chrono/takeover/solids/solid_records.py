"""Chrono's cylinders, cones, ellipsoids, convex hulls and meshes as solids of our own.

Large hulls and meshes need the library coal. An open mesh is made a plate: a back is put behind its front, which is the
side from which its triangles run counter-clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from ....errors import ParameterError
from ...api.bridge import pychrono
from ...contact.body_frame import Placing
from ...contact.readings import body_name
from ...contact.shapes import CENTRE_OF_MASS, Box, Capsule, Shape
from ...contact.solids.hull_shapes import Faceted
from ...contact.solids.polyhedra import (
    Ints,
    Polyhedron,
    hull_of,
    plate_of,
    points_of,
    polyhedron,
    rim_of,
    shrunk_hull,
    sides_of,
    volume_of,
)
from ...contact.solids.solid_shapes import Cone, Cylinder, Ellipsoid
from .large_surface import LargeSurface
from .solid_pairs import BOX, CAPSULE, CONE, CYLINDER, ELLIPSOID, FACETED, SHAPE, probe_table
from .triangle_tree import INSTALL, coal

MOST_EDGES = 150
MOST_FACETS = 400
"""Of larger hulls and meshes only near triangles are looked at: every pair of edges of two of them is an element."""

BACK = 0.02
"""Depth of the back of an open mesh relative to its size, at most."""

FLAWS = 0.05
"""Largest part of the sides of triangles without a partner with which a mesh counts as closed."""

Tell = Callable[[str], None]
"""Is told a sentence about a shape."""


def silent(message: str) -> None:
    """Tells nobody."""


class Made(NamedTuple):
    """A shape as a record: its kind, its record of SHAPE, and the tables whose addresses that holds.

    `large` is its surface if it has many triangles, and `note` says in what it differs from Chrono's shape.
    """

    kind: int
    record: Any
    tables: tuple[NDArray[Any], ...] = ()
    large: LargeSurface | None = None
    note: str = ""


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


def _faceted(body: Any, surface: Polyhedron, radius: float) -> Made:
    """A surface of triangles with a radius in m around it."""
    middle = 0.5 * (surface.vertices.min(axis=0) + surface.vertices.max(axis=0))
    bound = float(np.linalg.norm(surface.vertices - middle, axis=1).max()) + radius
    if len(surface.edges) <= MOST_EDGES and len(surface.facets) <= MOST_FACETS:
        return _made(FACETED, Body(body, surface, radius), middle, bound)
    if coal() is None:
        raise ParameterError(f"a surface of {len(surface.facets)} triangles needs the library coal: {INSTALL}")
    large = LargeSurface(surface, radius)
    record = np.zeros(1, SHAPE)[0]
    record["turn"] = np.eye(3)
    record["radius"] = radius
    record["facets"] = surface.facets.ctypes.data, len(surface.facets), 0.0
    record["centre"] = middle
    record["bound"] = bound
    record["probes"] = large.probes.ctypes.data, len(large.probes)
    return Made(FACETED, record, (large.probes, surface.facets), large)


def _rows(vectors: Any, place: Placing) -> NDArray[np.float64]:
    """Vectors of Chrono's as rows, in the frame of the centre of mass."""
    points = np.array([(v.x, v.y, v.z) for v in vectors], float).reshape(-1, 3)
    return place.origin + points @ place.turn.T


def _hull(body: Any, shape: Any, place: Placing, rounding: float) -> Made:
    """A convex hull of Chrono's: a core smaller by a radius, as a box has it."""
    points = points_of("points", _rows(shape.GetPoints(), place))
    facets = hull_of(points).facets
    middle = points.mean(axis=0)
    depths = ((facets["corners"][:, 0] - middle) * facets["normal"]).sum(axis=1)
    radius = rounding * float(depths.min())
    return _faceted(body, shrunk_hull(points, radius), radius)


def triangles_of(shape: Any, place: Placing) -> tuple[NDArray[np.float64], Ints]:
    """Vertices in m and triangles of a mesh of Chrono's; vertices at the same place count as one.

    Triangles with two equal corners are left out: the others close the surface without them.
    """
    mesh = pychrono().CastToChTriangleMeshConnected(shape.GetMesh())
    if mesh is None:
        raise ParameterError("a mesh must be a ChTriangleMeshConnected")
    points = np.array([(v.x, v.y, v.z) for v in mesh.GetCoordsVertices()], float).reshape(-1, 3)
    rows = np.array([(t.x, t.y, t.z) for t in mesh.GetIndicesVertexes()], np.int64).reshape(-1, 3)
    used, numbers = np.unique(points_of("vertices", points)[rows.ravel()], axis=0, return_inverse=True)
    triangles = numbers.reshape(-1, 3)
    apart = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    if not apart.any():
        raise ParameterError(f"a mesh must have triangles with three different corners, got none of {len(triangles)}")
    return place.origin + used @ place.turn.T, triangles[apart]


def back_of(vertices: NDArray[np.float64], triangles: Ints) -> float:
    """How far in m the back of an open mesh lies behind its front: half an edge, and at most 2 % of its size."""
    corners = vertices[triangles]
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return float(min(0.5 * np.median(edges), BACK * np.linalg.norm(np.ptp(vertices, axis=0))))


def is_leaky(vertices: NDArray[np.float64], triangles: Ints) -> bool:
    """Whether a mesh is closed but for flaws: few sides without a partner, or edges with more than two triangles.

    The areas of an open one, as vectors, do not sum to zero.
    """
    sides, _, _ = sides_of(triangles)
    gaps = len(rim_of(triangles))
    has_flaws = gaps > 0 or len(np.unique(sides, axis=0)) < len(sides)
    a, b, c = vertices[triangles].transpose(1, 0, 2)
    areas = np.cross(b - a, c - a)
    is_open = np.linalg.norm(areas.sum(axis=0)) > FLAWS * np.linalg.norm(areas, axis=1).sum()
    if not has_flaws or is_open or gaps > FLAWS * len(sides):
        return False
    return volume_of(vertices, triangles) > 0.0


def _mesh(body: Any, shape: Any, place: Placing, rounding: float) -> Made:
    """A mesh of Chrono's with its thickness; an open one is made a plate."""
    vertices, triangles = triangles_of(shape, place)
    gaps = len(rim_of(triangles))
    note = ""
    if gaps and coal() is None:
        raise ParameterError(f"an open mesh needs the library coal: {INSTALL}")
    if coal() is not None and is_leaky(vertices, triangles):
        surface = polyhedron(vertices, triangles, closed=False)
        flaw = (
            f"{gaps} sides of its triangles have no partner" if gaps else "more than two triangles meet at some sides"
        )
        note = f"a mesh is taken as closed, though {flaw}"
        return _faceted(body, surface, shape.GetRadius())._replace(note=note)
    if gaps:
        depth = back_of(vertices, triangles)
        vertices, triangles = plate_of(vertices, triangles, depth)
        note = f"an open mesh is a plate here, whose back lies {depth:.3g} m behind its counter-clockwise side"
    elif volume_of(vertices, triangles) < 0.0:
        triangles = triangles[:, ::-1]
        note = "a mesh that is inside out is turned: its triangles run clockwise seen from outside"
    return _faceted(body, polyhedron(vertices, triangles), shape.GetRadius())._replace(note=note)


READERS = {
    "Cylinder": _cylinder,
    "Cone": _cone,
    "Ellipsoid": _ellipsoid,
    "ConvexHull": _hull,
    "TriangleMesh": _mesh,
}
"""How a collision shape of Chrono's becomes a solid, by the name of its class."""


def own_solid(body: Any, shape: Any, place: Placing, rounding: float, tell: Tell = silent) -> Made | None:
    """A collision shape on a body as a solid; None if it stays with Chrono, and then `tell` is told why."""
    chrono = pychrono()
    for name, read in READERS.items():
        found = getattr(chrono, f"CastToChCollisionShape{name}")(shape)
        if found is None:
            continue
        whose = "a shape" if body is None else repr(body_name(body))
        try:
            made = read(body, found, place, rounding)
        except ParameterError as error:
            tell(f"contacts of {whose} are found by Chrono, in single precision: {error}")
            return None
        if made.note:
            tell(f"{whose}: {made.note}")
        return made
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
