"""A filter's model from a system of the reference engine, with its contacts, friction and memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..errors import ParameterError, UnknownNameError
from ..lagrange.layout import LEDGER_NAMES
from ..lagrange.system import System
from ..laws.friction.friction_table import remembers
from .estimated import number_slots, slot_of
from .filter_model import FilterModel, still
from .system_rate import packed
from .tangents import system_tangent


def state_names(system: System) -> list[str]:
    """Names of the states of a system without its ledger: coordinates, velocities, memory."""
    return system.columns[1 : 1 + system.state_size - len(LEDGER_NAMES)]


def moving_states(system: System) -> list[str]:
    """States that change: all but the memory of points that keep none."""
    names = state_names(system)
    if system.coordinate_memory is not None:
        return names
    first = system.sizes.n_q + system.sizes.n_u
    kept = names[:first]
    for point, law in zip(system.arguments.points, system.arguments.friction, strict=True):
        if remembers(law):
            begin = first + int(point["first"])
            kept += names[begin : begin + int(point["size"])]
    return kept


def model_of(
    system: System, outputs: Sequence[str], inputs: Sequence[str] = (), states: Sequence[str] | None = None,
    angles: Sequence[str] = (), measure: Any = None, estimated: Sequence[str] = (),
) -> FilterModel:  # fmt: skip
    """The model of a system for a filter.

    Args:
        outputs: states that are measured, by name; any names where `measure` is given.
        inputs: parameters of the model that the input sets, such as a drive's force.
        states: what is estimated; by default every state that changes. The others stay at zero.
        angles: outputs that are known up to full turns. measure: see `FilterModel`.
        estimated: numbers of the system that become states, as random walks: parameters of the model by name, numbers
            of a law as `POINT.FIELD` (`knee.r_c`, `foot.mu_c`), or `FIELD` alone where only one point has it.
    """
    known = state_names(system)
    parameters = [symbol.name for symbol in system.model.parameters]
    chosen = moving_states(system) if states is None else list(states)
    for kind, names, allowed in (("state", chosen, known), ("input", inputs, parameters)):
        for name in names:
            if name not in allowed:
                raise UnknownNameError(kind, name, allowed)
    indices = np.array([known.index(name) for name in chosen], np.int64)
    drives = np.array([parameters.index(name) for name in inputs], np.int64)
    p = packed(system, indices, drives)
    slots = number_slots(system, len(chosen), len(inputs))
    walks = tuple(slot_of(name, slots) for name in _own(estimated, inputs))
    names = (*chosen, *estimated)
    tangent = partial(system_tangent, system, indices, drives, walks)
    return FilterModel(
        still, names, tuple(inputs), tuple(outputs), p, measure, tuple(angles), system.terms, walks, tangent
    )


def _own(estimated: Sequence[str], inputs: Sequence[str]) -> Sequence[str]:
    """What is to be estimated; refused where an input sets it."""
    for name in estimated:
        if name in inputs:
            raise ParameterError(f"{name!r} is an input, it cannot be estimated as well")
    return estimated
