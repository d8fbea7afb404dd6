"""Anchors side by side: friction that dissipates in presliding, as generalised Maxwell slip does.

Each strand carries an equal fraction of the load and has an anchor of its own. Their limits form a geometric series
up to the presliding of the anchor that is divided, so one after the other is dragged as the displacement grows. A
strand is a law like any other: contacts that touch at the same point, or friction on the same joint. Every strand is
passive and does not creep, therefore their sum is passive and does not creep.
"""

from __future__ import annotations

from dataclasses import replace

from ..errors import ParameterError, shown
from .friction.anchor import Anchor
from .friction.dissipation import Dissipation, Friction
from .material import Material
from .normal.restriction import RestrictionLaw

STRANDS = 4
"""Number of strands unless given."""

RATIO = 3.0
"""Ratio of the limits of neighbouring strands. With four strands hysteresis begins at about half of stiction."""


def strands_of(anchor: Anchor, count: int = STRANDS) -> tuple[Anchor, ...]:
    """Anchors with limits up to that of a given one; each has the same fraction of its limit as lag."""
    if not isinstance(anchor, Anchor):
        raise ParameterError(f"anchor must be an Anchor, got {anchor!r}")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ParameterError(f"count must be a whole number of at least 1, got {shown(count)}")
    fractions = [RATIO ** (i + 1 - count) for i in range(count)]
    return tuple(Anchor(f * anchor.presliding, anchor.tau, f * anchor.lag) for f in fractions)


def side_by_side(material: Material, count: int = STRANDS) -> tuple[Material, ...]:
    """Materials of contacts that together act as a given one, with the anchor divided into strands.

    Add each of them between the same two shapes. The price is a contact for each strand, and stiffer presliding: with
    four strands ten times as stiff, so that an explicit step is shorter by a factor of three.
    """
    if not isinstance(material.memory, Anchor) or not isinstance(material.friction, Friction):
        raise ParameterError(
            f"only Friction behind an Anchor has strands, got {material.friction!r} with {material.memory!r}"
        )
    if not isinstance(material.normal, RestrictionLaw):
        raise ParameterError(f"strands divide a restriction, got {material.normal!r}")
    if material.rolling is not None or material.spinning is not None:
        raise ParameterError("strands have no rolling and spinning friction: give it to a contact of its own")
    normal = replace(material.normal, r_f=material.normal.r_f / count)  # type: ignore[type-var]
    friction = replace(material.friction, d=material.friction.d / count)
    return tuple(Material(normal, friction, anchor) for anchor in strands_of(material.memory, count))


def friction_side_by_side(
    law: Dissipation, anchor: Anchor, count: int = STRANDS
) -> tuple[tuple[Dissipation, Anchor], ...]:
    """Laws and anchors of friction points, or of joints, that together act as a given law behind an anchor."""
    if not isinstance(law, Dissipation):
        raise ParameterError(f"law must be a Dissipation, got {law!r}")
    anchors = strands_of(anchor, count)
    part = replace(law, f_c=law.f_c / count, f_s=law.f_s / count, d=law.d / count)
    return tuple((part, own) for own in anchors)
