"""Derivatives of contact forces on Chrono, against closed forms of the laws and against laws with other numbers."""

import numpy as np
import pytest

from chrono_powercontact.chrono.attachment import attach
from chrono_powercontact.chrono.contact.shapes import Plane, Sphere
from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.laws.friction.anchor import Anchor
from chrono_powercontact.laws.friction.dissipation import Friction
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter
from chrono_powercontact.laws.law_numbers import with_number
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.hooke import Hooke
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.laws.normal.user_normal import normal_law

pytestmark = pytest.mark.chrono

NORMAL = Restriction(1e-3, 5e-4, 100.0, 1.0)
RUBBING = Friction(0.3, 0.4, 0.02, 0.04, d=0.1)
MATERIALS = {
    "static": Material(NORMAL, RUBBING),
    "filtered": Material(NORMAL, RUBBING, LPVFilter(0.01, 0.02)),
    "anchored": Material(NORMAL, RUBBING, Anchor(1e-3, 1e-3)),
}
NAMES = {"normal": ("r_d", "r_f", "s_0", "s_c"), "friction": ("mu_c", "mu_s", "v_c", "d")}


def scene(material, steps=5):
    """A ball that slides and sinks on a plane, after some steps; an anchor is still within its elastic range."""
    import pychrono as chrono

    system = chrono.ChSystemNSC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    ball = chrono.ChBodyEasySphere(0.05, 1000, False, False)
    ball.SetPos(chrono.ChVector3d(0, 0, 0.0498))
    ball.SetPosDt(chrono.ChVector3d(0.3, 0.1, -0.02))
    ground = chrono.ChBody()
    ground.SetFixed(True)
    system.AddBody(ball)
    system.AddBody(ground)
    contacts = attach(system, stepping="explicit")
    contacts.add(Sphere(ball, radius=0.05), Plane(ground), material)
    for _ in range(steps):
        system.DoStepDynamics(1e-4)
    return system, contacts


def force_with(material, part, name, value):
    """Forces now of a scene that ran with one material and goes on with a changed one, its memory kept."""
    from chrono_powercontact.chrono.attachment import core_of
    from chrono_powercontact.chrono.contact.contact_table import material_record

    _system, contacts = scene(material)
    core_of(contacts).table.materials[0] = material_record(with_number(material, part, name, value))
    return contacts.forces()[0]


def test_normal_force_has_the_slope_of_its_law():
    _system, contacts = scene(MATERIALS["static"])
    acting = contacts.forces()[0]
    found = contacts.sensitivities(["r_f"])["r_f"][0]
    assert acting["force"] > 1.0
    assert found["force"] == pytest.approx(acting["force"] / NORMAL.r_f, rel=1e-12)


@pytest.mark.parametrize("kind", MATERIALS)
def test_forces_have_the_slopes_of_differences(kind):
    material = MATERIALS[kind]
    numbers = {**NAMES, "memory": ("presliding", "tau")} if kind == "anchored" else NAMES
    _system, contacts = scene(material)
    found = contacts.sensitivities([name for names in numbers.values() for name in names])
    for part, names in numbers.items():
        for name in names:
            value = getattr(getattr(material, part), name)
            width = 1e-5 * value
            low, high = (force_with(material, part, name, value + side * width) for side in (-1.0, 1.0))
            for field in ("force", "friction"):
                expected = (high[field] - low[field]) / (2.0 * width)
                size = np.abs(np.asarray(contacts.forces()[0][field])).max() / value
                assert found[name][0][field] == pytest.approx(expected, rel=1e-6, abs=1e-7 * size), (name, field)


def test_what_has_no_derivative_is_told():
    _system, contacts = scene(MATERIALS["static"], 1)
    with pytest.raises(UnknownNameError, match="unknown parameter to differentiate by 'mu_x'"):
        contacts.sensitivities(["mu_x"])
    with pytest.raises(ParameterError, match="must be a list of names, got 'mu_c'"):
        contacts.sensitivities("mu_c")
    bristles = Material(Hooke(1e-3, 1e4), LuGre(0.3, 0.4, 0.02, 2e3, 5.0))
    _other, contacts = scene(bristles, 1)
    with pytest.raises(ParameterError, match=r"'k' is in several laws of a contact: name one of normal.k, friction.k"):
        contacts.sensitivities(["k"])
    assert contacts.sensitivities(["normal.k"])["normal.k"][0]["force"] > 0.0


def test_user_laws_and_empty_scenes_are_told():
    import pychrono as chrono

    @normal_law
    def spring(s, v, p):
        return p.k * max(p.s_0 - s, 0.0)

    _system, contacts = scene(Material(spring(s_0=1e-3, k=1e4)), 1)
    with pytest.raises(ParameterError, match="is a user's function, which has no exact derivatives"):
        contacts.sensitivities(["r_d"])
    empty = chrono.ChSystemNSC()
    with pytest.raises(ParameterError, match="there are no contacts yet"):
        attach(empty).sensitivities(["r_d"])
