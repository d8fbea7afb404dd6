"""What a benchmark tells of the machine that it ran on, and how it runs an engine apart from the others."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path
from typing import Any

PROCESSORS = Path("/proc/cpuinfo")

ENGINES = ("chrono", "mujoco", "drake", "exudyn", "pybullet", "opensim")


def machine() -> str:
    """Processor, number of cores, operating system and Python, in one line."""
    name = platform.processor() or platform.machine()
    if PROCESSORS.exists():
        models = [line.split(":", 1)[1].strip() for line in PROCESSORS.read_text().splitlines() if "model name" in line]
        name = models[0] if models else name
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def engine_version(engine: str) -> str:
    """Version of an installed engine."""
    if engine == "chrono":
        from chrono_powercontact.chrono.api.bridge import version

        return version()
    return metadata.version(engine)


def run_apart(job: Callable[..., Any], *arguments: Any) -> Any:
    """Do a job in a process of its own: what one engine loads or breaks does not reach the others.

    Returns its result, or the BrokenProcessPool if the process ended without one.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(job, *arguments).result()
        except BrokenProcessPool as error:
            return error
