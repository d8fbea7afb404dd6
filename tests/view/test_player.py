import pytest
from recorded import COUNT, small_recording

pytest.importorskip("viser")

from chrono_powercontact.view import player as module
from chrono_powercontact.view.player import Player, play, ratio_of, tell_address, usual_speed
from chrono_powercontact.view.viewer import server


def test_real_time_moves_the_scene_and_it_begins_again():
    recording = small_recording()
    with server() as running:
        player = Player(running, recording)
        player._speed.value = "1"
        player.advance(0.5)
        assert recording.t[player.frame] == pytest.approx(0.5, abs=1.0 / COUNT)
        player.advance(0.6)
        assert player.frame == 0
        player._playing.value = False
        player.advance(0.5)
        assert player.frame == 0


def test_short_runs_are_slowed_down():
    assert [usual_speed(length) for length in (0.01, 1.0, 100.0)] == ["1/100", "1/10", "1"]
    assert ratio_of("1/4") == 0.25


def test_where_no_browser_opens_the_address_is_told(monkeypatch, capsys):
    monkeypatch.setattr(module.webbrowser, "open", lambda address: False)
    tell_address(8123, True)
    told = capsys.readouterr().err
    assert "http://127.0.0.1:8123" in told
    assert "no browser could be opened" in told


def test_play_ends_with_the_keyboard(monkeypatch, capsys):
    def stopped(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(module.time, "sleep", stopped)
    play(small_recording(), browser=False)
    assert "stopped" in capsys.readouterr().err
