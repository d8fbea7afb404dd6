"""Runs a demo, as it is or with the one line, and records what its author would look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...chrono.api.bridge import inertia_of, set_integrator
from ...chrono.run.collision_defaults import chronos_own_defaults
from ...errors import DivergedError, SystemChangedError
from ...trajectory import Trajectory
from .demo import Demo
from .demo_table import Entry, entry_of

if TYPE_CHECKING:
    from ...chrono.attachment import Attachment
    from ...chrono.run.scene_recording import SceneRecording
    from ...progress import Progress

RECORDS = 400
"""Number of records of a run, about."""

FILMED = 3
"""One frame of the moving scene for so many records."""

SLIP = 1e-3
"""Sliding speed in m/s above which a contact is shown as sliding."""

UNTIMED = 5
"""Number of first steps that are not timed: in these, tables are built."""

WARM_UP = ("buildsystem", 80)
"""A demo and a number of steps in which contact begins and all kernels are loaded or compiled."""

COLUMNS = ("t", "mechanical", "work", "stored", "carried", "fastest", "turn", "cost")
"""Columns besides the places of the bodies: T + V of all bodies that move in J, energy that our contacts gave to them
and energy that they store in J (0 in the demo as it is), upward contact force over weight, largest speed in m/s, turn
of the first body about z in rad, processor time of a round of the loop since the last record in us."""

AXES = ("x", "y", "z")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """How a demo is run: its name, our law or its own, step and length in s (0 for the demo's own), integrator."""

    name: str
    taken: bool
    step: float = 0.0
    time: float = 0.0
    integrator: str = ""

    @property
    def entry(self) -> Entry:
        """The demo."""
        return entry_of(self.name)

    @property
    def length(self) -> float:
        """Length of the run in s."""
        return self.time or self.entry.time


def built(name: str) -> Demo:
    """The scene of a demo, made with Chrono's defaults, which some demos change for all that follow."""
    with chronos_own_defaults():
        return entry_of(name).build()


def _numbers(vector: Any) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


class Witness:
    """Reads the bodies of a demo, by Chrono's own calls only."""

    def __init__(self, demo: Demo, weighs: str) -> None:
        self._demo = demo
        self._moving = [body for body in demo.system.GetBodies() if not body.IsFixed()]
        self._mass = np.array([body.GetMass() for body in self._moving])
        self._inertia = np.array([inertia_of(body) for body in self._moving])
        self._gravity = np.array(_numbers(demo.system.GetGravitationalAcceleration()))
        self._carried: Sequence[Any] = {"": (), "bodies": demo.bodies, "all": self._moving}[weighs]
        self._weight = sum(body.GetMass() for body in self._carried) * float(np.linalg.norm(self._gravity))

    def row(self, energies: tuple[float, float], cost: float) -> list[float]:
        """The columns now; those that it cannot read are given."""
        demo = self._demo
        places, speeds, spins = (
            np.array([_numbers(getattr(body, call)()) for body in self._moving])
            for call in ("GetPos", "GetPosDt", "GetAngVelLocal")
        )
        kinetic = 0.5 * float(self._mass @ (speeds**2).sum(axis=1))
        kinetic += 0.5 * float(np.einsum("bi,bij,bj", spins, self._inertia, spins))
        potential = -float(self._mass @ (places @ self._gravity))
        first = demo.bodies[0].GetRot()
        fastest = float(np.linalg.norm(speeds, axis=1).max())
        turn = 2.0 * float(np.arctan2(first.e3, first.e0))
        row = [demo.system.GetChTime(), kinetic + potential, *energies, self._share(), fastest, turn, cost]
        return row + [number for body in demo.bodies for number in _numbers(body.GetPos())]

    def _share(self) -> float:
        """Upward contact force on the bodies over their weight."""
        if not self._weight:
            return 0.0
        upward = sum(_numbers(body.GetContactForce())[self._demo.up] for body in self._carried)
        return upward / self._weight


def _names(demo: Demo) -> tuple[str, ...]:
    """Names of the columns of a demo."""
    return (*COLUMNS, *(f"{axis}_{i}" for i in range(len(demo.bodies)) for axis in AXES))


def _energies(contacts: Attachment | None) -> tuple[float, float]:
    """Energy in J that our contacts gave to the bodies since the first step, and that they store now."""
    if contacts is None:
        return 0.0, 0.0
    return contacts.energy().exchanged, float(contacts.forces()["stored"].sum())


class Stopwatch:
    """Steps a demo and measures what a round of its loop costs."""

    def __init__(self, demo: Demo, step: float) -> None:
        self._demo = demo
        self._step = step
        self.rounds = 0
        self.seconds = 0.0

    def advance(self, rounds: int) -> float:
        """Step so often; the mean cost in us, without the first rounds of all."""
        before = self.seconds
        timed = 0
        for _ in range(rounds):
            begin = process_time()
            self._demo.advance(self._step)
            self.rounds += 1
            if self.rounds > UNTIMED:
                self.seconds += process_time() - begin
                timed += 1
        return 1e6 * (self.seconds - before) / max(timed, 1)

    @property
    def cost(self) -> float:
        """Mean processor time of a round in us."""
        return 1e6 * self.seconds / max(self.rounds - UNTIMED, 1)


def prepared(setting: Setting) -> tuple[Demo, Attachment | None]:
    """The scene of a demo, and our contacts on it unless it is left as it is."""
    from ...chrono.attachment import attach

    demo = built(setting.name)
    if setting.integrator:
        set_integrator(demo.system, setting.integrator)
    if not setting.taken:
        return demo, None
    contacts = attach(demo.system)
    contacts.take_over()
    return demo, contacts


@cache
def _warm_up() -> None:
    """Load or compile our kernels, which is not part of the cost of a step."""
    name, rounds = WARM_UP
    demo, _ = prepared(Setting(name, True))
    for _ in range(rounds):
        demo.advance(demo.step)


class Recorded:
    """A demo in the course of its run: steps it, and records what its author would look at.

    Attributes:
        many: number of records of a whole run.
    """

    def __init__(self, setting: Setting, filmed: bool) -> None:
        self._demo, self._contacts = prepared(setting)
        step = setting.step or self._demo.step
        steps = max(round(setting.length / step), 1)
        self._every = max(steps // RECORDS, 1)
        self.many = steps // self._every
        self._witness = Witness(self._demo, setting.entry.weighs)
        self._film = _film(self._demo.system, setting.name) if filmed else None
        self._watch = Stopwatch(self._demo, step)
        self._rows = [self._witness.row((0.0, 0.0), 0.0)]

    def go_on(self) -> None:
        """Step until the next record."""
        try:
            cost = self._watch.advance(self._every)
            row = self._witness.row(_energies(self._contacts), cost)
            self._rows.append(row)
            if self._film is not None and len(self._rows) % FILMED == 0:
                self._film.sample(row[0])
            _check(row)
        except SystemChangedError as error:
            raise DivergedError(str(error), self.trajectory()) from None

    def trajectory(self) -> Trajectory:
        """What was recorded so far."""
        run = _trajectory(self._demo, self._rows, self._watch.rounds, self._watch.cost)
        if self._film is None or not self._film.frames:
            return run
        return replace(run, scene=self._film.finished())


def run_in_turn(settings: Sequence[Setting], progress: Progress) -> list[Trajectory]:
    """Run demos and record them; `step_cost` is what a round of a loop costs in us, `scene` the first one's.

    They take turns from record to record, so that what a round costs is measured on the same machine, however busy.
    """
    if any(setting.taken for setting in settings):
        _warm_up()
    runs = [Recorded(setting, filmed=i == 0) for i, setting in enumerate(settings)]
    many = max(run.many for run in runs)
    for number in range(many):
        for run in runs:
            if number < run.many:
                run.go_on()
        progress((number + 1) / many)
    return [run.trajectory() for run in runs]


def _film(system: Any, name: str) -> SceneRecording:
    """A recording that is sampled between the steps, so that their cost is not changed."""
    from ...chrono.attachment import living_on
    from ...chrono.run.scene_recording import SceneRecording

    return SceneRecording(system, living_on(system), name, SLIP, None)


def _check(row: list[float]) -> None:
    """Raise if a record is not finite."""
    if not np.isfinite(row).all():
        raise SystemChangedError(f"the state of a body is not finite at {row[0]:.6g} s")


def _trajectory(demo: Demo, rows: list[list[float]], steps: int, cost: float | None = None) -> Trajectory:
    """The rows as a trajectory; angles do not jump."""
    finite = [row for row in rows if np.isfinite(row).all()]
    data = np.array(finite)
    turn = COLUMNS.index("turn")
    data[:, turn] = np.unwrap(data[:, turn])
    return Trajectory(_names(demo), data, steps, cost)


def side_by_side(ours: Trajectory, own: Trajectory, costs: Trajectory) -> Trajectory:
    """Our run with the columns of another run behind it, named own_...; its cost is that of a third one."""
    names = (*ours.names, *(f"own_{name}" for name in own.names))
    rows = min(len(ours), len(own), len(costs))
    beside = own.data[:rows].copy()
    beside[:, own.names.index("cost")] = costs["cost"][:rows]
    return replace(ours, names=names, data=np.hstack([ours.data[:rows], beside]))
