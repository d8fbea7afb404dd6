"""Anchors of a live scene: prestress that is read, set, and kept at rest."""

import warnings

import numpy as np
import pytest

import chrono_powercontact as pc

pytestmark = pytest.mark.chrono

FRICTION = pc.Friction(0.5, 0.5, 1e-4)
ANCHOR = pc.Anchor(5e-6, 1e-3)


def plate_on_two_feet():
    import pychrono as chrono

    system = chrono.ChSystemSMC()
    system.SetGravityY()
    ground = chrono.ChBody()
    ground.SetFixed(True)
    plate = chrono.ChBody()
    plate.SetMass(8.0)
    plate.SetPos(chrono.ChVector3d(0.0, 0.1, 0.0))
    system.AddBody(ground)
    system.AddBody(plate)
    contacts = pc.attach(system)
    feet = pc.Points(plate, [(x, -0.1, z) for x in (-0.2, 0.2) for z in (-0.2, 0.2)], radius=0.0)
    material = pc.Material(pc.Restriction(0.0, -1e-3, 400.0, 10.0), FRICTION, ANCHOR)
    contacts.add(feet, pc.Plane(ground, normal=(0.0, 1.0, 0.0)), material)
    return system, plate, contacts


def run(system, time, step=1e-3):
    for _ in range(round(time / step)):
        system.DoStepDynamics(step)


def test_prestress_stays():
    system, plate, contacts = plate_on_two_feet()
    run(system, 0.5)
    load = contacts.forces()["force"]
    wanted = np.sign(contacts.forces()["point"][:, 0]) * 0.3 * load
    anchors = np.zeros((4, 3))
    anchors[:, 0] = [pc.anchor_for(FRICTION, ANCHOR, t, n)[0] for t, n in zip(wanted, load, strict=True)]
    contacts.set_anchors(anchors)
    assert np.allclose(contacts.anchors(), anchors)
    before = plate.GetPos().x
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(system, 0.5)
    found = contacts.forces()
    assert found["friction"][:, 0] == pytest.approx(wanted, rel=0.02)
    assert abs(plate.GetPos().x - before) < 1e-8
    ranges = contacts.force_ranges()
    assert max(part.outside for part in ranges) < 1e-6
    assert sum(part.acting for part in ranges if part.name.startswith("N")) == pytest.approx(8.0 * 9.8, rel=1e-3)


def test_bad_input():
    system, _, contacts = plate_on_two_feet()
    with pytest.raises(pc.ParameterError, match="has not touched yet"):
        contacts.set_anchors(np.full((4, 3), 1e-6))
    run(system, 0.05)
    with pytest.raises(pc.ParameterError, match="4 vectors"):
        contacts.set_anchors(np.zeros((3, 3)))
    with pytest.raises(pc.ParameterError, match="4 vectors, all finite"):
        contacts.set_anchors(np.full((4, 3), np.nan))
    with pytest.raises(pc.ParameterError, match="must not exceed its presliding of 5e-06 m"):
        contacts.set_anchors(np.full((4, 3), 1e-5))
