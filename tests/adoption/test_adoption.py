"""Scenes with the numbers of Chrono's demos, as they are and with the one line `pc.attach(system).take_over()`."""

import numpy as np
import pytest

import chrono_powercontact as pc

pytestmark = pytest.mark.chrono
scenes = pytest.importorskip("adoption_scenes")


@pytest.fixture(autouse=True)
def _usual_envelope():
    import pychrono

    yield
    pychrono.ChCollisionModel.SetDefaultSuggestedEnvelope(0.03)
    pychrono.ChCollisionModel.SetDefaultSuggestedMargin(0.01)


def both(scene, time):
    """The demo after a time in s as it is, the same with the one line, and the contacts of the latter."""
    plain = scene()
    plain.run(time)
    taken = scene()
    contacts = pc.attach(taken.system)
    contacts.take_over()
    taken.run(time)
    return plain, taken, contacts


def places(demo):
    return np.array([(p.x, p.y, p.z) for p in (body.GetPos() for body in demo.bodies)])


def test_the_cube_of_buildsystem_rests_at_10_ms():
    _, demo, contacts = both(scenes.built_system, 3.0)
    (cube,) = demo.bodies
    assert cube.GetPos().y == pytest.approx(0.0, abs=1e-3)
    assert contacts.force_on(cube).force[1] == pytest.approx(-demo.system.GetGravitationalAcceleration().y, rel=0.01)


def test_the_boxes_of_callback_nsc_stop_where_they_do_there():
    plain, demo, _ = both(scenes.sliding_boxes, 2.5)
    way = places(plain)[:, 0] + 1.0
    assert places(demo)[:, 0] + 1.0 == pytest.approx(way, rel=0.05)
    assert max(body.GetPosDt().Length() for body in demo.bodies) < 1e-6


def test_the_balls_of_friction_roll_and_spin_as_they_do_there():
    plain, demo, _ = both(scenes.rolling_balls, 3.0)
    rolled = places(plain)[:10, 0] + 7.0
    assert places(demo)[:10, 0] + 7.0 == pytest.approx(rolled, rel=0.1)
    spins = [[body.GetAngVelParent().y for body in made.bodies[10:]] for made in (plain, demo)]
    assert spins[1] == pytest.approx(spins[0], rel=0.05)


def test_the_wedge_of_associated_is_held():
    _, demo, _ = both(scenes.clamped_wedge, 0.5)
    start = places(scenes.clamped_wedge())
    assert np.abs(places(demo) - start).max() < 1e-3


def test_the_table_of_earthquake_moves_its_wall():
    _, demo, contacts = both(scenes.shaken_wall, 0.1)
    heights = places(demo)[:6, 1]
    assert np.diff(heights) == pytest.approx(0.12, abs=2e-3)
    assert contacts.solver().unconverged == 0


def test_the_bodies_of_collision_smc_stay_in_the_container():
    demo = scenes.stirred_box()
    pc.attach(demo.system).take_over()
    demo.step = 2e-3
    demo.run(2.0)
    x, y, z = places(demo).T
    assert ((np.abs(x) < 10.0) & (np.abs(z) < 10.0) & (y > -5.0)).all()
