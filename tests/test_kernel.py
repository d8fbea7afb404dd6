import math
import os

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact import kernel
from chrono_powercontact.kernel import forget_stale_kernels
from chrono_powercontact.laws.friction import dissipation, lugre, memory
from chrono_powercontact.laws.normal import hertz, hooke, restriction
from chrono_powercontact.laws.smooth import falling_step, log_cosh, soft_plus

MODEST = settings(max_examples=50, deadline=None)

V = np.array([-3.0, -0.4, -1e-7, 0.0, 2e-5, 0.02, 1.0, 40.0])
S = np.array([-0.02, 0.0, 0.008, 0.0095, 0.01, 0.0102, 0.02, 1.0])
N = np.array([0.0, 1e-3, 0.5, 1.0, 2.0, 10.0, 100.0, 1e4])
STRIBECK = (0.3, 0.01, 0.2, 0.02, 0.5, 0.01)
KERNELS = {
    "log_cosh": (log_cosh, (V,)),
    "soft_plus": (soft_plus, (V,)),
    "falling_step": (falling_step, (V,)),
    "activation": (restriction.activation, (S, 5293.3, 0.0095)),
    "activation_integral": (restriction.activation_integral, (S, 5293.3, 0.0095)),
    "resistance": (restriction.resistance, (V, 200.0, 0.7)),
    "power_function": (restriction.power_function, (V, 200.0, 0.7)),
    "dissipation_force": (dissipation.dissipation_force, (V, N, N / 1e4, *STRIBECK)),
    "dissipation_slope": (dissipation.dissipation_slope, (V, N, N / 1e4, *STRIBECK)),
    "dissipation_function": (dissipation.dissipation_function, (V, N, N / 1e4, *STRIBECK)),
    "opening": (memory.opening, (V, 0.02)),
    "opening_lti": (memory.opening, (V, 0.0)),
    "memory_rate": (memory.memory_rate, (V, N, N / 1e4, 0.03)),
    "memory_step": (memory.memory_step, (V, N, N / 1e4, 0.03, 0.01)),
    "memory_follow": (memory.memory_follow, (V, N, N[::-1], N / 1e4, 0.03, 0.01)),
    "hooke_force": (hooke.hooke_force, (S, V, 0.01, 1e4, 5.0)),
    "hertz_force": (hertz.hertz_force, (S, V, 0.01, 1e4, 0.2)),
    "lugre_amplitude": (lugre.lugre_amplitude, (V, 1.0, 1.4, 0.02)),
    "lugre_rate": (lugre.lugre_rate, (V, S, np.abs(V), 1.0, 1.4, 0.02, 1e4)),
}


def exact(function, x):
    with mpmath.workdps(400):
        return float(function(mpmath.mpf(x)))


@pytest.mark.parametrize("x", [0.0, 1e-300, 1e-150, 1e-20, 1e-8, 1e-4, 0.1, 0.5, 0.999999, 1.0, 1.000001, 2.0, 19.0])
def test_log_cosh_is_exact_near_zero(x):
    assert float(log_cosh(x)) == pytest.approx(exact(lambda y: mpmath.log(mpmath.cosh(y)), x), rel=1e-15, abs=0.0)


@pytest.mark.parametrize("x", [354.0, 711.0, 1e4, 1e100, 1e300])
def test_log_cosh_does_not_overflow(x):
    with mpmath.workdps(400):
        wanted = float(mpmath.mpf(x) - mpmath.log(2) + mpmath.log1p(mpmath.exp(-2 * mpmath.mpf(x))))
    assert float(log_cosh(x)) == pytest.approx(wanted, rel=1e-15)


@given(st.floats(-600.0, 600.0))
@MODEST
def test_log_cosh_is_exact_and_even(x):
    assert float(log_cosh(x)) == pytest.approx(exact(lambda y: mpmath.log(mpmath.cosh(y)), x), rel=1e-15, abs=1e-300)
    assert log_cosh(x) == log_cosh(-x)


@pytest.mark.parametrize("x", [-1e300, -800.0, -700.0, -50.0, -1.0, -1e-9, 0.0, 1e-9, 1.0, 50.0, 800.0, 1e300])
def test_soft_plus_is_exact_everywhere(x):
    with mpmath.workdps(400):
        y = mpmath.mpf(x)
        wanted = float(y + mpmath.log1p(mpmath.exp(-y))) if x > 0 else float(mpmath.log1p(mpmath.exp(y)))
    assert float(soft_plus(x)) == pytest.approx(wanted, rel=4e-16, abs=0.0)


@pytest.mark.parametrize("x", [-1e300, -30.0, -1.0, -1e-9, 0.0, 0.5, 5.0, 40.0, 300.0])
def test_falling_step_keeps_its_digits_in_the_tail(x):
    assert float(falling_step(x)) == pytest.approx(exact(lambda y: 1 / (1 + mpmath.exp(2 * y)), x), rel=1e-14, abs=0.0)


def test_falling_step_does_not_overflow():
    assert 0.0 <= falling_step(1e300) < 1e-300


@pytest.mark.parametrize("function", [falling_step, log_cosh, soft_plus])
def test_nan_is_not_hidden(function):
    assert math.isnan(function(math.nan))
    assert math.isnan(function.py_func(math.nan))


@pytest.mark.parametrize("name", KERNELS)
def test_compiled_scalars_equal_the_python_text_on_arrays(name):
    function, arguments = KERNELS[name]
    wanted = function.py_func(*arguments)
    rows = zip(*np.broadcast_arrays(*arguments), strict=True)
    compiled = np.array([function(*map(float, row)) for row in rows])
    np.testing.assert_allclose(compiled, wanted, rtol=2e-15, atol=4e-16 * np.max(np.abs(wanted)))


@pytest.mark.parametrize("name", ["log_cosh", "activation", "dissipation_force", "opening", "hooke_force"])
def test_compiled_kernel_also_takes_arrays(name):
    function, arguments = KERNELS[name]
    wanted = function.py_func(*arguments)
    assert np.shape(wanted) == V.shape
    np.testing.assert_allclose(function(*arguments), wanted, rtol=2e-15, atol=4e-16 * np.max(np.abs(wanted)))


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
