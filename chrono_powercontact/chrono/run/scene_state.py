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
from ..core import Core

Floats = NDArray[np.float64]
Array = Any


class States(NamedTuple):
    """All bodies: position in m, quaternion, velocity in m/s and angular velocity in rad/s (body), one row each."""

    position: Floats
    rotation: Floats
    velocity: Floats
    spin: Floats


class Energies(NamedTuple):
    """Kinetic and potential energy of the bodies in J."""

    kinetic: float
    potential: float


@kernel
def unpack(x: Array, w: Array, places: Array, numbers: Array, states: States) -> None:
    """Write some of the bodies of a load to the rows of states that have their numbers.

    Args:
        x, w: packed states and velocities of the bodies. places: which of them. numbers: their rows.
    """
    for i in range(places.size):
        row = numbers[i]
        for k in range(3):
            states.position[row, k] = x[STATE_WIDTH * places[i] + k]
            states.velocity[row, k] = w[SPEED_WIDTH * places[i] + k]
            states.spin[row, k] = w[SPEED_WIDTH * places[i] + 3 + k]
        for k in range(4):
            states.rotation[row, k] = x[STATE_WIDTH * places[i] + 3 + k]


@kernel
def energies_of(chosen: Array, mass: Array, inertia: Array, gravity: Array, states: States) -> tuple[float, float]:
    """Kinetic energy, and potential energy by gravity, of some bodies in J.

    Args:
        chosen: their numbers. mass: of all bodies in kg. inertia: in kg m^2, body axes. gravity: in m/s^2.
    """
    kinetic = 0.0
    potential = 0.0
    for body in chosen:
        for k in range(3):
            kinetic += 0.5 * mass[body] * states.velocity[body, k] ** 2
            potential -= mass[body] * gravity[k] * states.position[body, k]
            for n in range(3):
                kinetic += 0.5 * states.spin[body, k] * inertia[body, k, n] * states.spin[body, n]
    return kinetic, potential


class SceneBodies:
    """The bodies of a system; those that come later are added, those that leave keep their last state."""

    def __init__(self, system: Any, cores: Sequence[Core]) -> None:
        self._system = weakref.proxy(system)
        self._cores = cores
        self._bodies: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._seen: tuple[int, ...] = ()
        self._on_load: dict[Core, NDArray[np.int32]] = {}
        self._packed: list[tuple[Core, NDArray[np.int64], NDArray[np.int64]]] = []
        self._others: list[int] = []
        self.states = States(np.zeros((0, 3)), np.zeros((0, 4)), np.zeros((0, 3)), np.zeros((0, 3)))

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
        """The present states."""
        seen = (self._system.GetNumBodies(), *(len(core.stepper.bodies) for core in self._cores))
        if seen != self._seen:
            self._find(seen)
        for core, places, numbers in self._packed:
            at = core.stepper.now()
            unpack(at.x, at.w, places, numbers, self.states)
        for number in self._others:
            self._read_one(number)
        return self.states

    def energies(self) -> Energies:
        """Energies of the bodies that are there and not fixed, at the instant of the energy books: the start of the
        last step under a linearised integrator. Potential energy is by gravity alone."""
        return Energies(*energies_of(self._moving, self._mass, self._inertia, self._gravity, self._at_booking()))

    def _at_booking(self) -> States:
        """States of the bodies at the last commit of a linearised integrator; else the present ones."""
        booked = [entry for entry in self._packed if entry[0].stepper.clock.once and entry[0].stepper.book.is_open]
        if not booked:
            return self.states
        states = States(*(column.copy() for column in self.states))
        for core, places, numbers in booked:
            past = core.stepper.book.past
            count = past.size // (STATE_WIDTH + SPEED_WIDTH)
            if count == len(core.stepper.bodies):
                unpack(past[: STATE_WIDTH * count], past[STATE_WIDTH * count :], places, numbers, states)
        return states

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
            known = [(number, place) for number, place in places.items() if place is not None]
            if core.stepper.load is not None and known:
                numbers = np.array([number for number, _ in known])
                self._packed.append((core, np.array([place for _, place in known]), numbers))
                left -= set(numbers.tolist())
        self._others = sorted(left)

    def _make_room(self) -> None:
        """Rows for bodies that are new."""
        more = len(self._bodies) - len(self.states.position)
        rows = States(np.zeros((more, 3)), np.tile((1.0, 0.0, 0.0, 0.0), (more, 1)), np.zeros((more, 3)),
                      np.zeros((more, 3)))  # fmt: skip
        self.states = States(*(np.concatenate(both) for both in zip(self.states, rows, strict=True)))

    def _read_masses(self, here: Sequence[int]) -> None:
        """Masses and inertias of the bodies that are there, and gravity."""
        self._mass = np.array([body.GetMass() for body in self._bodies])
        self._inertia = np.array([inertia_of(body) for body in self._bodies]).reshape(-1, 3, 3)
        self._moving = np.array([number for number in here if not self._bodies[number].IsFixed()], np.int64)
        gravity = self._system.GetGravitationalAcceleration()
        self._gravity = np.array((gravity.x, gravity.y, gravity.z))

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
