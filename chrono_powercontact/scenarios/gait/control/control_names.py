"""Names that a user chooses from: controllers, observers and plants; so that listing them loads nothing else."""

from __future__ import annotations

CONTROLLERS = ("pd", "pd_filtered", "computed_torque", "learning")

ADAPTIVE = "adaptive"
RIDING = ("s1", "s2", "s3", "s4", ADAPTIVE)
"""Observers: a stage of the model; `adaptive` is S4 that finds the ankle mass as well."""

CONTROLLED = ("lugre", "sharp", "heavy", "model")
"""Plants: with LuGre friction, with sharp LPV friction, with LuGre friction and a fifth more mass in the ankle, and the
observer's own model."""
