"""Table and picture of the drift benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chrono_powercontact.report.style import BLUE, GREEN, GREY, ORANGE, RC, RED, VIOLET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

NAMES = {
    "chrono": "Chrono",
    "mujoco": "MuJoCo",
    "drake": "Drake",
    "exudyn": "Exudyn",
    "pybullet": "PyBullet",
    "opensim": "OpenSim",
}
COLOURS = {"chrono": GREY, "mujoco": ORANGE, "drake": GREEN, "exudyn": VIOLET, "pybullet": RED, "opensim": "#8a6d3b"}
OURS = "power"
"""How the names of our own laws begin; they have a colour of their own."""

STANDS = 1e-9
"""Creep in m/s below which a cube stands: 3 cm in a year."""

FLOOR = 1e-13
"""Least creep in m/s that the picture shows; below it there is round-off."""

SIDES = ((8, 0, "left"), (-8, 0, "right"), (8, 8, "left"), (8, -8, "left"), (-8, 8, "right"), (-8, -8, "right"))
"""Where a label may stand beside its mark: offset in points, and which end of it is at the mark."""

COLUMNS = ("engine", "setting", "option", "creep in um/s", "presliding in um", "step in ms", "us a step", "ms a second")

BEGIN, END = "<!-- table: written by benchmarks/drift.py -->", "<!-- end of table -->"


def finished(result: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Engine and row of every run that came to its end."""
    for engine in result["engines"]:
        for row in engine["rows"]:
            if "failed" not in row:
                yield engine["engine"], row


def speed_text(creep: float) -> str:
    """A creep in m/s as um/s, or that the cube stands."""
    return "stands" if abs(creep) < STANDS else f"{1e6 * creep:.3g}"


def _line(engine: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    name = f"{NAMES[engine['engine']]} {engine['version']}"
    option = row["option"] or "as it comes"
    option = f"[{option}]({row['source']})" if "://" in row["source"] else f"{option} ({row['source']})"
    mark = " *" if row["default"] else ""
    head = f"| {name} | {row['name']}{mark} | {option} |"
    if "failed" in row:
        return f"{head} failed: {row['failed']} | | | | |"
    step = "variable" if row["step"] is None else f"{1e3 * row['step']:.3g}"
    cost = "-" if row["step_cost_us"] is None else f"{row['step_cost_us']:.3g}"
    slid = f"{speed_text(row['creep'])} | {1e6 * row['presliding']:.3g}"
    return f"{head} {slid} | {step} | {cost} | {1e3 * row['cost_per_second']:.3g} |"


def table(result: Mapping[str, Any]) -> str:
    """All rows as a Markdown table, and a line for each engine that is missing."""
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    lines += [_line(engine, row) for engine in result["engines"] for row in engine["rows"]]
    notes = [_absence(engine) for engine in result["engines"] if "missing" in engine]
    machines = {row["machine"] for engine in result["engines"] for row in engine["rows"] if "machine" in row}
    notes += [f"Measured on: {'; '.join(sorted(machines))}."] * bool(machines)
    return "\n".join([*lines, *[""] * bool(notes), *notes])


def _absence(engine: Mapping[str, Any]) -> str:
    """That an engine is not installed, and whether its rows are from an earlier run."""
    earlier = " (its rows are from an earlier run)" if engine["rows"] else ""
    return f"{NAMES[engine['engine']]} is missing{earlier}: {engine['missing']}"


def write_table(result: Mapping[str, Any], page: Path) -> None:
    """Put the table between its marks on a page."""
    before, rest = page.read_text().split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{table(result)}\n{END}{after}")


def place(row: Mapping[str, Any]) -> tuple[float, float]:
    """Where a row stands in the picture: cost in ms per simulated second, creep in m/s."""
    return 1e3 * row["cost_per_second"], max(abs(row["creep"]), FLOOR)


def _mark(axes: Axes, at: tuple[float, float]) -> Bbox:
    """What a mark covers."""
    from matplotlib.transforms import Bbox

    x, y = axes.transData.transform(at)
    return Bbox.from_extents(x - 5.0, y - 5.0, x + 5.0, y + 5.0)


def _beside(axes: Axes, label: str, at: tuple[float, float], colour: str, taken: list[Bbox]) -> None:
    """Write a label on the first side of its mark where it covers no other."""
    for x, y, side in SIDES:
        text = axes.annotate(
            label, at, (x, y), textcoords="offset points", fontsize=7, color=colour, ha=side, va="center"
        )
        box = text.get_window_extent()
        if (x, y, side) == SIDES[-1] or not any(box.overlaps(other) for other in taken):
            taken.append(box)
            return
        text.remove()


def _above(axes: Axes, label: str, at: tuple[float, float], colour: str, taken: list[Bbox]) -> None:
    """Write a label upright over a mark that stands, or a little beside it where it would cover another."""
    for shift in (0, 9, -9, 16):
        text = axes.annotate(
            label, at, (shift, 8), textcoords="offset points", fontsize=7, color=colour, rotation=90, ha="center"
        )
        box = text.get_window_extent()
        if shift == 16 or not any(box.overlaps(other) for other in taken):
            taken.append(box)
            return
        text.remove()


def _draw(axes: Axes, engine: str, row: Mapping[str, Any], taken: list[Bbox]) -> None:
    ours = engine == "chrono" and row["name"].startswith(OURS)
    colour = BLUE if ours else COLOURS[engine]
    at = place(row)
    face = "white" if row["default"] else colour
    axes.plot(*at, marker="D" if ours else "o", markersize=7, color=colour, markerfacecolor=face, linestyle="none")
    label = row["name"] if engine == "chrono" else f"{NAMES[engine]} {row['name']}"
    if abs(row["creep"]) < STANDS:
        _above(axes, label, at, colour, taken)
    else:
        _beside(axes, label, at, colour, taken)


def _reach(result: Mapping[str, Any]) -> tuple[float, float]:
    """Limits of the cost axis, with room for labels."""
    costs = [place(row)[0] for _, row in finished(result)]
    return 0.35 * min(costs), 2.5 * max(costs)


def save_picture(result: Mapping[str, Any], path: Path) -> None:
    """Creep against cost on logarithmic axes; a hollow mark is a default."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with pyplot.rc_context(RC):
        figure, axes = pyplot.subplots(figsize=(10.0, 6.0))
        axes.set(xscale="log", yscale="log", xlim=_reach(result), ylim=(FLOOR / 3.0, 1.0))
        figure.draw_without_rendering()
        taken = [_mark(axes, place(row)) for _, row in finished(result)]
        for engine, row in finished(result):
            _draw(axes, engine, row, taken)
        axes.axhspan(FLOOR / 3.0, STANDS, color=BLUE, alpha=0.06, linewidth=0.0)
        axes.text(0.01, STANDS / 1.6, "stands", transform=axes.get_yaxis_transform(), fontsize=8, va="top", color=BLUE)
        axes.set(xlabel="processor time in ms per simulated second", ylabel="creep after settling in m/s")
        axes.set_title("1 kg cube on a slope of 20 degrees, friction 0.5: hollow marks are defaults")
        figure.savefig(path, dpi=130)
        pyplot.close(figure)
