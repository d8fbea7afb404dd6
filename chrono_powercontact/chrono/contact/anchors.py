"""The anchors of contact elements: prestress that contacts keep, read and set."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError
from ...laws.friction.anchor import anchor_potential
from ...laws.friction.friction_table import ANCHORED
from .contact_table import ContactTable

Floats = NDArray[np.float64]


def read_anchors(table: ContactTable) -> Floats:
    """Anchor of each element in m, in world components; zero where it has none.

    It is the displacement of body A over body B since the contact was relaxed: friction pulls A back along it.
    """
    kinds = table.materials["friction"]["kind"][table.elements["material"]]
    return np.where((kinds == ANCHORED)[:, None], table.memory["held"], 0.0)


def write_anchors(table: ContactTable, anchors: ArrayLike) -> float:
    """Set the anchors of all elements in m, in world components; parts along the normals are left out.

    Returns the energy in J that this puts into them.
    """
    given = np.asarray(anchors, float)
    if given.shape != (len(table), 3) or not np.all(np.isfinite(given)):
        raise ParameterError(f"anchors must be {len(table)} vectors, all finite, got the shape {given.shape}")
    memory = table.memory
    before = memory["psi"].copy()
    for i, wanted in enumerate(given):
        law = table.materials[table.elements[i]["material"]]["friction"]
        normal = memory[i]["normal"]
        if not wanted.any() and law["kind"] != ANCHORED:
            continue
        if law["kind"] != ANCHORED:
            raise ParameterError(f"contact element {i} has no anchor: give its material memory=Anchor()")
        if not normal.any():
            raise ParameterError(f"contact element {i} has not touched yet: take a step before its anchor is set")
        held = wanted - normal * float(normal @ wanted)
        limit = float(law["anchor"]["limit"])
        if np.linalg.norm(held) > limit:
            raise ParameterError(
                f"the anchor of contact element {i} must not exceed its presliding of {limit:g} m, "
                f"got {np.linalg.norm(held):g} m"
            )
        relaxed = anchor_potential(law["anchor"], np.linalg.norm(memory[i]["held"]))
        memory[i]["psi"] += anchor_potential(law["anchor"], np.linalg.norm(held)) - relaxed
        memory[i]["held"] = held
    return float(memory["load"] @ (memory["psi"] - before))
