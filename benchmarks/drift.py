"""Creep of a cube on a slope, and what a run costs: our laws, Chrono's SMC and NSC, and five other engines.

python benchmarks/drift.py                      (all engines; needs: pip install -e ".[drift]", and PyChrono)
python benchmarks/drift.py --only mujoco --only pybullet
python benchmarks/drift.py --only chrono --setting anchored      (settings whose name contains it)

Rows that were run replace those of benchmarks/drift.json; from all of them come docs/images/drift.png and the table in
docs/drift.md. Each engine runs in a process of its own. An engine that is not installed keeps the rows it has, and the
table says so.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from pathlib import Path
from typing import Any

from drift_report import save_picture, table, write_table
from engines.scene import EDGE, MASS, MU, TIME, Setting, creep, presliding
from machine import ENGINES, engine_version, machine, run_apart

from chrono_powercontact import __version__
from chrono_powercontact.report.folder import write_json

HERE = Path(__file__).resolve().parent

REPEATS = 3
"""Runs of a setting: the cheapest counts, for a machine has other things to do."""


def measured(module: Any, setting: Setting) -> dict[str, Any]:
    """One row of the table; a run that fails says why."""
    row = {"name": setting.name, "option": setting.option, "source": setting.source, "default": setting.default}
    row |= {"step": setting.step, "machine": machine()}
    try:
        track = min((module.run(setting) for _ in range(REPEATS)), key=lambda run: run.cost)
    except Exception as error:
        return row | {"failed": f"{type(error).__name__}: {error}"}
    step_cost = None if setting.step is None else 1e6 * track.cost * setting.step
    return row | {
        "creep": creep(track),
        "presliding": presliding(track),
        "step_cost_us": step_cost,
        "cost_per_second": track.cost,
    }


def run_engine(engine: str, wanted: str = "") -> dict[str, Any]:
    """Rows of an engine whose names contain a text, and the names of all its settings; or why it is missing."""
    try:
        module = import_module(f"engines.{engine}")
    except ImportError as error:
        return {"engine": engine, "missing": str(error), "rows": []}
    rows = []
    for setting in module.SETTINGS:
        if wanted in setting.name:
            print(f"{engine}: {setting.name}", file=sys.stderr, flush=True)
            rows.append(measured(module, setting))
    names = [setting.name for setting in module.SETTINGS]
    return {"engine": engine, "version": engine_version(engine), "settings": names, "rows": rows}


def merged(kept: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """An engine with its new rows, and its kept ones where there is none; an engine that is missing keeps all."""
    if "missing" in new:
        return {**kept, "missing": new["missing"]} if kept["rows"] else dict(new)
    rows = {row["name"]: row for row in (*kept["rows"], *new["rows"])}
    return {**new, "rows": [rows[name] for name in new["settings"] if name in rows]}


def drift(engines: Sequence[str], wanted: str, kept: Mapping[str, Any]) -> dict[str, Any]:
    """Run engines one after the other; returns the contents of drift.json.

    Args:
        engines: their names. wanted: a text that the names of the settings to run contain. kept: the result so far.
    """
    found = {engine["engine"]: engine for engine in kept["engines"]}
    for engine in engines:
        new = run_apart(run_engine, engine, wanted)
        if isinstance(new, BrokenProcessPool):
            new = {"engine": engine, "missing": "its process ended without a word", "rows": []}
        found[engine] = merged(found.get(engine, {"rows": []}), new)
    scene = {"mass": MASS, "edge": EDGE, "mu": MU, "angle_deg": 20.0, "time": TIME}
    ordered = [found[engine] for engine in ENGINES if engine in found]
    return {"package_version": __version__, "scene": scene, "engines": ordered}


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Creep of a cube on a slope against the cost of a run.")
    parser.add_argument("--only", action="append", choices=ENGINES, help="an engine; may be given more than once")
    parser.add_argument("--setting", default="", help="run only settings whose name contains this")
    given = parser.parse_args(arguments)
    path = HERE / "drift.json"
    kept = json.loads(path.read_text()) if path.exists() else {"engines": []}
    result = drift(given.only or ENGINES, given.setting, kept)
    print(table(result))
    write_json(path, result)
    save_picture(result, HERE.parent / "docs" / "images" / "drift.png")
    write_table(result, HERE.parent / "docs" / "drift.md")


if __name__ == "__main__":
    main()
