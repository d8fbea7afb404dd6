import dataclasses

import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.anchor import Anchor
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter
from chrono_powercontact.laws.friction.spin import SpinFriction
from chrono_powercontact.laws.friction.step_friction import StepFriction
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.hertz import Hertz
from chrono_powercontact.laws.normal.hooke import Hooke
from chrono_powercontact.laws.normal.indentation import Indentation
from chrono_powercontact.laws.normal.restriction import Restriction

NORMAL = Restriction(0.010, 0.009, 200.0, 1.0)
SLIDING = Friction(mu_c=0.25, mu_s=0.30, v_c=5e-5, v_s=1e-4, eps=1e-6)
INDENTATION, STEP = Indentation(0.01, 1e4), StepFriction(0.3, 0.25, 1e-3, 2e-3)
BRISTLES = LuGre(f_c=0.25, f_s=0.3, v_s=0.02, k=2e3, d_k=5.0)
NEEDS_LAW = "a memory needs a Friction or a user law of friction"


def test_material_is_frictionless_and_static_unless_told():
    material = Material(NORMAL)
    assert material.friction is None
    assert material.memory is None
    assert material.rolling is None
    assert material.spinning is None


@pytest.mark.parametrize("normal", [NORMAL, Hooke(0.01, 1e4), Hertz(0.01, 1e6)])
@pytest.mark.parametrize("memory", [None, LTIFilter(1e-4), LPVFilter(1e-4, 1e-4), Anchor()])
def test_friction_goes_with_any_normal_law_and_any_memory(normal, memory):
    material = Material(normal, SLIDING, memory)
    assert (material.normal, material.friction, material.memory) == (normal, SLIDING, memory)


def test_memory_without_friction_is_refused():
    with pytest.raises(ParameterError, match=rf"^{NEEDS_LAW}, got None$"):
        Material(NORMAL, memory=LTIFilter(1e-4))


def test_second_memory_for_lugre_is_refused():
    with pytest.raises(ParameterError, match=rf"^{NEEDS_LAW}, got LuGre"):
        Material(NORMAL, BRISTLES, LPVFilter(1e-4, 1e-4))


def test_equal_materials_are_one_key():
    same = Material(dataclasses.replace(NORMAL), dataclasses.replace(SLIDING), LPVFilter(1e-4, 1e-4))
    assert len({same, Material(NORMAL, SLIDING, LPVFilter(1e-4, 1e-4))}) == 1
    assert same != Material(NORMAL, SLIDING)


def test_material_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Material(NORMAL).friction = SLIDING


@pytest.mark.parametrize("friction", [None, BRISTLES])
def test_anchor_without_a_friction_law_of_its_own_is_refused(friction):
    with pytest.raises(ParameterError, match=rf"^{NEEDS_LAW}, got "):
        Material(NORMAL, friction, Anchor())


def test_memory_that_is_none_is_refused():
    with pytest.raises(
        ParameterError, match=r"^memory must be an LTIFilter, an LPVFilter, an Anchor or None, got 1e-05$"
    ):
        Material(NORMAL, SLIDING, 1e-5)


def test_rolling_and_spinning_need_no_sliding_friction():
    material = Material(NORMAL, rolling=SpinFriction(1e-3), spinning=SpinFriction(2e-3))
    assert (material.rolling.arm, material.spinning.arm) == (1e-3, 2e-3)


@pytest.mark.parametrize("name", ["rolling", "spinning"])
def test_rolling_and_spinning_need_a_spin_friction(name):
    with pytest.raises(ParameterError, match=rf"^{name} must be a SpinFriction or None, got Friction"):
        Material(NORMAL, SLIDING, **{name: SLIDING})


@pytest.mark.parametrize("normal", [None, SLIDING, 400.0, Material(NORMAL)])
def test_normal_must_be_a_normal_law(normal):
    with pytest.raises(ParameterError, match=r"^normal must be a Restriction or another normal law, got "):
        Material(normal)


@pytest.mark.parametrize("friction", [NORMAL, 0.5, Dissipation(1.0, 1.0, 1e-3), SpinFriction(1e-3)])
@pytest.mark.parametrize("memory", [None, Anchor()])
def test_friction_must_be_a_law_that_the_normal_force_scales(friction, memory):
    with pytest.raises(ParameterError, match=r"^friction must be a law that the normal force scales .* got "):
        Material(NORMAL, friction, memory)


def test_laws_of_other_programs_are_taken():
    material = Material(INDENTATION, STEP)
    assert (material.normal, material.friction) == (INDENTATION, STEP)


def test_swapped_laws_are_refused():
    with pytest.raises(ParameterError, match=r"^normal must be .* got Friction"):
        Material(SLIDING, NORMAL)
