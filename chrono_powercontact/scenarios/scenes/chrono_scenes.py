"""Building and recording a Chrono scene under the laws of this package."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.api.start import prepare
from ...chrono.attachment import Attachment
from ...chrono.run.recorder import Recorder, Samples
from ...chrono.run.scene_recording import FRAMES, SceneRecording
from ...chrono.run.scene_recording import record as film
from ..constants import GRAVITY
from ..timing import steps_per_record

if TYPE_CHECKING:
    from ...progress import Progress
    from ...trajectory import Trajectory
    from ..parameters import Timed

Columns = dict[str, np.ndarray]

LEAST_FRAMES = 150
"""Frames of the moving scene of a short run."""


def new_scene(gravity: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[Any, Any]:
    """A system under gravity in m/s^2, and its fixed ground."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(*map(float, gravity)))
    ground = chrono.ChBody()
    ground.SetName("ground")
    ground.SetFixed(True)
    system.AddBody(ground)
    return system, ground


def add_body(system: Any, name: str, mass: float, moment: float, at: Sequence[float] | np.ndarray) -> Any:
    """A body of a mass in kg and the same moment of inertia in kg m^2 about all axes, at a position in m."""
    chrono = pychrono()
    body = chrono.ChBody()
    body.SetName(name)
    body.SetMass(mass)
    body.SetInertiaXX(chrono.ChVector3d(moment, moment, moment))
    body.SetPos(chrono.ChVector3d(*map(float, at)))
    system.AddBody(body)
    return body


def turn_about_y(body: Any, angle: float) -> None:
    """Give a body an angle in rad about y."""
    body.SetRot(pychrono().QuatFromAngleY(float(angle)))


def gravity_on_slope(angle: float) -> tuple[float, float, float]:
    """Gravity in m/s^2 in a frame whose x axis points down a slope of an angle in rad."""
    return GRAVITY * math.sin(angle), 0.0, -GRAVITY * math.cos(angle)


def heading(turn: np.ndarray) -> np.ndarray:
    """Angle about z in rad from quaternions, one per row."""
    e0, e1, e2, e3 = turn.T
    return np.asarray(np.arctan2(2.0 * (e0 * e3 + e1 * e2), 1.0 - 2.0 * (e2**2 + e3**2)))


def plane_motion(x: np.ndarray, w: np.ndarray) -> Columns:
    """Columns of a body that moves in the plane of x and z, from its states and velocities."""
    return {
        "x": x[:, 0],
        "z": x[:, 2],
        "phi": 2.0 * np.arctan2(x[:, 5], x[:, 3]),
        "x_dot": w[:, 0],
        "z_dot": w[:, 2],
        "phi_dot": w[:, 4],
    }


def watch(system: Any, time: float) -> SceneRecording:
    """Keep the moving scene of a run of a time in s that begins now; `finished()` gives it to the trajectory."""
    return film(system, frames=max(FRAMES, LEAST_FRAMES / time))


def record(
    contacts: Attachment,
    bodies: Sequence[Any],
    columns: Callable[[Samples], Columns],
    p: Timed,
    progress: Progress,
) -> Trajectory:
    """Run a finished scene with the integrator, step and length of the parameters."""
    prepare(contacts.system, p.integrator)
    return Recorder(contacts, bodies, columns).run(p.step, p.time, steps_per_record(p), progress)
