"""Progress of a run: a callback that receives the fraction done, and a bar that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = Callable[[float], None]
"""A function that is called with the fraction of the run that is done, 0 to 1."""


def unwatched(_: float) -> None:
    """Ignore the progress of a run."""


def part_of(progress: Progress, number: int, count: int) -> Progress:
    """The progress of one of several runs, counted from 0, within that of all of them."""
    return lambda share: progress((number + share) / count)


def _bar_class() -> Any:
    """The class of bars, imported when one is shown."""
    from tqdm import tqdm

    return tqdm


@contextmanager
def progress_bar(title: str, quiet: bool) -> Iterator[Callable[[float], None]]:
    """A bar on standard error that disappears when done; none if `quiet`, or if that is no terminal."""
    if quiet:
        yield unwatched
        return
    with _bar_class()(
        total=100, desc=title, unit="%", leave=False, disable=None, bar_format="{l_bar}{bar}| {elapsed}"
    ) as bar:

        def show(fraction: float) -> None:
            bar.update(int(100 * fraction) - bar.n)

        yield show


@contextmanager
def counting_bar(title: str, total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar on standard error that counts things and estimates the time left; none if `quiet` or no terminal."""
    if quiet:
        yield lambda count: None
        return
    with _bar_class()(total=total, desc=title, unit="run", leave=False, disable=None, smoothing=0.05) as bar:

        def show(count: int) -> None:
            bar.update(count)

        yield show
