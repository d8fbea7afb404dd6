"""What a Chrono body looks like: its visual shapes, else its contact shapes, else its collision shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...view.pieces import BALL, BOX, CAPSULE, CYLINDER, MESH, PLANE, UPRIGHT, Colour, Piece, colour_of
from ...view.poses import product, to_direction, turned
from ..api.bridge import pychrono, shape_instance
from ..contact.shapes import REFERENCE, Box, Capsule, Plane, Shape
from .solid_looks import solid_mesh

MOST_FACES = 20_000
"""Meshes with more faces are left out."""

POINT = 0.01
"""Radius in m of the ball that represents a point."""


class Pose(NamedTuple):
    """A position in m and a quaternion (e0, e1, e2, e3) on a body."""

    position: tuple[float, ...]
    rotation: tuple[float, ...]


ORIGIN = Pose((0.0, 0.0, 0.0), UPRIGHT)


def pose_of(frame: Any) -> Pose:
    """The pose of a Chrono frame."""
    p = frame.GetPos()
    q = frame.GetRot()
    return Pose((p.x, p.y, p.z), (q.e0, q.e1, q.e2, q.e3))


def _within(outer: Pose, inner: Pose) -> Pose:
    """A pose that is given in another one."""
    position = np.asarray(outer.position) + turned(outer.rotation, inner.position)
    return Pose(tuple(position.tolist()), tuple(product(outer.rotation, inner.rotation).tolist()))


def _reference(body: Any) -> Pose:
    """The reference frame of a body, from its centre of mass."""
    auxiliary = pychrono().CastToChBodyAuxRef(body)
    return ORIGIN if auxiliary is None else pose_of(auxiliary.GetFrameRefToCOM())


class Part(NamedTuple):
    """A part of a body: kind and size of a piece, its pose, and vertices and faces of a mesh."""

    kind: str
    size: tuple[float, ...]
    pose: Pose
    mesh: tuple[Any, Any] | None = None


def looks_of(body: Any, number: int, shapes: Sequence[Shape], ground: float | None) -> list[Piece]:
    """The pieces of a body with a number; `shapes` are its contact shapes, `ground` a plane's edge in m.

    A body whose visual shapes are all hidden has none.
    """
    visual = body.GetVisualModel()
    usual = colour_of(number, bool(body.IsFixed()))
    reference = _reference(body)
    if visual is not None and visual.GetNumShapes():
        if not any(visual.GetShape(i).IsVisible() for i in range(visual.GetNumShapes())):
            return []
        found = list(_visual(visual))
        if found:
            return [_piece(number, part, reference, colour or usual) for part, colour in found]
    if shapes:
        frames = [reference if shape.frame == REFERENCE else ORIGIN for shape in shapes]
        pairs = zip(shapes, frames, strict=True)
        return [_piece(number, part, frame, usual) for shape, frame in pairs for part in _contact(shape, ground)]
    model = body.GetCollisionModel()
    return [] if model is None else [_piece(number, part, reference, usual) for part in _collision(model)]


def _piece(number: int, part: Part, frame: Pose, colour: Colour) -> Piece:
    """A part as a piece of a body."""
    pose = _within(frame, part.pose)
    if part.mesh is None:
        return Piece(number, part.kind, part.size, colour, *pose)
    return Piece(number, MESH, (), colour, *pose, *part.mesh)


def _visual(model: Any) -> Iterator[tuple[Part, Colour | None]]:
    """The visual shapes that can be drawn, with their colours."""
    for i in range(model.GetNumShapes()):
        shape = model.GetShape(i)
        part = _visual_part(shape, pose_of(model.GetShapeFrame(i))) if shape.IsVisible() else None
        if part is not None:
            yield part, _colour(shape)


def _colour(shape: Any) -> Colour | None:
    """The colour of a visual shape; None where it has the default, white."""
    if not shape.GetNumMaterials():
        return None
    given = shape.GetColor()
    parts = tuple(round(255.0 * part) for part in (given.R, given.G, given.B))
    return None if parts == (255, 255, 255) else (parts[0], parts[1], parts[2])


def _visual_part(shape: Any, pose: Pose) -> Part | None:
    """A visual shape; None where its kind is not drawn."""
    chrono = pychrono()
    if (box := chrono.CastToChVisualShapeBox(shape)) is not None:
        edges = box.GetLengths()
        return Part(BOX, (edges.x, edges.y, edges.z), pose)
    if (sphere := chrono.CastToChVisualShapeSphere(shape)) is not None:
        return Part(BALL, (sphere.GetRadius(),), pose)
    if (capsule := chrono.CastToChVisualShapeCapsule(shape)) is not None:
        return Part(CAPSULE, (capsule.GetRadius(), capsule.GetHeight()), pose)
    if (cylinder := chrono.CastToChVisualShapeCylinder(shape)) is not None:
        return Part(CYLINDER, (cylinder.GetRadius(), cylinder.GetHeight()), pose)
    if (mesh := chrono.CastToChVisualShapeTriangleMesh(shape)) is not None:
        return _mesh(mesh.GetMesh(), pose)
    return None


def _mesh(mesh: Any, pose: Pose) -> Part | None:
    """A mesh; None if it has too many faces."""
    faces = mesh.GetIndicesVertexes()
    if not 0 < len(faces) <= MOST_FACES:
        return None
    vertices = np.array([(v.x, v.y, v.z) for v in mesh.GetCoordsVertices()])
    return Part(MESH, (), pose, (vertices, np.array([(f.x, f.y, f.z) for f in faces], np.int64)))


def _contact(shape: Shape, ground: float | None) -> Iterator[Part]:
    """A contact shape of ours; poses are in its frame."""
    if isinstance(shape, Plane):
        turn = tuple(to_direction(shape.direction).tolist())
        yield Part(PLANE, () if ground is None else (ground,), Pose(tuple(shape.point.tolist()), turn))
    elif isinstance(shape, Box):
        edges = tuple(float(2.0 * (half + shape.radius)) for half in shape.half)
        yield Part(BOX, edges, Pose(tuple(shape.centre.tolist()), tuple(map(float, shape.rotation))))
    elif isinstance(shape, Capsule):
        along = shape.ends[1] - shape.ends[0]
        length = float(np.linalg.norm(along))
        turn = tuple(to_direction(along / length).tolist())
        yield Part(CAPSULE, (shape.radius, length), Pose(tuple(shape.ends.mean(axis=0).tolist()), turn))
    elif (mesh := solid_mesh(shape)) is not None:
        yield Part(MESH, (), ORIGIN, mesh)
    else:
        for centre, radius in shape.spheres:
            yield Part(BALL, (float(radius) or POINT,), Pose(tuple(map(float, centre)), UPRIGHT))


def _collision(model: Any) -> Iterator[Part]:
    """Chrono's collision shapes; hulls are not drawn."""
    chrono = pychrono()
    for shape, frame in (shape_instance(model, i) for i in range(model.GetNumShapes())):
        pose = pose_of(frame)
        if (sphere := chrono.CastToChCollisionShapeSphere(shape)) is not None:
            yield Part(BALL, (sphere.GetRadius(),), pose)
        elif (box := chrono.CastToChCollisionShapeBox(shape)) is not None:
            edges = box.GetLengths()
            yield Part(BOX, (edges.x, edges.y, edges.z), pose)
        elif (capsule := chrono.CastToChCollisionShapeCapsule(shape)) is not None:
            yield Part(CAPSULE, (capsule.GetRadius(), capsule.GetHeight()), pose)
        elif (cylinder := chrono.CastToChCollisionShapeCylinder(shape)) is not None:
            yield Part(CYLINDER, (cylinder.GetRadius(), cylinder.GetHeight()), pose)
