"""Project Chrono: our contacts in it, its smooth contact SMC, and its non-smooth contact NSC.

SMC and NSC touch by Bullet's box on a box. The matched material goes as deep as ours at rest; the default one is that
of Chrono's documentation (E = 2e5 N/m^2).
"""

from __future__ import annotations

from typing import Any

from chrono_powercontact.chrono.api import bridge as api
from chrono_powercontact.chrono.api.start import prepare
from chrono_powercontact.chrono.attachment import attach
from chrono_powercontact.chrono.contact.shapes import Box, Plane
from chrono_powercontact.scenarios.boxes.box_chrono import box_target
from chrono_powercontact.scenarios.boxes.planar_box import BoxParameters, core_of, corner_material
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters
from chrono_powercontact.scenarios.scenes.chrono_scenes import add_body, new_scene
from chrono_powercontact.scenarios.scenes.rival_scenes import built_in_scene

from .scene import ANGLE, EDGE, FOOT, GRAVITY, LONG_STEP, MASS, MOMENT, MU, Setting, Track, follow

if api.missing() is not None:
    raise ImportError(api.missing())

SMC = "https://api.projectchrono.org/classchrono_1_1_ch_system_s_m_c.html"
NSC = "https://api.projectchrono.org/classchrono_1_1_ch_iterative_solver.html"
OURS = "scenario slope"


def _smc(model: str, matched: bool) -> Setting:
    law = f"smc-{model.lower()}" + ("" if matched else "-default")
    stiffness = "SetYoungModulus matched" if matched else "SetYoungModulus 2e5"
    return Setting(
        f"SMC {model}{', matched' if matched else ''}",
        f"SetContactForceModel {model}, {stiffness}",
        SMC,
        not matched,
        1e-4,
        {"set": {"law": law}},
    )


def _nsc(iterations: int, default: bool, step: float) -> Setting:
    name = f"NSC {iterations} iterations" + (f", {1e3 * step:g} ms" if step == LONG_STEP else "")
    values = {"set": {"law": "nsc"}, "iterations": iterations}
    return Setting(name, f"SetMaxIterations {iterations}", NSC, default, step, values)


def _anchored(name: str, step: float, stepping: str, **given: float) -> Setting:
    """Our anchored law at a step in s, with forces at the start (explicit) or the end (implicit) of a step."""
    option = " ".join(["memory=anchored", *(f"{key}={value:g}" for key, value in given.items())])
    option += f", stepping={stepping}"
    values = {"set": {"memory": "anchored", **given}, "stepping": stepping}
    return Setting(f"power, anchored{name}", option, OURS, False, step, values)


SETTINGS = (
    Setting("power, LPV memory", "memory=lpv", OURS, True, 1e-4, {"set": {"memory": "lpv"}, "stepping": "explicit"}),
    _anchored("", 1e-4, "explicit"),
    _anchored(", coarse", 2.5e-4, "explicit", presliding=5e-5, tau=2.5e-4),
    *(_anchored(f", {1e3 * step:g} ms", step, "implicit") for step in (1e-3, 5e-3, 1e-2, 2e-2)),
    *(_smc(model, matched) for matched in (False, True) for model in ("Hooke", "Hertz", "PlainCoulomb")),
    _nsc(50, True, 1e-3),
    _nsc(200, False, 1e-3),
    _nsc(200, False, LONG_STEP),
)


def _parameters(setting: Setting) -> BoxParameters:
    """Parameters of the scenario slope, which is this scene."""
    slope = find("slope")
    given = {"mass": MASS, "size": EDGE, "mu_s": MU, "mu_c": MU, "step": setting.step, **setting.values["set"]}
    return read_parameters(slope.parameters_on("chrono"), given)


def _ours(p: BoxParameters, stepping: str) -> tuple[Any, Any, Any]:
    system, ground = new_scene(GRAVITY)
    body = add_body(system, "box", MASS, MOMENT, (0.0, 0.0, 0.5 * EDGE))
    contacts = attach(system, stepping=stepping)
    contacts.add(Box(body, core_of(p), radius=p.s_0), Plane(ground), corner_material(p))
    prepare(system, p.integrator)
    return system, body, contacts


def _built_in(p: BoxParameters, iterations: int | None) -> tuple[Any, Any, Any]:
    built = built_in_scene(p.law, box_target(p, ANGLE), GRAVITY, EDGE, 10.0)
    body = built.add_box(MASS, EDGE, EDGE, (0.0, 0.0, 0.5 * EDGE))
    built.prepare(p.integrator)
    if iterations is not None:
        built.system.GetSolver().AsIterative().SetMaxIterations(iterations)
    return built.system, body, built


def run(setting: Setting) -> Track:
    """The scene with a setting."""
    p = _parameters(setting)
    made = _ours(p, setting.values["stepping"]) if p.law == "power" else _built_in(p, setting.values.get("iterations"))
    system, body, _kept = made
    where = api.pychrono().ChVector3d(*FOOT)

    def advance(count: int) -> float:
        for _ in range(count):
            system.DoStepDynamics(p.step)
        return float(body.TransformPointLocalToParent(where).x)

    return follow(advance, p.step)
