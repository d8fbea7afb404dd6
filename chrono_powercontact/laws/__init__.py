"""What a contact does: pure physics, small frozen laws over compiled kernels. Nothing here knows an engine."""

from .anchor import Anchor
from .dissipation import Dissipation, Friction, soft_norm
from .material import Material
from .memory import LPVFilter, LTIFilter
from .restriction import Barrier, NormalLaw, Restriction, RigidRestriction
from .rivals import Hertz, Hooke, LuGre, NewtonImpact
from .spin import SpinFriction

__all__ = [
    "Anchor",
    "Barrier",
    "Dissipation",
    "Friction",
    "Hertz",
    "Hooke",
    "LPVFilter",
    "LTIFilter",
    "LuGre",
    "Material",
    "NewtonImpact",
    "NormalLaw",
    "Restriction",
    "RigidRestriction",
    "SpinFriction",
    "soft_norm",
]
