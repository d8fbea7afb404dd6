"""A rack of several planes on Chrono: its pieces stand where the profile says, and the rake slides over their ends."""

import math
from dataclasses import replace

import numpy as np
import pytest
from rake_runs import on_chrono, quiet
from scene import empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.rake.machine.drive import Command, blend
from chrono_powercontact.scenarios.rake.machine.machine import Rack
from chrono_powercontact.scenarios.rake.machine.rack_contact import STIFFNESS, profile, rack_record, strip
from chrono_powercontact.scenarios.rake.motion.gauges import ledger_error, moved_work
from chrono_powercontact.scenarios.rake.motion.setup import Setup, run
from chrono_powercontact.scenarios.rake.scene.scene_rack import BELOW, DEPTH, plugin_shape, slabs

LOW = {"segment": 2.0, "segment_shift": 0.02, "segment_tilt": math.radians(1)}
WHOLE = Rack(offset=0.013, concrete_tilt=math.radians(3), **LOW)
SLIDES = {
    "segment": (Rack(**LOW), 1.75, 2.35),
    "concrete": (Rack(concrete_tilt=math.radians(3)), 7.0, 7.6),
}
"""A rack, and the places in m up it between which the rake slides."""
PRESSED = 1.6
"""Time in s at which the rake stands pressed where it begins; it slides for 2.5 s then, and is held."""
PRESS, BEFORE = 5e3, 0.01
"""Pressing force in N, and distance in m from the rack at the start."""


def gaps_before(rack, places, height, law_offset=0.0):
    """Gap in m of points, so many m before the profile, to each piece of the plugin; a row per piece."""
    numbers, system = rack_record(rack), empty_system()
    tips = [rack.point(s, profile(numbers, s)[0] + height) for s in places]
    points = pc.Points(new_body(system), np.array([(x, 0.3, z) for x, z in tips]))
    ground = new_body(system, fixed=True)
    contacts = pc.attach(system)
    contacts.add_all((points, plugin_shape(slab, ground, law_offset), pc.Material(strip())) for slab in slabs(rack))
    return contacts.forces()["gap"].reshape(-1, len(places))


def distance_to(rack, s, height):
    """Distance in m of the same points to the planes of the profile."""
    return height * math.cos(math.atan(profile(rack_record(rack), s)[1]))


def sliding_drive(rack, begin, end):
    """Onto the rack, pressed on, up it, held: static lengths for each place and pressing force, without friction."""
    setup, numbers, lengths = Setup(rack=rack), rack_record(rack), []
    t = np.linspace(0.0, 5.0, 51)
    places, press = begin + (end - begin) * blend((t - PRESSED) / 2.5), PRESS * blend((t - 0.6) / 0.8)
    for s, force, gap in zip(places, press, BEFORE * (1.0 - blend(t / 0.6)), strict=True):
        offset = profile(numbers, s)[0] + gap
        lengths.append(setup.statics.pressed(replace(rack, offset=offset), s, force, STIFFNESS).lengths)
    return replace(setup, command=Command(t, np.array(lengths).T))


@pytest.fixture(scope="module")
def setups():
    return {name: sliding_drive(*slide) for name, slide in SLIDES.items()}


@pytest.mark.chrono
def test_pieces_stand_where_the_profile_says_away_from_the_edges():
    places = np.array([-1.5, -0.3, 0.7, 1.9, 2.0, 2.1, 2.5, 4.0, 7.2, 7.247, 7.35, 7.6, 9.0])
    gaps = gaps_before(WHOLE, places, 2e-3)
    wanted = [distance_to(WHOLE, s, 2e-3) for s in places]
    np.testing.assert_allclose(gaps.min(axis=0), wanted, rtol=0.0, atol=1e-12)
    assert gaps.argmin(axis=0).tolist() == [1] * 5 + [0] * 5 + [2] * 3


@pytest.mark.chrono
def test_pieces_follow_the_rounded_edges_to_half_a_millimetre():
    for begin in (WHOLE.segment, WHOLE.length):
        places = np.linspace(begin, begin + WHOLE.edge, 41)
        gaps = gaps_before(WHOLE, places, 2e-3).min(axis=0)
        away = gaps - [distance_to(WHOLE, s, 2e-3) for s in places]
        assert 1e-4 < np.abs(away).max() < 5e-4
        assert np.abs(np.diff(gaps)).max() < WHOLE.edge / 40 * math.tan(math.radians(6))  # no step anywhere


@pytest.mark.chrono
def test_pieces_stand_before_their_places_where_the_law_begins_there():
    places = np.array([0.5, 4.0, 8.0])
    nearest = [gaps_before(WHOLE, places, 2e-3, offset).min(axis=0) for offset in (0.0, 7e-4)]
    np.testing.assert_allclose(nearest[0] - nearest[1], 7e-4, rtol=1e-9)


def test_a_plane_is_one_endless_piece():
    (plane,) = slabs(Rack(offset=0.02))
    assert plane.endless
    assert plane.normal == pytest.approx(Rack().normal)
    assert plane.normal @ (plane.top - Rack().foot) == pytest.approx(0.02)
    assert plane.normal @ (plane.top - plane.centre(0.1)) == pytest.approx(0.5 * DEPTH - 0.1)


def test_lowest_segment_reaches_below_the_foot_of_the_rack():
    _, low = slabs(Rack(**LOW))
    foot = low.top - low.length * np.array([-math.cos(low.angle), math.sin(low.angle)])
    assert (foot - Rack().foot) @ Rack().tangent == pytest.approx(-BELOW, abs=2e-3)
    assert low.angle == pytest.approx(math.radians(74))


@pytest.mark.chrono
@pytest.mark.parametrize("name", list(SLIDES))
def test_rake_slides_over_the_end_of_a_piece_as_on_the_reference_engine(setups, name):
    setup = setups[name]
    found, known = on_chrono(setup, "regularised", 1e-3, 5.0), run(setup, 5e-4, 5.0, quiet)
    settled = known["t"] > PRESSED
    assert known["F_t"].min() < -0.45 * PRESS
    for force in ("F1", "F2", "N", "F_t"):
        away = (found[force] - known[force]) / np.ptp(known[force])
        assert np.sqrt(np.mean(away**2)) < 0.025, force
        assert np.abs(away[known["t"] < PRESSED + 0.3]).max() < 0.05, force
    assert found["N"][settled].min() > 0.5 * PRESS
    assert found["N"][-1] == pytest.approx(known["N"][-1], rel=0.02)
    assert np.abs(found["s"] - known["s"]).max() < 1e-3
    assert np.abs(ledger_error(found)).max() < 1e-5 * moved_work(found)


@pytest.mark.chrono
@pytest.mark.parametrize(("name", "times"), [("segment", (PRESSED,)), ("concrete", (PRESSED, 5.0))])
def test_boxes_of_chrono_stand_where_the_planes_do(setups, name, times):
    found, known = on_chrono(setups[name], "smc", 1e-3, times[-1]), run(setups[name], 5e-4, times[-1], quiet)
    for time in times:
        assert np.interp(time, found["t"], found["N"]) == pytest.approx(
            np.interp(time, known["t"], known["N"]), rel=0.02
        )
    assert np.abs(found["s"] - known["s"]).max() < 1e-3


def test_segment_behind_the_rack_is_refused():
    with pytest.raises(ParameterError, match="must end before the plane of the rack, got -"):
        slabs(Rack(segment=2.0, segment_tilt=math.radians(1.0)))
