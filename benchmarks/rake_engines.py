"""The rake cleaner on both engines: how far Chrono's run is from the reference engine's.

python benchmarks/rake_engines.py

For each setting: largest and root-mean-square difference of a column over its range, when the largest occurs, and the
ledger error of both engines over the drives' work. Needs PyChrono; takes about four minutes.
"""

from __future__ import annotations

import sys

import numpy as np

from chrono_powercontact.app.runner import execute
from chrono_powercontact.chrono.api.bridge import need_pychrono
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.trajectory import Trajectory

SETTINGS: tuple[dict[str, object], ...] = (
    {},
    {"step": 5e-4},
    {"law": "anchored"},
    {"law": "power"},
    {"case": "lc10"},
    {"rack": "segmented"},
    {"flow": 0.73, "buoyancy": True, "debris": 300.0},
    {"rack": "segmented", "flow": 0.7},
    {"version": "v3"},
)
SHOWN = ("F1", "F2", "N", "F_t", "outer_work")


def difference(column: str, known: Trajectory, found: Trajectory) -> str:
    """Largest and rms difference of a column over its range, and the time in s of the largest."""
    away, span = np.abs(found[column] - known[column]), float(np.ptp(known[column]))
    if span == 0.0:
        return f"{column} -"
    worst = int(away.argmax())
    rms = float(np.sqrt(np.mean(away**2)))
    return f"{column} {100 * away[worst] / span:.2g} % at {known['t'][worst]:.2f} s, rms {100 * rms / span:.2g} %"


def main() -> int:
    """Print a line per setting and column."""
    need_pychrono()
    for given in SETTINGS:
        known, found = (execute(find("rake_cleaner"), given, engine).outcome for engine in ("reference", "chrono"))
        print(given or "lc3", flush=True)
        for column in SHOWN:
            print("   ", difference(column, known.trajectory, found.trajectory), flush=True)
        peaks, errors = ([run.metrics[name] for run in (known, found)] for name in ("friction_peak", "ledger_error"))
        print(
            f"    friction peak {peaks[0]:.5g} N and {peaks[1]:.5g} N, ledger error {errors[0]:.2g} and {errors[1]:.2g}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
