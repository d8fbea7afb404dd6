import warnings

import pytest
from scene import SMOOTH, empty_system, new_body, run
from taken import ball, colliding_system, plate

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono, set_integrator
from chrono_powercontact.chrono.load.cautions import carried_at_rest

pytestmark = pytest.mark.chrono

WEAK = pc.Restriction(0.0, -0.00125, 1500.0, 1.78)
STIFF = pc.Restriction(0.0, -1e-5, 1e5, 1.0)


def weighed(mass, law, fixed=True, shape=lambda body: pc.Sphere(body, radius=0.1)):
    system = empty_system()
    ground = new_body(system, fixed=fixed, name="ground")
    body = new_body(system, mass, (0, 0, 0.1), name="weight")
    pc.attach(system).add(shape(body), pc.Plane(ground), pc.Material(law))
    return system, body


def told(system, steps=20, step=1e-4):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(steps):
            system.DoStepDynamics(step)
    return caught


def test_a_law_too_weak_for_its_body_is_told_once_at_the_users_line_with_the_number_that_would_do():
    system, body = weighed(1000.0, WEAK)
    (warning,) = told(system)
    assert warning.filename == __file__
    text = str(warning.message)
    assert text.startswith("'weight' weighs 9810 N, but its contacts carry at most 750 N, so it falls through: use a ")
    assert text.endswith("Restriction with r_f >= 3.92e+04 N")
    run(system, 0.5, 1e-3)
    assert body.GetPos().z < -0.5  # it does fall
    enough, other = weighed(1000.0, pc.Restriction(0.0, -0.00125, 3.93e4, 1.78))
    assert told(enough) == []
    run(enough, 0.5, 1e-3)
    assert other.GetPos().z > 0.09


def test_four_corners_carry_a_box():
    def box(body):
        return pc.Box(body, 0.2)

    assert len(told(weighed(1000.0, WEAK, shape=box)[0])) == 1
    assert told(weighed(300.0, WEAK, shape=box)[0]) == []


def test_a_body_on_a_joint_need_not_be_carried():
    chrono = pychrono()
    system, body = weighed(1000.0, WEAK)
    hinge = chrono.ChLinkLockRevolute()
    hinge.Initialize(system.GetBodies()[0], body, chrono.ChFramed())
    system.AddLink(hinge)
    assert told(system) == []


def test_a_body_that_was_taken_over_is_weighed_too():
    system, surface = colliding_system()
    plate(system, surface)
    ball(system, surface, at=(0, 0, 0.1), mass=1000.0, name="weight")
    ball(system, surface, at=(1, 0, 0.1), mass=1.0, name="light")
    pc.attach(system).take_over(pc.Material(WEAK))
    (warning,) = told(system)
    assert "'weight' weighs 9810 N" in str(warning.message)


def test_a_barrier_is_meant_to_break():
    assert carried_at_rest(pc.Barrier(0.0, -0.001, 400.0, 1.0, thickness=0.01, s_c_back=-0.009)) == 0.0


@pytest.mark.parametrize("integrator", ["euler_implicit", "newmark", "runge_kutta"])
def test_a_step_that_an_integrator_does_not_master_is_told_once(integrator):
    system, _ = weighed(1.0, STIFF)
    set_integrator(system, integrator)
    (warning,) = told(system, step=1e-3)
    assert warning.filename == __file__
    assert f"the step of 0.001 s is too long for the contact laws under {integrator}" in str(warning.message)
    assert ("jacobian=True" in str(warning.message)) == (integrator != "runge_kutta")
    limit = float(str(warning.message).split("at most ")[1].split(" s")[0])
    other, _ = weighed(1.0, STIFF)
    set_integrator(other, integrator)
    assert told(other, step=0.9 * limit) == []


def test_a_box_that_euler_implicit_lets_sink_is_told():
    """Newton's method without the slopes does not converge: the box sinks through the floor."""
    system, body = weighed(1.0, pc.Restriction(0.0, -1e-6, 1e5, 0.1))
    set_integrator(system, "euler_implicit")
    assert [text for text in map(str, told(system, steps=3000)) if "too long" in text]
    assert not abs(body.GetPos().z - 0.1) < 1e-3


def test_the_default_integrator_and_a_jacobian_need_no_warning():
    system, _ = weighed(1.0, STIFF)
    assert told(system, step=1e-3) == []
    chrono = pychrono()
    system = empty_system(integrator="euler_implicit")
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    ground, body = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.1))
    pc.attach(system, jacobian=True).add(pc.Sphere(body, radius=0.1), pc.Plane(ground), pc.Material(STIFF))
    assert told(system, step=1e-3) == []


def test_links_that_contradict_each_other_are_told_and_nothing_is_thrown():
    chrono = pychrono()
    system = empty_system()
    ground, box = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.1))
    for length in (0.1, 0.3):
        rod = chrono.ChLinkDistance()
        rod.Initialize(box, ground, True, chrono.ChVector3d(0, 0, 0), chrono.ChVector3d(0, 0, 0), False, length)
        system.AddLink(rod)
    contacts = pc.attach(system, stepping="implicit")
    contacts.add(pc.Box(box, 0.1), pc.Plane(ground), SMOOTH)
    with pytest.warns(UserWarning, match="links that contradict each other cannot all hold"):
        run(system, 2.0, 5e-3)
    assert box.GetPos().Length() < 0.4
    assert box.GetPosDt().Length() < 1.0


@pytest.mark.parametrize("doubled", [False, True])
def test_links_that_hold_are_not_told_nor_are_redundant_ones(doubled):
    chrono = pychrono()
    system = empty_system()
    ground, box = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.2))
    for _ in range(1 + doubled):
        hinge = chrono.ChLinkLockRevolute()
        hinge.Initialize(box, ground, chrono.ChFramed(chrono.ChVector3d(0.1, 0, 0.2), chrono.QuatFromAngleX(1.5707963)))
        system.AddLink(hinge)
    contacts = pc.attach(system, stepping="implicit")
    contacts.add(pc.Box(box, 0.1), pc.Plane(ground), SMOOTH)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(system, 1.0, 5e-3)
