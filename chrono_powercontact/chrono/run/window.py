"""A window on a running system, with Irrlicht or VSG; without either, a view in the browser; else none."""

from __future__ import annotations

import math
import os
import sys
import time
import weakref
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from ...errors import ParameterError, positive
from ..api.bridge import check_system, pychrono, shape_instance
from ..attachment import attachments, core_of
from ..contact.shapes import REFERENCE, Box, Capsule, Plane, Shape, vector
from ..takeover.collision_shapes import touchable
from .live_view import LiveView

KINDS = (("pychrono.irrlicht", "ChVisualSystemIrrlicht"), ("pychrono.vsg3d", "ChVisualSystemVSG"))
GROUND = 4.0
"""Edge in m of the plate that represents a plane."""
FIXED = (0.12, 0.14, 0.16)
MOVING = ((0.9, 0.5, 0.1), (0.2, 0.6, 0.8), (0.5, 0.7, 0.2), (0.8, 0.3, 0.4))
"""Colours (red, green, blue; 0 to 1) of bodies that are drawn as their contact shapes."""
Place = tuple[float, float, float]
"""A point in m, in the frame of the system."""


def forbidden() -> bool:
    """Whether POWERCONTACT_WINDOW=0 disables windows."""
    return os.environ.get("POWERCONTACT_WINDOW", "1") == "0"


def has_screen() -> bool:
    """Whether a window can be opened, according to the environment."""
    if forbidden():
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _visual_system() -> Any:
    """A new visual system of the first kind that this PyChrono has, or None."""
    for module, name in KINDS:
        try:
            return getattr(import_module(module), name)()
        except (ImportError, AttributeError):
            continue
    return None


def _turn_to(direction: np.ndarray) -> Any:
    """Chrono quaternion that rotates the z axis to a unit direction."""
    chrono = pychrono()
    x, y, z = (float(part) for part in direction)
    if z < -1.0 + 1e-12:
        return chrono.ChQuaterniond(0.0, 1.0, 0.0, 0.0)
    turn = chrono.ChQuaterniond(1.0 + z, -y, x, 0.0)
    turn.Normalize()
    return turn


def _pieces(shape: Shape, ground: float) -> list[tuple[Any, np.ndarray, Any]]:
    """Visual shapes of a contact shape, each with its position in m and its rotation on the body."""
    chrono = pychrono()
    upright = chrono.ChQuaterniond(1, 0, 0, 0)
    if isinstance(shape, Plane):
        depth = 0.01 * ground
        plate = chrono.ChVisualShapeBox(ground, ground, depth)
        return [(plate, shape.point - 0.5 * depth * shape.direction, _turn_to(shape.direction))]
    if isinstance(shape, Box):
        edges = (2.0 * (half + shape.radius) for half in shape.half)
        return [(chrono.ChVisualShapeBox(*edges), shape.centre, chrono.ChQuaterniond(*map(float, shape.rotation)))]
    if isinstance(shape, Capsule):
        along = shape.ends[1] - shape.ends[0]
        length = float(np.linalg.norm(along))
        capsule = chrono.ChVisualShapeCapsule(shape.radius, length)
        return [(capsule, shape.ends.mean(axis=0), _turn_to(along / length))]
    return [(chrono.ChVisualShapeSphere(radius or 0.01), centre, upright) for centre, radius in shape.spheres]


def _bare(body: Any) -> bool:
    """Whether a body has no visual shape."""
    model = body.GetVisualModel()
    return model is None or model.GetNumShapes() == 0


def _add(body: Any, piece: Any, frame: Any) -> None:
    """Add a visual shape to a body, in the colour of the body."""
    red, green, blue = FIXED if body.IsFixed() else MOVING[body.GetIndex() % len(MOVING)]
    piece.SetColor(pychrono().ChColor(red, green, blue))
    body.AddVisualShape(piece, frame)


def _on_reference(shape: Shape, frame: Any) -> Any:
    """A frame on a body relative to its reference frame, in which Chrono draws."""
    auxiliary = pychrono().CastToChBodyAuxRef(shape.body)
    if auxiliary is None or shape.frame == REFERENCE:
        return frame
    return auxiliary.GetFrameCOMToRef() * frame


def draw(shape: Shape, ground: float = GROUND) -> None:
    """Give the body of a shape a visual shape, unless it already has one."""
    if not _bare(shape.body):
        return
    chrono = pychrono()
    for piece, place, turn in _pieces(shape, ground):
        frame = chrono.ChFramed(chrono.ChVector3d(*map(float, place)), turn)
        _add(shape.body, piece, _on_reference(shape, frame))


def _looks(model: Any) -> Iterator[tuple[Any, Any]]:
    """Visual shapes for a Chrono collision model, each with its frame; hulls and meshes have none."""
    chrono = pychrono()
    for shape, frame in (shape_instance(model, i) for i in range(model.GetNumShapes())):
        if (sphere := chrono.CastToChCollisionShapeSphere(shape)) is not None:
            yield chrono.ChVisualShapeSphere(sphere.GetRadius()), frame
        elif (box := chrono.CastToChCollisionShapeBox(shape)) is not None:
            yield chrono.ChVisualShapeBox(box.GetLengths()), frame
        elif (capsule := chrono.CastToChCollisionShapeCapsule(shape)) is not None:
            yield chrono.ChVisualShapeCapsule(capsule.GetRadius(), capsule.GetHeight()), frame
        elif (cylinder := chrono.CastToChCollisionShapeCylinder(shape)) is not None:
            yield chrono.ChVisualShapeCylinder(cylinder.GetRadius(), cylinder.GetHeight()), frame


def draw_collision_shapes(body: Any) -> None:
    """Give a body visual shapes like its collision shapes, unless it already has one."""
    if _bare(body):
        for piece, frame in _looks(body.GetCollisionModel()):
            _add(body, piece, frame)


def _draw_all(system: Any, ground: float) -> None:
    """Draw all bodies that can touch something."""
    for attachment in attachments(system):
        for shape in attachment.shapes:
            draw(shape, ground)
        if core_of(attachment).taken is not None:
            for body in touchable(system):
                draw_collision_shapes(body)


class Window:
    """Draws a system at intervals, until it is closed."""

    def __init__(self, visual: Any, every: float, speed: float = math.inf) -> None:
        self._visual = visual
        self._every = every
        self._speed = speed
        self._next = 0.0
        self._at = 0.0
        self._clock = -math.inf

    def refresh(self, at: float) -> None:
        """Draw, if a frame is due at a simulated time in s."""
        if self._visual is None or at < self._next:
            return
        self._next = at + self._every
        if self._visual.Run():
            self._wait(at)
            self._visual.BeginScene()
            self._visual.Render()
            self._visual.EndScene()
        else:
            self.close()

    def close(self) -> None:
        """Close the window; Chrono then writes to the system, so the system must still exist."""
        self._visual = None

    def _wait(self, at: float) -> None:
        """Wait until simulated time matches the playback speed; lost time is not made up."""
        due = self._clock + (at - self._at) / self._speed
        now = time.perf_counter()
        if now < due:
            time.sleep(due - now)
        self._clock = max(now, due)
        self._at = at


def show(system: Any, title: str = "power-based contact", camera: Place = (1.2, -2.0, 1.0), frames: float = 50.0, *,
         target: Place = (0.0, 0.0, 0.0), speed: float | None = None, ground: float = GROUND) -> bool:  # fmt: skip
    """Show a system in a window while it is stepped; call it last, before the loop. It does not change the results.

    Where there is no window, the scene is served on 127.0.0.1 and a line on stderr tells the address (extra `view`).
    A browser that looks there can pause the run.

    Args:
        camera: position of the camera, in m. target: point that it looks at, in m. frames: frames per second.
        speed: largest ratio of simulated time to real time; a slower run is shown as it is computed. None is 1 in a
            window, and no limit in the browser.
        ground: edge in m of the plate that represents a plane.

    Returns:
        Whether there is a window or a view; if there is no window, a sentence on stderr says why, unless windows are
        disabled.
    """
    check_system(system)
    _check_view(camera, target)
    every = positive("speed", 1.0 if speed is None else speed) / positive("frames", frames)
    edge = positive("ground", ground)
    if forbidden():
        return False
    visual = _visual_system() if has_screen() else None
    if visual is None or not _open(visual, system, title, edge):
        return _show_in_browser(system, title, every, speed, _reason(visual))
    _look(visual, camera, target)
    _follow(system, Window(visual, every, speed or 1.0))
    return True


def _show_in_browser(system: Any, title: str, every: float, speed: float | None, why: str) -> bool:
    """Serve the scene where viser is installed; a sentence tells the address, or why there is nothing to see."""
    if find_spec("viser") is None:
        print(f"no window: {why}; the run continues without one", file=sys.stderr)
        return False
    live = LiveView(system, title)
    _follow(system, Window(live, every, math.inf if speed is None else speed))
    print(f"no window: {why}; look at {live.address}", file=sys.stderr)
    return True


def _follow(system: Any, window: Window) -> None:
    """Refresh a window after each step of a system, as long as the system lives."""
    alive = weakref.ref(system)
    step = system.DoStepDynamics
    weakref.finalize(system, window.close)

    def stepping(*arguments: Any, **named: Any) -> Any:
        result = step(*arguments, **named)
        running = alive()
        if running is not None:
            window.refresh(running.GetChTime())
        return result

    system.DoStepDynamics = stepping


def _check_view(camera: Place, target: Place) -> None:
    """Raise unless camera and target are apart."""
    if not np.linalg.norm(vector("camera", camera) - vector("target", target)) > 0.0:
        raise ParameterError(f"camera and target must be apart, got {tuple(camera)} for both")


def _reason(visual: Any) -> str:
    """Why there is no window."""
    if not has_screen():
        return "no display is available: DISPLAY is not set"
    if visual is None:
        return "this PyChrono has neither Irrlicht nor VSG"
    return f"Irrlicht cannot open one on DISPLAY={os.environ.get('DISPLAY', '')!r}"


def _open(visual: Any, system: Any, title: str, ground: float) -> bool:
    """Open the window, with z up, and show the system in it; returns whether that worked."""
    visual.SetWindowSize(1024, 768)
    visual.SetWindowTitle(title)
    visual.SetCameraVertical(pychrono().CameraVerticalDir_Z)
    if _irrlicht(visual):
        visual.Initialize()
        if visual.GetDevice() is None:
            visual.this.disown()  # a visual system without a device crashes when it is destroyed
            return False
    _draw_all(system, ground)
    visual.AttachSystem(system)
    return True


def _look(visual: Any, camera: Place, target: Place) -> None:
    """Set the camera and the lights."""
    chrono = pychrono()
    visual.AddCamera(chrono.ChVector3d(*map(float, camera)), chrono.ChVector3d(*map(float, target)))
    if _irrlicht(visual):
        visual.AddTypicalLights()
    else:
        visual.Initialize()


def _irrlicht(visual: Any) -> bool:
    """Whether a visual system is Irrlicht; its window opens before the system is attached, that of VSG after."""
    return hasattr(visual, "AddTypicalLights")
