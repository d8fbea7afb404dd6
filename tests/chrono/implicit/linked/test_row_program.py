"""Rows of links read by compiled code are those that Python reads."""

import numpy as np
import pytest
from hinges import chain
from numba import njit
from scene import run

from chrono_powercontact.chrono.api.bridge import owner_of
from chrono_powercontact.chrono.implicit.implicit_solver import Inertias
from chrono_powercontact.chrono.implicit.linked.links import LinkRows
from chrono_powercontact.chrono.implicit.linked.row_program import RowProgram, can_read_rows, read_rows

pytestmark = pytest.mark.chrono


@njit
def read_by_program(place, system, h):
    return read_rows(place, system, h)


def test_they_are_the_same_at_every_state():
    assert can_read_rows()
    system, bodies = chain(5)
    run(system, 1e-3, 1e-3)
    places = Inertias(bodies).places
    rows = LinkRows()
    rows.read(system, places, 1e-3)
    program = RowProgram(rows.plan, rows.clamp(system))
    for _ in range(4):
        run(system, system.GetChTime() + 0.1, 1e-3)
        rows.read(system, places, 1e-3)
        expected = rows.jacobian.copy(), rows.demanded.copy()
        rows.jacobian[:] = 9.0
        rows.demanded[:] = 9.0
        for row, own in zip(rows.jacobian, rows.plan.bodies, strict=True):
            outside = np.ones(len(bodies), bool)
            outside[own[own >= 0]] = False
            row.reshape(-1, 6)[outside] = 0.0
        assert read_by_program(program.words.ctypes.data, owner_of(bodies[0]), 1e-3)
        np.testing.assert_array_equal(rows.jacobian, expected[0])
        np.testing.assert_array_equal(rows.demanded, expected[1])


def test_a_link_that_is_switched_off_is_noticed():
    system, bodies = chain(4)
    run(system, 1e-3, 1e-3)
    rows = LinkRows()
    rows.read(system, Inertias(bodies).places, 1e-3)
    program = RowProgram(rows.plan, rows.clamp(system))
    link = system.GetLinks()[1]
    link.SetDisabled(True)
    run(system, 2e-3, 1e-3)
    assert not read_by_program(program.words.ctypes.data, owner_of(bodies[0]), 1e-3)
