import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scene import ROUGH, SMOOTH

from chrono_powercontact.chrono.contact.contact_table import Instant, reach_of
from chrono_powercontact.chrono.contact.records import REPORT, TOTALS, empty, flat
from chrono_powercontact.chrono.takeover import narrowphase as n
from chrono_powercontact.chrono.takeover.broadphase import TRAITS
from chrono_powercontact.chrono.takeover.collision_shapes import ShapeTable, sphere_record
from chrono_powercontact.chrono.takeover.materials.pair_materials import PairMaterials
from chrono_powercontact.chrono.takeover.near_list import NearList
from chrono_powercontact.errors import ParameterError

RADIUS, SKIN = 0.1, 0.02
REACH = reach_of(SMOOTH)


def near_list(count, skin=SKIN, material=SMOOTH):
    """A list over spheres on bodies of their own."""
    traits = np.zeros(count, TRAITS)
    traits["body"] = traits["name"] = np.arange(count)
    traits["group"] = traits["mask"] = traits["free"] = 1
    made = NearList(PairMaterials(material), [None] * count)
    records = np.array([sphere_record(np.zeros(3), RADIUS)] * count)
    made.set_shapes(ShapeTable(records, traits, np.zeros(count), []), skin)
    return made


def instant(places, velocities=None, commit=False):
    x = np.concatenate([np.append(place, (1.0, 0.0, 0.0, 0.0)) for place in places])
    w = np.zeros(6 * len(places))
    if velocities is not None:
        w.reshape(-1, 6)[:, :3] = velocities
    return Instant(x, w, 0.0, 1e-4, commit)


def forces(part, at):
    q, totals = np.zeros(at.w.size), flat(empty(TOTALS, 1))
    part.evaluate(at, q, totals)
    return q


def test_the_list_stays_until_a_body_has_moved_by_half_the_skin():
    part = near_list(2)
    gap = REACH + 0.5 * SKIN
    part.follow(instant([(0, 0, 0), (2 * RADIUS + gap, 0, 0)]))
    part.follow(instant([(0.4 * SKIN, 0, 0), (2 * RADIUS + gap - 0.49 * SKIN, 0, 0)]))
    assert part.rebuilds == 1
    part.follow(instant([(0.51 * SKIN, 0, 0), (2 * RADIUS + gap - 0.49 * SKIN, 0, 0)]))
    assert part.rebuilds == 2


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), skin=st.floats(1e-4, 0.2))
def test_forces_do_not_depend_on_the_skin(seed, skin):
    """Spheres wander; a list with any skin gives what a list gives that is made anew each time."""
    random = np.random.default_rng(seed)
    places = random.uniform(0.0, 0.6, (12, 3))
    part = near_list(len(places), skin)
    for _ in range(15):
        places = places + random.uniform(-0.01, 0.01, places.shape)
        at = instant(places)
        assert forces(part, at) == pytest.approx(forces(near_list(len(places), 1e-6), at), rel=1e-12, abs=1e-12)


def test_a_report_has_a_line_for_each_element_though_the_list_grows():
    part = near_list(4)
    near = np.array([(0, 0, 0), (2 * RADIUS, 0, 0), (4 * RADIUS, 0, 0), (6 * RADIUS, 0, 0)])
    assert len(part.reported(instant(near * (1, 0, 0) + [(0, i, 0) for i in (0, 0, 1, 2)]))) == 1
    lines = part.reported(instant(near))
    assert len(lines) == len(part.elements) == 3
    assert lines["gap"] == pytest.approx(np.zeros(3), abs=1e-12)


def test_lines_of_another_number_are_refused_and_not_written():
    """The kernel writes a line for each element, whatever there is room for."""
    part = near_list(2)
    touching = instant([(0, 0, 0), (2 * RADIUS, 0, 0)])
    room = np.zeros(6, REPORT)
    with pytest.raises(ParameterError, match="one for each of 1 contact elements, got 2"):
        part.report(touching, np.zeros(12), flat(empty(TOTALS, 1)), room[:2])
    assert not np.abs(flat(room)).any()


def test_memory_survives_a_new_list():
    part = near_list(3, material=ROUGH)
    touching = [(0, 0, 0), (2 * RADIUS - 5e-4, 0, 0), (1.0, 0, 0)]
    for _ in range(20):
        forces(part, instant(touching, [(0, 0.1, 0), (0, 0, 0), (0, 0, 0)], commit=True))
    held = part.memory.copy()
    assert np.abs(flat(held)).max() > 1.0
    forces(part, instant([*touching[:2], (1.0 + 2 * SKIN, 0, 0)]))
    assert part.rebuilds == 2
    assert np.array_equal(part.memory, held)


def test_memory_survives_a_trial_state_that_is_far_away():
    part = near_list(2, material=ROUGH)
    touching = [(0, 0, 0), (2 * RADIUS - 5e-4, 0, 0)]
    for _ in range(20):
        forces(part, instant(touching, [(0, 0.1, 0), (0, 0, 0)], commit=True))
    before = forces(part, instant(touching))
    forces(part, instant([(0, 0, 0), (1.0, 0, 0)]))
    assert np.array_equal(forces(part, instant(touching)), before)
    assert np.abs(before[1]) > 0.1
    forces(part, instant([(0, 0, 0), (1.0, 0, 0)], commit=True))
    assert not flat(part.memory).any()


def test_kinds_are_ordered_as_the_elements_need_it():
    assert n.SPHERE < n.CAPSULE < n.BOX
