"""The block at rest on Chrono, from start anchors."""

from __future__ import annotations

import numpy as np

from ...chrono.api.start import prepare
from ...chrono.attachment import attach
from ...chrono.contact.shapes import Plane, Points
from ..scenes.chrono_scenes import new_scene
from .block.block_chrono import CORNERS, DOWN, add_block, add_load, pair_sums
from .block.block_statics import HEIGHT, WEIGHT, load_of
from .block.smooth_block import foot, foot_law
from .hyperstatic_start import MU, HyperstaticStartParameters
from .start_runs import DAMPING, End, Start


def on_chrono(p: HyperstaticStartParameters, start: Start) -> End:
    """The block on four points; anchors are set after the first step, when the points have touched."""
    system, ground = new_scene(DOWN)
    body = add_block(system, 0.5 * HEIGHT + float(foot_law(2).rest_distance(0.25 * WEIGHT)))
    contacts = attach(system)
    floor = Plane(ground)
    corners = CORNERS[::-1] if start.swapped else CORNERS
    material = foot("anchored", MU, p.presliding, points=2, tau=DAMPING)
    for x, y in corners:
        contacts.add(Points(body, [(x, y, -0.5 * HEIGHT)], radius=0.0), floor, material)
    add_load(system, body, load_of("constant", start.force))
    prepare(system, p.integrator)
    begin = body.GetPos().x
    system.DoStepDynamics(p.step)
    anchors = np.zeros((len(corners), 3))
    anchors[:, 0] = [start.anchors[int(x > 0.0)] for x, _ in corners]
    contacts.set_anchors(anchors)
    for _ in range(round(p.time / p.step) - 1):
        system.DoStepDynamics(p.step)
    turned = body.GetRot().GetCardanAnglesXYZ().y
    moved = body.GetPos().x - begin - 0.5 * HEIGHT * turned
    return End(*pair_sums(contacts, body), moved)
