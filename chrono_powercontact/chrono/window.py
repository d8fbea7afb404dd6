"""A window on a running system, where Chrono has one: Irrlicht or VSG; without either the script runs as it is."""

from __future__ import annotations

import os
import sys
import weakref
from importlib import import_module
from typing import Any

import numpy as np

from ..errors import positive
from .api import pychrono
from .attach import attachments
from .shapes import Box, Capsule, Plane, Shape

KINDS = (("pychrono.irrlicht", "ChVisualSystemIrrlicht"), ("pychrono.vsg3d", "ChVisualSystemVSG"))
GROUND = 4.0
"""Edge in m of the plate that stands for a plane."""


def has_screen() -> bool:
    """Whether a window can be opened here; POWERCONTACT_WINDOW=0 forbids it."""
    if os.environ.get("POWERCONTACT_WINDOW", "1") == "0":
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
    """Chrono's rotation that brings the z axis to a unit direction."""
    chrono = pychrono()
    x, y, z = (float(part) for part in direction)
    if z < -1.0 + 1e-12:
        return chrono.ChQuaterniond(0.0, 1.0, 0.0, 0.0)
    turn = chrono.ChQuaterniond(1.0 + z, -y, x, 0.0)
    turn.Normalize()
    return turn


def _pieces(shape: Shape) -> list[tuple[Any, np.ndarray, Any]]:
    """Visual shapes of a contact shape, each with its place in m and its rotation on the body."""
    chrono = pychrono()
    upright = chrono.ChQuaterniond(1, 0, 0, 0)
    if isinstance(shape, Plane):
        depth = 0.01 * GROUND
        plate = chrono.ChVisualShapeBox(GROUND, GROUND, depth)
        return [(plate, shape.point - 0.5 * depth * shape.direction, _turn_to(shape.direction))]
    if isinstance(shape, Box):
        edges = (2.0 * (half + shape.radius) for half in shape.half)
        return [(chrono.ChVisualShapeBox(*edges), shape.centre, chrono.ChQuaterniond(*map(float, shape.rotation)))]
    if isinstance(shape, Capsule):
        along = shape.ends[1] - shape.ends[0]
        length = float(np.linalg.norm(along))
        capsule = chrono.ChVisualShapeCapsule(shape.radius, length)
        return [(capsule, shape.ends.mean(axis=0), _turn_to(along / length))]
    return [(chrono.ChVisualShapeSphere(shape.radius or 0.01), centre, upright) for centre in shape.centres]


def draw(shape: Shape) -> None:
    """Give the body of a shape something to look at, unless it has that already."""
    model = shape.body.GetVisualModel()
    if model is not None and model.GetNumShapes() > 0:
        return
    chrono = pychrono()
    for piece, place, turn in _pieces(shape):
        shape.body.AddVisualShape(piece, chrono.ChFramed(chrono.ChVector3d(*map(float, place)), turn))


class Window:
    """Draws a system now and then, until it is closed."""

    def __init__(self, visual: Any, every: float) -> None:
        self._visual, self._every, self._next, self._open = visual, every, 0.0, True

    def refresh(self, time: float) -> None:
        """Draw, if a frame is due at a time in s."""
        if not self._open or time < self._next:
            return
        self._next = time + self._every
        self._open = bool(self._visual.Run())
        if self._open:
            self._visual.BeginScene()
            self._visual.Render()
            self._visual.EndScene()


def show(system: Any, title: str = "power-based contact", camera: tuple[float, float, float] = (1.2, -2.0, 1.0),
         frames: float = 50.0) -> bool:  # fmt: skip
    """Show a system in a window while it is stepped; call it last, before the loop. The numbers stay as they are.

    Args:
        camera: where the viewer stands, in m; he looks at the origin. frames: pictures per simulated second.

    Returns:
        Whether there is a window; without a screen, or a PyChrono without Irrlicht and VSG, there is none.
    """
    every = 1.0 / positive("frames", frames)
    visual = _visual_system() if has_screen() else None
    if visual is None:
        return False
    for attachment in attachments(system):
        for shape in attachment.shapes:
            draw(shape)
    _open(visual, system, title, camera)
    window, alive, step = Window(visual, every), weakref.ref(system), system.DoStepDynamics

    def stepping(*arguments: Any) -> Any:
        result, running = step(*arguments), alive()
        if running is not None:
            window.refresh(running.GetChTime())
        return result

    system.DoStepDynamics = stepping
    return True


def _open(visual: Any, system: Any, title: str, camera: tuple[float, float, float]) -> None:
    """Open the window: z points up, the origin is in the middle."""
    chrono = pychrono()
    visual.AttachSystem(system)
    visual.SetWindowSize(1024, 768)
    visual.SetWindowTitle(title)
    visual.SetCameraVertical(chrono.CameraVerticalDir_Z)
    if hasattr(visual, "AddTypicalLights"):
        visual.Initialize()
        visual.AddTypicalLights()
        visual.AddCamera(chrono.ChVector3d(*camera), chrono.ChVector3d(0, 0, 0))
    else:
        visual.AddCamera(chrono.ChVector3d(*camera), chrono.ChVector3d(0, 0, 0))
        visual.Initialize()
