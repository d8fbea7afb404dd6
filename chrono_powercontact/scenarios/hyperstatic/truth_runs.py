"""Shares of the load that foot A takes, by whoever splits it."""

from __future__ import annotations

import numpy as np

from ...lagrange.nonsmooth.moreau import Moreau, run_moreau
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.friction.prestress import presliding_for
from ...laws.material import Material
from ...progress import Progress
from ...setvalued.contact_set import ContactSet, contact_set, touching
from ...setvalued.elastic import Compliance, elastic_forces
from ...setvalued.plane_stress import PlaneBlock, block_compliance, missing_library, pinned_share
from .block.block_models import cut_block, rigid_block
from .block.block_statics import DEPTH, HEIGHT, MASS, REST, WEIGHT, WIDTH, Springs, load_of, resting_normals, sagging
from .block.smooth_block import V_C, foot_law, resting_state, run_smooth, smooth_block
from .hyperstatic_truth import BEAM, MU, THESIS, HyperstaticTruthParameters

STICKING = 10.0
"""Coefficient of friction with which the feet of the cut block stick, however its weight spreads them."""

SETTLED = 0.03
STEP = 3e-6


def shares_of(p: HyperstaticTruthParameters, progress: Progress) -> dict[str, float]:
    """All shares by name; without scikit-fem those that need no finite elements."""
    shares = {"thesis": cut_share(THESIS, p.force), "beam": cut_share(BEAM, p.force)}
    progress(0.4)
    shares["minimum_norm"] = prox_share(p.force)
    if missing_library() is None:
        shares["fe"] = pinned_share(PlaneBlock(WIDTH, HEIGHT, DEPTH, p.pad, p.cells))
        shares["arbiter"] = arbiter_share(p)
        shares["anchored"] = anchored_share(p, shares["arbiter"])
    progress(1.0)
    return shares


def cut_share(springs: Springs, force: float) -> float:
    """Fraction of a load in N that foot A of the cut block takes, from two runs with strong damping."""
    inertia = 0.25 * MASS * (0.25 * WIDTH**2 + HEIGHT**2) / 12.0
    damped = springs._replace(d_t=0.002 * springs.c_t, d_r=float(np.sqrt(springs.c_r * inertia)))
    found = []
    for load in (0.0, force):
        block = cut_block(load_of("constant", load), damped, STICKING, STICKING)
        run = run_moreau(block, sagging(damped), np.zeros(6), SETTLED, Moreau(step=STEP), 10)
        found.append(float(run["T_A"][-len(run) // 4 :].mean()))
    return (found[0] - found[1]) / force


def prox_share(force: float) -> float:
    """Fraction of a load in N that foot A of the rigid block takes under prox iterations from zero."""
    run = run_moreau(rigid_block(load_of("constant", force)), REST, np.zeros(3), 0.01, Moreau(project=True))
    return float(-run["T_A"][-1] / force)


def pad_contacts(p: HyperstaticTruthParameters) -> ContactSet:
    """The feet of the block at rest under its load, at the middles of their pads; so is the load."""
    arm = 0.5 * (WIDTH - p.pad)
    along = (1.0, 0.0, 0.5 * HEIGHT)
    feet = [touching(name, (0.0, 1.0, side * arm), along, MU) for name, side in (("A", -1), ("B", 1))]
    return contact_set(feet, (-p.force, WEIGHT, 0.5 * (HEIGHT - p.pad) * p.force))


def arbiter_share(p: HyperstaticTruthParameters) -> float:
    """Fraction of the load that foot A takes with the least strain energy, from a block relaxed under its weight."""
    found = block_compliance(PlaneBlock(WIDTH, HEIGHT, DEPTH, p.pad, p.cells), p.force, 0.0)
    relaxed = np.array((0.0, 0.5 * WEIGHT, 0.0, 0.5 * WEIGHT))
    forces = elastic_forces(pad_contacts(p), Compliance(found.matrix, found.bias - found.matrix @ relaxed))
    return float(-forces[0] / p.force)


def anchored_share(p: HyperstaticTruthParameters, share: float) -> float:
    """Fraction of the load on foot A under the anchored law, each foot with the stiffness of an elastic share."""
    friction = Friction(MU, MU, V_C)
    total = 1e8
    feet = {}
    for name, part, normal in zip("AB", (share, 1.0 - share), resting_normals(p.force), strict=True):
        presliding = presliding_for(friction, part * total, normal)
        feet[name] = Material(foot_law(), friction, Anchor(presliding, 1e-4))
    system = smooth_block(load_of("constant", p.force), feet)
    run = run_smooth(system, resting_state(system), 0.1, lambda part: None)
    t_a = float(run["T_A"][-1])
    return t_a / (t_a + float(run["T_B"][-1]))
