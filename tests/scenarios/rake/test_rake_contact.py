import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import UnknownNameError
from chrono_powercontact.scenarios.rake.machine.machine import Rack
from chrono_powercontact.scenarios.rake.machine.rack_contact import (
    ANCHOR,
    DESIGN_LOAD,
    STIFFNESS,
    commit,
    contact_law,
    profile,
    rack_energy,
    rack_force,
    rack_record,
    restriction,
)

SEGMENTED = rack_record(
    Rack(offset=0.01, segment=2.0, segment_shift=0.02, segment_tilt=math.radians(1), concrete_tilt=math.radians(3))
)


def push(law, gap, rate, v, memory=(0.0, 0.0)):
    """Normal force and friction against v in N, and the drift of the memory."""
    pull, drift = np.zeros(1), np.zeros(2)
    n = rack_force(law.records, gap, rate, np.array([v]), np.array(memory), pull, drift)
    return n, pull[0], drift


def law_of(name):
    return contact_law(name, 0.65, 0.5, 5e-3, 1e-2)


@given(st.floats(-0.5, 9.0))
def test_slope_of_the_profile_is_its_derivative(s):
    h = 1e-6
    difference = (profile(SEGMENTED, s + h)[0] - profile(SEGMENTED, s - h)[0]) / (2.0 * h)
    assert profile(SEGMENTED, s)[1] == pytest.approx(difference, abs=1e-4)


def test_a_plane_is_a_plane_and_a_segment_stands_forward():
    plane = rack_record(Rack(offset=0.02))
    assert [profile(plane, s) for s in (-1.0, 3.0, 8.0)] == [(0.02, 0.0)] * 3
    assert profile(SEGMENTED, 1.0)[0] == pytest.approx(0.03)
    assert profile(SEGMENTED, 0.0)[0] > profile(SEGMENTED, 1.9)[0]
    assert profile(SEGMENTED, 4.0) == (pytest.approx(0.01), pytest.approx(0.0))
    assert profile(SEGMENTED, 8.0)[1] == pytest.approx(math.tan(math.radians(3)))


def test_the_restriction_is_as_deep_and_as_stiff_as_the_strip_at_the_design_load():
    law, depth, h = restriction(), -DESIGN_LOAD / STIFFNESS, 1e-7
    assert law.force(depth, 0.0) == pytest.approx(DESIGN_LOAD)
    assert (law.force(depth - h, 0.0) - law.force(depth + h, 0.0)) / (2 * h) == pytest.approx(STIFFNESS, rel=1e-5)
    damper = (law.force(depth, -1e-6) - law.force(depth, 1e-6)) / 2e-6
    assert damper == pytest.approx(2e7 * 1e-3, rel=1e-5)


@pytest.mark.parametrize("name", ["regularised", "power", "anchored", "lugre"])
def test_no_force_far_from_the_rack(name):
    n, pull, _ = push(law_of(name), 0.5, 0.0, 0.1)
    assert n == pytest.approx(0.0, abs=1e-9)
    assert pull == pytest.approx(0.0, abs=1e-9)


def test_regularised_contact_is_its_two_laws():
    law = law_of("regularised")
    n, pull, drift = push(law, -1e-3, -0.01, 3e-3)
    assert n == pytest.approx(float(law.normal.force(-1e-3, -0.01)))
    assert pull == pytest.approx(float(law.friction.force(3e-3, n)))
    assert np.all(drift == 0.0)


def test_an_anchor_holds_at_rest_and_slides_with_mu_d():
    law = law_of("anchored")
    limit = law.records.friction["anchor"]["limit"]
    n, pull, _ = push(law, -1e-3, 0.0, 0.0, (limit, 0.0))
    assert pull / n == pytest.approx(0.65, abs=0.01)
    n, pull, drift = push(law, -1e-3, 0.0, 0.15, (limit, 0.0))
    assert pull / n == pytest.approx(0.5, abs=0.01)
    assert drift[1] == 0.15


def test_commit_moves_the_anchor_and_lets_it_go_in_the_air():
    law, memory = law_of("anchored"), np.array([0.0, 0.5 * ANCHOR.presliding])
    commit(law.records, -1e-3, memory)
    assert memory == pytest.approx([0.5 * ANCHOR.presliding, 0.0])
    memory[1] = 1.0
    commit(law.records, -1e-3, memory)
    assert memory == pytest.approx([ANCHOR.presliding, 0.0], rel=1e-6)
    commit(law.records, 1e-3, memory)
    assert np.all(memory == 0.0)


@pytest.mark.parametrize("name", ["regularised", "power"])
def test_stored_energy_is_the_work_of_the_elastic_force(name):
    law, h, none = law_of(name), 1e-7, np.zeros(2)
    work = (rack_energy(law.records, -1e-3 - h, none)
            - rack_energy(law.records, -1e-3 + h, none)) / (2 * h)  # fmt: skip
    assert work == pytest.approx(push(law, -1e-3, 0.0, 0.0)[0], rel=1e-5)


def test_unknown_law_is_refused():
    with pytest.raises(UnknownNameError, match="unknown law 'glue'"):
        law_of("glue")
