"""A recorded run: where its bodies were, what its contacts did, and the curves beside them. It knows no engine."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from .pieces import Piece

Floats = NDArray[np.float64]

CONTACT = np.dtype(
    [
        ("a", np.int32),
        ("b", np.int32),
        ("point", np.float32, 3),
        ("normal", np.float32, 3),
        ("friction", np.float32, 3),
        ("sliding", np.bool_),
    ]
)
"""A contact in a frame: numbers of its bodies (-1 if unknown), the point in m, the normal and the friction force on
body A in N, in world components, and whether it slides."""

NO_CONTACTS = np.zeros(0, CONTACT)

EXTRA = "the view needs viser, which is not installed: pip install 'viser<2'"

FORMAT = 1
"""Version of the file."""

FILE = "scene.npz"
"""Name of the file in a run folder."""


@dataclass(frozen=True)
class Chart:
    """Curves that are drawn together: a title, their unit (empty if not known), and the names of the columns."""

    title: str
    unit: str
    columns: tuple[str, ...]

    @property
    def heading(self) -> str:
        """The title with its unit."""
        return f"{self.title} in {self.unit}" if self.unit else self.title


@dataclass(frozen=True)
class Frame:
    """One instant.

    Attributes:
        t: time in s. position: of each body, in m. rotation: of each body, a quaternion (e0, e1, e2, e3).
        contacts: records of CONTACT. values: of the columns.
    """

    t: float
    position: Floats
    rotation: Floats
    contacts: NDArray[Any]
    values: tuple[float, ...]


@dataclass
class Recording:
    """A run as a moving scene.

    `pc.record` makes it; `html` writes it as one page, `save` keeps it, `show` looks at it in a browser.

    Attributes:
        title: of the page. bodies: their names. pieces: what the bodies look like.
        columns: names of the curves. charts: how these are grouped. frames: the instants. up: against gravity.
    """

    title: str
    bodies: list[str]
    pieces: list[Piece]
    columns: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    frames: list[Frame] = field(default_factory=list)
    up: tuple[float, ...] = (0.0, 0.0, 1.0)

    def __len__(self) -> int:
        return len(self.frames)

    @property
    def t(self) -> Floats:
        """Times of the frames in s."""
        return np.array([frame.t for frame in self.frames])

    @property
    def positions(self) -> Floats:
        """Positions in m: frames, bodies, three components."""
        return _stacked([frame.position for frame in self.frames], len(self.bodies), np.zeros(3))

    @property
    def rotations(self) -> Floats:
        """Quaternions (e0, e1, e2, e3): frames, bodies, four components."""
        return _stacked([frame.rotation for frame in self.frames], len(self.bodies), np.array([1.0, 0.0, 0.0, 0.0]))

    @property
    def values(self) -> Floats:
        """The columns, one row a frame."""
        return np.array([frame.values for frame in self.frames]).reshape(len(self.frames), len(self.columns))

    def __getitem__(self, name: str) -> Floats:
        if name not in self.columns:
            raise KeyError(f"no column {name!r}; there are {', '.join(self.columns) or 'none'}")
        return np.asarray(self.values[:, self.columns.index(name)])

    def html(self, path: str | Path) -> Path:
        """Write the scene with its curves as one page, which opens from disk without a network (extra `view`)."""
        target = Path(path)
        text = str(needing_viser("scene_page").page_of(self))
        try:
            target.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ParameterError(f"the page {str(path)!r} cannot be written: {error.strerror}") from None
        return target

    def save(self, path: str | Path) -> Path:
        """Keep the recording as a NumPy archive, which `read_recording` reads."""
        self.check()
        header = {
            "format": FORMAT, "title": self.title, "bodies": self.bodies, "columns": self.columns,
            "up": self.up, "charts": [asdict(chart) for chart in self.charts],
            "pieces": [piece.header() for piece in self.pieces],
        }  # fmt: skip
        arrays: dict[str, Any] = {f"piece_{i}_{k}": v for i, p in enumerate(self.pieces) for k, v in p.arrays().items()}
        np.savez_compressed(
            path, header=np.array(json.dumps(header)), t=self.t, positions=self.positions.astype(np.float32),
            rotations=self.rotations.astype(np.float32), values=self.values,
            counts=np.array([frame.contacts.size for frame in self.frames]),
            contacts=np.concatenate([frame.contacts for frame in self.frames]), **arrays,
        )  # fmt: skip
        return Path(path)

    def show(self, port: int | None = None, browser: bool = True) -> None:
        """Look at it in a browser: serve it on 127.0.0.1 until Ctrl-C; in a notebook, inline."""
        needing_viser("player").play(self, port, browser)

    def check(self) -> None:
        """Raise unless there is something to show."""
        if not self.frames:
            raise ParameterError("nothing was recorded: call record before the run, and step at least once")
        if not self.pieces:
            raise ParameterError("there is no body to show: no body has a contact, collision or visual shape")

    def _repr_html_(self) -> str:
        """The page inline, in a notebook."""
        return str(needing_viser("scene_page").inline(self))


def needing_viser(module: str) -> ModuleType:
    """A module of this room that needs viser; raises a sentence with the pip line where that is missing."""
    if find_spec("viser") is None:
        raise ParameterError(EXTRA)
    return import_module(f".{module}", __package__)


def _stacked(rows: Sequence[Floats], count: int, missing: Floats) -> Floats:
    """Rows of a number of bodies; bodies that came later rest at `missing` before."""
    found = np.tile(missing, (len(rows), count, 1))
    for i, row in enumerate(rows):
        found[i, : len(row)] = row
    return found


def read_recording(path: str | Path) -> Recording:
    """A recording from its file, or from the folder of a run."""
    file = Path(path)
    if file.is_dir():
        file = _file_in(file)
    if not file.exists():
        raise ParameterError(f"there is no run folder and no recording {str(path)!r}")
    try:
        with np.load(file, allow_pickle=False) as data:
            return _unpacked(dict(data))
    except ParameterError:
        raise
    except (OSError, KeyError, ValueError, TypeError, zipfile.BadZipFile):
        raise ParameterError(f"{str(file)!r} is not a recording of this package, or it is damaged") from None


def _file_in(folder: Path) -> Path:
    """The recording in a run folder; raises if it has none, and says why."""
    file = folder / FILE
    if file.exists():
        return file
    summary = folder / "summary.json"
    if not summary.exists():
        raise ParameterError(f"{str(folder)!r} is not a run folder: it has no summary.json")
    scenario = _scenario_in(summary)
    raise ParameterError(
        f"the run in {str(folder)!r} has no scene to view: the scenario {scenario!r} draws none, or the folder is "
        f"older than this version; 'powercontact run {scenario}' writes {FILE} where there is one"
    )


def _scenario_in(summary: Path) -> str:
    """The name of the scenario in the summary of a run."""
    try:
        return str(json.loads(summary.read_text(encoding="utf-8"))["scenario"])
    except (OSError, KeyError, ValueError, TypeError):
        raise ParameterError(f"{str(summary)!r} is not the summary of a run, or it is damaged") from None


def _unpacked(data: Mapping[str, Any]) -> Recording:
    """The recording in the arrays of a file."""
    header = json.loads(str(data["header"]))
    if header["format"] > FORMAT:
        raise ParameterError(
            f"the recording's format {header['format']} is newer than {FORMAT}, the newest that is known"
        )
    pieces = [Piece.read(entry, data, i) for i, entry in enumerate(header["pieces"])]
    charts = tuple(Chart(c["title"], c["unit"], tuple(c["columns"])) for c in header["charts"])
    contacts = np.split(data["contacts"], np.cumsum(data["counts"])[:-1])
    columns = (data["t"].tolist(), data["positions"], data["rotations"], contacts, map(tuple, data["values"].tolist()))
    frames = [Frame(*parts) for parts in zip(*columns, strict=True)]
    return Recording(
        header["title"], header["bodies"], pieces, tuple(header["columns"]), charts, frames, tuple(header["up"])
    )
