"""Meshes of many triangles, and scenes with them as Chrono's own collision shapes."""

import numpy as np
from taken import colliding_system, shaped_body

from chrono_powercontact.chrono.api.bridge import pychrono


def fine_box(cells, half):
    """Vertices and triangles of a box with half edges in m, each face cut into squares of two triangles."""
    grid = np.linspace(-1.0, 1.0, cells + 1)
    vertices, triangles = [], []
    for axis in range(3):
        for side in (-1, 1):
            start = len(vertices)
            for u in grid:
                for v in grid:
                    place = np.zeros(3)
                    place[[axis, (axis + 1) % 3, (axis + 2) % 3]] = side, u, v
                    vertices.append(place * half)
            for i in range(cells):
                for j in range(cells):
                    a = start + i * (cells + 1) + j
                    c = a + cells + 2
                    for triangle in ((a, c - 1, c), (a, c, a + 1)):
                        triangles.append(triangle[::side])
    points, numbers = np.unique(np.round(vertices, 12), axis=0, return_inverse=True)
    return points, numbers.ravel()[np.array(triangles)]


def fine_ball(cells, radius):
    """Vertices and triangles of a ball: those of a box, moved outward onto it."""
    vertices, triangles = fine_box(cells, np.ones(3))
    return radius * vertices / np.linalg.norm(vertices, axis=1, keepdims=True), triangles


def rolling_ground(cells, size, height):
    """Vertices and triangles of an open ground with hills of a height in m, seen from above counter-clockwise."""
    line = np.linspace(-0.5 * size, 0.5 * size, cells + 1)
    x, y = np.meshgrid(line, line, indexing="ij")
    z = height * np.sin(3.0 * x) * np.cos(2.0 * y)
    number = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = (part.ravel() for part in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
    vertices = np.column_stack([x.ravel(), y.ravel(), z.ravel()])
    return vertices, np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])])


def chrono_mesh(vertices, triangles):
    """The triangles as a mesh of Chrono's."""
    chrono = pychrono()
    mesh = chrono.ChTriangleMeshConnected()
    points = [chrono.ChVector3d(*map(float, vertex)) for vertex in vertices]
    for a, b, c in np.asarray(triangles).tolist():
        mesh.AddTriangle(points[a], points[b], points[c])
    return mesh


def mesh_shape(surface, vertices, triangles, radius=0.0):
    """The triangles as a collision shape of Chrono's with a thickness in m."""
    return pychrono().ChCollisionShapeTriangleMesh(surface, chrono_mesh(vertices, triangles), False, False, radius)


def on_ground(make, at, height=0.08, cells=60, inertia=0.004):
    """A system with a fixed ground of hills and a body of 1 kg above it, and the body."""
    system, surface = colliding_system("nsc")
    surface.SetFriction(0.6)
    shaped_body(system, mesh_shape(surface, *rolling_ground(cells, 3.0, height)), fixed=True, name="ground")
    return system, shaped_body(system, make(surface), at=at, inertia=inertia, name="body")
