"""Numbers of a model as states: found from measurements, named where they cannot be, refused where they are unknown."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.observer.estimated import field_index
from chrono_powercontact.observer.filters.cdkf import CDKF
from chrono_powercontact.observer.filters.ekf import EKF
from chrono_powercontact.observer.filters.ukf import UKF
from chrono_powercontact.observer.models import model_of
from chrono_powercontact.scenarios.bodies.pendulum import Pendulum
from chrono_powercontact.scenarios.gait.leg.stages import STAGE, stage
from chrono_powercontact.scenarios.impact.point_mass import point_mass
from chrono_powercontact.scenarios.parameters import read_parameters

LAW = Restriction(0.01, 0.006, 400.0, 0.5)


def dropped(law=LAW, g=9.81):
    """A ball that bounces on a law, as heights with noise of 0.2 mm every ms."""
    system = point_mass(0.1, law, g)
    run = run_rk4(system, system.state([0.1], [0.0]), 1e-4, 1.0, every=10)
    return run["s"][1:] + 2e-4 * np.random.default_rng(1).normal(size=len(run) - 1)


def observed(kind, estimated, guess, spread, ys):
    model = model_of(point_mass(0.1, LAW, 9.81), outputs=("s",), estimated=estimated)
    n = len(estimated)
    variances = [1e-8, 1e-6, *np.square(spread)]
    observer = kind(model, [0.1, 0.0, *guess], variances, [1e-12, 1e-8, *[1e-12] * n], [4e-8], 1e-3, 1e-4)
    observer.run(ys)
    return observer


@pytest.mark.parametrize("kind", [CDKF, UKF, EKF])
def test_gravity_is_found_from_heights(kind):
    observer = observed(kind, ("g",), [9.0], [1.0], dropped(g=9.5))
    assert observer.model.estimated == ("g",)
    assert observer.x[-1] == pytest.approx(9.5, abs=4.0 * observer.sigma[-1])
    assert observer.sigma[-1] < 0.05
    assert observer.information["g"] > 3.0
    observer.check_observable()


def test_the_position_of_a_floor_is_found_from_a_bounce():
    floor = Restriction(0.012, 0.008, 400.0, 0.5)
    observer = observed(CDKF, ("r_c",), [LAW.r_c], [2e-3], dropped(floor))
    assert observer.x[-1] == pytest.approx(floor.r_c, abs=2e-4)


def test_a_number_that_the_measurements_do_not_depend_on_is_named():
    """A ball that falls freely says nothing about the floor below."""
    observer = observed(CDKF, ("g", "r_f"), [9.0, 400.0], [1.0, 40.0], dropped()[:80])
    with pytest.raises(ParameterError, match=r"80 samples say next to nothing about r_f \(.* nats\): at least 0.1"):
        observer.check_observable()


def test_several_points_have_such_a_number_and_one_must_be_named():
    scenario = Pendulum()
    system = scenario.system(read_parameters(scenario.parameters, {"mu_c": 0.18, "mu_s": 0.2}))
    with pytest.raises(ParameterError, match=r"'r_c' is a number of several points, name one of them: 1\.r_c, 2\.r_c"):
        model_of(system, outputs=("phi1",), estimated=("r_c",))
    model = model_of(system, outputs=("phi1",), estimated=("2.r_c", "mu_c"))
    assert model.estimated == ("2.r_c", "mu_c")
    np.testing.assert_allclose(model.p[list(model.slots)], [system.contacts["2"].normal.r_c, 0.18])


def test_unknown_numbers_and_inputs_are_refused():
    system = point_mass(0.1, LAW, 9.81)
    with pytest.raises(UnknownNameError, match="unknown parameter 'mas'"):
        model_of(system, outputs=("s",), estimated=("mas",))
    with pytest.raises(ParameterError, match="'g' is an input, it cannot be estimated as well"):
        model_of(system, outputs=("s",), inputs=("g",), estimated=("g",))


def test_a_number_of_a_record_by_the_path_of_its_field():
    numbers = stage("s3").numbers
    assert numbers[field_index(STAGE, "knee.restriction.r_c")] == pytest.approx(-9.6e-3)
    assert numbers[field_index(STAGE, "leg.m_sg")] == 5.7
    assert field_index(STAGE, "patient.1") == field_index(STAGE, "patient.0") + 1
    with pytest.raises(UnknownNameError, match=r"unknown number on the way 'knee\.hook': 'hook'"):
        field_index(STAGE, "knee.hook")
    with pytest.raises(ParameterError, match="'leg' is no single number"):
        field_index(STAGE, "leg")
