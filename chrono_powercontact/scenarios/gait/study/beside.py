"""Numbers of anchored friction that nobody asks for, but that a fit must find beside the others.

They shape how a joint goes from rest to sliding. A leg whose friction follows another law has no such numbers, so that
they have no true values; kept at a guess they would push the others away from theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from ....laws.friction.anchor import Anchor
from ....laws.friction.dissipation import Dissipation
from ..leg.stages import Axis, Stage

Array = NDArray[np.float64]

SHAPES = ("v_c", "v_s", "presliding", "tau")
"""Of one joint: speeds in rad/s or m/s, presliding in rad or m, and damping in s."""

BESIDE = tuple(f"{axis}_{shape}" for axis in ("hip", "slide") for shape in SHAPES)

LAW = ("v_c", "v_s")
"""Those that belong to the friction curve; the others belong to the anchor."""


def beside_of(stage: Stage) -> Array:
    """The numbers in BESIDE of a stage with anchored friction."""
    found = []
    for axis in (stage.hip, stage.slide):
        if not isinstance(axis.memory, Anchor):
            raise ParameterError("only anchored friction has a presliding and a damping that can be fitted")
        found += [getattr(axis.law if shape in LAW else axis.memory, shape) for shape in SHAPES]
    return np.array(found)


def with_beside(stage: Stage, values: Sequence[float] | Array) -> Stage:
    """The stage with other numbers of BESIDE."""
    count = len(SHAPES)
    hip, slide = (dict(zip(SHAPES, map(float, part), strict=True)) for part in (values[:count], values[count:]))
    return replace(stage, hip=_shaped(stage.hip, hip), slide=_shaped(stage.slide, slide))


def _shaped(axis: Axis, shape: dict[str, float]) -> Axis:
    """An axis with other numbers of its shape."""
    assert isinstance(axis.law, Dissipation)
    law = replace(axis.law, **{name: shape[name] for name in LAW})
    return replace(axis, law=law, memory=Anchor(shape["presliding"], shape["tau"]))
