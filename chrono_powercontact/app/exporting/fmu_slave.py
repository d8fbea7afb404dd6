"""What runs inside an FMU: a unit of a scenario, by the names in unit.json beside this file.

pythonfmu copies this file into the FMU; it runs wherever chrono_powercontact is installed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters

SETTINGS = "unit.json"


class PowerContactUnit(Fmi2Slave):
    """A plant or an observer."""

    author = "chrono_powercontact"

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        told = json.loads((Path(given["resources"]) / SETTINGS).read_text(encoding="utf-8"))
        scenario = find(told["scenario"])
        self.description = scenario.claim
        unit = scenario.unit(read_parameters(scenario.parameters, told["params"]))
        if unit is None:
            raise ParameterError(f"scenario {scenario.name!r} has no unit for an FMU")
        self._unit = unit
        for name in self._unit.inputs:
            self._register(name, Fmi2Causality.input, self._setter(name), self._getter(name))
        for place, name in enumerate(self._unit.outputs):
            self._register(name, Fmi2Causality.output, None, self._reader(place))

    def _register(self, name: str, causality: Any, setter: Any, getter: Any) -> None:
        self.register_variable(
            Real(
                name, causality=causality, variability=Fmi2Variability.continuous, getter=getter, setter=setter,
                description=f"in {self._unit.units.get(name.removeprefix('est_'), '') or '1'}",
            ),
            nested=False,
        )  # fmt: skip

    def _setter(self, name: str) -> Any:
        return lambda value: self._unit.inputs.__setitem__(name, float(value))

    def _getter(self, name: str) -> Any:
        return lambda: self._unit.inputs[name]

    def _reader(self, place: int) -> Any:
        return lambda: float(self._unit.read()[place])

    def do_step(self, current_time: float, step_size: float) -> bool:
        """One communication step."""
        self._unit.advance(step_size)
        return True
