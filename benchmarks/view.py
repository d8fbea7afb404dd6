"""What looking at a run costs: recording it, writing its page, and the size of that page.

python benchmarks/view.py                                    (20, 200 and 1000 spheres that fall into a box, 300 frames)
python benchmarks/view.py --counts 200 --repeats 5

Recording: the same run with and without `pc.record` at 60 frames per simulated second, in turn, window by window;
the least processor time of each window over the repeats. Page: the least processor time of some. Writes
benchmarks/view.json.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from heaps import STEP, prepared
from machine import machine

import chrono_powercontact as pc
from chrono_powercontact import __version__
from chrono_powercontact.chrono.api.bridge import need_pychrono, version
from chrono_powercontact.report.folder import write_json

HERE = Path(__file__).resolve().parent

FRAMES = 300
RATE = 60.0
"""Frames of a page, and per simulated second."""
WINDOW = 0.25
WINDOWS = 6
"""Length in s and number of the windows in which the cost of recording is measured."""
COUNTS = (20, 200, 1000)
REPEATS = 3
"""Fewest repeats."""
BODIES = 800
"""Bodies of all repeats together: short runs are repeated more often, because a few ms more or less count there."""


def stepped(system: Any, time_of_run: float) -> float:
    """Processor time in s of some time of a run."""
    steps = round(time_of_run / STEP)
    begin = time.process_time()
    for _ in range(steps):
        system.DoStepDynamics(STEP)
    return time.process_time() - begin


def recording_cost(count: int, repeats: int) -> dict[str, float]:
    """Processor time in s of a run of WINDOWS without and with recording."""
    plain, recorded = (np.full((repeats, WINDOWS), np.inf) for _ in range(2))
    for repeat in range(repeats):
        bare = prepared("spheres", count, "auto")
        watched = prepared("spheres", count, "auto")
        kept = pc.record(watched, frames=RATE)
        for window in range(WINDOWS):
            plain[repeat, window] = stepped(bare, WINDOW)
            recorded[repeat, window] = stepped(watched, WINDOW)
        assert len(kept) >= WINDOW * WINDOWS * RATE
    without = float(plain.min(axis=0).sum())
    whole = float(recorded.min(axis=0).sum())
    return {"run": without, "recorded_run": whole, "recording_share": whole / without - 1.0}


def page_cost(count: int, repeats: int, folder: Path) -> dict[str, float]:
    """Processor time in s of writing the page of a run of FRAMES, and its size in bytes."""
    system = prepared("spheres", count, "auto")
    recording = pc.record(system, frames=RATE, title=f"{count} spheres")
    while len(recording) < FRAMES:
        system.DoStepDynamics(STEP)
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        page = recording.html(folder / f"view_{count}.html")
        seconds.append(time.process_time() - begin)
    contacts = max(frame.contacts.size for frame in recording.frames)
    return {"page_seconds": min(seconds), "page_bytes": page.stat().st_size, "most_contacts": contacts}


def main() -> None:
    """Measure all counts."""
    need_pychrono()
    parser = argparse.ArgumentParser()
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    parser.add_argument("--repeats", type=int, help="repeats of each run (default: more of short ones)")
    parser.add_argument("--pages", type=Path, default=HERE, help="folder for the pages (default: here)")
    given = parser.parse_args()
    results = {}
    for count in given.counts:
        repeats = given.repeats or max(REPEATS, BODIES // count)
        row = recording_cost(count, repeats) | page_cost(count, REPEATS, given.pages)
        results[str(count)] = row
        print(f"{count:6} bodies:", ", ".join(f"{name} {value:.4g}" for name, value in row.items()), flush=True)
    about = {"machine": machine(), "package": __version__, "chrono": version(), "step": STEP, "frames": FRAMES}
    write_json(HERE / "view.json", {"about": about, "results": results})


if __name__ == "__main__":
    main()
