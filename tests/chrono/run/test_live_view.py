import gc
import socket
import time

import pytest
from scene import ROUGH, empty_system, falling_cube, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.run import window
from chrono_powercontact.chrono.run.live_view import LiveView

pytest.importorskip("viser")
pytestmark = pytest.mark.chrono


@pytest.fixture
def no_window(monkeypatch):
    monkeypatch.delenv("POWERCONTACT_WINDOW", raising=False)
    monkeypatch.setattr(window, "has_screen", lambda: False)


def port_of(sentence):
    return int(sentence.rpartition(":")[2])


def answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2.0):
            return True
    except OSError:
        return False


def test_without_a_screen_the_scene_is_served_and_the_run_is_the_same(no_window, capsys):
    ends = []
    for shown in (False, True):
        system, cube, _ = falling_cube(ROUGH, height=0.2)
        if shown:
            assert pc.show(system) is True
            (sentence,) = capsys.readouterr().err.splitlines()
            assert "no display is available" in sentence
            assert "look at http://127.0.0.1:" in sentence
            assert answers(port_of(sentence))
        run(system, 0.2)
        ends.append((cube.GetPos().x, cube.GetPos().z))
    assert ends[0] == ends[1]


def test_the_server_ends_with_its_system(no_window, capsys):
    system = empty_system()
    new_body(system)
    pc.show(system)
    port = port_of(capsys.readouterr().err.strip())
    del system
    gc.collect()
    assert not answers(port)


def test_stepping_follows_the_clock_on_request(no_window):
    system = empty_system()
    new_body(system)
    pc.show(system, speed=0.5)
    begin = time.perf_counter()
    run(system, 0.2, 1e-2)
    assert time.perf_counter() - begin > 0.3


def test_nothing_is_sent_where_nobody_looks_and_a_look_draws(monkeypatch):
    system, cube, _ = falling_cube(ROUGH, height=0.1)
    live = LiveView(system, "live")
    drawn = []
    monkeypatch.setattr(live._stage, "show", lambda: drawn.append(cube.GetPos().z))
    live.Render()
    assert drawn == []
    monkeypatch.setattr(type(live._stage), "watched", property(lambda stage: True))
    run(system, 0.02)
    live.Render()
    assert drawn == [cube.GetPos().z]
    assert live.Run()
