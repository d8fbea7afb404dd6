"""Power-based contact and friction for PyChrono, and a reference engine that derives the same systems.

import chrono_powercontact as pc
contacts = pc.attach(system)
contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), pc.Material(pc.Restriction(...)))
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_ROOMS = {
    "laws": (
        "Anchor", "Barrier", "Dissipation", "Friction", "Hertz", "Hooke", "LPVFilter", "LTIFilter", "LuGre", "Material",
        "NewtonImpact", "Restriction", "RigidRestriction", "SpinFriction",
    ),
    "laws.design": ("design_restriction", "stable_anchor_step", "stable_contact_step", "stable_friction_step"),
    "chrono.api.bridge": ("need_pychrono",),
    "chrono.attachment": ("Attachment", "attach"),
    "chrono.contact.shapes": ("Box", "Capsule", "Plane", "Points", "Sphere"),
    "chrono.run.window": ("show",),
    "observer": ("CDKF", "UKF", "FilterModel", "Ride", "compiled", "model_of", "ride_trajectory"),
}  # fmt: skip
_HOMES = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = ["__version__", *sorted(_HOMES)]


_loaded = sys.modules.get("pychrono")
if _loaded is not None and not hasattr(_loaded, "ChSystemSMC"):
    warnings.warn(
        f"the package 'pychrono' in {_loaded.__file__} is not Project Chrono but an unrelated one of the same name, "
        "as 'pip install pychrono' gives; powercontact doctor tells how to get the real one",
        stacklevel=2,
    )


def __getattr__(name: str) -> Any:
    """Names are loaded when they are first used, so that importing the package stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
