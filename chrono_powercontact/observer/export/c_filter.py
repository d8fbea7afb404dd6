"""Writes a filter with its model as one C99 file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import Any

import numpy as np

from ... import __version__
from ...errors import ParameterError
from ..filter_model import FilterModel
from ..filters.ekf import EKF
from ..filters.factors import FLOOR
from ..filters.filter_layout import CDKF_KIND
from ..filters.sigma_point_filter import SigmaPointFilter
from .c_text import assignments, number
from .traced_kernels import call, vector
from .traced_numbers import Tape

TEMPLATE = "filter_template.c"


def _traced(function: Callable[..., None], model: FilterModel, given: int, results: int, name: str) -> str:
    """C of a model's function of a state with `given` entries that writes so many results into an array."""
    tape = Tape()
    numbers: list[Any] = list(model.p)
    for j, slot in enumerate(model.slots):
        numbers[slot] = tape.input(f"q[{j}]")
    x = vector([tape.input(f"x[{i}]") for i in range(given)])
    u = vector([tape.input(f"u[{i}]") for i in range(len(model.inputs))])
    out = vector([0.0] * results)
    call(tape, function, (tape.input("t"), x, u, vector(numbers), out))
    return assignments(tape, name, list(out))


def _measure(model: FilterModel) -> str:
    """C of the outputs."""
    if model.measure is not None:
        return _traced(model.measure.py_func, model, len(model.states), len(model.outputs), "y")
    return "\n".join(f"    y[{j}] = x[{i}];" for j, i in enumerate(model.pick))


def _row(values: Iterable[float]) -> str:
    return ", ".join(number(float(x)) for x in values)


def _matrix(values: Any) -> str:
    return ", ".join(f"{{{_row(line)}}}" for line in values)


def c_source(observer: SigmaPointFilter, title: str = "An observer") -> str:
    """The filter at its present estimate, with its model, as the text of one C99 file.

    The model's kernels are traced with their numbers: what is zero there costs nothing in C. An observer whose model is
    a system of the reference engine, or whose algorithm is the UKF, cannot be exported.
    """
    model = observer.model
    setting = observer.setting
    if model.terms is not None:
        raise ParameterError("only a filter whose model is a compiled function can be exported, this one has a system")
    if setting.algorithm["kind"][0] != CDKF_KIND:
        raise ParameterError(f"a CDKF or an EKF can be exported, got {type(observer).__name__}")
    if isinstance(observer, EKF) and observer.exact:
        raise ParameterError("C has the EKF with Jacobians by differences: export one with jacobians='differences'")
    moving = len(model.states) - len(model.slots)
    marks = {
        "TITLE": title, "VERSION": __version__, "STATES": ", ".join(model.states), "INPUTS": ", ".join(model.inputs),
        "OUTPUTS": ", ".join(model.outputs), "SAMPLE": f"{observer.sample_time:g}", "N": len(model.states),
        "MOVING": moving, "M": len(model.outputs), "NU": len(model.inputs), "STEP": number(setting.step),
        "STEPS": setting.steps, "FLOOR": number(FLOOR), "T_0": number(observer.t), "X_0": _row(observer.x),
        "SPREAD": number(setting.algorithm["spread"][0]), "OTHERS": number(setting.algorithm["others"][0]),
        "CURVATURE": number(setting.algorithm["curvature"][0]), "S_0": _matrix(observer.factor),
        "S_V": _matrix(setting.s_v), "S_N": _matrix(setting.s_n), "LOWER": _row(setting.lower),
        "UPPER": _row(setting.upper), "TURNS": ", ".join(str(int(turn)) for turn in np.atleast_1d(model.turns)),
        "RATE": _traced(model.rhs.py_func, model, moving, moving, "dx"), "MEASURE": _measure(model),
    }  # fmt: skip
    text = files(__package__).joinpath(TEMPLATE).read_text(encoding="utf-8")
    for name, value in marks.items():
        text = text.replace(f"@{name}@", str(value))
    return text
