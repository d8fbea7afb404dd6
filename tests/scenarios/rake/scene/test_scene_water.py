"""Water and debris on Chrono: forces on bodies do the power of the reference engine's generalised forces."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rake_runs import on_chrono, part_of_the_command, quiet

from chrono_powercontact.scenarios.rake.cases.static_cases import water_forces
from chrono_powercontact.scenarios.rake.machine.arm_terms import pose
from chrono_powercontact.scenarios.rake.machine.arms import TRIG_ROWS, Place
from chrono_powercontact.scenarios.rake.machine.drive import Command
from chrono_powercontact.scenarios.rake.machine.machine import Rack, Water, machine
from chrono_powercontact.scenarios.rake.machine.two_link import TwoLink
from chrono_powercontact.scenarios.rake.machine.water import wet
from chrono_powercontact.scenarios.rake.motion.gauges import ledger_error, moved_work
from chrono_powercontact.scenarios.rake.motion.setup import Setup, run
from chrono_powercontact.scenarios.rake.scene.rake_scene import scene_parts, segments_of
from chrono_powercontact.scenarios.rake.scene.scene_ledger import LOAD, wet_loads

SETUPS = {arms: Setup(arms=arms, water=Water(0.7, True, 300.0)) for arms in ("rigid", "segments")}
TOUCHING = (1.941503, 3.520423)
"""Lengths in m with which the rake touches the rack, far below the water's level."""


def packed(setup, q, v):
    """The state of all bodies as Chrono packs it, at angles in rad and rates in rad/s."""
    segments, _ = segments_of(setup.machine, setup.arms == "segments")
    x, w, at, speed = [], [], np.zeros(2), np.zeros(2)
    for segment, a, turn in zip(segments, q, v, strict=True):
        way, across = np.array((math.cos(a), math.sin(a))), np.array((-math.sin(a), math.cos(a)))
        centre, moving = at + segment.centre * way, speed + segment.centre * turn * across
        x += [centre[0], 0.0, centre[1], math.cos(0.5 * a), 0.0, -math.sin(0.5 * a), 0.0]
        w += [moving[0], 0.0, moving[1], 0.0, -turn, 0.0]
        at, speed = at + segment.length * way, speed + segment.length * turn * across
    return np.array(x), np.array(w)


def on_bodies(setup, t, q, v):
    """Loads on all bodies, and their power in W."""
    loads, (x, w) = np.zeros(q.size, LOAD), packed(setup, q, v)
    return loads, wet_loads(scene_parts(setup), setup.world.water, t, x, w, loads)


def on_coordinates(setup, t, q, v):
    """Generalised forces of the reference engine, and their power in W."""
    force, trig = np.zeros(q.size), np.zeros((TRIG_ROWS, q.size))
    pose(setup.mech, q, trig)
    place = Place(np.zeros(2), np.zeros((2, q.size)))
    return force, wet(setup.mech, setup.world.water, t, q, v, trig, place, force)


def power_in(setup, q, loads, virtual):
    """Power in W of loads on bodies in a virtual motion."""
    w = packed(setup, q, virtual)[1].reshape(-1, 6)
    return float((loads.view(float).reshape(-1, 3) * w[:, (0, 2, 4)]).sum())


@given(
    st.sampled_from(list(SETUPS)),
    st.tuples(st.floats(-0.9, 0.9), st.floats(-2.4, 0.2)),
    st.lists(st.floats(-0.05, 0.05), min_size=6, max_size=6),
    st.lists(st.floats(-0.3, 0.3), min_size=6, max_size=6),
    st.sampled_from((10.0, 100.0)),
)
def test_loads_on_bodies_are_the_generalised_forces_in_every_virtual_motion(arms, angles, bends, rates, t):
    setup = SETUPS[arms]
    n = len(setup.mech.own)
    q = np.repeat(angles, n // 2) + (np.array(bends) if n == 6 else 0.0)
    v = np.array(rates[:n])
    (loads, power), (force, known) = on_bodies(setup, t, q, v), on_coordinates(setup, t, q, v)
    wanted = [power_in(setup, q, loads, direction) for direction in np.eye(n)]
    np.testing.assert_allclose(wanted, force, rtol=1e-9, atol=1e-6)
    assert power == pytest.approx(known, rel=1e-9, abs=1e-6)


def test_debris_weighs_on_the_last_body_alone_and_only_out_of_the_water():
    setup = Setup(water=Water(debris=300.0))
    above, below = (np.repeat(angles, 3) for angles in ((0.8, -0.3), (-0.3, -1.5)))
    loads, _ = on_bodies(setup, 100.0, above, np.zeros(6))
    assert loads["fz"][5] == pytest.approx(-300.0 * 9.81)
    assert np.all(loads[:5].view(float) == 0.0)
    assert np.all(on_bodies(setup, 10.0, above, np.zeros(6))[0].view(float) == 0.0)
    assert np.all(on_bodies(setup, 100.0, below, np.zeros(6))[0].view(float) == 0.0)


@pytest.mark.chrono
@pytest.mark.parametrize("water", [Water(sealed=True), Water(speed=0.7)])
def test_held_machine_comes_to_rest_at_the_forces_of_the_statics(water):
    t = np.linspace(0.0, 6.0, 61)
    command = Command(t, np.repeat(np.array(TOUCHING)[:, None], t.size, axis=1))
    setup = Setup(command=command, rack=Rack(offset=-1.0), arms="rigid", water=water)
    found, dry = on_chrono(setup, "regularised", 1e-3, 6.0), setup.statics.settle(*TOUCHING)
    rest = np.array([found[name][-50:].mean() for name in ("F1", "F2")])
    hold = dry
    for _ in range(3):
        hold = setup.statics.settle(*TOUCHING, on_coordinates(setup, 0.0, hold.q, np.zeros(2))[0])
    told = water_forces(machine(), TwoLink(machine()).angles(*TOUCHING), water)
    assert np.abs(told).min() > 2e3
    np.testing.assert_allclose(rest, hold.forces, rtol=0.0, atol=1e-3 * np.abs(told).max())
    np.testing.assert_allclose(rest - dry.forces, told, rtol=0.0, atol=0.01 * np.abs(told).max())
    assert np.abs(ledger_error(found)).max() < 2e-3 * np.abs(found["outer_work"]).max()


@pytest.mark.chrono
def test_way_down_into_the_water_is_that_of_the_reference_engine():
    setup = Setup(command=part_of_the_command(30.0, 34.0), water=Water(0.7, True))
    found, known = on_chrono(setup, "regularised", 1e-3, 4.0), run(setup, 5e-4, 4.0, quiet)
    assert known["outer_work"].min() < -1e3
    for name, share in (("F1", 0.02), ("F2", 0.02), ("x_T", 1e-3), ("outer_work", 1e-3)):
        assert np.abs(found[name] - known[name]).max() < share * np.ptp(known[name]), name
    assert np.abs(ledger_error(found)).max() < 1e-4 * moved_work(found)


@pytest.mark.chrono
def test_press_under_water_is_that_of_the_reference_engine():
    setup = Setup(command=part_of_the_command(58.0, 63.0), water=Water(0.7, True))
    found, known = on_chrono(setup, "regularised", 1e-3, 5.0), run(setup, 5e-4, 5.0, quiet)
    assert known["N"].max() > 5e3
    for name in ("F1", "F2", "N", "F_t", "outer_work"):
        assert np.abs(found[name] - known[name]).max() < 0.04 * np.ptp(known[name]), name
    assert np.abs(ledger_error(found)).max() < 1e-4 * moved_work(found)
