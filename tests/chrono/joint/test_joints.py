import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scene import empty_system, moving_pair, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import INTEGRATORS, pychrono
from chrono_powercontact.chrono.api.start import prepare
from chrono_powercontact.chrono.contact.contact_table import Instant
from chrono_powercontact.chrono.contact.records import TOTALS, empty, flat
from chrono_powercontact.chrono.joint.joints import Joints, joint_friction, sliding, stop
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.impact import deepest_distance, restitution

pytestmark = pytest.mark.chrono

REVOLUTE = ("ChLinkLockRevolute", "ChLinkRevolute", "ChLinkMateRevolute", "ChLinkMotorRotationTorque")
PRISMATIC = ("ChLinkLockPrismatic", "ChLinkMatePrismatic", "ChLinkMotorLinearForce")
STOP = pc.Restriction(0.0, -0.01, 200.0, 0.5)
DRY = pc.Dissipation(0.2, 0.2, 1e-3)
ARM, MOMENT = 0.4, 0.2 + 2.0 * 0.4**2
"""Distance of a door's centre of mass from its hinge in m; moment of inertia about the hinge in kg m^2."""


def link_between(system, first, second, kind, frame=None):
    link = getattr(pychrono(), kind)()
    link.Initialize(first, second, frame if frame is not None else pychrono().ChFramed())
    system.AddLink(link)
    return link


def door(integrator="runge_kutta", angle=0.0, spin=0.0, kind="ChLinkMateRevolute", gravity=0.0):
    """A door on a hinge along z at the origin, its centre of mass ARM away; gravity along -y."""
    chrono = pychrono()
    system = empty_system(0.0)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, -gravity, 0))
    wall = new_body(system, fixed=True, name="wall")
    leaf = new_body(system, 2.0, (ARM, 0, 0), inertia=(0.1, 0.1, 0.2), name="leaf")
    link = link_between(system, leaf, wall, kind)
    leaf.SetPos(chrono.ChVector3d(ARM * math.cos(angle), ARM * math.sin(angle), 0))
    leaf.SetRot(chrono.QuatFromAngleZ(angle))
    leaf.SetPosDt(chrono.ChVector3d(-spin * ARM * math.sin(angle), spin * ARM * math.cos(angle), 0))
    leaf.SetAngVelLocal(chrono.ChVector3d(0, 0, spin))
    prepare(system, integrator)
    return system, leaf, link


def slider(integrator="runge_kutta", speed=1.0, kind="ChLinkMatePrismatic"):
    """A carriage on a rail along z."""
    system = empty_system(0.0)
    rail = new_body(system, fixed=True)
    carriage = new_body(system, 0.5, velocity=(0, 0, speed))
    link = link_between(system, carriage, rail, kind)
    prepare(system, integrator)
    return system, carriage, link


@pytest.mark.parametrize("kind", REVOLUTE + PRISMATIC)
def test_coordinate_is_that_of_the_joint_between_moving_bodies(kind):
    chrono = pychrono()
    system = empty_system(0.0)
    part, base = moving_pair(system)
    frame = chrono.ChFramed(chrono.ChVector3d(0.5, 0.4, 0.3), chrono.QuatFromAngleX(0.7) * chrono.QuatFromAngleY(0.4))
    link = link_between(system, part, base, kind, frame)
    system.SetSolver(chrono.ChSolverSparseLU())
    contacts = pc.attach(system)
    contacts.add_friction(link, pc.Dissipation(0.0, 0.0, 1.0))
    run(system, 0.1, 1e-3)
    row, (one, two) = contacts.joint_forces()[0], (link.GetFrame1Abs(), link.GetFrame2Abs())
    way = two.TransformDirectionParentToLocal(one.GetPos() - two.GetPos()).z
    own = {
        "ChLinkMateRevolute": lambda: (link.GetRelativeAngle(), link.GetRelativeAngleDt()),
        "ChLinkMotorRotationTorque": lambda: (link.GetMotorAngle(), link.GetMotorAngleDt()),
        "ChLinkMatePrismatic": lambda: (link.GetRelativePos(), link.GetRelativePosDt()),
        "ChLinkMotorLinearForce": lambda: (link.GetMotorPos(), link.GetMotorPosDt()),
        "ChLinkLockPrismatic": lambda: (way, row["speed"][0]),
    }.get(kind, lambda: (2.0 * math.asin((two.GetRot().GetConjugate() * one.GetRot()).e3), row["speed"][0]))()
    assert (row["place"], row["speed"][0]) == pytest.approx(own, abs=1e-7)
    assert abs(row["place"]) > 1e-3


@pytest.mark.parametrize("kind", REVOLUTE)
def test_door_leaves_its_stop_with_the_restitution_of_the_closed_form(kind):
    system, leaf, link = door(angle=0.45, spin=2.0, kind=kind)
    contacts = pc.attach(system)
    contacts.add_stop(link, STOP, lower=-0.5, upper=0.5)
    deepest = 0.0
    while system.GetChTime() < 0.06:
        system.DoStepDynamics(1e-4)
        deepest = max(deepest, contacts.joint_forces()["place"][0])
    assert leaf.GetAngVelLocal().z == pytest.approx(-2.0 * float(restitution(0.5, 2.0)), rel=2e-5)
    assert deepest - 0.5 == pytest.approx(-deepest_distance(STOP, MOMENT, 2.0), abs=1e-5)


@pytest.mark.parametrize("kind", PRISMATIC)
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_carriage_leaves_both_stops_with_the_restitution_of_the_closed_form(kind, side):
    law = pc.Restriction(0.01, 0.009, 200.0, 1.0)
    system, carriage, link = slider(speed=side, kind=kind)
    pc.attach(system).add_stop(link, law, lower=-0.02, upper=0.02)
    run(system, 0.05, 5e-5)
    assert carriage.GetPosDt().z == pytest.approx(-side * float(restitution(1.0, 1.0)), rel=2e-5)


@pytest.mark.parametrize(("integrator", "tolerance"), [
    ("runge_kutta", 2e-5), ("hht", 1e-3), ("newmark", 1e-3), ("euler_implicit", 1e-2),
    ("euler_implicit_linearized", 1e-2), ("euler_implicit_projected", 1e-2),
])  # fmt: skip
def test_integrators_agree_at_a_stop(integrator, tolerance):
    assert set(INTEGRATORS) >= {integrator}
    system, leaf, link = door(integrator, 0.48, 2.0)
    pc.attach(system).add_stop(link, STOP, upper=0.5)
    run(system, 0.04, 4e-5)
    assert leaf.GetAngVelLocal().z == pytest.approx(-2.0 * float(restitution(0.5, 2.0)), rel=tolerance)


def test_released_door_bounces_as_in_the_reference_engine():
    import sympy as sp

    from chrono_powercontact.lagrange.model import ContactPoint, Model, coordinates, velocities
    from chrono_powercontact.lagrange.runs import run_rk4
    from chrono_powercontact.lagrange.system import System

    (phi,), (moment, weight) = coordinates("phi"), sp.symbols("moment weight")
    (rate,) = velocities((phi,))
    energies = moment * rate**2 / 2, weight * sp.sin(phi)
    model = Model("door", (phi,), *energies, (moment, weight), contacts=(ContactPoint("stop", phi),))
    numbers = {"moment": MOMENT, "weight": 2.0 * 9.81 * ARM}
    reference = System(model, numbers, {"stop": pc.Material(pc.Restriction(-1.0, -1.01, 200.0, 0.5))})
    expected = run_rk4(reference, reference.state([-0.7], [0.0]), 2e-5, 0.8, 50)
    system, _, link = door(angle=-0.7, gravity=9.81)
    contacts = pc.attach(system)
    contacts.add_stop(link, STOP, lower=-1.0)
    places = [contacts.joint_forces()["place"][0]]
    for _ in range(800):
        for _ in range(5):
            system.DoStepDynamics(2e-4)
        places.append(contacts.joint_forces()["place"][0])
    assert places == pytest.approx(expected["phi"], abs=2e-4)
    assert np.ptp(expected["phi"][500:]) > 0.02  # it does bounce


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_stop_beyond_a_turn_is_met_there(sign):
    system, leaf, link = door("euler_implicit_linearized", spin=20.0 * sign)
    contacts = pc.attach(system)
    limit = 3.0 * math.pi
    contacts.add_stop(link, pc.Restriction(0.0, -0.02, 4e3, 0.1), lower=-limit, upper=limit)
    farthest = 0.0
    for _ in range(3000):
        system.DoStepDynamics(2e-4)
        farthest = max(farthest, sign * contacts.joint_forces()["place"][0])
    assert limit < farthest < limit + 0.1
    assert sign * leaf.GetAngVelLocal().z < -1.0


def test_joint_is_taken_to_be_on_the_turn_of_its_limits():
    system, _, link = door(angle=math.radians(-175.0))
    contacts = pc.attach(system)
    contacts.add_stop(link, STOP, lower=math.radians(170.0), upper=math.radians(190.0))
    contacts.add_stop(link, STOP, lower=math.radians(-190.0))
    assert np.degrees(contacts.joint_forces()["place"]) == pytest.approx([185.0, -175.0])
    assert np.abs(contacts.joint_forces()["stop"]).max() < 1e-9


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_dry_hinge_stops_after_the_angle_and_time_of_the_closed_form(integrator):
    system, leaf, link = door(integrator, spin=1.0)
    contacts = pc.attach(system)
    contacts.add_friction(link, pc.Dissipation(2.0, 2.0, 5e-3))
    time = MOMENT * 1.0 / 2.0
    run(system, 0.5 * time, 4e-4)
    assert leaf.GetAngVelLocal().z == pytest.approx(0.5, rel=3e-3)
    run(system, 1.2 * time, 4e-4)
    assert abs(leaf.GetAngVelLocal().z) < 1e-6
    assert contacts.joint_forces()["place"][0] == pytest.approx(0.5 * time, rel=3e-3)


def test_viscous_rail_slows_a_carriage_exponentially():
    system, carriage, link = slider(speed=2.0)
    pc.attach(system).add_friction(link, pc.Dissipation(0.0, 0.0, 1.0, d=1.5))
    run(system, 0.3, 1e-3)
    assert carriage.GetPosDt().z == pytest.approx(2.0 * math.exp(-1.5 * 0.3 / 0.5), rel=1e-6)


@pytest.mark.parametrize("memory", [pc.LTIFilter(0.05), pc.LPVFilter(0.05, 0.02)])
def test_friction_with_memory_converges_at_second_order_to_the_reference_engine(memory):
    import sympy as sp

    from chrono_powercontact.lagrange.model import FrictionPoint, Model, coordinates, velocities
    from chrono_powercontact.lagrange.runs import run_rk4
    from chrono_powercontact.lagrange.system import System

    (q,), (m,) = coordinates("x"), sp.symbols("m,")
    (v,) = velocities((q,))
    law = pc.Dissipation(1.0, 1.4, 0.02, 0.04, 0.1)
    model = Model("sled", (q,), m * v**2 / 2, 0 * q, (m,), frictions=(FrictionPoint("rail", (v,)),))
    reference = System(model, {"m": 0.5}, frictions={"rail": law}, memories={"rail": memory})
    expected = run_rk4(reference, reference.state([0.0], [1.0]), 1e-5, 0.6, 60000)["x"][-1]

    def error(step):
        system = empty_system(0.0, "runge_kutta")
        rail, sled = new_body(system, fixed=True), new_body(system, 0.5, velocity=(1, 0, 0))
        pc.attach(system).add_sliding(sled, rail, law, memory)
        run(system, 0.6, step)
        return abs(sled.GetPos().x - expected)

    coarse, fine = error(2e-3), error(5e-4)
    assert coarse < 1e-5
    assert coarse / fine > 10.0


@settings(max_examples=5, deadline=None)
@given(st.floats(-math.pi, math.pi))
def test_vector_friction_stops_a_body_on_a_straight_line_in_any_direction(heading):
    system = empty_system(0.0, "runge_kutta")
    table, puck = new_body(system, fixed=True), new_body(system, velocity=(math.cos(heading), math.sin(heading), 0))
    contacts = pc.attach(system)
    contacts.add_sliding(puck, table, pc.Dissipation(2.0, 2.0, 1e-3, eps=1e-6), directions=[(1, 0, 0), (0, 1, 0)])
    run(system, 0.6, 5e-4)
    way = np.array((puck.GetPos().x, puck.GetPos().y))
    assert way @ (math.cos(heading), math.sin(heading)) == pytest.approx(0.25, rel=3e-3)
    assert abs(way @ (-math.sin(heading), math.cos(heading))) < 1e-9


def test_one_direction_leaves_the_other_free():
    system = empty_system(0.0)
    table, puck = new_body(system, fixed=True), new_body(system, velocity=(1, 1, 0))
    pc.attach(system).add_sliding(puck, table, pc.Dissipation(2.0, 2.0, 1e-3), directions=[(1, 0, 0)])
    run(system, 0.6, 4e-4)
    assert abs(puck.GetPosDt().x) < 1e-6
    assert puck.GetPosDt().y == pytest.approx(1.0, abs=1e-12)


numbers = st.floats(-2.0, 2.0)
states = st.tuples(*(st.lists(numbers, min_size=n, max_size=n) for n in (6, 6, 8)))


def loose_joints(kind):
    """All kinds of forces between two free bodies, and the system that they are in."""
    chrono = pychrono()
    system = empty_system(0.0)
    one, two = new_body(system, at=(0.1, 0.2, 0.3)), new_body(system, at=(-0.2, 0.1, 0.4))
    frame = chrono.ChFramed(chrono.ChVector3d(0.1, 0.0, 0.2), chrono.QuatFromAngleX(0.5))
    link = link_between(system, one, two, kind, frame)
    joints, law = Joints(), pc.Dissipation(1.0, 1.4, 0.1, 0.2, 0.1, 1e-3)
    joints.add(stop(system, link, pc.Restriction(0.5, 0.1, 50.0, 0.3), -0.5, 0.5), (0, 1))
    joints.add(joint_friction(system, link, law, pc.LPVFilter(0.1, 0.1)), (0, 1))
    if "Prismatic" in kind:
        plane = [(1, 0, 0), (0, 0.6, 0.8)]
        joints.add(sliding(one, two, law, pc.LTIFilter(0.1), (0.1, -0.2, 0.3), plane), (0, 1))
    return joints


def evaluated(joints, x, w, since=0.0):
    q, totals = np.zeros(12), flat(empty(TOTALS, 1))
    joints.evaluate(Instant(x, w, 0.0, since, False), q, totals)
    return q, totals


def state_of(sample):
    place, speed, quaternions = (np.array(part) for part in sample)
    e = (quaternions + np.array((3.0, 0, 0, 0, 3.0, 0, 0, 0))).reshape(2, 4)
    e /= np.linalg.norm(e, axis=1)[:, None]
    x = np.concatenate([place[:3], e[0], place[3:], e[1]])
    return x, np.concatenate([speed[:3], sample[1][:3], speed[3:], sample[1][3:]])


def turned_to_world(x, body, local):
    from chrono_powercontact.chrono.contact.shapes import rotation_matrix

    return rotation_matrix(x[7 * body + 3 : 7 * body + 7]) @ local


@pytest.mark.parametrize("kind", ["ChLinkMateRevolute", "ChLinkMatePrismatic"])
def test_force_and_moment_on_both_bodies_cancel_in_any_state(kind):
    joints = loose_joints(kind)

    @settings(max_examples=50, deadline=None)
    @given(states)
    def holds(sample):
        x, w = state_of(sample)
        q, _ = evaluated(joints, x, w, 0.05)
        moment = sum(
            np.cross(x[7 * i : 7 * i + 3], q[6 * i : 6 * i + 3]) + turned_to_world(x, i, q[6 * i + 3 : 6 * i + 6])
            for i in range(2)
        )
        assert q[:3] + q[6:9] == pytest.approx(np.zeros(3), abs=1e-12)
        assert moment == pytest.approx(np.zeros(3), abs=1e-11)

    holds()


def advanced(x, w, h):
    """The state after a short time with the velocities held."""
    from scipy.spatial.transform import Rotation

    result = x.copy()
    for i in range(2):
        result[7 * i : 7 * i + 3] += h * w[6 * i : 6 * i + 3]
        e = x[7 * i + 3 : 7 * i + 7]
        turn = Rotation.from_quat((*e[1:], e[0])) * Rotation.from_rotvec(h * w[6 * i + 3 : 6 * i + 6])
        ex, ey, ez, e0 = turn.as_quat()
        result[7 * i + 3 : 7 * i + 7] = e0, ex, ey, ez
    return result


def test_work_of_a_slide_is_what_is_stored_and_lost_in_any_state():
    joints = loose_joints("ChLinkMatePrismatic")

    @settings(max_examples=50, deadline=None)
    @given(states)
    def holds(sample):
        x, w = state_of(sample)
        q, (_, heat, rub, *_) = evaluated(joints, x, w)
        stored = [evaluated(joints, advanced(x, w, h), w)[1][0] for h in (-1e-5, 1e-5)]
        rate = (stored[1] - stored[0]) / 2e-5
        assert q @ w + heat + rub + rate == pytest.approx(0.0, abs=1e-4)
        assert heat >= 0.0

    holds()


@pytest.mark.parametrize("kind", ["ChLinkMateRevolute", "ChLinkMatePrismatic"])
def test_ledger_closes_and_momentum_stays_while_two_free_bodies_work_on_each_other(kind):
    chrono = pychrono()
    system = empty_system(0.0)
    inertia = (0.1, 0.1, 0.1)
    one = new_body(system, 1.0, (0.3, 0, 0), (0, 0, 0.5), (0, 0, 1.0), inertia)
    two = new_body(system, 2.0, (-0.2, 0, 0), inertia=inertia)
    link = link_between(system, one, two, kind, chrono.ChFramed())
    if "Revolute" in kind:
        one.SetPosDt(chrono.ChVector3d(0, 0.3, 0))
    else:
        one.SetAngVelLocal(chrono.ChVector3d(0, 0, 0))
    prepare(system, "runge_kutta")
    contacts = pc.attach(system)
    contacts.add_stop(link, pc.Restriction(0.0, -0.02, 60.0, 0.5), -0.05, 0.05)
    contacts.add_friction(link, pc.Dissipation(0.1, 0.1, 0.01))

    def energy_and_momentum():
        kinetic, momentum = 0.0, np.zeros(3)
        for body, mass in ((one, 1.0), (two, 2.0)):
            v, w = body.GetPosDt(), body.GetAngVelLocal()
            velocity = np.array((v.x, v.y, v.z))
            kinetic += 0.5 * mass * velocity @ velocity + 0.05 * (w.x**2 + w.y**2 + w.z**2)
            momentum += mass * velocity
        return kinetic, momentum

    before, momentum = energy_and_momentum()
    run(system, 0.3, 1e-4)
    after, momentum_after = energy_and_momentum()
    ledger = contacts.energy()
    assert ledger.contact_heat > 1e-3
    assert ledger.friction_heat > 1e-3
    assert after + ledger.contact_heat + ledger.friction_heat + ledger.stored == pytest.approx(before, abs=3e-5)
    assert abs(ledger.error) < 1e-5
    assert momentum_after == pytest.approx(momentum, abs=1e-9)


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("kind", ["ChLinkMateRevolute", "ChLinkMatePrismatic"])
def test_anchor_is_where_a_joint_is_that_was_moved_to_and_fro(kind, once):
    """Found from velocities by the trapezoidal rule it would be off by 2.6e-6 m at the end."""
    chrono = pychrono()
    system = empty_system(0.0)
    part, base = new_body(system), new_body(system, fixed=True)
    joints, limit, step = Joints(), 1e-3, 0.05
    link = link_between(system, part, base, kind, chrono.ChFramed())
    joints.add(joint_friction(system, link, pc.Dissipation(1.0, 1.0, 0.1), pc.Anchor(limit)), (0, 1))
    x, w, turns = np.tile((0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), 2), np.zeros(12), "Revolute" in kind
    for number in range(4000):
        t = step * number
        place = 0.45 * limit * (math.sin(7.3 * t) + math.sin(math.sqrt(2.0) * 7.3 * t))
        speed = 0.45 * 7.3 * limit * (math.cos(7.3 * t) + math.sqrt(2.0) * math.cos(math.sqrt(2.0) * 7.3 * t))
        if turns:
            x[3], x[6], w[5] = math.cos(0.5 * place), math.sin(0.5 * place), speed
        else:
            x[2], w[2] = place, speed
        since = step if number else 0.0
        joints.evaluate(Instant(x, w, t, since, True, once), np.zeros(12), flat(empty(TOTALS, 1)))
    q, _ = evaluated(joints, x, np.zeros(12))
    stretch = -math.atanh(q[5 if turns else 2] * math.tanh(4.0)) * limit / 4.0
    assert stretch == pytest.approx(place, abs=1e-12)


def test_reading_does_not_advance_the_memory():
    ends = []
    for often in (0, 3):
        system, carriage, link = slider(speed=0.2)
        contacts = pc.attach(system)
        contacts.add_friction(link, pc.Dissipation(1.0, 1.4, 0.02, 0.04), pc.LPVFilter(0.05, 0.02))
        for _ in range(200):
            system.DoStepDynamics(1e-3)
            for _ in range(often):
                contacts.joint_forces()
                contacts.energy()
        ends.append((carriage.GetPos().z, carriage.GetPosDt().z))
    assert ends[0] == ends[1]


def test_memory_stays_when_another_force_comes_or_goes():
    ends = []
    for changing in (False, True):
        system, carriage, link = slider("euler_implicit_linearized", speed=0.2)
        contacts = pc.attach(system)
        contacts.add_friction(link, pc.Dissipation(1.0, 1.4, 0.02, 0.04), pc.LTIFilter(0.05))
        run(system, 0.05, 1e-3)
        if changing:
            contacts.remove_joint(contacts.add_stop(link, STOP, lower=-50.0))
        run(system, 0.1, 1e-3)
        ends.append(carriage.GetPosDt().z)
    assert ends[0] == pytest.approx(ends[1], abs=1e-15)


def test_removed_and_detached_forces_let_go():
    system, leaf, link = door(spin=1.0)
    contacts = pc.attach(system)
    number = contacts.add_friction(link, pc.Dissipation(2.0, 2.0, 1e-3))
    contacts.remove_joint(number)
    run(system, 0.05, 1e-3)
    assert leaf.GetAngVelLocal().z == pytest.approx(1.0, abs=1e-6)
    contacts.add_friction(link, pc.Dissipation(2.0, 2.0, 1e-3))
    contacts.detach()
    run(system, 0.1, 1e-3)
    assert leaf.GetAngVelLocal().z == pytest.approx(1.0, abs=1e-6)
    assert len(contacts.joint_forces()) == 0


def test_readings_name_the_bodies_and_the_forces():
    system, _, link = door(angle=0.505)
    contacts = pc.attach(system)
    contacts.add_stop(link, STOP, upper=0.5)
    (row,) = contacts.joint_forces()
    assert (row["body_1"], row["body_2"]) == ("leaf", "wall")
    assert row["place"] == pytest.approx(0.505)
    assert row["stop"] == pytest.approx(-float(STOP.force(-0.005, 0.0)))
    assert row["stored"] == pytest.approx(float(STOP.potential(-0.005)))


@pytest.mark.parametrize(("angle", "fits"), [(0.59, True), (0.61, False), (-1.09, True), (-1.11, False)])
def test_a_joint_far_beyond_its_stops_is_refused(angle, fits):
    """The law is 0.01 rad deep: up to ten times that may be a start inside a stop."""
    system, _, link = door(angle=angle)
    contacts = pc.attach(system)
    if fits:
        contacts.add_stop(link, STOP, -1.0, 0.5)
    else:
        told = f"the joint is at {angle:g} rad, far beyond its stops at lower=-1 and upper=0.5 rad"
        with pytest.raises(ParameterError, match=told):
            contacts.add_stop(link, STOP, -1.0, 0.5)
    assert contacts.joint_count == int(fits)


def test_a_law_that_may_be_passed_stops_no_joint_from_being_beyond():
    system, _, link = door(angle=1.0)
    contacts = pc.attach(system)
    contacts.add_stop(link, pc.Barrier(0.0, -0.01, 200.0, 0.5, thickness=0.05, s_c_back=-0.04), upper=0.5)
    contacts.add_stop(link, pc.Hooke(0.0, 10.0), upper=0.5)
    assert contacts.joint_count == 2


def test_wrong_input_is_named_in_one_sentence():
    chrono = pychrono()
    system, leaf, link = door()
    contacts = pc.attach(system)
    fixed = next(body for body in system.GetBodies() if body.IsFixed())
    outside = chrono.ChBody()
    far = chrono.ChLinkMateRevolute()
    far.Initialize(outside, leaf, chrono.ChFramed())
    other = new_body(system, fixed=True)
    dead = link_between(system, fixed, other, "ChLinkMateRevolute")
    ball = link_between(system, leaf, fixed, "ChLinkLockSpherical")
    loose = chrono.ChLinkMateRevolute()
    loose.Initialize(leaf, fixed, chrono.ChFramed())
    cases = [
        (lambda: contacts.add_stop(chrono.ChLinkLockRevolute(), STOP, 0.0), "Initialize"),
        (lambda: contacts.add_stop(ball, STOP, 0.0), "ChLinkLockSpherical"),
        (lambda: contacts.add_stop(link, STOP), "lower or an upper"),
        (lambda: contacts.add_stop(link, STOP, 1.0, 1.0), "lower=1"),
        (lambda: contacts.add_stop(link, STOP, math.nan), "finite"),
        (lambda: contacts.add_stop(link, DRY, 0.0), "Dissipation"),
        (lambda: contacts.add_stop(far, STOP, 0.0), "not in this system"),
        (lambda: contacts.add_stop(dead, STOP, 0.0), "fixed"),
        (lambda: contacts.add_friction(link, pc.Friction(0.2, 0.2, 1e-3)), "Friction"),
        (lambda: contacts.add_friction(link, DRY, 0.3), "float"),
        (lambda: contacts.add_friction(loose, DRY), r"ChLinkMateRevolute is not in this system: .*AddLink"),
        (lambda: contacts.add_sliding(leaf, leaf, DRY), "own body"),
        (lambda: contacts.add_sliding(leaf, None, DRY), "partner must be a ChBody, got None$"),
        (lambda: contacts.add_sliding(None, fixed, DRY), "body must be a ChBody, got None$"),
        (lambda: contacts.add_sliding(fixed, other, DRY), "fixed"),
        (lambda: contacts.add_sliding(outside, fixed, DRY), "not in this system"),
        (lambda: contacts.add_sliding(leaf, fixed, DRY, directions=[]), "got 0"),
        (lambda: contacts.add_sliding(leaf, fixed, DRY, directions=[(1, 0, 0), (1, 1, 0)]), "right angles"),
        (lambda: contacts.remove_joint(7), "7"),
    ]
    for wrong, told in cases:
        with pytest.raises(ParameterError, match=told):
            wrong()
    assert len(contacts.joint_forces()) == 0
