"""Springs that are solved for together with contacts and links: rest, the energy ledger, and the choice by the step."""

import numpy as np
import pytest
from scene import empty_system, new_body
from spring_scenes import sprung

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit.choosing.choice import longest_explicit
from chrono_powercontact.chrono.implicit.choosing.joint_choice import spring_limit

pytestmark = pytest.mark.chrono

FLOOR = pc.Material(pc.Restriction(0.0, -1e-3, 500.0, 1.0), pc.Friction(0.5, 0.5, 1e-3, 1e-3), pc.Anchor(5e-6))
WEIGHT = 9.81


def pressed(h, time=2.0, stiffness=1e6, rest=1.0, damped=1.0):
    """A ball of 1 kg on the floor under a stiff spring from above; its height, its speed and the force of the floor."""
    chrono = pychrono()
    system = empty_system()
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    ground = new_body(system, fixed=True)
    ball = new_body(system, 1.0, (0, 0, 0.1))
    link = chrono.ChLinkTSDA()
    link.Initialize(ball, ground, True, chrono.ChVector3d(0, 0, 0), chrono.ChVector3d(0, 0, 1.099))
    link.SetRestLength(rest)
    link.SetSpringCoefficient(stiffness)
    link.SetDampingCoefficient(100.0)
    system.AddLink(link)
    contacts = pc.attach(system, stepping="implicit")
    contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), FLOOR)
    contacts.add_spring(link, damped)
    for _ in range(round(time / h)):
        system.DoStepDynamics(h)
    return ball.GetPos().z, ball.GetPosDt().z, contacts.force_on(ball).force[2], link.GetForce(), contacts


@pytest.mark.parametrize("h", [1e-3, 5e-3, 1e-2, 2e-2])
def test_a_ball_under_a_stiff_spring_rests_at_the_same_place_at_every_step(h):
    finest = pressed(5e-4)
    z, v, floor, spring, contacts = pressed(h)
    assert v == pytest.approx(0.0, abs=1e-9)
    assert floor == pytest.approx(WEIGHT + spring, abs=1e-6)
    assert z == pytest.approx(finest[0], abs=1e-10)
    assert floor == pytest.approx(finest[2], rel=1e-6)
    assert contacts.solver().unconverged == 0


def test_numerical_damping_does_not_change_the_place_of_rest():
    assert pressed(1e-2, damped=0.2)[0] == pytest.approx(pressed(1e-2)[0], abs=1e-10)


@pytest.mark.parametrize("h", [1e-3, 1e-2])
def test_energies_of_the_bodies_are_what_was_exchanged_and_what_the_spring_did(h):
    """The work of the spring is its force at the end of each step times the way: it is not part of the ledger."""
    system, body, link = sprung("line", stiffness=1e5, damping=20.0)
    ground = new_body(system, fixed=True)
    contacts = pc.attach(system, stepping="implicit")
    contacts.add(
        pc.Sphere(body, radius=0.1), pc.Plane(ground, (0, 0, 0.85)), pc.Material(pc.Restriction(0.0, -1e-3, 500.0, 1.0))
    )
    contacts.add_spring(link)
    system.SetGravitationalAcceleration(pychrono().ChVector3d(0, 0, -WEIGHT))
    begin, work = WEIGHT * body.GetPos().z, 0.0
    for _ in range(200):
        length = link.GetLength()
        system.DoStepDynamics(h)
        work += link.GetForce() * (link.GetLength() - length)
        energy = contacts.energy()
        now = WEIGHT * body.GetPos().z + 0.5 * body.GetPosDt().z ** 2
        assert now - begin == pytest.approx(energy.exchanged + work, abs=1e-7)
        assert energy.error == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize("kind", ["line", "turn"])
def test_the_choice_by_the_step_counts_springs(kind):
    system, _, link = sprung(kind)
    contacts = pc.attach(system)
    contacts.add_spring(link)
    (spring,) = core_of(contacts).stepper.springs.springs.values()
    limit = spring_limit(spring)
    assert limit == pytest.approx(longest_explicit(1e4, 5.0, 1.0))
    stepper = core_of(contacts).stepper
    assert not stepper.solves(0.9 * limit)
    assert stepper.solves(1.1 * limit)
    link.SetSpringCoefficient(4e4)
    assert stepper.solves(0.6 * limit)


def pendulum(h, solve):
    """A rod on a hinge with a weak turning spring and a stiff line, solved for; its angle after a while."""
    chrono = pychrono()
    system = empty_system()
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    ground = new_body(system, fixed=True)
    rod = new_body(system, 2.0, (0.5, 0, 0), inertia=(0.2, 0.2, 0.2))
    hinge = chrono.ChLinkLockRevolute()
    hinge.Initialize(rod, ground, chrono.ChFramed(chrono.ChVector3d(0, 0, 0), chrono.QuatFromAngleX(-np.pi / 2)))
    system.AddLink(hinge)
    line = chrono.ChLinkTSDA()
    line.Initialize(rod, ground, True, chrono.ChVector3d(0.5, 0, 0), chrono.ChVector3d(1.0, 0, 1.0))
    line.SetRestLength(1.0)
    line.SetSpringCoefficient(1e5)
    line.SetDampingCoefficient(3e3)
    system.AddLink(line)
    if solve:
        pc.attach(system, stepping="implicit").add_spring(line)
    for _ in range(round(1.0 / h)):
        system.DoStepDynamics(h)
    return rod.GetPos().z


def test_a_spring_on_a_mechanism_comes_to_rest_where_fine_steps_do():
    fine = pendulum(1e-5, False)
    for h in (1e-3, 5e-3, 2e-2):
        assert pendulum(h, True) == pytest.approx(fine, abs=1e-9)
