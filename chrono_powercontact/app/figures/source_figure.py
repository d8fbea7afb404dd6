"""What a figure of the sources is, and how the run behind it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ...scenarios.catalogue import find
from ...scenarios.scenario import Outcome

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class SourceFigure:
    """One figure of the thesis.

    Attributes:
        number: as the thesis counts it.
        title: what it is, in our words.
        shows: what the thesis reads from it, and where ours differs.
        draw: paints it.
        size: in inches.
    """

    number: str
    title: str
    shows: str
    draw: Callable[[Figure], None]
    size: tuple[float, float] = (9.0, 4.0)


@cache
def run_of(name: str, *given: tuple[str, object]) -> Outcome[Any]:
    """A run of a scenario on the reference engine, made once."""
    scenario = find(name)
    return scenario.run(scenario.parameters_on("reference").read(dict(given)))


def own_picture(name: str, **given: object) -> Callable[[Figure], None]:
    """Paints the picture that a scenario has of its run."""

    def draw(figure: Figure) -> None:
        find(name).plot(run_of(name, *given.items()), figure)

    return draw


def scene(name: str, fraction: float = 0.0, **given: object) -> Callable[[Figure], None]:
    """Paints the scene of a scenario at a fraction of its run."""

    def draw(figure: Figure) -> None:
        outcome = run_of(name, *given.items())
        axes: Axes = figure.subplots()
        redraw = find(name).animate(outcome, axes)
        if redraw is not None:
            redraw(round(fraction * (len(outcome.trajectory) - 1)))

    return draw
