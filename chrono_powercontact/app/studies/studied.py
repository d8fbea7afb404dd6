"""A scenario that a study varies: some of its numbers, each from its value and between bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError, UnknownNameError
from ...scenarios.catalogue import find
from ...scenarios.parameters import REFERENCE, read_parameters
from ...scenarios.scenario import Scenario
from ...scenarios.scenario_sensitivity import Differentiated, changed, check_names, differentiate

Array = NDArray[np.float64]

RANGE = (0.2, 5.0)
"""How far a number may be from where a search begins, as a factor, unless bounds are given."""


@dataclass(frozen=True)
class Studied:
    """A scenario on the reference engine, with parameters that a study varies.

    Attributes:
        scenario: what is run. parameters: all its parameters at the start. names: those that vary.
    """

    scenario: Scenario[Any]
    parameters: Any
    names: tuple[str, ...]

    @classmethod
    def of(cls, name: str, given: Mapping[str, object] | None, names: Sequence[str]) -> Studied:
        """A scenario by its name, with some parameters set."""
        scenario = find(name)
        check_names(scenario, names, REFERENCE)
        if len(names) == 0:
            raise ParameterError("a study needs the name of a parameter to vary, got none")
        return cls(scenario, read_parameters(scenario.parameters, given or {}), tuple(names))

    @property
    def values(self) -> Array:
        """The varied parameters at the start."""
        return np.array([float(getattr(self.parameters, name)) for name in self.names])

    def at(self, values: Array) -> Any:
        """All parameters with other values of the varied ones."""
        p = self.parameters
        for name, value in zip(self.names, values, strict=True):
            p = changed(p, name, float(value))
        return p

    def differentiated(self, values: Array) -> Differentiated:
        """A run with its derivatives by the varied parameters."""
        return differentiate(self.scenario, self.at(values), self.names)

    def bounds(self, given: Mapping[str, tuple[float, float]] | None) -> tuple[Array, Array]:
        """Least and largest values of the varied parameters."""
        for name in given or {}:
            if name not in self.names:
                raise UnknownNameError("bounded parameter", name, self.names)
        ends = []
        for name, value in zip(self.names, self.values, strict=True):
            low, high = sorted(factor * value for factor in RANGE)
            ends.append((given or {}).get(name, (low, high)))
        low_high = np.array(ends, float)
        return low_high[:, 0], low_high[:, 1]
