"""Finds the real PyChrono, rejects its namesake, and covers the names of versions 9.0 and 10 by feature detection."""

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError, PowerContactError, SystemChangedError, UnknownNameError, shown

CONDA = "conda install -c projectchrono -c conda-forge pychrono"
HOW_TO_GET = f"install Project Chrono with '{CONDA}'"

INTEGRATORS = {
    "euler_implicit_linearized": ("Type_EULER_IMPLICIT_LINEARIZED",),
    "euler_implicit_projected": ("Type_EULER_IMPLICIT_PROJECTED",),
    "euler_implicit": ("Type_EULER_IMPLICIT",),
    "hht": ("Type_HHT",),
    "newmark": ("Type_NEWMARK",),
    "runge_kutta": ("Type_RUNGE_KUTTA", "Type_RUNGEKUTTA45"),
}
"""Integrators by the names used here, with their names in the versions of PyChrono."""

LINEARIZED = ("euler_implicit_linearized", "euler_implicit_projected")
"""Integrators that evaluate forces once, at the start of a step, and count damping twice if given a Jacobian."""


class PyChronoError(PowerContactError, ImportError):
    """The real PyChrono is missing, or lacks a required feature."""


def _search() -> str | None:
    """Why the real PyChrono cannot be imported; None if it can."""
    loaded = sys.modules.get("pychrono")
    spec = loaded.__spec__ if loaded is not None else importlib.util.find_spec("pychrono")
    if spec is None:
        return f"PyChrono is not installed for {sys.executable}: {HOW_TO_GET}"
    if spec.origin is None:
        folders = ", ".join(spec.submodule_search_locations or ())
        return f"'pychrono' in {folders} is a folder without a package: rename it and {HOW_TO_GET}"
    folder = Path(spec.origin).parent
    return None if any(folder.glob("_core*")) else f"{namesake(folder)}: run 'pip uninstall pychrono', then '{CONDA}'"


def namesake(where: object) -> str:
    """What the package is that is called pychrono too."""
    return f"'pychrono' in {where} is not Project Chrono but the unrelated timing library of 'pip install pychrono'"


@cache
def pychrono() -> ModuleType:
    """The real PyChrono module; if it is missing, PyChronoError says why in one sentence."""
    reason = _search()
    if reason is not None:
        raise PyChronoError(reason)
    try:
        import pychrono as module
    except Exception as error:
        raise PyChronoError(f"PyChrono was found but cannot be imported ({error}): {HOW_TO_GET}") from error
    if not hasattr(module, "ChSystemSMC"):
        raise PyChronoError(f"the module 'pychrono' in {module.__file__} has no ChSystemSMC: {HOW_TO_GET}")
    return module


def pychrono_part(name: str) -> ModuleType:
    """A module of PyChrono that not every build has, such as "fea" or "robot"."""
    pychrono()
    try:
        return importlib.import_module(f"pychrono.{name}")
    except ImportError as error:
        raise PyChronoError(f"this PyChrono was built without its module {name} ({error}): {HOW_TO_GET}") from error


def need_pychrono(part: str = "") -> ModuleType:
    """PyChrono, or a part of it such as "fea", for a script: without it, it ends with one sentence and exit code 2."""
    try:
        return pychrono_part(part) if part else pychrono()
    except PyChronoError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


def missing() -> str | None:
    """Why there is no Chrono engine, in one sentence; None if there is one."""
    try:
        pychrono()
    except PyChronoError as error:
        return str(error)
    return None


def version() -> str:
    """Version that PyChrono reports, or else the generation that its features belong to."""
    module = pychrono()
    reported = getattr(module, "GetChronoVersion", None) or getattr(module, "CHRONO_VERSION", None)
    if reported is not None:
        return str(reported() if callable(reported) else reported)
    return "10" if hasattr(module.ChTimestepper, "Type_RUNGE_KUTTA") else "9"


def set_integrator(system: Any, name: str) -> None:
    """Choose one of Chrono's integrators for a system by the name used here."""
    if name not in INTEGRATORS:
        raise UnknownNameError("integrator", name, INTEGRATORS)
    kinds = pychrono().ChTimestepper
    for attribute in INTEGRATORS[name]:
        if hasattr(kinds, attribute):
            system.SetTimestepperType(getattr(kinds, attribute))
            return
    raise PyChronoError(f"this PyChrono has no integrator {name}")


def integrator_name(system: Any) -> str:
    """The integrator of a system by the name used here, or its number if it has none."""
    kinds = pychrono().ChTimestepper
    used = system.GetTimestepperType()
    for name, attributes in INTEGRATORS.items():
        if any(hasattr(kinds, a) and getattr(kinds, a) == used for a in attributes):
            return name
    return f"type {used}"


def check_system(system: Any) -> None:
    """Raise unless the object is a Chrono system."""
    if isinstance(system, type) or not hasattr(system, "DoStepDynamics"):
        raise ParameterError(f"system must be a ChSystem, such as chrono.ChSystemSMC(), got {shown(system)}")


def proxy_of(system: Any) -> Any:
    """The script's own object for a system that PyChrono gave as a bare pointer, such as `body.GetSystem()`."""
    if type(system).__name__ != "SwigPyObject":
        return system
    kind = pychrono().ChSystem
    for thing in gc.get_objects():
        if issubclass(type(thing), kind) and address(thing) == int(system):
            return thing
    raise ParameterError("no object of this script stands for that system: attach to the one that is stepped")


def fast(kind: type, method: str) -> Any:
    """A method of one of PyChrono's classes, without the Python layer of its proxy if possible."""
    for parent in kind.__mro__:
        core = getattr(sys.modules.get(parent.__module__), "_core", None)
        function = getattr(core, f"{parent.__name__}_{method}", None)
        if function is not None:
            return function
    return getattr(kind, method)


@cache
def linearized_types() -> frozenset[int]:
    """Chrono's numbers for the integrators in LINEARIZED."""
    kinds = pychrono().ChTimestepper
    return frozenset(getattr(kinds, a) for name in LINEARIZED for a in INTEGRATORS[name] if hasattr(kinds, a))


def check_solver(system: Any) -> None:
    """Raise unless the solver of a system handles stiffness and damping: solvers like PSOR ignore them or throw."""
    kinds = pychrono().ChSolver
    used = system.GetSolver().GetType()
    able = ("SPARSE_LU", "SPARSE_QR", "PARDISO_MKL", "MUMPS", "MINRES", "GMRES", "BICGSTAB")
    if not any(getattr(kinds, f"Type_{name}", None) == used for name in able):
        raise ParameterError(
            "a Jacobian needs a linear solver: call system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)"
        )


def check_movable(system: Any) -> None:
    """Raise if nothing in a system can move and its solver is a direct one: Chrono would end the process."""
    kinds = pychrono().ChSolver
    direct = [getattr(kinds, f"Type_{name}", None) for name in ("SPARSE_LU", "SPARSE_QR", "PARDISO_MKL", "MUMPS")]
    if system.GetSolver().GetType() not in direct:
        return
    system.Setup()
    if system.GetNumCoordsVelLevel() == 0:
        raise SystemChangedError("nothing in this system can move, which Chrono's direct solvers do not survive")


def tighten(system: Any, iterations: int = 50, tolerance: float = 1e-10) -> None:
    """Make an implicit integrator converge: by default it stops after one to four iterations."""
    module = pychrono()
    stepper = system.GetTimestepper()
    for kind in ("HHT", "Newmark", "EulerImplicit"):
        cast = getattr(module, f"CastToChTimestepper{kind}", None)
        typed = cast(stepper) if cast is not None else None
        if typed is None:
            continue
        typed.SetMaxIters(iterations)
        typed.SetAbsTolerances(tolerance)
        if hasattr(typed, "SetRelTolerance"):
            typed.SetRelTolerance(tolerance)
        if hasattr(typed, "SetStepControl"):
            typed.SetStepControl(False)
        return


def body_key(body: Any) -> int:
    """Key of a body: its identifier, because `==` compares poses and proxies are temporary."""
    return int(body.GetIdentifier())


def address(proxy: Any) -> int:
    """Address of the object behind a proxy of a shared pointer; the proxy must stay alive during the call."""
    return int(ctypes.c_void_p.from_address(int(proxy.this)).value or 0)


def holders_of(proxy: Any) -> int:
    """How many shared pointers hold the object behind a proxy, that of the proxy included, as GNU's library counts."""
    control = ctypes.c_void_p.from_address(int(proxy.this) + 8).value or 0
    return int(ctypes.c_int32.from_address(control + 8).value)


def owner_of(body: Any) -> int:
    """Address by which a body knows its system; 0 if it is in none."""
    owner = body.GetSystem()
    return 0 if owner is None else int(getattr(owner, "this", owner))


def addresses_of(system: Any) -> tuple[int, int]:
    """Addresses by which bodies may know a system: its proxy holds that of the object, or of a pointer to it."""
    location = int(system.this)
    return location, int(ctypes.c_void_p.from_address(location).value or 0)


def belongs(body: Any, system: Any) -> bool:
    """Whether a body is in a system."""
    owner = owner_of(body)
    return owner != 0 and owner in addresses_of(system)


def shape_instance(model: Any, index: int) -> tuple[Any, Any]:
    """Collision shape number `index` of a model and its frame on the body."""
    instance = model.GetShapeInstance(index)
    shape, frame = (instance.shape, instance.frame) if hasattr(instance, "shape") else instance
    if not hasattr(frame, "GetPos"):
        frame.disown()
        raise PyChronoError(
            f"PyChrono {version()} does not report the position of collision shapes: use version 10 or later"
        )
    return shape, frame


JOINTS = {
    "turn": ("ChLinkLockRevolute", "ChLinkRevolute", "ChLinkMateRevolute", "ChLinkMotorRotation"),
    "slide": ("ChLinkLockPrismatic", "ChLinkMatePrismatic", "ChLinkMotorLinear"),
    "line": ("ChLinkTSDA",),
}
"""Links with one degree of freedom, by its motion: about or along the z axis of their frames, or between two points."""


MOTORS = ("ChLinkMotorRotation", "ChLinkMotorLinear")
"""Joints whose guidance may be switched off."""


def _is_any(link: Any, names: tuple[str, ...]) -> bool:
    """Whether a link is of one of PyChrono's classes with these names."""
    module = pychrono()
    return isinstance(link, tuple(getattr(module, name) for name in names if hasattr(module, name)))


def is_guided(link: Any) -> bool:
    """Whether a link is sure to prevent all relative motion of its bodies but the one about or along its axis."""
    return joint_motion(link) != "line" and not _is_any(link, MOTORS)


def joint_motion(link: Any) -> str:
    """The motion of a joint with one degree of freedom: "turn", "slide" or "line"."""
    for motion, names in JOINTS.items():
        if _is_any(link, names):
            return motion
    allowed = ", ".join(name for names in JOINTS.values() for name in names)
    raise ParameterError(
        f"link must be a revolute or prismatic joint or a spring-damper line ({allowed}), got {shown(link)}"
    )


def joint_bodies(link: Any, system: Any) -> tuple[Any, Any]:
    """The two bodies of a joint, as owned by the system: a link holds raw pointers that keep nothing alive."""
    ends = [link.GetBody1(), link.GetBody2()]
    if any(end is None for end in ends):
        raise ParameterError(f"{type(link).__name__} is not connected to bodies yet: call its Initialize first")
    owned = {body_key(body): body for body in system.GetBodies()}
    keys = [body_key(pychrono().CastToChBody(end)) for end in ends]
    if not owned.keys() >= set(keys):
        raise ParameterError(f"{type(link).__name__} connects a body that is not in this system: call AddBody first")
    if not belongs(link, system):
        raise ParameterError(f"{type(link).__name__} is not in this system: call system.AddLink(link) first")
    return owned[keys[0]], owned[keys[1]]


def inertia_of(body: Any) -> NDArray[np.float64]:
    """Inertia matrix of a body about its centre of mass and body-fixed axes, in kg m^2."""
    own = body.GetInertiaXX()
    mixed = body.GetInertiaXY()
    return np.array([[own.x, mixed.x, mixed.y], [mixed.x, own.y, mixed.z], [mixed.y, mixed.z, own.z]])
