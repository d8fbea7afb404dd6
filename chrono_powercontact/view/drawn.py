"""A finished run as a moving scene: bodies and contacts that follow columns of its trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from ..trajectory import Trajectory
from .pieces import BALL, BOX, CAPSULE, CYLINDER, FIXED, Colour, Piece, colour_of
from .poses import about
from .recording import CONTACT, Chart, Frame, Recording

Floats = NDArray[np.float64]
Course = str | ArrayLike
"""How a quantity goes: the name of a column, one value for all times, or a value for each row."""

MOST_FRAMES = 300
"""Frames of a long run."""

SIZES = {BALL: 1, BOX: 3, CAPSULE: 2, CYLINDER: 2}
"""Numbers that the size of a kind has."""

LEDGER = ("kinetic", "potential", "stored", "contact_heat", "friction_heat", "handed_back", "step_loss")
"""Columns of the energy ledger."""


@dataclass(frozen=True)
class Drawn:
    """A body as it is drawn.

    Attributes:
        name: of the body. kind: "ball", "box", "capsule" or "cylinder" (the last two lie along z).
        size: in m: radius; three edges; radius and length.
        position: its three coordinates in m, each a column of the run, a number, or an array.
        rotation: quaternion (e0, e1, e2, e3), each a column, a number, or an array; or None.
        axis, angle: instead of a quaternion, an axis and the angle about it in rad.
        offset: of the piece on the body, in m. colour: red, green, blue, 0 to 255; None chooses one.
        fixed: whether it is drawn as ground.
    """

    name: str
    kind: str
    size: Sequence[float]
    position: Sequence[Course] = (0.0, 0.0, 0.0)
    rotation: Sequence[Course] | None = None
    axis: Sequence[float] = (0.0, 1.0, 0.0)
    angle: Course = 0.0
    offset: Sequence[float] = (0.0, 0.0, 0.0)
    colour: Colour | None = None
    fixed: bool = False

    def __post_init__(self) -> None:
        if self.kind not in SIZES:
            raise ParameterError(f"kind must be one of {', '.join(SIZES)}, got {self.kind!r}")
        if len(self.size) != SIZES[self.kind] or not all(edge > 0.0 for edge in self.size):
            raise ParameterError(
                f"the size of a {self.kind} is {SIZES[self.kind]} positive number(s), got {self.size!r}"
            )


@dataclass(frozen=True)
class Touch:
    """A contact as it is drawn.

    Attributes:
        point: its coordinates in m, as in `Drawn`. normal: direction of the normal force.
        force: normal force in N. friction: its three components in N. slip: sliding speed in m/s, of any sign.
    """

    point: Sequence[Course]
    force: Course
    normal: Sequence[Course] = (0.0, 0.0, 1.0)
    friction: Sequence[Course] = (0.0, 0.0, 0.0)
    slip: Course = 0.0


class _Rows:
    """Courses of quantities at some rows of a run."""

    def __init__(self, run: Trajectory, rows: NDArray[np.int64]) -> None:
        self._run = run
        self.rows = rows

    def course(self, given: Course) -> Floats:
        """Values at the rows."""
        if isinstance(given, str):
            sign = -1.0 if given.startswith("-") else 1.0
            return sign * self._run[given.removeprefix("-")][self.rows]
        values = np.asarray(given, float)
        if values.ndim == 0:
            return np.full(len(self.rows), float(values))
        if values.shape != (len(self._run),):
            raise ParameterError(f"a course needs one value for each of {len(self._run)} rows, got {values.shape}")
        return np.asarray(values[self.rows])

    def vectors(self, given: Sequence[Course]) -> Floats:
        """Rows of vectors."""
        return np.stack([self.course(part) for part in given], axis=-1)


def frame_rows(t: Floats, frames: float) -> NDArray[np.int64]:
    """Rows of a run at so many frames per second; a short run has more of them per second, a long one fewer."""
    if not len(t):
        raise ParameterError("the run has no rows")
    length = float(t[-1] - t[0])
    count = int(np.clip(round(length * frames), min(len(t), MOST_FRAMES), MOST_FRAMES))
    wanted = np.linspace(t[0], t[-1], count)
    return np.unique(np.clip(np.searchsorted(t, wanted - 1e-12), 0, len(t) - 1))


def recording_of(
    run: Trajectory, bodies: Sequence[Drawn], contacts: Sequence[Touch], columns: Sequence[str] | Mapping[str, str],
    frames: float, title: str, slip_speed: float,
) -> Recording:  # fmt: skip
    """The scene of a finished run; `columns` may give units by name."""
    if not bodies:
        raise ParameterError("a Trajectory shows nothing by itself: name its bodies, record(run, [pc.Drawn(...)])")
    rows = _Rows(run, frame_rows(run["t"], frames))
    pieces = [_piece(body, number) for number, body in enumerate(bodies)]
    position = np.stack([rows.vectors(body.position) for body in bodies], axis=1)
    rotation = np.stack([_turning(body, rows) for body in bodies], axis=1)
    touching = _touching(contacts, rows, slip_speed)
    ledger, charts = _charts(run, columns)
    values = np.column_stack([_value(run, name)[rows.rows] for name in ledger])
    made = [
        Frame(float(run["t"][row]), position[i], rotation[i], touching[i], tuple(values[i].tolist()))
        for i, row in enumerate(rows.rows)
    ]
    return Recording(title, [body.name for body in bodies], pieces, ledger, charts, made)


def _piece(body: Drawn, number: int) -> Piece:
    """What a body looks like."""
    colour = body.colour or (FIXED if body.fixed else colour_of(number, False))
    size = tuple(float(part) for part in body.size)
    return Piece(number, body.kind, size, colour, tuple(float(part) for part in body.offset))


def _turning(body: Drawn, rows: _Rows) -> Floats:
    """Quaternions of a body."""
    if body.rotation is not None:
        found = rows.vectors(body.rotation)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))
    return about(body.axis, rows.course(body.angle))


def _touching(contacts: Sequence[Touch], rows: _Rows, slip_speed: float) -> list[NDArray[Any]]:
    """Contacts by frame; only those with a force."""
    whole = np.zeros((len(rows.rows), len(contacts)), CONTACT)
    for i, contact in enumerate(contacts):
        lines = whole[:, i]
        lines["a"] = i
        lines["b"] = -1
        lines["point"] = rows.vectors(contact.point)
        lines["normal"] = rows.course(contact.force)[:, None] * rows.vectors(contact.normal)
        lines["friction"] = rows.vectors(contact.friction)
        lines["sliding"] = np.abs(rows.course(contact.slip)) > slip_speed
    acting = np.maximum(*(np.abs(whole[name]).max(axis=2, initial=0.0) for name in ("normal", "friction"))) > 0.0
    return [line[on] for line, on in zip(whole, acting, strict=True)]


def _value(run: Trajectory, name: str) -> Floats:
    """A column; potential energy is counted from its least."""
    values = run[name]
    return values - values.min() if name == "potential" else values


def _charts(run: Trajectory, columns: Sequence[str] | Mapping[str, str]) -> tuple[tuple[str, ...], tuple[Chart, ...]]:
    """Names of the columns and their charts: the energy ledger where there is one, then those that were asked for."""
    ledger = tuple(name for name in LEDGER if name in run.names and np.any(run[name] != 0.0))
    for name in columns:
        if name not in run.names:
            raise ParameterError(f"no column {name!r}; there are {', '.join(run.names)}")
    charts = [Chart("energy", "J", ledger)] if ledger else []
    others = tuple(name for name in columns if name not in ledger)
    units = columns if isinstance(columns, Mapping) else dict.fromkeys(others, "")
    charts += [Chart(name, units[name], (name,)) for name in others]
    return ledger + others, tuple(charts)
