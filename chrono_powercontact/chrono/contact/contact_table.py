"""The contact elements of an attachment as tables of records for the kernel, rebuilt when pairs change."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from ...laws.friction.anchor import Anchor, anchor_potential
from ...laws.friction.friction_law import FrictionLaw
from ...laws.friction.friction_table import ANCHORED, friction_record
from ...laws.material import Material
from ...laws.normal.normal_table import normal_record
from ..api.bridge import body_key
from . import contact_kernel as ck
from .bodies import SPEED_WIDTH
from .contact_jacobian import contact_jacobian
from .elements import MIDWAY, Element, elements_between
from .records import ELEMENT, GEOMETRY, MATERIAL, MEMORY, REPORT, TOTALS, empty, flat
from .shapes import Shape

Floats = NDArray[np.float64]
FlatTables = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
NO_REPORT = empty(REPORT, 0)


class Instant(NamedTuple):
    """A state at which forces are evaluated.

    Attributes:
        x, w: packed states and velocities of the bodies. time: in s.
        since: time since the last commit, in s. commit: whether to write the present memory.
        once: whether the integrator evaluates forces once per step, at its start.
        past: packed states and velocities at the last commit, needed for a commit with `once`.
        ahead: length in s of a step whose contacts are to be known at its start; 0 if only present ones are.
        stepping: whether the system takes a step; a reading commits too, and takes it back.
        followed: whether all parts were prepared for this state.
    """

    x: NDArray[np.float64]
    w: NDArray[np.float64]
    time: float
    since: float
    commit: bool
    once: bool = False
    past: NDArray[np.float64] | None = None
    ahead: float = 0.0
    stepping: bool = True
    followed: bool = False

    @property
    def before(self) -> NDArray[np.float64]:
        """Packed states and velocities at the last commit; present states if they are not needed."""
        return self.x if self.past is None else self.past


class Elements(Protocol):
    """Contact elements as tables of records; `tables` are elements, geometry, materials and memory as flat arrays.

    `found_anew` tells whether they were found anew in each step, so that the energy book does not follow them;
    `is_prepared` whether they are others in each step, which the preparation of their part sets.
    """

    found_anew: bool
    is_prepared: bool
    elements: NDArray[Any]
    geometry: NDArray[Any]
    memory: NDArray[Any]
    tables: FlatTables

    @property
    def records(self) -> NDArray[Any]:
        """Materials as the kernel reads them."""

    @property
    def laws(self) -> Sequence[Material]:
        """The same materials as laws."""

    def follow(self, at: Instant) -> None:
        """Bring the elements up to date with a state."""

    def reported(self, at: Instant) -> NDArray[Any]:
        """What each element does at a state, records of REPORT; `elements` are then those at that state."""


class Listed(Protocol):
    """Contacts that are listed as long as bodies are near the states for which the list was built.

    Attributes:
        reference: those states, packed; None if the list must be built. rooms: distance in m by which each body may
            move from there. shapes: their `extents` are those of the bodies in m.
    """

    reference: Floats | None
    rooms: Floats
    shapes: Any


class Part(Protocol):
    """Something on the load that exerts forces: contacts, joints."""

    @property
    def contacts(self) -> Sequence[Elements]:
        """Its contact elements."""

    @property
    def memories(self) -> Sequence[NDArray[Any]]:
        """The tables that a commit writes."""

    def stays(self, at: Instant) -> bool:
        """Whether a step that begins at the same state as the last one has the same contacts."""

    @property
    def is_regular(self) -> bool:
        """Whether all that `prepare` has to do in the next step, as long as the bodies are near those of `listed`, is
        done by its `preparation`."""

    @property
    def preparation(self) -> int:
        """Address of what compiled code prepares a step by, see `step_context`; 0 if there is nothing to prepare."""

    @property
    def listed(self) -> Listed | None:
        """Contacts that depend on where the bodies are, if it has any."""

    def is_crowd(self, at: Instant) -> bool:
        """Whether it has so many elements at a state that it computes their forces by itself."""

    def prepare(self, at: Instant) -> None:
        """Bring its elements up to date with a state at which forces are to be computed."""

    def evaluate(self, at: Instant, q: Floats, totals: Floats) -> None:
        """Add generalised forces to q, and stored energy and powers to totals, a flat record of TOTALS."""

    def blame(self, at: Instant) -> str | None:
        """Which of its laws gives a force that is not finite at a state, and where; None if none does."""


@runtime_checkable
class Stiff(Protocol):
    """A part that can differentiate its forces."""

    def differentiate(self, x: Floats, w: Floats, since: float, stiffness: Floats, damping: Floats) -> None:
        """Add K = -dQ/dx and R = -dQ/dv to dense matrices over the velocities of all bodies."""


@dataclass(frozen=True)
class Pair:
    """Two shapes, the material between them, and their elements."""

    first: Shape
    second: Shape
    material: Material
    elements: list[Element]

    @classmethod
    def of(cls, first: Shape, second: Shape, material: Material, point: str = MIDWAY) -> Pair:
        """The pair with its elements, whose geometry is that of the shapes; for the point see `elements_between`."""
        return cls(first, second, material, elements_between(first, second, point))


def anchors_of(material: Material) -> list[Any]:
    """The records of a material's anchors."""
    laws: list[tuple[FrictionLaw | None, Any]] = [(material.rolling, None), (material.spinning, None)]
    if isinstance(material.memory, Anchor):
        laws.append((material.friction, material.memory))
    records = [friction_record(law, memory) for law, memory in laws if law is not None]
    return [record["anchor"] for record in records if record["kind"] == ANCHORED]


def reach_of(material: Material) -> float:
    """Gap in m beyond which a material does not act; anchors shift the contact, so it starts before the gap closes."""
    if material.normal.reach > 0.0:
        return material.normal.reach
    return float(sum(anchor_potential(anchor, anchor["limit"]) for anchor in anchors_of(material)))


def material_record(material: Material) -> Any:
    """A material as the kernel reads it."""
    record = empty(MATERIAL, 1)[0]
    record["reach"] = reach_of(material)
    record["offset"] = material.normal.s_0
    record["patch"] = material.patch
    record["normal"] = normal_record(material.normal)
    record["friction"] = friction_record(material.friction, material.memory)
    record["rolling"] = friction_record(material.rolling)
    record["spinning"] = friction_record(material.spinning)
    return record


class Reporting(ABC):
    """A part made of contact elements that can report what each of them does; for `found_anew` see `Elements`."""

    found_anew: bool = False
    is_prepared = False

    elements: NDArray[Any]

    @abstractmethod
    def follow(self, at: Instant) -> None:
        """Bring the elements up to date with a state: there may be more of them, or fewer, afterwards."""

    def evaluate(self, at: Instant, q: Floats, totals: Floats) -> None:
        """Add the generalised forces to q, and stored energy and powers to totals."""
        self.report(at, q, totals, NO_REPORT)

    def report(self, at: Instant, q: Floats, totals: Floats, lines: NDArray[Any]) -> None:
        """Like `evaluate`; also write what each element does into records of REPORT, if there are any.

        Their number must be that of the elements at this state, see `reported`: the kernel writes to all of them.
        """
        if not at.followed:
            self.follow(at)
        many = len(self.elements)
        if len(lines) not in (0, many):
            raise ParameterError(f"lines must be none or one for each of {many} contact elements, got {len(lines)}")
        if many:
            self._add_forces(at, q, totals, lines)

    def _add_forces(self, at: Instant, q: Floats, totals: Floats, lines: NDArray[Any]) -> None:
        """Evaluate the elements, which have followed to the state."""
        tables = self._tables(at.w.size // SPEED_WIDTH)
        ck.contact_forces(at.x, at.w, *tables, at.since, at.commit, at.once, q, totals, flat(lines), at.before)

    def reported(self, at: Instant) -> NDArray[Any]:
        """What each element does at a state, records of REPORT; nothing is committed."""
        self.follow(at)
        lines = empty(REPORT, len(self.elements))
        self.report(at._replace(commit=False), np.zeros(at.w.size), flat(empty(TOTALS, 1)), lines)
        return lines

    @abstractmethod
    def _tables(self, bodies: int) -> tuple[NDArray[Any], ...]:
        """Arguments of the kernels after the state of a number of bodies: space for rotations, and the flat tables."""

    @property
    @abstractmethod
    def laws(self) -> Sequence[Material]:
        """Materials in the order of their records."""

    def blame(self, at: Instant) -> str | None:
        """Which law gives a force that is not finite, and where."""
        lines = self.reported(at)
        for element, line in zip(self.elements, lines, strict=True):
            material = self.laws[element["material"]]
            if not np.isfinite(line["force"]):
                return f"law {material.normal!r} gives a force of {line['force']:g} N at a gap of {line['gap']:g} m"
            if not np.isfinite(line["friction"]).all():
                return f"law {material.friction!r} gives a friction force that is not finite under {line['force']:g} N"
        return None


class ContactTable(Reporting):
    """Elements, geometry, laws and memory of all pairs, evaluated by the kernel."""

    def __init__(
        self, pairs: Mapping[int, Pair], bodies: Mapping[int, int], before: ContactTable | None = None
    ) -> None:
        heads = []
        shapes = []
        self.keys: list[tuple[int, int]] = []
        materials: dict[int, tuple[int, Material]] = {}
        for number, pair in pairs.items():
            slot = materials.setdefault(id(pair.material), (len(materials), pair.material))[0]
            first = bodies[body_key(pair.first.body)]
            second = bodies[body_key(pair.second.body)]
            for place, (kind, swapped, geometry) in enumerate(pair.elements):
                heads.append((kind, second, first, slot) if swapped else (kind, first, second, slot))
                shapes.append(geometry)
                self.keys.append((number, place))
        self.elements = np.array(heads, ELEMENT)
        self.geometry = np.array(shapes, GEOMETRY)
        self._laws = [material for _, material in materials.values()]
        self.materials = np.array([material_record(material) for material in self._laws], MATERIAL)
        self.memory = self._kept(before)
        self.tables: FlatTables = (
            flat(self.elements), flat(self.geometry), flat(self.materials), flat(self.memory)
        )  # fmt: skip
        """Elements, geometry, materials and memory as flat tables for the kernels."""
        self.arguments = np.zeros((len(bodies) if heads else 0, 3, 3)), *self.tables
        """Arguments of `contact_forces` after the state."""

    def _kept(self, before: ContactTable | None) -> NDArray[Any]:
        """The memory of elements that the previous table had; zero for new ones."""
        memory = empty(MEMORY, len(self.keys))
        if before is not None:
            old = dict(zip(before.keys, before.memory, strict=True))
            for place, key in enumerate(self.keys):
                if key in old:
                    memory[place] = old[key]
        return memory

    def __len__(self) -> int:
        return len(self.elements)

    def follow(self, at: Instant) -> None:
        """Named shapes have the same elements at all states."""

    @property
    def is_regular(self) -> bool:
        """True: there is never anything to do."""
        return True

    @property
    def preparation(self) -> int:
        """0: there is nothing to prepare."""
        return 0

    @property
    def listed(self) -> Listed | None:
        """None: all contacts are listed."""
        return None

    def is_crowd(self, at: Instant) -> bool:
        """False: named shapes have few elements."""
        return False

    def prepare(self, at: Instant) -> None:
        """Nothing to do: they are up to date."""

    def _tables(self, bodies: int) -> tuple[NDArray[Any], ...]:
        """Arguments of the kernels after the state."""
        return self.arguments

    def differentiate(self, x: Floats, w: Floats, since: float, stiffness: Floats, damping: Floats) -> None:
        """Add K = -dQ/dx and R = -dQ/dv of all elements."""
        contact_jacobian(x, w, *self.arguments, since, stiffness, damping)

    @property
    def records(self) -> NDArray[Any]:
        """Materials as the kernel reads them."""
        return self.materials

    @property
    def laws(self) -> Sequence[Material]:
        """Materials in the order of their records."""
        return self._laws

    @property
    def contacts(self) -> Sequence[Elements]:
        """Its contact elements."""
        return (self,)

    @property
    def memories(self) -> Sequence[NDArray[Any]]:
        """The memory of all elements."""
        return (self.memory,)

    def stays(self, at: Instant) -> bool:
        """True: contacts follow from the states of the bodies."""
        return True
