"""Friction laws in Chrono against closed forms and the reference engine: bristles, break-away, spinning contacts."""

import math

import numpy as np
import pytest
import sympy as sp
from scene import empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.app.runner import execute
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.lagrange.prescribed import friction_along
from chrono_powercontact.lagrange.rigid import point_velocity, quaternion_rotation
from chrono_powercontact.laws.friction.friction_table import friction_record
from chrono_powercontact.scenarios.catalogue import find

pytestmark = pytest.mark.chrono

GRAVITY = 9.81
GROUND = pc.Restriction(0.002, 0.001, 400.0, 3.0)
BRISTLES = pc.LuGre(f_c=0.3, f_s=0.4, v_s=0.02, k=3e3, d_k=10.0)
SHARP = pc.Friction(mu_c=0.25, mu_s=0.40, v_c=5e-5, v_s=1e-4)
DEFAULT = "euler_implicit_linearized"


def block(material, integrator=DEFAULT, velocity=0.0):
    """A mass of 1 kg that cannot turn, at rest on the ground or sliding along x."""
    system = empty_system(GRAVITY, integrator)
    ground = new_body(system, fixed=True)
    body = new_body(system, 1.0, (0, 0, GROUND.rest_distance(GRAVITY)), (velocity, 0, 0), inertia=(9e9,) * 3)
    contacts = pc.attach(system)
    contacts.add(pc.Points(body, [(0, 0, 0)]), pc.Plane(ground, (0, 0, GROUND.s_0)), material)
    return system, body, contacts


def tilt(system, share):
    """Let gravity pull along x by a share of what presses."""
    system.SetGravitationalAcceleration(pychrono().ChVector3d(share * GRAVITY, 0, -GRAVITY))


@pytest.mark.parametrize(
    ("integrator", "step"), [(DEFAULT, 1e-4), (DEFAULT, 5e-3), ("runge_kutta", 1e-4), ("hht", 1e-4)]
)
def test_bristles_stop_a_block_after_the_distance_of_coulomb(integrator, step):
    """The damping of the bristles takes the impulse N d_k f_c/k while they bend, in the first 0.1 ms."""
    system, body, _ = block(pc.Material(GROUND, BRISTLES), integrator, velocity=1.0)
    run(system, 0.6, step)
    sliding = 1.0 - GRAVITY * BRISTLES.d_k * BRISTLES.f_c / BRISTLES.k
    assert body.GetPos().x == pytest.approx(sliding**2 / (2.0 * 0.3 * GRAVITY), rel=0.02)
    assert abs(body.GetPosDt().x) < 1e-6


@pytest.mark.parametrize("step", [1e-4, 5e-3])
def test_bristles_hold_a_load_below_stiction_as_a_spring(step):
    system, body, contacts = block(pc.Material(GROUND, BRISTLES))
    for share in np.linspace(0.0, 0.25, 40):
        tilt(system, share)
        run(system, system.GetChTime() + 0.01, step)
    run(system, 1.0, step)
    before = body.GetPos().x
    run(system, 2.0, step)
    assert body.GetPos().x == pytest.approx(before, abs=1e-9)
    assert contacts.forces()["friction"][0, 0] == pytest.approx(-0.25 * GRAVITY, rel=1e-6)
    assert 0.25 / 3e3 < before < 2.0 * 0.25 / 3e3


def test_bristles_meet_the_reference_engine():
    given = pc.Material(GROUND, BRISTLES)
    system, body, _ = block(given, "runge_kutta", velocity=0.3)
    x, z = pc.coordinates("x z")
    v_x, v_z = pc.velocities((x, z))
    m, g = sp.symbols("m g")
    point = pc.ContactPoint("ground", z, (v_x,))
    model = pc.Model("sliding_block", (x, z), m * (v_x**2 + v_z**2) / 2, m * g * z, (m, g), contacts=(point,))
    twin = pc.System(model, {"m": 1.0, "g": GRAVITY}, {"ground": given})
    reference = pc.run_rk4(twin, twin.state([0.0, GROUND.rest_distance(GRAVITY)], [0.3, 0.0]), 1e-5, 0.15)
    for time in (0.05, 0.1, 0.15):
        run(system, time, 2e-5)
        assert body.GetPos().x == pytest.approx(np.interp(time, reference["t"], reference["x"]), abs=1e-7)


@pytest.mark.parametrize(
    ("share", "stiction", "slides"),
    [(0.3995, "exact", False), (0.4006, "exact", True), (0.4006, "thesis", False), (0.4022, "thesis", True)],
)
def test_an_anchor_breaks_away_at_mu_s_and_that_of_the_thesis_above_it(share, stiction, slides):
    """The thesis' curve peaks at 0.4014 (erratum E19)."""
    system, body, _ = block(pc.Material(GROUND, SHARP, pc.Anchor(tau=1e-3, stiction=stiction)))
    for reached in share * np.linspace(0.9, 1.0, 100):
        tilt(system, reached)
        run(system, system.GetChTime() + 0.01, 1e-3)
    run(system, 1.5, 1e-3)
    assert (body.GetPos().x > 1e-4) == slides


def test_measured_friction_slides_on_its_points_behind_an_anchor():
    law = pc.measured_friction([0.0, 0.01, 0.1, 1.0], [0.40, 0.35, 0.28, 0.25], v_c=1e-3)
    for speed in (0.05, 0.2, 1.0):
        system, body, contacts = block(pc.Material(GROUND, law, pc.Anchor()), "runge_kutta", velocity=speed)
        run(system, 5e-3, 1e-4)
        (line,) = contacts.forces()
        sliding = float(law.coefficient(body.GetPosDt().x))
        assert -line["friction"][0] == pytest.approx(sliding * line["force"], rel=1e-6)
        assert 0.25 < sliding < 0.34


def test_a_rigid_restriction_bounces_as_on_the_reference_engine():
    given = {"body": "rigid", "height": 0.02, "step": 2e-6, "time": 0.06}
    reference = execute(find("drop"), given, "reference").outcome.trajectory
    with pytest.warns(UserWarning, match="a rigid restriction has a force that jumps"):
        chrono = execute(find("drop"), given, "chrono").outcome.trajectory
    assert np.abs(chrono["s"] - reference["s"]).max() < 1e-5


@pytest.mark.parametrize("memory", [None, pc.LTIFilter(3e-3), pc.LPVFilter(3e-3, 0.01)])
def test_a_body_that_a_motor_drives_rubs_along_the_hysteresis_of_the_prescribed_speed(memory):
    """Figs. 2.6, 2.7: a sine of 1 Hz and 0.1 m/s, given to the body by Chrono's motor."""
    chrono = pychrono()
    step = 1e-4
    law = pc.Dissipation(1.0, 1.4, 0.005, 0.01, 0.1)
    system = empty_system(0.0, DEFAULT)
    ground = new_body(system, fixed=True)
    body = new_body(system, 1.0)
    motor = chrono.ChLinkMotorLinearSpeed()
    motor.Initialize(body, ground, chrono.ChFramed(chrono.VNULL, chrono.QuatFromAngleY(0.5 * math.pi)))
    motor.SetSpeedFunction(chrono.ChFunctionSine(0.1, 1.0))
    system.AddLink(motor)
    contacts = pc.attach(system)
    contacts.add_sliding(body, ground, law, memory)
    seen = []
    every = 20
    for _ in range(round(1.25 / (every * step))):
        for _ in range(every):
            system.DoStepDynamics(step)
        (line,) = contacts.joint_forces()
        seen.append((body.GetPosDt().x, line["friction"][0]))
    half = 0.5 * step * np.arange(2 * every * len(seen) + 1)
    wanted = friction_along(friction_record(law, memory), 0.1 * np.sin(2.0 * np.pi * half), step)[every::every]
    speed, friction = np.array(seen).T
    along = np.sign(speed[0])
    assert np.abs(speed).max() == pytest.approx(0.1, rel=1e-3)
    assert np.abs(friction - along * wanted).max() < 0.03


TOP = {"m": 0.1, "a": 4e-5, "c": 2e-5, "l": 0.02, "r": 0.005, "g": GRAVITY}
"""A top: mass in kg, moments of inertia across and along its axis in kg m^2, height of its centre above that of its
round tip and radius of the tip in m."""
TILT = 0.3
RUBBING = pc.Friction(0.25, 0.30, 5e-4, 1e-3, 0.0, 1e-6)
STEADY, NODDING = (0.0, 0.0, 250.0), (40.0, 0.0, 250.0)
"""Angular velocities in rad/s in the frame of the top: it precesses calmly, or it nods with about 125 rad/s."""


def top_model(with_the_top):
    """A top on level ground; its memory has components along fixed axes, or along axes that spin with the top."""
    turn = quaternion_rotation()
    centre = pc.coordinates("x y z")
    v = sp.Matrix(pc.velocities(centre))
    m, a, c, low, radius, g = sp.symbols("m a c l r g")
    kinetic = m * v.dot(v) / 2 + (a * (turn.spin[0] ** 2 + turn.spin[1] ** 2) + c * turn.spin[2] ** 2) / 2
    q = (*centre, *turn.q)
    tip = sp.Matrix(centre) - low * turn.matrix[:, 2]
    spin = turn.matrix * sp.Matrix(turn.spin)
    slip = list(sp.Matrix(point_velocity(tip, q)) + spin.cross(sp.Matrix([0, 0, -radius])))[:2]
    if with_the_top:
        e0, _, _, e3 = turn.q
        cosine, sine = (part / (e0**2 + e3**2) for part in (e0**2 - e3**2, 2 * e0 * e3))
        slip = [cosine * slip[0] + sine * slip[1], cosine * slip[1] - sine * slip[0]]
    point = pc.ContactPoint("tip", tip[2] - radius, tuple(slip))
    u = (*pc.coordinates("v_x v_y v_z"), *turn.u)
    flow = sp.diag(sp.eye(3), turn.kinematics)
    return pc.Model("top", q, kinetic, m * g * centre[2], (m, a, c, low, radius, g), {}, (point,), (), u, flow)


def top_on_the_reference_engine(memory, spin, time, step=1e-5, with_the_top=False):
    """Axis of the top at the end."""
    system = pc.System(top_model(with_the_top), TOP, {"tip": pc.Material(GROUND, RUBBING, memory)})
    start = (*top_start(), math.cos(0.5 * TILT), math.sin(0.5 * TILT), 0.0, 0.0)
    ended = pc.run_rk4(system, system.state(start, (0.0, 0.0, 0.0, *spin)), step, time, 100)
    e = [ended[f"e{i}"][-1] for i in range(4)]
    return np.array([2 * (e[1] * e[3] + e[0] * e[2]), 2 * (e[2] * e[3] - e[0] * e[1]), 1 - 2 * (e[1] ** 2 + e[2] ** 2)])


def top_start():
    """Centre of a top that is tilted about x, with its tip on the ground."""
    height = GROUND.rest_distance(TOP["m"] * GRAVITY) + TOP["r"]
    return 0.0, -TOP["l"] * math.sin(TILT), TOP["l"] * math.cos(TILT) + height


def top_on_chrono(memory, spin, time, step=2e-5):
    """Axis of the top at the end."""
    chrono = pychrono()
    system = empty_system(GRAVITY, "runge_kutta")
    ground = new_body(system, fixed=True)
    body = new_body(system, TOP["m"], top_start(), inertia=(TOP["a"], TOP["a"], TOP["c"]))
    body.SetRot(chrono.QuatFromAngleX(TILT))
    body.SetAngVelLocal(chrono.ChVector3d(*spin))
    contacts = pc.attach(system)
    tip = pc.Sphere(body, (0, 0, -TOP["l"]), TOP["r"])
    contacts.add(tip, pc.Plane(ground, (0, 0, GROUND.s_0)), pc.Material(GROUND, RUBBING, memory), point="shape")
    run(system, time, step)
    axis = body.GetRot().GetAxisZ()
    return np.array([axis.x, axis.y, axis.z])


def apart(first, second):
    """Angle in degrees between two axes."""
    return math.degrees(math.acos(min(float(first @ second), 1.0)))


@pytest.mark.parametrize(("spin", "memory"), [(STEADY, pc.LPVFilter(2e-4, 1e-3)), (NODDING, pc.LPVFilter(2e-3, 1e-3))])
def test_a_spinning_top_moves_as_on_the_reference_engine(spin, memory):
    """The round tip rolls and slides over the ground; the second top slides in a direction that turns quickly."""
    chrono = top_on_chrono(memory, spin, 0.3)
    reference = top_on_the_reference_engine(memory, spin, 0.3)
    assert apart(chrono, reference) < 0.1


def test_memory_that_spun_with_the_top_would_show():
    """The comparison above is sharp: memory in axes that turn with the top leads it elsewhere by degrees."""
    memory = pc.LPVFilter(2e-3, 1e-3)
    resting = top_on_the_reference_engine(memory, NODDING, 0.3)
    spinning = top_on_the_reference_engine(memory, NODDING, 0.3, with_the_top=True)
    assert apart(resting, spinning) > 1.0
