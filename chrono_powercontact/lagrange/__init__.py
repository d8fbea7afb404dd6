"""The reference engine: energies in, compiled equations of motion out."""

from .loops.loop_model import CutJoint, ExplicitClosure, Loop
from .model import TIME, ContactPoint, FrictionPoint, Model, coordinates, rate, velocities

__all__ = [
    "TIME",
    "ContactPoint",
    "CutJoint",
    "ExplicitClosure",
    "FrictionPoint",
    "Loop",
    "Model",
    "coordinates",
    "rate",
    "velocities",
]
