"""What a contact does: pure physics, small frozen laws over compiled kernels. Nothing here knows an engine."""

from .dissipation import Dissipation, Friction, soft_norm
from .material import Material
from .memory import LPVFilter, LTIFilter
from .restriction import Barrier, NormalLaw, Restriction, RigidRestriction
from .rivals import Hertz, Hooke, LuGre, NewtonImpact

__all__ = [
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
    "soft_norm",
]
