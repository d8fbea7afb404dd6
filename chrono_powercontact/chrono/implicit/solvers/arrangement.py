"""The order of the bodies and links of an island in which its matrix is narrow.

Bodies follow each other from one end of the island to the other (Cuthill and McKee 1969), and the rows of a link come
right after the first of its bodies. The matrix of a stack or of a chain of joints then has a band as wide as two bodies
and their link, and its factors cost as much as the bodies are many. The order is reversed (George 1971), so that limbs
of a mechanism are eliminated from their ends, which couples none of them to another.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import kernel
from ...contact.bodies import SPEED_WIDTH

Array = Any


class Layout(NamedTuple):
    """Where an island is in its matrix.

    Attributes:
        bodies, rows: index of the first entry of each body, and of each link row. width: diagonals on either side of
            the main one that are not zero.
    """

    bodies: Array
    rows: Array
    width: int


@kernel
def neighbours(members: Array, numbers: Array, blocks: Array, rows: Array, row_bodies: Array, place: Array) -> Array:
    """Whether a block or a link connects two bodies of an island.

    Args:
        members: its bodies. numbers: of its blocks. rows: of its links. row_bodies: bodies of all link rows.
        place: index of each body in the island, -1 if outside.
    """
    near = np.zeros((members.size, members.size), np.bool_)
    for e in numbers:
        a = place[blocks[e].a]
        b = place[blocks[e].b]
        if a >= 0 and b >= 0:
            near[a, b] = True
            near[b, a] = True
    for row in rows:
        a = row_bodies[row, 0]
        b = row_bodies[row, 1]
        if a >= 0 and b >= 0:
            near[place[a], place[b]] = True
            near[place[b], place[a]] = True
    return near


@kernel
def walk_from(near: Array, start: int, order: Array) -> None:
    """Order bodies by their distance from one of them, in steps from neighbour to neighbour."""
    seen = np.zeros(near.shape[0], np.bool_)
    order[0] = start
    seen[start] = True
    count = 1
    for head in range(near.shape[0]):
        if head == count:
            return
        for other in range(near.shape[0]):
            if near[order[head], other] and not seen[other]:
                seen[other] = True
                order[count] = other
                count += 1


@kernel
def sort_bodies(near: Array, members: Array, place: Array) -> None:
    """Sort the bodies of an island from one end to the other; `place` receives their new indices."""
    many = members.size
    order = np.zeros(many, np.int64)
    walk_from(near, 0, order)
    walk_from(near, order[many - 1], order)
    before = members.copy()
    for n in range(many):
        members[n] = before[order[many - 1 - n]]
        place[members[n]] = n


@kernel
def first_of(row: int, row_bodies: Array, place: Array) -> int:
    """Index of the first body of a link row in its island."""
    a = row_bodies[row, 0]
    b = row_bodies[row, 1]
    if b < 0:
        return place[a]
    return min(place[a], place[b])


@kernel
def sort_rows(rows: Array, row_bodies: Array, place: Array) -> None:
    """Sort link rows by the first of their bodies, by insertion: they are nearly sorted."""
    for i in range(1, rows.size):
        row = rows[i]
        key = first_of(row, row_bodies, place)
        k = i
        while k > 0 and first_of(rows[k - 1], row_bodies, place) > key:
            rows[k] = rows[k - 1]
            k -= 1
        rows[k] = row


@kernel
def layout_of(members: Array, numbers: Array, blocks: Array, rows: Array, row_bodies: Array, place: Array) -> Layout:
    """Where bodies and link rows of a sorted island are in its matrix."""
    layout = Layout(np.empty(members.size, np.int64), np.empty(rows.size, np.int64), 0)
    at = 0
    c = 0
    for n in range(members.size):
        layout.bodies[n] = at
        at += SPEED_WIDTH
        while c < rows.size and first_of(rows[c], row_bodies, place) == n:
            layout.rows[c] = at
            at += 1
            c += 1
    width = SPEED_WIDTH - 1
    for e in numbers:
        a = place[blocks[e].a]
        b = place[blocks[e].b]
        if a >= 0 and b >= 0:
            width = max(width, abs(layout.bodies[a] - layout.bodies[b]) + SPEED_WIDTH - 1)
    for c in range(rows.size):
        for body in row_bodies[rows[c]]:
            if body >= 0:
                first = layout.bodies[place[body]]
                width = max(width, layout.rows[c] - first, first + SPEED_WIDTH - 1 - layout.rows[c])
    return Layout(layout.bodies, layout.rows, width)


@kernel
def arranged(members: Array, numbers: Array, blocks: Array, rows: Array, row_bodies: Array, place: Array) -> Layout:
    """Sort bodies and link rows of an island, so that its matrix is narrow; see `neighbours` for the arguments."""
    if members.size > 2:
        near = neighbours(members, numbers, blocks, rows, row_bodies, place)
        sort_bodies(near, members, place)
    sort_rows(rows, row_bodies, place)
    return layout_of(members, numbers, blocks, rows, row_bodies, place)


@kernel
def rows_apart(rows: Array, row_bodies: Array) -> int:
    """Largest distance of two link rows, in their order, that share a body."""
    last = np.full(row_bodies.max() + 1 if rows.size > 0 else 0, -1)
    apart = 0
    for c in range(rows.size - 1, -1, -1):
        for side in range(2):
            body = row_bodies[rows[c], side]
            if body >= 0:
                if last[body] < 0:
                    last[body] = c
                apart = max(apart, last[body] - c)
    return apart
