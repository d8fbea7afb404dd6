"""What contacts did in the last step: action and reaction, and resultants against the attachment's own."""

import numpy as np
import pytest
from read_scene import scene
from scene import run

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
