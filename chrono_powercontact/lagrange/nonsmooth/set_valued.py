"""A model with rigid, set-valued contacts: Signorini's condition and Coulomb's law in place of force laws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ModelError, ParameterError, UnknownNameError, finite, not_negative
from ...laws.friction.stiction import stiction_of
from ...setvalued.contact_set import ContactSet, contact_set, touching
from ...setvalued.delassus import Indeterminacy, delassus, indeterminacy_of
from ...setvalued.ranges import ForceRanges, ranges_of
from ..equations import Terms, evaluate_terms, terms_like
from ..model import Model
from ..system import System
from .moreau_layout import CONTACT

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class SetValued:
    """A model with numbers whose contacts are rigid.

    Attributes:
        model: the symbolic system.
        parameters: number of each parameter, by name.
        mu: coefficient of friction of each contact, by name; missing ones are frictionless.
        closed_at: distance in m at which each contact is closed, by name; missing ones close at zero.
    """

    model: Model
    parameters: Mapping[str, float] = field(default_factory=dict)
    mu: Mapping[str, float] = field(default_factory=dict)
    closed_at: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.model.contacts:
            raise ModelError(f"model {self.model.name!r} has no contacts that could be set-valued")
        known = [contact.name for contact in self.model.contacts]
        for given in (self.mu, self.closed_at):
            for name in given:
                if name not in known:
                    raise UnknownNameError("contact point", name, known)
        for name, value in self.mu.items():
            not_negative(f"mu of {name}", value)
        for name, value in self.closed_at.items():
            finite(f"closed_at of {name}", value)
        _ = self.system

    @cached_property
    def system(self) -> System:
        """The model with numbers, without laws."""
        return System(self.model, self.parameters)

    @cached_property
    def contacts(self) -> NDArray[np.void]:
        """Records of the contacts, see CONTACT."""
        names = self.model.slip_names
        firsts = np.cumsum([0, *self.system.slip_sizes])
        records = np.zeros(len(self.model.contacts), CONTACT)
        row = 0
        for record, contact in zip(records, self.model.contacts, strict=True):
            size = len(contact.tangential)
            slip = int(firsts[names.index(contact.name)]) if size else 0
            record["slip"] = slip
            record["size"] = size
            record["row"] = row
            record["mu"] = self.mu.get(contact.name, 0.0)
            record["closed_at"] = self.closed_at.get(contact.name, 0.0)
            row += size + 1
        return records

    @property
    def labels(self) -> list[str]:
        """Names of the force components, tangential ones of each contact first (B.53)."""
        names = []
        for contact in self.model.contacts:
            endings = ("",) if len(contact.tangential) == 1 else ("_x", "_y")[: len(contact.tangential)]
            names += [f"T_{contact.name}{ending}" for ending in endings]
            names.append(f"N_{contact.name}")
        return names

    def terms_at(self, q: ArrayLike, u: ArrayLike | None = None, t: float = 0.0) -> Terms:
        """Mass matrix, bias, distances and directions at coordinates, velocities and a time in s."""
        sizes = self.system.sizes
        point = np.ascontiguousarray(q, float).ravel()
        speed = np.zeros(sizes.n_u) if u is None else np.ascontiguousarray(u, float).ravel()
        for name, values, size in (("q", point, sizes.n_q), ("u", speed, sizes.n_u)):
            if values.size != size or not np.all(np.isfinite(values)):
                raise ParameterError(f"{name} must have {size} entries, all finite, got {values.tolist()}")
        out: Terms = terms_like.py_func(point, sizes)
        evaluate_terms.py_func(self.system.terms, finite("t", t), point, speed, self.system.arguments.parameters, out)
        return out

    def rows_of(self, out: Terms) -> NDArray[np.float64]:
        """Directions of all force components (W^T) from the terms of a state."""
        parts = []
        for c, normal in zip(self.contacts, out.jac, strict=True):
            parts += [*out.slip_jac[c["slip"] : c["slip"] + c["size"]], normal]
        return np.array(parts)

    def delassus_at(self, q: ArrayLike) -> NDArray[np.float64]:
        """G = W^T M^-1 W at some coordinates, in 1/kg."""
        out = self.terms_at(q)
        return delassus(out.mass, self.rows_of(out))

    def contact_set(
        self, q: ArrayLike, u: ArrayLike | None = None, t: float = 0.0, acceleration: ArrayLike | None = None,
        gap: float = 1e-6, slip_speed: float = 1e-6,
    ) -> ContactSet:  # fmt: skip
        """The closed contacts at a state and what they must balance, see `force_ranges`."""
        out = self.terms_at(q, u, t)
        delassus(out.mass, np.zeros((0, out.bias.size)))
        rate = np.zeros(out.bias.size) if acceleration is None else np.asarray(acceleration, float).ravel()
        if rate.size != out.bias.size or not np.all(np.isfinite(rate)):
            raise ParameterError(f"acceleration must have {out.bias.size} entries, all finite, got {rate.tolist()}")
        closed = []
        for i, (c, contact) in enumerate(zip(self.contacts, self.model.contacts, strict=True)):
            if out.s[i] - c["closed_at"] > gap:
                continue
            part = slice(c["slip"], c["slip"] + c["size"])
            slip = out.slip[part]
            speed = float(np.linalg.norm(slip))
            sliding = -float(c["mu"]) * slip / speed if speed > slip_speed else None
            closed.append(touching(contact.name, out.jac[i], out.slip_jac[part], float(c["mu"]), sliding))
        return contact_set(closed, out.mass @ rate + out.bias)


def _set_of(contacts: ContactSet | SetValued | System, q: ArrayLike | None, **state: object) -> ContactSet:
    """The closed contacts of what was given."""
    if isinstance(contacts, ContactSet):
        return contacts
    if not isinstance(contacts, SetValued | System):
        raise ParameterError(f"contacts must be a System, a SetValued or a ContactSet, got {type(contacts).__name__}")
    if q is None:
        raise ParameterError("the bounds of a system need its coordinates q")
    rigid = contacts if isinstance(contacts, SetValued) else rigid_twin(contacts)
    return rigid.contact_set(q, **state)  # type: ignore[arg-type]


def force_ranges(
    contacts: ContactSet | SetValued | System, q: ArrayLike | None = None, u: ArrayLike | None = None,
    t: float = 0.0, acceleration: ArrayLike | None = None, gap: float = 1e-6, slip_speed: float = 1e-6,
) -> ForceRanges:  # fmt: skip
    """Smallest and largest value of each contact force that gives the same motion, within the friction cones.

    Args:
        contacts: a system of the reference engine, or contacts of any origin (`contact_set`).
        q, u, t: state of a system; it is at rest unless u is given.
        acceleration: of the velocities; zero unless given, so that the forces of equilibrium are asked for.
        gap: distance in m up to which a contact counts as closed.
        slip_speed: sliding speed in m/s above which friction is that of sliding.

    Raises:
        NoFeasibleForceError: where no admissible force gives that motion.
    """
    return ranges_of(_set_of(contacts, q, u=u, t=t, acceleration=acceleration, gap=gap, slip_speed=slip_speed))


def indeterminacy(
    contacts: ContactSet | SetValued | System, q: ArrayLike | None = None, t: float = 0.0, gap: float = 1e-6
) -> Indeterminacy:
    """How many contact forces the balance of forces leaves open, and along which patterns; see `force_ranges`."""
    return indeterminacy_of(_set_of(contacts, q, t=t, gap=gap))


def rigid_twin(system: System) -> SetValued:
    """A system with force laws as one with rigid contacts: they close where the laws begin, with their stiction."""
    mu = {}
    closed = {}
    for name, material in system.contacts.items():
        closed[name] = material.normal.s_0
        mu[name] = stiction_of(material.friction)
    return SetValued(system.model, dict(system.parameters), mu, closed)
