"""Creep of a cube on a slope, and what a run costs: our laws, Chrono's SMC and NSC, and five other engines.

python benchmarks/drift.py                      (all engines; needs: pip install -e ".[drift]", and PyChrono)
python benchmarks/drift.py --only mujoco --only pybullet

Prints the table; a run of all engines writes benchmarks/drift.json, docs/images/drift.png and the table in
docs/drift.md.
Each engine runs in a process of its own. An engine that is not installed is named as missing.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module, metadata
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from drift_report import save_picture, table, write_table
from engines.scene import EDGE, MASS, MU, TIME, Setting, creep, presliding

from chrono_powercontact import __version__
from chrono_powercontact.report.folder import write_json

HERE = Path(__file__).resolve().parent
ENGINES = ("chrono", "mujoco", "drake", "exudyn", "pybullet", "opensim")

REPEATS = 3
"""Runs of a setting: the cheapest counts, for a machine has other things to do."""


def engine_version(engine: str) -> str:
    """Version of an installed engine."""
    if engine == "chrono":
        from chrono_powercontact.chrono.api.bridge import version

        return version()
    return metadata.version(engine)


def measured(module: Any, setting: Setting) -> dict[str, Any]:
    """One row of the table; a run that fails says why."""
    row = {"name": setting.name, "option": setting.option, "source": setting.source, "default": setting.default}
    row |= {"step": setting.step}
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


def run_engine(engine: str) -> dict[str, Any]:
    """All rows of an engine, or why it is missing."""
    try:
        module = import_module(f"engines.{engine}")
    except ImportError as error:
        return {"engine": engine, "missing": str(error), "rows": []}
    rows = [measured(module, setting) for setting in module.SETTINGS]
    return {"engine": engine, "version": engine_version(engine), "rows": rows}


def run_apart(engine: str) -> dict[str, Any]:
    """`run_engine` in a process of its own: what one engine loads or breaks does not reach the others."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(run_engine, engine).result()
        except BrokenProcessPool:
            return {"engine": engine, "missing": "its process ended without a word", "rows": []}


def drift(engines: Sequence[str]) -> dict[str, Any]:
    """Run the engines one after the other; returns the contents of drift.json."""
    scene = {"mass": MASS, "edge": EDGE, "mu": MU, "angle_deg": 20.0, "time": TIME}
    result: dict[str, Any] = {"package_version": __version__, "python": platform.python_version(), "scene": scene}
    return result | {"engines": [run_apart(engine) for engine in engines]}


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Creep of a cube on a slope against the cost of a run.")
    parser.add_argument("--only", action="append", choices=ENGINES, help="an engine; may be given more than once")
    chosen = parser.parse_args(arguments).only
    result = drift(chosen or ENGINES)
    print(table(result))
    if chosen is None:
        write_json(HERE / "drift.json", result)
        save_picture(result, HERE.parent / "docs" / "images" / "drift.png")
        write_table(result, HERE.parent / "docs" / "drift.md")


if __name__ == "__main__":
    main()
