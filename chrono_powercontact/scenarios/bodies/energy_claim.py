"""What contacts and friction may do to the energy T + V + U of a body."""

from __future__ import annotations

from ..scenario import Check, Metrics, below


def energy_claim(metrics: Metrics, filtered: bool, rounding: float) -> list[Check]:
    """That T + V + U does not rise by more than a rounding in J.

    A filtered friction force lags behind the motion and hands energy back where that turns: T + V + U may then rise by
    as much, and that must be less than what friction took.
    """
    if not filtered:
        return [below("largest rise of T + V + U", metrics["max_energy_gain"], rounding, "J")]
    handed_back = metrics["handed_back"]
    return [
        below("largest rise of T + V + U", metrics["max_energy_gain"], handed_back + rounding, "J"),
        below("energy that filtered friction hands back", handed_back, metrics["friction_heat"] + rounding, "J"),
    ]
