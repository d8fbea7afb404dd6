import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from scene import SMOOTH, empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.api.features import windows
from chrono_powercontact.chrono.run import window
from chrono_powercontact.errors import ParameterError


class Screen:
    """Counts what a visual system is asked to do, and is closed after some frames."""

    def __init__(self, frames=100):
        self.left, self.drawn = frames, 0

    def Run(self):
        self.left -= 1
        return self.left >= 0

    def BeginScene(self):
        pass

    def Render(self):
        self.drawn += 1

    def EndScene(self):
        pass


def test_frames_are_drawn_at_their_rate_in_simulated_time():
    screen = Screen()
    drawing = window.Window(screen, 0.1)
    for step in range(1000):
        drawing.refresh(step * 1e-3)
    assert screen.drawn == 10


def test_a_closed_window_is_left_alone():
    screen = Screen(frames=3)
    drawing = window.Window(screen, 0.01)
    for step in range(100):
        drawing.refresh(step * 0.01)
    assert screen.drawn == 3
    assert screen.left == -1


class Clock:
    """Stands for the module time: sleeping is what makes it go on."""

    def __init__(self):
        self.now = 100.0

    def perf_counter(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def frames_on(clock, monkeypatch, work, speed=1.0):
    """When frames 0.1 s of simulated time apart are drawn, in s since the first one, if each takes some work in s."""
    monkeypatch.setattr(window, "time", clock)
    drawing, drawn = window.Window(Screen(), 0.01, speed), []
    for step, seconds in enumerate(work):
        clock.now += seconds
        drawing.refresh(step * 0.1)
        drawn.append(clock.now)
    return np.array(drawn) - drawn[0]


@pytest.mark.parametrize(("speed", "apart"), [(1.0, 0.1), (0.5, 0.2), (4.0, 0.025)])
def test_a_run_that_is_faster_than_its_speed_waits(monkeypatch, speed, apart):
    assert frames_on(Clock(), monkeypatch, [0.01] * 5, speed) == pytest.approx(apart * np.arange(5))


def test_a_run_that_is_slower_than_its_speed_does_not_wait_and_does_not_catch_up(monkeypatch):
    drawn = frames_on(Clock(), monkeypatch, [0.01, 0.5, 0.5, 0.01, 0.01])
    assert drawn == pytest.approx([0.0, 0.5, 1.0, 1.1, 1.2])


@pytest.mark.parametrize(
    ("settings", "platform", "wanted"),
    [
        ({}, "linux", False), ({"DISPLAY": ":0"}, "linux", True), ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "win32", True), ({"POWERCONTACT_WINDOW": "0"}, "win32", False),
        ({"DISPLAY": ":0", "POWERCONTACT_WINDOW": "0"}, "linux", False),
    ],
)  # fmt: skip
def test_a_screen_is_found_unless_it_is_forbidden(monkeypatch, settings, platform, wanted):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "POWERCONTACT_WINDOW"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(window.sys, "platform", platform)
    assert window.has_screen() is wanted


@pytest.mark.chrono
def test_without_a_window_a_script_runs_as_it_is(monkeypatch, capsys):
    monkeypatch.setenv("POWERCONTACT_WINDOW", "0")
    system = empty_system(9.81)
    ground, ball = new_body(system, fixed=True), new_body(system, 0.05, (0, 0, 0.2))
    pc.attach(system).add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), SMOOTH)
    assert pc.show(system) is False
    assert capsys.readouterr().err == ""
    run(system, 0.1, 1e-3)
    assert system.GetChTime() == pytest.approx(0.1)
    for name in ("frames", "speed", "ground"):
        with pytest.raises(ParameterError, match=f"{name} must be greater than 0"):
            pc.show(system, **{name: 0.0})


@pytest.mark.chrono
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"system": None}, "system must be a ChSystem, .* got None$"),
        ({"camera": "above"}, "camera must be three finite numbers, got 'above'"),
        ({"camera": (1.0, 2.0)}, "camera must be three finite numbers"),
        ({"target": (0.0, 0.0, float("nan"))}, "target must be three finite numbers"),
        ({"camera": (0, 0, 1), "target": (0.0, 0.0, 1.0)}, "camera and target must be apart"),
    ],
)
def test_a_view_that_cannot_be_is_refused_without_a_screen_as_well(monkeypatch, wrong, told):
    monkeypatch.setenv("POWERCONTACT_WINDOW", "0")
    with pytest.raises(ParameterError, match=told):
        pc.show(**{"system": empty_system(), **wrong})


@pytest.mark.chrono
@pytest.mark.parametrize(("screen", "why"), [(False, "no display is available"), (True, "neither Irrlicht nor VSG")])
def test_one_sentence_tells_why_there_is_no_window(monkeypatch, capsys, screen, why):
    monkeypatch.delenv("POWERCONTACT_WINDOW", raising=False)
    monkeypatch.setattr(window, "has_screen", lambda: screen)
    monkeypatch.setattr(window, "KINDS", ())
    monkeypatch.setattr(window, "find_spec", lambda name: None)
    assert pc.show(empty_system()) is False
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith("no window: ")
    assert why in sentence


@pytest.mark.chrono
def test_shapes_of_contacts_are_drawn_where_a_body_shows_nothing():
    system = empty_system()
    ground, bodies = new_body(system, fixed=True), [new_body(system) for _ in range(4)]
    shapes = [pc.Sphere(bodies[0], radius=0.1), pc.Box(bodies[1], 0.2, 0.01), pc.Capsule(bodies[2], 0.1, 0.3),
              pc.Points(bodies[3], [(0, 0, 0.1), (0, 0, -0.1)], 0.05)]  # fmt: skip
    for shape in (*shapes, pc.Plane(ground)):
        window.draw(shape)
        window.draw(shape)
    assert [body.GetVisualModel().GetNumShapes() for body in (ground, *bodies)] == [1, 1, 1, 1, 2]


@pytest.mark.chrono
@pytest.mark.parametrize("direction", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.6, 0, -0.8), (-0.48, 0.6, 0.64)])
def test_a_plate_is_turned_to_its_normal(direction):
    turn = window._turn_to(np.array(direction, float))
    up = turn.Rotate(pychrono().ChVector3d(0, 0, 1))
    assert (up.x, up.y, up.z) == pytest.approx(direction, abs=1e-12)


@pytest.mark.chrono
def test_collision_shapes_that_were_taken_over_are_drawn():
    chrono, system = pychrono(), empty_system()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    stuff = chrono.ChContactMaterialSMC()
    bodies = [
        chrono.ChBodyEasySphere(0.1, 100, False, True, stuff),
        chrono.ChBodyEasyBox(1, 2, 3, 9, False, True, stuff),
    ]
    bodies.append(chrono.ChBodyEasyCylinder(chrono.ChAxis_Z, 0.1, 0.3, 100, False, True, stuff))
    for i, body in enumerate(bodies):
        body.SetPos(chrono.ChVector3d(5.0 * i, 0, 0))
        system.Add(body)
    pc.attach(system).take_over(SMOOTH)
    window._draw_all(system, 4.0)
    assert [body.GetVisualModel().GetNumShapes() for body in bodies] == [1, 1, 1]


SCRIPT = """
import pychrono as chrono
import chrono_powercontact as pc
system, floor, ball = chrono.ChSystemSMC(), chrono.ChBody(), chrono.ChBody()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
floor.SetFixed(True)
ball.SetPos(chrono.ChVector3d(0, 0, 0.11))
system.Add(floor)
system.Add(ball)
law = pc.Restriction(s_0=0.002, s_c=0.001, r_f=400.0, r_d=0.3)
pc.attach(system).add(pc.Sphere(ball, radius=0.1), pc.Plane(floor), pc.Material(law))
shown = pc.show(system)
while system.GetChTime() < 0.2:
    system.DoStepDynamics(1e-4)
print("answer", shown, ball.GetPos().z.hex())
"""
"""A script of its own, as a crash at its end would be one of the process."""


def answer_on(**settings):
    """Whether the script has a window, where its ball is, and what it says on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env={**os.environ, **settings}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (answer,) = [line.split() for line in done.stdout.splitlines() if line.startswith("answer")]
    return answer[1], answer[2], done.stderr


def need_irrlicht():
    """Skip where this PyChrono has no Irrlicht."""
    if "Irrlicht" not in windows():
        pytest.skip("this PyChrono was built without Irrlicht")


@pytest.mark.chrono
@pytest.mark.skipif(sys.platform != "linux", reason="only X has displays by number")
def test_a_screen_that_does_not_answer_is_named_and_the_run_goes_on():
    need_irrlicht()
    shown, place, said = answer_on(DISPLAY=":987", POWERCONTACT_WINDOW="1")
    assert shown == str(find_spec("viser") is not None)
    assert "no window: Irrlicht cannot open one on DISPLAY=':987'" in said
    assert place == answer_on(POWERCONTACT_WINDOW="0")[1]


@pytest.mark.chrono
@pytest.mark.skipif(not window.has_screen(), reason="no display is available")
def test_a_window_leaves_the_numbers_as_they_are():
    need_irrlicht()
    shown, place, said = answer_on()
    if "Irrlicht cannot open one" in said:
        pytest.skip("the screen does not answer")
    assert shown == "True"
    assert place == answer_on(POWERCONTACT_WINDOW="0")[1]
