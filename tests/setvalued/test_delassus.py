"""Delassus matrix, rank, null vectors and r-factors of the thesis' block."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ModelError
from chrono_powercontact.scenarios.hyperstatic.block.block_models import cut_block, rigid_block
from chrono_powercontact.scenarios.hyperstatic.block.block_statics import LOW, NO_LOAD, REST, RIGID_CUT
from chrono_powercontact.setvalued.contact_set import contact_set, touching
from chrono_powercontact.setvalued.delassus import contraction, delassus, indeterminacy_of, r_factor

BLOCK = rigid_block(NO_LOAD)


def test_published_matrix_and_r_factors():
    published = [
        [0.1, -0.075, 0.1, 0.075],
        [-0.075, 0.2125, -0.075, -0.0875],
        [0.1, -0.075, 0.1, 0.075],
        [0.075, -0.0875, 0.075, 0.2125],
    ]
    g = BLOCK.delassus_at(REST)
    assert np.allclose(g, published, atol=1e-12)
    assert r_factor(g) == pytest.approx(4.9006, abs=1e-4)
    assert r_factor(cut_block(NO_LOAD, LOW).delassus_at(RIGID_CUT)) == pytest.approx(3.2, abs=1e-12)


@given(st.floats(-1.5, 1.5))
def test_singular_at_every_angle_with_the_pair_along_the_feet(angle):
    g = BLOCK.delassus_at((0.1, 0.05, angle))
    along = np.array([np.cos(angle), np.sin(angle), -np.cos(angle), -np.sin(angle)])
    assert np.abs(g @ along).max() < 1e-12
    assert abs(np.linalg.det(g)) < 1e-12


def test_one_pattern_is_open_and_it_is_tangential():
    found = indeterminacy_of(BLOCK.contact_set(REST))
    assert (found.degree, found.of_contacts, found.of_normals) == (1, 1, 0)
    pattern = found.vectors[:, 0] / found.vectors[0, 0]
    assert np.allclose(pattern, (1.0, 0.0, -1.0, 0.0))
    assert "1 force patterns" in str(found)


def test_redundant_joints_are_counted_apart():
    foot = touching("A", (0.0, 1.0), ((1.0, 0.0),), 0.5)
    found = indeterminacy_of(contact_set([foot], (0.0, 1.0), ((1.0, 0.0), (2.0, 0.0))))
    assert found.degree == 2
    assert found.of_contacts == 1
    assert "determined" in str(indeterminacy_of(contact_set([foot], (0.0, 1.0))))


def test_singular_mass_is_refused():
    with pytest.raises(ModelError, match="without mass"):
        delassus(np.diag([1.0, 0.0]), np.eye(2))


def test_rule_of_three():
    """r_TB = 3 r_0 contracts by -0.96, r_TA = r_0/3 well (section 9.4)."""
    g = BLOCK.delassus_at(REST)
    r = r_factor(g)
    tangential = g[np.ix_((0, 2), (0, 2))]
    assert contraction(tangential, np.array([r, 3.0 * r])) == pytest.approx(0.96, abs=5e-3)
    assert contraction(tangential, np.array([r / 3.0, r])) < 0.5
