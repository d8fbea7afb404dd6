"""The reference engine: energies in, compiled equations of motion out."""

from .model import TIME, ContactPoint, FrictionPoint, Model, coordinates, rate, velocities

__all__ = ["TIME", "ContactPoint", "FrictionPoint", "Model", "coordinates", "rate", "velocities"]
