"""The catalogue of scenarios: one name each, loaded when it is asked for.

`claims.json` holds what each of them claims, so that a list of all need not load them: with their models and kernels
that takes most of a second. `python -m chrono_powercontact.scenarios.catalogue` writes it anew from the scenarios.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UnknownNameError

if TYPE_CHECKING:
    from .scenario import Scenario

_CLASSES = {
    "ball": ("impact", "Ball"),
    "restitution_map": ("impact", "RestitutionMap"),
    "impact_phases": ("impact", "ImpactPhases"),
    "drop": ("impact", "Drop"),
    "wall": ("impact", "Wall"),
    "hysteresis": ("friction", "Hysteresis"),
    "stick_slip": ("friction", "StickSlip"),
    "stick_slip_2d": ("friction", "StickSlip2D"),
    "pendulum": ("bodies", "Pendulum"),
    "cube": ("bodies", "Cube"),
    "slope": ("boxes", "Slope"),
    "slide": ("boxes", "Slide"),
    "stack": ("bodies", "Stack"),
    "roll": ("bodies", "Roll"),
    "friction_lab": ("friction", "FrictionLab"),
    "friction_laws": ("friction", "FrictionLaws"),
    "rocking_slope": ("held", "RockingSlope"),
    "box_stack": ("held", "BoxStack"),
    "ladder": ("held", "Ladder"),
    "gripper": ("held", "Gripper"),
    "wheel": ("held", "Wheel"),
    "four_bar": ("loops", "FourBar"),
    "slider_crank": ("loops", "SliderCrank"),
    "double_rocker": ("loops", "DoubleRocker"),
    "cartesian_pendulum": ("loops", "CartesianPendulum"),
    "leg": ("loops", "Leg"),
    "lagrange_example": ("examples", "LagrangeExample"),
    "gait_trainer": ("gait", "GaitTrainer"),
    "gait_observer": ("gait", "GaitObserver"),
    "gait_identification": ("gait", "GaitIdentification"),
    "gait_control": ("gait", "GaitControl"),
    "gait_faults": ("gait", "GaitFaults"),
    "rake_cleaner": ("rake", "RakeCleaner"),
    "rake_sensor": ("rake", "RakeSensor"),
    "hyperstatic_block": ("hyperstatic", "HyperstaticBlock"),
    "hyperstatic_start": ("hyperstatic", "HyperstaticStart"),
    "hyperstatic_energy": ("hyperstatic", "HyperstaticEnergy"),
    "hyperstatic_truth": ("hyperstatic", "HyperstaticTruth"),
    "four_legs": ("hyperstatic", "FourLegs"),
    "arm_modes": ("rake", "ArmModes"),
    "adoption": ("adoption", "Adoption"),
    "rolling_disc": ("solids", "RollingDisc"),
    "euler_disc": ("solids", "EulerDisc"),
    "tyre": ("solids", "Tyre"),
    "rattleback": ("solids", "Rattleback"),
    "tippe_top": ("solids", "TippeTop"),
    "masonry": ("solids", "Masonry"),
    "pool_table": ("solids", "PoolTable"),
    "hopper": ("solids", "HopperFlow"),
    "cube_toss": ("toss", "CubeToss"),
}
NAMES = tuple(_CLASSES)
_CLAIMS = Path(__file__).with_name("claims.json")


def find(name: str) -> Scenario:
    """The scenario of a name."""
    if name not in _CLASSES:
        raise UnknownNameError("scenario", name, NAMES)
    family, kind = _CLASSES[name]
    scenario: Scenario = getattr(import_module(f".{family}.{name}", __package__), kind)()
    return scenario


def every() -> Iterator[Scenario]:
    """All scenarios, in the order of the sources."""
    return (find(name) for name in NAMES)


def claims() -> dict[str, str]:
    """What each scenario claims, by name, without loading any."""
    return {name: kept["claim"] for name, kept in _kept().items()}


def names_on(engine: str) -> list[str]:
    """Names of the scenarios that an engine runs, in the order of the sources, without loading any."""
    return [name for name, kept in _kept().items() if engine in kept["engines"]]


def _kept() -> dict[str, dict[str, Any]]:
    """What the file keeps of each scenario by name."""
    kept: dict[str, dict[str, Any]] = json.loads(_CLAIMS.read_text(encoding="utf-8"))
    return kept


def write_claims() -> None:
    """Write claim and engines of all scenarios to the file that `claims` and `names_on` read."""
    found = {scenario.name: {"claim": scenario.claim, "engines": scenario.engines} for scenario in every()}
    _CLAIMS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_claims()
