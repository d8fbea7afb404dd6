import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.material_design import (
    DEPTH,
    LARGEST_STRENGTH,
    RESOLVED,
    SLIGHTLY_SOFTER,
    SOFTEST,
    STIFFEST,
    Scale,
    Surface,
    design_material,
    overridden,
)

SURFACE = Surface(friction=0.5, sliding=0.4, rolling=1e-3, spinning=2e-3, restitution=0.3)
BOX = Scale(mass=1.0, size=0.05, acceleration=9.81)


def test_a_body_rests_at_the_designed_depth():
    design = design_material(SURFACE, BOX)
    assert design.penetration.value == pytest.approx(DEPTH * 0.05)
    assert design.material.normal.rest_distance(9.81) == pytest.approx(-design.penetration.value, rel=1e-9)


def test_ten_times_the_load_rests_little_deeper():
    design = design_material(SURFACE, BOX)
    deeper = design.material.normal.rest_distance(9.81) - design.material.normal.rest_distance(98.1)
    assert deeper == pytest.approx(math.log(10.0) * design.penetration.value, rel=0.02)


def test_friction_sticks_slides_rolls_and_bounces_as_told():
    material = design_material(SURFACE, BOX).material
    assert (material.friction.mu_s, material.friction.mu_c) == (0.5, 0.4)
    assert (material.rolling.arm, material.spinning.arm) == (1e-3, 2e-3)
    assert material.normal.e == 0.3
    assert material.memory.presliding == pytest.approx(DEPTH * 0.05)


def test_without_friction_there_is_none():
    material = design_material(Surface(0.0, 0.0), BOX).material
    assert material.friction is None
    assert material.memory is None
    assert material.rolling is None


@given(st.floats(1e-4, 1e3), st.floats(1e-6, 1e6), st.floats(1e-3, 1e3))
@settings(max_examples=50)
def test_units_do_not_matter(length, mass, time):
    """The same design in other units is the same law in these units."""
    units = {"mass": mass, "size": length, "acceleration": length / time**2, "speed": length / time}
    units["load"] = mass * length / time**2
    base = Scale(2.0, 0.05, 9.81, 3.0, 100.0)
    other = replace(base, **{name: getattr(base, name) * unit for name, unit in units.items()})
    surface = Surface(0.5, 0.5, 1e-3, 0.0, 0.3)
    one = design_material(surface, base).material
    two = design_material(replace(surface, rolling=1e-3 * length), other).material
    assert two.normal.s_c == pytest.approx(length * one.normal.s_c, rel=1e-6)
    assert two.normal.r_f == pytest.approx(units["load"] * one.normal.r_f, rel=1e-9)
    assert two.normal.r_d == pytest.approx(time / length * one.normal.r_d, rel=1e-9)
    assert two.normal.r_a == pytest.approx(one.normal.r_a, rel=1e-9)
    assert two.memory.presliding == pytest.approx(length * one.memory.presliding, rel=1e-9)
    assert two.memory.tau == pytest.approx(time * one.memory.tau, rel=1e-9)
    assert two.rolling.anchor.tau == pytest.approx(time * one.rolling.anchor.tau, rel=1e-9)
    assert two.rolling.anchor.presliding == pytest.approx(one.rolling.anchor.presliding, rel=1e-9)


def test_the_stiffness_of_the_script_decides_within_bounds():
    for stiffness, depth in ((9.81 / 1e-4, 1e-4), (1.0, SOFTEST * 0.05), (1e12, STIFFEST * 0.05)):
        design = design_material(Surface(linear=stiffness), BOX)
        assert design.penetration.value == pytest.approx(depth)
        assert "stiffness of the shapes' materials" in design.penetration.source
    hertzian = design_material(Surface(hertzian=9.81 / 1e-4**1.5), BOX)
    assert hertzian.penetration.value == pytest.approx(1e-4)


def test_the_force_limit_is_far_above_weights_and_impacts():
    assert design_material(SURFACE, BOX).force_limit.value == pytest.approx(1e3 * 9.81)
    heap = design_material(SURFACE, replace(BOX, load=1e5))
    assert heap.force_limit.value == pytest.approx(8e5)
    fast = design_material(SURFACE, replace(BOX, speed=30.0))
    assert fast.force_limit.value == pytest.approx(20.0 * 900.0 / 0.05)
    assert design_material(SURFACE, replace(BOX, load=1e12)).force_limit.value == LARGEST_STRENGTH * 9.81


def test_coarse_gaps_and_long_steps_ask_for_softer_laws():
    assert design_material(SURFACE, replace(BOX, error=1e-5)).penetration.value == pytest.approx(RESOLVED * 1e-5)
    design = design_material(SURFACE, replace(BOX, speed=1.0, step=1e-3))
    assert design.penetration.value == pytest.approx(2e-3)
    assert "step of 0.001 s" in design.penetration.source


def test_a_slightly_softer_contact_is_chosen_where_that_allows_an_explicit_step():
    """The limit is that of a spring as stiff as the law can be: 2 sqrt(m/k) with k = force_limit/(8 p)."""
    brick = replace(BOX, mass=3.6, size=0.06)
    for step, softened in ((1e-6, False), (1e-4, True), (1e-3, False)):
        design = design_material(SURFACE, replace(brick, explicit_step=step))
        assert (design.penetration.value > DEPTH * brick.size) == softened
        assert design.penetration.value <= SLIGHTLY_SOFTER * brick.size
        k = design.force_limit.value / (8.0 * design.penetration.value)
        if softened:
            assert step == pytest.approx(0.8 * 2.0 * math.sqrt(brick.mass / 24.0 / k))
            assert "need not be solved for" in design.penetration.source


def test_given_numbers_are_taken_as_they_are():
    design = design_material(SURFACE, BOX, penetration=1e-5, presliding=2e-6, force_limit=1e4)
    given = design.penetration, design.presliding, design.force_limit
    assert [chosen.value for chosen in given] == [1e-5, 2e-6, 1e4]
    assert {chosen.source for chosen in given} == {"given"}


@pytest.mark.parametrize("name", ["penetration", "presliding", "force_limit"])
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan])
def test_numbers_of_a_law_must_be_positive(name, value):
    with pytest.raises(ParameterError, match=name):
        design_material(SURFACE, BOX, **{name: value})


def test_a_force_limit_below_the_weight_is_refused():
    with pytest.raises(ParameterError, match=r"force_limit must be at least four weights .* 39.24 N, got 10"):
        design_material(SURFACE, BOX, force_limit=10.0)


@pytest.mark.parametrize("name", ["friction", "sliding", "rolling", "spinning", "restitution"])
@pytest.mark.parametrize("value", [-0.1, math.nan])
def test_surfaces_must_be_possible(name, value):
    with pytest.raises(ParameterError, match=name):
        replace(SURFACE, **{name: value})


def test_a_restitution_above_one_is_refused():
    with pytest.raises(ParameterError, match=r"restitution must lie between 0 and 1, got 1.2"):
        Surface(restitution=1.2)


def test_a_friction_that_is_given_holds_for_sliding_too():
    assert overridden(SURFACE, {"friction": 0.2}) == replace(SURFACE, friction=0.2, sliding=0.2)
    assert overridden(SURFACE, {"friction": 0.3, "sliding": 0.1}).sliding == 0.1
    with pytest.raises(ParameterError, match=r"must not exceed the static friction 0.5, got 0.9"):
        overridden(SURFACE, {"sliding": 0.9})


@pytest.mark.parametrize("name", ["mass", "size", "acceleration"])
@pytest.mark.parametrize("value", [0.0, -1.0, math.inf])
def test_scales_must_be_positive(name, value):
    with pytest.raises(ParameterError, match=name):
        replace(BOX, **{name: value})
