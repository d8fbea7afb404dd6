"""Does any sequence of calls end the process? Random calls on systems with attachments, in processes of their own.

python benchmarks/call_sequences.py                    (10 000 sequences of 25 calls; about 15 minutes on one core)
python benchmarks/call_sequences.py --count 1 --first 1466 --spoken       (one sequence, call by call)

A sequence attaches, adds, takes over, detaches, clears, removes, refuses, changes bodies and shapes, reads and steps.
Reports sequences that crash, raise an error that is not one of this package's, or hang; and how the memory that a
process holds grows: what was allocated and not freed. The resident memory is told beside it, but says less: freed
memory stays with the process or goes back as it happens, and each system with Bullet takes and frees 4.7 MB at once.
Writes call_sequences.json.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from call_scene import keep_silent, run_sequence
from machine import machine

from chrono_powercontact import __version__
from chrono_powercontact.chrono.api.bridge import need_pychrono, version
from chrono_powercontact.report.folder import write_json

HERE = Path(__file__).resolve().parent
BATCH = 2500
"""Number of sequences in one process."""
SLOWEST = 2.0
STARTING = 300.0
"""Time in s that a sequence may take on average, and that a process may take to start, before it counts as hung."""
COLLECT = 25
"""Number of sequences after which garbage is collected, so that the memory shows what is held."""
WARM = 500
"""Number of sequences after which the memory of a process should grow no more."""
ALLOCATING = {"PYTHONMALLOC": "malloc"}
"""Environment of a process in which `held` counts Python's objects."""


class _Mallinfo(ctypes.Structure):
    """What glibc says about allocated memory; numbers of bytes, and counts."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    )  # fmt: skip


def held() -> float:
    """Memory in MB that was allocated and not freed; the resident memory where the system does not tell.

    Python's own objects count too if it allocates them one by one, which PYTHONMALLOC=malloc demands.
    """
    ask = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if ask is None:
        return resident()
    ask.restype = _Mallinfo
    told = ask()
    return float(told.uordblks + told.hblkhd) / 1e6


def resident() -> float:
    """Memory of this process in MB; 0 where the system does not tell."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if statm.exists() else 0.0


def work(first: int, count: int, spoken: bool) -> None:
    """Run sequences, and print the number of each before it begins, with the memory held and resident in MB.

    What the process holds after the first ones is Python's and the compiler's own: to search it for garbage again and
    again would take longer than the sequences.
    """
    for number in range(first, first + count):
        if (number - first) % COLLECT == 0:
            gc.collect()
        if number - first == WARM:
            gc.freeze()
        print(number, f"{held():.3f}", f"{resident():.3f}", flush=True)
        run_sequence(number, (lambda call: print(f"  {call}", flush=True)) if spoken else keep_silent)
    gc.collect()
    print("done", f"{held():.3f}", f"{resident():.3f}", flush=True)


@dataclass
class Findings:
    """Sequences that ended badly, by their numbers, and the growth of memory in MB per 1000 sequences, per process."""

    crashes: list[int] = field(default_factory=list)
    errors: list[int] = field(default_factory=list)
    hangs: list[int] = field(default_factory=list)
    growth: list[float] = field(default_factory=list)
    resident: list[float] = field(default_factory=list)


def growth(memory: list[float]) -> float:
    """Growth in MB per 1000 sequences: the slope of a line through what a process holds after each collection."""
    places = np.arange(WARM, len(memory), COLLECT)
    return float(1e3 * np.polyfit(places, np.array(memory)[places], 1)[0])


def batch(first: int, count: int, findings: Findings) -> int:
    """Run sequences in a process of their own; returns how many were begun."""
    command = [sys.executable, __file__, "--worker", "--first", str(first), "--count", str(count)]
    try:
        limit = STARTING + SLOWEST * count
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env=os.environ | ALLOCATING)
        told, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        told, code = (late.stdout or b"").decode(), None
    lines = [line.split() for line in told.splitlines() if line[:1].isdigit() or line.startswith("done")]
    if len(lines) > 2 * WARM:
        findings.growth.append(growth([float(line[1]) for line in lines]))
        findings.resident.append(growth([float(line[2]) for line in lines]))
    if code == 0:
        return count
    last = int(lines[-1][0])
    bad = findings.hangs if code is None else findings.errors if code == 1 else findings.crashes
    bad.append(last)
    print(f"sequence {last}: {'hangs' if code is None else f'exit code {code}'}", flush=True)
    return last - first + 1


def median(numbers: list[float]) -> float | None:
    """The upper median; None of nothing."""
    return sorted(numbers)[len(numbers) // 2] if numbers else None


def survey(first: int, count: int) -> Findings:
    """Run all sequences in batches; a batch that ends early is continued after the sequence that ended it."""
    findings = Findings()
    begun = 0
    while begun < count:
        begun += batch(first + begun, min(BATCH, count - begun), findings)
        print(f"{begun} of {count}", file=sys.stderr, flush=True)
    return findings


def main() -> int:
    """Read the command line, run, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--spoken", action="store_true", help="tell each call, in this process")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    need_pychrono()
    if chosen.worker or chosen.spoken:
        work(chosen.first, chosen.count, chosen.spoken)
        return 0
    start = time.perf_counter()
    findings = survey(chosen.first, chosen.count)
    found = {name: getattr(findings, name) for name in ("crashes", "errors", "hangs")}
    slope = median(findings.growth)
    report = {
        "machine": machine(), "version": __version__, "pychrono": version(), "first": chosen.first,
        "sequences": chosen.count, "seconds": round(time.perf_counter() - start, 1), **found,
        "growth_in_mb_per_1000": slope, "resident_growth_in_mb_per_1000": median(findings.resident),
    }  # fmt: skip
    write_json(HERE / "call_sequences.json", report)
    print(", ".join(f"{len(numbers)} {name}" for name, numbers in found.items()), f"growth {slope} MB per 1000")
    return int(any(found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
