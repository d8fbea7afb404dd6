"""Power-based contact and friction for PyChrono, and a reference engine that derives the equations of motion itself.

import chrono_powercontact as pc
contacts = pc.attach(system)
contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), pc.Material(pc.Restriction(...)))
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from .app.studies.global_sensitivity import sobol_indices
    from .app.studies.identification import identify
    from .app.studies.motion_design import design_motion
    from .app.studies.uncertainty import uncertainty
    from .app.sweeps.sweep import sweep
    from .app.sweeps.sweep_table import SweepTable, read_sweep
    from .app.sweeps.swept_ranges import grid, lhs, sobol
    from .bench.orders import measured_order
    from .chrono.api.bridge import PyChronoError, need_pychrono, tighten
    from .chrono.attachment import Attachment, attach, chrono_force_ranges
    from .chrono.contact.readings import Energy, Resultant
    from .chrono.contact.shapes import Box, Capsule, Plane, Points, Segment, Shape, Sphere, SphereCore
    from .chrono.contact.solids.hull_shapes import Hull, Mesh
    from .chrono.contact.solids.image_heights import heights_of_image
    from .chrono.contact.solids.solid_shapes import Cone, Cylinder, Ellipsoid, Torus
    from .chrono.contact.solids.sphere_cover import spheres_of
    from .chrono.contact.solids.terrain import HeightField
    from .chrono.flexible.flexible_contact import FlexibleContact
    from .chrono.joint.joint_sensor import JointSensor
    from .chrono.readout.script_calls import ContactReport
    from .chrono.run.scene_recording import record
    from .chrono.run.window import show
    from .chrono.takeover.materials.material_for import material_for
    from .chrono.takeover.materials.material_table import MaterialTable
    from .errors import (
        DivergedError,
        LawError,
        ModelError,
        NoFeasibleForceError,
        ParameterError,
        PowerContactError,
        StateError,
        SystemChangedError,
        UnknownNameError,
    )
    from .lagrange.beams.beam_modes import natural_modes
    from .lagrange.beams.beams import Beam, RigidMass, Section
    from .lagrange.beams.floating_frame import FloatingBeam, Pin, elastic_coordinates
    from .lagrange.beams.reduction import ReducedBeam, reduce_beam
    from .lagrange.building.loads import BodyMoment, PointForce
    from .lagrange.building.nonholonomic import quasi_velocities
    from .lagrange.building.solids import Solid, composite_solid, reduce_forces, solid_box
    from .lagrange.ensemble import Ensemble, run_ensemble
    from .lagrange.implicit import run_implicit
    from .lagrange.loops.loop_model import CutJoint, ExplicitClosure, Loop
    from .lagrange.loops.loop_runs import run_loop_adams, run_loop_adaptive, run_loop_rk4
    from .lagrange.loops.loops import LoopSystem, Projection
    from .lagrange.model import ContactPoint, FrictionPoint, Model, coordinates, velocities
    from .lagrange.nonsmooth.moreau import Moreau, run_implicit_moreau, run_moreau
    from .lagrange.nonsmooth.set_valued import SetValued, force_ranges, indeterminacy
    from .lagrange.runs import run_adaptive, run_rk4
    from .lagrange.system import System
    from .laws.contact_phases import ContactPhases, contact_phases
    from .laws.design import (
        design_barrier,
        design_restriction,
        stable_anchor_step,
        stable_contact_step,
        stable_friction_step,
    )
    from .laws.friction.anchor import Anchor
    from .laws.friction.dissipation import Dissipation, Friction
    from .laws.friction.friction_law import FrictionLaw
    from .laws.friction.lugre import LuGre
    from .laws.friction.memory import LPVFilter, LTIFilter
    from .laws.friction.prestress import anchor_for, presliding_for
    from .laws.friction.spin import SpinFriction
    from .laws.friction.step_friction import StepFriction
    from .laws.friction.stribeck_law import measured_friction, stribeck_law
    from .laws.friction.user_friction import friction_law
    from .laws.friction_design import design_friction
    from .laws.impact import (
        breaks_through,
        breakthrough_speed,
        deepest_distance,
        dissipation_for,
        exit_velocity,
        peak_force,
        restitution,
    )
    from .laws.law_check import LawReport, check_law
    from .laws.material import Material
    from .laws.normal.hertz import Hertz
    from .laws.normal.hooke import Hooke
    from .laws.normal.indentation import Indentation
    from .laws.normal.newton import NewtonImpact
    from .laws.normal.normal_law import NormalLaw
    from .laws.normal.restriction import Barrier, Restriction, RigidRestriction
    from .laws.normal.steady_restriction import SteadyRestriction
    from .laws.normal.user_normal import normal_law
    from .laws.power_design import PowerFunction, design_power
    from .laws.strands import friction_side_by_side, side_by_side
    from .observer.consistency import consistency
    from .observer.filter_model import FilterModel, compiled
    from .observer.filters.cdkf import CDKF
    from .observer.filters.ekf import EKF
    from .observer.filters.kalman import KalmanFilter
    from .observer.filters.ukf import UKF
    from .observer.models import model_of
    from .observer.observation import Observation
    from .observer.riding import Ride, ride_trajectory
    from .scenarios.parameters import Timed, number, run_length, time_step
    from .scenarios.scenario import Scenario, within
    from .setvalued.contact_set import ContactSet, Touching, contact_set, touching
    from .setvalued.delassus import Indeterminacy
    from .setvalued.elastic import Compliance, elastic_forces
    from .setvalued.ranges import ForceRange, ForceRanges
    from .trajectory import Trajectory
    from .view.drawn import Drawn, Touch
    from .view.recording import Recording, read_recording

__all__ = [
    "CDKF",
    "EKF",
    "UKF",
    "Anchor",
    "Attachment",
    "Barrier",
    "Beam",
    "BodyMoment",
    "Box",
    "Capsule",
    "Compliance",
    "Cone",
    "ContactPhases",
    "ContactPoint",
    "ContactReport",
    "ContactSet",
    "CutJoint",
    "Cylinder",
    "Dissipation",
    "DivergedError",
    "Drawn",
    "Ellipsoid",
    "Energy",
    "Ensemble",
    "ExplicitClosure",
    "FilterModel",
    "FlexibleContact",
    "FloatingBeam",
    "ForceRange",
    "ForceRanges",
    "Friction",
    "FrictionLaw",
    "FrictionPoint",
    "HeightField",
    "Hertz",
    "Hooke",
    "Hull",
    "Indentation",
    "Indeterminacy",
    "JointSensor",
    "KalmanFilter",
    "LPVFilter",
    "LTIFilter",
    "LawError",
    "LawReport",
    "Loop",
    "LoopSystem",
    "LuGre",
    "Material",
    "MaterialTable",
    "Mesh",
    "Model",
    "ModelError",
    "Moreau",
    "NewtonImpact",
    "NoFeasibleForceError",
    "NormalLaw",
    "Observation",
    "ParameterError",
    "Pin",
    "Plane",
    "PointForce",
    "Points",
    "PowerContactError",
    "PowerFunction",
    "Projection",
    "PyChronoError",
    "Recording",
    "ReducedBeam",
    "Restriction",
    "Resultant",
    "Ride",
    "RigidMass",
    "RigidRestriction",
    "Scenario",
    "Section",
    "Segment",
    "SetValued",
    "Shape",
    "Solid",
    "Sphere",
    "SphereCore",
    "SpinFriction",
    "StateError",
    "SteadyRestriction",
    "StepFriction",
    "SweepTable",
    "System",
    "SystemChangedError",
    "Timed",
    "Torus",
    "Touch",
    "Touching",
    "Trajectory",
    "UnknownNameError",
    "__version__",
    "anchor_for",
    "attach",
    "breaks_through",
    "breakthrough_speed",
    "check_law",
    "chrono_force_ranges",
    "compiled",
    "composite_solid",
    "consistency",
    "contact_phases",
    "contact_set",
    "coordinates",
    "deepest_distance",
    "design_barrier",
    "design_friction",
    "design_motion",
    "design_power",
    "design_restriction",
    "dissipation_for",
    "elastic_coordinates",
    "elastic_forces",
    "exit_velocity",
    "force_ranges",
    "friction_law",
    "friction_side_by_side",
    "grid",
    "heights_of_image",
    "identify",
    "indeterminacy",
    "lhs",
    "material_for",
    "measured_friction",
    "measured_order",
    "model_of",
    "natural_modes",
    "need_pychrono",
    "normal_law",
    "number",
    "peak_force",
    "presliding_for",
    "quasi_velocities",
    "read_recording",
    "read_sweep",
    "record",
    "reduce_beam",
    "reduce_forces",
    "restitution",
    "ride_trajectory",
    "run_adaptive",
    "run_ensemble",
    "run_implicit",
    "run_implicit_moreau",
    "run_length",
    "run_loop_adams",
    "run_loop_adaptive",
    "run_loop_rk4",
    "run_moreau",
    "run_rk4",
    "show",
    "side_by_side",
    "sobol",
    "sobol_indices",
    "solid_box",
    "spheres_of",
    "stable_anchor_step",
    "stable_contact_step",
    "stable_friction_step",
    "stribeck_law",
    "sweep",
    "tighten",
    "time_step",
    "touching",
    "uncertainty",
    "velocities",
    "within",
]

_NAMES = {
    "app.studies.global_sensitivity": ("sobol_indices",),
    "app.studies.identification": ("identify",),
    "app.studies.motion_design": ("design_motion",),
    "app.studies.uncertainty": ("uncertainty",),
    "app.sweeps.swept_ranges": ("grid", "lhs", "sobol"),
    "app.sweeps.sweep": ("sweep",),
    "app.sweeps.sweep_table": ("SweepTable", "read_sweep"),
    "bench.orders": ("measured_order",),
    "chrono.api.bridge": ("PyChronoError", "need_pychrono", "tighten"),
    "chrono.attachment": ("Attachment", "attach", "chrono_force_ranges"),
    "chrono.contact.readings": ("Energy", "Resultant"),
    "chrono.contact.shapes": ("Box", "Capsule", "Plane", "Points", "Segment", "Shape", "Sphere", "SphereCore"),
    "chrono.contact.solids.hull_shapes": ("Hull", "Mesh"),
    "chrono.contact.solids.image_heights": ("heights_of_image",),
    "chrono.contact.solids.solid_shapes": ("Cone", "Cylinder", "Ellipsoid", "Torus"),
    "chrono.contact.solids.sphere_cover": ("spheres_of",),
    "chrono.contact.solids.terrain": ("HeightField",),
    "chrono.flexible.flexible_contact": ("FlexibleContact",),
    "chrono.joint.joint_sensor": ("JointSensor",),
    "chrono.readout.script_calls": ("ContactReport",),
    "chrono.run.scene_recording": ("record",),
    "chrono.run.window": ("show",),
    "chrono.takeover.materials.material_for": ("material_for",),
    "chrono.takeover.materials.material_table": ("MaterialTable",),
    "errors": (
        "DivergedError",
        "LawError",
        "ModelError",
        "NoFeasibleForceError",
        "ParameterError",
        "PowerContactError",
        "StateError",
        "SystemChangedError",
        "UnknownNameError",
    ),
    "lagrange.beams.beam_modes": ("natural_modes",),
    "lagrange.beams.beams": ("Beam", "RigidMass", "Section"),
    "lagrange.beams.floating_frame": ("FloatingBeam", "Pin", "elastic_coordinates"),
    "lagrange.beams.reduction": ("ReducedBeam", "reduce_beam"),
    "lagrange.building.loads": ("BodyMoment", "PointForce"),
    "lagrange.building.nonholonomic": ("quasi_velocities",),
    "lagrange.building.solids": ("Solid", "composite_solid", "reduce_forces", "solid_box"),
    "lagrange.ensemble": ("Ensemble", "run_ensemble"),
    "lagrange.implicit": ("run_implicit",),
    "lagrange.loops.loop_model": ("CutJoint", "ExplicitClosure", "Loop"),
    "lagrange.loops.loop_runs": ("run_loop_adams", "run_loop_adaptive", "run_loop_rk4"),
    "lagrange.loops.loops": ("LoopSystem", "Projection"),
    "lagrange.model": ("ContactPoint", "FrictionPoint", "Model", "coordinates", "velocities"),
    "lagrange.runs": ("run_adaptive", "run_rk4"),
    "lagrange.system": ("System",),
    "laws.contact_phases": ("ContactPhases", "contact_phases"),
    "laws.design": (
        "design_barrier",
        "design_restriction",
        "stable_anchor_step",
        "stable_contact_step",
        "stable_friction_step",
    ),
    "laws.friction.anchor": ("Anchor",),
    "laws.friction.dissipation": ("Dissipation", "Friction"),
    "laws.friction.friction_law": ("FrictionLaw",),
    "laws.friction.lugre": ("LuGre",),
    "laws.friction.memory": ("LPVFilter", "LTIFilter"),
    "laws.friction.spin": ("SpinFriction",),
    "laws.friction.step_friction": ("StepFriction",),
    "laws.friction.stribeck_law": ("measured_friction", "stribeck_law"),
    "laws.friction.user_friction": ("friction_law",),
    "laws.friction_design": ("design_friction",),
    "laws.impact": (
        "breakthrough_speed",
        "breaks_through",
        "deepest_distance",
        "dissipation_for",
        "exit_velocity",
        "peak_force",
        "restitution",
    ),
    "laws.law_check": ("LawReport", "check_law"),
    "laws.material": ("Material",),
    "laws.normal.hertz": ("Hertz",),
    "laws.normal.hooke": ("Hooke",),
    "laws.normal.indentation": ("Indentation",),
    "laws.normal.newton": ("NewtonImpact",),
    "laws.normal.normal_law": ("NormalLaw",),
    "laws.normal.restriction": ("Barrier", "Restriction", "RigidRestriction"),
    "laws.normal.steady_restriction": ("SteadyRestriction",),
    "laws.normal.user_normal": ("normal_law",),
    "laws.power_design": ("PowerFunction", "design_power"),
    "laws.strands": ("friction_side_by_side", "side_by_side"),
    "observer.consistency": ("consistency",),
    "observer.filter_model": ("FilterModel", "compiled"),
    "observer.filters.cdkf": ("CDKF",),
    "observer.filters.ekf": ("EKF",),
    "observer.filters.kalman": ("KalmanFilter",),
    "observer.filters.ukf": ("UKF",),
    "observer.models": ("model_of",),
    "observer.observation": ("Observation",),
    "observer.riding": ("Ride", "ride_trajectory"),
    "scenarios.parameters": ("Timed", "number", "run_length", "time_step"),
    "scenarios.scenario": ("Scenario", "within"),
    "lagrange.nonsmooth.moreau": ("Moreau", "run_implicit_moreau", "run_moreau"),
    "lagrange.nonsmooth.set_valued": ("SetValued", "force_ranges", "indeterminacy"),
    "laws.friction.prestress": ("anchor_for", "presliding_for"),
    "setvalued.contact_set": ("ContactSet", "Touching", "contact_set", "touching"),
    "setvalued.delassus": ("Indeterminacy",),
    "setvalued.elastic": ("Compliance", "elastic_forces"),
    "setvalued.ranges": ("ForceRange", "ForceRanges"),
    "trajectory": ("Trajectory",),
    "view.drawn": ("Drawn", "Touch"),
    "view.recording": ("Recording", "read_recording"),
}
"""Public names by the module that defines them; the imports above repeat them for editors and type checkers."""

_HOMES = {name: home for home, names in _NAMES.items() for name in names}

_loaded = sys.modules.get("pychrono")
if _loaded is not None and not hasattr(_loaded, "ChSystemSMC"):
    warnings.warn(
        f"'pychrono' in {_loaded.__file__} is not Project Chrono but the unrelated timing library of "
        "'pip install pychrono': 'powercontact doctor' says how to get the real one",
        stacklevel=2,
    )


def __getattr__(name: str) -> Any:
    """Load a name when it is first used, so that importing the package stays fast."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
