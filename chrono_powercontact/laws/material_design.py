"""A material from what is known of a scene: friction and restitution, masses, sizes and gravity.

Nothing here has a size of its own. Lengths are fractions of the size of the bodies, forces multiples of their weight,
and times follow from both, so a scene in millimetres and tonnes comes out like the same scene in metres and kilograms.

The elastic force of a restriction far from its limit is exponential in the gap. Under the weight W of a body it is
W exp(-(gap + p)/p), where p is the penetration at rest: the stiffness there is W/p, and ten times the load rests only
2.3 p deeper.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ..errors import ParameterError, finite, not_negative, positive
from .friction.anchor import Anchor
from .friction.dissipation import Friction
from .friction.spin import SpinFriction
from .material import Material
from .normal.steady_restriction import SteadyRestriction

DEPTH = 1e-3
"""Penetration at rest as a fraction of the half width of the smaller body: hardly any, as users of rigid contact
expect. Smaller values let the implicit solve fail more often at steps of 10 and 20 ms."""
SOFTEST, STIFFEST = 1e-2, DEPTH
"""Bounds of the penetration at rest, as fractions of the size, where a stiffness of the script decides."""
RESOLVED = 30.0
"""Least penetration at rest in units of the error of the gap, where that is computed in single precision."""
STRENGTH = 1e3
"""Force limit in units of the weight of the lighter body."""
PARTING = 0.2
"""Speed at which overlapping bodies part, relative to that of a fall by the size."""
RESERVE = 8.0
"""Force limit in units of the weight of everything that may rest on the contact."""
STOPPING = 20.0
"""Force limit in units of m v^2/size: an impact at the speed of the scene stays within a few per cent of the size."""
LARGEST_STRENGTH = 2e5
"""Largest force limit in units of the weight: a body with a larger one would carry its own weight in the outermost
tail of the law, where friction points count as open."""
STEADINESS = 2.0
"""Speed below which impacts become elastic, in units of sqrt(acceleration times penetration). Vibrations at rest then
have a quarter of the loss as their damping ratio."""
SETTLING = 0.5
"""Damping time of an anchor in units of sqrt(presliding/acceleration)."""
CREEPING = 1e-3
"""Speed of the friction curve in units of sqrt(acceleration times size)."""
SLIGHTLY_SOFTER = 5e-3
"""Largest penetration at rest, as a fraction of the size, with which a contact is made soft enough for explicit
steps."""
EXPLICIT_MASS = 1.0 / 24.0
"""Least effective mass at a corner of two flat blocks on each other, as a fraction of the mass of one."""
WITHIN = 0.8
"""Part of the longest stable explicit step that a step takes then."""
LONG_STEPS = 2.0
"""Least penetration in units of speed times step, for integrators that do not solve for forces at the step's end."""


@dataclass(frozen=True)
class Surface:
    """What two surfaces are like to each other.

    Attributes:
        friction: static coefficient. sliding: coefficient of sliding friction, at most the static one.
        rolling, spinning: largest moment against rolling and spinning per normal force, in m.
        restitution: ratio of the speeds after and before an impact, 0 to 1.
        linear: stiffness in N/m, where the script gives one. hertzian: the same in N/m^1.5.
    """

    friction: float = 0.6
    sliding: float = 0.6
    rolling: float = 0.0
    spinning: float = 0.0
    restitution: float = 0.4
    linear: float | None = None
    hertzian: float | None = None

    def __post_init__(self) -> None:
        for name in ("friction", "sliding", "rolling", "spinning"):
            not_negative(f"{name} friction" if name != "friction" else name, getattr(self, name))
        if not 0.0 <= finite("restitution", self.restitution) <= 1.0:
            raise ParameterError(f"restitution must lie between 0 and 1, got {self.restitution:g}")

    def depth(self, load: float) -> float | None:
        """Depth in m at which the script's own stiffness carries a load in N; None if it gives none."""
        if self.hertzian is not None:
            return (load / self.hertzian) ** (2.0 / 3.0)
        if self.linear is not None:
            return load / self.linear
        return None


@dataclass(frozen=True)
class Scale:
    """How large things are at a contact.

    Attributes:
        mass: of the lighter body, with what hangs on it by joints, in kg. size: smallest half width of the smaller
            shape, in m. acceleration: of gravity or another one that presses bodies together, in m/s^2.
        speed: of impacts, in m/s. load: weight of everything that may rest on the contact, in N.
        error: of the gap, in m. step: in s; 0 where forces at the end of the step are solved for.
        explicit_step: in s, at which forces need not be solved for if a slightly softer contact makes that possible;
            0 if there is none.
    """

    mass: float
    size: float
    acceleration: float
    speed: float = 0.0
    load: float = 0.0
    error: float = 0.0
    step: float = 0.0
    explicit_step: float = 0.0

    def __post_init__(self) -> None:
        for name in ("mass", "size", "acceleration"):
            positive(name, getattr(self, name))
        for name in ("speed", "load", "error", "step", "explicit_step"):
            not_negative(name, getattr(self, name))

    @property
    def weight(self) -> float:
        """Weight of the lighter body in N."""
        return self.mass * self.acceleration


@dataclass(frozen=True)
class Chosen:
    """A number of a design, its unit, and where it comes from."""

    value: float
    unit: str
    source: str


@dataclass(frozen=True)
class Design:
    """The material between two surfaces at a scale: `material` has the laws, `numbers` tell why.

    Attributes:
        penetration: depth in m at which the lighter body rests on one contact point. presliding: in m.
        force_limit: largest force of the contact, in N.
    """

    surface: Surface
    scale: Scale
    penetration: Chosen
    presliding: Chosen
    force_limit: Chosen

    @property
    def material(self) -> Material:
        """The laws of the contact."""
        friction = self._friction()
        memory = Anchor(self.presliding.value, self._settling(self.presliding.value)) if friction else None
        surface = self.surface
        return Material(self._normal(), friction, memory, self._spin(surface.rolling), self._spin(surface.spinning))

    @property
    def parting_speed(self) -> float:
        """Speed in m/s at which bodies that overlap deeply when they meet are parted."""
        return PARTING * math.sqrt(self.scale.acceleration * self.scale.size)

    def parting(self, penetration: float) -> Material:
        """Laws that part such bodies: as designed for a penetration in m, without friction, and they do not bounce."""
        plastic = replace(self.surface, restitution=0.0)
        soft = replace(self.penetration, value=penetration)
        return Material(replace(self, surface=plastic, penetration=soft)._normal())

    def _normal(self) -> SteadyRestriction:
        """The restriction whose elastic force is the weight at the penetration at rest."""
        depth = self.penetration.value
        at_rest = 2.0 * self.scale.weight / self.force_limit.value
        tail = math.e * (1.0 / at_rest - 1.0)
        slow = STEADINESS * math.sqrt(self.scale.acceleration * depth)
        complete = -2.0 * depth * math.log(tail)
        inside = (tail - 1.0) / (tail + 1.0)
        return SteadyRestriction(0.0, complete, self.force_limit.value, 1.0 / slow, self.surface.restitution, inside)

    def _friction(self) -> Friction | None:
        surface = self.surface
        if surface.friction == 0.0:
            return None
        v_c = CREEPING * math.sqrt(self.scale.acceleration * self.scale.size)
        falls = surface.sliding < surface.friction
        return Friction(surface.sliding, surface.friction, v_c, 2.0 * v_c if falls else None)

    def _settling(self, presliding: float) -> float:
        """Damping time in s of an anchor with a presliding in m."""
        return SETTLING * math.sqrt(presliding / self.scale.acceleration)

    def _spin(self, arm: float) -> SpinFriction | None:
        """Friction with the largest moment arm times normal force; its rim preslides like the contact."""
        if arm == 0.0:
            return None
        size = self.scale.size
        presliding = self.presliding.value
        return SpinFriction(arm, Anchor(presliding / size, self._settling(presliding * size / arm)))


def design_material(
    surface: Surface, scale: Scale, penetration: float | None = None, presliding: float | None = None,
    force_limit: float | None = None,
) -> Design:  # fmt: skip
    """Design the material between two surfaces; what is given is taken as it is.

    Args:
        penetration: depth in m at which the lighter body rests. presliding: displacement in m at which friction
            breaks away. force_limit: largest force of the contact, in N.
    """
    limit = _override("force_limit", force_limit, "N") or _force_limit(scale)
    depth = _override("penetration", penetration, "m") or _softened(_penetration(surface, scale), scale, limit.value)
    sliding = _override("presliding", presliding, "m") or Chosen(depth.value, "m", "as large as the penetration")
    least = 4.0 * scale.weight
    if limit.value < least:
        allowed = f"at least four weights of the lighter body, {least:g} N"
        raise ParameterError(f"force_limit must be {allowed}, got {limit.value:g}")
    return Design(surface, scale, depth, sliding, limit)


def _override(name: str, value: float | None, unit: str) -> Chosen | None:
    return None if value is None else Chosen(positive(name, value), unit, "given")


def _penetration(surface: Surface, scale: Scale) -> Chosen:
    """Penetration at rest: from the stiffness of the script, or a small fraction of the size."""
    depth = surface.depth(scale.weight)
    if depth is None:
        chosen = Chosen(DEPTH * scale.size, "m", f"{DEPTH:g} of the size {scale.size:.3g} m")
    else:
        within = min(max(depth, STIFFEST * scale.size), SOFTEST * scale.size)
        bound = "" if within == depth else f", kept within {STIFFEST:g} to {SOFTEST:g} of the size"
        chosen = Chosen(within, "m", f"the weight on the stiffness of the shapes' materials{bound}")
    least = {
        "the gap is computed in single precision": RESOLVED * scale.error,
        f"the integrator needs it at a step of {scale.step:g} s": LONG_STEPS * scale.speed * scale.step,
    }
    why, depth = max(least.items(), key=lambda item: item[1])
    return Chosen(depth, "m", why) if depth > chosen.value else chosen


def _softened(depth: Chosen, scale: Scale, force_limit: float) -> Chosen:
    """A slightly larger penetration at rest, where that makes the contact soft enough for an explicit step.

    The largest stiffness is force_limit/(8 p), and semi-implicit Euler is stable up to 2 sqrt(m/k).
    """
    step = scale.explicit_step / WITHIN
    needed = force_limit * step**2 / (32.0 * EXPLICIT_MASS * scale.mass)
    if not depth.value < needed <= SLIGHTLY_SOFTER * scale.size:
        return depth
    return Chosen(needed, "m", f"forces at the end of a step of {scale.explicit_step:g} s need not be solved for")


def _force_limit(scale: Scale) -> Chosen:
    """Largest force: far above the weights of the scene and what stops an impact."""
    weight = scale.weight
    largest = LARGEST_STRENGTH * weight
    reasons = {
        f"{STRENGTH:g} weights of the lighter body": STRENGTH * weight,
        f"{RESERVE:g} times the weight of all bodies": RESERVE * scale.load,
        f"stops an impact at {scale.speed:.3g} m/s": STOPPING * scale.mass * scale.speed**2 / scale.size,
    }
    why, force = max(reasons.items(), key=lambda item: item[1])
    if force > largest:
        return Chosen(largest, "N", f"{LARGEST_STRENGTH:g} weights of the lighter body, the most there is")
    return Chosen(force, "N", why)


def overridden(surface: Surface, choices: dict[str, float]) -> Surface:
    """The surface with some of its properties replaced; a friction below the sliding friction lowers that too."""
    changed = replace(surface, **choices)
    if "sliding" in choices and changed.sliding > changed.friction:
        raise ParameterError(
            f"sliding friction must not exceed the static friction {changed.friction:g}, got {changed.sliding:g}"
        )
    if "friction" in choices and "sliding" not in choices:
        changed = replace(changed, sliding=changed.friction)
    return changed
