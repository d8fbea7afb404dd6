"""All scenarios of the reference engine in one go, on all cores, and a page that shows them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

from .. import __version__
from ..report.folder import open_folder
from ..report.page import Entry, write_pages
from ..report.summary import Summary
from ..scenarios.catalogue import find, names_on
from ..scenarios.parameters import REFERENCE
from .runner import run_into

LONG = ("gait_identification", "box_stack", "friction_laws", "friction_lab", "cube", "stick_slip_2d", "stick_slip")
"""Scenarios that take longest: they begin first."""


ROWS = 2000
"""Rows of a trajectory that the tour keeps: all of them would fill more than 100 MB."""


def _entry(summary: Summary, folder: Path) -> Entry:
    """A run for the report."""
    scenario = find(summary["scenario"])
    kind = type(scenario)
    scene, about = (_first_line(place.__doc__) for place in (sys.modules[kind.__module__], kind))
    known = scenario.parameters_on(REFERENCE)
    meanings = {parameter.name: (parameter.unit, parameter.help) for parameter in known}
    return Entry(summary, folder / scenario.name, scenario.source, scene, about, meanings)


def _first_line(docstring: str | None) -> str:
    """The first line of a docstring."""
    return (docstring or "").strip().partition("\n")[0]


def _visit(name: str, folder: str) -> Summary:
    """Run one scenario into its folder on the reference engine, in a process of its own."""
    return run_into(find(name), {}, Path(folder) / name, "reference", rows=ROWS).summary


def _visit_all(folder: Path, quiet: bool) -> dict[str, Summary]:
    """Run every scenario into a folder of its own; the summaries by name."""
    from ..lagrange import engine as _compile_once  # noqa: F401

    names = names_on(REFERENCE)
    workers = min(os.cpu_count() or 1, len(names))
    longest_first = sorted(names, key=lambda name: name not in LONG)
    summaries: dict[str, Summary] = {}
    with _workers(workers) as pool:
        visits = {pool.submit(_visit, name, str(folder)): name for name in longest_first}
        with tqdm(total=len(visits), desc="tour", unit="scenario", disable=quiet or None, leave=False) as bar:
            for visit in as_completed(visits):
                summaries[visits[visit]] = visit.result()
                bar.set_postfix_str(visits[visit])
                bar.update()
    return summaries


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that leave Ctrl-C to the caller and end at once when it stops or fails."""
    context = multiprocessing.get_context("spawn")
    ignore_keyboard = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(count, context, initializer=signal.signal, initargs=ignore_keyboard) as pool:
        try:
            yield pool
        except BaseException:
            for worker in multiprocessing.active_children():
                worker.terminate()
            pool.shutdown(cancel_futures=True)
            raise


def tour(out: str | Path, quiet: bool = False) -> list[Summary]:
    """Run every scenario at its defaults and write index.html; returns the summaries in order."""
    folder = open_folder(out)
    begin = time.perf_counter()
    summaries = _visit_all(folder, quiet)
    ordered = [summaries[name] for name in names_on(REFERENCE)]
    entries = [_entry(summary, folder) for summary in ordered]
    write_pages(folder, entries, __version__, time.perf_counter() - begin)
    return ordered
