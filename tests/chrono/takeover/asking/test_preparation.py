"""What compiled code prepares a step by."""

import numpy as np
import pytest
from asked_balls import NEAR, sheet_of, states

from chrono_powercontact.chrono.implicit import step_context as on
from chrono_powercontact.chrono.implicit import step_kernel as step
from chrono_powercontact.chrono.implicit.step_arrays import StepArrays
from chrono_powercontact.chrono.implicit.step_context import StepContext
from chrono_powercontact.chrono.takeover.asking.preparation import Preparation, prepare_step
from chrono_powercontact.chrono.takeover.asking.question_sheet import ASKED_IN, COUNT

pytestmark = pytest.mark.chrono


def context_of(speed):
    """The context of a step in which the third ball falls at a speed in m/s."""
    arrays = StepArrays()
    context = StepContext(arrays)
    w = np.zeros((4, 6))
    w[3, 2] = -speed
    arrays.enter_state(states(), w.reshape(-1), np.zeros(24))
    arrays.put(step.EXTENTS, np.zeros(4))
    return context, arrays


def test_without_a_sheet_nothing_is_asked():
    context, _ = context_of(1.0)
    preparation = Preparation()
    assert preparation.is_empty
    assert prepare_step.ctypes(preparation.place, context.place, 1e-2) == on.SAME
    preparation.ask_by(None)
    preparation.freeze_by(None)
    assert preparation.is_empty
    assert prepare_step.ctypes(preparation.place, context.place, 1e-2) == on.SAME


@pytest.mark.parametrize(("speed", "count"), [(0.0, 1), (1.0, 2)])
def test_it_is_asked_about_contacts_that_the_step_may_reach(speed, count):
    context, _arrays = context_of(speed)
    context.words[on.STEPS] = 41
    context.words[on.MODE] = on.AT_END
    sheet, _, _ = sheet_of(answer=lambda info, composed: None)
    sheet.put(states(), NEAR)
    preparation = Preparation()
    preparation.ask_by(sheet)
    assert not preparation.is_empty
    assert prepare_step.ctypes(preparation.place, context.place, 1e-2) == on.LEAVES
    assert sheet.status[COUNT] == count
    assert sheet.status[ASKED_IN] == 42
