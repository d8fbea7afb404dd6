import numpy as np
import pytest
from scene import SMOOTH, empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono import window
from chrono_powercontact.chrono.api import pychrono
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
def test_without_a_screen_a_script_runs_as_it_is(monkeypatch):
    monkeypatch.setenv("POWERCONTACT_WINDOW", "0")
    system = empty_system(9.81)
    ground, ball = new_body(system, fixed=True), new_body(system, 0.05, (0, 0, 0.2))
    pc.attach(system).add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), SMOOTH)
    assert pc.show(system) is False
    run(system, 0.1, 1e-3)
    assert system.GetChTime() == pytest.approx(0.1)
    with pytest.raises(ParameterError, match="frames must be greater than 0"):
        pc.show(system, frames=0.0)


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
