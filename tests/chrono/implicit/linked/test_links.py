"""Links as rows of their Jacobian, and what they connect."""

import numpy as np
import pytest
from scene import empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.implicit.implicit_solver import Inertias
from chrono_powercontact.chrono.implicit.linked.links import LinkRows, bodies_of, linked

pytestmark = pytest.mark.chrono


def hinge(system, first, second, at=(0, 0, 0), kind="ChLinkLockRevolute"):
    chrono = pychrono()
    link = getattr(chrono, kind)()
    link.Initialize(first, second, chrono.ChFramed(chrono.ChVector3d(*at)))
    system.AddLink(link)
    return link


def chain(count, fixed=()):
    system = empty_system()
    bodies = [new_body(system, 1.0, (i, 0, 0), fixed=i in fixed, name=str(i)) for i in range(count)]
    for i in range(count - 1):
        hinge(system, bodies[i], bodies[i + 1], (i + 0.5, 0, 0))
    return system, bodies


def names(bodies):
    return sorted(int(body.GetName()) for body in bodies)


@pytest.mark.parametrize("start", [0, 2, 4])
def test_all_of_a_chain_is_connected_to_each_of_its_bodies(start):
    system, bodies = chain(5)
    assert names(linked(system, [bodies[start]])) == [i for i in range(5) if i != start]


def test_a_fixed_body_is_reached_but_connects_nothing():
    system, bodies = chain(5, fixed=(2,))
    assert names(linked(system, [bodies[0]])) == [1, 2]
    assert names(linked(system, [bodies[2]])) == []


def test_nothing_is_connected_without_links_and_no_body_is_told_twice():
    system = empty_system()
    one, other = new_body(system, name="1"), new_body(system, name="2")
    assert linked(system, [one]) == []
    for _ in range(2):
        hinge(system, one, other)
    assert names(linked(system, [one])) == [2]
    assert linked(system, [one, other]) == []


def test_a_link_tells_its_bodies():
    system, _ = chain(2)
    (link,) = system.GetLinks()
    assert names(bodies_of(link)) == [0, 1]


def rows_of(system, bodies, h=1e-3):
    run(system, 1e-6, 1e-6)  # Chrono numbers its variables
    rows = LinkRows()
    rows.read(system, Inertias(bodies).places, h)
    return rows


def test_a_hinge_allows_rigid_motion_and_its_own_rotation():
    system, bodies = chain(2)
    system.SetGravitationalAcceleration(pychrono().ChVector3d(0, 0, 0))
    rows = rows_of(system, bodies)
    assert rows.jacobian.shape == (5, 12)
    assert (rows.bodies == (0, 1)).all()
    spin = np.array([0.3, -0.2, 0.7])
    together = np.array([1, 2, 3, *spin, *np.add((1, 2, 3), np.cross(spin, (1, 0, 0))), *spin])
    opened = np.array([*np.cross((0, 0, 1), (-0.5, 0, 0)), 0, 0, 1, *np.cross((0, 0, -2), (0.5, 0, 0)), 0, 0, -2])
    bent = np.array([0, 0, 0, 1.0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert rows.jacobian @ together == pytest.approx(np.zeros(5), abs=1e-9)
    assert rows.jacobian @ opened == pytest.approx(np.zeros(5), abs=1e-9)
    assert np.abs(rows.jacobian @ bent).max() > 0.1
    assert rows.demanded == pytest.approx(np.zeros(5), abs=1e-6)


def test_a_fixed_body_has_no_column_and_a_stranger_none_either():
    system, bodies = chain(3, fixed=(0,))
    rows = rows_of(system, bodies[:2])
    assert not rows.jacobian[:, :6].any()
    assert rows.jacobian[:, 6:].any(axis=1).all()
    assert (rows.bodies == (1, -1)).all()


def test_a_motor_demands_its_speed():
    chrono, system = pychrono(), empty_system(0.0)
    ground, wheel = new_body(system, fixed=True), new_body(system)
    motor = chrono.ChLinkMotorRotationSpeed()
    motor.Initialize(wheel, ground, chrono.ChFramed())
    motor.SetSpeedFunction(chrono.ChFunctionConst(3.0))
    system.AddLink(motor)
    rows = rows_of(system, [ground, wheel])
    spinning = np.zeros(12)
    spinning[11] = np.linalg.lstsq(rows.jacobian[:, 11:], rows.demanded, rcond=None)[0][0]
    assert abs(spinning[11]) == pytest.approx(3.0, rel=1e-2)
    assert rows.jacobian @ spinning == pytest.approx(rows.demanded, abs=1e-3)


def test_a_position_error_is_to_be_removed_within_the_step():
    system, bodies = chain(2, fixed=(0,))
    system.SetGravitationalAcceleration(pychrono().ChVector3d(0, 0, 0))
    run(system, 1e-6, 1e-6)
    bodies[1].SetPos(pychrono().ChVector3d(1.0, 1e-4, 0))
    system.Update(0.0)
    rows = LinkRows()
    rows.read(system, Inertias(bodies).places, 1e-3)
    back = np.linalg.lstsq(rows.jacobian[:, 6:9], rows.demanded, rcond=None)[0]
    assert back == pytest.approx([0, -0.1, 0], abs=1e-6)


def test_without_links_there_are_no_rows():
    system = empty_system()
    bodies = [new_body(system) for _ in range(2)]
    rows = rows_of(system, bodies)
    assert rows.jacobian.shape == (0, 12)
    assert rows.demanded.shape == (0,)


def test_bodies_behind_joints_are_part_of_the_solve():
    """A chain of light links carries a heavy end, which alone does not touch; the first body rests on the ground."""
    system, bodies = chain(3)
    system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)
    ground = new_body(system, fixed=True)
    contacts = pc.attach(system, stepping="implicit")
    contacts.add(
        pc.Sphere(bodies[0], radius=0.1), pc.Plane(ground), pc.Material(pc.Restriction(0.0, -1e-3, 500.0, 1.0))
    )
    bodies[0].SetPos(pychrono().ChVector3d(0, 0, 0.1))
    for body in bodies[1:]:
        body.SetPos(pychrono().ChVector3d(body.GetPos().x, 0, 0.1))
    system.DoStepDynamics(1e-3)
    assert contacts.solver().largest == 3
