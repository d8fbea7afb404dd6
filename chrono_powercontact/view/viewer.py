"""viser, the library behind the 3-D view: where it is, and a server that only this machine reaches."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rich
import viser

from ..errors import ParameterError

HOST = "127.0.0.1"
"""The only address that a server listens on."""

PORT = 8080
"""The port that is tried first."""


def client() -> str:
    """viser's own page, which draws the scene."""
    path = Path(viser.__file__).parent / "client" / "build" / "index.html"
    if not path.exists():
        raise ParameterError(f"this viser has no built page {str(path)!r}: install it again from PyPI")
    return path.read_text(encoding="utf-8")


def free_port(port: int | None = None) -> int:
    """A port to listen on: the one asked for, or the first free one from PORT on; raises if it is in use."""
    if port is not None and not (isinstance(port, int) and 1 <= port <= 65535):
        raise ParameterError(f"port must be an integer from 1 to 65535, got {port!r}")
    for candidate in range(PORT, PORT + 200) if port is None else (port,):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, candidate))
            except OSError as error:
                if port is not None:
                    raise ParameterError(f"port {port} cannot be used: {error.strerror}; choose another one") from None
                continue
            return candidate
    raise ParameterError(f"no port from {PORT} to {PORT + 199} is free: name one with --port")


@contextmanager
def silence() -> Iterator[None]:
    """Let viser print nothing, neither to a terminal nor below a cell of a notebook."""
    console = rich.get_console()
    before = console.quiet
    console.quiet = True
    try:
        yield
    finally:
        console.quiet = before


def start(port: int | None = None, label: str | None = None) -> Any:
    """Start a server on this machine alone, silently; its page offers no way to share it beyond."""
    with silence():
        running = viser.ViserServer(host=HOST, port=free_port(port), label=label, verbose=False)
    running.gui.configure_theme(control_width="large", show_share_button=False)
    running.gui.main_panel.dock_right()
    return running


def stop(running: Any) -> None:
    """Stop a server, silently."""
    with silence():
        running.stop()


@contextmanager
def server(port: int | None = None, label: str | None = None) -> Iterator[Any]:
    """A server that is stopped at the end."""
    running = start(port, label)
    try:
        yield running
    finally:
        stop(running)
