"""The Python in docs/observer.md runs, given the machine that it speaks of."""

import re
from pathlib import Path

import pytest
from sympy import cos, symbols

from chrono_powercontact.lagrange.model import Model, coordinates, velocities
from chrono_powercontact.lagrange.system import System

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "observer.md"
SWING, TWIN, RIDE, VERDICT = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


def run(block, **names):
    names["__name__"] = "guide"
    exec(compile(block, str(GUIDE), "exec"), names)
    return names


@pytest.fixture(scope="module")
def swing():
    return run(SWING)


def driven_slide():
    """A crane: a slide with a drive, and a driven pendulum on it."""
    phi, s = coordinates("phi s")
    omega, v = velocities((phi, s))
    kinetic = v**2 + omega**2 / 2 + v * omega * cos(phi)
    torque, force = symbols("M F")
    drives = {"parameters": (torque, force), "forces": {phi: torque, s: force}}
    return System(Model("guided_crane", (phi, s), kinetic, -9.81 * cos(phi), **drives), {"M": 0.0, "F": 0.0})


def test_the_filter_runs_and_its_innovations_are_judged(swing):
    assert len(swing["seen"]["omega"]) == 200
    run(VERDICT, seen=swing["seen"])


def test_a_system_becomes_a_model():
    model = run(TWIN, system=driven_slide())["model"]
    assert model.states == ("phi", "s", "phi_dot", "s_dot")


@pytest.mark.chrono
def test_the_observer_rides_on_chrono(swing):
    from chrono_powercontact.chrono.api.bridge import pychrono

    chrono = pychrono()
    system, wall, bob, hinge = chrono.ChSystemSMC(), chrono.ChBody(), chrono.ChBody(), chrono.ChLinkRevolute()
    wall.SetFixed(True)
    bob.SetPos(chrono.ChVector3d(0, -1, 0))
    hinge.Initialize(bob, wall, chrono.ChFramed())
    for item in (wall, bob, hinge):
        system.Add(item)
    block = RIDE.replace("< 3.0", "< 0.1")
    observer = swing["CDKF"](swing["model"], [0.0, 0.0], [1e-2, 1e-2], [1e-8, 1e-4], [1e-4], 0.01)
    seen = run(block, system=system, hinge=hinge, observer=observer, motor_torque=lambda: 0.0)["seen"]
    assert len(seen["true_omega"]) >= 10
