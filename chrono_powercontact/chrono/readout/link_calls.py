"""Lets the calls by which scripts read reactions of links include what was handed over to Chrono, see `reactions`.

Chrono is told when a script reads a reaction. Where there is a machine whose C++ code may read one, as a robot, it is
told after each step by our own DoStepDynamics as well. C++ code that reads reactions after steps
that C++ takes by itself, as in DoFrameDynamics or in a robot's own DoStepDynamics, misses what was handed over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from ..api.bridge import owner_of, pychrono
from ..api.changes import family
from .script_calls import cores_on

READING = {
    "ChLinkBase": ("GetReaction1", "GetReaction2", "GetReact"),
    "ChLinkMotorLinear": ("GetMotorForce",),
    "ChLinkMotorRotation": ("GetMotorTorque",),
}
"""Methods that read reactions, by class."""


def _completed(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method, before which Chrono is told what was handed over."""

    @wraps(method)
    def reading(link: Any, *arguments: Any, **named: Any) -> Any:
        for core in cores_on(owner_of(link)):
            core.complete_reactions()
        return method(link, *arguments, **named)

    return reading


@cache
def complete_links() -> None:
    """Let PyChrono's links tell whole reactions, once for the process."""
    for name, methods in READING.items():
        for kind in family(getattr(pychrono(), name)):
            for method in methods:
                if method in vars(kind):
                    setattr(kind, method, _completed(vars(kind)[method]))
