"""Bodies whose motion links determine: nothing in contact changes it."""

import numpy as np
import pytest
from scene import run
from taken import colliding_system, plate, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.implicit.island import Links, MovingBodies
from chrono_powercontact.chrono.implicit.linked.driven import driven_bodies

pytestmark = pytest.mark.chrono

MU = 0.3
PAIR = {"slider", "block"}


def pushed_block(h, iterations=2):
    """A slider of 1 kg that a motor moves at 0.5 m/s pushes a block of 20 kg over a plate."""
    chrono = pychrono()
    system, surface = colliding_system("nsc")
    system.GetSolver().AsIterative().SetMaxIterations(iterations)
    ground = plate(system, surface)
    slider = shaped_body(system, chrono.ChCollisionShapeBox(surface, 0.1, 0.1, 0.1), at=(-0.3, 0, 0.2), name="slider")
    motor = chrono.ChLinkMotorLinearSpeed()
    motor.Initialize(slider, ground, chrono.ChFramed(chrono.ChVector3d(-0.3, 0, 0.2), chrono.Q_ROTATE_Z_TO_X))
    motor.SetSpeedFunction(chrono.ChFunctionConst(0.5))
    system.AddLink(motor)
    shape = chrono.ChCollisionShapeBox(surface, 0.4, 0.4, 0.4)
    block = shaped_body(system, shape, mass=20.0, inertia=0.5, at=(0.0, 0, 0.2), name="block")
    contacts = pc.attach(system)
    contacts.take_over(restitution=0.0, friction=MU)
    run(system, 0.4, h)
    forces = []
    while system.GetChTime() < 0.6:
        system.DoStepDynamics(h)
        forces.append((motor.GetMotorForce(), push(contacts)))
    return slider, block, np.array(forces)


def push(contacts):
    """Force in N along x by which the slider and the block pushed each other in the last step."""
    between = [report for report in contacts.reports() if {report.body_a.GetName(), report.body_b.GetName()} == PAIR]
    return sum(abs((report.plane * report.force).x) for report in between)


@pytest.mark.parametrize("h", [1e-3, 1e-2])
def test_a_light_slider_pushes_a_heavy_block(h):
    """Two iterations of Chrono's solver would not do; the motor bears the friction of the block.

    That is MU m g / (1 + s MU^2), because the slider also rubs along the face of the block: upwards if s = 1.
    """
    slider, block, forces = pushed_block(h)
    assert slider.GetPosDt().x == pytest.approx(0.5, abs=1e-4)
    assert block.GetPos().x - slider.GetPos().x == pytest.approx(0.25, abs=2e-3)
    motor, pushed = np.abs(forces).T
    assert motor == pytest.approx(pushed, abs=1e-6 * pushed.max())
    rubbing = MU * 20.0 * 9.81
    assert rubbing / (1.0 + MU * MU) < motor.mean() < rubbing / (1.0 - MU * MU)


def held_by(jacobian):
    """Whether rows that hold a body to what is fixed hold it altogether."""
    rows = len(jacobian)
    mass, inertia = np.array([2.0]), np.diag([0.1, 0.2, 0.3])[None]
    bodies = MovingBodies(np.eye(3)[None], mass, inertia, np.linalg.inv(inertia), np.zeros(6), np.zeros(6))
    ends = np.tile(np.array([0, -1]), (rows, 1))
    none, no_side = np.zeros(rows), np.zeros(rows, np.int64)
    links = Links(np.ascontiguousarray(jacobian), none.copy(), ends, none.copy(), no_side, rows, 0, none.copy())
    return bool(driven_bodies(bodies, links, 1e-3, np.zeros(6))[0])


def test_six_rows_hold_a_body_only_if_none_follows_from_the_others():
    free = np.random.default_rng(1).normal(size=(6, 6))
    twice = free.copy()
    twice[5] = twice[0] - 2.0 * twice[3]
    nearly = twice.copy()
    nearly[5, 2] += 1e-7
    assert held_by(free)
    assert not held_by(free[:5])
    assert not held_by(twice)
    assert not held_by(nearly)
    assert held_by(np.vstack([twice, free[5]]))
