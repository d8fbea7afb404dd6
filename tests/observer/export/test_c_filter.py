"""Exported filters, compiled by the machine's compiler, against the filters that they come from."""

import shutil
import subprocess

import numpy as np
import pytest
from observer_models import pendulum_model

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.observer.export import c_check
from chrono_powercontact.observer.export.c_check import agreement, run_c
from chrono_powercontact.observer.export.c_filter import c_source
from chrono_powercontact.observer.filter_model import FilterModel, compiled
from chrono_powercontact.observer.filters.cdkf import CDKF
from chrono_powercontact.observer.filters.ukf import UKF
from chrono_powercontact.observer.models import model_of
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.gait.control.control_observers import riding_observer
from chrono_powercontact.scenarios.gait.leg.trainer_leg import REST
from chrono_powercontact.scenarios.impact.point_mass import point_mass
from chrono_powercontact.scenarios.parameters import read_parameters

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, c_check.COMPILERS)), reason="needs a C compiler")


@compiled
def sliding(t, x, u, p, dx):
    """A mass between walls, with a condition, a power and a number that is estimated."""
    dx[0] = x[1]
    wall = 100.0 * min(x[0] - p[1], 0.0) ** 2 if x[0] < p[1] else 0.0
    dx[1] = (u[0] - p[0] * np.tanh(x[1] / 0.1) + wall * np.cos(t)) / 2.0


def observed_leg(exercise=2, count=400):
    scenario = find("gait_observer")
    p = read_parameters(scenario.parameters, {"scenario": exercise})
    us, ys = scenario.export_samples(p)
    return scenario.exported_observer(p), us[:count], ys[:count]


@needs_compiler
def test_the_leg_with_its_stop_agrees_with_python_to_1e_12_through_the_impact():
    observer, us, ys = observed_leg()
    found = agreement(observer, us, ys)
    assert found.difference < 1e-12
    assert found.c_time > 0.0
    assert "C agrees with Python to" in found.sentence


@needs_compiler
def test_estimated_numbers_of_the_leg_are_inputs_of_its_equations_in_c():
    observer = riding_observer("adaptive", np.array(REST), (5e-4, 2e-4))
    us = np.column_stack([8.0 + 6.0 * np.sin(0.01 * np.arange(200)), np.full(200, 60.0)])
    ys = np.array(REST) + 5e-4 * np.random.default_rng(1).normal(size=(200, 2))
    assert agreement(observer, us, ys).difference < 1e-10


@needs_compiler
def test_conditions_powers_bounds_angles_and_a_missing_measurement():
    model = FilterModel(
        sliding, ("s", "v", "friction"), ("force",), ("s",), [1.0, 0.2], angles=("s",), slots=(0,)
    )  # fmt: skip
    bounds = {"friction": (0.5, 1.5)}
    observer = CDKF(model, [0.3, -0.2, 1.0], [1e-2] * 3, [1e-6, 1e-4, 1e-6], [1e-4], 0.02, 0.01, bounds, t_0=0.5)
    us = np.sin(0.1 * np.arange(150))[:, None]
    ys = 0.2 + 0.1 * np.cos(0.05 * np.arange(150))[:, None]
    ys[70] = np.nan
    seen = observer.twin().run(ys, us)
    in_c = run_c(c_source(observer), 3, us, ys)
    np.testing.assert_allclose(in_c.x, seen.data[:, 1:4], rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(in_c.nis, seen["nis"], rtol=1e-8, atol=1e-12)
    assert in_c.skipped == 1


@needs_compiler
def test_the_example_main_reads_samples_and_prints_estimates(tmp_path):
    observer, us, ys = observed_leg(count=20)
    source = tmp_path / "observer.c"
    source.write_text(c_source(observer))
    command = [c_check.compiler(), "-std=c99", "-DOBSERVER_MAIN", str(source), "-o", str(tmp_path / "run"), "-lm"]
    subprocess.run(command, check=True)
    text = "\n".join(" ".join(repr(float(x)) for x in (*u, *y)) for u, y in zip(us, ys, strict=True))
    printed = subprocess.run([str(tmp_path / "run")], input=text, capture_output=True, text=True, check=True).stdout
    last = [float(word) for word in printed.splitlines()[-1].split()]
    seen = observer.run(ys, us)
    np.testing.assert_allclose(last[:-1], seen.data[-1, 1:7], rtol=1e-12, atol=1e-14)


def test_the_file_allocates_nothing_and_includes_nothing_else():
    text = c_source(observed_leg(count=2)[0])
    assert "@" not in text
    assert not any(word in text for word in ("malloc(", "calloc(", "alloca("))
    included = {line for line in text.splitlines() if line.startswith("#include")}
    assert included == {"#include <math.h>", "#include <string.h>", "#include <stdio.h>"}


def test_what_cannot_be_exported_is_refused():
    ukf = UKF(pendulum_model(), [0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0], 0.01)
    with pytest.raises(ParameterError, match="a CDKF or an EKF can be exported, got UKF"):
        c_source(ukf)
    system = point_mass(1.0, Restriction(0.01, 0.006, 400.0, 4.0))
    carried = CDKF(model_of(system, outputs=("s",)), [1.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0], 0.01)
    with pytest.raises(ParameterError, match="this one has a system"):
        c_source(carried)


def test_a_missing_compiler_is_one_sentence(monkeypatch):
    monkeypatch.setattr(c_check.shutil, "which", lambda name: None)
    with pytest.raises(ParameterError, match="no C compiler was found, looked for cc, gcc, clang"):
        agreement(*observed_leg(count=2))


def test_an_ekf_with_exact_jacobians_is_not_exported():
    observer = riding_observer("s4", np.array(REST), (5e-4, 2e-4), "ekf_exact")
    with pytest.raises(ParameterError, match="C has the EKF with Jacobians by differences"):
        c_source(observer)
