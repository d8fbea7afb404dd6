"""Limits of joints in a step with contact: they hold, let go, and are told from rows that always hold."""

import pytest
from scene import run
from taken import ball, colliding_system, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.implicit.implicit_solver import Inertias
from chrono_powercontact.chrono.implicit.linked.links import LinkRows

pytestmark = pytest.mark.chrono

TRAY = 2.0
"""Mass of a tray on a hinge in kg."""


def tray_on_a_hinge(angle=0.0, iterations=50):
    """A tray, hinged at one end, that a limit keeps from falling; a ball of 1 kg lies on it."""
    chrono = pychrono()
    system, surface = colliding_system("nsc")
    system.GetSolver().AsIterative().SetMaxIterations(iterations)
    ground = chrono.ChBody()
    ground.SetFixed(True)
    system.AddBody(ground)
    shape = chrono.ChCollisionShapeBox(surface, 1.0, 0.4, 0.1)
    tray = shaped_body(system, shape, mass=TRAY, at=(0.5, 0, -0.05), name="tray")
    hinge = chrono.ChLinkLockRevolute()
    hinge.Initialize(tray, ground, chrono.ChFramed(chrono.VNULL, chrono.QuatFromAngleX(0.5 * chrono.CH_PI)))
    system.AddLink(hinge)
    limit = hinge.LimitRz()
    limit.SetActive(True)
    limit.SetMin(-angle)
    limit.SetMax(angle)
    body = ball(system, surface, at=(0.5, 0, 0.1))
    return system, hinge, tray, body


def test_rows_that_push_only_are_told_from_the_others():
    system, _, tray, body = tray_on_a_hinge()
    run(system, 1e-3, 1e-3)
    rows = LinkRows()
    rows.read(system, Inertias([tray, body]).places, 1e-3)
    assert rows.one_sided.tolist() == [0, 0, 0, 0, 0, 1, 1]


def test_a_limit_carries_what_lies_on_the_tray():
    system, hinge, tray, body = tray_on_a_hinge()
    contacts = pc.attach(system)
    contacts.take_over(rolling=1e-3)
    run(system, 0.5, 5e-3)
    assert contacts.solver().unconverged == 0
    assert body.GetContactForce().z == pytest.approx(9.81, rel=1e-3)
    assert tray.GetPos().z == pytest.approx(-0.05, abs=1e-4)
    assert body.GetPosDt().Length() < 1e-6
    assert hinge.GetReaction2().force.Length() > 0.0


def test_a_tray_that_is_lifted_leaves_its_limit():
    """Between its limits the tray turns freely: pushed up, it is not held."""
    system, _, tray, _ = tray_on_a_hinge(angle=0.5)
    tray.SetAngVelParent(pychrono().ChVector3d(0, -3.0, 0))
    tray.SetPosDt(pychrono().ChVector3d(0, 0, 1.5))
    contacts = pc.attach(system)
    contacts.take_over()
    run(system, 0.05, 5e-3)
    assert tray.GetPos().z > -0.04
