"""Writes docs/reproduction.md: what the five sources say, where it is here, and whether it comes out.

python docs/write_reproduction.py           runs every scenario that the table names, on the reference engine
python docs/write_reproduction.py ball leg  runs these alone; the other lines keep what the page says

The lines are in `reproduction.csv`, one for each table, figure, family of equations or claim:

source, place, content   what it is, and where the source has it
engine                   on which engine it runs here: reference, chrono, both, none
proof                    `run NAME key=value ...` or a test as `tests/...py::test_name`; several with ` & `, a run first
theirs                   the figure of the source, or of our digest of it
ours                     a text, or the name of a metric of the run: `slips[0]`, `evaluations.convert`, `slips#` (count)
within                   how far the metric may be from theirs, relative (absolute where theirs is 0)
verdict                  `by proof` (the rule), or `differs` or `not there` with the reason in the note
note                     what a reader should know

`by proof` becomes "reproduced" where the scenario's claim holds and the metric is within its limit, and where the tests
exist (the suite runs them); "differs" where not; "not there" where this version has no such scenario or test.
"""

from __future__ import annotations

import csv
import re
import sys
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from chrono_powercontact.scenarios.catalogue import NAMES, find
from chrono_powercontact.scenarios.parameters import read_parameters

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
TABLE = DOCS / "reproduction.csv"
PAGE = DOCS / "reproduction.md"

SOURCES = {
    "thesis": "Specker 2016: power-based friction and contact",
    "lecture notes": "Lecture notes, chapter 3: rigid-body kinetics",
    "closed loops": "Closed kinematic loops in minimal coordinates",
    "rake": "Maier 2019: a trash-rack cleaning machine",
    "hyperstatic": "Seiwald 2014: under-determined constraint forces",
}
"""Titles of the five sources, by the names that the table uses."""

VERDICTS = ("reproduced", "differs", "not there")
BY_PROOF = "by proof"
HEAD = "| where | what | engine | theirs | ours | verdict | proof, note |"

INTRODUCTION = """# What is reproduced

Every table, figure, family of equations and claim of the five sources, one line each. *Theirs* is the figure of the
source; where it prints none, that of our digest of it. *Proof* is the command or the test that shows it.
`python docs/write_reproduction.py` runs the commands and writes this page from `reproduction.csv`.
"""


@dataclass(frozen=True)
class Line:
    """One line of the table; for its fields see the head of this file."""

    source: str
    place: str
    content: str
    engine: str
    proof: str
    theirs: str
    ours: str
    within: str
    verdict: str
    note: str

    @property
    def proofs(self) -> list[str]:
        """The run, if there is one, and the tests that prove the line together."""
        return self.proof.split(" & ")

    @property
    def run(self) -> str | None:
        """The run that proves the line, if one does."""
        return self.proofs[0] if self.proofs[0].startswith("run ") else None

    @property
    def tests(self) -> list[str]:
        """The tests that prove the line."""
        return [proof for proof in self.proofs if proof != self.run]

    @property
    def scenario(self) -> str | None:
        """Name of the scenario that proves the line, if one does."""
        return self.run.split()[1] if self.run else None

    @property
    def given(self) -> dict[str, object]:
        """Parameters of that scenario."""
        return dict(word.split("=", 1) for word in self.run.split()[2:]) if self.run else {}


def read_table() -> list[Line]:
    """All lines."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    names = [item.name for item in fields(Line)]
    if rows[0] != names:
        sys.exit(f"{TABLE.name} must have the columns {', '.join(names)}")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            sys.exit(f"{TABLE.name}, line {number}: {len(names)} columns are wanted, got {len(row)}")
    return [Line(*row) for row in rows[1:]]


@cache
def functions_in(path: Path) -> frozenset[str]:
    """Names of the tests in a file."""
    return frozenset(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))


def is_test(proof: str) -> bool:
    """Whether a test exists in this version."""
    path, _, name = proof.partition("::")
    return (ROOT / path).is_file() and name in functions_in(ROOT / path)


def is_there(line: Line) -> bool:
    """Whether the scenario and the tests that prove a line exist in this version."""
    if line.scenario is not None:
        if line.scenario not in NAMES:
            return False
        read_parameters(find(line.scenario).parameters, line.given)
    return all(is_test(proof) for proof in line.tests)


def metric(metrics: Any, name: str) -> float:
    """A metric by its path: a.b, a[0], or a# for the number of its entries."""
    for part in re.findall(r"[^.\[\]#]+|#", name):
        if part == "#":
            metrics = len(metrics)
            continue
        metrics = metrics[int(part)] if part.isdigit() else metrics[part]
    return float(metrics)


def number_in(text: str) -> float:
    """The number with which a text begins."""
    found = re.match(r"[-+]?\d*\.?\d+(e[-+]?\d+)?", text)
    if found is None:
        sys.exit(f"{TABLE.name}: {text!r} is compared with a metric and must begin with a number")
    return float(found[0])


@cache
def outcome(proof: str) -> Any:
    """The run of a proof on the reference engine."""
    name, *words = proof.split()[1:]
    scenario = find(name)
    print(f"powercontact {proof}", flush=True)
    return scenario.run(read_parameters(scenario.parameters, dict(word.split("=", 1) for word in words)))


def judged(line: Line) -> tuple[str, str]:
    """Our figure and the verdict of a line."""
    if not is_there(line):
        return "", "not there"
    if line.verdict != BY_PROOF:
        return line.ours, line.verdict
    if line.run is None:
        return line.ours, "reproduced"
    run = outcome(line.run)
    holds = run.passed is True
    if not line.within:
        return line.ours, "reproduced" if holds else "differs"
    ours = metric(run.metrics, line.ours)
    target = number_in(line.theirs)
    near = abs(ours - target) <= float(line.within) * (abs(target) or 1.0)
    return f"{ours:.7g}", "reproduced" if holds and near else "differs"


def row_of(line: Line, ours: str, verdict: str) -> str:
    """A line of the page."""
    note = line.note
    if verdict == "not there" and not note:
        note = "not in this version"
    proof = ", ".join(f"`powercontact {one}`" if one == line.run else f"`{one}`" for one in line.proofs)
    cells = (
        line.place,
        line.content,
        line.engine,
        line.theirs,
        ours,
        f"**{verdict}**",
        f"{proof}{'; ' if note else ''}{note}",
    )
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


def key_of(row: str) -> tuple[str, str]:
    """Place and content of a row of the page."""
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    return cells[0], cells[1]


def kept_rows() -> dict[tuple[str, str], str]:
    """Rows of the page as it is, by place and content."""
    if not PAGE.is_file():
        return {}
    rows = [row for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| ") and row != HEAD]
    return {key_of(row): row for row in rows}


def page(lines: list[Line], wanted: list[str]) -> str:
    """The whole page; only the wanted scenarios run, all where none is named."""
    kept = kept_rows() if wanted else {}
    parts = [INTRODUCTION]
    counts = dict.fromkeys(VERDICTS, 0)
    for source, title in SOURCES.items():
        parts += [f"## {title}\n", HEAD, "|" + "---|" * 7]
        for line in (line for line in lines if line.source == source):
            old = kept.get((line.place.replace("|", "/"), line.content.replace("|", "/")))
            keep = old is not None and line.scenario is not None and line.scenario not in wanted
            row = old if keep and old is not None else row_of(line, *judged(line))
            counts[next(verdict for verdict in VERDICTS if f"**{verdict}**" in row)] += 1
            parts.append(row)
        parts.append("")
    total = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    parts.insert(1, f"{sum(counts.values())} lines: {total}.\n")
    return "\n".join(parts)


def main(wanted: list[str]) -> None:
    """Write the page."""
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        sys.exit(f"no such scenario: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    PAGE.write_text(page(read_table(), wanted), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
