"""Contact and friction laws: small frozen dataclasses over compiled kernels, independent of any engine."""

from .friction.anchor import Anchor
from .friction.dissipation import Dissipation, Friction, soft_norm
from .friction.lugre import LuGre
from .friction.memory import LPVFilter, LTIFilter
from .friction.spin import SpinFriction
from .material import Material
from .normal.hertz import Hertz
from .normal.hooke import Hooke
from .normal.newton import NewtonImpact
from .normal.normal_law import NormalLaw
from .normal.restriction import Barrier, Restriction, RigidRestriction

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
