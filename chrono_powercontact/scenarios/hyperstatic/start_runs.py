"""Runs of the block at rest from different starts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...lagrange.nonsmooth.moreau import Moreau, run_moreau
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.friction.prestress import anchor_for
from ...setvalued.delassus import r_factor
from ...trajectory import Trajectory
from .block.block_models import rigid_block
from .block.block_statics import REST, Load, load_of, resting_normals
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

STEP = 2e-5
DAMPING = 1e-4
"""Step in s of the runs under the anchored law, and the damping time of its anchors."""


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


def _anchored_run(p: HyperstaticStartParameters, load: Load, anchors: tuple[float, float], swapped: bool) -> Trajectory:
    """The block under the anchored law from start anchors in m of A and B."""
    material = foot("anchored", MU, p.presliding, tau=DAMPING)
    system = smooth_block(load, {"A": material, "B": material})
    if swapped:
        model = replace(system.model, name="hyperstatic_turned", contacts=system.model.contacts[::-1])
        system = replace(system, model=model)
        anchors = anchors[::-1]
    return run_smooth(system, resting_state(system, anchors), p.time, lambda share: None, STEP)


def _row(kind: int, start: tuple[float, float], run: Trajectory, moved: float) -> Row:
    """A row from the end of a run."""
    t_a, n_a, t_b, n_b = (float(run[name][-1]) for name in ("T_A", "N_A", "T_B", "N_B"))
    return Row(kind, start[0], start[1], t_a, n_a, t_b, n_b, moved)


def _anchored_row(p: HyperstaticStartParameters, kind: int, load: Load, anchors: tuple[float, float]) -> Row:
    """A row of a run under the anchored law from start anchors in m."""
    run = _anchored_run(p, load, anchors, kind == SWAPPED)
    return _row(kind, anchors, run, float(run["foot"][-1]))


def anchor_rows(p: HyperstaticStartParameters) -> list[Row]:
    """The published start anchors, in both orders of the contacts; the load acts at once."""
    load = load_of("constant", p.force)
    return [_anchored_row(p, kind, load, start) for kind in (ANCHORED, SWAPPED) for start in PUBLISHED]


def wanted_row(p: HyperstaticStartParameters, wanted: float) -> Row:
    """Start anchors for a friction force in N of foot A, and what is left of it at the end."""
    friction = Friction(MU, MU, V_C)
    memory = Anchor(p.presliding, DAMPING)
    n_a, n_b = resting_normals(p.force)
    t_b = -p.force - wanted
    z_a, z_b = (float(anchor_for(friction, memory, t, n)[0]) for t, n in ((wanted, n_a), (t_b, n_b)))
    return _anchored_row(p, WANTED, load_of("constant", p.force), (z_a, z_b))._replace(start_a=wanted, start_b=t_b)
