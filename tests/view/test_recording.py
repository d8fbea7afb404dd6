import json
import re

import numpy as np
import pytest
from recorded import COUNT, small_recording

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.view import recording as module
from chrono_powercontact.view.pieces import MESH, Piece
from chrono_powercontact.view.recording import FILE, Frame, Recording, read_recording


def test_a_recording_is_read_as_it_was_kept(tmp_path):
    made = small_recording()
    mesh = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    made.pieces.append(Piece(1, MESH, (), (1, 2, 3), vertices=mesh, faces=np.array([[0, 1, 2]])))
    found = read_recording(made.save(tmp_path / FILE))
    assert (found.title, found.bodies, found.columns, found.charts) == (
        made.title, made.bodies, made.columns, made.charts,
    )  # fmt: skip
    assert np.array_equal(found.t, made.t)
    assert found.positions == pytest.approx(made.positions, abs=1e-6)
    pairs = zip(found.frames, made.frames, strict=True)
    assert all(np.array_equal(one.contacts, other.contacts) for one, other in pairs)
    assert found["heat"] == pytest.approx(made["heat"])
    assert found.pieces[-1].vertices == pytest.approx(mesh)
    assert [piece.header() for piece in found.pieces] == [piece.header() for piece in made.pieces]


def test_bodies_that_come_later_rest_at_the_origin_before():
    made = Recording("", ["a", "b"], [], frames=[
        Frame(0.0, np.ones((1, 3)), np.tile([0.0, 1.0, 0.0, 0.0], (1, 1)), module.NO_CONTACTS, ()),
        Frame(1.0, np.ones((2, 3)), np.tile([0.0, 1.0, 0.0, 0.0], (2, 1)), module.NO_CONTACTS, ()),
    ])  # fmt: skip
    assert made.positions[:, 1].tolist() == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    assert made.rotations[0, 1].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_nothing_to_show_is_one_sentence(tmp_path):
    with pytest.raises(ParameterError, match="nothing was recorded"):
        Recording("", ["a"], []).save(tmp_path / FILE)
    empty = small_recording()
    empty.pieces.clear()
    with pytest.raises(ParameterError, match="no body to show"):
        empty.check()
    with pytest.raises(KeyError, match="no column 'speed'; there are kinetic, heat"):
        small_recording()["speed"]


@pytest.mark.parametrize("name", ["nowhere", "nowhere.npz"])
def test_a_run_that_does_not_exist_is_told(tmp_path, name):
    with pytest.raises(ParameterError, match="there is no run folder and no recording"):
        read_recording(tmp_path / name)


def test_a_folder_without_a_scene_says_why(tmp_path):
    with pytest.raises(ParameterError, match=r"is not a run folder: it has no summary\.json"):
        read_recording(tmp_path)
    (tmp_path / "summary.json").write_text(json.dumps({"scenario": "hysteresis"}))
    with pytest.raises(ParameterError, match=r"no scene to view.*older than this version.*powercontact run hysteresis"):
        read_recording(tmp_path)
    for damaged in ('{"scenario": 3', "[]"):
        (tmp_path / "summary.json").write_text(damaged)
        with pytest.raises(ParameterError, match=r"summary\.json' is not the summary of a run, or it is damaged"):
            read_recording(tmp_path)


def test_a_file_that_is_no_recording_is_told(tmp_path):
    path = tmp_path / "scene.npz"
    path.write_text("nonsense")
    with pytest.raises(ParameterError, match="is not a recording of this package, or it is damaged"):
        read_recording(path)
    np.savez(path, t=np.zeros(3))
    with pytest.raises(ParameterError, match="is not a recording of this package, or it is damaged"):
        read_recording(path)


def test_a_newer_format_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FORMAT", 99)
    path = small_recording().save(tmp_path / FILE)
    monkeypatch.undo()
    with pytest.raises(ParameterError, match="format 99 is newer than 1"):
        read_recording(path)


def test_a_missing_extra_names_the_pip_line(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    made = small_recording()
    for call in (lambda: made.html(tmp_path / "a.html"), made.show, made._repr_html_):
        with pytest.raises(ParameterError, match=re.escape("pip install 'viser<2'")):
            call()


def test_a_page_that_cannot_be_written_is_told(tmp_path):
    pytest.importorskip("viser")
    with pytest.raises(ParameterError, match="cannot be written: No such file"):
        small_recording(3).html(tmp_path / "no" / "page.html")


def test_there_are_as_many_frames_as_instants():
    assert len(small_recording()) == COUNT
