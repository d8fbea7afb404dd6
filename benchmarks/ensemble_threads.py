"""Ensembles over threads: simulated cube tosses in one compiled loop with one thread and with all of them, in turn.

Tells wall and processor time of each, their ratio, and whether the results are the same to the last bit.

    python benchmarks/ensemble_threads.py --tosses 10000 --out benchmarks/ensemble_threads.json
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from numpy.typing import NDArray

from chrono_powercontact.lagrange.ensemble import use_threads
from chrono_powercontact.scenarios.toss.simulated_tosses import SAMPLE, SAMPLES, TRUTH, simulated_tosses
from chrono_powercontact.scenarios.toss.toss_body import toss_records
from chrono_powercontact.scenarios.toss.toss_kernel import toss_ensemble
from chrono_powercontact.scenarios.toss.toss_start import ballistic_starts

MEASURED = 200
"""Tosses whose starts are repeated, each a little different."""


def starts_of(count: int) -> NDArray[np.float64]:
    """States of so many tosses at their starts."""
    some = ballistic_starts(simulated_tosses(min(count, MEASURED), 0)).of(TRUTH)
    states = np.resize(some, (count, some.shape[1]))
    states[:, 2] += np.random.default_rng(0).uniform(0.0, 0.01, count)
    return np.ascontiguousarray(states)


def timed(states: NDArray[np.float64], threads: int) -> tuple[NDArray[np.float64], dict[str, float]]:
    """The tosses with so many threads, with the times in s that they took."""
    before = use_threads(threads)
    wall, processor = time.perf_counter(), time.process_time()
    found = toss_ensemble(toss_records([TRUTH]), states, SAMPLES * np.arange(len(states) + 1), SAMPLE)
    taken = {"wall_time": time.perf_counter() - wall, "processor_time": time.process_time() - processor}
    use_threads(before)
    return found, taken


def main() -> None:
    """Measure both in turn, some rounds, and keep the least of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tosses", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    states = starts_of(arguments.tosses)
    counts = (1, os.cpu_count() or 1)
    timed(states[:8], counts[1])
    least: dict[int, dict[str, float]] = {}
    results = {}
    for _ in range(arguments.rounds):
        for threads in counts:
            results[threads], taken = timed(states, threads)
            least[threads] = {name: min(t, least.get(threads, taken)[name]) for name, t in taken.items()}
    one, all_of_them = (least[threads] for threads in counts)
    found: dict[str, Any] = {
        "machine": machine(),
        "tosses": arguments.tosses,
        "load": os.getloadavg()[0],
        "threads": {str(threads): times for threads, times in least.items()},
        "scaling": one["wall_time"] / all_of_them["wall_time"],
        "more_processor_time": all_of_them["processor_time"] / one["processor_time"],
        "same_results": bool(np.array_equal(results[counts[0]], results[counts[1]])),
    }
    print(json.dumps(found, indent=1))
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
