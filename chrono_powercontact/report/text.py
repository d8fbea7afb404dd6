"""Metrics and parameters as lines of text for a terminal."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..scenarios.scenario import Scenario

WIDTH = 110
"""Columns that the lines of metrics keep to."""

LONGEST_LIST = 6
"""Entries of a list that are shown."""

GLUE = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken; it is printed as a plain one."""


def shown(value: Any) -> str:
    """A metric in one line: numbers with six digits, lists by their first entries, dicts as key: value."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple | np.ndarray):
        tail = ", ...]" if len(value) > LONGEST_LIST else "]"
        return "[" + ", ".join(shown(item) for item in value[:LONGEST_LIST]) + tail
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)


def wrapped(head: str, text: str, width: int, indent: int) -> list[str]:
    """Text after a head, the lines that follow indented; words that GLUE holds stay together."""
    lines = textwrap.wrap(
        head + text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(GLUE, " ") for line in lines]


def metric_lines(key: str, value: Any, indent: int = 2, pad: int = 28) -> list[str]:
    """A metric with its name: one line where it fits, else a line for each part or for a few entries."""
    head = f"{' ' * indent}{key:{pad}} "
    if len(head + shown(value)) <= WIDTH:
        return [head + shown(value)]
    if not isinstance(value, dict):
        return wrapped(head, shown(value), WIDTH, len(head))
    if any(isinstance(item, dict | list) for item in value.values()):
        widest = max(len(str(name)) for name in value)
        parts = (metric_lines(str(name), item, indent + 2, widest) for name, item in value.items())
        return [head.rstrip(), *(line for part in parts for line in part)]
    entries = ", ".join(f"{name}: {shown(item)}".replace(" ", GLUE) for name, item in value.items())
    return wrapped(head, f"{{{entries}}}", WIDTH, len(head) + 1)


def parameter_lines(scenario: Scenario[Any]) -> list[str]:
    """The parameters of a scenario as wide as the terminal, those of the chrono engine last."""
    known = {parameter.name: parameter for parameter in scenario.parameters_on("reference")}
    on_chrono = {}
    if "chrono" in scenario.engines:
        on_chrono = {parameter.name: parameter for parameter in scenario.parameters_on("chrono")}
    listed = on_chrono | known
    widest = max(map(len, listed))
    width = max(shutil.get_terminal_size().columns - 2, 40)
    lines = []
    for name in [*known, *(name for name in on_chrono if name not in known)]:
        help, bracket, default = listed[name].described().rpartition("(default")
        text = help + (bracket + default).replace(" ", GLUE)
        lines += wrapped(f"  {name:{widest}}  ", text, width, widest + 4)
    for name, parameter in known.items():
        if name in on_chrono and on_chrono[name].default != parameter.default:
            lines.append(f"  on the chrono engine the default of {name} is {on_chrono[name].default}")
    return lines
