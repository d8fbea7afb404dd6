"""Names that a user chooses from: controllers, observers and plants; so that listing them loads nothing else."""

from __future__ import annotations

CONTROLLERS = ("pd", "pd_filtered", "computed_torque", "learning")

ADAPTIVE = "adaptive"
WATCHING = "watching"
AUGMENTED = "augmented"
RIDING = ("s1", "s2", "s3", "s4", ADAPTIVE, WATCHING, AUGMENTED)
"""Observers: a stage of the model; `adaptive` is S4 that finds the ankle mass as well, `watching` one that finds the
level of the slide's friction, `augmented` one that finds both, and the position of the knee stop."""

FAULTY = ("wear", "spasm", "stop", "sensor", "none")
"""What may happen to the leg: friction of the slide grows by a tenth, the patient has a spasm, the knee stop is hit too
hard, the hip's sensor sticks; or nothing."""

BACKLASH = "backlash"
CONTROLLED = ("lugre", "sharp", "heavy", "changed", BACKLASH, "model")
"""Plants: with LuGre friction, with sharp LPV friction, with LuGre friction and a fifth more mass in the ankle; that
with a tenth more friction of the slide and a knee stop 4 mrad earlier; with LuGre friction and backlash in the hip's
gear; and the observer's own model."""
