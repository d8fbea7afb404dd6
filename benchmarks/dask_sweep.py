"""A thousand runs of `wall` on a real Dask cluster: how they scale, what disturbances cost, what a restart repeats.

Each case is a process of its own with a LocalCluster of worker processes. Runs are written into a log as they begin, so
that repeated ones can be counted. In the disturbed case one worker is killed in the middle, one run aborts and one
hangs; in the last case everything is killed at once and the sweep is started again. Times count from when all workers
are there until the table is, first imports included. They mean something on a quiet machine only; `load_before` tells,
and so does what two processes gain over one that call the same runs without any sweep.

The step is a tenth of the default one, with which runs are so short that a process that is replaced costs more than
many of them; `run_called_directly` tells how long a run takes.

    python benchmarks/dask_sweep.py --out benchmarks/dask_sweep.json
    python benchmarks/dask_sweep.py --runs 100
"""

from __future__ import annotations

import argparse
import csv
import json
import math
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

STEP = 1e-6
"""Integration step in s."""

EVERY = 10
"""One run of so many is called without a sweep too."""

ABORTS, HANGS = 0.31, 0.62
"""Where in the order of the runs one aborts and one hangs, as parts of all."""

PATIENCE = 2.0
"""Time limit of a run in s; the first run of a process, which imports, has more."""

LOOK = 0.1
TELL = 10.0
"""Times in s between two looks at the log of a case, and between two lines about it."""

WORST_SLOWDOWN = 1.3
LEAST_SCALING = 1.8
MOST_OVERHEAD = 5e-3
"""What is asked: wall time of the disturbed sweep, gain by a second worker, and time in s beside a run."""

BEGIN = time.perf_counter()
"""When the benchmark was started, in s."""


class Size(NamedTuple):
    """Number of runs, their integration step in s, and the time limit of each in s."""

    runs: int
    step: float
    patience: float


def say(text: str) -> None:
    """Print a line with the time since the start."""
    print(f"{time.perf_counter() - BEGIN:4.0f} s  {text}", flush=True)


def called(number: int, runs: int, step: float) -> dict[str, Any]:
    """One of so many runs of `wall`, called in this process."""
    from chrono_powercontact.app.runner import execute
    from chrono_powercontact.scenarios.catalogue import find

    low, high = SPEEDS
    speed = low + (high - low) * number / runs
    summary = execute(find("wall"), {"speed": speed, "step": step}, "reference").summary
    return {"speed": speed, **summary["metrics"]}


def wall_run(config: dict[str, Any]) -> dict[str, Any]:
    """One run of a sweep, noted in a log; those numbers that are named abort or hang."""
    with open(config["log"], "a", encoding="utf-8") as log:
        log.write(f"{config['number']}\n")
    if config["number"] == config["aborts"]:
        os.abort()
    if config["number"] == config["hangs"]:
        time.sleep(1e6)
    return called(config["number"], config["runs"], config["step"])


def direct_calls(arguments: argparse.Namespace) -> None:
    """Some runs without a sweep; prints the time in s of one."""
    numbers = range(0, arguments.runs, EVERY)
    called(0, arguments.runs, arguments.step)
    begin = time.perf_counter()
    for number in numbers:
        called(number, arguments.runs, arguments.step)
    print(json.dumps((time.perf_counter() - begin) / len(numbers)))


def one_sweep(arguments: argparse.Namespace) -> None:
    """The sweep of one case; prints what it took as one line of JSON."""
    import chrono_powercontact as pc
    from chrono_powercontact.app.sweeps.executors import local_cluster

    runs = arguments.runs
    disturbed = arguments.case == "disturbed"
    given = {"log": str(Path(arguments.folder) / "started.txt"), "runs": runs, "step": arguments.step}
    given["aborts"] = round(ABORTS * runs) if disturbed else -1
    given["hangs"] = round(HANGS * runs) if disturbed else -1
    with local_cluster(arguments.workers) as client:
        client.wait_for_workers(arguments.workers)
        print(json.dumps(list(client.run(os.getpid).values())), flush=True)
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


def watch(process: subprocess.Popen[str], folder: Path, count: float = math.inf) -> None:
    """Wait until so many runs were begun or a case has ended, and tell now and then how many there are."""
    told = time.perf_counter()
    while process.poll() is None and len(started(folder)) < count:
        if time.perf_counter() - told > TELL:
            told = time.perf_counter()
            say(f"    {len(started(folder))} runs begun")
        time.sleep(LOOK)


def answer_of(process: subprocess.Popen[str]) -> Any:
    """What a case prints next; raises where it ended without."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"a case ended with exit code {process.wait()} before it was done")
    return json.loads(line)


def called_directly(processes: int, size: Size, folder: Path) -> float:
    """Time in s of a run that is called without a sweep, in so many processes at once."""
    cases = [begin_case("direct", 1, size, folder) for _ in range(processes)]
    return statistics.mean([answer_of(case) for case in cases])


def measured(case: str, workers: int, size: Size, folder: Path) -> dict[str, Any]:
    """What one case took, with its rows by number."""
    process = begin_case(case, workers, size, folder)
    pids = answer_of(process)
    if case == "disturbed":
        watch(process, folder, size.runs // 2)
        os.kill(pids[0], signal.SIGKILL)
        say("    a worker is killed")
    watch(process, folder)
    found: dict[str, Any] = answer_of(process)
    say(f"    {found['wall_time']:.1f} s from the workers to the table")
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
    """Kill everything in the middle of a sweep, start it again, and count runs that were repeated."""
    process = begin_case("undisturbed", 2, size, folder)
    watch(process, folder, size.runs // 2)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = finished(folder)
    before = started(folder)
    say(f"    everything is killed, {len(kept)} runs are kept")
    again = measured("undisturbed", 2, size, folder)
    after = set(started(folder)[len(before) :])
    return {
        "finished_before": len(kept),
        "repeated": len(kept & after),
        "begun_again": len(set(before) & after),
        "rows": again["rows"],
    }


def one_round(size: Size, parent: Path) -> dict[str, Any]:
    """All cases once, in turn."""
    runs = size.runs
    say("runs that are called directly, in one process and in two at once")
    alone = called_directly(1, size, parent)
    beside = called_directly(2, size, parent)
    say(f"    {1e3 * alone:.1f} ms and {1e3 * beside:.1f} ms a run")
    say("one worker")
    one = measured("undisturbed", 1, size, parent / "one")
    say("two workers")
    two = measured("undisturbed", 2, size, parent / "two")
    say("two workers, disturbed")
    disturbed = measured("disturbed", 2, size, parent / "disturbed")
    say("two workers, killed and started again")
    resumed = killed_and_resumed(size, parent / "resumed")
    lost = {round(ABORTS * runs), round(HANGS * runs)}
    others = [number for number in range(runs) if number not in lost]
    return {
        "run_called_directly": alone,
        "run_called_directly_beside_another": beside,
        "scaling_of_direct_calls": 2.0 * alone / beside,
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
            "begun_again": resumed["begun_again"],
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


CASES = {"direct": direct_calls, "undisturbed": one_sweep, "disturbed": one_sweep}
"""What a process of this benchmark does by its name."""


def main() -> None:
    """Measure all cases, or do the one that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--step", type=float, default=STEP, help="integration step of a run in s")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="time limit of a run in s")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--case", help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=2, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.case:
        CASES[arguments.case](arguments)
        return
    size = Size(arguments.runs, arguments.step, arguments.patience)
    rounds = []
    for number in range(arguments.rounds):
        with tempfile.TemporaryDirectory() as folder:
            rounds.append({"load_before": os.getloadavg()[0], **one_round(size, Path(folder))})
        say(f"round {number + 1}: {json.dumps(rounds[-1], indent=1)}")
    medians = verdicts(rounds, size.runs)
    print(json.dumps(medians, indent=1))
    if arguments.out:
        result = {"machine": machine(), **size._asdict(), "rounds": rounds, "medians": medians}
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
