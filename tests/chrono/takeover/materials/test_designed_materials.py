import math
import warnings

import numpy as np
import pytest
from taken import SLICK, ball, colliding_system, cube_hull, plate, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono, set_integrator, tighten
from chrono_powercontact.errors import ParameterError, UnknownNameError

pytestmark = pytest.mark.chrono

STEPS = [1e-3, 5e-3, 1e-2, 2e-2]


def steps(system, time, step):
    for _ in range(round(time / step)):
        system.DoStepDynamics(step)


def surface_of(method="nsc", friction=0.5, restitution=0.0, **values):
    """A material of Chrono's."""
    made = getattr(pychrono(), f"ChContactMaterial{method.upper()}")()
    made.SetFriction(friction)
    made.SetRestitution(restitution)
    for name, value in values.items():
        getattr(made, f"Set{name}")(value)
    return made


def floor(system, surface, half=0.1):
    """A wide fixed box whose upper face is at z = 0."""
    shape = pychrono().ChCollisionShapeBox(surface, 400 * half, 400 * half, 20 * half)
    return shaped_body(system, shape, at=(0, 0, -10 * half), fixed=True, name="floor")


def solid(kind, surface, half):
    chrono = pychrono()
    if kind == "box":
        return chrono.ChCollisionShapeBox(surface, 2 * half, 2 * half, 2 * half)
    return chrono.ChCollisionShapeSphere(surface, half)


def dropped(kind="box", method="nsc", half=0.1, mass=1.0, gravity=9.81, height=0.02, **options):
    """A body a little above a floor, its size and mass in any units."""
    system, _ = colliding_system(method, (0, 0, -gravity))
    surface = surface_of(method)
    floor(system, surface, half)
    at = (0, 0, (1 + height) * half)
    inertia = 0.6 * mass * half**2
    body = shaped_body(system, solid(kind, surface, half), at=at, mass=mass, inertia=inertia, name="body", **options)
    contacts = pc.attach(system)
    return system, body, contacts


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("method", ["smc", "nsc"])
@pytest.mark.parametrize(("kind", "points"), [("box", 4), ("sphere", 1)])
def test_a_body_rests_at_its_own_step(kind, points, method, step):
    system, body, contacts = dropped(kind, method)
    contacts.take_over()
    steps(system, 1.0, step)
    assert contacts.force_on(body).force[2] == pytest.approx(9.81, rel=0.01)
    depth = contacts.materials()[0]["penetration"]
    assert 0.1 - body.GetPos().z == pytest.approx(depth * (1.0 - math.log(points)), abs=0.01 * depth)
    assert body.GetPosDt().Length() < 1e-6


@pytest.mark.parametrize(
    ("half", "mass", "gravity", "step", "time"),
    [
        (5e-4, 4e-7, 9.81, 1e-3, 0.3),  # 1 mm
        (50.0, 1e8, 9.81, 1e-2, 20.0),  # 100 m
        (100.0, 1e-3, 9810.0, 1e-3, 1.0),  # a cube of 20 cm and 1 kg in millimetres and tonnes
        (0.02, 4e-4, 9.81, 5e-3, 1.0),  # 0.4 g
    ],
)
@pytest.mark.parametrize("kind", ["box", "sphere"])
def test_sizes_and_units_do_not_matter(kind, half, mass, gravity, step, time):
    system, body, contacts = dropped(kind, half=half, mass=mass, gravity=gravity)
    contacts.take_over()
    steps(system, time, step)
    assert contacts.force_on(body).force[2] == pytest.approx(mass * gravity, rel=0.01)
    assert abs(half - body.GetPos().z) < 2e-3 * half


@pytest.mark.parametrize("step", [1e-3, 1e-2])
def test_a_heavy_body_rests_on_one_that_is_ten_thousand_times_lighter(step):
    system, _ = colliding_system("nsc")
    surface = surface_of()
    floor(system, surface)
    light = shaped_body(system, solid("box", surface, 0.1), at=(0, 0, 0.1), inertia=0.007, name="light")
    shape = solid("box", surface, 0.2)
    heavy = shaped_body(system, shape, at=(0, 0, 0.41), mass=1e4, inertia=267.0, name="heavy")
    contacts = pc.attach(system)
    contacts.take_over()
    steps(system, 1.0, step)
    assert contacts.force_on(heavy).force[2] == pytest.approx(9.81e4, rel=0.01)
    assert light.GetPos().z == pytest.approx(0.1, abs=2e-3)


@pytest.mark.parametrize("step", STEPS)
def test_a_box_sticks_below_its_friction_angle_and_slides_above(step):
    for degrees in (26.0, 30.0):
        angle = math.radians(degrees)
        system, _ = colliding_system("nsc", (9.81 * math.sin(angle), 0.0, -9.81 * math.cos(angle)))
        surface = surface_of()
        floor(system, surface)
        body = shaped_body(system, solid("box", surface, 0.1), at=(-5, 0, 0.1), inertia=0.007)
        pc.attach(system).take_over()
        steps(system, 0.5, step)
        before = body.GetPosDt().x
        steps(system, 0.5, step)
        gained = (body.GetPosDt().x - before) / 0.5
        wanted = 9.81 * (math.sin(angle) - 0.5 * math.cos(angle))
        assert gained == pytest.approx(max(wanted, 0.0), abs=1e-3 * 9.81)


@pytest.mark.parametrize("step", [1e-3, 5e-3, 1e-2])
@pytest.mark.parametrize("restitution", [0.2, 0.5, 0.8])
def test_a_ball_bounces_with_the_restitution_of_its_shape(restitution, step):
    system, _ = colliding_system("nsc")
    surface = surface_of(restitution=restitution)
    floor(system, surface)
    body = ball(system, surface, at=(0, 0, 1.1))
    pc.attach(system).take_over()
    while body.GetPosDt().z <= 0.0:
        system.DoStepDynamics(step)
    while body.GetPosDt().z > 0.0:
        top = body.GetPos().z
        system.DoStepDynamics(step)
    assert math.sqrt(top - 0.1) == pytest.approx(restitution, rel=0.03)


@pytest.mark.parametrize("rolling", [0.0, 2e-3, 1e-2])
def test_a_ball_rolls_as_far_as_its_rolling_friction_lets_it(rolling):
    system, _ = colliding_system("nsc")
    surface = surface_of(RollingFriction=rolling)
    floor(system, surface, 0.5)
    body = ball(system, surface, 0.5, at=(-20, 0, 0.5), mass=500.0, inertia=50.0, velocity=(2, 0, 0))
    body.SetAngVelParent(pychrono().ChVector3d(0, 4, 0))
    pc.attach(system).take_over()
    steps(system, 6.0, 5e-3)
    slowing = rolling * 9.81 / (0.5 * 1.4)
    assert body.GetPos().x + 20.0 == pytest.approx(12.0 - 18.0 * slowing, rel=0.01)


def test_surfaces_of_one_body_may_differ():
    """A box with a slick and a rough half: the rough one decides on which side it turns."""
    chrono = pychrono()
    system, _ = colliding_system("nsc")
    floor(system, surface_of(friction=1.0))
    halves = [
        (solid("box", surface_of(friction=friction), 0.05), chrono.ChFramed(chrono.ChVector3d(0, side, 0)))
        for friction, side in ((0.0, -0.1), (0.8, 0.1))
    ]
    body = shaped_body(system, *halves, at=(0, 0, 0.05), inertia=0.01, velocity=(1, 0, 0))
    contacts = pc.attach(system)
    contacts.take_over()
    steps(system, 0.1, 1e-3)
    assert {row["friction"] for row in contacts.materials()} == {0.0, 0.8}
    assert body.GetAngVelParent().z > 0.1


def test_foreign_shapes_have_their_own_surfaces_too():
    system, _ = colliding_system("nsc")
    floor(system, surface_of(friction=1.0))
    body = shaped_body(system, cube_hull(surface_of(friction=0.3)), at=(0, 0, 0.1), inertia=0.007, name="hull")
    contacts = pc.attach(system)
    contacts.take_over()
    steps(system, 1.0, 5e-3)
    (row,) = contacts.materials()
    assert row["friction"] == 0.3
    assert contacts.force_on(body).force[2] == pytest.approx(9.81, rel=0.01)


def test_a_heap_needs_few_materials():
    system, _ = colliding_system("nsc")
    surface = surface_of()
    floor(system, surface)
    rng = np.random.default_rng(1)
    for i in range(60):
        ball(system, surface, 0.05 * 2.0 ** rng.uniform(), at=(0.25 * (i % 8), 0.25 * (i // 8), 0.1), mass=1 + i % 3)
    contacts = pc.attach(system)
    contacts.take_over()
    steps(system, 0.1, 1e-2)
    assert len(contacts.materials()) <= 5  # four of floor and ball, by mass and size, and one of balls that come near


def test_single_choices_replace_those_of_the_shapes():
    system, _, contacts = dropped()
    contacts.take_over(restitution=0.2, friction=0.7, penetration=1e-5)
    system.DoStepDynamics(1e-3)
    row = contacts.materials()[0]
    assert (row["restitution"], row["friction"], row["sliding"], row["penetration"]) == (0.2, 0.7, 0.7, 1e-5)
    assert row.numbers["friction"].source == row.numbers["penetration"].source == "given"
    assert row.numbers["rolling"].source == "the shapes' materials"
    assert row.material.normal.e == 0.2


def test_exceptions_by_pair_stay_possible():
    system, body, contacts = dropped()
    contacts.take_over(pairs={("body", "floor"): SLICK})
    steps(system, 0.5, 1e-3)
    assert 0.1 - body.GetPos().z == pytest.approx(-SLICK.normal.rest_distance(9.81 / 4), abs=1e-6)


def test_the_table_tells_each_number_and_why():
    system, _, contacts = dropped()
    contacts.take_over(restitution=0.2)
    system.DoStepDynamics(1e-3)
    text = repr(contacts.materials())
    assert text.startswith("floor and body\n")
    for words in ("restitution  0.2            given", "penetration  0.0001 m", "0.001 of the size 0.1 m", "weights"):
        assert words in text


def test_without_a_take_over_there_are_no_materials():
    system, _, contacts = dropped()
    with pytest.raises(ParameterError, match="call take_over first"):
        contacts.materials()
    system.DoStepDynamics(1e-3)


def test_a_material_that_is_given_is_told_as_it_is():
    system, _, contacts = dropped()
    contacts.take_over(SLICK)
    system.DoStepDynamics(1e-3)
    assert contacts.materials()[0].material == SLICK
    assert "Restriction" in repr(contacts.materials())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"Friction": math.nan}, "the contact material of 'bad': friction must be a finite number, got nan"),
        ({"Friction": -1.0}, "the contact material of 'bad': friction must not be negative, got -1"),
        ({"Restitution": 1.2}, "the contact material of 'bad': restitution must lie between 0 and 1, got 1.2"),
    ],
)
def test_a_bad_material_is_refused_and_nothing_is_lost(values, message):
    system, body, contacts = dropped()
    ball(system, surface_of(**values), at=(1, 0, 0.1), name="bad")
    with pytest.raises(ParameterError, match=f"^{message}$"):
        contacts.take_over()
    steps(system, 0.2, 1e-3)
    assert system.GetNumContacts() > 0
    contacts.take_over(SLICK)
    steps(system, 0.2, 1e-3)
    assert body.GetPos().z == pytest.approx(0.1, abs=1e-3)


@pytest.mark.parametrize("mass", [0.0, -1.0])
def test_a_bad_mass_is_refused(mass):
    system, _, contacts = dropped()
    bad = ball(system, surface_of(), at=(1, 0, 0.1), name="bad")
    bad.SetMass(mass)
    if bad.GetMass() > 0.0:
        pytest.skip("this PyChrono refuses such a mass itself")
    with pytest.raises(ParameterError, match=f"the mass of 'bad' must be greater than 0, got {mass:g}"):
        contacts.take_over()


def test_bad_choices_are_refused():
    system, _, contacts = dropped()
    with pytest.raises(ParameterError, match="restitution must lie between 0 and 1, got 2"):
        contacts.take_over(restitution=2.0)
    with pytest.raises(UnknownNameError, match="unknown choice 'frction': did you mean 'friction'"):
        contacts.take_over(frction=0.5)
    with pytest.raises(ParameterError, match="either a material or single choices such as friction"):
        contacts.take_over(SLICK, friction=0.5)
    contacts.take_over()
    with pytest.raises(ParameterError, match="already been taken over: detach first"):
        contacts.take_over()
    system.DoStepDynamics(1e-3)


def test_cohesion_is_left_out_with_a_warning():
    system, _ = colliding_system("nsc")
    surface = surface_of(Cohesion=10.0)
    plate(system, surface)
    ball(system, surface, at=(0, 0, 0.1))
    with pytest.warns(UserWarning, match="cohesion of 10 N: our law does not attract"):
        pc.attach(system).take_over()


@pytest.mark.parametrize("integrator", ["runge_kutta", "hht"])
def test_integrators_with_trial_states_get_a_law_that_their_step_allows(integrator):
    system, body, contacts = dropped("sphere")
    set_integrator(system, integrator)
    if integrator == "hht":
        tighten(system)
    contacts.take_over()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        steps(system, 1.0, 1e-3)
    row = contacts.materials()[-1]
    assert "step of 0.001 s" in row.numbers["penetration"].source
    assert body.GetPos().z == pytest.approx(0.1, abs=0.02)
