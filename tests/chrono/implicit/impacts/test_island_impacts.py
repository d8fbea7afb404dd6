"""Impacts within steps in Chrono: walls that hold and walls that break, stops of joints, and the ledger of both."""

import math

import numpy as np
import pytest
from long_steps import dropped_ball
from scene import empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.laws.impact import breakthrough_speed, exit_velocity, restitution

WALL = pc.Barrier(s_0=0.02, s_c=0.0199, r_f=500.0, r_d=0.5, thickness=2e-3, s_c_back=0.0181)


def flown_at(wall, speed, h, height):
    """A ball of 50 g that has flown at a wall from a height above it for 0.1 s, without gravity, and the ledger."""
    system, ball, contacts = dropped_ball(wall, height=height)
    system.SetGravitationalAcceleration(pychrono().ChVector3d(0, 0, 0))
    ball.SetPosDt(pychrono().ChVector3d(0, 0, -speed))
    run(system, 0.1, h)
    return ball, contacts.energy()


@pytest.mark.chrono
@pytest.mark.parametrize("h", [1e-3, 2e-3, 5e-3])
@pytest.mark.parametrize("speed", [1.0, 4.0])
def test_a_wall_throws_back_though_it_is_thinner_than_the_way_of_a_step(h, speed):
    ball, _ = flown_at(WALL, speed, h, 0.02)
    assert ball.GetPosDt().z == pytest.approx(exit_velocity(WALL, 0.05, speed), rel=0.01)


@pytest.mark.chrono
@pytest.mark.parametrize("h", [1e-3, 5e-3])
def test_a_body_behind_a_wall_is_not_thrown_back(h):
    ball, _ = flown_at(WALL, 1.0, h, -3e-3)
    assert ball.GetPosDt().z == pytest.approx(-1.0)


@pytest.mark.chrono
@pytest.mark.parametrize("relative", [0.9, 1.1, 1.5, 2.0])
@pytest.mark.parametrize("h", [1e-4, 2e-4, 1e-3, 5e-3, 2e-2])
def test_a_wall_breaks_as_its_closed_form_says(relative, h):
    """At any step, and wherever the step begins before the wall; close to the limit the energy counts."""
    speed = relative * breakthrough_speed(WALL, 0.05)
    for height in (0.02, 0.021, 0.0223):
        ball, energy = flown_at(WALL, speed, h, height)
        exact = exit_velocity(WALL, 0.05, speed)
        assert np.sign(ball.GetPosDt().z) == np.sign(exact)
        assert ball.GetPosDt().z ** 2 == pytest.approx(exact**2, abs=0.01 * speed**2)
        kept = 0.025 * (speed**2 - ball.GetPosDt().z ** 2)
        assert energy.stored + energy.contact_heat + energy.step == pytest.approx(kept, rel=1e-6)
        assert energy.contact_heat >= 0.0


def door(h, law, speed=2.0):
    """A door that swings into its stop at -0.5 rad, without gravity; returns its angular velocity and the ledger."""
    chrono = pychrono()
    system = empty_system(0.0)
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    post, leaf = new_body(system, fixed=True), new_body(system, 2.0, (0.5, 0, 0), inertia=(0.1, 0.1, 0.2))
    hinge = chrono.ChLinkLockRevolute()
    hinge.Initialize(leaf, post, chrono.ChFramed(chrono.ChVector3d(0, 0, 0)))
    system.AddLink(hinge)
    leaf.SetAngVelLocal(chrono.ChVector3d(0, 0, -speed))
    leaf.SetPosDt(chrono.ChVector3d(0, -0.5 * speed, 0))
    contacts = pc.attach(system, stepping="implicit")
    contacts.add_stop(hinge, law, lower=-0.5)
    run(system, 0.35, h)
    return leaf.GetAngVelLocal().z, contacts.energy()


@pytest.mark.chrono
@pytest.mark.parametrize("h", [1e-3, 2e-3, 5e-3, 1e-2])
def test_a_door_leaves_its_stop_with_the_restitution_of_the_law(h):
    """The inertia about the hinge is 0.2 + 2 x 0.5^2 = 0.7 kg m^2; the stop acts over 0.1 mrad."""
    omega, energy = door(h, pc.Restriction(0.0, -1e-4, 5e4, 0.3))
    assert omega == pytest.approx(2.0 * float(restitution(0.3, 2.0)), rel=0.01)
    lost = 0.35 * (4.0 - omega**2)
    assert energy.contact_heat + energy.step == pytest.approx(lost, rel=0.02)
    assert energy.contact_heat == pytest.approx(lost, rel=0.05)


@pytest.mark.chrono
def test_bodies_that_carry_no_load_bounce_in_a_large_island():
    """Ten spheres fall one by one on a row of twenty that touch each other and lie on the ground."""
    system = empty_system()
    law = pc.Restriction(0.0, -1e-4, 500.0, 0.5)
    ground = new_body(system, fixed=True)
    contacts = pc.attach(system, stepping="implicit")
    row = [new_body(system, 0.1, (0.1 * i, 0, 0.05), inertia=(1e-4,) * 3) for i in range(20)]
    shapes = [pc.Sphere(body, radius=0.05) for body in row]
    material = pc.Material(law)
    for i, shape in enumerate(shapes):
        contacts.add(shape, pc.Plane(ground), material)
        if i:
            contacts.add(shape, shapes[i - 1], material)
    ball = new_body(system, 0.01, (0.3, 0, 0.25), inertia=(1e-6,) * 3)
    contacts.add(pc.Sphere(ball, radius=0.05), shapes[3], material)
    heights = []
    for _ in range(150):
        system.DoStepDynamics(2e-3)
        heights.append(ball.GetPos().z - 0.15)
    fall = math.sqrt(2.0 * 9.81 * 0.1)
    highest = max(heights[80:])
    assert highest == pytest.approx(0.1 * float(restitution(0.5, fall)) ** 2, rel=0.2)
    assert np.isfinite(heights).all()
