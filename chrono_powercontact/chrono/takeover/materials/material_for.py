"""A material for named contacts, from bodies or from a few numbers that everyone knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....errors import ParameterError, positive
from ....laws.material import Material
from ....laws.material_design import Scale, Surface
from ...api.bridge import pychrono, shape_instance
from ...contact.shapes import check_body
from ..collision_shapes import is_foreign
from .designed_materials import Choices
from .scene_scale import STANDARD_GRAVITY, check_masses
from .skins import Skin, Skins, compose


def material_for(
    *bodies: Any, mass: float | None = None, size: float | None = None, gravity: float = STANDARD_GRAVITY,
    **choices: float,
) -> Material:  # fmt: skip
    """A material whose laws are designed for a contact: bodies rest, stick and bounce as told.

    >>> pc.material_for(mass=1.0, size=0.1, friction=0.5, restitution=0.2)
    >>> pc.material_for(cube, ground, size=0.1)

    Args:
        bodies: the bodies that touch; their masses, and sizes and materials of their collision shapes, are read.
        mass: of the lighter body, in kg; not needed with bodies. size: smallest width of the smaller body in m, such
            as the edge of a cube or the diameter of a ball; not needed if the bodies have collision shapes.
        gravity: in m/s^2, in the units of the script.
        choices: friction (0.6), sliding, rolling and spinning (in m), restitution (0.4), penetration and presliding (in
            m), force_limit (in N), as in `take_over`.
    """
    chosen = Choices.of(choices)
    for body in bodies:
        check_body("body", body)
    skins = _skins(bodies)
    widths = [2.0 * skin.half_width for skin in skins]
    known = _known("mass", mass, _masses(bodies)), _known("size", size, widths)
    surface = _surface(skins) if len(skins) == len(bodies) else Surface()
    scale = Scale(known[0], 0.5 * known[1], positive("gravity", gravity))
    return chosen.design(surface, scale).material


def _known(name: str, given: float | None, read: Sequence[float]) -> float:
    """A number that is given, or else the smallest that was read from the bodies."""
    if given is not None:
        return positive(name, given)
    if not read:
        raise ParameterError(f"{name} must be given: the bodies do not tell it")
    return min(read)


def _masses(bodies: Sequence[Any]) -> list[float]:
    """Masses of the movable bodies in kg."""
    check_masses(bodies)
    return [body.GetMass() for body in bodies if not body.IsFixed()]


def _skins(bodies: Sequence[Any]) -> list[Skin]:
    """The surface of the first collision shape of each body that has one."""
    models = [body.GetCollisionModel() for body in bodies]
    shapes = [shape_instance(model, 0)[0] for model in models if model is not None and model.GetNumShapes() > 0]
    if not shapes:
        return []
    skins = Skins(is_foreign)
    numbers = [skins.number_of(shape) for shape in shapes]
    return [skins.all[number] for number in numbers]


def _surface(skins: Sequence[Skin]) -> Surface:
    """What the surfaces are like to each other; one alone touches its like."""
    if not skins:
        return Surface()
    return compose(skins[0], skins[-1], pychrono().ChContactMaterialCompositionStrategy())
