"""Bodies that overlap deeply at the start are parted gently."""

import warnings

import numpy as np
import pytest
from scene import run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

pytestmark = pytest.mark.chrono

RADIUS = 0.1


def balls(distance):
    """Two balls on a plate, at a distance of their centres in m, taken over."""
    chrono = pychrono()
    system = chrono.ChSystemNSC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    material = chrono.ChContactMaterialNSC()
    plate = chrono.ChBodyEasyBox(8, 8, 0.2, 1000, False, True, material)
    plate.SetPos(chrono.ChVector3d(0, 0, -0.1))
    plate.SetFixed(True)
    system.AddBody(plate)
    pair = []
    for side in (-0.5, 0.5):
        ball = chrono.ChBodyEasySphere(RADIUS, 500, False, True, material)
        ball.SetPos(chrono.ChVector3d(side * distance, 0, RADIUS))
        system.AddBody(ball)
        pair.append(ball)
    contacts = pc.attach(system)
    contacts.take_over()
    return system, pair, contacts


def apart(pair):
    return abs(pair[1].GetPos().x - pair[0].GetPos().x)


@pytest.mark.parametrize("step", [1e-3, 5e-3, 2e-2])
def test_overlapping_balls_part_at_a_low_speed(step):
    """The speed stays below that of a fall by the size; without care it would exceed 20 m/s."""
    system, pair, _ = balls(1.5 * RADIUS)
    fastest = 0.0
    with pytest.warns(UserWarning, match="overlap by more than 3 times the penetration"):
        system.DoStepDynamics(step)
    for _ in range(round(1.0 / step)):
        system.DoStepDynamics(step)
        fastest = max(fastest, *(ball.GetPosDt().Length() for ball in pair))
    assert fastest < np.sqrt(9.81 * RADIUS)
    assert apart(pair) > 2.0 * RADIUS


def test_an_overlap_at_the_start_is_no_stored_energy():
    """As springs the two balls would have stored hundreds of joules; they are parted with much less than one."""
    system, _, contacts = balls(1.5 * RADIUS)
    with pytest.warns(UserWarning, match="overlap by more than 3 times the penetration"):
        run(system, 0.05, 2e-3)
    energy = contacts.energy()
    assert abs(energy.stored) < 0.5
    assert energy.step < 0.5
    assert abs(energy.error) < 1e-9


def test_balls_that_only_touch_are_left_to_the_law():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        system, pair, contacts = balls(2.0 * RADIUS)
        run(system, 0.2, 5e-3)
    assert apart(pair) < 2.1 * RADIUS
    assert len(contacts.materials()) == 1


def test_after_parting_the_designed_material_acts_again():
    system, pair, _ = balls(1.9 * RADIUS)
    with pytest.warns(UserWarning, match="overlap"):
        run(system, 1.5, 5e-3)
    for ball, way in zip(pair, (1.0, -1.0), strict=True):
        ball.SetPosDt(pychrono().ChVector3d(way, 0, 0))
        ball.SetAngVelLocal(pychrono().ChVector3d(0, 0, 0))
    before = apart(pair)
    run(system, 1.5 + 0.6 * before, 1e-3)
    assert apart(pair) > 1.99 * RADIUS


def boxes(places, size=0.2):
    """Equal boxes on a plate, in contact with it, at places along x in m, taken over."""
    chrono = pychrono()
    system, _, contacts = balls(4.0)
    made = []
    for x in places:
        box = chrono.ChBodyEasyBox(size, size, size, 500, False, True, chrono.ChContactMaterialNSC())
        box.SetPos(chrono.ChVector3d(x, 1.0, 0.5 * size))
        system.AddBody(box)
        made.append(box)
    return system, made, contacts


@pytest.mark.parametrize("step", [1e-3, 1e-2])
@pytest.mark.parametrize("overlap", [5e-3, 0.06])
def test_equal_aligned_boxes_part_along_their_axis_of_least_overlap(step, overlap):
    """Their corners lie in each other's faces, so contact at corners alone would leave them in each other."""
    system, pair, contacts = boxes((0.0, 0.2 - overlap))
    fastest = 0.0
    with pytest.warns(UserWarning, match="they are parted gently"):
        system.DoStepDynamics(step)
    for _ in range(round(1.0 / step)):
        system.DoStepDynamics(step)
        fastest = max(fastest, *(box.GetPosDt().Length() for box in pair))
    assert apart(pair) > 0.2 - 1e-3
    assert fastest < np.sqrt(9.81 * 0.1)
    for box in pair:
        assert contacts.force_on(box).force[2] == pytest.approx(box.GetMass() * 9.81, rel=0.01)
        assert abs(box.GetPos().y - 1.0) < 0.02


def test_a_row_of_boxes_in_each_other_is_not_thrown():
    system, row, _ = boxes(np.arange(6) * 0.12)
    fastest = 0.0
    with pytest.warns(UserWarning, match="they are parted gently"):
        system.DoStepDynamics(1e-2)
    for _ in range(200):
        system.DoStepDynamics(1e-2)
        fastest = max(fastest, *(box.GetPosDt().Length() for box in row))
    assert fastest < 3.0
    assert np.linalg.norm([row[-1].GetPos().x - row[0].GetPos().x, 0.0]) > 5 * 0.19


def test_reading_the_energy_does_not_part_bodies():
    """A reading may come in every step, or never."""
    ends = []
    for reads in (False, True):
        system, pair, contacts = balls(1.5 * RADIUS)
        with pytest.warns(UserWarning, match="overlap"):
            system.DoStepDynamics(5e-3)
        for _ in range(20):
            if reads:
                contacts.energy()
            system.DoStepDynamics(5e-3)
        ends.append(apart(pair))
    assert ends[0] == ends[1]


def mixer(overlap):
    """A blade that a motor turns about z in a floor, and a ball beside it; overlap of blade and floor in m."""
    chrono = pychrono()
    system, _, contacts = balls(4.0)
    floor = next(body for body in system.GetBodies() if body.IsFixed())
    blade = chrono.ChBodyEasyBox(1.0, 0.1, 0.4, 1000, False, True, chrono.ChContactMaterialNSC())
    blade.SetName("blade")
    blade.SetPos(chrono.ChVector3d(0, 0, 0.2 - overlap))
    system.AddBody(blade)
    motor = chrono.ChLinkMotorRotationSpeed()
    motor.Initialize(blade, floor, chrono.ChFramed(chrono.ChVector3d(0, 0, 0)))
    speed = chrono.ChFunctionConst(1.0)
    motor.SetSpeedFunction(speed)
    system.AddLink(motor)
    return system, blade, contacts, (motor, speed)


def test_bodies_whose_relative_motion_a_link_prescribes_do_not_touch_where_they_overlap():
    system, blade, contacts, _ = mixer(0.02)
    with pytest.warns(UserWarning, match="'blade'.* so they do not touch"):
        system.DoStepDynamics(1e-3)
    run(system, 0.3, 1e-3)
    assert blade.GetAngVelLocal().z == pytest.approx(1.0, rel=1e-6)
    assert not contacts.force_on(blade).force.any()


def test_a_blade_that_overlaps_its_floor_still_hits_what_lies_on_it():
    system, _, _, _ = mixer(0.02)
    ball = next(body for body in system.GetBodies() if not body.IsFixed() and body.GetName() != "blade")
    ball.SetPos(pychrono().ChVector3d(0.4, 0.2, RADIUS))
    with pytest.warns(UserWarning, match="so they do not touch"):
        run(system, 0.5, 1e-3)
    assert ball.GetPosDt().Length() > 0.1
