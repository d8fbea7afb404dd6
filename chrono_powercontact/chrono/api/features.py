"""Features of the installed PyChrono, one line each, for `powercontact doctor`."""

from __future__ import annotations

from pathlib import Path

from .bridge import INTEGRATORS, missing, pychrono, version
from .views import zero_copy

WINDOWS = {"irrlicht": "Irrlicht", "vsg3d": "VSG"}
"""Modules of PyChrono that open a window, with their common names."""

COLLISION = {"Type_BULLET": "Bullet", "Type_MULTICORE": "Multicore"}


def windows() -> list[str]:
    """Window systems that this PyChrono was built with."""
    folder = Path(str(pychrono().__file__)).parent
    return [name for module, name in WINDOWS.items() if any(folder.glob(f"_{module}*"))]


def integrators() -> list[str]:
    """Integrators that can be chosen, by the names used here."""
    kinds = pychrono().ChTimestepper
    return [name for name, words in INTEGRATORS.items() if any(hasattr(kinds, word) for word in words)]


def lines() -> list[str]:
    """The engine and its features, or why it is missing."""
    reason = missing()
    if reason is not None:
        return [f"engine chrono: {reason}"]
    collision = [name for word, name in COLLISION.items() if hasattr(pychrono().ChCollisionSystem, word)]
    return [
        f"engine chrono: ready, PyChrono {version()} in {Path(str(pychrono().__file__)).parent}",
        f"  state vectors: {'shared with NumPy, no copy' if zero_copy() else 'copied as lists'}",
        f"  integrators: {', '.join(integrators())}",
        f"  collision systems: {', '.join(collision) or 'none'}",
        f"  windows: {', '.join(windows()) or 'none; pc.show serves the scene in the browser'}",
    ]
