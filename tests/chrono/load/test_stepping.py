"""The energy ledger right after a step: a linearised integrator commits a step late, the ledger does not."""

import numpy as np
import pytest
from scene import empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.api.start import prepare
from chrono_powercontact.chrono.attachment import core_of

pytestmark = pytest.mark.chrono

MASS, GRAVITY, SPEED, MU = 2.0, 9.81, 1.0, 0.3
LAW = pc.Restriction(0.0, -1e-4, 100.0, 3.0)
FRICTION = MU * MASS * GRAVITY
LINEARISED = ("euler_implicit_linearized", "euler_implicit_projected")
INTEGRATORS = (*LINEARISED, "hht", "runge_kutta")


def sliding_block(integrator):
    """A mass that slides on a plane, carried by its contact from the start."""
    system = empty_system(GRAVITY, integrator)
    ground = new_body(system, fixed=True)
    block = new_body(system, MASS, (0, 0, float(LAW.rest_distance(MASS * GRAVITY))), (SPEED, 0, 0))
    contacts = pc.attach(system)
    contacts.add(pc.Points(block, (0, 0, 0)), pc.Plane(ground), pc.Material(LAW, pc.Friction(MU, MU, 1e-3, 2e-3)))
    prepare(system, integrator)
    return system, block, contacts


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("steps", [1, 2, 50])
def test_friction_heat_is_force_times_way_at_once(integrator, steps):
    system, block, contacts = sliding_block(integrator)
    for _ in range(steps):
        system.DoStepDynamics(1e-3)
    way = block.GetPos().x
    assert way > 0.9e-3 * steps
    assert contacts.energy().friction_heat == pytest.approx(FRICTION * way, rel=2e-3)


@pytest.mark.parametrize("integrator", LINEARISED)
@pytest.mark.parametrize("step", [2e-3, 1e-3, 5e-4])
def test_heat_is_the_motion_lost_to_second_order_in_the_step(integrator, step):
    system, block, contacts = sliding_block(integrator)
    for _ in range(round(0.1 / step)):
        system.DoStepDynamics(step)
    lost = 0.5 * MASS * (SPEED**2 - block.GetPosDt().x ** 2)
    missing = lost - contacts.energy().friction_heat
    assert abs(missing) < 0.51 * FRICTION * MU * GRAVITY * step**2


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_ledger_may_be_asked_at_any_time_and_changes_nothing(integrator):
    asked, silent = sliding_block(integrator), sliding_block(integrator)
    before = asked[2].energy()
    assert (before.contact_heat, before.friction_heat, before.exchanged) == (0.0, 0.0, 0.0)
    for _ in range(20):
        for system, *_ in (asked, silent):
            system.DoStepDynamics(1e-3)
        assert asked[2].energy() == asked[2].energy()
    assert asked[2].energy() == silent[2].energy()
    assert asked[1].GetPos().x == silent[1].GetPos().x


@pytest.mark.parametrize("integrator", LINEARISED)
def test_heat_never_falls_and_the_book_closes_after_every_step(integrator):
    system, _, contacts = sliding_block(integrator)
    heats = []
    for _ in range(30):
        system.DoStepDynamics(1e-3)
        ledger = contacts.energy()
        heats.append(ledger.friction_heat)
        assert abs(ledger.error) < 1e-9
    assert np.all(np.diff([0.0, *heats]) > 0.8 * FRICTION * 1e-3)


def test_friction_of_a_joint_is_counted_at_once():
    chrono = pychrono()
    system = empty_system(0.0)
    ceiling, mass = new_body(system, fixed=True), new_body(system, MASS, (1.0, 0, 0), (SPEED, 0, 0))
    line = chrono.ChLinkTSDA()
    line.Initialize(mass, ceiling, True, chrono.ChVector3d(0, 0, 0), chrono.ChVector3d(0, 0, 0))
    line.SetSpringCoefficient(0.0)
    line.SetDampingCoefficient(0.0)
    system.AddLink(line)
    contacts = pc.attach(system)
    contacts.add_friction(line, pc.Dissipation(5.0, 5.0, 1e-3))
    system.DoStepDynamics(1e-3)
    lost = 0.5 * MASS * (SPEED**2 - mass.GetPosDt().x ** 2)
    assert contacts.energy().friction_heat == pytest.approx(lost, rel=1e-9)


@pytest.mark.parametrize("memory", [None, pc.LPVFilter(1e-3, 1e-3), pc.Anchor(1e-5, 1e-4)])
@pytest.mark.filterwarnings("ignore:an anchor is too stiff")
def test_heat_told_after_a_step_is_what_is_booked_for_it(memory):
    system = empty_system(GRAVITY, LINEARISED[0])
    ground = new_body(system, fixed=True)
    ball = new_body(system, 0.05, (0, 0, 1e-3), (0.5, 0, -1.0))
    law = pc.Material(pc.Restriction(0.01, 0.009, 200.0, 1.0), pc.Friction(0.3, 0.4, 1e-2, 2e-2), memory)
    contacts = pc.attach(system, stepping="explicit")
    contacts.add(pc.Points(ball, (0, 0, 0)), pc.Plane(ground), law)
    prepare(system, LINEARISED[0])
    told = []
    for _ in range(40):
        system.DoStepDynamics(1e-4)
        told.append(contacts.energy())
        entries = core_of(contacts).stepper.book.entries
        heats = np.array((entries["contact_heat"], entries["friction_heat"], entries["work"] - entries["kinetic"]))
        assert heats == pytest.approx(booked(told[-2]) if len(told) > 1 else np.zeros(3), abs=1e-15)
    assert told[-1].contact_heat > 1e-3


def booked(energy):
    return np.array((energy.contact_heat, energy.friction_heat, energy.exchanged))


def test_nothing_is_stored_before_the_first_step():
    for integrator in INTEGRATORS:
        system, _, contacts = sliding_block(integrator)
        assert contacts.system is system
        assert contacts.energy().stored == 0.0
