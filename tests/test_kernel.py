import os

import numpy as np
import pytest

from chrono_powercontact import kernel
from chrono_powercontact.kernel import forget_stale_kernels
from chrono_powercontact.laws.friction import lugre, memory, step_friction, stribeck
from chrono_powercontact.laws.friction.friction_table import FRICTION, friction_record
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.step_friction import StepFriction
from chrono_powercontact.laws.normal import hertz, hooke, indentation, restriction
from chrono_powercontact.laws.normal.hertz import Hertz
from chrono_powercontact.laws.normal.hooke import Hooke
from chrono_powercontact.laws.normal.indentation import Indentation
from chrono_powercontact.laws.normal.normal_table import normal_record
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.laws.smooth import falling_step, log_cosh, soft_plus

V = np.array([-3.0, -0.4, -1e-7, 0.0, 2e-5, 0.02, 1.0, 40.0])
S = np.array([-0.02, 0.0, 0.008, 0.0095, 0.01, 0.0102, 0.02, 1.0])
N = np.array([0.0, 1e-3, 0.5, 1.0, 2.0, 10.0, 100.0, 1e4])
STRIBECK = stribeck.Stribeck(0.3, 0.01, 0.2, 0.02, 0.5, 0.01)
HOOKE = Hooke(0.01, 1e4, 5.0)
HERTZ = Hertz(0.01, 1e4, 0.2)
STRIP = Indentation(0.01, 1e4, 5e4, 1.5, 1.3, 2.0)
BALL = Restriction(0.01, 0.009, 200.0, 0.7)
BRISTLES = LuGre(f_c=1.0, f_s=1.4, v_s=0.02, k=1e4, d_k=100.0)
STEPPED = StepFriction(0.65, 0.5, 5e-3, 1e-2)


def slot_of(law):
    """What the compiled kernel reads in place of a law."""
    if isinstance(law, stribeck.Stribeck):
        slot = np.zeros(1, FRICTION)[0]["dissipation"]
        for name, value in law._asdict().items():
            slot[name] = value
        return slot
    if isinstance(law, LuGre | StepFriction):
        return friction_record(law)[law.slot(None)]
    return normal_record(law)[law.family]


KERNELS = {
    "log_cosh": (log_cosh, (V,)),
    "soft_plus": (soft_plus, (V,)),
    "falling_step": (falling_step, (V,)),
    "activation": (restriction.activation, (S, 5293.3, 0.0095)),
    "activation_integral": (restriction.activation_integral, (S, 5293.3, 0.0095)),
    "resistance": (restriction.resistance, (V, 200.0, 0.7, 1.0)),
    "power_function": (restriction.power_function, (V, 200.0, 0.7, 1.0)),
    "dissipation_force": (stribeck.dissipation_force, (V, N, N / 1e4, STRIBECK)),
    "dissipation_slope": (stribeck.dissipation_slope, (V, N, N / 1e4, STRIBECK)),
    "dissipation_function": (stribeck.dissipation_function, (V, N, N / 1e4, STRIBECK)),
    "opening": (memory.opening, (V, 0.02)),
    "opening_lti": (memory.opening, (V, 0.0)),
    "memory_rate": (memory.memory_rate, (V, N, N / 1e4, 0.03)),
    "memory_step": (memory.memory_step, (V, N, N / 1e4, 0.03, 0.01)),
    "memory_follow": (memory.memory_follow, (V, N, N[::-1], N / 1e4, 0.03, 0.01)),
    "restriction_activation": (restriction.restriction_activation, (S, BALL)),
    "restriction_potential": (restriction.restriction_potential, (S, BALL)),
    "hooke_force": (hooke.hooke_force, (S, V, HOOKE)),
    "hertz_force": (hertz.hertz_force, (S, V, HERTZ)),
    "hooke_potential": (hooke.hooke_potential, (S, HOOKE)),
    "hertz_potential": (hertz.hertz_potential, (S, HERTZ)),
    "indentation_force": (indentation.indentation_force, (S, V, STRIP)),
    "indentation_potential": (indentation.indentation_potential, (S, STRIP)),
    "step_coefficient": (step_friction.step_coefficient, (V, STEPPED)),
    "lugre_amplitude": (lugre.lugre_amplitude, (V, BRISTLES)),
    "lugre_rate": (lugre.lugre_rate, (V, S, np.abs(V), BRISTLES)),
}


def split(arguments):
    """The numbers among a kernel's arguments, and the slot of the law that may follow them."""
    numbers = [argument for argument in arguments if isinstance(argument, float | np.ndarray)]
    return numbers, [slot_of(law) for law in arguments[len(numbers) :]]


@pytest.mark.parametrize("name", KERNELS)
def test_compiled_scalars_equal_the_python_text_on_arrays(name):
    function, arguments = KERNELS[name]
    wanted = function.py_func(*arguments)
    numbers, slots = split(arguments)
    rows = zip(*np.broadcast_arrays(*numbers), strict=True)
    compiled = np.array([function(*map(float, row), *slots) for row in rows])
    np.testing.assert_allclose(compiled, wanted, rtol=2e-15, atol=4e-16 * np.max(np.abs(wanted)))


@pytest.mark.parametrize("name", ["log_cosh", "activation", "dissipation_force", "opening", "hooke_force"])
def test_compiled_kernel_also_takes_arrays(name):
    function, arguments = KERNELS[name]
    wanted = function.py_func(*arguments)
    assert np.shape(wanted) == V.shape
    numbers, slots = split(arguments)
    np.testing.assert_allclose(function(*numbers, *slots), wanted, rtol=2e-15, atol=4e-16 * np.max(np.abs(wanted)))


def touch(path, age, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1e9 - age, 1e9 - age))
    return path


def test_only_kernels_older_than_what_they_may_have_inlined_are_forgotten(tmp_path, monkeypatch):
    touch(tmp_path / "laws" / "law.py", 100.0, "@kernel")
    touch(tmp_path / "scenarios" / "scene.py", 60.0, "@kernel")
    touch(tmp_path / "report.py", 10.0, "no compiled code")
    stale = [touch(tmp_path / room / "__pycache__" / "old.nbi", 200.0) for room in ("laws", "chrono", "scenarios")]
    stale.append(touch(tmp_path / "scenarios" / "__pycache__" / "scene.nbi", 70.0))
    fresh = touch(tmp_path / "lagrange" / "__pycache__" / "engine.nbi", 70.0)
    other = touch(tmp_path / "laws" / "__pycache__" / "law.pyc", 900.0)
    monkeypatch.setattr(kernel, "_PACKAGE", tmp_path)
    assert forget_stale_kernels() == 4
    assert not any(path.exists() for path in stale)
    assert fresh.exists()
    assert other.exists()


def test_a_read_only_installation_is_no_obstacle(tmp_path, monkeypatch):
    touch(tmp_path / "law.py", 100.0, "@kernel")
    stale = touch(tmp_path / "__pycache__" / "law.nbi", 200.0)

    def refuse(path):
        raise PermissionError(path)

    monkeypatch.setattr(kernel, "_PACKAGE", tmp_path)
    monkeypatch.setattr(kernel.os, "remove", refuse)
    forget_stale_kernels()
    assert stale.exists()


@kernel.kernel
def halved(x):
    return 0.5 * x


@kernel.kernel
def quartered(x):
    return halved(halved(x))


def test_python_and_other_kernels_call_two_forms_of_a_kernel():
    assert (halved(8.0), quartered(8.0), halved(np.float32(3.0))) == (4.0, 2.0, 1.5)
    inner = halved._numba_type_.dispatcher
    assert inner is not halved
    assert inner.targetoptions["no_cpython_wrapper"]
    assert inner._cache.cache_path == halved._cache.cache_path
    assert inner._cache._impl.filename_base != halved._cache._impl.filename_base
