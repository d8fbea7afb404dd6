"""Stops and friction of joints in the choice by the step: effective masses against Chrono's motion, limits, doors."""

import math

import numpy as np
import pytest
from scene import empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import is_guided, pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit.choosing.choice import CLOSING, law_limit, longest_explicit
from chrono_powercontact.chrono.implicit.choosing.joint_choice import effective_mass, joint_limit
from chrono_powercontact.chrono.joint.joints import joint_friction, sliding, stop
from chrono_powercontact.laws.design import stable_anchor_step
from chrono_powercontact.laws.impact import restitution

pytestmark = pytest.mark.chrono

HARD = pc.Restriction(0.0, -1e-4, 5e4, 0.3)
SOFT = pc.Restriction(0.0, -1e-2, 10.0, 0.1)
ABOUT_HINGE = 0.2 + 2.0 * 0.5**2
"""Moment of inertia of the door about its hinge, in kg m^2."""


def linked_system(kind, fixed, *arguments):
    """Two bodies at rest without gravity, and a tilted joint of some class beside their centres of mass."""
    chrono = pychrono()
    system = empty_system(0.0)
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    base = new_body(system, 3.0, (-0.2, 0.1, 0.0), inertia=(0.2, 0.3, 0.4), fixed=fixed)
    part = new_body(system, 2.0, (0.5, 0.0, 0.1), inertia=(0.1, 0.15, 0.2))
    link = getattr(chrono, kind)()
    if kind == "ChLinkTSDA":
        link.Initialize(part, base, True, chrono.ChVector3d(-0.1, 0.2, 0.0), chrono.ChVector3d(0.1, 0.0, 0.3))
        link.SetSpringCoefficient(0.0)
        link.SetDampingCoefficient(0.0)
    else:
        link.Initialize(part, base, chrono.ChFramed(chrono.ChVector3d(0, 0, 0), chrono.QuatFromAngleX(0.7)))
    for argument in arguments:
        link.SetSpindleConstraint(argument)
    system.AddLink(link)
    return system, link


def met_by(system, link, law=SOFT, step=1e-6):
    """Mass or moment of inertia that a stop meets in Chrono, from the speed that it gives the joint in a step."""
    start = link.GetLength() if hasattr(link, "GetLength") else 0.0
    contacts = pc.attach(system, stepping="explicit")
    contacts.add_stop(link, law, lower=start + 0.005)
    (before,) = contacts.joint_forces()
    system.DoStepDynamics(step)
    (after,) = contacts.joint_forces()
    contacts.detach()
    return step * before["stop"] / after["speed"][0]


@pytest.mark.parametrize("kind", ["ChLinkLockRevolute", "ChLinkLockPrismatic"])
def test_a_body_on_a_fixed_axis_has_the_mass_that_chrono_moves(kind):
    system, link = linked_system(kind, fixed=True)
    estimate = effective_mass(stop(system, link, SOFT, lower=0.0))
    assert estimate == pytest.approx(met_by(system, link), rel=1e-4)


@pytest.mark.parametrize("fixed", [True, False])
@pytest.mark.parametrize(
    "kind", ["ChLinkLockRevolute", "ChLinkLockPrismatic", "ChLinkMotorRotationTorque", "ChLinkTSDA"]
)
def test_no_pair_of_bodies_moves_more_easily_than_estimated(kind, fixed):
    system, link = linked_system(kind, fixed)
    estimate = effective_mass(stop(system, link, SOFT, upper=2.0))
    assert 0.0 < estimate <= met_by(system, link) * (1.0 + 1e-4)


def test_a_motor_that_guides_nothing_leaves_its_bodies_free():
    free = pychrono().ChLinkMotorRotation.SpindleConstraint_FREE
    system, link = linked_system("ChLinkMotorRotationTorque", True, free)
    assert not is_guided(link)
    assert effective_mass(stop(system, link, SOFT, lower=0.0)) == pytest.approx(met_by(system, link), rel=1e-4)


def test_two_bodies_in_a_hinge_turn_as_if_they_were_free():
    system, link = linked_system("ChLinkLockRevolute", fixed=False)
    c, s = math.cos(0.7) ** 2, math.sin(0.7) ** 2
    easily = s / 0.15 + c / 0.2 + s / 0.3 + c / 0.4
    assert effective_mass(joint_friction(system, link, pc.Dissipation(1.0, 1.0, 0.1))) == pytest.approx(1.0 / easily)


def test_a_point_beside_the_centre_is_moved_more_easily():
    system = empty_system(0.0)
    ground, body = new_body(system, fixed=True), new_body(system, 2.0, inertia=(0.1, 0.2, 0.5))
    law = pc.Dissipation(1.0, 1.0, 0.1)
    assert effective_mass(sliding(body, ground, law)) == pytest.approx(2.0)
    assert effective_mass(sliding(body, ground, law, at=(0.3, 0, 0))) == pytest.approx(1.0 / (0.5 + 0.3**2 / 0.2))


def test_friction_of_a_joint_limits_the_step_by_its_slope_its_filter_or_its_anchor():
    system, link = linked_system("ChLinkLockRevolute", fixed=True)
    law = pc.Dissipation(2.0, 2.0, 1e-2, d=0.3)
    mass = effective_mass(joint_friction(system, link, law))
    slope = 2.0 / 1e-2 + 0.3
    assert joint_limit(joint_friction(system, link, law)) == pytest.approx(2.0 * mass / slope, rel=1e-6)
    filtered = joint_limit(joint_friction(system, link, law, pc.LPVFilter(1e-3, 1e-3)))
    assert filtered == pytest.approx(CLOSING * longest_explicit(slope / 1e-3, 0.0, mass), rel=1e-6)
    anchor = pc.Anchor(1e-4, 2e-4)
    plain = pc.Dissipation(2.0, 2.0, 1e-2)
    designed = stable_anchor_step(pc.Friction(2.0, 2.0, 1e-2), mass, anchor, 1.0, "euler")
    assert joint_limit(joint_friction(system, link, plain, anchor)) == pytest.approx(designed, rel=1e-3)
    assert joint_limit(joint_friction(system, link, law, anchor)) < joint_limit(
        joint_friction(system, link, plain, anchor)
    )


def test_a_stop_limits_the_step_with_the_steepest_slopes_of_its_law():
    system, link = linked_system("ChLinkLockPrismatic", fixed=True)
    limits = [joint_limit(stop(system, link, law, lower=0.0)) for law in (SOFT, HARD)]
    assert limits == [law_limit(law, 2.0, math.inf) for law in (SOFT, HARD)]
    steepest = 5e4 * HARD.r_t / 4.0
    assert limits[1] <= 1.001 * longest_explicit(steepest, 0.0, 2.0)


def door(step, stepping, law=HARD, speed=2.0, friction=None):
    """A door that swings into its stop at -0.5 rad, or is braked by friction.

    Returns its angular velocity after each of the last 8 steps before 0.35 s, and whether the steps were solved.
    """
    chrono = pychrono()
    system = empty_system(0.0)
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    post, leaf = new_body(system, fixed=True), new_body(system, 2.0, (0.5, 0, 0), inertia=(0.1, 0.1, 0.2))
    hinge = chrono.ChLinkLockRevolute()
    hinge.Initialize(leaf, post, chrono.ChFramed(chrono.ChVector3d(0, 0, 0)))
    system.AddLink(hinge)
    leaf.SetAngVelLocal(chrono.ChVector3d(0, 0, -speed))
    leaf.SetPosDt(chrono.ChVector3d(0, -0.5 * speed, 0))
    contacts = pc.attach(system, stepping=stepping)
    if friction is None:
        contacts.add_stop(hinge, law, lower=-0.5)
    else:
        contacts.add_friction(hinge, *friction)
    run(system, 0.35 - 8 * step, step)
    speeds = []
    for _ in range(8):
        system.DoStepDynamics(step)
        speeds.append(leaf.GetAngVelLocal().z)
    return np.array(speeds), core_of(contacts).stepper.watch.implicit


@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_a_door_that_its_stop_would_throw_leaves_it_with_the_restitution_of_the_law(step):
    exact = 2.0 * float(restitution(0.3, 2.0))
    thrown, explicit = door(step, "explicit")
    assert thrown.min() > 10.0
    assert not explicit
    omega, implicit = door(step, "auto")
    assert omega == pytest.approx(np.full(8, exact), rel=0.01)
    assert implicit


def test_a_door_whose_stop_the_step_resolves_keeps_its_forces_at_the_start():
    law = pc.Restriction(0.0, -0.02, 500.0, 0.3)
    limit = law_limit(law, ABOUT_HINGE, math.inf)
    step = 0.1 * limit
    omega, implicit = door(step, "auto", law)
    assert not implicit
    assert np.array_equal(omega, door(step, "explicit", law)[0])
    assert omega == pytest.approx(np.full(8, 2.0 * float(restitution(0.3, 2.0))), rel=0.05)


@pytest.mark.parametrize("memory", [None, pc.Anchor(1e-4, 1e-4)])
def test_a_door_that_stiff_friction_would_rattle_comes_to_rest(memory):
    friction = pc.Dissipation(10.0, 10.0, 1e-4), memory
    rattling, explicit = door(5e-3, "explicit", friction=friction)
    assert np.abs(rattling).max() > 1e-2
    assert not explicit
    omega, implicit = door(5e-3, "auto", friction=friction)
    assert np.abs(omega).max() < 1e-6
    assert implicit


def test_a_stop_that_replaces_another_while_it_runs_is_noticed():
    system, link = linked_system("ChLinkLockRevolute", fixed=True)
    contacts = pc.attach(system)
    soft = contacts.add_stop(link, SOFT, lower=-1.0)
    watch = core_of(contacts).stepper.watch
    run(system, 0.02, 1e-3)
    assert not watch.implicit
    contacts.remove_joint(soft)
    contacts.add_stop(link, HARD, lower=-1.0)
    run(system, 0.04, 1e-3)
    assert watch.implicit
