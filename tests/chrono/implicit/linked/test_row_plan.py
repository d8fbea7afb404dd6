"""Rows of links that are read together, against rows that are read one by one."""

import numpy as np
import pytest
from hinges import chain
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scene import run

from chrono_powercontact.chrono.implicit.implicit_solver import Inertias
from chrono_powercontact.chrono.implicit.linked.links import LinkRows
from chrono_powercontact.chrono.implicit.linked.row_plan import SystemRows, coloured, rows_one_by_one


@given(arrays(bool, st.tuples(st.integers(0, 12), st.integers(1, 8))))
def test_rows_of_a_group_share_nothing_and_none_is_lost(support):
    groups = coloured(support)
    assert sorted(row for group in groups for row in group) == list(range(len(support)))
    for group in groups:
        assert support[group].sum(axis=0).max(initial=0) <= 1


@pytest.mark.chrono
def test_rows_that_are_read_together_stay_those_that_are_read_one_by_one():
    system, bodies = chain(6)
    run(system, 1e-3, 1e-3)
    places = Inertias(bodies).places
    rows = LinkRows()
    assert rows.read(system, places, 1e-3)
    assert len(rows.plan.calls) == 10
    for _ in range(5):
        run(system, 0.1, 1e-3)
        assert not rows.read(system, places, 1e-3)
        alone = rows_one_by_one(system, SystemRows(type(system)))
        expected = np.where(places >= 0, alone[:, np.maximum(places, 0)], 0.0)
        assert rows.jacobian == pytest.approx(expected, abs=1e-14)


@pytest.mark.chrono
def test_a_link_that_is_switched_off_or_added_is_noticed():
    system, bodies = chain(4)
    run(system, 1e-3, 1e-3)
    places = Inertias(bodies).places
    rows = LinkRows()
    rows.read(system, places, 1e-3)
    assert len(rows.demanded) == 15
    link = system.GetLinks()[1]
    link.SetDisabled(True)
    run(system, 1e-3, 1e-3)
    assert rows.read(system, places, 1e-3)
    assert len(rows.demanded) == 10
    link.SetDisabled(False)
    run(system, 1e-3, 1e-3)
    assert rows.read(system, places, 1e-3)
    assert len(rows.demanded) == 15


@pytest.mark.chrono
def test_springs_have_room_behind_the_links():
    system, bodies = chain(3)
    run(system, 1e-3, 1e-3)
    rows = LinkRows()
    rows.read(system, Inertias(bodies).places, 1e-3, 4)
    assert rows.jacobian.shape == (14, 18)
    assert not rows.jacobian[10:].any()
    assert (rows.bodies[10:] == -1).all()
