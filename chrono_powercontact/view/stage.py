"""A recording as nodes of a viser scene: bodies in batches, contact points, arrows of normal forces and friction."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .meshes import arrow_mesh, look_of, point_mesh
from .pieces import BOX, CAPSULE, MESH, PLANE, Piece
from .poses import inverse, product, to_direction, turned
from .recording import Recording
from .slots import Slots, roomy, slots_of

Floats = NDArray[np.float64]

NORMAL = (31, 111, 180)
FRICTION = (224, 129, 42)
STICKING = (47, 158, 102)
SLIDING = (200, 64, 63)
"""Colours (red, green, blue; 0 to 255) of arrows and of contact points."""

FINE = 13
"""Positions are rounded to the scene's size over 2**FINE."""

TURN_BITS = 10
"""Quaternions are rounded to 2**-TURN_BITS."""

ARROW = 0.18
"""Length of an arrow of the reference force, over the size of the scene."""

FEW = 40
"""More pieces than this cast no shadow and are less round: it would take too long without a graphics card."""

PLATE = 1.6
"""Edge of the plate that represents a plane, over the size of the scene."""

THIN = 0.01
"""Thickness of that plate, over its edge."""

POINT = 0.012
"""Radius of a contact point, over the size of the scene."""

SEEN_THROUGH = 0.5
"""Opacity of bodies that move, where there are contacts: these are inside or below them."""

FADED = 1e-4
"""Forces below this, over the largest one, do not count for the length of arrows."""

LONGEST = 2.5
"""The longest arrow, over that of the reference force."""


class Extent(NamedTuple):
    """Middle of what moves and its size, in m."""

    middle: Floats
    size: float


class Measures(NamedTuple):
    """What a scene is drawn by: where it is, which bodies move, and how many newtons a metre of arrow is."""

    extent: Extent
    moves: NDArray[np.bool_]
    newton_per_metre: float


def measured(recording: Recording, slots: Slots) -> Measures:
    """The measures of a recording whose contacts are in slots."""
    extent = extent_of(recording)
    return Measures(extent, moving(recording), _reference_force(slots) / (ARROW * extent.size))


def rounded(values: ArrayLike, bits: int) -> NDArray[np.float32]:
    """Values rounded to multiples of 2**-bits."""
    return (np.rint(np.asarray(values, float) * 2.0**bits) * 2.0**-bits).astype(np.float32)


def linear(colours: ArrayLike) -> NDArray[np.uint8]:
    """Colours (red, green, blue; 0 to 255) as viser takes those of batches: intensities of light, not of a screen."""
    share = np.asarray(colours, float) / 255.0
    light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.rint(255.0 * light).astype(np.uint8)


def moving(recording: Recording) -> NDArray[np.bool_]:
    """Which bodies move at all."""
    shifted = np.ptp(recording.positions, axis=0).max(axis=1) > 1e-9
    turned_at_all = np.ptp(recording.rotations, axis=0).max(axis=1) > 1e-9
    return np.asarray(shifted | turned_at_all)


def extent_of(recording: Recording) -> Extent:
    """Where the moving bodies are; all bodies where none moves."""
    chosen = moving(recording)
    if not chosen.any():
        chosen = np.ones(len(recording.bodies), bool)
    pieces = [piece for piece in recording.pieces if piece.kind != PLANE]
    reaches = [_reach(piece) for piece in pieces if chosen[piece.body]] or [_reach(piece) for piece in pieces]
    reach = float(np.median(reaches)) if reaches else 0.5
    points = recording.positions[:, chosen].reshape(-1, 3)
    low = np.quantile(points, 0.005, axis=0)
    high = np.quantile(points, 0.995, axis=0)
    return Extent(0.5 * (low + high), float(np.max(high - low)) + 2.0 * reach)


def _reach(piece: Piece) -> float:
    """Distance in m of the farthest point of a piece from its body."""
    if piece.kind == MESH:
        own = float(np.abs(piece.vertices).max(initial=0.0))
    elif piece.kind == BOX:
        own = 0.5 * float(np.linalg.norm(piece.size))
    else:
        own = piece.size[0] + 0.5 * sum(piece.size[1:])
    return own + float(np.linalg.norm(piece.position))


class Stage:
    """Draws frames of a recording into a scene of viser's."""

    def __init__(
        self, scene: Any, recording: Recording, measures: Measures | None = None, before: Stage | None = None
    ) -> None:
        """Draw the first frame, by given measures or by those of the recording; nodes of the stage before that fit are
        moved, for a browser takes its time to show new ones."""
        recording.check()
        self._known = {} if before is None else before.nodes
        slots = slots_of([frame.contacts for frame in recording.frames])
        self.slots: Slots = slots if before is None else roomy(slots, before.slots.present.shape[1])
        self.extent, moves, self.newton_per_metre = measures or measured(recording, self.slots)
        self._bits = FINE - math.floor(math.log2(self.extent.size))
        self._scene = scene
        self._position = recording.positions
        self._rotation = recording.rotations
        self._changes: list[tuple[Any, str, NDArray[Any]]] = []
        self._last: dict[tuple[int, str], NDArray[Any]] = {}
        self._few = len(recording.pieces) <= FEW
        scene.configure_default_lights(cast_shadow=self._few)
        pieces = [self._plate(piece, bool(moves[piece.body])) for piece in recording.pieces]
        for number, group in enumerate(_groups(pieces, moves)):
            self._add_group(f"/bodies/{number} {group[0].kind}", group, bool(moves[group[0].body]))
        if self.slots.present.shape[1]:
            self._add_contacts()

    @property
    def nodes(self) -> dict[str, Any]:
        """What was drawn, by name."""
        return {handle.name: handle for handle, _, _ in self._changes}

    def show(self, frame: int) -> None:
        """Draw a frame; only what differs from the last one is sent."""
        for handle, name, values in self._changes:
            now = values[frame]
            key = (id(handle), name)
            if not np.array_equal(self._last.get(key, values[0]), now):
                setattr(handle, name, now)
            self._last[key] = now

    def _plate(self, piece: Piece, moves: bool) -> Piece:
        """A plane as a plate: below all that moves, unless the plane itself does."""
        if piece.kind != PLANE:
            return piece
        edge = piece.size[0] if piece.size else PLATE * self.extent.size
        thick = THIN * edge
        normal = turned(piece.rotation, (0.0, 0.0, 1.0))
        middle = np.asarray(piece.position)
        if not moves:
            rotation = self._rotation[0, piece.body]
            away = turned(inverse(rotation), self.extent.middle - self._position[0, piece.body]) - middle
            middle = middle + away - (away @ normal) * normal
        middle = middle - 0.5 * thick * normal
        return replace(piece, kind=BOX, size=(edge, edge, thick), position=tuple(middle.tolist()))

    def _add_group(self, name: str, group: Sequence[Piece], moves: bool) -> None:
        """Pieces of one family as one batch; contacts shine through those that move."""
        numbers = [piece.body for piece in group]
        rotation = self._rotation[:, numbers]
        position = self._position[:, numbers] + turned(rotation, np.array([piece.position for piece in group]))
        turn = product(rotation, np.array([piece.rotation for piece in group]))
        looks = [look_of(piece, self._few) for piece in group]
        places = rounded(position, self._bits)
        turns = rounded(turn, TURN_BITS)
        self._put(
            name, (looks[0].vertices, looks[0].faces), {"batched_positions": places, "batched_wxyzs": turns},
            batched_scales=np.array([look.scale for look in looks], np.float32),
            batched_colors=linear([piece.colour for piece in group]),
            flat_shading=group[0].kind not in (CAPSULE, "ball", "cylinder"), side="double",
            opacity=SEEN_THROUGH if moves and self.slots.present.size else None,
            cast_shadow=self._few, receive_shadow=self._few,
        )  # fmt: skip

    def _put(self, name: str, mesh: tuple[Any, Any], courses: dict[str, NDArray[Any]], **fixed: Any) -> None:
        """A batch of a mesh: `courses` are its properties by frame, `fixed` those that stay."""
        first = {key: values[0] for key, values in courses.items()}
        handle = self._known.get(name)
        if handle is not None and _fits(handle, first, fixed):
            for key, value in first.items():
                if not np.array_equal(getattr(handle, key), value):
                    setattr(handle, key, value)
        else:
            handle = self._scene.add_batched_meshes_simple(name, *mesh, lod="off", **first, **fixed)
        self._changes += [(handle, key, values) for key, values in courses.items()]

    def _add_contacts(self) -> None:
        """Contact points and arrows."""
        slots = self.slots
        point = rounded(slots.point, self._bits)
        self._add_points(point)
        for name, force, colour in (("normal force", slots.normal, NORMAL), ("friction", slots.friction, FRICTION)):
            self._add_arrows(f"/contacts/{name}", point, force, colour)

    def _add_points(self, point: NDArray[np.float32]) -> None:
        """Small balls, coloured by sticking and sliding."""
        slots = self.slots
        vertices, faces = point_mesh()
        scales = rounded(np.where(slots.present, POINT * self.extent.size, 0.0), self._bits + 2)
        shown = (slots.sliding & slots.present)[..., None]
        colours = np.where(shown, linear(SLIDING), linear(STICKING))
        upright = np.zeros((*point.shape[:2], 4), np.float32)
        upright[..., 0] = 1.0
        courses = {
            "batched_positions": point, "batched_wxyzs": upright, "batched_scales": scales, "batched_colors": colours,
        }  # fmt: skip
        self._put("/contacts/points", (vertices, faces), courses, cast_shadow=False, receive_shadow=False)

    def _add_arrows(self, name: str, point: NDArray[np.float32], force: Any, colour: tuple[int, int, int]) -> None:
        """Arrows that begin at the contact points."""
        size = np.linalg.norm(force, axis=2)
        length = np.minimum(size / self.newton_per_metre, LONGEST * ARROW * self.extent.size)
        direction = np.where(size[..., None] > 0.0, force / np.maximum(size, 1e-30)[..., None], (0.0, 0.0, 1.0))
        scales = rounded(length, self._bits - 3)
        turns = rounded(to_direction(direction), TURN_BITS - 3)
        turns[scales == 0.0] = (1.0, 0.0, 0.0, 0.0)
        vertices, faces = arrow_mesh()
        courses = {"batched_positions": point, "batched_wxyzs": turns, "batched_scales": scales}
        still = {"batched_colors": linear(colour), "cast_shadow": False, "receive_shadow": False}
        self._put(name, (vertices, faces), courses, **still)


def _fits(handle: Any, first: dict[str, NDArray[Any]], fixed: dict[str, Any]) -> bool:
    """Whether a node can take these properties: as many pieces, of the same sizes and as opaque."""
    alike = all(
        np.array_equal(getattr(handle, key), fixed[key]) for key in ("batched_scales", "opacity") if key in fixed
    )
    return alike and all(np.shape(getattr(handle, key)) == value.shape for key, value in first.items())


def _groups(pieces: Sequence[Piece], moves: NDArray[np.bool_]) -> list[list[Piece]]:
    """Pieces of one family that move or rest together."""
    found: dict[tuple[Any, ...], list[Piece]] = defaultdict(list)
    for piece in pieces:
        family = (bool(moves[piece.body]), *piece.family())
        found[family].append(piece)
    return list(found.values())


def _reference_force(slots: Slots) -> float:
    """A usual force of the run in N, which neither short peaks nor what fades out decide."""
    sizes = np.maximum(*(np.linalg.norm(force, axis=2) for force in (slots.normal, slots.friction)))[slots.present]
    sizes = sizes[sizes > FADED * sizes.max(initial=0.0)]
    return float(np.median(sizes)) if sizes.size else 1.0
