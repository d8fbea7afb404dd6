"""Generated kernels of closed loops: what they compute and how they are kept."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from chrono_powercontact.errors import ModelError
from chrono_powercontact.lagrange.codegen import load_generated
from chrono_powercontact.lagrange.loops.loop_codegen import compile_loop, loop_source
from chrono_powercontact.lagrange.loops.loop_model import CutJoint, Loop
from chrono_powercontact.lagrange.loops.mechanisms import cartesian_pendulum, four_bar
from chrono_powercontact.lagrange.model import TIME


def test_kernel_writes_closure_jacobian_drift_gamma_directions_and_coriolis() -> None:
    """Against SymPy's own numbers at an open position of the pendulum with a moving pivot."""
    loop = cartesian_pendulum()
    closure, _ = compile_loop(loop)
    q, u, p, t = np.array([0.3, -0.6]), np.array([0.4, 0.9]), np.array([0.7, 0.8, 9.81, 0.1, 3.0, 0.0]), 0.4
    phi, a, drift, gamma, b, k = np.zeros(1), np.zeros((1, 2)), np.zeros(1), np.zeros(1), np.zeros((1, 2)), np.zeros(2)
    closure(t, q, u, p, phi, a, drift, gamma, b, k)
    at = dict(zip((*loop.tree.q, *loop.tree.speeds, *loop.tree.parameters), (*q, *u, *p), strict=True))
    at[TIME] = t
    blocks = (loop.closure, loop.jacobian, loop.drift, loop.gamma, loop.locked)
    for found, wanted in zip((phi, a, drift, gamma, b), blocks, strict=True):
        assert found.ravel() == pytest.approx(np.array(wanted.subs(at).evalf(), float).ravel(), rel=1e-12)
    assert k == pytest.approx([0.0, 0.0], abs=0.0)


def test_kernels_are_compiled_once() -> None:
    assert compile_loop(four_bar())[0] is compile_loop(four_bar())[0]
    assert "def closure" in loop_source(four_bar())
    assert "if number == 0" in loop_source(four_bar())
    assert "if number == 0" not in loop_source(cartesian_pendulum())


def test_another_closure_is_another_kernel() -> None:
    loop = cartesian_pendulum()
    other = Loop(loop.tree, (CutJoint("rod", loop.cuts[0].closure),))
    assert loop_source(loop) != loop_source(other)


def test_generated_modules_come_from_the_cache_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("POWERCONTACT_CACHE", str(tmp_path))
    name = "test_generated_module_of_loops"
    assert load_generated(name, lambda: "value = 1\n").value == 1
    del sys.modules[name]
    assert load_generated(name, lambda: "value = 2\n").value == 1  # read, not written again
    assert [path.name for path in tmp_path.glob("*.py")] == [f"{name}.py"]
    del sys.modules[name]
    (tmp_path / f"{name}.py").write_text("raise ValueError('broken')\n")
    with pytest.raises(ValueError, match="broken"):
        load_generated(name, lambda: "")
    assert name not in sys.modules


def test_names_that_are_no_identifiers_are_refused() -> None:
    loop = cartesian_pendulum()
    tree = type(loop.tree)("no name", loop.tree.q, loop.tree.kinetic, parameters=loop.tree.parameters)
    with pytest.raises(ModelError, match="model name must be a Python identifier, got 'no name'"):
        compile_loop(Loop(tree, loop.cuts))
