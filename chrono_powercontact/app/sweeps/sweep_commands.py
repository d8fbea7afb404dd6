"""The commands `sweep` and `inspect`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from ...report.folder import next_folder
from .executors import dask
from .jobs import DONE
from .sweep import sweep
from .sweep_page import write_sweep_page
from .sweep_picture import drawn_metrics, save_picture
from .sweep_table import SweepTable, read_sweep
from .swept_ranges import parse_all

PICTURE = "sweep.png"
MOST_LINES = 10
"""Number of runs that are named on the terminal."""


def run_sweep(arguments: argparse.Namespace, given: Mapping[str, object]) -> SweepTable:
    """Carry out the sweep of a command line, and write its folder."""
    over, count = parse_all(arguments.over)
    samples = arguments.n if arguments.n is not None else count
    out = Path(arguments.out) if arguments.out else next_folder(f"sweep-{arguments.name}")
    with _executor(arguments) as executor:
        table = sweep(
            arguments.name, over, given=given, n=samples, seed=arguments.seed, engine=arguments.engine,
            executor=executor, jobs=arguments.jobs, timeout=arguments.timeout, memory=arguments.memory, out=out,
            confirmed=arguments.yes, quiet=arguments.quiet,
        )  # fmt: skip
    write_sweep_page(out, table, save_picture(table, out / PICTURE) or [])
    print("\n".join(report_lines(table)))
    print(f"written to {out}")
    return table


def _executor(arguments: argparse.Namespace) -> AbstractContextManager[Executor | None]:
    """Dask where it is asked for, else none: isolated processes on this machine."""
    return dask(arguments.dask, arguments.jobs) if arguments.dask else nullcontext()


def inspect_sweep(arguments: argparse.Namespace) -> SweepTable:
    """Look at a finished sweep, or at what there is of one."""
    table = read_sweep(arguments.folder)
    metrics = list(arguments.metric)
    print("\n".join(report_lines(table, metrics, arguments.largest)))
    if metrics and save_picture(table, Path(arguments.folder) / PICTURE, metrics) is not None:
        print(f"drawn in {Path(arguments.folder) / PICTURE}")
    if arguments.parquet:
        print(f"written to {table.to_parquet(arguments.parquet)}")
    return table


def report_lines(table: SweepTable, metrics: list[str] | None = None, largest: bool = False) -> list[str]:
    """What a sweep gave, in lines: how many runs, the best of each metric, and those that failed."""
    counts = table.summary.get("counts", {})
    kinds = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    refuted = table.summary.get("claims_failed", 0)
    lines = [f"{len(table)} runs: {kinds or 'unfinished'}" + (f"; the claim fails in {refuted}" if refuted else "")]
    word = "largest" if largest else "least"
    shown = drawn_metrics(table, metrics or ())
    widest = max(map(len, shown), default=0)
    for metric in shown:
        best = table.best(metric, largest=largest)
        lines.append(f"  {word} {metric:{widest}} {_value(best, metric, table):<13.6g} {_point(best['point'])}")
    failures = table.failures
    lines += [f"{row['status']}: {_point(row['point'])}: {row['error']}" for row in failures[:MOST_LINES]]
    if len(failures) > MOST_LINES:
        lines.append(f"and {len(failures) - MOST_LINES} more, see sweep.csv")
    return lines


def _value(row: Mapping[str, object], metric: str, table: SweepTable) -> float:
    """A metric of a run."""
    return float(table[metric][table.rows.index(row)])  # type: ignore[arg-type]


def _point(point: Mapping[str, object]) -> str:
    """The parameters of a run, as --set takes them."""
    words = {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in point.items()}
    return " ".join(f"{name}={word}" for name, word in words.items())


def is_complete(table: SweepTable) -> bool:
    """Whether every run was done."""
    return all(row["status"] == DONE for row in table.rows)
