"""Derivatives through linearly implicit steps, fixed and chosen by a tolerance, against differences of runs."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.lagrange.implicit import run_implicit
from chrono_powercontact.lagrange.model import FrictionPoint, Model, coordinates, velocities
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.dissipation import Dissipation
from chrono_powercontact.laws.friction.memory import LPVFilter


def oscillator():
    """A mass on a stiff spring with filtered friction."""
    q = coordinates("x")
    m, k = sp.symbols("m k", real=True)
    u = velocities(q)
    model = Model(
        "rubbed_oscillator", q, m * u[0] ** 2 / 2, k * q[0] ** 2 / 2, (m, k), frictions=(FrictionPoint("rail", u),)
    )
    laws = {"rail": Dissipation(0.5, 0.6, 0.05, 0.1)}
    return System(model, {"m": 1.0, "k": 400.0}, frictions=laws, memories={"rail": LPVFilter(0.02, 0.05)})


@pytest.mark.parametrize("tolerance", [None, 1e-6])
def test_implicit_steps_have_the_slopes_of_differences(tolerance):
    system = oscillator()
    start = system.state([0.1], [0.0])

    def run(system, names=()):
        return run_implicit(system, start, 1e-3, 0.4, 20, tolerance, 1e-9, sensitivities=names)

    found = run(system, ["k", "f_c"])
    low, high = (run(replace(system, parameters={"m": 1.0, "k": 400.0 + h})) for h in (-0.02, 0.02))
    expected = (high["x"] - low["x"]) / 0.04
    assert found["x"] == pytest.approx(run(system)["x"], abs=1e-9)
    assert found.derivative("x", "k") == pytest.approx(
        expected, abs=(2e-5 if tolerance is None else 1e-4) * np.abs(expected).max()
    )
    assert np.abs(found.derivative("x", "f_c")).max() > 1e-3


def test_too_many_names_are_told():
    system = oscillator()
    with pytest.raises(ParameterError, match="a list of one to 8 names, got 'k'"):
        run_implicit(system, system.state([0.1], [0.0]), 1e-3, 0.4, sensitivities="k")
