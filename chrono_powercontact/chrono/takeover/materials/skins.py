"""Surfaces of Chrono's collision shapes: the contact material of a shape, and how large the shape is.

Chrono composes the materials of two shapes by the strategy of the system: by default the smaller friction and the
smaller restitution, compliances in series. Its own contacts use the static friction alone, for sliding too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....errors import ParameterError, positive
from ....laws.material_design import Surface
from ...api.bridge import address, pychrono, shape_instance
from ...contact.readings import body_name

PRECISION = 2.0**-23
"""Relative error of single precision, in which Chrono computes the contact points of foreign shapes."""

YOUNG = 2e5
"""Young's modulus in Pa of a material of Chrono's that was not given one."""
STIFFNESS = 2e5
"""kn in N/m of a material of Chrono's that was not given one."""


@dataclass(frozen=True)
class Skin:
    """The surface of a shape.

    Attributes:
        surface: friction and restitution of its material, as if it touched its like.
        young, poisson: Young's modulus in Pa and Poisson's ratio. stiffness: kn of SMC. compliance: of NSC, in m/N.
            Each is None where the material has none, or Chrono's default.
        cohesion: in N. foreign: whether Chrono computes its contact points.
        size: class of the smallest half width: its logarithm to base 2, rounded down. half_width: that itself, in m.
            Surfaces in one class are the same; the first one stands for all.
    """

    surface: Surface
    young: float | None
    poisson: float
    stiffness: float | None
    compliance: float | None
    cohesion: float
    foreign: bool
    size: int
    half_width: float = field(compare=False)


def _short(value: float) -> float:
    """The number that was meant: Chrono stores single precision."""
    return float(f"{value:.7g}")


def _unless_default(value: float, default: float) -> float | None:
    return None if value == default else _short(value)


def half_width(shape: Any) -> float:
    """Half of the smallest width of a shape in m; a side without any width does not count."""
    box = shape.GetBoundingBox()
    sides = [0.5 * (getattr(box.max, axis) - getattr(box.min, axis)) for axis in "xyz"]
    largest = max(sides)
    wide = [side for side in sides if side > 1e-6 * largest]
    return min(wide) if wide else 1.0


def read_skin(shape: Any, foreign: bool) -> Skin:
    """The surface of a collision shape."""
    chrono = pychrono()
    material = shape.GetMaterial()
    if material is None:
        raise ParameterError("there is none: give each collision shape a ChContactMaterialSMC or NSC")
    smc = chrono.CastToChContactMaterialSMC(material)
    nsc = chrono.CastToChContactMaterialNSC(material)
    fresh = type(smc or nsc)()
    half = half_width(shape)
    skin = Skin(
        surface=_friction_and_restitution(material, fresh),
        young=_unless_default(smc.GetYoungModulus(), fresh.GetYoungModulus()) if smc else None,
        poisson=_short(smc.GetPoissonRatio()) if smc else 0.3,
        stiffness=_unless_default(smc.GetKn(), fresh.GetKn()) if smc else None,
        compliance=_unless_default(nsc.GetCompliance(), fresh.GetCompliance()) if nsc else None,
        cohesion=_short(smc.GetAdhesion() if smc else nsc.GetCohesion()),
        foreign=foreign,
        size=math.floor(math.log2(half)),
        half_width=half,
    )
    _check(skin)
    return skin


def _friction_and_restitution(material: Any, fresh: Any) -> Surface:
    """Friction and restitution of a material; a sliding friction that was not set is the static one."""
    static = material.GetStaticFriction()
    sliding = material.GetSlidingFriction()
    if sliding == fresh.GetSlidingFriction():
        sliding = static
    rolling = material.GetRollingFriction(), material.GetSpinningFriction()
    return Surface(*(_short(value) for value in (static, sliding, *rolling, material.GetRestitution())))


def _check(skin: Skin) -> None:
    """Raise unless the stiffness is allowed."""
    for name, value in (("Young's modulus", skin.young), ("kn", skin.stiffness), ("compliance", skin.compliance)):
        if value is not None:
            positive(name, value)
    if not -1.0 < skin.poisson < 1.0:
        raise ParameterError(f"Poisson's ratio must lie between -1 and 1, got {skin.poisson:g}")


class Skins:
    """The different surfaces of a system, by number."""

    def __init__(self, is_foreign: Callable[[Any], bool]) -> None:
        self._is_foreign = is_foreign
        self._numbers: dict[Skin, int] = {}
        self._shapes: dict[int, int] = {}
        self._met: list[Any] = []

    @property
    def all(self) -> list[Skin]:
        """The surfaces in the order of their numbers."""
        return list(self._numbers)

    def read(self, bodies: Sequence[Any]) -> None:
        """Read the shapes of all bodies again; nothing changes if one of them is not allowed."""
        skins: dict[int, Skin] = {}
        for body in bodies:
            model = body.GetCollisionModel()
            for i in range(model.GetNumShapes()):
                shape, _ = shape_instance(model, i)
                try:
                    skins[address(shape)] = self._skin(shape)
                except ParameterError as error:
                    raise ParameterError(f"the contact material of {body_name(body)!r}: {error}") from None
        self._shapes = {place: self._number(skin) for place, skin in skins.items()}
        self._met = []

    def number_of(self, shape: Any) -> int:
        """Number of the surface of a shape; Chrono finds contacts of paths by parts that no body has as shapes.

        Such a part is kept alive, so that no later shape takes its address.
        """
        place = address(shape)
        if place not in self._shapes:
            self._shapes[place] = self._number(self._skin(shape))
            self._met.append(shape)
        return self._shapes[place]

    def _skin(self, shape: Any) -> Skin:
        return read_skin(shape, self._is_foreign(shape))

    def _number(self, skin: Skin) -> int:
        return self._numbers.setdefault(skin, len(self._numbers))


def compose(a: Skin, b: Skin, strategy: Any, system: Any = None) -> Surface:
    """What two surfaces are like to each other, by a strategy of Chrono's, with the stiffness that a system uses."""
    one = a.surface
    other = b.surface

    def rub(name: str) -> float:
        return _short(strategy.CombineFriction(getattr(one, name), getattr(other, name)))

    static = rub("friction")
    return Surface(
        static,
        min(static, rub("sliding")),
        rub("rolling"),
        rub("spinning"),
        _short(strategy.CombineRestitution(one.restitution, other.restitution)),
        **_stiffness(a, b, strategy, system),
    )


def _stiffness(a: Skin, b: Skin, strategy: Any, system: Any) -> dict[str, float]:
    """Stiffness of two surfaces in series, where the script gives one to both."""
    if a.compliance is not None or b.compliance is not None:
        return {"linear": 1.0 / strategy.CombineCompliance(a.compliance or 0.0, b.compliance or 0.0)}
    if not hasattr(system, "UsingMaterialProperties"):
        return {}
    radius = pychrono().ChCollisionInfo.GetDefaultEffectiveCurvatureRadius()
    if system.UsingMaterialProperties():
        if a.young is None and b.young is None:
            return {}
        give = sum((1.0 - skin.poisson**2) / (skin.young or YOUNG) for skin in (a, b))
        return {"hertzian": 4.0 / 3.0 * math.sqrt(radius) / give}
    if a.stiffness is None and b.stiffness is None:
        return {}
    kn = strategy.CombineStiffnessCoefficient(a.stiffness or STIFFNESS, b.stiffness or STIFFNESS)
    hooke = system.GetContactForceModel() == pychrono().ChSystemSMC.Hooke
    return {"linear": kn} if hooke else {"hertzian": kn * radius}
