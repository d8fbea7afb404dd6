"""A cube that is given as a box and as a hull tumbles alike until its second contact."""

import numpy as np
import pytest
from scene import empty_system, new_body
from taken import GRIP, colliding_system, cube_hull, plate, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

pytestmark = pytest.mark.chrono

HALF = 0.1
CORNERS = HALF * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
CLOSE = 1e-6
"""Largest distance in m between the corners of two cubes that move alike."""
TOUCHING = 1e-4
"""Height in m of a corner that touches the ground."""
STEPS = (1e-4, 1e-3)


def box_shape(surface):
    return pychrono().ChCollisionShapeBox(surface, 2 * HALF, 2 * HALF, 2 * HALF)


GROUNDS = {"plane": pc.Plane, "box": lambda ground: pc.Box(ground, 4.0, at=(0, 0, -2))}


def throw(body):
    """Let a cube land on a corner, turn over it and slide."""
    chrono = pychrono()
    body.SetPos(chrono.ChVector3d(0, 0, 0.25))
    body.SetRot(chrono.QuatFromAngleAxis(0.7, chrono.ChVector3d(0.6, 0.8, 0.0)))
    body.SetPosDt(chrono.ChVector3d(0.5, 0.2, -0.5))
    body.SetAngVelLocal(chrono.ChVector3d(1.0, -2.0, 0.5))


def places(body):
    """Places of the eight corners in m."""
    chrono = pychrono()
    found = [body.TransformPointLocalToParent(chrono.ChVector3d(*map(float, corner))) for corner in CORNERS]
    return np.array([(point.x, point.y, point.z) for point in found])


def tumble(system, body, step):
    """Places of the corners in each step, until a second one touches the ground; and the step of the first contact."""
    throw(body)
    rows = [places(body)]
    first = 0
    while np.count_nonzero(np.min(rows, axis=0)[:, 2] < TOUCHING) < 2:
        system.DoStepDynamics(step)
        rows.append(places(body))
        first = first or len(rows) * bool((rows[-1][:, 2] < TOUCHING).any())
        assert len(rows) * step < 1.0
    return np.array(rows), first


def assert_alike(one, other):
    """The corners of two cubes move alike, also between the first contact and the second."""
    (rows, first), (others, _) = one, other
    assert len(rows) == len(others)
    assert np.linalg.norm(rows - others, axis=2).max() < CLOSE
    landed = rows[first][:, 2].argmin()
    apart = np.linalg.norm(np.diff(rows[[first, -1]], axis=0)[0], axis=1)
    assert apart[landed] < apart.max()
    assert apart.max() > 0.5 * HALF


def named(shape, ground, step):
    """The tumble of a named shape on a ground."""
    system = empty_system()
    base = new_body(system, fixed=True)
    body = new_body(system)
    pc.attach(system).add(shape(body), GROUNDS[ground](base), GRIP)
    return tumble(system, body, step)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("ground", GROUNDS)
def test_a_hull_cube_tumbles_as_our_box(ground, step):
    assert_alike(
        named(lambda body: pc.Box(body, 2 * HALF), ground, step),
        named(lambda body: pc.Hull(body, CORNERS), ground, step),
    )


def taken_over(shape, step):
    """The tumble of a shape of Chrono's on a plate, with the law that is chosen for it."""
    system, surface = colliding_system()
    surface.SetFriction(0.4)
    plate(system, surface)
    body = shaped_body(system, shape(surface), inertia=0.0067)
    pc.attach(system).take_over()
    return tumble(system, body, step)


@pytest.mark.parametrize("step", STEPS)
def test_a_hull_cube_taken_over_tumbles_as_a_box_taken_over(step):
    assert_alike(taken_over(box_shape, step), taken_over(cube_hull, step))
