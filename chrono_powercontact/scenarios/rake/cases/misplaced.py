"""The rack that is closer than the drive assumes, and the limit of the single-acting cylinders."""

from __future__ import annotations

from dataclasses import replace

from ...scenario import Check, Metrics, within
from .claims import as_in_reference, honest, pushing
from .load_cases import MISPLACED, RakeParameters

EXPECTED = {"N": {"68": 12.3, "100": 8.19, "119": 11.60}, "F2": {"119": 225.0}}
"""Forces in kN at times in s with the plane 20 mm towards the rake."""
LIMIT_PASSED = "68"
"""Time in s at which the main cylinders would have to pull, as the metrics name it."""


def misplaced_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """Forces as in the reference run; that the main cylinders would have to pull is part of that, and is reported."""
    usual = replace(p, rack_offset=0.0) if p.rack_offset == MISPLACED else p
    checks = honest(p, metrics, engine)
    if not (as_in_reference(usual) and p.law == "regularised"):
        return [*checks, pushing(metrics)]
    forces = [
        within(f"{force} at {time} s", metrics[force][time] / 1e3, value, 0.02 * value, "kN")
        for force, row in EXPECTED.items()
        for time, value in row.items()
        if time in metrics[force]
    ]
    if LIMIT_PASSED not in metrics["N"]:
        return [*checks, *forces]
    limit = pushing(metrics)
    text = "must be passed" if limit.passed else "is passed, as in the reference run"
    return [*checks, *forces, Check(f"{limit.text}; the limit of single-acting cylinders {text}", not limit.passed)]
