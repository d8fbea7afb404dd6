"""Seal friction of the cylinders in a Chrono scene: the plugin's friction along each line.

The seals resist the rod's motion, so that the lines must push the more: their forces are those of the pressures. The
plugin gives Chrono the damping of the seals, for near rest it is far too strong for the step.
"""

from __future__ import annotations

from ....laws.friction.dissipation import Dissipation
from ..motion.rake_motion import SEAL_SPEED
from .rake_scene import Scene


def add_seals(scene: Scene) -> None:
    """Friction in the cylinders that have seals."""
    from ....chrono.attachment import attach

    seals = scene.parts.lines["seal"].tolist()
    if any(seals):
        friction = attach(scene.system, jacobian=True)
        for line, seal in zip(scene.lines, seals, strict=True):
            friction.add_friction(line, Dissipation(seal, seal, SEAL_SPEED))
