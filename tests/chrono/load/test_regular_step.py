"""Steps without Python give the same motion, to the last bit, and leave to Python what is not regular."""

import numpy as np
import pytest
from long_steps import box_on_slope, foot_and_top
from scene import ROUGH, empty_system, new_body, run
from spring_scenes import sprung
from taken import ball, colliding_system, plate

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit import step_context as on
from chrono_powercontact.chrono.implicit import step_kernel
from chrono_powercontact.chrono.implicit.blocks import BLOCK
from chrono_powercontact.chrono.load.census import EVERY
from chrono_powercontact.chrono.load.routine import Routine
from chrono_powercontact.chrono.load.stepping import RARELY, Stepper
from chrono_powercontact.errors import StateError

pytestmark = pytest.mark.chrono


def taken_over_balls():
    """Balls that fall on each other and on a plate."""
    system, surface = colliding_system("nsc")
    plate(system, surface)
    for i in range(3):
        ball(system, surface, at=(0.02 * i, 0, 0.11 + 0.25 * i))
    contacts = pc.attach(system)
    contacts.take_over()
    return system, contacts


def door():
    """A door that falls against the stop of its hinge, with friction in the hinge."""
    chrono = pychrono()
    system = empty_system()
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    leaf = new_body(system, at=(0.5, 0, 0))
    hinge = chrono.ChLinkLockRevolute()
    hinge.Initialize(
        leaf, new_body(system, fixed=True), chrono.ChFramed(chrono.VNULL, chrono.QuatFromAngleX(np.pi / 2))
    )
    system.AddLink(hinge)
    contacts = pc.attach(system)
    contacts.add_stop(hinge, pc.Restriction(0.0, -1e-3, 200.0, 0.1), lower=-0.4, upper=0.4)
    contacts.add_friction(hinge, pc.Dissipation(0.1, 0.2, 1e-2), pc.Anchor(1e-4))
    return system, contacts


def on_a_spring(kind):
    """A body on a spring of Chrono's that is solved for, and that is changed on the way."""
    system, body, link = sprung(kind)
    contacts = pc.attach(system, stepping="implicit")
    contacts.add(pc.Sphere(body, radius=0.1), pc.Plane(new_body(system, at=(0, 0, 0.85), fixed=True)), ROUGH)
    contacts.add_spring(link)
    return system, contacts


def line_spring():
    return on_a_spring("line")


def torsion_spring():
    return on_a_spring("turn")


def foot():
    """A light foot under a heavy top, in a joint."""
    system, _, contacts = foot_and_top(0.1)
    return system, contacts


def sliding_box():
    system, _, contacts = box_on_slope(30.0)
    return system, contacts


def sliding_box_explicit():
    system, _, contacts = box_on_slope(30.0, "auto")
    return system, contacts


SCENES = {
    "balls": (taken_over_balls, 2e-3, 400),
    "box at long steps": (sliding_box, 5e-3, 200),
    "box at short steps": (sliding_box_explicit, 2e-5, 600),
    "door": (door, 2e-3, 300),
    "foot": (foot, 2e-3, 300),
    "line spring": (line_spring, 2e-3, 300),
    "torsion spring": (torsion_spring, 2e-3, 300),
}


def states_of(system):
    """Positions and velocities of all bodies."""
    vectors = [
        vector for body in system.GetBodies() for vector in (body.GetPos(), body.GetPosDt(), body.GetAngVelLocal())
    ]
    return [number for vector in vectors for number in (vector.x, vector.y, vector.z)]


def told_by(energy):
    """The ledger as numbers."""
    return energy.stored, energy.contact_heat, energy.friction_heat, energy.exchanged, energy.step


def run_of(scene, step, count):
    """States and ledger over a run, and the modes of its steps."""
    system, contacts = scene()
    stepper = core_of(contacts).stepper
    rows = []
    modes = []
    for _ in range(count):
        system.DoStepDynamics(step)
        modes.append(stepper.routine.mode)
        rows.append([*states_of(system), *told_by(contacts.energy()), stepper.clock.steps, stepper.clock.committed])
    return np.array(rows), modes


@pytest.mark.parametrize("name", SCENES)
def test_the_motion_is_that_of_python_to_the_last_bit(monkeypatch, name):
    scene, step, count = SCENES[name]
    found, modes = run_of(scene, step, count)
    monkeypatch.setattr(Routine, "learn", lambda *arguments: None)
    expected, plain = run_of(scene, step, count)
    np.testing.assert_array_equal(found, expected)
    assert set(plain) == {on.IN_PYTHON}
    assert np.count_nonzero(modes) > 0.8 * count


def test_a_step_with_too_many_contacts_is_finished_by_python(monkeypatch):
    system, contacts = sliding_box()
    stepper = core_of(contacts).stepper
    for _ in range(10):
        system.DoStepDynamics(5e-3)
    assert stepper.routine.mode == on.AT_END
    stepper.arrays.put(step_kernel.BLOCKS, np.zeros(1, BLOCK))
    system.DoStepDynamics(5e-3)
    assert stepper.arrays.room() > 1
    assert contacts.solver().contacts == 4
    assert not stepper.context.words[on.LEFT_OPEN]


def test_a_state_that_is_not_finite_is_told():
    system, contacts = sliding_box()
    for _ in range(10):
        system.DoStepDynamics(5e-3)
    box = next(body for body in system.GetBodies() if not body.IsFixed())
    assert core_of(contacts).stepper.routine.mode == on.AT_END
    box.SetPosDt(pychrono().ChVector3d(np.nan, 0, 0))
    with pytest.raises(StateError, match="not finite"):
        run(system, 1.0, 5e-3)


def test_every_so_many_steps_python_looks_at_the_system_and_seldom_computes_a_step(monkeypatch):
    looked, computed = [], []
    evaluate, look = Stepper._evaluate, Stepper._look_around
    monkeypatch.setattr(
        Stepper, "_evaluate", lambda own, *rest: (computed.append(own.clock.steps), evaluate(own, *rest))
    )
    monkeypatch.setattr(Stepper, "_look_around", lambda own: (looked.append(own.clock.steps), look(own)))
    system, _ = sliding_box()
    many = 2 * RARELY * EVERY + 10
    for _ in range(many):
        system.DoStepDynamics(5e-3)
    assert len([step for step in looked if step > 10]) == 2 * RARELY
    assert 2 <= len([step for step in computed if step > 10]) < 30


def test_a_body_without_contact_that_is_not_finite_is_told_at_the_next_look():
    step = 5e-3
    system, contacts = sliding_box()
    stranger = new_body(system, at=(0, 0, 5))
    for _ in range(10):
        system.DoStepDynamics(step)
    assert core_of(contacts).stepper.routine.mode == on.AT_END
    stranger.SetPosDt(pychrono().ChVector3d(np.nan, 0, 0))
    with pytest.raises(StateError, match="not finite"):
        run(system, (EVERY + 10) * step, step)


CHANGES = {
    "a spring that is stiffer": lambda system, link: link.SetSpringCoefficient(3e4),
    "a spring that is switched off": lambda system, link: link.SetDisabled(True),
    "another rest length": lambda system, link: link.SetRestLength(1.2),
    "a new time": lambda system, link: system.SetChTime(5.0),
    "another mass": lambda system, link: list(system.GetBodies())[1].SetMass(3.0),
    "a push": lambda system, link: list(system.GetBodies())[1].SetPosDt(pychrono().ChVector3d(0, 0, 3.0)),
    "a new body": lambda system, link: new_body(system),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_between_steps_has_its_effect_at_once(monkeypatch, change):
    def changed():
        system, contacts = line_spring()
        link = next(iter(core_of(contacts).stepper.springs.springs.values())).link
        rows = []
        for i in range(120):
            if i == 50:
                CHANGES[change](system, link)
            system.DoStepDynamics(1e-3)
            rows.append(states_of(system)[:18])
        return np.array(rows), core_of(contacts).stepper.routine.mode

    found, mode = changed()
    monkeypatch.setattr(Routine, "learn", lambda *arguments: None)
    expected, _ = changed()
    np.testing.assert_array_equal(found, expected)
    assert mode == (on.IN_PYTHON if "off" in change else on.AT_END)
