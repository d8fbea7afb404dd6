"""All scenarios in one go, on all cores, and a page that shows them."""

from __future__ import annotations

import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from tqdm import tqdm

from .. import __version__
from ..report.folder import open_folder
from ..scenarios import NAMES, find

LONG = ("gait_identification", "box_stack", "friction_lab", "cube", "stick_slip_2d", "stick_slip")
"""Scenarios that take longest: they begin first."""


def _visit(name: str, folder: str) -> dict[str, Any]:
    """Run one scenario into its folder on the reference engine, in a process of its own."""
    from .runner import run_into

    return run_into(find(name), {}, Path(folder) / name, "reference").summary


def tour(out: str | Path, quiet: bool = False) -> list[dict[str, Any]]:
    """Run every scenario at its defaults and write index.html; returns the summaries in order."""
    from ..lagrange import engine as _compile_once  # noqa: F401
    from ..report.page import Entry, write_page

    folder = open_folder(out)
    begin = time.perf_counter()
    workers = min(os.cpu_count() or 1, len(NAMES))
    longest_first = sorted(NAMES, key=lambda name: name not in LONG)
    summaries: dict[str, dict[str, Any]] = {}
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        visits = {pool.submit(_visit, name, str(folder)): name for name in longest_first}
        with tqdm(total=len(visits), desc="tour", unit="scenario", disable=quiet or None, leave=False) as bar:
            for visit in as_completed(visits):
                summaries[visits[visit]] = visit.result()
                bar.set_postfix_str(visits[visit])
                bar.update()
    ordered = [summaries[name] for name in NAMES]
    entries = [Entry(summary, folder / summary["scenario"], find(summary["scenario"]).source) for summary in ordered]
    write_page(folder / "index.html", entries, __version__, time.perf_counter() - begin)
    return ordered
