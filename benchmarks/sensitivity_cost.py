"""What derivatives cost: runs of scenarios with five parameters differentiated, over plain runs of the same.

Processor time of both in turn, in one process, after one run of each for the compiler. A round does some runs of each
kind and takes their medians; its ratio is what is asked to be at most 2.5. The table has the median ratio of all rounds
and the largest one. "differences" are two runs more for each parameter, where an engine has no dual numbers.

    python benchmarks/sensitivity_cost.py --out benchmarks/sensitivity_cost.json
    python benchmarks/sensitivity_cost.py --only wall ball
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any, NamedTuple

from machine import machine

from chrono_powercontact.progress import unwatched
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import REFERENCE, read_parameters

MOST = 2.5
"""Cost in plain runs that five exact derivatives are asked not to exceed."""

ROUND = 0.3
"""Least processor time in s that the plain runs of a round take together."""


class Case(NamedTuple):
    """A scenario, the parameters that are set, and those by which it is differentiated."""

    scenario: str
    by: tuple[str, ...]
    given: dict[str, Any] = {}


CASES = (
    Case("wall", ("speed", "mass", "r_f", "r_d", "s_0")),
    Case("wall", ("speed", "mass", "r_f", "r_d", "s_0"), {"speed": 200.0}),
    Case("ball", ("speed", "mass", "r_f", "r_d", "s_0")),
    Case("drop", ("height", "mass", "r_f", "r_d", "s_0")),
    Case("slide", ("speed", "mu", "mass", "r_f", "r_d")),
    Case("roll", ("angle", "radius", "mass", "r_f", "r_d")),
    Case("stick_slip", ("pull_speed", "mass", "k", "f_c", "f_s"), {"step": 1e-4}),
    Case("pendulum", ("m1", "l1", "s_0", "r_f", "r_d")),
    Case("cube", ("mass", "edge", "height", "r_f", "r_d")),
)
"""`wall` breaks and holds."""


def cost(case: Case, rounds: int) -> dict[str, Any]:
    """What the derivatives of a case cost."""
    scenario = find(case.scenario)
    p = read_parameters(scenario.parameters, case.given)

    def timed(by: tuple[str, ...]) -> float:
        begin = time.process_time()
        scenario.run(p, unwatched, REFERENCE, by)
        return time.process_time() - begin

    outcome = scenario.run(p, unwatched, REFERENCE, case.by)
    timed(())
    count = max(3, round(ROUND / timed(())))
    plain, with_slopes, ratios = [], [], []
    for _ in range(rounds):
        times = [(timed(()), timed(case.by)) for _ in range(count)]
        both = [statistics.median(column) for column in zip(*times, strict=True)]
        plain.append(both[0])
        with_slopes.append(both[1])
        ratios.append(both[1] / both[0])
    assert outcome.sensitivities is not None
    return {
        "scenario": case.scenario, "given": case.given, "by": case.by, "method": outcome.sensitivities.method,
        "plain": min(plain), "with_derivatives": min(with_slopes),
        "ratio": statistics.median(ratios), "largest_ratio": max(ratios),
    }  # fmt: skip


def main() -> None:
    """Measure all cases, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], metavar="SCENARIO")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    found = []
    for case in CASES:
        if arguments.only and case.scenario not in arguments.only:
            continue
        row = cost(case, arguments.rounds)
        found.append(row)
        words = " ".join(f"{name}={value:g}" for name, value in row["given"].items())
        times = f"{1e3 * row['plain']:8.2f} ms {1e3 * row['with_derivatives']:8.2f} ms"
        ratios = f"{row['ratio']:5.2f} (at most {row['largest_ratio']:.2f})"
        print(f"{row['scenario']:12} {words:12} {row['method']:12} {times}  {ratios}", flush=True)
    result = {"machine": machine(), "load": os.getloadavg()[0], "asked": MOST, "cases": found}
    if arguments.out:
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
