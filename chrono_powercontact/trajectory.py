"""The recorded columns of a run, from any engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


def derivative_name(column: str, parameter: str) -> str:
    """Name of the column that holds the derivative of another one."""
    return f"d({column})/d({parameter})"


@dataclass(frozen=True)
class Trajectory:
    """Recorded columns of a run.

    Attributes:
        names: of the columns.
        data: one row per recorded time.
        steps: integration steps taken.
        step_cost: wall-clock time per step in us, or None if it was not measured.
        scene: a recording of the moving bodies, where the run was watched; else None.
    """

    names: tuple[str, ...]
    data: NDArray[np.float64]
    steps: int
    step_cost: float | None = None
    scene: Any = field(default=None, repr=False, compare=False)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        try:
            return self.data[:, self.names.index(name)]
        except ValueError:
            raise KeyError(f"no column {name!r}; there are {', '.join(self.names)}") from None

    def __len__(self) -> int:
        return len(self.data)

    def derivative(self, column: str, parameter: str) -> NDArray[np.float64]:
        """Derivative of a column by a parameter, of a run with sensitivities."""
        return self[derivative_name(column, parameter)]

    @property
    def energy(self) -> NDArray[np.float64]:
        """T + V + sum U in J: the energy of the mechanism and its contacts."""
        return self["kinetic"] + self["potential"] + self["stored"]

    @property
    def ledger_error(self) -> NDArray[np.float64]:
        """Deviation of the ledger from closing, in J: energy + heat - handed back - drive work - energy at start.

        A column `step_loss` is what long steps of Chrono took, see `Energy.step`, less what is unpaid.
        """
        total = self.energy + self["contact_heat"] + self["friction_heat"] - self["handed_back"] - self["drive_work"]
        if "step_loss" in self.names:
            total = total + self["step_loss"]
        return total - total[0]

    @property
    def max_energy_gain(self) -> float:
        """Largest rise of T + V + sum U from one row to the next, in J."""
        return float(max(np.max(np.diff(self.energy), initial=0.0), 0.0))
