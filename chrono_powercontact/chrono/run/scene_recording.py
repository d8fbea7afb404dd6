"""`pc.record(system)`: keeps the moving scene of a Chrono run while a script steps it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import ParameterError, not_negative, positive, shown
from ...trajectory import Trajectory
from ...view.drawn import Drawn, Touch, recording_of
from ...view.recording import Chart, Frame, Recording
from ..api.bridge import body_key, check_system, proxy_of, pychrono
from ..attachment import Living, living_on
from ..contact.readings import body_name
from ..contact.shapes import Shape
from .body_looks import looks_of
from .scene_contacts import SceneContacts
from .scene_state import POTENTIAL, SceneBodies

ENERGIES = ("kinetic", "potential", "stored", "contact heat", "friction heat", "taken by the step")
"""Columns of the energy ledger."""

FRAMES = 60.0
"""Frames per simulated second."""

LATE = 1e-9
"""Round-off in s of a time at which a frame is due."""

Readings = Mapping[str, Callable[[], float]]


class SceneRecording(Recording):
    """A recording that grows with every step of a Chrono system, until `stop`."""

    def __init__(self, system: Any, living: Living, title: str, slip_speed: float, ground: float | None) -> None:
        super().__init__(title, [], [], ENERGIES, (Chart("energy", "J", ENERGIES),))
        self._system = weakref.ref(system)
        self._living = living
        self._ground = ground
        self._readings: Readings = {}
        self._scene = SceneBodies(system, living.cores)
        self._contacts = SceneContacts(self._scene, slip_speed)
        self._lowest: float | None = None
        gravity = system.GetGravitationalAcceleration()
        size = gravity.Length()
        if size > 0.0:
            self.up = (-gravity.x / size, -gravity.y / size, -gravity.z / size)

    def read(self, readings: Readings) -> None:
        """Add columns that functions of the script give, one chart each."""
        self._readings = readings
        self.columns += tuple(readings)
        self.charts += tuple(Chart(name, "", (name,)) for name in readings)

    def sample(self, at: float) -> None:
        """Keep the present instant, a time in s."""
        system = self._system()
        if system is None:
            return
        states = self._scene.read()
        self._name_bodies()
        contacts = self._contacts.read(system, self._living.cores if self.frames else ())
        values = (*self._ledger(), *(float(reading()) for reading in self._readings.values()))
        self.frames.append(Frame(at, states.position.copy(), states.rotation.copy(), contacts, values))

    def _ledger(self) -> list[float]:
        """The energy ledger in J, at the start of the last step; potential energy counted from the start of the run."""
        ledger: list[float] = self._scene.ledger.tolist()
        if self._lowest is None:
            self._lowest = ledger[POTENTIAL]
        ledger[POTENTIAL] -= self._lowest
        return ledger

    def _name_bodies(self) -> None:
        """Names and looks of bodies that are new."""
        known = len(self.bodies)
        bodies = self._scene.bodies
        if known == len(bodies):
            return
        shapes = self._shapes()
        for number in range(known, len(bodies)):
            body = bodies[number]
            self.bodies.append(body_name(body))
            self.pieces += looks_of(body, number, shapes.get(body_key(body), []), self._ground)

    def _shapes(self) -> dict[int, list[Shape]]:
        """Contact shapes of all attachments by body, each once."""
        found: dict[int, dict[int, Shape]] = {}
        for attachment in self._living.attachments:
            for shape in attachment.shapes:
                found.setdefault(body_key(shape.body), {})[id(shape)] = shape
        return {key: list(shapes.values()) for key, shapes in found.items()}

    def stop(self) -> None:
        """Keep no more frames; the system steps as before."""
        self._system = lambda: None  # type: ignore[assignment]

    def finished(self) -> Recording:
        """What was kept, apart from the system."""
        self.stop()
        return Recording(self.title, self.bodies, self.pieces, self.columns, self.charts, self.frames, self.up)


def record(
    system: Any, bodies: list[Drawn] | None = None, contacts: list[Touch] | None = None, *, frames: float = FRAMES,
    columns: Any = None, title: str = "recorded run", slip_speed: float = 1e-3, ground: float | None = None,
) -> Any:  # fmt: skip
    """Record a run as a moving 3-D scene: `.html(path)` writes it as one page, `.show()` opens it.

    A Chrono system is recorded while `DoStepDynamics` steps it; call this before the loop. A finished run of the
    reference engine, a `Trajectory`, is recorded at once from what `bodies` and `contacts` say about its columns.

    >>> recording = pc.record(system, columns={"height": lambda: ball.GetPos().z})
    >>> recording.html("run.html")

    Args:
        system: a Chrono system, or a Trajectory.
        bodies: what a Trajectory shows, see `Drawn`. contacts: its contact forces, see `Touch`.
        frames: frames per simulated second.
        columns: curves beside the scene: functions by name on Chrono, names of columns of a Trajectory or their units
            by name.
        title: of the page.
        slip_speed: sliding speed in m/s above which a contact is shown as sliding.
        ground: edge in m of the plate that represents a plane; None chooses one.
    """
    positive("frames", frames)
    not_negative("slip_speed", slip_speed)
    if ground is not None:
        positive("ground", ground)
    if isinstance(system, Trajectory):
        return recording_of(system, bodies or [], contacts or [], columns or (), frames, title, slip_speed)
    if bodies or contacts:
        raise ParameterError(
            "bodies and contacts are for a Trajectory: those of a Chrono system are found by themselves"
        )
    pychrono()
    system = proxy_of(system)
    check_system(system)
    recording = SceneRecording(system, living_on(system), str(title), slip_speed, ground)
    recording.read(_functions(columns))
    _follow(system, recording, 1.0 / frames)
    return recording


def _functions(columns: Any) -> Readings:
    """Functions by name; raises for anything else."""
    if columns is None:
        return {}
    if not isinstance(columns, Mapping) or not all(callable(reading) for reading in columns.values()):
        raise ParameterError(
            f"columns must be functions by name, such as {{'height': lambda: ...}}, got {shown(columns)}"
        )
    taken = [name for name in columns if name in ENERGIES]
    if taken:
        raise ParameterError(f"columns must not have names of the energy ledger, got {', '.join(taken)}")
    return columns


def _follow(system: Any, recording: SceneRecording, every: float) -> None:
    """Sample now, and then at intervals in s of simulated time as the system is stepped."""
    alive = weakref.ref(system)
    step = system.DoStepDynamics
    recording.sample(system.GetChTime())
    due = system.GetChTime() + every - LATE

    def stepping(*arguments: Any, **named: Any) -> Any:
        nonlocal due
        result = step(*arguments, **named)
        running = alive()
        now = running.GetChTime() if running is not None else due
        if now >= due and running is not None:
            due = max(due + every, now)
            recording.sample(now)
        return result

    system.DoStepDynamics = stepping
