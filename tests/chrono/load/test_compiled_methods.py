"""Methods of the load, compiled or in Python: the motion is the same."""

import pytest
from scene import SMOOTH, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono, set_integrator
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.load import compiled_methods

pytestmark = pytest.mark.chrono


def fallen(integrator, steps=60):
    """Height of a ball that falls on a plane, and whether methods of its load are compiled."""
    system = pychrono().ChSystemNSC()
    system.SetGravitationalAcceleration(pychrono().ChVector3d(0, 0, -9.81))
    set_integrator(system, integrator)
    ball = new_body(system, at=(0, 0, 0.11))
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(new_body(system, fixed=True)), SMOOTH)
    for _ in range(steps):
        system.DoStepDynamics(1e-3)
    return ball.GetPos().z, core_of(contacts).stepper.load._methods.are_compiled


@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "euler_implicit", "runge_kutta"])
def test_the_motion_is_the_same_with_python(monkeypatch, integrator):
    height, compiled = fallen(integrator)
    assert compiled
    monkeypatch.setattr(compiled_methods, "replace_methods", lambda *arguments: {})
    plain, compiled = fallen(integrator)
    assert not compiled
    assert height == plain
