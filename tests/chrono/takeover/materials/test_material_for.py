import math

import pytest
from taken import ball, colliding_system, plate, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError, UnknownNameError


def test_mass_and_size_are_enough():
    material = pc.material_for(mass=1.0, size=0.1)
    assert material.friction.mu_s == 0.6
    assert material.normal.e == 0.4
    assert material.normal.rest_distance(9.81) == pytest.approx(-5e-5)


def test_choices_are_taken_as_they_are():
    material = pc.material_for(mass=1.0, size=0.1, friction=0.5, sliding=0.4, restitution=0.2, penetration=1e-6)
    assert (material.friction.mu_s, material.friction.mu_c, material.normal.e) == (0.5, 0.4, 0.2)
    assert material.normal.rest_distance(9.81) == pytest.approx(-1e-6)


def test_other_units_need_their_gravity():
    metres = pc.material_for(mass=1.0, size=0.1)
    millimetres = pc.material_for(mass=1e-3, size=100.0, gravity=9810.0)
    assert millimetres.normal.r_f == pytest.approx(metres.normal.r_f)
    assert millimetres.normal.s_c == pytest.approx(1e3 * metres.normal.s_c)


@pytest.mark.chrono
def test_bodies_tell_mass_size_and_surface():
    system, surface = colliding_system("nsc")
    surface.SetFriction(0.3)
    surface.SetRestitution(0.1)
    material = pc.material_for(ball(system, surface, 0.05, mass=2.0), plate(system, surface))
    assert (material.friction.mu_s, material.normal.e) == (0.3, 0.1)
    assert material.normal.rest_distance(2.0 * 9.81) == pytest.approx(-5e-5)


@pytest.mark.chrono
def test_named_contacts_need_no_numbers_of_a_law():
    system, _ = colliding_system(bullet=False)
    ground = shaped_body(system, fixed=True)
    cube = shaped_body(system, at=(0, 0, 0.06), inertia=0.0017)
    contacts = pc.attach(system)
    contacts.add(pc.Box(cube, size=0.1, radius=0.002), pc.Plane(ground), pc.material_for(cube, ground, size=0.1))
    for _ in range(200):
        system.DoStepDynamics(5e-3)
    assert contacts.force_on(cube).force[2] == pytest.approx(9.81, rel=0.01)
    assert cube.GetPos().z == pytest.approx(0.052, abs=1e-4)


def test_what_is_missing_or_impossible_is_told():
    with pytest.raises(ParameterError, match="mass must be given"):
        pc.material_for(size=0.1)
    with pytest.raises(ParameterError, match="size must be given"):
        pc.material_for(mass=1.0)
    with pytest.raises(ParameterError, match="mass must be greater than 0, got -1"):
        pc.material_for(mass=-1.0, size=0.1)
    with pytest.raises(ParameterError, match="friction must be a finite number, got nan"):
        pc.material_for(mass=1.0, size=0.1, friction=math.nan)
    with pytest.raises(UnknownNameError, match="unknown choice 'mu'"):
        pc.material_for(mass=1.0, size=0.1, mu=0.5)


@pytest.mark.chrono
def test_something_else_than_a_body_is_refused():
    with pytest.raises(ParameterError, match="body must be"):
        pc.material_for("cube", size=0.1)
