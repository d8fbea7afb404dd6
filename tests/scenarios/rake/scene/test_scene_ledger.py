"""The ledger of the machine on Chrono: what it reads off the bodies, and its order."""

import numpy as np
import pytest
from rake_runs import on_chrono

from chrono_powercontact.scenarios.rake.machine.arms import TIP, B, C
from chrono_powercontact.scenarios.rake.machine.machine import GRAVITY
from chrono_powercontact.scenarios.rake.motion.gauges import ledger_error, moved_work
from chrono_powercontact.scenarios.rake.motion.setup import Setup
from chrono_powercontact.scenarios.rake.scene.rake_scene import build
from chrono_powercontact.scenarios.rake.scene.scene_ledger import angle_of, held_point, mechanical, stretch

pytestmark = pytest.mark.chrono

COARSE, FINE = 1e-3, 5e-4
"""Steps in s."""


def packed(scene):
    """State of all bodies as Chrono packs it, read body by body."""
    x, w = [], []
    for body in scene.bodies:
        at, turn, v, spin = body.GetPos(), body.GetRot(), body.GetPosDt(), body.GetAngVelLocal()
        x += [at.x, at.y, at.z, turn.e0, turn.e1, turn.e2, turn.e3]
        w += [v.x, v.y, v.z, spin.x, spin.y, spin.z]
    return np.array(x), np.array(w)


@pytest.fixture(scope="module")
def moving():
    """A machine that was let go without its drives' forces for a moment, so that all of it moves."""
    from chrono_powercontact.chrono.api.bridge import set_integrator
    from chrono_powercontact.scenarios.rake.scene.scene_touch import direct_solver
    from chrono_powercontact.scenarios.scenes.chrono_scenes import new_scene

    setup = Setup()
    hold = setup.statics.settle(*setup.command.c[:, 0])
    scene = build(*new_scene(), setup, hold.lengths, hold.q.tolist())
    set_integrator(scene.system, "euler_implicit_linearized")
    scene.system.SetSolver(direct_solver())
    for line in scene.lines:
        line.SetRestLength(line.GetLength() - 1e-4)
    for _ in range(40):
        scene.system.DoStepDynamics(COARSE)
    return setup, scene, packed(scene)


def test_lines_are_as_long_and_as_fast_as_chrono_says(moving):
    _, scene, (x, w) = moving
    for i, line in enumerate(scene.lines):
        found = stretch(x, w, scene.parts.feet[i], scene.parts.heads[i])
        assert found == pytest.approx((line.GetLength(), line.GetVelocity()), rel=1e-7)
        assert abs(found[1]) > 1e-4


def test_points_are_where_the_statics_have_them(moving):
    setup, scene, (x, w) = moving
    q = np.array([angle_of(x, i) for i in range(len(scene.bodies))])
    parts = scene.parts
    for end, station in ((parts.heads[0], B), (parts.feet[1], C), (parts.scraper, TIP)):
        place = setup.statics.position(q, station)[0]
        assert held_point(x, w, end)[:2] == pytest.approx(tuple(place), abs=1e-6)


def test_energies_are_those_of_the_bodies(moving):
    _, scene, (x, w) = moving
    kinetic, potential = mechanical(scene.parts, x, w)
    own = sum(0.5 * body.GetMass() * body.GetPosDt().Length2() for body in scene.bodies)
    turning = sum(0.5 * body.GetInertiaXX().y * body.GetAngVelLocal().Length2() for body in scene.bodies)
    assert kinetic == pytest.approx(own + turning, rel=1e-12)
    weight = sum(body.GetMass() * GRAVITY * body.GetPos().z for body in scene.bodies)
    bends = np.diff([angle_of(x, i) for i in range(len(scene.bodies))])
    assert potential - weight == pytest.approx(float(0.5 * scene.parts.bodies["bend"][1:] @ bends**2), rel=1e-6)
    assert np.abs(bends[[0, 1, 3, 4]]).max() > 1e-4


@pytest.mark.parametrize("arms", ["rigid", "segments"])
def test_ledger_of_free_travel_is_of_second_order(arms):
    errors = []
    for step in (COARSE, FINE):
        found = on_chrono(Setup(arms=arms), "regularised", step, 8.0)
        errors.append(np.abs(ledger_error(found)).max() / moved_work(found))
    assert errors[0] < 2e-7
    assert 3.5 < errors[0] / errors[1] < 4.5
