import numpy as np
import pytest
from scene import empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.run.solid_looks import solid_mesh

pytestmark = pytest.mark.chrono

CUBE = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]


def body():
    return new_body(empty_system())


def volume(surface):
    vertices, faces = surface
    a, b, c = vertices[faces].transpose(1, 0, 2)
    return abs(float((a * np.cross(b, c)).sum() / 6.0))


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (lambda: pc.Cylinder(body(), 0.2, 1.0), np.pi * 0.04),
        (lambda: pc.Cone(body(), 0.3, 1.0, axis=(1, 0, 0)), np.pi * 0.03),
        (lambda: pc.Torus(body(), 0.5, 0.1), 2.0 * np.pi**2 * 0.5 * 0.01),
        (lambda: pc.Ellipsoid(body(), (0.1, 0.2, 0.3), at=(1, 2, 3)), 4.0 / 3.0 * np.pi * 6e-3),
        (lambda: pc.Hull(body(), CUBE), 1.0),
    ],
)
def test_meshes_enclose_the_volume_of_their_solids(shape, expected):
    assert volume(solid_mesh(shape())) == pytest.approx(expected, rel=0.03)


def test_an_ellipsoid_lies_where_it_is():
    vertices, _ = solid_mesh(pc.Ellipsoid(body(), (0.1, 0.2, 0.3), at=(1.0, 2.0, 3.0)))
    assert 0.5 * (vertices.min(axis=0) + vertices.max(axis=0)) == pytest.approx([1.0, 2.0, 3.0])
    assert np.ptp(vertices, axis=0) == pytest.approx([0.2, 0.4, 0.6], rel=0.02)


def test_terrain_has_its_heights():
    heights = np.arange(12.0).reshape(3, 4)
    vertices, faces = solid_mesh(pc.HeightField(body(), heights, 0.5))
    assert np.sort(vertices[:, 2]) == pytest.approx(np.arange(12.0))
    assert len(faces) == 2 * 2 * 3


def test_spheres_are_no_solids():
    assert solid_mesh(pc.Sphere(body(), radius=0.1)) is None


def test_a_recorded_torus_is_a_mesh():
    system = empty_system()
    ground = new_body(system, fixed=True)
    wheel = new_body(system)
    pc.attach(system).add(
        pc.Torus(wheel, 0.5, 0.1), pc.Plane(ground), pc.Material(pc.Restriction(0.0, -1e-3, 400.0, 1.0))
    )
    assert [piece.kind for piece in pc.record(system).pieces] == ["plane", "mesh"]
