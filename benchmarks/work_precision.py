"""Error against processor time over the step, in five cases with a known answer, for our law and other engines.

python benchmarks/work_precision.py                 (everything; needs: pip install -e ".[drift]", and PyChrono)
python benchmarks/work_precision.py --only chrono --case slide --setting implicit
python benchmarks/work_precision.py --report        (table and picture from the saved results)

Rows that were run replace those of benchmarks/work_precision.json, which is written after every case of an engine; from
it come docs/images/work_precision.png and the tables in docs/work_precision.md. Each case of an engine runs in a
process of its own. The rows of an engine that is not installed stay, and the page says so.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from machine import ENGINES, engine_version, machine, run_apart
from precision_cases import CASES, SHORT_STEPS, STEPS, Case, apart
from precision_report import key, save_picture, write_tables
from worlds.world import Run, World

from chrono_powercontact import __version__
from chrono_powercontact.report.folder import write_json

HERE = Path(__file__).resolve().parent
SAVED = HERE / "work_precision.json"
PAGE = HERE.parent / "docs" / "work_precision.md"
PICTURE = HERE.parent / "docs" / "images" / "work_precision.png"

REPEATS, CHEAP = 3, 2.0
"""Runs of which the cheapest counts, if one takes less than so many s of processor time."""

FINE = 1e-5
"""Step in s of a fine run, unless the engine says otherwise."""

OURS = ("chrono", "ours, explicit", 2e-6)
"""Engine, setting and step in s of our own fine run: forces at the start of the step, so it knows no solver."""


def cheapest(module: Any, setting: str, world: World, value: float) -> Run:
    """Run a world, a cheap one several times; returns the cheapest run."""
    best = module.simulate(setting, world, value)
    if best.cost * best.t[-1] < CHEAP:
        again = (module.simulate(setting, world, value) for _ in range(REPEATS - 1))
        best = min((best, *again), key=lambda run: run.cost)
    if not np.isfinite(best.states).all():
        raise ArithmeticError("the state is not finite")
    return best


def measured(module: Any, case: Case, setting: str, value: float, fine: Run | None, ours: Run | None) -> dict[str, Any]:
    """One row: error and cost, or why there is none.

    Args:
        module: the engine. case: what runs. setting: of the engine. value: step in s, or accuracy.
        fine: fine run of the same setting, for a case without a closed form. ours: fine run of ours.
    """
    row: dict[str, Any] = {"setting": setting, "value": value, "machine": machine()}
    try:
        runs = [cheapest(module, setting, world, value) for world in case.worlds(value)]
        if case.error is not None:
            row["error"] = case.error(runs)
        elif fine is not None:
            row["error"] = apart(runs[0], fine)
            row["from_ours"] = None if ours is None else apart(runs[0], ours)
        row["cost"] = sum(run.cost for run in runs) / len(runs)
    except Exception as error:
        return row | {"failed": f"{type(error).__name__}: {error}"}
    return row


def values_of(module: Any, case: Case) -> tuple[float, ...]:
    """Steps in s, or accuracies, with which an engine runs a case."""
    if hasattr(module, "KNOBS"):
        return tuple(module.KNOBS)
    return (*SHORT_STEPS, *STEPS) if case.name == "bounce" else STEPS


def fine_run(module: Any, engine: str, setting: str, case: Case) -> Run | None:
    """The fine run with which a setting is compared; both of ours have the same. None if it fails."""
    value = getattr(module, "FINEST", FINE)
    if engine == OURS[0] and setting.startswith("ours"):
        setting, value = OURS[1:]
    try:
        return module.simulate(setting, case.worlds(value)[0], value)
    except Exception as error:
        print(f"{engine}: {setting}: the fine run failed: {error}", file=sys.stderr, flush=True)
        return None


def run_case(engine: str, name: str, wanted: str, ours: list[Any] | None) -> dict[str, Any]:
    """Rows of a case in an engine for settings whose names contain a text; or why it is missing or impossible."""
    found: dict[str, Any] = {"engine": engine, "case": name, "rows": []}
    try:
        module = import_module(f"worlds.{engine}")
    except ImportError as error:
        return found | {"missing": str(error)}
    found |= {"version": engine_version(engine)}
    if name in module.IMPOSSIBLE:
        return found | {"impossible": module.IMPOSSIBLE[name]}
    (case,) = (case for case in CASES if case.name == name)
    our_fine = None if ours is None else Run(np.zeros(0), np.array(ours), 0.0)
    for setting in (setting for setting in module.SETTINGS if wanted in setting):
        fine = fine_run(module, engine, setting, case) if case.error is None else None
        if fine is not None and engine == OURS[0] and setting.startswith("ours"):
            our_fine, found["ours"] = fine, fine.states.tolist()
        for value in values_of(module, case):
            print(f"{name}: {engine}: {setting}: {value:g}", file=sys.stderr, flush=True)
            row = measured(module, case, setting, value, fine, our_fine)
            found["rows"].append({"case": name, "engine": engine, **row})
    return found


def merged(kept: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The saved result with a new case of an engine; one that is missing keeps its rows."""
    engine, case = new["engine"], new["case"]
    result = {**kept, "missing": {k: v for k, v in kept["missing"].items() if k != engine}}
    if "missing" in new:
        return result | {"missing": {**result["missing"], engine: new["missing"]}}
    rows = {key(row): row for row in (*kept["rows"], *new["rows"])}
    return result | {
        "versions": {**kept["versions"], engine: new["version"]},
        "impossible": {
            **kept["impossible"],
            **({f"{case}: {engine}": new["impossible"]} if "impossible" in new else {}),
        },
        "ours": new.get("ours", kept["ours"]),
        "rows": list(rows.values()),
    }


def parameters(case: Case) -> dict[str, Any]:
    """What a case is, in SI units."""
    world = asdict(case.worlds(STEPS[0])[0])
    return {"name": case.name, "unit": case.unit, "truth": case.truth, "world": world}


def load() -> dict[str, Any]:
    """The saved result, or an empty one."""
    empty: dict[str, Any] = {"versions": {}, "missing": {}, "impossible": {}, "ours": None, "rows": []}
    kept = json.loads(SAVED.read_text()) if SAVED.exists() else {}
    return empty | kept | {"package_version": __version__, "cases": [parameters(case) for case in CASES]}


def report(result: dict[str, Any]) -> None:
    """Write tables and picture."""
    write_tables(result, PAGE)
    save_picture(result, PICTURE)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Error against processor time over the step.")
    parser.add_argument("--only", action="append", choices=ENGINES, help="an engine; may be given more than once")
    parser.add_argument("--case", action="append", choices=[case.name for case in CASES], help="a case; likewise")
    parser.add_argument("--setting", default="", help="run only settings whose name contains this")
    parser.add_argument("--report", action="store_true", help="run nothing; write tables and picture")
    given = parser.parse_args(arguments)
    result = load()
    jobs = [] if given.report else [(e, c.name) for c in CASES for e in given.only or ENGINES]
    for engine, case in jobs:
        if given.case is None or case in given.case:
            new = run_apart(run_case, engine, case, given.setting, result["ours"])
            if isinstance(new, BrokenProcessPool):
                new = {"engine": engine, "case": case, "missing": f"its process ended without a word in {case}"}
            result = merged(result, new)
            write_json(SAVED, result)
    report(result)


if __name__ == "__main__":
    main()
