from dataclasses import replace

import pytest
from recorded import contact, small_recording

pytest.importorskip("viser")

from chrono_powercontact.view.live_stage import LiveStage
from chrono_powercontact.view.recording import Recording
from chrono_powercontact.view.stage import SEEN_THROUGH


@pytest.fixture
def live():
    whole = small_recording()
    growing = Recording(whole.title, whole.bodies, whole.pieces, whole.columns, whole.charts)
    stage = LiveStage(growing)
    yield whole, growing, stage
    stage.close()


def shown(live, number):
    whole, growing, stage = live
    growing.frames.append(whole.frames[number])
    stage.show()
    return stage._stage


def test_only_the_last_frame_is_kept_and_told(live):
    shown(live, 0)
    shown(live, 30)
    _, growing, stage = live
    assert len(growing.frames) == 1
    assert "0 contacts stick, 1 slide" in stage._time.content


def test_contacts_that_end_vanish(live):
    assert shown(live, 30).nodes["/contacts/points"].batched_scales.max() > 0.0
    assert shown(live, 0).nodes["/contacts/points"].batched_scales.max() == 0.0


def test_nodes_are_moved_and_not_made_anew(live):
    shown(live, 29)
    before = shown(live, 30).nodes
    after = shown(live, 31).nodes
    assert all(after[name] is before[name] for name in after)
    assert after["/contacts/points"].batched_positions[0, 0] == pytest.approx(0.5 * 31 / 39, abs=1e-3)


def test_what_has_moved_stays_seen_through_and_the_scene_keeps_its_place(live):
    first = shown(live, 0)
    assert {node.opacity for node in first.nodes.values()} == {None}
    shown(live, 30)
    later = shown(live, 30)
    assert SEEN_THROUGH in {node.opacity for name, node in later.nodes.items() if "bodies" in name}
    assert later.extent is first.extent


def test_arrows_follow_a_changed_force_slowly(live):
    whole, growing, stage = live
    before = shown(live, 30).newton_per_metre
    growing.frames.append(replace(whole.frames[31], contacts=contact(0.5, False, 1000.0)))
    stage.show()
    assert before < stage._stage.newton_per_metre < 10.0 * before
