"""What this installation has: versions, caches, engines."""

from __future__ import annotations

import platform
from importlib import metadata

from .. import __version__
from ..view.recording import EXTRA

PACKAGES = ("numpy", "scipy", "clarabel", "sympy", "numba", "matplotlib", "tqdm", "pillow")


def report() -> str:
    """One line per finding."""
    from ..chrono.api.features import lines as chrono_lines
    from ..lagrange.codegen import cache_folder

    lines = [f"chrono_powercontact {__version__}", f"python {platform.python_version()} on {platform.platform()}"]
    for package in PACKAGES:
        try:
            lines.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            lines.append(f"{package} is missing")
    folder = cache_folder()
    kernels = len(list(folder.glob("*.py")))
    lines.append(f"generated kernels: {kernels} in {folder}")
    lines.append(_view())
    lines.append("engine reference: ready")
    lines.extend(chrono_lines())
    return "\n".join(lines)


def _view() -> str:
    """Whether runs can be looked at in a browser."""
    try:
        return f"view in the browser: ready, viser {metadata.version('viser')}"
    except metadata.PackageNotFoundError:
        return f"view in the browser: {EXTRA}"
