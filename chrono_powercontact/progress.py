"""How far a run is: a function of the fraction done, and a bar that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[float], None]
"""Called with the fraction of the run that is done, 0 to 1."""


def unwatched(_: float) -> None:
    """Progress of a run that nobody watches."""


@contextmanager
def progress_bar(title: str, quiet: bool) -> Iterator[Callable[[float], None]]:
    """A bar on standard error that vanishes when done; nothing where it is not wanted."""
    from tqdm import tqdm

    with tqdm(
        total=100, desc=title, unit="%", leave=False, disable=quiet or None, bar_format="{l_bar}{bar}| {elapsed}"
    ) as bar:

        def show(share: float) -> None:
            bar.update(int(100 * share) - bar.n)

        yield show
