"""User laws in Chrono: wherever a built-in law may stand, they do the same as the one of their formula."""

import math

import numpy as np
import pytest
from scene import empty_system, new_body, run
from taken import ball, colliding_system, plate

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.errors import LawError, SystemChangedError
from chrono_powercontact.laws.friction.user_friction import friction_law
from chrono_powercontact.laws.normal.user_normal import normal_law

pytestmark = pytest.mark.chrono

RADIUS, MASS = 0.1, 1.0
HERTZ = pc.Hertz(0.0, 1e6, 0.5)
RUBBING = pc.Friction(0.3, 0.4, 0.01, 0.02)
TURNING = pc.Dissipation(0.3, 0.4, 0.01, 0.02)
INTEGRATORS = ["euler_implicit_linearized", "euler_implicit", "hht", "newmark", "runge_kutta"]


def stored(s, p):
    return 0.4 * p.k * max(p.s_0 - s, 0.0) ** 2.5


def hertz(s, v, p):
    return p.k * max(p.s_0 - s, 0.0) ** 1.5 * (1.0 - p.chi * v)


def stribeck(v, n, p):
    y = v / p.v_s
    return n * (p.c * np.tanh(v / p.v_c) + p.delta * y * np.exp(0.5 - 0.5 * y * y))


OWN_HERTZ = normal_law(potential=stored)(hertz)(s_0=0.0, k=1e6, chi=0.5)
UNSPLIT = normal_law(hertz)(s_0=0.0, k=1e6, chi=0.5)
OWN_RUBBING = friction_law(stribeck)(c=0.3, v_c=0.01, delta=RUBBING.curve.delta, v_s=0.02)

STICKING = pc.Material(OWN_HERTZ, OWN_RUBBING, pc.Anchor())
MEMORIES = {"none": None, "lpv": pc.LPVFilter(1e-2, 1e-2), "anchor": pc.Anchor(1e-3, 1e-3)}


def state(body):
    p, v, w = body.GetPos(), body.GetPosDt(), body.GetAngVelParent()
    return np.array([p.x, p.y, p.z, v.x, v.y, v.z, w.x, w.y, w.z])


def on_a_slope(angle, integrator="euler_implicit_linearized"):
    """A ball that cannot roll, at rest on a slope of an angle in rad, its friction anchored."""
    system = empty_system(0.0, integrator)
    system.SetGravitationalAcceleration(pychrono().ChVector3d(9.81 * math.sin(angle), 0, -9.81 * math.cos(angle)))
    ground = new_body(system, fixed=True)
    depth = OWN_HERTZ.rest_distance(9.81 * math.cos(angle))
    body = new_body(system, MASS, (0, 0, RADIUS + depth), inertia=(9e9,) * 3)
    contacts = pc.attach(system)
    contacts.add(pc.Points(body, [(0, 0, 0)], RADIUS), pc.Plane(ground), STICKING)
    return system, body, contacts


def thrown(material, integrator="euler_implicit_linearized", jacobian=False, time=0.06, step=1e-4):
    """A ball that is thrown along the ground and bounces there."""
    system = empty_system(9.81, integrator)
    if jacobian:
        system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)
    ground = new_body(system, fixed=True, name="ground")
    body = new_body(system, MASS, (0, 0, RADIUS + 1e-3), (0.3, 0.1, -0.5), (1.0, -2.0, 0.5), name="ball")
    contacts = pc.attach(system, jacobian=jacobian)
    contacts.add(pc.Sphere(body, radius=RADIUS), pc.Plane(ground), material)
    run(system, time, step)
    return state(body), contacts.energy()


def both(memory=None):
    """A material of user laws, and the built-in one of the same formulas."""
    return pc.Material(OWN_HERTZ, OWN_RUBBING, memory), pc.Material(HERTZ, RUBBING, memory)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("memory", [None, pc.LPVFilter(1e-3, 1e-3)], ids=["static", "filtered"])
def test_under_every_integrator_a_ball_bounces_as_with_the_built_in_laws(integrator, memory):
    (own, ledger), (built_in, _) = (thrown(material, integrator) for material in both(memory))
    assert own == pytest.approx(built_in, rel=1e-9, abs=1e-11)
    assert ledger.contact_heat > 1e-3  # it did touch
    assert ledger.friction_heat > 1e-4


@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "hht"])
def test_with_a_jacobian_a_ball_bounces_as_with_the_built_in_laws(integrator):
    """Differences in place of formulas for the slopes change the Newton iteration, not what it finds."""
    (own, ledger), (built_in, _) = (thrown(material, integrator, True) for material in both())
    assert own == pytest.approx(built_in, rel=1e-4, abs=1e-6)
    assert ledger.contact_heat > 1e-3


@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "runge_kutta"])
def test_an_anchor_holds_a_law_of_ones_own_on_a_slope(integrator):
    angle = 0.25
    system, body, contacts = on_a_slope(angle, integrator)
    run(system, 0.2)
    before = state(body)
    run(system, 0.3)
    assert np.abs(state(body)[:2] - before[:2]).max() < 1e-9
    (friction,) = contacts.forces()["friction"]
    assert friction[0] == pytest.approx(-9.81 * math.sin(angle), rel=1e-4)


def test_an_anchor_lets_a_law_of_ones_own_slide_beyond_its_peak():
    angle = 0.6
    system, body, _ = on_a_slope(angle)
    run(system, 0.3)
    before = body.GetPosDt().x
    run(system, 0.4)
    gained = 9.81 * (math.sin(angle) - 0.3 * math.cos(angle)) * 0.1
    assert body.GetPosDt().x - before == pytest.approx(gained, rel=5e-3)


@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "runge_kutta"])
def test_taken_over_shapes_touch_with_laws_of_ones_own(integrator):
    ends = []
    for material in both(pc.LPVFilter(1e-3, 1e-3)):
        system, surface = colliding_system(integrator=integrator)
        plate(system, surface)
        body = ball(system, surface, radius=RADIUS, at=(0, 0, RADIUS + 1e-3), velocity=(0.3, 0.1, -0.5))
        contacts = pc.attach(system)
        contacts.take_over(material)
        run(system, 0.06)
        assert contacts.energy().contact_heat > 1e-3
        ends.append(state(body))
    assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-11)


def carriage(speed=0.5):
    """A carriage on a rail along z."""
    system = empty_system(0.0, "runge_kutta")
    rail, body = new_body(system, fixed=True), new_body(system, 0.5, velocity=(0, 0, speed))
    link = pychrono().ChLinkMatePrismatic()
    link.Initialize(body, rail, pychrono().ChFramed())
    system.AddLink(link)
    system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)
    return system, body, link


def test_a_law_of_ones_own_stops_a_joint():
    ends = []
    for law in (OWN_HERTZ, HERTZ):
        system, body, link = carriage()
        contacts = pc.attach(system)
        contacts.add_stop(link, law, upper=0.01)
        run(system, 0.04)
        assert contacts.joint_count == 1
        assert contacts.energy().unsplit == ()
        ends.append((*state(body), contacts.energy().contact_heat))
    assert ends[0][5] < 0.0  # it came back
    assert ends[0] == pytest.approx(ends[1], rel=1e-6, abs=1e-11)


@pytest.mark.parametrize(
    "memory", [None, pc.LPVFilter(1e-2, 1e-2), pc.Anchor(1e-3, 1e-3)], ids=["none", "lpv", "anchor"]
)
def test_a_law_of_ones_own_brakes_a_joint(memory):
    ends = []
    for law in (OWN_RUBBING, TURNING):
        system, body, link = carriage()
        contacts = pc.attach(system)
        contacts.add_friction(link, law, memory)
        run(system, 0.5, 1e-3)
        ends.append((body.GetPos().z, body.GetPosDt().z, contacts.energy().friction_heat))
    assert ends[0][2] > 1e-2
    exact = not isinstance(memory, pc.Anchor)  # an anchor climbs a curve of its own
    assert ends[0] == pytest.approx(ends[1], rel=1e-9 if exact else 2e-2, abs=1e-12)


def test_a_law_of_ones_own_brakes_a_sliding_point():
    ends = []
    for law in (OWN_RUBBING, TURNING):
        system = empty_system(0.0)
        table, puck = new_body(system, fixed=True), new_body(system, 0.5, velocity=(0.3, 0.4, 0))
        contacts = pc.attach(system)
        contacts.add_sliding(puck, table, law, directions=[(1, 0, 0), (0, 1, 0)])
        run(system, 0.3, 1e-3)
        ends.append(state(puck))
    assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-12)
    assert np.linalg.norm(ends[0][3:5]) < 0.4


# --- the ledger ----------------------------------------------------------------------------------------------------


def test_with_a_potential_the_ledger_is_that_of_the_built_in_law():
    ledgers = [thrown(pc.Material(law), "runge_kutta", step=2e-5)[1] for law in (OWN_HERTZ, HERTZ)]
    own, built_in = ledgers
    assert own.unsplit == ()
    assert own.contact_heat == pytest.approx(built_in.contact_heat, rel=1e-6)
    assert own.stored == pytest.approx(built_in.stored, rel=1e-6, abs=1e-12)
    assert abs(own.error) < 1e-3 * own.contact_heat
    assert own.error == pytest.approx(built_in.error, rel=1e-2, abs=1e-9)


def test_without_a_potential_the_law_is_named_and_the_ledger_still_closes():
    own = thrown(pc.Material(UNSPLIT), "runge_kutta", step=2e-5)[1]
    built_in = thrown(pc.Material(HERTZ), "runge_kutta", step=2e-5)[1]
    assert own.unsplit == (repr(UNSPLIT),)
    assert "contact heat includes the energy stored by hertz(" in str(own)
    assert own.stored == 0.0
    assert abs(own.error) < 1e-3 * built_in.contact_heat
    assert own.contact_heat == pytest.approx(built_in.contact_heat + built_in.stored, rel=1e-3)


def test_without_a_potential_what_a_stop_stores_is_not_split_either():
    system, _, link = carriage()
    contacts = pc.attach(system)
    contacts.add_stop(link, UNSPLIT, upper=0.01)
    run(system, 0.04, 2e-5)
    ledger = contacts.energy()
    assert ledger.unsplit == (repr(UNSPLIT),)
    assert abs(ledger.error) < 1e-3 * ledger.contact_heat


def test_a_law_is_named_once_and_only_while_it_is_used():
    system = empty_system(0.0)
    ground = new_body(system, fixed=True)
    contacts = pc.attach(system)
    pairs = [
        contacts.add(pc.Sphere(new_body(system), radius=RADIUS), pc.Plane(ground), pc.Material(law))
        for law in (UNSPLIT, UNSPLIT, OWN_HERTZ)
    ]
    assert contacts.energy().unsplit == (repr(UNSPLIT),)
    contacts.remove(pairs[0])
    assert contacts.energy().unsplit == (repr(UNSPLIT),)
    contacts.remove(pairs[1])
    assert contacts.energy().unsplit == ()


def test_taken_over_laws_without_a_potential_are_named():
    system, surface = colliding_system()
    plate(system, surface)
    ball(system, surface, radius=RADIUS, at=(0, 0, 1.0))
    contacts = pc.attach(system)
    contacts.take_over(pc.Material(UNSPLIT))
    assert contacts.energy().unsplit == (repr(UNSPLIT),)


# --- laws that fail while they run ---------------------------------------------------------------------------------


@normal_law
def brittle(s, v, p):
    d = max(p.s_0 - s, 0.0)
    return p.k * d + 0.0 * np.sqrt(p.limit - d)


@friction_law
def seizing(v, n, p):
    return p.mu * n * np.tanh(v / 1e-3) + 0.0 * np.sqrt(p.limit - n)


BRITTLE = brittle(s_0=0.0, k=1e4, limit=2e-3)
SEIZING = seizing(mu=0.3, limit=2e3)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_normal_law_that_becomes_not_a_number_is_named_in_one_sentence(integrator):
    system = empty_system(9.81, integrator)
    ground = new_body(system, fixed=True)
    body = new_body(system, MASS, (0, 0, RADIUS + 1e-3), (0, 0, -1.0), name="ball")
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(body, radius=RADIUS), pc.Plane(ground), pc.Material(BRITTLE))
    with pytest.raises(LawError) as caught:
        run(system, 0.1)
    assert str(caught.value).startswith(
        "law brittle(s_0=0, k=10000, limit=0.002) gives a force of nan N at a gap of -0.00"
    )
    assert str(caught.value).endswith("s: a law must be finite everywhere")
    assert "\n" not in str(caught.value)
    contacts.detach()
    run(system, system.GetChTime() + 1e-3)  # the process lives and goes on


def test_a_friction_law_that_becomes_not_a_number_is_named_in_one_sentence():
    system = empty_system(9.81)
    ground = new_body(system, fixed=True)
    body = new_body(system, MASS, (0, 0, RADIUS + 1e-3), (0.5, 0, -5.0), name="ball")
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(body, radius=RADIUS), pc.Plane(ground), pc.Material(HERTZ, SEIZING))
    with pytest.raises(LawError) as caught:
        run(system, 0.1)
    told = "law seizing(mu=0.3, limit=2000) gives a friction force that is not finite under 2"
    assert str(caught.value).startswith(told)


def test_a_taken_over_law_that_becomes_not_a_number_is_named():
    system, surface = colliding_system()
    plate(system, surface)
    ball(system, surface, radius=RADIUS, at=(0, 0, RADIUS + 1e-3), velocity=(0, 0, -1.0))
    contacts = pc.attach(system)
    contacts.take_over(pc.Material(BRITTLE))
    with pytest.raises(LawError, match=r"^law brittle\(.*\) gives a force of nan N at a gap of -0.00"):
        run(system, 0.1)


def test_a_stop_that_becomes_not_a_number_is_named():
    system, _, link = carriage(2.0)
    contacts = pc.attach(system)
    contacts.add_stop(link, BRITTLE, upper=0.01)
    with pytest.raises(LawError, match=r"^law brittle\(.*\) gives"):
        run(system, 0.1)


def test_friction_of_a_joint_that_becomes_not_a_number_is_named():
    @friction_law
    def hot(v, n, p):
        return p.f * np.tanh(v / 1e-3) + 0.0 * np.sqrt(p.limit - v)

    system, _, link = carriage(2.0)
    contacts = pc.attach(system)
    contacts.add_friction(link, hot(f=0.1, limit=1.99))
    with pytest.raises(LawError, match=r"^law hot\(.*\) gives"):
        run(system, 0.1)


def test_a_state_that_is_not_finite_is_not_blamed_on_a_law():
    system = empty_system(9.81)
    ground, body = new_body(system, fixed=True), new_body(system, MASS, (0, 0, RADIUS), name="ball")
    pc.attach(system).add(pc.Sphere(body, radius=RADIUS), pc.Plane(ground), pc.Material(BRITTLE))
    run(system, 1e-3)
    body.SetPosDt(body.GetPosDt() * math.nan)
    with pytest.raises(SystemChangedError, match=r"the state of 'ball' is not finite at 0\.001") as caught:
        run(system, 0.01)
    assert not isinstance(caught.value, LawError)
