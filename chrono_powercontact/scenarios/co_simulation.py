"""A plant or an observer as a unit that another tool advances: named inputs and outputs, and a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..errors import ParameterError, positive
from ..observer.filters.sigma_point_filter import SigmaPointFilter


@dataclass
class Unit:
    """What is advanced from outside.

    Attributes:
        inputs: by name, held over a step. outputs: names. units: SI unit of each, by name.
        read: the outputs at present. advance: one step on, of a length in s, under the inputs.
    """

    inputs: dict[str, float]
    outputs: Sequence[str]
    units: Mapping[str, str]
    read: Callable[[], Sequence[float]]
    advance: Callable[[float], None] = field(repr=False)


def whole_steps(length: float, step: float) -> int:
    """How many steps of a length in s make a communication step in s; refused where it is no whole number."""
    count = round(positive("communication step", length) / step)
    if count < 1 or abs(count * step - length) > 1e-9 * length:
        raise ParameterError(f"a communication step must be a whole multiple of {step:g} s, got {length:g} s")
    return count


def observer_unit(observer: SigmaPointFilter, units: Mapping[str, str]) -> Unit:
    """An observer: inputs and measurements in, estimates and NIS out; a step is a sample."""
    model = observer.model
    measured = {name: f"measured_{name}" for name in model.outputs}
    start = dict(zip(model.states, observer.x.tolist(), strict=True))
    inputs = dict.fromkeys(model.inputs, 0.0) | {word: start.get(name, 0.0) for name, word in measured.items()}

    def read() -> Sequence[float]:
        return [*observer.x, 0.0 if np.isnan(observer.nis) else observer.nis]

    def advance(length: float) -> None:
        if whole_steps(length, observer.sample_time) != 1:
            raise ParameterError(f"an observer steps by its sample time {observer.sample_time:g} s, got {length:g} s")
        observer.update([inputs[word] for word in measured.values()], [inputs[name] for name in model.inputs])

    known = {**units, **{word: units.get(name, "") for name, word in measured.items()}}
    return Unit(inputs, (*(f"est_{name}" for name in model.states), "nis"), known, read, advance)
