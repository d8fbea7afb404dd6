"""The bodies of a system, read fast: from the packed states of attachments where these have them."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ..api.bridge import body_key, inertia_of
from ..contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ..contact.last_step import WIDTH
from ..contact.readings import Energy
from ..contact.records import BOOK, TOTALS
from ..core import Core

Floats = NDArray[np.float64]
Array = Any

KINETIC, POTENTIAL, STORED, CONTACT_HEAT, FRICTION_HEAT, STEP = range(6)
"""Places in the energy ledger."""


class States(NamedTuple):
    """All bodies: position in m, quaternion, velocity in m/s and angular velocity in rad/s (body), one row each."""

    position: Floats
    rotation: Floats
    velocity: Floats
    spin: Floats


class Weights(NamedTuple):
    """Mass in kg and inertia in kg m^2 (body axes) of all bodies, zero where fixed or gone; gravity in m/s^2."""

    mass: Floats
    inertia: Floats
    gravity: Floats


class Scene(NamedTuple):
    """All bodies, what their energies follow from, and the energy ledger in J."""

    states: States
    weights: Weights
    ledger: Floats


class Packed(NamedTuple):
    """Bodies whose states are on the load of a core: their places there, and their rows in `States`."""

    core: Core
    places: NDArray[np.int64]
    rows: NDArray[np.int64]


@kernel
def unpack(x: Array, w: Array, places: Array, rows: Array, states: States) -> None:
    """Write some of the bodies of a load to rows of states.

    Args:
        x, w: packed states and velocities of the bodies. places: which of them. rows: theirs.
    """
    for i in range(places.size):
        row = rows[i]
        for k in range(3):
            states.position[row, k] = x[STATE_WIDTH * places[i] + k]
            states.velocity[row, k] = w[SPEED_WIDTH * places[i] + k]
            states.spin[row, k] = w[SPEED_WIDTH * places[i] + 3 + k]
        for k in range(4):
            states.rotation[row, k] = x[STATE_WIDTH * places[i] + 3 + k]


@kernel
def add_energies(x: Array, w: Array, places: Array, rows: Array, weights: Weights, ledger: Array) -> None:
    """Add kinetic energy, and potential energy by gravity, of some of the bodies of a load to a ledger in J."""
    for i in range(places.size):
        row = rows[i]
        mass = weights.mass[row]
        for k in range(3):
            speed = w[SPEED_WIDTH * places[i] + k]
            spin = w[SPEED_WIDTH * places[i] + 3 + k]
            ledger[KINETIC] += 0.5 * mass * speed**2
            ledger[POTENTIAL] -= mass * weights.gravity[k] * x[STATE_WIDTH * places[i] + k]
            for n in range(3):
                ledger[KINETIC] += 0.5 * spin * weights.inertia[row, k, n] * w[SPEED_WIDTH * places[i] + 3 + n]


@kernel
def read_present(x: Array, w: Array, places: Array, rows: Array, scene: Scene) -> None:
    """Read some of the bodies of a load, and add their energies in J at this state to the ledger."""
    unpack(x, w, places, rows, scene.states)
    add_energies(x, w, places, rows, scene.weights, scene.ledger)


@kernel
def read_booked(
    x: Array, w: Array, kept: Array, totals: Array, numbers: Array, places: Array, rows: Array, scene: Scene
) -> None:
    """Like `read_present`; energies are those at the last commit of a linearised integrator, where the book is exact.

    Args:
        kept: the last step, see `last_step`. totals, numbers: sums and book of the load, flat TOTALS and BOOK.
    """
    ledger = scene.ledger
    unpack(x, w, places, rows, scene.states)
    add_energies(kept[: x.size], kept[x.size : x.size + w.size], places, rows, scene.weights, ledger)
    book = numbers.view(BOOK)[0]
    stored = totals.view(TOTALS)[0].stored - book.stored_at_opening
    ledger[STORED] += stored
    ledger[CONTACT_HEAT] += book.contact_heat
    ledger[FRICTION_HEAT] += book.friction_heat - book.handed_back
    ledger[STEP] += book.kinetic - book.impact - book.elastic - stored


class SceneBodies:
    """The bodies of a system; those that come later are added, those that leave keep their last state.

    Attributes:
        states: of all bodies, as they were last read.
        ledger: energies in J at the instant of the energy books, which is the start of the last step under a linearised
            integrator. Potential energy is by gravity alone.
    """

    def __init__(self, system: Any, cores: Sequence[Core]) -> None:
        self._system = weakref.proxy(system)
        self._cores = cores
        self._bodies: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._seen: tuple[int, ...] = ()
        self._on_load: dict[Core, NDArray[np.int32]] = {}
        self._packed: list[Packed] = []
        self._others: list[int] = []
        self.states = States(np.zeros((0, 3)), np.zeros((0, 4)), np.zeros((0, 3)), np.zeros((0, 3)))
        self.ledger = np.zeros(STEP + 1)

    @property
    def bodies(self) -> list[Any]:
        """All bodies that were seen."""
        return self._bodies

    def number_of(self, body: Any) -> int:
        """Number of a body; -1 if it was not seen."""
        return self._numbers.get(body_key(body), -1)

    def numbers_on(self, core: Core) -> NDArray[np.int32]:
        """Numbers of the bodies on the load of a core, as they were last read."""
        return self._on_load[core]

    def read(self) -> States:
        """The present states; also brings the ledger up to date."""
        seen = (self._system.GetNumBodies(), *[len(core.stepper.bodies) for core in self._cores])
        if seen != self._seen:
            self._find(seen)
        self.ledger.fill(0.0)
        for packed in self._packed:
            self._read_load(packed)
        for number in self._others:
            self._read_one(number)
        return self.states

    def _read_load(self, packed: Packed) -> None:
        """The bodies on the load of a core, and its ledger."""
        core, places, rows = packed
        stepper = core.stepper
        load, book = stepper.load, stepper.book
        if load is None:
            self._add(stepper.balance())
            return
        load.gather()
        x, w = load.x.data, load.w.data
        if stepper.clock.once and book.is_open and book.kept.size == WIDTH * load.size:
            read_booked(x, w, book.kept, stepper.sums_at_commit(), book.numbers, places, rows, self._scene)
            return
        read_present(x, w, places, rows, self._scene)
        self._add(stepper.balance())

    def _add(self, energy: Energy) -> None:
        """Add what contacts and joints store and have taken to the ledger."""
        self.ledger[STORED] += energy.stored
        self.ledger[CONTACT_HEAT] += energy.contact_heat
        self.ledger[FRICTION_HEAT] += energy.friction_heat - energy.handed_back
        self.ledger[STEP] += energy.step - energy.unpaid

    def _find(self, seen: tuple[int, ...]) -> None:
        """Look for bodies, and for where their states are."""
        self._seen = seen
        present = list(self._system.GetBodies())
        for body in present:
            if body_key(body) not in self._numbers:
                self._numbers[body_key(body)] = len(self._bodies)
                self._bodies.append(body)
        self._make_room()
        here = [self._numbers[body_key(body)] for body in present]
        self._read_masses(here)
        self._on_load = {
            core: np.array([self.number_of(body) for body in core.stepper.bodies], np.int32) for core in self._cores
        }
        self._packed = []
        left = set(here)
        for core in self._cores:
            places = {number: core.place_of(self._bodies[number]) for number in left}
            known = [(place, number) for number, place in places.items() if place is not None]
            on_load = np.array(known if core.stepper.load is not None else [], np.int64).reshape(-1, 2).T.copy()
            self._packed.append(Packed(core, on_load[0], on_load[1]))
            left -= set(on_load[1].tolist())
        self._others = sorted(left)

    def _make_room(self) -> None:
        """Rows for bodies that are new."""
        more = len(self._bodies) - len(self.states.position)
        rows = States(np.zeros((more, 3)), np.tile((1.0, 0.0, 0.0, 0.0), (more, 1)), np.zeros((more, 3)),
                      np.zeros((more, 3)))  # fmt: skip
        self.states = States(*(np.concatenate(both) for both in zip(self.states, rows, strict=True)))

    def _read_masses(self, here: Sequence[int]) -> None:
        """Masses and inertias of the bodies that are there, and gravity."""
        count = len(self._bodies)
        weights = Weights(np.zeros(count), np.zeros((count, 3, 3)), np.zeros(3))
        for number in here:
            body = self._bodies[number]
            if not body.IsFixed():
                weights.mass[number] = body.GetMass()
                weights.inertia[number] = inertia_of(body)
        gravity = self._system.GetGravitationalAcceleration()
        weights.gravity[:] = gravity.x, gravity.y, gravity.z
        self._scene = Scene(self.states, weights, self.ledger)

    def _read_one(self, number: int) -> None:
        """The state of a body that no attachment knows."""
        body = self._bodies[number]
        position = body.GetPos()
        rotation = body.GetRot()
        velocity = body.GetPosDt()
        spin = body.GetAngVelLocal()
        self.states.position[number] = position.x, position.y, position.z
        self.states.rotation[number] = rotation.e0, rotation.e1, rotation.e2, rotation.e3
        self.states.velocity[number] = velocity.x, velocity.y, velocity.z
        self.states.spin[number] = spin.x, spin.y, spin.z
        self._add_energies_of(number)

    def _add_energies_of(self, number: int) -> None:
        """Add the energies of a body that no attachment knows to the ledger."""
        position, _, velocity, spin = (column[number] for column in self.states)
        weights = self._scene.weights
        mass = weights.mass[number]
        self.ledger[KINETIC] += 0.5 * (mass * velocity @ velocity + spin @ weights.inertia[number] @ spin)
        self.ledger[POTENTIAL] -= mass * weights.gravity @ position
