"""Stiffness and damping of stops and friction on joints: against differences of the forces, and in implicit steps."""

import numpy as np
import pytest
from scene import empty_system, new_body, run
from scipy.spatial.transform import Rotation

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.contact.contact_table import Instant
from chrono_powercontact.chrono.contact.records import TOTALS, empty, flat
from chrono_powercontact.chrono.joint.joints import Joints, joint_friction, sliding, stop
from chrono_powercontact.errors import PowerContactError

pytestmark = pytest.mark.chrono

KINDS = ("ChLinkMateRevolute", "ChLinkMatePrismatic", "ChLinkTSDA")
LAW = pc.Dissipation(1.0, 1.4, 0.1, 0.2, 0.1, 1e-2)
PLANE = [(1, 0, 0), (0, 0.6, 0.8)]
SPEEDS = np.array([0.1, -0.2, 0.15, 0.3, 0.1, -0.2, -0.1, 0.05, 0.2, -0.1, 0.2, 0.1])


def two_bodies():
    """Two free bodies askew in space, and their packed state."""
    chrono = pychrono()
    system = empty_system(0.0)
    one, two = new_body(system, at=(0.1, 0.2, 0.3)), new_body(system, at=(-0.2, 0.1, 0.4))
    for body, axis in ((one, (1, 2, 0.5)), (two, (0.3, -1, 1))):
        body.SetRot(chrono.QuatFromAngleAxis(0.6, chrono.ChVector3d(*axis).GetNormalized()))
    parts = [(*(p.x, p.y, p.z), *(e.e0, e.e1, e.e2, e.e3)) for p, e in ((b.GetPos(), b.GetRot()) for b in (one, two))]
    return system, one, two, np.array(parts).ravel()


def joined(kind, system, one, two):
    chrono = pychrono()
    link = getattr(chrono, kind)()
    if kind == "ChLinkTSDA":
        link.Initialize(one, two, True, chrono.ChVector3d(0.1, 0.2, 0), chrono.ChVector3d(0, 0.1, -0.3))
    else:
        frame = chrono.ChFramed(chrono.ChVector3d(0.1, 0.0, 0.2), chrono.QuatFromAngleX(0.5))
        link.Initialize(one, two, frame)
    system.AddLink(link)
    return link


def forces(joints, x, w, since):
    q = np.zeros(12)
    joints.evaluate(Instant(x, w, 0.0, since, False), q, flat(empty(TOTALS, 1)))
    return q


def commit(joints, x, w):
    joints.evaluate(Instant(x, w, 0.0, 0.0, True), np.zeros(12), flat(empty(TOTALS, 1)))


def matrices(joints, x, w, since):
    stiffness, damping = np.zeros((12, 12)), np.zeros((12, 12))
    joints.differentiate(x, w, since, stiffness, damping)
    return stiffness, damping


def moved(x, way):
    """The state after a small displacement of both bodies: ways in the world, turns in the frames of the bodies."""
    result = x.copy()
    for i in range(2):
        result[7 * i : 7 * i + 3] += way[6 * i : 6 * i + 3]
        e = x[7 * i + 3 : 7 * i + 7]
        turn = Rotation.from_quat((*e[1:], e[0])) * Rotation.from_rotvec(way[6 * i + 3 : 6 * i + 6])
        ex, ey, ez, e0 = turn.as_quat()
        result[7 * i + 3 : 7 * i + 7] = e0, ex, ey, ez
    return result


def differences(force, size):
    """-dQ/du by central differences, of a function of twelve numbers u at zero."""
    steps = size * np.eye(12)
    return -np.array([(force(step) - force(-step)) / (2.0 * size) for step in steps]).T


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("memory", [None, pc.LTIFilter(0.1)])
@pytest.mark.parametrize("speeds", [0.0 * SPEEDS, 1e-200 * SPEEDS, 0.25 * SPEEDS])
def test_damping_is_the_derivative_by_the_velocity(kind, memory, speeds):
    system, one, two, x = two_bodies()
    link, joints = joined(kind, system, one, two), Joints()
    seen = pc.attach(system)
    seen.add_friction(link, LAW)
    at = seen.joint_forces()["place"][0]
    joints.add(stop(system, link, pc.Restriction(0.0, -0.1, 50.0, 0.3), at - 0.1, at - 0.02), (0, 1))
    joints.add(joint_friction(system, link, LAW, memory), (0, 1))
    joints.add(sliding(one, two, LAW, memory, (0.1, -0.2, 0.3), PLANE, each=True), (0, 1))
    _, fresh = matrices(joints, x, speeds, 0.05)
    assert fresh == pytest.approx(differences(lambda u: forces(joints, x, speeds + u, 0.05), 1e-6), rel=1e-5, abs=1e-6)
    commit(joints, x, 0.7 * speeds)
    _, damping = matrices(joints, x, speeds, 0.05)
    numeric = differences(lambda u: forces(joints, x, speeds + u, 0.05), 1e-6)
    assert damping == pytest.approx(numeric, rel=1e-5, abs=1e-6)
    assert np.abs(damping).max() > 0.5


@pytest.mark.parametrize(("speed", "share"), [(1e-4, 1.0), (1.0, 0.6), (4.0, 0.6)])
def test_damping_of_friction_is_at_least_a_share_of_its_chord_through_rest(speed, share):
    _, one, two, x = two_bodies()
    joints, w, law = Joints(), np.zeros(12), pc.Dissipation(1.0, 1.4, 0.1, 0.2)
    joints.add(sliding(one, two, law, directions=PLANE[:1]), (0, 1))
    w[:3] = speed * Rotation.from_quat((*x[11:14], x[10])).apply(PLANE[0])
    _, damping = matrices(joints, x, w, 0.0)
    force = -forces(joints, x, w, 0.0)[:3]
    assert damping[:3, :3] @ w[:3] == pytest.approx(share * force, rel=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_stiffness_of_stops_and_anchor_is_the_derivative_by_the_place(kind):
    """Between two stops whose forces cancel, on a loose anchor: there lever arms that turn count for nothing."""
    system, one, two, x = two_bodies()
    link, joints, rest = joined(kind, system, one, two), Joints(), np.zeros(12)
    seen = pc.attach(system)
    seen.add_friction(link, LAW)
    at = seen.joint_forces()["place"][0]
    joints.add(stop(system, link, pc.Restriction(0.0, -0.1, 50.0, 0.3), at - 0.05, at + 0.05), (0, 1))
    joints.add(joint_friction(system, link, LAW, pc.Anchor(0.1, 0.02)), (0, 1))
    commit(joints, x, rest)
    stiffness, damping = matrices(joints, x, rest, 1e-3)
    assert stiffness == pytest.approx(differences(lambda u: forces(joints, moved(x, u), rest, 1e-3), 1e-6), abs=2e-4)
    assert damping == pytest.approx(differences(lambda u: forces(joints, x, u, 1e-3), 1e-6), abs=1e-6)
    assert np.linalg.matrix_rank(stiffness, 1e-6 * np.abs(stiffness).max()) == 1
    assert stiffness == pytest.approx(stiffness.T, abs=1e-9)
    assert np.abs(stiffness).max() > 10.0


@pytest.mark.parametrize(("stretch", "tolerance"), [((0.03, 0.02), 1e-5), ((0.0985, 0.0), 2e-2), ((0.2, 0.0), None)])
def test_a_stretched_anchor_has_its_own_stiffness_along_and_across(stretch, tolerance):
    """Elastic, where it begins to yield, and dragged along: there it resists no further way."""
    _, one, two, x = two_bodies()
    joints, rest = Joints(), np.zeros(12)
    joints.add(sliding(one, two, pc.Dissipation(1.0, 1.0, 0.1, d=0.2), pc.Anchor(0.1, 0.02), directions=PLANE), (0, 1))
    commit(joints, x, rest)
    turn = Rotation.from_quat((*x[11:14], x[10])).as_matrix()
    way = turn @ (stretch[0] * np.array(PLANE[0]) + stretch[1] * np.array(PLANE[1]))
    x, w = moved(x, np.concatenate([way, np.zeros(9)])), np.concatenate([0.5 * way, np.zeros(9)])
    stiffness, damping = matrices(joints, x, w, 1e-3)
    if tolerance is not None:
        block = np.ix_((0, 1, 2, 6, 7, 8), (0, 1, 2, 6, 7, 8))
        numeric = differences(lambda u: forces(joints, moved(x, u), w, 1e-3), 1e-7)
        assert stiffness[block] == pytest.approx(numeric[block], abs=tolerance)
    else:
        assert stiffness[:3, :3] @ way == pytest.approx(np.zeros(3), abs=1e-9)
    assert damping == pytest.approx(differences(lambda u: forces(joints, x, w + u, 1e-3), 1e-7), abs=1e-5)


HEAVY, STEP = 1000.0, 1e-3
STEEP = 7e6
"""Damping in N s/m: times the step it is seven times the mass."""

STIFF_STOP = pc.Hooke(0.0, 5e7, STEEP)
SEAL = pc.Dissipation(2e4, 2e4, 2e4 / STEEP)
IMPLICIT = ("euler_implicit_linearized", "euler_implicit", "hht")


def hung(kind, integrator, jacobian):
    """A heavy mass below a ceiling, on a line or a rail; the joint, and the attachment without forces."""
    chrono = pychrono()
    system = empty_system(9.81, integrator)
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    ceiling = new_body(system, fixed=True)
    mass = new_body(system, HEAVY, (0, 0, -1.0), inertia=(100, 100, 100))
    link = getattr(chrono, kind)()
    if kind == "ChLinkTSDA":
        link.Initialize(mass, ceiling, True, chrono.ChVector3d(0, 0, 0), chrono.ChVector3d(0, 0, 0))
        link.SetSpringCoefficient(0.0)
        link.SetDampingCoefficient(0.0)
    else:
        link.Initialize(mass, ceiling, chrono.ChFramed(chrono.ChVector3d(0, 0, -1.0)))
    system.AddLink(link)
    return system, mass, link, pc.attach(system, stepping="explicit", jacobian=jacobian)


def wobble(system, mass):
    """Range of the speed in m/s over the last steps of a run; infinite where the state got lost."""
    speeds = []
    try:
        run(system, 0.3, STEP)
        for _ in range(20):
            system.DoStepDynamics(STEP)
            speeds.append(mass.GetPosDt().z)
    except PowerContactError:
        return np.inf
    return np.ptp(speeds)


@pytest.mark.parametrize("integrator", IMPLICIT)
@pytest.mark.parametrize("kind", KINDS[1:])
def test_stiff_stop_is_met_in_steps_that_are_unstable_without(kind, integrator):
    wobbles, limit = {}, {"upper": 1.001} if kind == "ChLinkTSDA" else {"lower": -0.001}
    for jacobian in (False, True):
        system, mass, link, contacts = hung(kind, integrator, jacobian)
        contacts.add_stop(link, STIFF_STOP, **limit)
        wobbles[jacobian] = wobble(system, mass)
    assert wobbles[True] < 1e-3
    assert wobbles[False] > 1e-2
    assert mass.GetPos().z == pytest.approx(-1.001 - HEAVY * 9.81 / STIFF_STOP.k, abs=5e-5)


@pytest.mark.parametrize("integrator", IMPLICIT)
@pytest.mark.parametrize("kind", KINDS[1:])
def test_steep_friction_creeps_at_its_speed_in_steps_that_are_unstable_without(kind, integrator):
    speeds, wobbles = {}, {}
    for jacobian in (False, True):
        system, mass, link, contacts = hung(kind, integrator, jacobian)
        contacts.add_friction(link, SEAL)
        wobbles[jacobian], speeds[jacobian] = wobble(system, mass), -mass.GetPosDt().z
    creep = np.arctanh(HEAVY * 9.81 / 2e4) * SEAL.v_c
    assert speeds[True] == pytest.approx(creep, rel=1e-6)
    assert wobbles[True] < 1e-9
    assert wobbles[False] > 5e-3 or abs(speeds[False] - creep) > 5e-3


@pytest.mark.parametrize("speed", [0.030, 0.032, 0.037, 0.039])
@pytest.mark.parametrize("integrator", IMPLICIT)
def test_steep_friction_brings_a_sliding_mass_to_rest(integrator, speed):
    """With the tangent alone most of these would end in a vibration of 7 mm/s."""
    chrono = pychrono()
    system, mass, link, contacts = hung("ChLinkTSDA", integrator, True)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, 0))
    mass.SetPosDt(chrono.ChVector3d(0, 0, -speed))
    contacts.add_friction(link, pc.Dissipation(7e3, 7e3, 7e3 / STEEP))
    run(system, 0.2, STEP)
    assert abs(mass.GetPosDt().z) < 1e-9
    assert -1.0 - mass.GetPos().z == pytest.approx(speed**2 / (2.0 * 7.0), abs=0.6 * speed * STEP)


@pytest.mark.parametrize("integrator", IMPLICIT)
def test_stiff_anchor_holds_a_weight_in_steps_that_are_unstable_without(integrator):
    places = {}
    for jacobian in (False, True):
        system, mass, link, contacts = hung("ChLinkTSDA", integrator, jacobian)
        contacts.add_friction(link, SEAL, pc.Anchor(5e-6, 1e-3))
        wobble(system, mass)
        places[jacobian] = -1.0 - mass.GetPos().z
    assert 0.0 < places[True] < 5e-6
    assert abs(places[False]) > 1e-4


def test_viscous_hinge_takes_implicit_steps_and_counts_its_damping_once():
    chrono, spin, ends = pychrono(), 0.5, {}
    for jacobian in (False, True):
        system = empty_system(0.0)
        system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
        wall, disc = new_body(system, fixed=True), new_body(system, spin=(0, 0, spin), inertia=(1, 1, 1))
        link = chrono.ChLinkMateRevolute()
        link.Initialize(disc, wall, chrono.ChFramed())
        system.AddLink(link)
        contacts = pc.attach(system, stepping="explicit", jacobian=jacobian)
        contacts.add_friction(link, pc.Dissipation(0.0, 0.0, 1.0, d=7.0 / STEP))
        for _ in range(5):
            system.DoStepDynamics(STEP)
        ends[jacobian] = disc.GetAngVelLocal().z
    assert ends[True] == pytest.approx(spin / 8.0**5, rel=1e-9)
    assert ends[False] == pytest.approx(spin * (-6.0) ** 5, rel=1e-9)
