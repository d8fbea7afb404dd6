import time

import numpy as np
import pytest
from browser import browsing

pytest.importorskip("viser")

from chrono_powercontact.app import live_runs as module
from chrono_powercontact.app.live_runs import LiveRun, dial_of, dial_range, quick_engine, watch_live
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import Parameter
from chrono_powercontact.view.viewer import server


def test_a_parameter_that_is_dragged_changes_the_motion():
    with server() as running:
        live = LiveRun(running, find("wall"), {}, "reference")
        before = live.player._recording.positions.copy()
        live.player._now = 0.5 * float(live.player._t[-1])
        live.dials.turn("speed", 150.0)
        live.advance(0.0)
        after = live.player._recording.positions
        assert before.shape != after.shape or not np.allclose(before, after)
        assert "the claim" in live.dials._told.content
        live.dials.turn("speed", 270.0)
        live.advance(0.0)
        assert np.allclose(live.player._recording.positions, before)


def test_a_parameter_that_does_not_fit_is_told_and_the_scene_stays():
    with server() as running:
        live = LiveRun(running, find("ball"), {}, "reference")
        shown = live.player._recording
        live.dials.turn("speed", -3.0)
        live.advance(0.0)
        assert "speed must be greater than 0" in live.dials._told.content
        assert live.player._recording is shown


def test_the_engine_that_answers_sooner_is_taken_unless_another_is_asked_for():
    assert quick_engine(find("slope"), {"angle": 10.0}, "auto") == "reference"
    assert quick_engine(find("slope"), {}, "chrono") == "chrono"
    assert quick_engine(find("slope"), {"integrator": "hht"}, "auto") == "auto"
    assert quick_engine(find("tyre"), {}, "auto") == "auto"


def test_dials_stay_within_what_is_allowed():
    assert dial_range(Parameter("mu", 0.3, "", minimum=0.0, maximum=1.0), 0.3) == (0.0, 1.0)
    low, high = dial_range(Parameter("speed", 2.0, "", above=0.0), 2.0)
    assert 0.0 < low <= 2.0 < high
    assert dial_range(Parameter("x", 0.0, ""), 0.0) == (-2.0, 2.0)
    assert dial_of(Parameter("step", 1e-4, "", "s", above=0.0), 1e-4) is None
    assert dial_of(Parameter("data", "", "a file"), "") is None
    assert dial_of(Parameter("law", "power", "", choices=("power", "hooke")), "power").choices == ("power", "hooke")


@pytest.mark.parametrize("name", ["ball", "cube", "slope", "pendulum", "gait_trainer", "rake_cleaner"])
def test_every_dial_holds_its_value(name):
    scenario = find(name)
    known = scenario.parameters_on("reference")
    for parameter in known:
        dial = dial_of(parameter, parameter.default)
        if dial is not None and isinstance(dial.value, float | int) and not isinstance(dial.value, bool):
            assert dial.low <= dial.value <= dial.high, parameter.name
            assert dial.low < dial.high, parameter.name


def test_a_scenario_without_a_scene_is_told():
    with server() as running, pytest.raises(ParameterError, match="'hysteresis' has no scene to view"):
        LiveRun(running, find("hysteresis"), {}, "reference")


def test_live_ends_with_the_keyboard(monkeypatch, capsys):
    def stopped(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(module.time, "sleep", stopped)
    watch_live("ball", {}, "reference", browser=False)
    assert "stopped" in capsys.readouterr().err


def test_a_slider_in_a_browser_changes_the_motion():
    with server() as running, browsing() as seen:
        live = LiveRun(running, find("ball"), {}, "reference")
        live.player._playing.value = False
        before = live.dials.values()
        shown = live.player._recording
        seen.page.goto(f"http://127.0.0.1:{running.get_port()}")
        thumb = seen.page.locator(".mantine-Slider-thumb").nth(1)
        for _ in range(5):
            thumb.press("ArrowRight")
        limit = time.monotonic() + 30.0
        while live.dials.values() == before and time.monotonic() < limit:
            seen.page.wait_for_timeout(100)
        assert live.dials.values() != before
        live.advance(0.0)
        assert live.player._recording is not shown
