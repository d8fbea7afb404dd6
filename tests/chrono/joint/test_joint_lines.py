"""Stops and friction along a spring-damper line, as in a hydraulic cylinder."""

import math

import numpy as np
import pytest
from scene import empty_system, moving_pair, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.api.start import prepare
from chrono_powercontact.chrono.joint.joint_sensor import JointSensor
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.impact import restitution

pytestmark = pytest.mark.chrono

MASS, GRAVITY = 10.0, 9.81


def line_between(system, first, second, one=(0, 0, 0), two=(0, 0, 0), spring=0.0):
    """A line between points in the frames of two bodies, at its rest length now."""
    chrono = pychrono()
    link = chrono.ChLinkTSDA()
    link.Initialize(first, second, True, chrono.ChVector3d(*one), chrono.ChVector3d(*two))
    link.SetSpringCoefficient(spring)
    link.SetDampingCoefficient(0.0)
    system.AddLink(link)
    return link


def hung(integrator="runge_kutta", speed=0.0, swapped=False, spring=0.0, gravity=GRAVITY):
    """A mass 1 m below a ceiling, on a line from it; gravity and speed along -z."""
    system = empty_system(gravity, integrator)
    ceiling = new_body(system, fixed=True, name="ceiling")
    mass = new_body(system, MASS, (0, 0, -1.0), (0, 0, -speed), name="mass")
    link = line_between(system, *((ceiling, mass) if swapped else (mass, ceiling)), spring=spring)
    prepare(system, integrator)
    return system, mass, link


@pytest.mark.parametrize("grounded", [None, 0, 1])
def test_coordinate_is_the_length_of_the_line(grounded):
    chrono = pychrono()
    system = empty_system(0.0)
    part, base = moving_pair(system)
    part.SetPosDt(chrono.ChVector3d(0.5, 0.1, -0.2))
    if grounded is not None:
        (part, base)[grounded].SetFixed(True)
    link = line_between(system, part, base, (0.1, 0.2, 0.3), (-0.2, 0.3, 0.9))
    contacts = pc.attach(system)
    contacts.add_friction(link, pc.Dissipation(1.0, 1.0, 0.1))
    start = link.GetLength()
    run(system, 0.1, 1e-3)
    (row,) = contacts.joint_forces()
    assert (row["place"], row["speed"][0]) == pytest.approx((link.GetLength(), link.GetVelocity()), abs=1e-12)
    assert abs(row["place"] - start) > 1e-3
    assert row["speed"][1] == 0.0


@pytest.mark.parametrize("swapped", [False, True])
def test_mass_slides_down_with_gravity_less_seal_friction(swapped):
    system, mass, link = hung(speed=0.1, swapped=swapped)
    contacts = pc.attach(system)
    contacts.add_friction(link, pc.Dissipation(60.0, 60.0, 1e-3))
    run(system, 0.2, 1e-3)
    rate = GRAVITY - 60.0 / MASS
    assert -mass.GetPosDt().z == pytest.approx(0.1 + rate * 0.2, rel=1e-9)
    assert -mass.GetPos().z == pytest.approx(1.0 + 0.1 * 0.2 + 0.5 * rate * 0.2**2, rel=1e-9)
    assert contacts.joint_forces()["friction"][0, 0] == pytest.approx(60.0)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_mass_leaves_both_stops_with_the_restitution_of_the_closed_form(side):
    law = pc.Restriction(0.0, -1e-3, 2e4, 1.0)
    system, mass, link = hung(speed=side, gravity=0.0)
    contacts, felt = pc.attach(system), 0.0
    contacts.add_stop(link, law, lower=0.98, upper=1.02)
    while system.GetChTime() < 0.04:
        system.DoStepDynamics(5e-5)
        felt += contacts.joint_forces()["stop"][0]
    assert mass.GetPosDt().z == pytest.approx(side * float(restitution(1.0, 1.0)), rel=1e-4)
    assert math.copysign(1.0, felt) == -side  # the upper stop pulls the ends together, the lower one pushes them apart


def test_weight_rests_on_the_upper_stop():
    law = pc.Restriction(0.0, -1e-3, 400.0, 3.0)
    system, _, link = hung("hht")
    contacts = pc.attach(system)
    contacts.add_stop(link, law, upper=1.01)
    run(system, 2.0, 2e-3)
    (row,) = contacts.joint_forces()
    assert row["place"] == pytest.approx(1.01 - law.rest_distance(MASS * GRAVITY), abs=1e-5)
    assert row["stop"] == pytest.approx(-MASS * GRAVITY, rel=1e-3)


def test_oscillator_loses_the_same_length_in_every_cycle():
    spring, force, start = 4e3, 20.0, 0.2
    system, mass, link = hung(spring=spring, gravity=0.0)
    mass.SetPos(pychrono().ChVector3d(0, 0, -1.0 - start))
    contacts = pc.attach(system)
    contacts.add_friction(link, pc.Dissipation(force, force, 1e-3))
    cycle = 2.0 * math.pi * math.sqrt(MASS / spring)
    for number in range(1, 6):
        run(system, number * cycle, cycle / 1000.0)
        assert -1.0 - mass.GetPos().z == pytest.approx(start - number * 4.0 * force / spring, abs=2e-4)


@pytest.mark.parametrize("memory", [None, pc.LPVFilter(0.01, 0.02), pc.Anchor(1e-3, 1e-3)])
def test_ledger_closes_and_momentum_stays_while_two_free_bodies_are_joined_by_a_line(memory):
    system = empty_system(0.0, "runge_kutta")
    inertia = (0.1, 0.1, 0.1)
    one = new_body(system, 1.0, (0.3, 0, 0.2), (1.0, 0.4, 0.5), (0, 0.5, 1.0), inertia)
    two = new_body(system, 2.0, (-0.2, 0, 0), (0, -0.3, 0.1), (0.4, 0, 0), inertia)
    link = line_between(system, one, two, (0.1, 0.1, 0), (0, -0.1, 0.05))
    contacts = pc.attach(system)
    contacts.add_stop(link, pc.Restriction(0.0, -0.02, 60.0, 0.5), 0.55, 0.7)
    contacts.add_friction(link, pc.Dissipation(0.4, 0.4, 0.05), memory)

    def energy_and_momenta():
        kinetic, momentum, spin = 0.0, np.zeros(3), np.zeros(3)
        for body, mass in ((one, 1.0), (two, 2.0)):
            p, v, w = (np.array((u.x, u.y, u.z)) for u in (body.GetPos(), body.GetPosDt(), body.GetAngVelParent()))
            kinetic += 0.5 * mass * v @ v + 0.05 * w @ w
            momentum += mass * v
            spin += mass * np.cross(p, v) + 0.1 * w
        return kinetic, momentum, spin

    before, momentum, spin = energy_and_momenta()
    run(system, 1.0, 5e-4)
    after, momentum_after, spin_after = energy_and_momenta()
    ledger = contacts.energy()
    assert ledger.contact_heat > 1e-2
    assert ledger.friction_heat > 1e-2
    heat = ledger.contact_heat + ledger.friction_heat - ledger.handed_back
    assert after + heat + ledger.stored + ledger.step == pytest.approx(before, abs=1e-5)
    assert abs(ledger.error) < 2e-4
    assert momentum_after == pytest.approx(momentum, abs=1e-12)
    assert spin_after == pytest.approx(spin, abs=1e-6)


@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "runge_kutta"])
@pytest.mark.parametrize(("amplitude", "stays"), [(1.05, True), (0.98, False)])
def test_weight_below_break_away_stays_on_an_anchor(integrator, amplitude, stays):
    system, mass, link = hung(integrator)
    contacts = pc.attach(system)
    force = amplitude * MASS * GRAVITY
    contacts.add_friction(link, pc.Dissipation(force, force, 1e-3), pc.Anchor(1e-4, 2e-3))
    run(system, 1.0, 5e-4)
    first = mass.GetPos().z
    run(system, 1.5, 5e-4)
    creep = (first - mass.GetPos().z) / 0.5
    assert abs(creep) < 1e-9 if stays else creep > 0.1
    assert contacts.joint_forces()["friction"][0, 0] == pytest.approx(MASS * GRAVITY if stays else force, rel=1e-6)


def test_wrong_input_is_named_in_one_sentence():
    chrono = pychrono()
    system, mass, link = hung()
    contacts, law = pc.attach(system), pc.Restriction(0.0, -1e-3, 2e4, 1.0)
    seal = pc.Dissipation(1.0, 1.0, 1e-3)
    ceiling = next(body for body in system.GetBodies() if body.IsFixed())
    short = line_between(system, mass, ceiling, (0, 0, 1.0))
    ball = chrono.ChLinkLockSpherical()
    ball.Initialize(mass, ceiling, chrono.ChFramed())
    cases = [
        (lambda: contacts.add_friction(chrono.ChLinkTSDA(), seal), "Initialize"),
        (lambda: contacts.add_friction(short, seal), "ChLinkTSDA must be apart .* length of 0"),
        (lambda: contacts.add_stop(link, law, upper=-1.0), "upper=-1"),
        (
            lambda: contacts.add_stop(link, law, 500.0, 1500.0),
            "at 1 m, far beyond its stops at lower=500 and upper=1500",
        ),
        (lambda: contacts.add_friction(ball, seal), "spring-damper line .*ChLinkTSDA.* got ChLinkLockSpherical"),
        (lambda: JointSensor(system, link), "got ChLinkTSDA"),
    ]
    for wrong, told in cases:
        with pytest.raises(ParameterError, match=told):
            wrong()
    assert len(contacts.joint_forces()) == 0
