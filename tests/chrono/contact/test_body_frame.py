import numpy as np
import pytest
from scene import SMOOTH, empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.errors import UnknownNameError

pytestmark = pytest.mark.chrono

BESIDE = (0.1, 0.2, -0.3)


def part_on(system, angle=0.0):
    """A body whose centre of mass is beside its reference frame, and turned about x."""
    chrono = pychrono()
    part = chrono.ChBodyAuxRef()
    part.SetFrameCOMToRef(chrono.ChFramed(chrono.ChVector3d(*BESIDE), chrono.QuatFromAngleX(angle)))
    part.SetFrameRefToAbs(chrono.ChFramed(chrono.ChVector3d(1.0, 2.0, 3.0), chrono.QuatFromAngleZ(0.4)))
    system.AddBody(part)
    return part


def world(part, at, frame):
    """World position in m of a point on a body."""
    chrono = pychrono()
    placed = part.GetFrameRefToAbs() if frame == "reference" else part.GetFrameCOMToAbs()
    point = placed.TransformPointLocalToParent(chrono.ChVector3d(*at))
    return np.array((point.x, point.y, point.z))


@pytest.mark.parametrize("angle", [0.0, 0.7])
@pytest.mark.parametrize("frame", ["reference", "centre_of_mass"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_sphere_is_where_its_user_means_it(angle, frame, swapped):
    system = empty_system(0.0)
    part, ground = part_on(system, angle), new_body(system, fixed=True)
    at = (0.3, -0.1, 0.2)
    contacts = pc.attach(system)
    pair = [pc.Sphere(part, at, 0.1, frame), pc.Plane(ground)]
    contacts.add(*(pair[::-1] if swapped else pair), SMOOTH)
    assert contacts.forces()["gap"] == pytest.approx(world(part, at, frame)[2] - 0.1, abs=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_the_reference_frame_is_the_default(angle):
    system = empty_system(0.0)
    part, ground = part_on(system, angle), new_body(system, fixed=True)
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(part, radius=0.1), pc.Plane(ground), SMOOTH)
    assert contacts.forces()["gap"] == pytest.approx(3.0 - 0.1, abs=1e-12)


SHAPES = {
    "plane": lambda body, frame: pc.Plane(body, (0.1, 0.0, 0.2), (0.3, 0.1, 1.0), frame),
    "box": lambda body, frame: pc.Box(body, (0.2, 0.3, 0.4), 0.01, (0.1, 0.0, 0.2), (0.9, 0.1, 0.2, 0.1), frame),
    "capsule": lambda body, frame: pc.Capsule(body, 0.1, 0.5, (0.1, 0.0, 0.2), (0.2, 1.0, 0.1), frame),
    "points": lambda body, frame: pc.Points(body, [(0.1, 0.0, 0.2), (0.0, 0.2, 0.1)], 0.05, frame),
    "cylinder": lambda body, frame: pc.Cylinder(body, 0.1, 0.3, 0.01, (0.1, 0.0, 0.2), (0.2, 1.0, 0.1), frame),
    "cone": lambda body, frame: pc.Cone(body, 0.1, 0.3, 0.01, (0.1, 0.0, 0.2), (0.2, 1.0, 0.1), frame),
    "torus": lambda body, frame: pc.Torus(body, 0.2, 0.05, (0.1, 0.0, 0.2), (0.2, 1.0, 0.1), frame),
    "ellipsoid": lambda body, frame: pc.Ellipsoid(body, (0.1, 0.2, 0.3), (0.1, 0, 0.2), (0.9, 0.1, 0.2, 0.1), frame),
    "hull": lambda body, frame: pc.Hull(body, np.vstack([np.eye(3), -np.eye(3)]), 0.01, frame),
    "terrain": lambda body, frame: pc.HeightField(
        body, [[0.0, 0.1], [0.2, 0.1]], 0.5, (0.1, 0, 0.2), (0.9, 0.1, 0.2, 0.1), frame
    ),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("probe", ["sphere", "box"])
def test_shapes_are_like_those_of_a_plain_body_in_the_reference_frame(name, probe):
    """A plain body where the reference frame is has its contacts in the same places."""
    chrono = pychrono()
    gaps = []
    for auxiliary in (True, False):
        system = empty_system(0.0)
        if auxiliary:
            body = part_on(system, 0.7)
        else:
            body = new_body(system, 1.0, (1.0, 2.0, 3.0))
            body.SetRot(chrono.QuatFromAngleZ(0.4))
        other = new_body(system, 1.0, (1.1, 2.1, 3.9))
        touching = pc.Sphere(other, radius=0.1) if probe == "sphere" else pc.Box(other, 0.3, 0.01)
        contacts = pc.attach(system)
        contacts.add(SHAPES[name](body, "reference"), touching, SMOOTH)
        gaps.append(contacts.forces()["gap"])
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-12)


def test_a_shape_of_the_user_may_choose_too():
    class Dumbbell(pc.Shape):
        frame = "centre_of_mass"

        def __init__(self, body):
            self.body = body

        @property
        def spheres(self):
            return pc.Points(self.body, [(0.0, 0.0, -0.2), (0.0, 0.0, 0.2)], 0.1).spheres

    system = empty_system(0.0)
    part, ground = part_on(system), new_body(system, fixed=True)
    contacts = pc.attach(system)
    contacts.add(Dumbbell(part), pc.Plane(ground), SMOOTH)
    heights = [world(part, (0.0, 0.0, z), "centre_of_mass")[2] - 0.1 for z in (-0.2, 0.2)]
    assert contacts.forces()["gap"] == pytest.approx(heights, abs=1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_an_unknown_frame_is_refused(name):
    body = new_body(empty_system())
    with pytest.raises(UnknownNameError, match="unknown frame 'world': allowed: centre_of_mass, reference"):
        SHAPES[name](body, "world")
