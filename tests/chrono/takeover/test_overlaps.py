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
    with pytest.warns(UserWarning, match="overlap by more than 10 times the penetration"):
        system.DoStepDynamics(step)
    for _ in range(round(1.0 / step)):
        system.DoStepDynamics(step)
        fastest = max(fastest, *(ball.GetPosDt().Length() for ball in pair))
    assert fastest < np.sqrt(9.81 * RADIUS)
    assert apart(pair) > 2.0 * RADIUS


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
