"""A thousand runs of `wall` on a real Dask cluster: how they scale, what disturbances cost, what a restart repeats.

Each case is a process of its own with a LocalCluster of worker processes. Runs are written into a log as they begin, so
that repeated ones can be counted. In the disturbed case one worker is killed in the middle, one run aborts and one
hangs; in the last case everything is killed at once and the sweep is started again. Times count from when all workers
are there until the table is, first imports included. They mean something on a quiet machine only; `load_before` tells.

The step is chosen so that a run takes some 50 ms. With the default step, 20 times longer, 1000 runs are done in a few
seconds, and a process that is replaced, which takes two, costs more than any number of runs.

    python benchmarks/dask_sweep.py --out benchmarks/dask_sweep.json     # about six minutes
    python benchmarks/dask_sweep.py --runs 100 --rounds 1
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from machine import machine

SPEEDS = (100.0, 300.0)
"""Range of the swept speed in m/s."""

STEP = 5e-7
"""Integration step in s."""

ABORTS, HANGS = 0.31, 0.62
"""Where in the order of the runs one aborts and one hangs, as parts of all."""

PATIENCE = 2.0
"""Time limit of a run in s; the first run of a process, which imports, has more."""

WORST_SLOWDOWN = 1.3
LEAST_SCALING = 1.8
MOST_OVERHEAD = 5e-3
"""What is asked: wall time of the disturbed sweep, gain by a second worker, and time in s beside a run."""


class Size(NamedTuple):
    """Number of runs, their integration step in s, and the time limit of each in s."""

    runs: int
    step: float
    patience: float


def wall_run(config: dict[str, Any]) -> dict[str, Any]:
    """One run of `wall`, noted in a log; those numbers that are named abort or hang."""
    with open(config["log"], "a", encoding="utf-8") as log:
        log.write(f"{config['number']}\n")
    if config["number"] == config["aborts"]:
        os.abort()
    if config["number"] == config["hangs"]:
        time.sleep(1e6)
    from chrono_powercontact.app.runner import execute
    from chrono_powercontact.scenarios.catalogue import find

    low, high = SPEEDS
    speed = low + (high - low) * config["number"] / config["runs"]
    summary = execute(find("wall"), {"speed": speed, "step": config["step"]}, "reference").summary
    return {"speed": speed, **summary["metrics"]}


def one_sweep(arguments: argparse.Namespace) -> None:
    """The sweep of one case; prints what it took as one line of JSON."""
    from distributed import Client, LocalCluster

    import chrono_powercontact as pc

    runs = arguments.runs
    disturbed = arguments.case == "disturbed"
    given = {"log": str(Path(arguments.folder) / "started.txt"), "runs": runs, "step": arguments.step}
    given["aborts"] = round(ABORTS * runs) if disturbed else -1
    given["hangs"] = round(HANGS * runs) if disturbed else -1
    options = {"processes": True, "threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    with LocalCluster(n_workers=arguments.workers, **options) as cluster, Client(cluster) as client:
        client.wait_for_workers(arguments.workers)
        print(json.dumps([worker["pid"] for worker in client.run(lambda: {"pid": os.getpid()}).values()]), flush=True)
        begin = time.perf_counter()
        own = time.process_time()
        table = pc.sweep(
            wall_run, {"number": range(runs)}, given=given, executor=client.get_executor(pure=False),
            timeout=arguments.patience, out=Path(arguments.folder) / "sweep",
        )  # fmt: skip
        seconds = time.perf_counter() - begin
        own = time.process_time() - own
    inside = sum(row["wall_time"] for row in table.rows)
    print(json.dumps({"wall_time": seconds, "inside": inside, "own_processor_time": own}))


def started(folder: Path) -> list[int]:
    """Numbers of the runs that were begun."""
    log = folder / "started.txt"
    return [int(line) for line in log.read_text(encoding="utf-8").split()] if log.exists() else []


def finished(folder: Path) -> set[int]:
    """Numbers of the runs that are kept on disk as done."""
    rows = (folder / "sweep" / "rows.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return {row["point"]["number"] for row in map(json.loads, rows) if row["status"] == "done"}


def begin_case(case: str, workers: int, size: Size, folder: Path) -> subprocess.Popen[str]:
    """Start a case in a group of processes of its own."""
    command = [sys.executable, __file__, "--case", case, "--workers", str(workers)]
    for name, value in size._asdict().items():
        command += [f"--{name}", str(value)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).resolve().parents[1]), *sys.path])}
    return subprocess.Popen(
        [*command, "--folder", str(folder)], stdout=subprocess.PIPE, text=True, start_new_session=True, env=env
    )


def wait_until_begun(process: subprocess.Popen[str], folder: Path, count: int) -> None:
    """Wait until so many runs were begun."""
    while process.poll() is None and len(started(folder)) < count:
        time.sleep(0.01)


def measured(case: str, workers: int, size: Size, folder: Path) -> dict[str, Any]:
    """What one case took, with its rows by number."""
    process = begin_case(case, workers, size, folder)
    assert process.stdout is not None
    pids = json.loads(process.stdout.readline())
    if case == "disturbed":
        wait_until_begun(process, folder, size.runs // 2)
        os.kill(pids[0], signal.SIGKILL)
    found: dict[str, Any] = json.loads(process.stdout.readline())
    process.wait()
    return found | {"rows": rows_of(folder), "begun": Counter(started(folder))}


def rows_of(folder: Path) -> dict[int, dict[str, str]]:
    """The rows of a finished sweep by number."""
    with (folder / "sweep" / "sweep.csv").open(encoding="utf-8") as file:
        return {int(row["number"]): row for row in csv.DictReader(file)}


def same(row: dict[str, str], other: dict[str, str]) -> bool:
    """Whether two rows tell the same, apart from the time they took."""
    names = (row.keys() | other.keys()) - {"wall_time"}
    return all(row.get(name) == other.get(name) for name in names)


def killed_and_resumed(size: Size, folder: Path) -> dict[str, Any]:
    """Kill everything in the middle of a sweep, start it again, and count finished runs that were repeated."""
    process = begin_case("undisturbed", 2, size, folder)
    wait_until_begun(process, folder, size.runs // 2)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = finished(folder)
    before = len(started(folder))
    time.sleep(1.0)
    again = measured("undisturbed", 2, size, folder)
    repeated = kept & set(started(folder)[before:])
    return {"finished_before": len(kept), "repeated": len(repeated), "rows": again["rows"]}


def one_round(size: Size, parent: Path) -> dict[str, Any]:
    """All cases once, in turn."""
    runs = size.runs
    one = measured("undisturbed", 1, size, parent / "one")
    two = measured("undisturbed", 2, size, parent / "two")
    disturbed = measured("disturbed", 2, size, parent / "disturbed")
    resumed = killed_and_resumed(size, parent / "resumed")
    lost = {round(ABORTS * runs), round(HANGS * runs)}
    others = [number for number in range(runs) if number not in lost]
    return {
        "one_worker": one["wall_time"],
        "two_workers": two["wall_time"],
        "scaling": one["wall_time"] / two["wall_time"],
        "overhead_per_run": (one["wall_time"] - one["inside"]) / runs,
        "run": one["inside"] / runs,
        "run_beside_another": two["inside"] / runs,
        "scheduler_and_client_per_run": two["own_processor_time"] / runs,
        "disturbed": disturbed["wall_time"],
        "slowdown": disturbed["wall_time"] / two["wall_time"],
        "other_rows_right": sum(same(disturbed["rows"][n], one["rows"][n]) for n in others),
        "other_rows": len(others),
        "lost_rows": [disturbed["rows"][n]["status"] for n in sorted(lost)],
        "begun_more_than_once": sum(count > 1 for count in disturbed["begun"].values()),
        "resumed": {
            "finished_before": resumed["finished_before"],
            "repeated": resumed["repeated"],
            "rows_right": sum(same(resumed["rows"][n], one["rows"][n]) for n in range(runs)),
        },
    }


def verdicts(rounds: list[dict[str, Any]], runs: int) -> dict[str, Any]:
    """The medians of all rounds against what is asked."""

    def median(name: str) -> float:
        return statistics.median(found[name] for found in rounds)

    return {
        "scaling": [median("scaling"), median("scaling") >= LEAST_SCALING],
        "overhead_per_run": [median("overhead_per_run"), median("overhead_per_run") < MOST_OVERHEAD],
        "slowdown": [median("slowdown"), median("slowdown") <= WORST_SLOWDOWN],
        "all_other_rows_right": all(found["other_rows_right"] == found["other_rows"] for found in rounds),
        "lost_rows_named": all(found["lost_rows"] == ["crashed", "timed out"] for found in rounds),
        "nothing_repeated": all(found["resumed"]["repeated"] == 0 for found in rounds),
        "all_resumed_rows_right": all(found["resumed"]["rows_right"] == runs for found in rounds),
    }


def main() -> None:
    """Measure all cases, or do the one that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--step", type=float, default=STEP, help="integration step of a run in s")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="time limit of a run in s")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--case", help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=2, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.case:
        one_sweep(arguments)
        return
    size = Size(arguments.runs, arguments.step, arguments.patience)
    rounds = []
    for number in range(arguments.rounds):
        with tempfile.TemporaryDirectory() as folder:
            rounds.append({"load_before": os.getloadavg()[0], **one_round(size, Path(folder))})
        print(f"round {number + 1}: {json.dumps(rounds[-1], indent=1)}", flush=True)
    medians = verdicts(rounds, size.runs)
    print(json.dumps(medians, indent=1))
    if arguments.out:
        result = {"machine": machine(), **size._asdict(), "rounds": rounds, "medians": medians}
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
