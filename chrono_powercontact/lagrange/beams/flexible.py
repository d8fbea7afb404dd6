"""Flexible arms for the reference engine: beams, their reduction, and their energies in a floating frame.

A steel arm of 6 m that swings about its base and carries 500 kg at its end:

    beam = Beam.uniform(6.0, Section(bending=1.89e8, mass=262.5), masses=[RigidMass(6.0, 500.0)])
    reduced = reduce_beam(beam, {"tip": 6.0}, modes=1).orthonormal
    q = (*coordinates("phi"), *elastic_coordinates("arm", reduced))
    arm = FloatingBeam("arm", reduced, q, angle=q[0])
    tip = arm.position("tip")
    kinetic, potential = arm.kinetic, arm.potential(9.81)
    model = Model("swinging_arm", q, kinetic, potential, tuple(arm.parameters), frictions=arm.frictions)
    numbers = {symbol.name: value for symbol, value in arm.parameters.items()}
    system = System(model, numbers, frictions=arm.damping_laws(beta=1e-4))

A second arm hangs on the first by `Pin(*arm.position("tip"))`. Loads at the interfaces bend the reduced arm exactly as
they bend the finite elements, with any number of modes; truncating the orthonormal modes loses that.
"""

from .beam_elements import CLAMPED, mass_matrix, stiffness_matrix
from .beam_modes import Modes, analytic_frequencies, analytic_shape, natural_modes
from .beams import Beam, RigidMass, Section
from .floating_frame import FloatingBeam, Pin, elastic_coordinates
from .reduction import Interface, ReducedBeam, craig_bampton, guyan, reduce_beam
from .shape_integrals import ShapeIntegrals, shape_integrals

__all__ = [
    "CLAMPED",
    "Beam",
    "FloatingBeam",
    "Interface",
    "Modes",
    "Pin",
    "ReducedBeam",
    "RigidMass",
    "Section",
    "ShapeIntegrals",
    "analytic_frequencies",
    "analytic_shape",
    "craig_bampton",
    "elastic_coordinates",
    "guyan",
    "mass_matrix",
    "natural_modes",
    "reduce_beam",
    "shape_integrals",
    "stiffness_matrix",
]
