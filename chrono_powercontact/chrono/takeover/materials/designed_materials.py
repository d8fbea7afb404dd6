"""Materials designed from the shapes' own ones: one for each two surfaces and each class of masses.

Masses and sizes that differ by less than a factor of two share a design, that of the first pair that met, so a heap of
thousands of bodies needs a few materials only.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....errors import UnknownNameError
from ....laws.material_design import Chosen, Design, Scale, Surface, design_material, overridden
from ...api.bridge import body_key
from ...contact.readings import body_name
from ...implicit.choosing.choice import AUTO, EXPLICIT
from ...load.stepping import Stepper
from ..collision_shapes import is_foreign
from .material_table import MaterialRow, MaterialTable
from .pair_keys import find_slots, lighter_of, pair_key
from .pair_materials import PairMaterials, Rule
from .scene_scale import SceneScale, locked_pairs, scene_scale
from .skins import PRECISION, Skin, Skins, compose

SURFACE = {"friction": "", "sliding": "", "rolling": "m", "spinning": "m", "restitution": ""}
"""Properties of a surface that a user may choose, with their units."""
LAW = ("penetration", "presliding", "force_limit")
"""Numbers of a design that a user may choose."""


@dataclass(frozen=True)
class Choices:
    """What a user chooses: properties of the surfaces, and numbers of the law."""

    surface: dict[str, float]
    law: dict[str, float]

    @classmethod
    def of(cls, given: Mapping[str, float]) -> Choices:
        """The choices by name; raises for one that is unknown or not allowed."""
        for name in given:
            if name not in (*SURFACE, *LAW):
                raise UnknownNameError("choice", name, (*SURFACE, *LAW))
        surface = {name: value for name, value in given.items() if name in SURFACE}
        overridden(Surface(friction=1e9, sliding=0.0), surface)
        return cls(surface, {name: value for name, value in given.items() if name in LAW})

    def design(self, surface: Surface, scale: Scale) -> Design:
        """The design for a surface at a scale, with these choices."""
        return design_material(overridden(surface, self.surface), scale, **self.law)


class PairTable(NamedTuple):
    """Masses of all bodies in kg, and the keys in their order and numbers of the materials that are made."""

    masses: NDArray[np.float64]
    keys: NDArray[np.int64]
    numbers: NDArray[np.int64]


@dataclass(frozen=True)
class Easing:
    """How a pair of bodies that overlap is parted.

    Attributes:
        material: number of the soft material. at_rest, penetration: depth at rest in m with the designed and with the
            soft one. speed: at which they part, in m/s.
    """

    material: int
    at_rest: float
    penetration: float
    speed: float


def numbers_of(design: Design, choices: Choices) -> dict[str, Chosen]:
    """The numbers of a design by name, with unit and source."""
    numbers = {}
    for name, unit in SURFACE.items():
        source = "given" if name in choices.surface else "the shapes' materials"
        numbers[name] = Chosen(getattr(design.surface, name), unit, source)
    return numbers | {name: getattr(design, name) for name in LAW}


class DesignedMaterials(PairMaterials):
    """Materials from the surfaces, masses and sizes of a system."""

    def __init__(self, stepper: Stepper, choices: Choices, rule: Rule | None = None) -> None:
        super().__init__(None, rule)
        self._stepper = stepper
        self._choices = choices
        self._skins = Skins(is_foreign)
        self._scene: SceneScale | None = None
        self._locked: set[frozenset[int]] = set()
        self._masses: dict[int, float] = {}
        self._all_masses = np.zeros(0)
        self._made: dict[int, int] = {}
        self._sort_made()
        self._designs: dict[int, tuple[Surface, Scale]] = {}
        self._weighed: dict[int, float] = {}
        self._variants: dict[tuple[int, Surface], int] = {}
        self._easing: dict[tuple[int, int], Easing] = {}
        self._rows: dict[int, MaterialRow] = {}
        self._reached = (0, 0), np.inf
        self._step = 0.0

    def survey(self, bodies: Sequence[Any]) -> None:
        """Read surfaces, masses and sizes of all bodies that may touch."""
        if not bodies:
            return
        system = self._stepper.system
        self._skins.read(bodies)
        skins = self._skins.all
        scene = scene_scale(system, bodies, min(skin.half_width for skin in skins))
        self._masses = dict(zip((body_key(body) for body in bodies), scene.masses.tolist(), strict=True))
        self._scene = scene
        self._locked = locked_pairs(system)
        self._made = {}
        self._sort_made()
        self._all_masses = np.zeros(0)
        self._variants = {}
        largest = max(skins, key=lambda skin: skin.half_width)
        self._slot(self._design(largest, largest, min(scene.masses.min(), 1.0)).material)
        sticky = max(skin.cohesion for skin in skins)
        if sticky > 0.0:
            warnings.warn(
                f"a contact material has a cohesion of {sticky:g} N: our law does not attract, and leaves it out",
                stacklevel=5,
            )

    def outgrown(self) -> bool:
        """Whether the step has become longer, if the integrator does not solve for forces at its end."""
        stepper = self._stepper
        if not stepper.driven or (stepper.clock.once and stepper.watch.mode != EXPLICIT):
            return False
        step = float(stepper.system.GetStep())
        if step <= self._step:
            return False
        self._step = step
        self._made = {}
        self._sort_made()
        return True

    def are_locked(self, a: Any, b: Any) -> bool:
        """Whether a link prescribes how two bodies move relative to each other."""
        return frozenset((body_key(a), body_key(b))) in self._locked

    def surface_of(self, shape: Any) -> int:
        """Number of the surface of a collision shape."""
        return self._skins.number_of(shape)

    @property
    def used_reach(self) -> float:
        """Largest gap in m at which a material between shapes that were near acts; infinite if there are none yet."""
        made = len(self._designs), len(self._easing)
        if made != self._reached[0]:
            used = [*self._designs, *(easing.material for easing in self._easing.values())]
            self._reached = made, float(self.records["reach"][used].max())
        return self._reached[1]

    @property
    def masses(self) -> NDArray[np.float64]:
        """Least mass in kg of a body that each material was made for; not a number where that is not known."""
        return np.array([self._weighed.get(slot, np.nan) for slot in range(len(self.records))])

    @property
    def smallest(self) -> float:
        """Smallest half width of a shape in m."""
        return min((skin.half_width for skin in self._skins.all), default=0.0)

    def table(self) -> MaterialTable:
        """The materials that are in use."""
        return MaterialTable(tuple(self._rows.values()))

    def slots(
        self, first: NDArray[np.int64], second: NDArray[np.int64], bodies: list[Any],
        surfaces: NDArray[np.int64] | None = None,
    ) -> NDArray[np.int64]:  # fmt: skip
        """Number of the material for each pair of bodies with these surfaces."""
        if surfaces is None:
            raise TypeError("designed materials need the surfaces of each pair")
        slots = np.empty(len(first), np.int64)
        masses = self._masses_of(bodies)
        while True:
            i = find_slots(first, second, surfaces, masses, *self._known_keys, slots)
            if i == len(first):
                break
            self._make(first[i], second[i], surfaces[i], bodies)
        if self._rule is None:
            return slots
        chosen = super().slots(first, second, bodies)
        return np.where(chosen > 0, chosen, slots)

    def pair_table(self, bodies: list[Any]) -> PairTable | None:
        """What `find_slots` chooses the material of two bodies by; None if a rule of the user's chooses."""
        return None if self._rule is not None else PairTable(self._masses_of(bodies), *self._known_keys)

    def _masses_of(self, bodies: list[Any]) -> NDArray[np.float64]:
        """Masses in kg of the bodies on the load, infinite for those that do not move; the same until a survey."""
        if len(self._all_masses) != len(bodies):
            self._all_masses = np.array([self._masses.get(body_key(body), np.inf) for body in bodies])
        return self._all_masses

    def _make(self, a: int, b: int, surfaces: NDArray[np.int64], bodies: list[Any]) -> None:
        """Design the material between two bodies with these surfaces."""
        mass = lighter_of(self._masses_of(bodies), a, b)
        key = pair_key(mass, *surfaces.tolist())
        slot = self._new((body_name(bodies[a]), body_name(bodies[b])), surfaces, mass)
        least = min(body.GetMass() for body in (bodies[a], bodies[b]) if not body.IsFixed())
        self._weighed[slot] = min(least, self._weighed.get(slot, np.inf))
        self._made[key] = slot
        self._sort_made()

    def _sort_made(self) -> None:
        """Have the keys of all materials in order."""
        made = sorted(self._made.items())
        self._known_keys = np.array([key for key, _ in made], np.int64), np.array([slot for _, slot in made], np.int64)

    def _new(self, names: tuple[str, str], surfaces: NDArray[np.int64], mass: float) -> int:
        """Number of a new material between two surfaces."""
        skins = self._skins.all
        surface, scale = self._between(skins[surfaces[0]], skins[surfaces[1]], mass)
        design = self._choices.design(surface, scale)
        slot = self._slot(design.material)
        self._designs[slot] = design.surface, scale
        self._rows.setdefault(slot, MaterialRow(names, design.material, numbers_of(design, self._choices)))
        return slot

    def surface_at(self, slot: int) -> Surface | None:
        """The surface for which a material was designed; None for one that a user gave."""
        designed = self._designs.get(slot)
        return None if designed is None else designed[0]

    def variant(self, slot: int, surface: Surface) -> int:
        """Number of the material that is designed like another one, but for a different surface."""
        key = slot, surface
        if key not in self._variants:
            scale = self._designs[slot][1]
            number = self._slot(design_material(surface, scale, **self._choices.law).material)
            self._designs.setdefault(number, (surface, scale))
            self._weighed.setdefault(number, self._weighed[slot])
            self._variants[key] = number
        return self._variants[key]

    def easing(self, slot: int, step: float = 0.0) -> Easing | None:
        """How bodies with a designed material are parted at a step in s; None for a material that a user gave."""
        if slot not in self._designs:
            return None
        if (slot, 0) not in self._easing:
            self._easing[slot, 0] = self._eased(slot, 0)
        plain = self._easing[slot, 0]
        doublings = math.ceil(math.log2(max(plain.speed * step / plain.at_rest, 1.0)))
        if (slot, doublings) not in self._easing:
            self._easing[slot, doublings] = self._eased(slot, doublings)
        return self._easing[slot, doublings]

    def _eased(self, slot: int, doublings: int) -> Easing:
        """The easing with a contact that is softer than designed by so many powers of two."""
        surface, scale = self._designs[slot]
        design = design_material(surface, scale, **self._choices.law)
        at_rest = design.penetration.value
        soft = at_rest * 2.0**doublings
        number = self._slot(design.parting(soft))
        self._weighed.setdefault(number, self._weighed.get(slot, np.nan))
        return Easing(number, at_rest, soft, design.parting_speed)

    def _design(self, a: Skin, b: Skin, mass: float) -> Design:
        """The design between two surfaces for the mass of the lighter body in kg."""
        return self._choices.design(*self._between(a, b, mass))

    def _between(self, a: Skin, b: Skin, mass: float) -> tuple[Surface, Scale]:
        """Two surfaces as one, and the scale of a contact between them, for the mass of the lighter body in kg."""
        scene = self._scene
        assert scene is not None
        error = PRECISION * scene.extent if a.foreign or b.foreign else 0.0
        size = min(a.half_width, b.half_width)
        explicit = self._explicit_step()
        scale = Scale(mass, size, scene.acceleration, scene.speed, scene.load, error, self._step, explicit)
        system = self._stepper.system
        return compose(a, b, system.GetMaterialCompositionStrategy(), system), scale

    def _explicit_step(self) -> float:
        """The step in s that comes, if it is to be chosen by its length whether forces at its end are solved for."""
        stepper = self._stepper
        chosen = stepper.driven and stepper.clock.once and stepper.watch.mode == AUTO
        return float(stepper.system.GetStep()) if chosen else 0.0
