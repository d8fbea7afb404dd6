"""What a script changes while it runs counts from the next step on, without a call of `refresh`."""

import pytest
from scene import chronos_contacts, run
from taken import LAW, SLICK, ball, colliding_system, cube_hull, plate, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

pytestmark = pytest.mark.chrono

REST = 0.1 + LAW.rest_distance(9.81)


def balls(count=2, bullet=True):
    """Balls that rest on a plate, taken over."""
    system, surface = colliding_system(bullet=bullet)
    plate(system, surface)
    bodies = [ball(system, surface, at=(i, 0, 0.1), name=f"ball {i}") for i in range(count)]
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    run(system, 0.2)
    return system, surface, bodies, contacts


def further(system, time):
    run(system, system.GetChTime() + time)


def test_a_body_without_collision_falls_and_comes_back():
    system, _, (first, second), _ = balls()
    first.EnableCollision(False)
    further(system, 0.05)
    assert first.GetPos().z < 0.09
    assert second.GetPos().z == pytest.approx(REST, abs=1e-6)
    first.EnableCollision(True)
    first.SetPos(pychrono().ChVector3d(0, 0, REST))
    first.SetPosDt(pychrono().ChVector3d(0, 0, 0))
    further(system, 0.3)
    assert first.GetPos().z == pytest.approx(REST, abs=1e-6)
    assert chronos_contacts(system) == 0  # Chrono's own contact stayed off


def test_another_proxy_of_the_same_body_will_do():
    system, _, (first, _), _ = balls()
    next(body for body in system.GetBodies() if body.GetName() == "ball 0").EnableCollision(False)
    further(system, 0.05)
    assert first.GetPos().z < 0.09


def test_a_family_counts_from_the_next_step_on():
    system, _, (first, second), _ = balls()
    first.GetCollisionModel().SetFamily(3)
    system.GetBodies()[0].GetCollisionModel().DisallowCollisionsWith(3)
    further(system, 0.05)
    assert first.GetPos().z < 0.09
    assert second.GetPos().z == pytest.approx(REST, abs=1e-6)


def test_a_body_that_is_let_go_falls_and_is_carried():
    system, surface, _, _ = balls()
    held = ball(system, surface, at=(5, 0, 0.3), fixed=True)
    held.SetPos(pychrono().ChVector3d(0.5, 0, 0.3))
    further(system, 0.1)
    assert held.GetPos().z == 0.3
    held.SetFixed(False)
    further(system, 1.0)
    assert held.GetPos().z == pytest.approx(REST, abs=1e-4)


@pytest.mark.parametrize("bullet", [True, False])
def test_a_shape_that_comes_a_step_after_its_body_carries_it(bullet):
    chrono = pychrono()
    system, surface, _, _ = balls(bullet=bullet)
    late = chrono.ChBody()
    late.SetPos(chrono.ChVector3d(0.5, 0, 0.1))
    system.AddBody(late)
    system.DoStepDynamics(1e-4)
    late.AddCollisionShape(chrono.ChCollisionShapeSphere(surface, 0.1))
    late.EnableCollision(True)
    further(system, 0.3)
    assert late.GetPos().z == pytest.approx(REST, abs=1e-6)


def test_a_body_may_be_removed_while_it_runs(recwarn):
    system, _, (first, second), contacts = balls()
    system.Remove(first)
    further(system, 0.1)
    assert second.GetPos().z == pytest.approx(REST, abs=1e-6)
    assert contacts.forces()["body_a"].tolist() == ["ball 1"]
    assert len(recwarn) == 0


def test_an_empty_system_goes_on():
    system, _, bodies, contacts = balls()
    for body in [*bodies, system.GetBodies()[0]]:
        system.Remove(body)
    further(system, 0.01)
    assert len(contacts.forces()) == 0
    system.Add(bodies[0])
    further(system, 0.01)
    contacts.detach()
    further(system, 0.01)


def test_bodies_come_and_go_like_those_of_an_emitter():
    system, surface, _, contacts = balls(0)
    stream = []
    for i in range(40):
        stream.append(ball(system, surface, radius=0.02, at=(0.05 * (i % 5), 0, 0.05), mass=0.1))
        if len(stream) > 6:
            system.Remove(stream.pop(0))
        further(system, 0.01)
    further(system, 0.3)
    assert len(stream) == 6
    assert all(body.GetPos().z > 0.01 for body in stream)
    weight = sum(body.GetMass() * 9.81 for body in stream)
    assert contacts.force_on(system.GetBodies()[0]).force[2] == pytest.approx(-weight, rel=0.05)


def test_bodies_that_chronos_own_functions_add_join():
    chrono = pychrono()
    system, surface = colliding_system()
    far = ball(system, surface, at=(3, 0, 0.5))
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    system.DoStepDynamics(1e-4)
    size = chrono.ChVector3d(8, 8, 1)
    chrono.CreateBoxContainer(system, surface, size, 0.1)
    further(system, 1.0)
    assert len(contacts.forces()) > 0
    assert far.GetPos().z > -0.2


def test_a_robot_that_joins_is_taken_over():
    """Its bodies, shapes and families are made in C++."""
    robot = pytest.importorskip("pychrono.robot")
    chrono = pychrono()
    system, surface = colliding_system("nsc")
    plate(system, surface)
    contacts = pc.attach(system)
    contacts.take_over(pc.Material(pc.Restriction(0.0, -0.005, 2e4, 2.0)))
    system.DoStepDynamics(1e-3)
    simian = robot.RoboSimian(system)
    simian.Initialize(chrono.ChCoordsysd(chrono.ChVector3d(0, 0, 0.5), chrono.QUNIT))
    touched = set()
    for _ in range(60):
        run(system, system.GetChTime() + 0.01, 1e-3)
        touched |= set(contacts.forces()["body_a"]) | set(contacts.forces()["body_b"])
    assert {"plate", *(f"limb{i}_link8_body" for i in range(1, 5))} <= touched
    assert chronos_contacts(system) == 0


def test_detach_leaves_a_body_that_was_removed_out_of_chronos_detection():
    system, _, (first, second), contacts = balls()
    system.Remove(first)
    contacts.detach()
    further(system, 0.1)
    assert not first.GetCollisionModel().HasImplementation()
    assert second.GetCollisionModel().HasImplementation()


def test_a_foreign_shape_may_come_while_it_runs():
    system, surface, _, contacts = balls()
    hull = shaped_body(system, cube_hull(surface), at=(0.5, 0, 0.1), name="hull")
    system.GetCollisionSystem().BindItem(hull)
    further(system, 0.3)
    assert hull.GetPos().z == pytest.approx(0.1, abs=2e-3)
    assert chronos_contacts(system) == 0
    assert contacts.force_on(hull).force[2] > 5.0
