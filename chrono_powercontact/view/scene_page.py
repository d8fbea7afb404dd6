"""One self-contained HTML page: the 3-D scene by viser, its slider, and the curves beside it."""

from __future__ import annotations

import html
from functools import cache
from typing import Any

import numpy as np

from .packing import packed
from .page_parts import UPLOT, VIEW, as_json, asset, inside_script
from .recording import Recording
from .stage import FRICTION, NORMAL, SLIDING, STICKING, Stage
from .viewer import client, server

CAMERA = np.array([0.75, -1.15, 0.55])
"""Where the camera stands, from the middle of the scene, over its size; z is up."""
DIGITS = 5
"""Significant digits of the curves."""
CURVES = ("#1f6fb4", "#e0812a", "#2f9e66", "#c8403f", "#7b5ea7", "#6b7280")
"""Colours of curves."""
HEIGHT = 560
"""Height in pixels of a view in a notebook."""


@cache
def viewer_script() -> str:
    """viser's page as a string for `view.js`: the same for every recording, so that pages may share it."""
    return f"window.powercontactViewer = {as_json(client())};\n"


def _numbers(values: Any) -> list[float | None]:
    """Numbers with a few digits; what is not finite is a gap."""
    return [float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None for value in values]


def scene_data(recording: Recording) -> dict[str, Any]:
    """Everything that `view.js` needs of a recording."""
    recording.check()
    with server() as running:
        running.scene.set_up_direction(tuple(recording.up))
        stage = Stage(running.scene, recording)
        camera_at(running, stage, np.asarray(recording.up, float))
        serializer = running.get_scene_serializer()
        for frame in range(len(recording)):
            stage.show(frame)
            serializer.insert_sleep(1.0)
        scene = packed(serializer.serialize())
    charts = [{"title": c.heading, "columns": list(c.columns)} for c in recording.charts]
    return {
        "title": recording.title, "t": _numbers(recording.t), "charts": charts, "scene": scene,
        "columns": {name: _numbers(recording[name]) for name in recording.columns},
        "counts": _counts(recording), "leftOut": stage.slots.left_out, "bodies": len(recording.bodies),
        "arrow": float(f"{stage.newton_per_metre:.3g}"), "colours": _colours(), "curves": CURVES,
    }  # fmt: skip


def _counts(recording: Recording) -> list[list[int]]:
    """Numbers of sticking and of sliding contacts in each frame."""
    sliding = [int(frame.contacts["sliding"].sum()) for frame in recording.frames]
    return [[frame.contacts.size - slides, slides] for frame, slides in zip(recording.frames, sliding, strict=True)]


def _colours() -> dict[str, str]:
    named = {"normal": NORMAL, "friction": FRICTION, "sticking": STICKING, "sliding": SLIDING}
    return {name: "#{:02x}{:02x}{:02x}".format(*colour) for name, colour in named.items()}


def camera_at(running: Any, stage: Stage, up: np.ndarray) -> None:
    """Set the camera so that all that moves is seen."""
    side = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    back = np.cross(up, side)
    offset = CAMERA[0] * side + CAMERA[1] * back + CAMERA[2] * up
    running.initial_camera.look_at = stage.extent.middle
    running.initial_camera.position = stage.extent.middle + stage.extent.size * offset
    running.initial_camera.near = 1e-3 * stage.extent.size
    running.initial_camera.far = 1e3 * stage.extent.size
    running.initial_camera.fov = 0.9


def body_of(data: dict[str, Any]) -> str:
    """The elements of a view, and its data; `viewer_script` and `view.js` must be in the page too."""
    text = asset("view.html").replace("{{title}}", html.escape(data["title"]))
    return f'{text}<script type="application/json" class="pc-data">{as_json(data)}</script>'


def styles() -> str:
    """The style sheets of curves and view."""
    return asset("uPlot.css") + asset("view.css")


def scripts() -> str:
    """The scripts of curves and view."""
    return inside_script(asset(UPLOT)) + ";\n" + inside_script(asset(VIEW))


def page_of(recording: Recording, viewer: str | None = None) -> str:
    """The whole page; `viewer` is the address of a file with `viewer_script`, where several pages share it."""
    data = scene_data(recording)
    viewing = f"<script>{viewer_script()}</script>" if viewer is None else f'<script src="{viewer}"></script>'
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(recording.title)}</title><link rel="icon" href="data:,"><style>{styles()}</style></head>
<body class="pc-page">{body_of(data)}
{viewing}
<script>{scripts()}</script>
</body></html>
"""


def inline(recording: Recording) -> str:
    """The page as an element of a notebook."""
    page = html.escape(page_of(recording), quote=True)
    size = f'width="100%" height="{HEIGHT}" style="border:0"'
    return f'<iframe title="{html.escape(recording.title)}" srcdoc="{page}" {size}></iframe>'
