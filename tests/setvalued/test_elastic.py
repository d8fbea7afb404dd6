"""The elastic arbiter: springs in parallel, cones that bind, and what it refuses."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.hyperstatic.block.block_models import rigid_block
from chrono_powercontact.scenarios.hyperstatic.block.block_statics import (
    REST,
    Springs,
    load_of,
    spring_compliance,
    spring_split,
)
from chrono_powercontact.setvalued.contact_set import contact_set, touching
from chrono_powercontact.setvalued.elastic import Compliance, elastic_forces


def test_springs_in_parallel_share_by_stiffness():
    stiffness = np.array([1e5, 2e5, 5e5])
    feet = [touching(str(i), (1.0,)) for i in range(3)]
    found = elastic_forces(contact_set(feet, (80.0,)), Compliance(np.diag(1.0 / stiffness), np.zeros(3)))
    assert found == pytest.approx(80.0 * stiffness / stiffness.sum(), abs=1e-6)


@pytest.mark.parametrize("force", [1.0, 5.0])
def test_the_cut_block_without_cutting_it(force):
    springs = Springs(1e6, 1e6)
    matrix, bias = spring_compliance(springs)
    spread = np.zeros((4, 2))
    spread[0, 0] = spread[2, 1] = 1.0
    contacts = rigid_block(load_of("constant", force)).contact_set(REST)
    found = elastic_forces(contacts, Compliance(spread @ matrix @ spread.T, spread @ bias))
    assert found[0] == pytest.approx(spring_split(springs, force), abs=1e-5)


def test_friction_cones_bind():
    """A stiff foot cannot hold more than its friction; the soft one takes the rest. In space, along both tangents."""
    rows = np.eye(3)
    feet = [touching("stiff", rows[2], rows[:2], 0.1), touching("soft", rows[2], rows[:2], 0.5)]
    compliance = np.diag([1e-7, 1e-7, 1e-7, 1e-5, 1e-5, 1e-7])
    found = elastic_forces(contact_set(feet, (6.0, 8.0, 100.0)), Compliance(compliance, np.zeros(6)))
    assert np.hypot(*found[:2]) == pytest.approx(0.1 * found[2], rel=1e-4)
    assert found[:3] + found[3:] == pytest.approx((6.0, 8.0, 100.0), abs=1e-4)


def test_a_sliding_foot_keeps_its_ratio():
    feet = [
        touching("A", (0.0, 1.0), ((1.0, 0.0),), 0.2, sliding=(-0.2,)),
        touching("B", (0.0, 1.0), ((1.0, 0.0),), 0.9),
    ]
    found = elastic_forces(contact_set(feet, (-1.0, 10.0)), Compliance(np.eye(4), np.zeros(4)))
    assert found[0] == pytest.approx(-0.2 * found[1], abs=1e-6)


def test_bad_input():
    foot = touching("A", (1.0,))
    with pytest.raises(ParameterError, match="1 rows and columns"):
        elastic_forces(contact_set([foot], (1.0,)), Compliance(np.eye(2), np.zeros(2)))
    with pytest.raises(ParameterError, match="redundant joints"):
        elastic_forces(contact_set([foot], (1.0,), ((1.0,),)), Compliance(np.eye(1), np.zeros(1)))
