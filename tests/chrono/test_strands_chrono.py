"""Anchors with a lag and anchors side by side, on the real Chrono: a box on a slope, at short and long steps."""

import math

import pytest

import chrono_powercontact as pc

pytestmark = pytest.mark.chrono

GRAVITY = 9.81
GROUND = pc.Restriction(0.002, 0.001, 400.0, 3.0)
FRICTION = pc.Friction(0.45, 0.5, 1e-3, 2e-3)
PLAIN = pc.Material(GROUND, FRICTION, pc.Anchor(2e-4, 1e-3))
LAGGING = pc.Material(GROUND, FRICTION, pc.Anchor(2e-4, 1e-3, 6e-5))
MATERIALS = {"lag": (LAGGING,), "strands": pc.side_by_side(PLAIN), "strands with a lag": pc.side_by_side(LAGGING)}


def slide(materials, step, angle):
    """Displacement in m down a slope in degrees after one second, and mean speed in m/s over its second half."""
    chrono = pc.need_pychrono()
    system = chrono.ChSystemNSC()
    tilt = math.radians(angle)
    system.SetGravitationalAcceleration(chrono.ChVector3d(GRAVITY * math.sin(tilt), -GRAVITY * math.cos(tilt), 0.0))
    floor = chrono.ChBody()
    floor.SetFixed(True)
    system.Add(floor)
    box = chrono.ChBody()
    box.SetInertiaXX(chrono.ChVector3d(0.04 / 6.0, 0.04 / 6.0, 0.04 / 6.0))
    box.SetPos(chrono.ChVector3d(0.0, 0.102, 0.0))
    system.Add(box)
    contacts = pc.attach(system)
    for material in materials:
        contacts.add(pc.Box(box, size=0.2, radius=0.002), pc.Plane(floor, normal=(0, 1, 0)), material)
    places = []
    for _ in range(round(1.0 / step)):
        system.DoStepDynamics(step)
        places.append(box.GetPos().x)
    half = len(places) // 2
    return places[-1], (places[-1] - places[half]) / (step * (len(places) - 1 - half))


@pytest.mark.parametrize("materials", MATERIALS.values(), ids=MATERIALS)
def test_a_box_stays_put_below_the_friction_angle_at_a_long_step(materials):
    displacement, speed = slide(materials, 5e-3, 20.0)
    assert abs(speed) < 1e-15
    assert 0.0 < displacement < 3e-4


@pytest.mark.parametrize("materials", MATERIALS.values(), ids=MATERIALS)
@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_it_slides_above_it_with_the_friction_of_sliding(materials, step):
    displacement, _ = slide(materials, step, 30.0)
    tilt = math.radians(30.0)
    expected = 0.5 * GRAVITY * (math.sin(tilt) - 0.45 * math.cos(tilt))
    assert displacement == pytest.approx(expected, rel=0.03)
