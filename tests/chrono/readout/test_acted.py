"""What contacts did in the last step: action and reaction, and resultants against the attachment's own."""

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from read_scene import scene
from scene import SMOOTH, new_body, run
from taken import colliding_system, plate, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.readout.acted import acted, loads

pytestmark = pytest.mark.chrono


def test_nothing_acts_before_the_first_step():
    system, _, _, contacts = scene()
    assert system.GetNumContacts() == 0
    assert len(acted(core_of(contacts)).elements) == 0
    assert not loads(core_of(contacts)).force.any()


def test_action_equals_reaction():
    system, _, _, contacts = scene(degrees=15.0, height=0.01, shape="box")
    for _ in range(40):
        system.DoStepDynamics(5e-3)
        force = loads(core_of(contacts)).force
        assert force.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12 * (1.0 + np.abs(force).max()))


@pytest.mark.parametrize("step", [1e-4, 5e-3])
def test_at_rest_resultants_are_those_of_the_attachment(step):
    system, _, box, contacts = scene(degrees=10.0, shape="box")
    run(system, 1.0, step)
    core = core_of(contacts)
    place = core.place_of(box)
    own = contacts.force_on(box)
    assert loads(core).force[place] == pytest.approx(own.force, abs=1e-4 * np.abs(own.force).max())
    assert loads(core).torque[place] == pytest.approx(own.torque, abs=1e-4 * np.abs(own.force).max())


def test_reading_when_more_bodies_have_come_near_writes_no_foreign_memory():
    """A script may place bodies between a step and a reading. In a process of its own, which it could end."""
    code = textwrap.dedent("""
        import sys
        sys.path.insert(0, sys.argv[1])
        import pychrono as chrono
        from taken import SLICK, ball, colliding_system, plate
        import chrono_powercontact as pc
        system, surface = colliding_system()
        plate(system, surface)
        first = ball(system, surface, at=(0, 0, 0.0995))
        places = [(0.1 * (i % 30) - 1.5, 0.1 * (i // 30) + 0.5) for i in range(300)]
        others = [ball(system, surface, radius=0.02, at=(*place, 2)) for place in places]
        pc.attach(system).take_over(SLICK)
        system.DoStepDynamics(1e-3)
        for other in others:
            other.SetPos(chrono.ChVector3d(other.GetPos().x, other.GetPos().y, 0.02))
        force = first.GetContactForce().z
        system.DoStepDynamics(1e-3)
        print(force > 0.0, system.GetNumContacts())
    """)
    support = str(Path(__file__).parents[2] / "support")
    done = subprocess.run([sys.executable, "-c", code, support], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "301"]


def test_what_acted_is_known_though_bodies_have_come_since_the_step():
    """There are more bodies on the load than the last step knew."""
    system, ground, box, contacts = scene(degrees=45.0, shape="box")
    run(system, 0.3, 5e-3)
    before = box.GetContactForce().z, box.GetContactTorque().y, contacts.energy()
    for i in range(8):
        ball = new_body(system, 1.0, (1.0 + i, 0.0, 0.5))
        contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground, (0, 0, 0.1)), SMOOTH)
    assert (box.GetContactForce().z, box.GetContactTorque().y) == before[:2]
    after = contacts.energy()
    assert after.friction_heat == pytest.approx(before[2].friction_heat, rel=1e-12)
    assert after.exchanged == pytest.approx(before[2].exchanged, rel=1e-12)


def test_the_gap_of_a_cylinder_is_told():
    """A cylinder of 1 kg stands on a plate: its rim is in the plate by what the law yields."""
    system, surface = colliding_system("nsc")
    plate(system, surface)
    shaped_body(system, pychrono().ChCollisionShapeCylinder(surface, 0.1, 0.2), at=(0, 0, 0.1))
    contacts = pc.attach(system)
    contacts.take_over()
    run(system, 0.5, 2e-3)
    gap = acted(core_of(contacts)).gap
    assert len(gap) > 0
    assert np.abs(gap).max() < 1e-3
