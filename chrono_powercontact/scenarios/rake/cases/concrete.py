"""The passage from the rack to the concrete above it: whether the rake lifts off, and how hard it is pressed there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...scenario import Check, Metrics, within
from ..motion.gauges import between
from .claims import as_in_reference, honest, pushing
from .load_cases import CONCRETE, RakeParameters, setup_of
from .measure import at, cycle_metrics

if TYPE_CHECKING:
    from ....trajectory import Trajectory

PASSAGE, UPWARDS, CLOSING = (122.0, 139.0), 128.0, 136.5
"""From the top of the rack until the rake is closed, a moment on the way up the concrete, one while it closes, in s."""


def concrete_metrics(p: RakeParameters, run: Trajectory) -> Metrics:
    """The cycle's figures, and pressing forces in N: smallest of the passage, on the way up, while the rake closes."""
    return cycle_metrics(setup_of(p), run) | {
        "n_passage": float(run["N"][between(run, *PASSAGE)].min()),
        "n_concrete": at(run, "N", UPWARDS),
        "n_closing": at(run, "N", CLOSING),
    }


def concrete_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """The rake stays on; at rest, where the regularised law has no friction, it is pressed as the drive is meant to."""
    least = metrics["n_passage"]
    _, _, target = CONCRETE
    checks = [*honest(p, metrics, engine), pushing(metrics)]
    checks.append(Check(f"smallest pressing force from rack to concrete {least:.4g} N (no lift-off)", least > 0.0))
    if as_in_reference(p) and p.law == "regularised":
        checks.append(within("pressing force while the rake closes", metrics["n_closing"], target, 0.03 * target, "N"))
    return checks
