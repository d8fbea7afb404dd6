"""Runs of the block at rest from different starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...lagrange.nonsmooth.moreau import Moreau, run_moreau
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.friction.prestress import anchor_for
from ...progress import Progress
from ...setvalued.delassus import r_factor
from ...trajectory import Trajectory
from .block.block_models import rigid_block
from .block.block_statics import REST, load_of, resting_normals
from .block.smooth_block import V_C, foot, resting_state, run_smooth, smooth_block
from .hyperstatic_start import (
    ANCHORED,
    GAUSS_SEIDEL,
    MU,
    PROX,
    PUBLISHED,
    REVERSED,
    SLIDING,
    SWAPPED,
    WANTED,
    HyperstaticStartParameters,
    Row,
)

DAMPING = 1e-4
"""Damping time in s of the anchors."""


def prox_rows(p: HyperstaticStartParameters) -> list[Row]:
    """Prox iterations from zero and from the start value; Gauss-Seidel in both orders; and from sliding.

    With r G = 1 a Gauss-Seidel sweep solves each contact exactly, and the first one takes all.
    """
    rigid = rigid_block(load_of("constant", p.force), MU, MU)
    turned = replace(rigid, model=replace(rigid.model, name="hyperstatic_turned", contacts=rigid.model.contacts[::-1]))
    zero = np.zeros(4)
    start = np.array([-p.start, 0.0, p.start, 0.0])
    plain = Moreau(project=True)
    g = rigid.delassus_at(REST)
    exact = np.full(4, 1.0 / (g[0, 0] * r_factor(g)))
    exact[1::2] = 1.0
    one_by_one = replace(plain, sweep="gauss_seidel", scale=exact)
    rows = []
    for kind, system, how, speed in (
        (PROX, rigid, plain, 0.0),
        (PROX, rigid, replace(plain, start=start), 0.0),
        (GAUSS_SEIDEL, rigid, one_by_one, 0.0),
        (REVERSED, turned, one_by_one, 0.0),
        (SLIDING, rigid, plain, 0.2),
        (SLIDING, rigid, replace(plain, start=start), 0.2),
    ):
        run = run_moreau(system, REST, (speed, 0.0, 0.0), 0.01, how)
        begin = zero if how.start is None else how.start
        rows.append(_row(kind, (begin[0], begin[2]), run, float(run["x"][-1] - run["x"][0])))
    return rows


class Start(NamedTuple):
    """A start under the anchored law: the load in N, anchors of A and B in m, and whether B comes first."""

    force: float
    anchors: tuple[float, float]
    swapped: bool = False


class End(NamedTuple):
    """Where it rests: T_A, N_A, T_B, N_B in N, and the displacement of foot A in m."""

    t_a: float
    n_a: float
    t_b: float
    n_b: float
    moved: float


Resting = Callable[[HyperstaticStartParameters, Start], End]
"""A run on an engine from a start until it rests."""


def on_reference(p: HyperstaticStartParameters, start: Start) -> End:
    """The block under the anchored law on the reference engine."""
    material = foot("anchored", MU, p.presliding, tau=DAMPING)
    system = smooth_block(load_of("constant", start.force), {"A": material, "B": material})
    anchors = start.anchors
    if start.swapped:
        model = replace(system.model, name="hyperstatic_turned", contacts=system.model.contacts[::-1])
        system = replace(system, model=model)
        anchors = anchors[::-1]
    run = run_smooth(system, resting_state(system, anchors), p.time, lambda share: None, p.step)
    return End(*(float(run[name][-1]) for name in ("T_A", "N_A", "T_B", "N_B", "foot")))


def _row(kind: int, start: tuple[float, float], run: Trajectory, moved: float) -> Row:
    """A row from the end of a run."""
    t_a, n_a, t_b, n_b = (float(run[name][-1]) for name in ("T_A", "N_A", "T_B", "N_B"))
    return Row(kind, start[0], start[1], t_a, n_a, t_b, n_b, moved)


def anchored_rows(
    p: HyperstaticStartParameters, wanted: Sequence[float], rest: Resting, progress: Progress
) -> list[Row]:
    """The published start anchors, in both orders of the contacts, and anchors for friction forces in N of A.

    The load acts at once.
    """
    starts = [(kind, anchors, anchors) for kind in (ANCHORED, SWAPPED) for anchors in PUBLISHED]
    for t_a in wanted:
        pair = (t_a, -p.force - t_a)
        starts.append((WANTED, pair, anchors_for(p, pair)))
    rows = []
    for i, (kind, told, anchors) in enumerate(starts):
        rows.append(Row(kind, *told, *rest(p, Start(p.force, anchors, kind == SWAPPED))))
        progress((i + 1) / len(starts))
    return rows


def anchors_for(p: HyperstaticStartParameters, pair: tuple[float, float]) -> tuple[float, float]:
    """Start anchors in m of A and B for their friction forces in N."""
    friction = Friction(MU, MU, V_C)
    memory = Anchor(p.presliding, DAMPING)
    found = [float(anchor_for(friction, memory, t, n)[0]) for t, n in zip(pair, resting_normals(p.force), strict=True)]
    return found[0], found[1]
