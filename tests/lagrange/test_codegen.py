"""Generated kernels against brute-force Lagrange equations, and the cache in which they are kept."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from lagrange_models import block, kernel_outputs, moving_floor, polar_mass, real, top

from chrono_powercontact.errors import ModelError
from chrono_powercontact.lagrange import codegen
from chrono_powercontact.lagrange.building.textbook import cart_pendulum, two_link_arm
from chrono_powercontact.lagrange.codegen import cache_folder, compile_model, kernel_source
from chrono_powercontact.lagrange.model import TIME, ContactPoint, FrictionPoint, Model, coordinates, velocities
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.scenarios.bodies.cube_model import cube_model
from chrono_powercontact.scenarios.bodies.pendulum_model import double_pendulum_model
from chrono_powercontact.scenarios.friction.pulled_mass import planar_mass_model


class BruteForce:
    """The kernel's outputs from Euler-Lagrange itself, without mass matrix, Christoffel symbols or simplification."""

    def __init__(self, model: Model) -> None:
        q, qd = list(model.q), list(velocities(model.q))
        qdd = [sp.Symbol(f"acceleration_{i}") for i in range(len(q))]
        kinetic, potential = sp.sympify(model.kinetic), sp.sympify(model.potential)
        residual = []
        for c, d in zip(q, qd, strict=True):
            momentum = sp.diff(kinetic, d)
            change = sum(sp.diff(momentum, e) * f for e, f in zip((*q, *qd), (*qd, *qdd), strict=True))
            residual.append(change - sp.diff(kinetic, c) + sp.diff(potential, c) - model.forces.get(c, 0))
        distances = sp.Matrix([c.distance for c in model.contacts])
        slips = [component for vector in model.slips for component in vector]
        drive = sp.diff(potential, TIME) + sum(f * velocities((c,))[0] for c, f in model.forces.items())
        flow = model.kinematics if model.kinematics is not None else sp.eye(len(q))

        def function(*expressions: sp.Expr) -> Callable[..., np.ndarray]:
            return sp.lambdify((TIME, q, qd, qdd, list(model.parameters)), expressions, "numpy", cse=True)

        self.residual = function(*residual)
        self.flow, self.flow_slopes = function(flow), function(*(sp.diff(flow, c) for c in q))
        self.distance = function(*distances)
        self.gradient = function(distances.jacobian(q)) if len(distances) else None
        self.drift = function(*sp.diff(distances, TIME))
        self.slip, self.energy = function(*slips), function(kinetic, potential, drive)

    def outputs(self, t: float, q: np.ndarray, u: np.ndarray, p: np.ndarray) -> dict[str, np.ndarray]:
        """All outputs by the names the kernel gives them."""
        none = np.zeros(q.size)
        flow = self.flow(t, q, none, none, p)[0]
        qd = flow @ u
        turn = sum(slope * rate for slope, rate in zip(self.flow_slopes(t, q, none, none, p), qd, strict=True))
        h = flow.T @ self.residual(t, q, qd, turn @ u, p)
        unit = np.eye(u.size)
        mass = np.array([flow.T @ self.residual(t, q, qd, turn @ u + flow @ e, p) - h for e in unit])
        slip = np.array(self.slip(t, q, qd, none, p))
        still = np.array(self.slip(t, q, none, none, p))
        steps = np.array([self.slip(t, q, flow @ e, none, p) - still for e in unit])
        jac = self.gradient(t, q, none, none, p)[0] @ flow if self.gradient is not None else np.zeros((0, u.size))
        return {
            "M": mass,
            "h": h,
            "q_dot": qd,
            "s": np.array(self.distance(t, q, qd, none, p)),
            "s_dot": jac @ u + np.array(self.drift(t, q, none, none, p)),
            "J": jac,
            "slip": slip,
            "S": steps.T,
            "energy": np.array(self.energy(t, q, qd, none, p)),
        }


KERNELS = {
    "cart": cart_pendulum,
    "arm": two_link_arm,
    "double_pendulum": double_pendulum_model,
    "moving_floor": moving_floor,
    "planar_mass": planar_mass_model,
    "block": block,
    "polar_mass": polar_mass,
    "top": top,
    "cube_quaternion": lambda: cube_model("quaternion"),
    "cube_angles": lambda: cube_model("angles"),
}


@pytest.mark.parametrize("name", KERNELS)
def test_kernel_equals_brute_force_lagrange(name: str) -> None:
    model = KERNELS[name]()
    brute = BruteForce(model)
    rng = np.random.default_rng(17)
    for _ in range(5):
        parameters = {s.name: float(v) for s, v in zip(model.parameters, rng.uniform(0.3, 2.0, 20), strict=False)}
        system = System(model, parameters)
        q, u, t = rng.normal(size=len(model.q)), rng.normal(size=len(model.speeds)), rng.uniform(0.0, 2.0)
        found = kernel_outputs(system, q, u, t)
        for output, expected in brute.outputs(t, q, u, system.arguments[0]).items():
            assert getattr(found, output).shape == expected.shape
            assert getattr(found, output) == pytest.approx(expected, rel=1e-11, abs=1e-11), output


def test_cse_and_local_names_do_not_capture_the_users_symbols() -> None:
    """Coordinates and parameters named as the generated locals are, in another order, with and without `real`."""
    q = coordinates("u_1 x_0")
    (a, b), (da, db), p = q, velocities(q), (sp.Symbol("q_0"), sp.Symbol("x_1"), sp.Symbol("p_0"), sp.Symbol("t_1"))
    wave = sp.sin(a * p[1] + b)
    model = Model("test_capture", q, p[0] * da**2 / 2 + p[2] * db**2 / 2, p[3] * wave**2 + p[1] * sp.exp(wave), p)
    system = System(model, {"q_0": 2.0, "x_1": 0.7, "p_0": 3.0, "t_1": 1.3})
    w = np.sin(0.4 * 0.7 - 0.9)
    slope = (2.0 * 1.3 * w + 0.7 * np.exp(w)) * np.cos(0.4 * 0.7 - 0.9)
    found = kernel_outputs(system, [0.4, -0.9], [1.0, 2.0])
    assert np.array_equal(found.M, np.diag([2.0, 3.0]))
    assert found.h == pytest.approx([0.7 * slope, slope])
    assert found.energy == pytest.approx([7.0, 1.3 * w**2 + 0.7 * np.exp(w), 0.0])


def test_min_and_piecewise_in_time_compile() -> None:
    """A spring end that stops, and a force that is switched: values and drive power on both sides."""
    (x,), (m, k, stop) = coordinates("x"), real("m k stop")
    (v,) = velocities((x,))
    stretch = 2 * sp.Min(TIME, stop) - x
    force = sp.Piecewise((3, TIME < 1), (-TIME, TIME < 4), (0, True))
    model = Model("test_switched", (x,), m * v**2 / 2, k * stretch**2 / 2, (m, k, stop), {x: force})
    system = System(model, {"m": 1.0, "k": 10.0, "stop": 2.5})
    cases = ((0.5, 3.0, 1.0, 2.0), (2.0, -2.0, 4.0, 2.0), (3.0, -3.0, 5.0, 0.0), (5.0, 0.0, 5.0, 0.0))
    for t, push, end, speed in cases:
        found = kernel_outputs(system, [0.2], [0.7], t)
        pull = 10.0 * (end - 0.2)
        assert found.h == pytest.approx([-pull - push]), t
        assert found.energy == pytest.approx([0.245, 5.0 * (end - 0.2) ** 2, pull * speed + push * 0.7]), t


def test_abs_max_and_powers_compile() -> None:
    (x,), (m, k) = coordinates("x"), real("m k")
    (v,) = velocities((x,))
    point = ContactPoint("a", sp.Abs(x) - sp.Max(k, x))
    model = Model("test_abs", (x,), m * v**2 / 2, k * sp.Abs(x) ** sp.Rational(5, 2), (m, k), contacts=(point,))
    system = System(model, {"m": 1.0, "k": 0.5})
    for at, gap, slope in ((-2.0, 1.5, -1.0), (0.25, -0.25, 1.0), (3.0, 0.0, 0.0)):
        found = kernel_outputs(system, [at], [1.0])
        assert found.h == pytest.approx([0.5 * 2.5 * abs(at) ** 1.5 * np.sign(at)])
        assert found.s == pytest.approx([gap])
        assert found.J[0] == pytest.approx([slope])


# --- source ----------------------------------------------------------------------------------------------------


def test_source_is_plain_python_that_names_its_parameters() -> None:
    text = kernel_source(double_pendulum_model())
    assert text.startswith('"""Equations of motion of double_pendulum, generated by chrono_powercontact ')
    assert "p_4 = p[4]  # y0" in text
    assert "Not supported" not in text
    compile(text, "kernel", "exec")


def test_entries_that_are_identically_zero_are_not_written() -> None:
    assert "J[0, 1]" not in kernel_source(double_pendulum_model())  # the first mass does not feel the second angle
    assert "J[1, 1]" in kernel_source(double_pendulum_model())


# --- cache -----------------------------------------------------------------------------------------------------


def small(name: str = "test_small", **changes: object) -> Model:
    q, (m, k) = coordinates("x y"), real("m k")
    v = velocities(q)
    parts = {
        "q": q,
        "kinetic": m * (v[0] ** 2 + v[1] ** 2) / 2,
        "potential": k * q[0] ** 2,
        "parameters": (m, k),
        "contacts": (ContactPoint("a", q[1], (v[0],)),),
        "frictions": (FrictionPoint("b", (v[0],)),),
    }
    return Model(name, **(parts | changes))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, and no kernel of `small` in memory before or after."""
    monkeypatch.setenv("POWERCONTACT_CACHE", str(tmp_path / "kernels"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    forget()
    yield tmp_path / "kernels"
    forget()


def forget() -> None:
    """Drop the kernels of `small` from memory, as a new process would."""
    for name in [name for name in sys.modules if name.startswith("test_small_")]:
        del sys.modules[name]
    importlib.invalidate_caches()


def no_derivation(model: Model) -> str:
    raise AssertionError("derived again")


def test_a_second_compile_in_the_same_process_derives_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compile_model(small())
    monkeypatch.setattr(codegen, "kernel_source", no_derivation)
    assert compile_model(small()) is first
    assert len(list(cache.glob("*.py"))) == 1


def test_a_new_process_reads_the_kernel_from_disk(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = System(small(), {"m": 2.0, "k": 3.0})
    expected = kernel_outputs(system, [0.5, 0.1], [1.0, 2.0])
    forget()
    monkeypatch.setattr(codegen, "kernel_source", no_derivation)
    again = System(small(), {"m": 2.0, "k": 3.0})
    assert again.terms is not system.terms
    found = kernel_outputs(again, [0.5, 0.1], [1.0, 2.0])
    for name, value in vars(expected).items():
        assert np.array_equal(getattr(found, name), value)
    with pytest.raises(AssertionError, match="derived again"):  # the check above could have failed
        compile_model(small("test_small_other"))


def test_the_wished_cache_folder_is_used_and_made(cache: Path) -> None:
    assert not cache.exists()
    compile_model(small())
    (kernel,) = cache.glob("*.py")
    assert kernel.name.startswith("test_small_")
    assert kernel.read_text(encoding="utf-8") == kernel_source(small())
    assert list(cache.glob("__pycache__/*.nbi"))  # numba's compiled code lies beside it
    assert not list(cache.glob("*.tmp"))


def test_the_users_cache_folder_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("POWERCONTACT_CACHE", "LOCALAPPDATA", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "chrono_powercontact"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "chrono_powercontact"
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_folder() == tmp_path / "local" / "chrono_powercontact"
    monkeypatch.setenv("POWERCONTACT_CACHE", str(tmp_path / "wished"))
    assert cache_folder() == tmp_path / "wished"


def test_a_cache_folder_that_cannot_be_made_falls_back(cache: Path) -> None:
    cache.write_text("a file is in the way")
    folder = cache_folder()
    assert folder.is_dir()
    assert folder.parent == cache.parent  # the fixture's place for temporary folders
    assert System(small(), {"m": 2.0, "k": 3.0}).effective_mass([0.0, 0.0])["a"] == pytest.approx(2.0)


def test_a_cache_folder_that_cannot_be_written_falls_back(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != cache)
    assert cache_folder() != cache
    compile_model(small())
    assert not list(cache.glob("*.py"))


Q, (MASS, STIFF) = coordinates("x y"), real("m k")
VX, VY = velocities(Q)
CHANGES = {
    "name": {"name": "test_small_2"},
    "kinetic": {"kinetic": MASS * (VX**2 + 2 * VY**2) / 2},
    "potential": {"potential": STIFF * Q[0] ** 2 / 2},
    "parameters": {"parameters": (STIFF, MASS)},
    "forces": {"forces": {Q[1]: STIFF}},
    "distance": {"contacts": (ContactPoint("a", 2 * Q[1], (VX,)),)},
    "tangential": {"contacts": (ContactPoint("a", Q[1], (2 * VX,)),)},
    "friction": {"frictions": (FrictionPoint("b", (VY,)),)},
    "quasi-velocities": {"u": coordinates("a b"), "kinematics": sp.Matrix([[1, 0], [0, 2]])},
    "kinematics": {"u": coordinates("a b"), "kinematics": sp.Matrix([[1, 0], [0, 3]])},
}


def test_every_part_of_a_model_tells_kernels_apart(cache: Path) -> None:
    """One parameter vector, one state: each change must reach the numbers, not an old kernel."""
    seen = []
    for changes in ({}, *CHANGES.values()):
        model = small(**changes)
        found = kernel_outputs(System(model, {"m": 2.0, "k": 3.0}), [0.5, 0.1], [1.0, 2.0])
        seen.append((changes.get("name"), *(value.tobytes() for value in vars(found).values())))
    # the order of the parameters alone leaves the numbers as they are, because it is kept with the values
    assert len(set(seen)) == len(seen) - 1
    assert len(list(cache.glob("*.py"))) == len(seen)


def test_the_same_energies_under_another_name_are_another_file(cache: Path) -> None:
    compile_model(small())
    compile_model(small("test_small_twin"))
    names = sorted(path.stem.rpartition("_")[0] for path in cache.glob("*.py"))
    assert names == ["test_small", "test_small_twin"]


def test_a_broken_kernel_file_leaves_nothing_behind(cache: Path) -> None:
    compile_model(small())
    (kernel,) = cache.glob("*.py")
    forget()
    kernel.write_text("def terms(:\n", encoding="utf-8")
    with pytest.raises(SyntaxError):
        compile_model(small())
    assert kernel.stem not in sys.modules
    kernel.unlink()
    assert callable(compile_model(small()))


@pytest.mark.parametrize("name", ["", "two words", "1st", "a-b", "../up"])
def test_a_name_that_is_no_identifier_is_refused(name: str) -> None:
    with pytest.raises(ModelError, match="model name must be a Python identifier"):
        compile_model(small(name))
