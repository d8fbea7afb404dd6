"""One file per system of the sources: its parameters, its model, its metrics, its claim."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from ..errors import UnknownNameError
from .scenario import Check, Outcome, Scenario

_CLASSES = {
    "ball": "Ball",
    "restitution_map": "RestitutionMap",
    "drop": "Drop",
    "wall": "Wall",
    "hysteresis": "Hysteresis",
    "stick_slip": "StickSlip",
    "stick_slip_2d": "StickSlip2D",
    "pendulum": "Pendulum",
    "cube": "Cube",
    "slope": "Slope",
    "slide": "Slide",
    "stack": "Stack",
    "roll": "Roll",
    "friction_lab": "FrictionLab",
    "rocking_slope": "RockingSlope",
    "box_stack": "BoxStack",
    "ladder": "Ladder",
    "gripper": "Gripper",
    "wheel": "Wheel",
    "gait_trainer": "GaitTrainer",
    "gait_observer": "GaitObserver",
    "gait_identification": "GaitIdentification",
    "rake_cleaner": "RakeCleaner",
    "rake_sensor": "RakeSensor",
}
NAMES = tuple(_CLASSES)


def find(name: str) -> Scenario:
    """The scenario of a name."""
    if name not in _CLASSES:
        raise UnknownNameError("scenario", name, NAMES)
    scenario: Scenario = getattr(import_module(f".{name}", __name__), _CLASSES[name])()
    return scenario


def every() -> Iterator[Scenario]:
    """All scenarios, in the order of the sources."""
    return (find(name) for name in NAMES)


__all__ = ["NAMES", "Check", "Outcome", "Scenario", "every", "find"]
