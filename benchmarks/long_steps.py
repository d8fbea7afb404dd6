"""Which claims of the scenarios hold on Chrono at steps from 1 to 20 ms, and what a run costs.

python benchmarks/long_steps.py                      (all scenarios that run on Chrono; needs PyChrono)
python benchmarks/long_steps.py --only slope --only drop

Prints the table of docs/any_step.md; a run of all scenarios writes benchmarks/long_steps.json. Takes some minutes.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chrono_powercontact import __version__
from chrono_powercontact.app.runner import execute
from chrono_powercontact.chrono.api.bridge import need_pychrono, version
from chrono_powercontact.errors import DivergedError
from chrono_powercontact.report.folder import write_json
from chrono_powercontact.scenarios.catalogue import every, find
from chrono_powercontact.scenarios.parameters import CHRONO

HERE = Path(__file__).resolve().parent

STEPS = (1e-3, 2e-3, 5e-3, 1e-2, 2e-2)
"""In s."""

SETTINGS: dict[str, tuple[dict[str, object], ...]] = {
    "stick_slip": ({}, {"friction": "anchored"}, {"table": "coarse"}),
    "stick_slip_2d": ({}, {"memory": "anchored"}),
    "cube": ({}, {"friction": False}),
    "slope": ({}, {"memory": "anchored"}, {"memory": "anchored", "angle": 26.4}, {"memory": "anchored", "angle": 28.0}),
    "slide": ({}, {"memory": "anchored"}),
    "box_stack": ({"time": 60.0},),
    "gripper": ({}, {"press": 4.0}),
    "gait_trainer": ({}, {"memory": "anchored"}),
    "rake_cleaner": ({"time": 70.0}, {"law": "anchored", "time": 70.0}),
}
"""What is run of each scenario; of all others, what they are by default."""


def measured(name: str, given: Mapping[str, object], step: float) -> dict[str, Any]:
    """A run with a step in s: whether its claim holds, what does not, and the processor time in s."""
    begin = time.process_time()
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            run = execute(find(name), {**given, "step": step}, CHRONO)
    except DivergedError as error:
        limit = find(name).step_limit(CHRONO, find(name).parameters_on(CHRONO).read({**given, "step": step}))
        return {"step": step, "holds": False, "missed": [], "told": [str(limit or error)], "seconds": None}
    missed = [check.text for check in run.outcome.checks if not check.passed]
    notes = [*run.warnings, *dict.fromkeys(str(one.message) for one in told)]
    seconds = time.process_time() - begin
    return {"step": step, "holds": run.outcome.passed, "missed": missed, "told": notes, "seconds": seconds}


def long_steps(names: Sequence[str]) -> list[dict[str, Any]]:
    """All runs of some scenarios, one row for each setting."""
    rows = []
    for name in names:
        for given in SETTINGS.get(name, ({},)):
            measured(name, given, STEPS[-1])  # compiles
            rows.append({"scenario": name, "given": given, "runs": [measured(name, given, step) for step in STEPS]})
            print(line(rows[-1]), flush=True)
    return rows


def heading() -> str:
    """The first two lines of the table."""
    steps = " | ".join(f"{1e3 * step:g}" for step in STEPS)
    return f"| scenario | {steps} | s at 5 ms | what does not hold |\n|---|{'---|' * (len(STEPS) + 2)}"


def line(row: Mapping[str, Any]) -> str:
    """A line of the table: a dot for each step in ms at which the claim holds, and what fails at the first other."""
    setting = ", ".join(f"{name}={value}" for name, value in row["given"].items())
    runs = row["runs"]
    held = " | ".join("•" if run["holds"] else "" for run in runs)
    cost = next(run["seconds"] for run in runs if run["step"] == 5e-3)
    reasons = next((run["missed"][:1] or run["told"][:1] for run in runs if not run["holds"]), [])
    reason = "".join(reasons).replace("|", "/")
    return f"| `{row['scenario']}` {setting} | {held} | {'' if cost is None else f'{cost:.1f}'} | {reason} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    need_pychrono()
    able = [scenario.name for scenario in every() if CHRONO in scenario.engines]
    parser = argparse.ArgumentParser(description="Claims of the scenarios on Chrono at long steps.")
    parser.add_argument("--only", action="append", choices=able, help="a scenario; may be given more than once")
    chosen = parser.parse_args(arguments).only
    print(heading())
    rows = long_steps(chosen or able)
    if chosen is None:
        write_json(HERE / "long_steps.json", {"package_version": __version__, "chrono": version(), "rows": rows})


if __name__ == "__main__":
    main()
