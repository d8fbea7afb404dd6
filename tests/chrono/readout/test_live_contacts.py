"""Bounds of the contact forces of a live Chrono scene: ours, NSC's and SMC's, with joints."""

import numpy as np
import pytest

import chrono_powercontact as pc

pytestmark = pytest.mark.chrono

MASS = 64.0
WEIGHT = MASS * 9.8


def box_on_floor(nsc, mu=0.3):
    import pychrono as chrono

    system = chrono.ChSystemNSC() if nsc else chrono.ChSystemSMC()
    system.SetGravityY()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    material = chrono.ChContactMaterialNSC() if nsc else chrono.ChContactMaterialSMC()
    material.SetFriction(mu)
    floor = chrono.ChBodyEasyBox(4.0, 1.0, 4.0, 1000.0, False, True, material)
    floor.SetFixed(True)
    floor.SetPos(chrono.ChVector3d(0.0, -0.5, 0.0))
    floor.SetName("floor")
    box = chrono.ChBodyEasyBox(0.4, 0.4, 0.4, 1000.0, False, True, material)
    box.SetPos(chrono.ChVector3d(0.0, 0.2, 0.0))
    box.SetName("box")
    system.Add(floor)
    system.Add(box)
    return chrono, system, floor, box


def stepped(system, count=300, step=1e-3):
    for _ in range(count):
        system.DoStepDynamics(step)


@pytest.mark.parametrize("nsc", [True, False], ids=["nsc", "smc"])
def test_chronos_own_contacts(nsc):
    _, system, _, _ = box_on_floor(nsc)
    stepped(system)
    ranges = pc.chrono_force_ranges(system)
    assert len(ranges) == 12
    assert ranges.indeterminacy.degree == 6
    assert ranges.indeterminacy.of_normals == 1
    normals = [part for part in ranges if part.name.startswith("N_")]
    total = sum(part.acting for part in normals)
    for part in normals:
        assert part.low == pytest.approx(0.0, abs=1e-2)
        assert part.high == pytest.approx(0.5 * total, rel=5e-3)
    assert max(part.outside for part in ranges) < 1e-6 * WEIGHT


def test_rows_give_the_resultant_that_chrono_gives():
    """The balance of the rows is the contact force on the body: directions, signs and lever arms are Chrono's."""
    from chrono_powercontact.chrono.readout.live_contacts import live_contacts

    _, system, _, box = box_on_floor(True)
    stepped(system, 50)
    found = live_contacts(system, [], 1e-3)
    force = box.GetContactForce()
    offset = box.GetOffset_w()
    assert found.balance[offset : offset + 3] == pytest.approx((force.x, force.y, force.z), abs=1e-6 * WEIGHT)


def test_our_contacts_and_a_taken_over_scene():
    _, system, _, _ = box_on_floor(True)
    contacts = pc.attach(system)
    contacts.take_over()
    stepped(system)
    ranges = contacts.force_ranges()
    assert len(ranges) == 12
    assert sum(part.acting for part in ranges if part.name.startswith("N_")) == pytest.approx(WEIGHT, rel=1e-3)
    pulls = [part for part in ranges if part.name.startswith("T_")]
    assert max(abs(part.acting) for part in pulls) < 1e-3 * WEIGHT
    assert all(part.low < 0.0 < part.high for part in pulls)


def test_a_joint_takes_part_of_the_load():
    chrono, system, floor, box = box_on_floor(True)
    weld = chrono.ChLinkMateFix()
    weld.Initialize(box, floor)
    system.AddLink(weld)
    stepped(system, 100)
    ranges = pc.chrono_force_ranges(system)
    if len(ranges):
        assert np.isinf(ranges.components[2].high)
    assert ranges.indeterminacy.degree >= ranges.indeterminacy.of_contacts


def test_a_ball_is_determined():
    import pychrono as chrono

    system = chrono.ChSystemSMC()
    system.SetGravityY()
    ground = chrono.ChBody()
    ground.SetFixed(True)
    ball = chrono.ChBody()
    ball.SetMass(1.0)
    ball.SetName("ball")
    ball.SetPos(chrono.ChVector3d(0.0, 0.1, 0.0))
    system.AddBody(ground)
    system.AddBody(ball)
    contacts = pc.attach(system)
    material = pc.Material(pc.Restriction(0.0, -1e-3, 100.0, 30.0))
    contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground, normal=(0.0, 1.0, 0.0)), material)
    stepped(system, 500)
    ranges = contacts.force_ranges()
    assert ranges.determined
    assert "all 3 contact force components are determined" in str(ranges)
    assert ranges.components[-1].low == pytest.approx(ranges.components[-1].acting)


def test_bad_input():
    _, system, _, _ = box_on_floor(True)
    stepped(system, 10)
    with pytest.raises(pc.ParameterError, match="slip_speed"):
        pc.chrono_force_ranges(system, slip_speed=-1.0)
    with pytest.raises(pc.PowerContactError):
        pc.chrono_force_ranges("scene")
