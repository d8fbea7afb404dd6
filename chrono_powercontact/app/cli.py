"""The command line: list, run, view, compare, sweep, inspect, export, record, tour, figures, bench, doctor.

Exit codes: 0 when the claim holds, 1 when it does not or a run diverged, 2 for input that cannot be used, 3 when no
part of the claim could be judged.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import DivergedError, ParameterError, PowerContactError
from ..view.recording import FILE, read_recording

if TYPE_CHECKING:
    from .runner import Run

HOLDS = 0
FAILS = 1
BAD_INPUT = 2
NOT_JUDGED = 3
STOPPED = 130
"""Exit code of a command that the keyboard ended."""
UNREAD = 141
"""Exit code of a command whose reader went away (`list | head -1`)."""

VERDICTS = {True: "holds", False: "does not hold", None: "not judged"}
"""What is said of a claim."""

WITH_VALUE = (
    "--engine", "--models", "--set", "--out", "--to", "--over", "--n", "--seed", "--jobs", "--dask", "--timeout",
    "--memory", "--sensitivities",
)  # fmt: skip
"""Options whose value is the next word."""


def _assignments(pairs: Sequence[str]) -> dict[str, object]:
    values: dict[str, object] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise ParameterError(f"--set takes key=value, got {pair!r}")
        values[name.strip()] = value.strip()
    return values


def _list(arguments: argparse.Namespace) -> int:
    from ..scenarios.catalogue import NAMES, claims

    widest = max(map(len, NAMES))
    for name, claim in claims().items():
        print(f"{name:{widest}} {claim}")
    print("\npowercontact run NAME --help lists the parameters of a scenario")
    return HOLDS


def _run(arguments: argparse.Namespace) -> int:
    from ..report.folder import next_folder
    from ..scenarios.catalogue import find
    from .runner import run_into

    scenario = find(arguments.name)
    out = Path(arguments.out) if arguments.out else next_folder(scenario.name)
    by = [name.strip() for name in arguments.sensitivities.split(",") if name.strip()]
    run = run_into(scenario, _assignments(arguments.set), out, arguments.engine, arguments.quiet, sensitivities=by)
    _print_run(run, arguments.quiet)
    passed = run.summary["passed"]
    engine = f"on the {run.summary['engine']} engine {run.summary['engine_version']}"
    print(f"{scenario.name} {engine}: claim {VERDICTS[passed]}; written to {out}")
    if arguments.view:
        _look_at(out)
    return _code([passed])


def _code(verdicts: Sequence[bool | None]) -> int:
    """The exit code of some runs: a claim that fails counts before one that was not judged."""
    if False in verdicts:
        return FAILS
    return NOT_JUDGED if None in verdicts else HOLDS


def _print_run(run: Run, quiet: bool) -> None:
    """Warnings, metrics and checks of a run; where quiet, only warnings and failed checks."""
    for warning in run.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    if not quiet:
        print(f"{run.summary['scenario']}: {run.summary['claim']}")
        for key, value in run.summary["metrics"].items():
            _print_metric(key, value)
        _print_sensitivities(run)
    for check in run.outcome.checks:
        if not (quiet and check.passed):
            print(f"  {'yes' if check.passed else 'NO '}  {check.text}")


def _print_metric(key: str, value: object, *widths: int) -> None:
    """A metric on as many lines as it needs."""
    from ..report.text import metric_lines

    print("\n".join(metric_lines(key, value, *widths)))


def _print_sensitivities(run: Run) -> None:
    """Derivatives of the metrics that have some."""
    found = run.outcome.sensitivities
    if found is None:
        return
    print(f"  derivatives by {', '.join(found.by)} ({found.method}):")
    for key, slopes in found.metrics.items():
        known = {name: slope for name, slope in slopes.items() if slope is not None}
        if known:
            _print_metric(key, known, 4, 26)


def _look_at(folder: Path) -> None:
    """Open the moving scene of a run, or its picture where it has none."""
    scene = folder / FILE
    page = read_recording(scene).html(folder / "view.html") if scene.exists() else folder / "plot.png"
    _open_file(page)


def _open_file(page: Path) -> None:
    """Open a page or a picture with whatever the desktop has."""
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        print(f"no browser could be opened: open {page} yourself", file=sys.stderr)


def _view(arguments: argparse.Namespace) -> int:
    if arguments.live:
        return _view_live(arguments)
    if arguments.set or arguments.engine != "auto":
        raise ParameterError("--set and --engine are for --live: a finished run keeps its parameters")
    _tell_if_scenario(arguments.folder)
    recording = read_recording(arguments.folder)
    if arguments.html is None:
        recording.show(arguments.port)
        return HOLDS
    print(f"written to {recording.html(arguments.html)}")
    return HOLDS


def _tell_if_scenario(folder: str) -> None:
    """Raise where the name of a scenario stands in place of a folder, and say what to do."""
    from ..scenarios.catalogue import NAMES

    if folder in NAMES and not Path(folder).exists():
        raise ParameterError(
            f"{folder!r} is a scenario, and there is no such folder: 'powercontact run {folder} --view' runs it and "
            f"shows it, 'powercontact view {folder} --live' plays it with sliders"
        )


def _view_live(arguments: argparse.Namespace) -> int:
    """Play a scenario whose parameters can be changed meanwhile."""
    from .live_runs import watch_live

    if arguments.html is not None:
        raise ParameterError("--html and --live exclude each other: a page cannot compute")
    watch_live(arguments.folder, _assignments(arguments.set), arguments.engine, arguments.port)
    return HOLDS


def _compare(arguments: argparse.Namespace) -> int:
    from ..report.folder import next_folder
    from ..scenarios.catalogue import find
    from .compare import compare, table

    scenario = find(arguments.name)
    models = [name.strip() for name in arguments.models.split(",") if name.strip()]
    out = Path(arguments.out) if arguments.out else next_folder(f"compare-{scenario.name}")
    result = compare(scenario, models, _assignments(arguments.set), out, arguments.quiet)
    print(table(result))
    print(f"written to {out}")
    return BAD_INPUT if any(name in models for name in result.get("missing", {})) else HOLDS


def _sweep(arguments: argparse.Namespace) -> int:
    from .sweeps.sweep_commands import is_complete, run_sweep

    return HOLDS if is_complete(run_sweep(arguments, _assignments(arguments.set))) else FAILS


def _inspect(arguments: argparse.Namespace) -> int:
    from .sweeps.sweep_commands import inspect_sweep

    inspect_sweep(arguments)
    return HOLDS


def _export(arguments: argparse.Namespace) -> int:
    from .exporting.export import checked, export

    given = _assignments(arguments.set)
    print(f"written to {export(arguments.name, given, arguments.to)}")
    if arguments.check:
        print(checked(arguments.name, given, arguments.to))
    return HOLDS


def _record(arguments: argparse.Namespace) -> int:
    from .recorded_runs import record

    for path in record(arguments.names, arguments.out, arguments.quiet):
        print(f"written to {path}")
    return HOLDS


def _tour(arguments: argparse.Namespace) -> int:
    from .tour import tour

    if not arguments.quiet:
        print("running every scenario; the first time compiles their equations, which takes a minute", flush=True)
    summaries = tour(arguments.out, arguments.quiet)
    widest = max(len(summary["scenario"]) for summary in summaries)
    for summary in summaries:
        print(f"{VERDICTS[summary['passed']]:14} {summary['scenario']:{widest}} {summary['claim']}")
    print(f"open {Path(arguments.out) / 'index.html'}")
    return _code([summary["passed"] for summary in summaries])


def _figures(arguments: argparse.Namespace) -> int:
    from .figures.figures_page import draw_figures

    pictures = draw_figures(arguments.out, arguments.numbers, arguments.quiet)
    print(f"{len(pictures)} figures; open {Path(arguments.out) / 'index.html'}")
    return HOLDS


def _bench(arguments: argparse.Namespace) -> int:
    from ..bench.bench import run_benchmarks
    from ..report.folder import open_file

    if arguments.out:
        open_file(arguments.out)
    run_benchmarks(arguments.only, arguments.out)
    return HOLDS


def _doctor(arguments: argparse.Namespace) -> int:
    from .doctor import report

    print(report())
    return HOLDS


class _CommandParser(argparse.ArgumentParser):
    """Adds the parameters of the named scenario to the help of the commands that take them."""

    takes_parameters = False
    name: str | None = None

    def format_help(self) -> str:
        if not self.takes_parameters:
            return super().format_help()
        return f"{super().format_help()}\n{self._parameters()}\n"

    def _parameters(self) -> str:
        from ..report.text import parameter_lines
        from ..scenarios.catalogue import find

        if self.name is None:
            return "name a scenario to see its parameters"
        return "\n".join(["parameters, set with --set key=value:", *parameter_lines(find(self.name))])


Action = Callable[[argparse.Namespace], int]


class _Commands:
    """Adds the commands to the parser."""

    def __init__(self, parser: argparse.ArgumentParser, name: str | None) -> None:
        """`name` is the scenario whose parameters the help shows."""
        self._parsers = parser.add_subparsers(
            dest="command", required=True, parser_class=_CommandParser, metavar="COMMAND"
        )
        self._name = name

    def add(self, word: str, action: Action, help: str) -> _CommandParser:
        """A command."""
        command: _CommandParser = self._parsers.add_parser(word, help=help, description=help)
        command.set_defaults(action=action)
        return command

    def add_all(self) -> None:
        """Every command in the order of the help."""
        self.add("list", _list, "name every scenario with its claim")
        self._add_run()
        self._add_view()
        self._add_compare()
        self._add_sweep()
        self._add_inspect()
        self._add_export()
        self._add_record()
        self._add_tour()
        self._add_figures()
        self._add_bench()
        self.add("doctor", _doctor, "say which versions and engines are found")

    def _add_run(self) -> None:
        run = self.add("run", _run, "run a scenario, write its folder, check its claim")
        run.add_argument("name", metavar="NAME", help="scenario, see list")
        run.add_argument("--engine", default="auto", help="auto, reference or chrono")
        run.add_argument("--view", action="store_true", help="open its moving scene afterwards, or its picture")
        by_help = "parameters, separated by commas, by which columns and metrics are differentiated"
        run.add_argument("--sensitivities", default="", metavar="KEYS", help=by_help)
        self._take_parameters(run)
        _take_quiet(run)

    def _add_view(self) -> None:
        view = self.add("view", _view, "look at a run in a browser, as a moving 3-D scene")
        view.add_argument("folder", metavar="RUN", help="folder of a run, or a recording (.npz); a scenario for --live")
        view.add_argument("--html", metavar="FILE", help="write one page that needs no network, instead of serving it")
        view.add_argument("--port", type=int, help="port of the server on 127.0.0.1 (default: a free one from 8080 on)")
        live_help = "RUN is a scenario: play it with sliders for its parameters; a change is computed at once"
        view.add_argument("--live", action="store_true", help=live_help)
        view.add_argument("--engine", default="auto", help="auto (the quicker one), reference or chrono, for --live")
        view.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a parameter, for --live")

    def _add_compare(self) -> None:
        compare = self.add("compare", _compare, "run a scenario under several laws")
        compare.add_argument("name", metavar="NAME", help="scenario, see list")
        models_help = "laws, separated by commas; all that the scenario has unless given"
        compare.add_argument("--models", default="", help=models_help)
        self._take_parameters(compare)
        _take_quiet(compare)

    def _add_sweep(self) -> None:
        sweep = self.add("sweep", _sweep, "run a scenario for many values of its parameters; again in a folder = go on")
        sweep.add_argument("name", metavar="NAME", help="scenario, see list")
        over_help = "key=low:high:count[:sobol|lhs|log] or key=value,value,...; may repeat"
        sweep.add_argument("--over", action="append", required=True, metavar="RANGE", help=over_help)
        sweep.add_argument("--n", type=int, help="number of samples, for ranges of sobol and lhs without a count")
        sweep.add_argument("--seed", type=int, default=0, help="of the samples (default: 0)")
        sweep.add_argument("--engine", default="auto", help="auto, reference or chrono")
        sweep.add_argument("--jobs", type=int, help="runs at a time (default: number of processors)")
        sweep.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler, or local: start a cluster here")
        sweep.add_argument("--timeout", type=float, metavar="S", help="time in s that a run may take")
        sweep.add_argument("--memory", type=float, metavar="MB", help="memory in MB that a run may use")
        sweep.add_argument("--yes", action="store_true", help="allow more than 100000 runs")
        self._take_parameters(sweep)
        _take_quiet(sweep)

    def _add_inspect(self) -> None:
        look = self.add("inspect", _inspect, "look at a finished sweep, or at what there is of one")
        look.add_argument("folder", metavar="DIR", help="folder of the sweep")
        look.add_argument("--metric", action="append", default=[], help="a metric to rank and draw; may repeat")
        look.add_argument("--largest", action="store_true", help="the best run has the largest value, not the least")
        look.add_argument("--parquet", metavar="FILE", help="also write the table as Parquet")

    def _add_export(self) -> None:
        export = self.add("export", _export, "write an observer as C (.c), or a plant or observer as an FMU (.fmu)")
        export.add_argument("name", metavar="NAME", help="scenario, see list")
        export.add_argument("--to", required=True, metavar="FILE", help="where to; its ending chooses what")
        export.add_argument("--check", action="store_true", help="compile the C and compare it with Python")
        export.takes_parameters = True
        export.name = self._name
        export.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a parameter; may repeat")

    def _add_record(self) -> None:
        record = self.add("record", _record, "run scenarios on Chrono and keep samples of them, for the tests")
        record.add_argument("names", nargs="*", metavar="NAME", help="scenarios; all with a Chrono scene unless given")
        record.add_argument("--out", default="tests/data", help="folder for chrono_NAME.json (default: tests/data)")
        _take_quiet(record)

    def _add_tour(self) -> None:
        tour = self.add("tour", _tour, "run every scenario and write one report page")
        tour.add_argument("--out", default="tour", help="folder for the report (default: tour)")
        _take_quiet(tour)

    def _add_figures(self) -> None:
        figures = self.add("figures", _figures, "draw the figures of the thesis from our laws and runs, on one page")
        figures.add_argument(
            "numbers", nargs="*", metavar="NUMBER", help="figures (2.4) or chapters (3); all unless given"
        )
        figures.add_argument("--out", default="figures", help="folder for the page (default: figures)")
        _take_quiet(figures)

    def _add_bench(self) -> None:
        bench = self.add("bench", _bench, "measure speed, as ratios in this run")
        bench.add_argument("--only", action="append", default=[], metavar="CASE", help="a case; may repeat")
        bench.add_argument("--out", help="also write the results to this JSON file")

    def _take_parameters(self, command: _CommandParser) -> None:
        command.takes_parameters = True
        command.name = self._name
        command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a parameter; may repeat")
        command.add_argument("--out", help="folder for the results (default: a new one below runs/)")


def _take_quiet(command: _CommandParser) -> None:
    command.add_argument("--quiet", action="store_true", help="no progress, fewer lines")


def build_parser(name: str | None = None) -> argparse.ArgumentParser:
    """The parser; `name` is the scenario whose parameters the help shows."""
    description = "Power-based contact and friction: run, compare, look."
    parser = argparse.ArgumentParser("powercontact", description=description)
    parser.add_argument("--version", action="version", version=f"chrono_powercontact {__version__}")
    _Commands(parser, name).add_all()
    return parser


def _named(words: Sequence[str]) -> str | None:
    """The first word after the command that is neither an option nor the value of one."""
    before = ""
    for word in words[1:]:
        is_value = len(before) > 2 and any(option.startswith(before) for option in WITH_VALUE)
        if not word.startswith("-") and not is_value:
            return word
        before = "" if is_value else word
    return None


def _answer(words: Sequence[str]) -> int:
    """Do what the words say; errors become one sentence and an exit code."""
    try:
        arguments = build_parser(_named(words)).parse_args(words)
        code: int = arguments.action(arguments)
    except DivergedError as error:
        print(f"powercontact: {error}", file=sys.stderr)
        return FAILS
    except PowerContactError as error:
        print(f"powercontact: {error}", file=sys.stderr)
        return BAD_INPUT
    except MemoryError:
        print("powercontact: the run does not fit into memory; take a larger step or a shorter run", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("powercontact: stopped", file=sys.stderr)
        return STOPPED
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    try:
        try:
            return _answer(list(sys.argv[1:] if argv is None else argv))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
