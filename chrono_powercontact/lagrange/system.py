"""A model with its numbers: parameters, materials, friction laws and memory, ready for an integrator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ModelError, ParameterError, UnknownNameError, finite
from ..laws.friction.anchor import Anchor
from ..laws.friction.friction_law import FrictionLaw
from ..laws.friction.friction_table import FRICTION, friction_record
from ..laws.friction.lugre import LuGre
from ..laws.friction.memory import LTIFilter
from ..laws.material import Material
from ..laws.normal.normal_law import NormalLaw
from ..laws.normal.normal_table import NORMAL, normal_record
from ..laws.normal.restriction import Restriction
from .building.patches import radius_name, with_patches
from .codegen import compile_model
from .equations import evaluate_terms, terms_like
from .layout import (
    COORDINATE_MEMORY,
    ENERGY_NAMES,
    FILTER,
    LEDGER_NAMES,
    NO_CONTACT,
    POINT,
    POINT_MEMORY,
    Arguments,
    Sizes,
)
from .model import Model

NOTHING = Restriction(1.0, 0.0, 0.0, 0.0)
"""Law of a contact point without a material: no force."""


@dataclass(frozen=True)
class System:
    """A model with numbers.

    Attributes:
        model: the symbolic system.
        parameters: number of each parameter, by name.
        contacts: material of each contact point, by name; missing points do not touch.
        frictions: friction law of each friction point, by name; missing points slide freely.
        memories: filter or anchor of each friction point, by name; missing ones are static.
        coordinate_memory: the thesis' memory, one filter per generalised velocity, by coordinate name (2.25), (4.6b);
            it replaces the filters of the points. None keeps the memory at the points.
    """

    model: Model
    parameters: Mapping[str, float] = field(default_factory=dict)
    contacts: Mapping[str, Material] = field(default_factory=dict)
    frictions: Mapping[str, FrictionLaw] = field(default_factory=dict)
    memories: Mapping[str, LTIFilter | Anchor] = field(default_factory=dict)
    coordinate_memory: Mapping[str, LTIFilter] | None = None

    def __post_init__(self) -> None:
        self._names("contact point", self.contacts, [c.name for c in self.model.contacts])
        self._join_patches()
        model = self.model
        self._names("parameter", self.parameters, [s.name for s in model.parameters], complete=True)
        self._names("friction point", self.frictions, [f.name for f in model.frictions])
        self._names("friction point", self.memories, [f.name for f in model.frictions])
        for name, value in self.parameters.items():
            finite(name, value)
        self._check_laws()
        if self.coordinate_memory is None:
            return
        self._names("coordinate", self.coordinate_memory, self.speed_names, complete=True)
        laws = [*self.frictions.values(), *(m.friction for m in self.contacts.values())]
        if any(isinstance(law, LuGre) for law in laws):
            raise ModelError("LuGre keeps its memory at the point: it cannot be filtered per coordinate")
        memories = [*self.memories.values(), *(m.memory for m in self.contacts.values())]
        turning = [law for m in self.contacts.values() for law in (m.rolling, m.spinning) if law is not None]
        if turning or any(isinstance(memory, Anchor) for memory in memories):
            raise ModelError("an anchor is at the point: it cannot be combined with a filter per coordinate")

    def _join_patches(self) -> None:
        """Give contact points whose material has a patch the spin as a component of their slip."""
        radii = {name: material.patch for name, material in self.contacts.items() if material.patch > 0.0}
        known = {symbol.name for symbol in self.model.parameters}
        fresh = {name: radius for name, radius in radii.items() if radius_name(name) not in known}
        object.__setattr__(self, "model", with_patches(self.model, fresh))
        numbers = {radius_name(name): radius for name, radius in radii.items()}
        object.__setattr__(self, "parameters", {**self.parameters, **numbers})

    def _check_laws(self) -> None:
        """Raise where a law is given to a point at which it cannot act."""
        for name, law in self.frictions.items():
            if not (isinstance(law, FrictionLaw) and law.in_joints):
                raise ParameterError(f"friction point {name!r} needs a Dissipation or LuGre law, got {law!r}")
        slipping = self.model.slip_names
        for name, material in self.contacts.items():
            needed = {
                "": (material.friction, "friction but no tangential velocity"),
                "_rolling": (material.rolling, "rolling friction but no relative angular velocity"),
                "_spinning": (material.spinning, "spinning friction but no relative angular velocity"),
            }
            for tail, (acting, complaint) in needed.items():
                if acting is not None and name + tail not in slipping:
                    raise ModelError(f"contact point {name!r} has {complaint}")
        for name in self.memories:
            remembered = self.frictions.get(name)
            if remembered is None or not remembered.takes_memory:
                raise ParameterError(f"the memory of friction point {name!r} needs a Dissipation law to filter")

    def _names(self, kind: str, given: Mapping[str, object], known: list[str], complete: bool = False) -> None:
        for name in given:
            if name not in known:
                raise UnknownNameError(kind, name, known)
        missing = [name for name in known if name not in given]
        if complete and missing:
            raise ParameterError(f"model {self.model.name!r} needs a value for each {kind}, missing {missing}")

    @property
    def speed_names(self) -> list[str]:
        """Names under which velocities are addressed: the coordinates', or the quasi-velocities' own."""
        return [s.name for s in (self.model.u if self.model.u is not None else self.model.q)]

    @cached_property
    def slip_sizes(self) -> list[int]:
        """Number of tangential components of each point with friction."""
        return [len(vector) for vector in self.model.slips]

    @cached_property
    def sizes(self) -> Sizes:
        """Numbers of coordinates, velocities, contacts and slip components."""
        m = self.model
        return Sizes(len(m.q), len(m.speeds), len(m.contacts), sum(self.slip_sizes))

    @property
    def memory_size(self) -> int:
        """Number of memory states."""
        return self.sizes.n_u if self.coordinate_memory is not None else self.sizes.n_t

    @property
    def state_size(self) -> int:
        """Length of the full state."""
        return self.sizes.n_q + self.sizes.n_u + self.memory_size + len(LEDGER_NAMES)

    @cached_property
    def arguments(self) -> Arguments:
        """What the compiled engine takes after (terms, t, x)."""
        m = self.model
        normal = np.array([normal_record(self._normal_of(c.name)) for c in m.contacts], NORMAL)
        filters = np.ones(len(m.speeds), FILTER)
        mode = POINT_MEMORY
        if self.coordinate_memory is not None:
            filters[:] = [self.coordinate_memory[name].numbers for name in self.speed_names]
            mode = COORDINATE_MEMORY
        points, friction = self._friction_tables()
        return Arguments(
            np.array([float(self.parameters[s.name]) for s in m.parameters]), np.array(self.sizes, np.int64),
            normal, points, friction, filters, mode,
        )  # fmt: skip

    def _normal_of(self, contact: str) -> NormalLaw:
        """Normal law of a contact point, by name."""
        material = self.contacts.get(contact)
        return NOTHING if material is None else material.normal

    def _friction_tables(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The points at which friction acts, and the record of each one's law."""
        m = self.model
        owner = {motion: i for i, c in enumerate(m.contacts) for motion in c.motions}
        points: list[tuple[int, int, int]] = []
        friction: list[Any] = []
        first = 0
        for name, size in zip(m.slip_names, self.slip_sizes, strict=True):
            record = self._friction_of(name)
            if record is not None:
                friction.append(record)
                points.append((first, size, owner.get(name, NO_CONTACT)))
            first += size
        return np.array(points, POINT), np.array(friction, FRICTION)

    def _friction_of(self, name: str) -> Any:
        """The record of the friction at a point; None where it slides freely."""
        if name in self.frictions:
            return friction_record(self.frictions[name], self.memories.get(name))
        laws: dict[str, tuple[FrictionLaw | None, LTIFilter | Anchor | None]] = {}
        for contact, material in self.contacts.items():
            laws[contact] = material.friction, material.memory
            laws[f"{contact}_rolling"] = material.rolling, None
            laws[f"{contact}_spinning"] = material.spinning, None
        law, memory = laws.get(name, (None, None))
        return friction_record(law, memory) if law is not None else None

    def rubs(self, name: str) -> bool:
        """Whether friction acts at a point, by name."""
        return self._friction_of(name) is not None

    @cached_property
    def terms(self) -> Any:
        """The model's compiled kernel."""
        return compile_model(self.model)

    def state(self, q: ArrayLike, u: ArrayLike, memory: ArrayLike | None = None) -> NDArray[np.float64]:
        """The full state at the start: coordinates, velocities, memory (zero unless given), empty ledger."""
        sizes = self.sizes
        x = np.zeros(self.state_size)
        begin = 0
        for name, values, size in (("q", q, sizes.n_q), ("u", u, sizes.n_u), ("memory", memory, self.memory_size)):
            if values is not None:
                block = np.asarray(values, float).ravel()
                if block.size != size:
                    raise ParameterError(f"{name} must have {size} entries, got {block.size}")
                if not np.isfinite(block).all():
                    raise ParameterError(f"{name} must be finite, got {block.tolist()}")
                x[begin : begin + size] = block
            begin += size
        return x

    @cached_property
    def columns(self) -> list[str]:
        """Names of the recorded columns."""
        m = self.model
        slips = [
            f"{name}_{'xyz'[i]}" if size > 1 else name
            for name, size in zip(m.slip_names, self.slip_sizes, strict=True)
            for i in range(size)
        ]
        if self.coordinate_memory is not None:
            memory = [f"Q_{name}" for name in self.speed_names]
        else:
            memory = [f"memory_{name}" for name in slips]
        contacts = [c.name for c in m.contacts]
        return [
            "t", *(s.name for s in m.q), *(s.name for s in m.speeds), *memory, *LEDGER_NAMES,
            *(f"s_{name}" for name in contacts), *(f"F_{name}" for name in contacts), *(f"Ft_{name}" for name in slips),
            *ENERGY_NAMES,
        ]  # fmt: skip

    def effective_mass(self, q: ArrayLike, t: float = 0.0) -> dict[str, float]:
        """Effective mass in kg of each contact point along its normal, 1/(J M^-1 J^T)."""
        sizes = self.sizes
        q = np.ascontiguousarray(q, float).ravel()
        if q.size != sizes.n_q:
            raise ParameterError(f"q must have {sizes.n_q} entries, got {q.size}")
        out = terms_like.py_func(q, sizes)
        evaluate_terms.py_func(self.terms, t, q, np.zeros(sizes.n_u), self.arguments.parameters, out)
        compliance = np.einsum("ci,ij,cj->c", out.jac, np.linalg.inv(out.mass), out.jac)
        return {c.name: float(1.0 / max(k, 1e-300)) for c, k in zip(self.model.contacts, compliance, strict=True)}
