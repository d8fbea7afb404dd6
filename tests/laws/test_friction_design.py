import math

import numpy as np
import pytest
import sympy as sp

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction_design import CAUGHT, CLOSING, design_friction

GRAVITY = 9.81
GROUND = pc.Restriction(s_0=2e-3, s_c=1e-3, r_f=400.0, r_d=3.0)
ASKED = {
    "mu_c": 0.4, "mu_s": 0.5, "mass": 1.0, "normal": GRAVITY, "load": 0.3 * GRAVITY,
    "creep": 1e-4, "presliding": 1e-5, "step": 1e-4,
}  # fmt: skip
NOT_TO_BE_HAD = "presliding 1e-05 m cannot be had with this creep: allow less creep or more presliding"


def pulled_box(asked, time):
    """A box at rest on the ground, with the load put on it at once, on the reference engine."""
    x, y = pc.coordinates("x y")
    v_x, v_y = pc.velocities((x, y))
    m, g, pull = sp.symbols("m g pull")
    kinetic = m * (v_x**2 + v_y**2) / 2
    ground = pc.ContactPoint("ground", y, (v_x,))
    model = pc.Model("pulled_box", (x, y), kinetic, m * g * y - pull * x, (m, g, pull), contacts=(ground,))
    numbers = {"m": asked["mass"], "g": asked["normal"] / asked["mass"], "pull": asked["load"]}
    material = pc.Material(GROUND, *design_friction(**asked))
    system = pc.System(model, numbers, {"ground": material})
    start = system.state([0.0, GROUND.rest_distance(asked["normal"])], [0.0, 0.0])
    return pc.run_rk4(system, start, asked["step"], time)


@pytest.mark.parametrize(
    "change",
    [{}, {"creep": 1e-5, "presliding": 2e-5}, {"load": 0.38 * GRAVITY, "step": 5e-5}, {"step": 1e-3, "creep": 1e-3}],
    ids=["usual", "little creep", "near Coulomb friction", "long step"],
)
def test_a_run_gives_what_was_asked(change):
    asked = {**ASKED, **change}
    run = pulled_box(asked, 0.3)
    speed = run["x_dot"]
    fastest = int(np.argmax(speed))
    caught = fastest + int(np.argmax(speed[fastest:] < CAUGHT * asked["creep"]))
    assert speed[fastest] > 2.0 * asked["creep"]
    assert run["x"][caught] == pytest.approx(asked["presliding"], rel=0.05)
    assert speed[-1] == pytest.approx(asked["creep"], rel=0.01)


def test_a_longer_step_lets_the_filter_close_earlier():
    short, long = (design_friction(**{**ASKED, "step": step})[1] for step in (1e-4, 1.5e-3))
    law = design_friction(**ASKED)[0]
    assert short.v_f == pytest.approx(CLOSING[0] * law.v_c)
    assert long.v_f > short.v_f
    assert long.t_f < short.t_f


def test_recommended_ratio_of_the_speeds():
    law, _ = design_friction(**ASKED)
    assert law.v_s == pytest.approx(2.0 * law.v_c)
    assert float(law.force(ASKED["creep"], GRAVITY)) == pytest.approx(ASKED["load"], rel=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"creep": 0.0}, "creep must be greater than 0, got 0"),
        ({"presliding": math.nan}, "presliding must be a finite number, got nan"),
        ({"step": -1e-3}, "step must be greater than 0, got -0.001"),
        ({"load": 0.5 * GRAVITY}, "load must be below mu_s times the normal force, 0.5, got 0.5 of it"),
        (
            {"load": 0.45 * GRAVITY},
            "presliding 1e-05 m cannot be had with this creep: allow less creep or more presliding",
        ),
        ({"mu_s": 0.3}, "mu_s must not be below mu_c, got mu_s=0.3 and mu_c=0.4"),
        ({"creep": 0.1}, NOT_TO_BE_HAD),
    ],
)
def test_what_cannot_be_had_is_refused_by_name_and_value(change, message):
    with pytest.raises(ParameterError) as caught:
        design_friction(**{**ASKED, **change})
    assert str(caught.value) == message


def test_a_step_that_is_too_long_is_refused_with_the_longest_one():
    with pytest.raises(ParameterError, match=r"^step 0\.1 s is too long: .* the longest is 0\.00\d+ s$"):
        design_friction(**{**ASKED, "step": 0.1})
