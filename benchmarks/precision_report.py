"""Tables and picture of the work-precision benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drift_report import NAMES

from chrono_powercontact.report.style import BLUE, GREEN, GREY, ORANGE, RC, RED, VIOLET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOST = {"bounce": 1.0, "slide": 1.0, "stick-slip": 1.0, "stack": 0.1, "tumble": 0.1}
"""Errors from which on a run is lost: it tells nothing any more."""

WANTED = {"bounce": 0.05, "slide": 0.01, "stick-slip": 0.02, "stack": 1e-5, "tumble": 0.01}
"""Errors for which the summary tells the cheapest run."""

FLOOR = 1e-9
"""Least error that the picture shows."""

STYLES = {
    ("chrono", "ours, implicit"): (BLUE, "D"),
    ("chrono", "ours, explicit"): (BLUE, "s"),
    ("chrono", "SMC Hooke"): (GREY, "o"),
    ("chrono", "NSC"): (GREY, "^"),
    ("mujoco", "noslip"): (ORANGE, "o"),
    ("drake", "lagged"): (GREEN, "o"),
    ("drake", "SAP"): (GREEN, "^"),
    ("exudyn", "default zone"): (VIOLET, "o"),
    ("pybullet", "friction anchor"): (RED, "o"),
    ("opensim", "variable step"): ("#8a6d3b", "o"),
}
"""Colour and marker of each engine and setting, in the order of the tables."""

BEGIN, END = "<!-- tables: written by benchmarks/work_precision.py -->", "<!-- end of tables -->"


def key(row: Mapping[str, Any]) -> tuple[str, str, str, float]:
    """What a row is about: a new one with the same key replaces it."""
    return row["case"], row["engine"], row["setting"], row["value"]


def label(engine: str, setting: str) -> str:
    """An engine and its setting as the page calls them."""
    if engine == "chrono":
        return setting if setting.startswith("ours") else f"Chrono {setting}"
    return f"{NAMES[engine]} {setting}"


def rows_of(result: Mapping[str, Any], case: str, engine: str, setting: str) -> list[Mapping[str, Any]]:
    """Rows of a setting in a case, from the smallest step or accuracy on."""
    found = [row for row in result["rows"] if key(row)[:3] == (case, engine, setting)]
    return sorted(found, key=lambda row: row["value"])


def sound(row: Mapping[str, Any]) -> bool:
    """Whether a run came to its end and is not lost."""
    return "failed" not in row and row["error"] < LOST[row["case"]]


def milliseconds(cost: float) -> str:
    """A cost in s as ms, to three digits."""
    return f"{1e3 * cost:.3g}" if cost < 1.0 else f"{1e3 * cost:.0f}"


def cell(row: Mapping[str, Any] | None) -> str:
    """Error and cost in ms per simulated second, or what went wrong."""
    if row is None:
        return ""
    if "failed" in row:
        return "too expensive" if row["failed"].startswith("TimeoutError") else "fails"
    error = f"{row['error']:.2g}" if sound(row) else "lost"
    return f"{error}; {milliseconds(row['cost'])}"


def case_table(result: Mapping[str, Any], case: str) -> list[str]:
    """Table of a case over the steps, and a line for engines that choose their own."""
    lines, others = [], []
    steps = sorted({row["value"] for row in result["rows"] if row["case"] == case and row["engine"] != "opensim"})
    for engine, setting in STYLES:
        rows = {row["value"]: row for row in rows_of(result, case, engine, setting)}
        if rows and engine == "opensim":
            cells = [f"{cell(rows[value])} at {value:g}" for value in sorted(rows, reverse=True)]
            others.append(f"OpenSim, over the accuracy of its integrator: {', '.join(cells)}.")
        elif rows:
            lines.append(f"| {label(engine, setting)} | {' | '.join(cell(rows.get(step)) for step in steps)} |")
    head = [f"| step in ms | {' | '.join(f'{1e3 * step:g}' for step in steps)} |", "|---" * (len(steps) + 1) + "|"]
    notes = [
        f"{NAMES[place.split(': ')[1]]} has no such case: {why}"
        for place, why in result["impossible"].items()
        if place.startswith(f"{case}: ")
    ]
    return [*head, *lines, *(line for note in (*others, *notes) for line in ("", note))]


def cheapest(rows: Sequence[Mapping[str, Any]], wanted: float) -> str:
    """Cost in ms per simulated second, and step, of the cheapest run with an error of at most `wanted`."""
    good = [row for row in rows if sound(row) and row["error"] <= wanted]
    if not good:
        return "-"
    best = min(good, key=lambda row: row["cost"])
    how = f"accuracy {best['value']:g}" if best["engine"] == "opensim" else f"{1e3 * best['value']:g} ms"
    return f"{milliseconds(best['cost'])} ({how})"


def summary(result: Mapping[str, Any]) -> list[str]:
    """For each setting the cheapest run that is precise enough, case by case."""
    units = {case["name"]: "" if case["unit"] == "relative" else f" {case['unit']}" for case in result["cases"]}
    heads = [f"{case} to {WANTED[case]:g}{unit}" for case, unit in units.items()]
    lines = [f"| ms per simulated second (step) | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for engine, setting in STYLES:
        cells = [cheapest(rows_of(result, case, engine, setting), WANTED[case]) for case in units]
        lines.append(f"| {label(engine, setting)} | {' | '.join(cells)} |")
    return lines


def distances(result: Mapping[str, Any]) -> list[str]:
    """How far the finest tumbling cube of each setting is from our own fine run, in mm."""
    lines = ["| tumbling cube | step in ms | from our fine run in mm |", "|---|---|---|"]
    for engine, setting in STYLES:
        rows = [row for row in rows_of(result, "tumble", engine, setting) if sound(row)]
        if rows and rows[0].get("from_ours") is not None:
            step = "variable" if engine == "opensim" else f"{1e3 * rows[0]['value']:g}"
            lines.append(f"| {label(engine, setting)} | {step} | {1e3 * rows[0]['from_ours']:.2g} |")
    return lines


def tables(result: Mapping[str, Any]) -> str:
    """All tables in Markdown: the summary, one for each case, distances, and what is to be said of the run."""
    lines = ["### Cheapest run that is precise enough", "", *summary(result)]
    for case in result["cases"]:
        lines += ["", f"### {case['name'].capitalize()}", "", f"Error ({case['unit']}); {case['truth']}.", ""]
        lines += case_table(result, case["name"])
    lines += ["", *distances(result), ""]
    lines += [f"{NAMES[engine]} is missing: {why}" for engine, why in result["missing"].items()]
    versions = ", ".join(f"{NAMES[engine]} {version}" for engine, version in result["versions"].items())
    machines = "; ".join(sorted({row["machine"] for row in result["rows"]}))
    return "\n".join([*lines, f"Versions: {versions}. Measured on: {machines}."])


def write_tables(result: Mapping[str, Any], page: Path) -> None:
    """Put the tables between their marks on a page."""
    before, rest = page.read_text().split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{tables(result)}\n{END}{after}")


def draw_case(axes: Axes, result: Mapping[str, Any], case: Mapping[str, Any]) -> None:
    """Error against cost of every setting in a case."""
    for (engine, setting), (colour, marker) in STYLES.items():
        rows = [row for row in rows_of(result, case["name"], engine, setting) if sound(row)]
        if not rows:
            continue
        x, y = [1e3 * row["cost"] for row in rows], [max(row["error"], FLOOR) for row in rows]
        face = "white" if setting in ("ours, explicit", "NSC", "SAP") else colour
        axes.plot(x, y, color=colour, marker=marker, markersize=4, markerfacecolor=face, label=label(engine, setting))
    axes.axhline(WANTED[case["name"]], color=GREY, linewidth=0.8, linestyle=":")
    unit = "relative error" if case["unit"] == "relative" else f"error in {case['unit']}"
    axes.set(xscale="log", yscale="log", title=case["name"], xlabel="processor time in ms per simulated s", ylabel=unit)


def save_picture(result: Mapping[str, Any], path: Path) -> None:
    """One panel a case, and one for the legend."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with pyplot.rc_context(RC):
        figure, panels = pyplot.subplots(2, 3, figsize=(13.0, 7.5))
        named: dict[str, Any] = {}
        for axes, case in zip(panels.flat, result["cases"], strict=False):
            draw_case(axes, result, case)
            handles, names = axes.get_legend_handles_labels()
            named |= dict(zip(names, handles, strict=True))
        last = panels.flat[-1]
        last.axis("off")
        last.legend(named.values(), named.keys(), loc="center", fontsize=9)
        last.set_title("dotted: the error asked in the summary")
        figure.savefig(path, dpi=130)
        pyplot.close(figure)
