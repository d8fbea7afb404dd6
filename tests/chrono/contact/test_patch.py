"""Friction of a patch: slip and spin share it."""

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.api.start import prepare
from chrono_powercontact.chrono.contact import contact_kernel as ck
from chrono_powercontact.chrono.contact.contact_table import material_record
from chrono_powercontact.chrono.contact.records import MATERIAL
from chrono_powercontact.scenarios.scenes.chrono_scenes import add_body, new_scene

UP = (0.0, 0.0, 1.0)
LOAD = ck.Pressed(10.0, 10.0, 1.0)
LAW = pc.Restriction(0.0, -1e-3, 400.0, 3.0)


def acting(patch, slip, spin, memory=None):
    """Friction in N and moment in N m of a patch that slides in m/s and spins in rad/s."""
    material = pc.Material(LAW, pc.Friction(0.5, 0.5, 1e-6), memory, patch=patch)
    record = np.array([material_record(material)], MATERIAL)[0]
    carried = ck.Carried(True, (0.0,) * 3, (0.0,) * 3, (0.0,) * 3, (0.0, 0.0, spin), 0.0, 0.0, 0.0, (0.0,) * 3, 0.0)
    found = ck.under_load(record, LOAD, UP, slip, carried, ck.HOLD, 0.0)
    return np.array(found.friction), np.array(found.moment)


def test_a_spinning_patch_slides_more_easily():
    """At a spin whose rim moves as fast as the patch slides, friction is split evenly between the two."""
    alone, none = acting(0.01, (0.1, 0.0, 0.0), 0.0)
    both, moment = acting(0.01, (0.1, 0.0, 0.0), 10.0)
    assert alone == pytest.approx([5.0, 0.0, 0.0], abs=1e-6)
    assert none == pytest.approx([0.0] * 3, abs=1e-12)
    assert both == pytest.approx([5.0 / np.sqrt(2.0), 0.0, 0.0], abs=1e-6)
    assert moment == pytest.approx([0.0, 0.0, 0.05 / np.sqrt(2.0)], abs=1e-8)


@pytest.mark.parametrize("spin", [0.0, -3.0, 200.0])
def test_power_of_a_patch_is_never_given(spin):
    slip = (0.03, -0.02, 0.0)
    friction, moment = acting(0.01, slip, spin)
    speed = np.sqrt(np.dot(slip, slip) + (0.01 * spin) ** 2)
    assert friction @ slip + moment[2] * spin == pytest.approx(5.0 * speed, rel=1e-6)


def test_without_a_patch_spin_does_not_matter():
    friction, moment = acting(0.0, (0.1, 0.0, 0.0), 100.0)
    assert friction == pytest.approx([5.0, 0.0, 0.0], abs=1e-6)
    assert moment == pytest.approx([0.0] * 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"friction": pc.Friction(0.5, 0.5, 1e-3), "patch": -1.0}, "patch must"),
        ({"patch": 0.01}, "a patch needs a friction law"),
    ],
)
def test_bad_patches_are_refused(arguments, message):
    with pytest.raises(pc.ParameterError, match=message):
        pc.Material(LAW, **arguments)


@pytest.mark.chrono
@pytest.mark.parametrize(
    "memory", [None, pc.LPVFilter(1e-3, 1e-3), pc.Anchor(1e-6)], ids=["static", "filter", "anchor"]
)
def test_a_puck_stops_sliding_and_spinning_at_once(memory):
    """The closed form that the reference engine is held to as well: with I = m R^2 both shrink in proportion."""
    chrono = pychrono()
    system, ground = new_scene((0.0, 0.0, -9.81))
    mass, radius, mu = 0.2, 0.03, 0.3
    body = add_body(system, "puck", mass, mass * radius**2, (0.0, 0.0, LAW.rest_distance(mass * 9.81)))
    body.SetPosDt(chrono.ChVector3d(0.6, 0.0, 0.0))
    body.SetAngVelLocal(chrono.ChVector3d(0.0, 0.0, 0.8 / radius))
    contacts = pc.attach(system)
    contacts.add(
        pc.Points(body, (0.0, 0.0, 0.0)),
        pc.Plane(ground),
        pc.Material(LAW, pc.Friction(mu, mu, 1e-3), memory, patch=radius),
    )
    prepare(system, "runge_kutta")
    for _ in range(2000):
        system.DoStepDynamics(1e-4)
    left = 1.0 - 0.2 * mu * 9.81
    assert body.GetPosDt().x == pytest.approx(0.6 * left, abs=6e-3)
    assert radius * body.GetAngVelLocal().z == pytest.approx(0.8 * left, abs=6e-3)
    system.Clear()
