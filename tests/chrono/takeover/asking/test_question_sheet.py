"""Questions about contacts are written to Chrono's objects, and answers read from them, in memory or through SWIG."""

import numpy as np
import pytest
from asked_balls import HEIGHTS, NAMES, NEAR, composite, sheet_of, states

from chrono_powercontact.chrono.api.bridge import address
from chrono_powercontact.chrono.implicit.step_context import CHANGED, LEAVES, SAME
from chrono_powercontact.chrono.takeover.asking import question_sheet
from chrono_powercontact.chrono.takeover.asking.question_sheet import (
    ASKED_IN,
    COUNT,
    ask_in_step,
    members_of,
)

pytestmark = pytest.mark.chrono


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("direct", [True, False])
def test_pychrono_reads_what_is_written_and_what_it_writes_is_read(monkeypatch, kind, direct):
    if not direct:
        monkeypatch.setattr(question_sheet, "laid_out_as_expected", lambda: False)
    sheet, _, models = sheet_of(kind)
    assert sheet.is_direct == direct
    assert sheet.put(states(), NEAR) == 2
    for (info, composed), ball in zip(sheet.pairs, (1, 3), strict=False):
        assert info.vpB.z == pytest.approx(0.0, abs=1e-12)
        assert [info.vpA.z, info.distance] == pytest.approx([HEIGHTS[ball - 1] - 0.1] * 2, abs=1e-12)
        assert info.vN.z == -1.0
        assert address(info.modelA) == address(models[ball])
        assert address(info.modelB) == address(models[0])
        told = [getattr(composed, name) for name in NAMES[kind]]
        assert told == pytest.approx(sheet.given[ball - 1], rel=1e-7)
        setattr(composed, NAMES[kind][1], 0.25)
    assert sheet.take() == LEAVES
    assert sheet.said[:2, 1].tolist() == [0.25, 0.25]
    assert [element for element, _ in sheet.unknown()] == [0, 2]


def test_answers_that_are_known_choose_the_material():
    sheet, elements, _ = sheet_of()
    sheet.put(states(), NEAR)
    sheet.take()
    for element, answer in sheet.unknown():
        sheet.known[element] = answer
        sheet.chosen[element] = 5
    assert sheet.take() == CHANGED
    assert sheet.take() == SAME
    assert elements["material"].tolist() == [5, 0, 5]


def test_an_element_without_a_designed_material_is_not_asked_about():
    sheet, _, _ = sheet_of()
    sheet.given[0] = np.nan
    assert sheet.put(states(), NEAR) == 1
    assert sheet.asked[0] == 2


def test_compiled_code_calls_python_once_for_all_contacts():
    seen = []
    sheet, _, _ = sheet_of(answer=lambda info, composed: seen.append(info.distance))
    assert ask_in_step(sheet.directory.entries, states(), -100.0 * NEAR, 7) == SAME
    assert not seen
    assert ask_in_step(sheet.directory.entries, states(), NEAR, 7) == LEAVES
    assert not seen
    sheet.put(states(), NEAR)
    assert ask_in_step(sheet.directory.entries, states(), NEAR, 7) == LEAVES
    assert seen == pytest.approx([0.0, 0.01], abs=1e-12)
    assert sheet.status[ASKED_IN] == 7
    assert sheet.status[COUNT] == 2


def test_a_class_that_is_laid_out_otherwise_is_not_written_to(monkeypatch):
    members_of.cache_clear()
    monkeypatch.setattr(question_sheet, "places_of", lambda *arguments, **named: {})
    assert members_of(composite("NSC"), NAMES["NSC"]) == ()
    members_of.cache_clear()
