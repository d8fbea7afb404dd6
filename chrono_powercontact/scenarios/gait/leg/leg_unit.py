"""The leg as a unit that another tool advances: torque and force in, motion out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....errors import DivergedError
from ...co_simulation import Unit, whole_steps
from ..study.replay import follow
from .leg_rate import CONTACT_HEAT
from .stages import Stage

OUTPUTS = ("phi", "s", "phi_dot", "s_dot")
UNITS = {"M": "N m", "F": "N", "phi": "rad", "s": "m", "phi_dot": "rad/s", "s_dot": "m/s"}


def leg_unit(stage: Stage, start: Sequence[float], step: float) -> Unit:
    """A stage of the leg from rest at a hip angle in rad and a slide position in m; RK4 with a step in s."""
    stage.check_start(float(start[0]), float(start[1]))
    record = stage.record
    x = np.zeros(CONTACT_HEAT)
    x[: len(start)] = start
    inputs = {"M": 0.0, "F": 0.0}
    end = np.zeros((1, 2))

    def advance(length: float) -> None:
        follow(x, np.array([[inputs["M"], inputs["F"]]]), step, whole_steps(length, step), record, end)
        if not np.all(np.isfinite(x)):
            raise DivergedError(f"the leg left the finite numbers with a step of {step:g} s: use a smaller one")

    return Unit(inputs, OUTPUTS, UNITS, lambda: x[: len(OUTPUTS)].tolist(), advance)
