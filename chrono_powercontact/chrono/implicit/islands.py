"""Islands: groups of moving bodies that blocks or links connect. A fixed body connects nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import kernel

Array = Any


class Groups(NamedTuple):
    """Bodies, blocks and link rows sorted by island; `..._at` holds where each island begins, and the end."""

    bodies: Array
    bodies_at: Array
    blocks: Array
    blocks_at: Array
    rows: Array
    rows_at: Array


@kernel
def root_of(parent: Array, body: int) -> int:
    """The representative of the group of a body; the path to it is shortened."""
    while parent[body] != body:
        parent[body] = parent[parent[body]]
        body = parent[body]
    return body


@kernel
def join(parent: Array, a: int, b: int) -> None:
    """Join the groups of two bodies."""
    first = root_of(parent, a)
    second = root_of(parent, b)
    if first != second:
        parent[max(first, second)] = min(first, second)


@kernel
def any_moving(mass: Array, a: int, b: int) -> int:
    """One of two bodies that moves, or -1."""
    if mass[a] > 0.0:
        return a
    return b if mass[b] > 0.0 else -1


@kernel
def sorted_by(island: Array, count: int) -> tuple[Array, Array]:
    """Numbers sorted by their island, and where each island begins; those of island -1 are left out."""
    starts = np.zeros(count + 1, np.int64)
    for i in island:
        if i >= 0:
            starts[i + 1] += 1
    for i in range(count):
        starts[i + 1] += starts[i]
    fill = starts.copy()
    order = np.empty(starts[count], np.int64)
    for n in range(island.size):
        if island[n] >= 0:
            order[fill[island[n]]] = n
            fill[island[n]] += 1
    return order, starts


@kernel
def number_islands(mass: Array, blocks: Array, row_bodies: Array, handed: int, parent: Array, of_block: Array) -> Array:
    """Number of the island of each representative of a group, -1 if nothing acts there; and that of each block.

    The last number plus one is the number of islands, behind the others.
    """
    number = np.full(mass.size + 1, -1, np.int64)
    count = 0
    for e in range(blocks.size):
        body = any_moving(mass, blocks[e].a, blocks[e].b)
        if body >= 0:
            root = root_of(parent, body)
            if number[root] < 0:
                number[root] = count
                count += 1
            of_block[e] = number[root]
    for c in range(handed, row_bodies.shape[0]):
        if row_bodies[c, 0] >= 0:
            root = root_of(parent, row_bodies[c, 0])
            if number[root] < 0:
                number[root] = count
                count += 1
    number[mass.size] = count
    return number


@kernel
def islands_of(mass: Array, blocks: Array, row_bodies: Array, handed: int) -> Groups:
    """The islands of all moving bodies that are connected to a block or a handed row; other bodies are in none.

    Args:
        mass: in kg, zero if a body does not move. row_bodies: for each link row its bodies, -1 for none.
        handed: number of the first link row whose impulse is handed over to Chrono, see `Links`. Nobody else solves
            for these rows.
    """
    parent = np.arange(mass.size)
    for e in range(blocks.size):
        if mass[blocks[e].a] > 0.0 and mass[blocks[e].b] > 0.0:
            join(parent, blocks[e].a, blocks[e].b)
    for c in range(row_bodies.shape[0]):
        for k in range(1, row_bodies.shape[1]):
            if row_bodies[c, k] >= 0:
                join(parent, row_bodies[c, 0], row_bodies[c, k])
    of_block = np.full(blocks.size, -1, np.int64)
    number = number_islands(mass, blocks, row_bodies, handed, parent, of_block)
    of_body = np.full(mass.size, -1, np.int64)
    for body in range(mass.size):
        if mass[body] > 0.0:
            of_body[body] = number[root_of(parent, body)]
    of_row = np.full(row_bodies.shape[0], -1, np.int64)
    for c in range(row_bodies.shape[0]):
        if row_bodies[c, 0] >= 0:
            of_row[c] = of_body[row_bodies[c, 0]]
    count = number[mass.size]
    bodies, bodies_at = sorted_by(of_body, count)
    sorted_blocks, blocks_at = sorted_by(of_block, count)
    rows, rows_at = sorted_by(of_row, count)
    return Groups(bodies, bodies_at, sorted_blocks, blocks_at, rows, rows_at)
