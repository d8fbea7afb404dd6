"""Steps of many free bodies without Chrono's integrator are those of Chrono's integrator, to the last bit."""

import gc

import numba
import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import address, pychrono, set_integrator
from chrono_powercontact.chrono.api.directors import table_of
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.load.free import free_step, free_steps
from chrono_powercontact.errors import StateError

pytestmark = [
    pytest.mark.chrono,
    pytest.mark.skipif("not __import__('sys').platform.startswith('linux')", reason="needs the symbols of C++ methods"),
]

SIDE = 17
RADIUS = 0.05
STEPS = 25
STEP = {"explicit": 1e-4, "implicit": 1e-3}
LAW = pc.Restriction(0.0, -1e-3, 2000.0, 1.0)
FRICTION = pc.Friction(0.4, 0.4, 1e-3, 2e-3, 0.0, 1e-6)
MEMORY = {"explicit": pc.LPVFilter(1e-3, 1e-3), "implicit": pc.Anchor()}


def rising():
    """A force that a script computes."""

    class Rising(pychrono().ChFunction):
        def GetVal(self, time):
            return 3.0 + 100.0 * time

    return Rising()


KEPT = []
"""Objects of scripts that Chrono holds raw pointers to."""


def odd_bodies(system, bodies):
    """Bodies of another class, fixed, with markers, a force of a script, a load of their own, limits, no gyration."""
    chrono = pychrono()
    offset = chrono.ChBodyAuxRef()
    offset.SetFrameCOMToRef(chrono.ChFramed(chrono.ChVector3d(0.1, 0.0, 0.0)))
    offset.SetInertiaXX(chrono.ChVector3d(0.1, 0.2, 0.3))
    offset.SetAngVelLocal(chrono.ChVector3d(1.0, 2.0, 3.0))
    offset.SetPos(chrono.ChVector3d(0, 0, 5))
    system.AddBody(offset)
    bodies[3].SetFixed(True)
    bodies[4].AddMarker(chrono.ChMarker())
    force = chrono.ChForce()
    KEPT.append(rising())
    bodies[5].AddForce(force)
    force.SetF_x(KEPT[-1])
    number = bodies[6].AddAccumulator()
    bodies[6].AccumulateForce(number, chrono.ChVector3d(0, 2, 3), chrono.ChVector3d(0.01, 0, 0), True)
    bodies[7].SetLimitSpeed(True)
    bodies[7].SetMaxLinVel(0.01)
    bodies[8].SetUseGyroTorque(False)
    return offset


def balls(stepping="explicit", odd=False, count=SIDE**2):
    """Balls of different sizes in a grid that fall on a plate, turning, taken over."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    surface = chrono.ChContactMaterialSMC()
    plate = chrono.ChBodyEasyBox(9.0, 9.0, 0.2, 1000.0, False, True, surface)
    plate.SetPos(chrono.ChVector3d(0, 0, -0.1))
    plate.SetFixed(True)
    system.AddBody(plate)
    rng = np.random.default_rng(3)
    bodies = []
    for i in range(count):
        radius = RADIUS * (1.0 + 0.2 * rng.random())
        ball = chrono.ChBodyEasySphere(radius, 1000.0, False, True, surface)
        x, y = (0.115 * (n - 0.5 * SIDE) for n in (i % SIDE, i // SIDE))
        ball.SetPos(chrono.ChVector3d(x, y, radius + 1e-3 * rng.random()))
        ball.SetPosDt(chrono.ChVector3d(*rng.normal(size=3)))
        ball.SetAngVelLocal(chrono.ChVector3d(*rng.normal(scale=5.0, size=3)))
        system.AddBody(ball)
        bodies.append(ball)
    if odd:
        odd_bodies(system, bodies)
    contacts = pc.attach(system, stepping=stepping)
    contacts.take_over(pc.Material(LAW, FRICTION, MEMORY[stepping]))
    return system, contacts


def free_of(contacts):
    return core_of(contacts).stepper.free


def state(system):
    """Positions, rotations, velocities and accelerations of all bodies, and all times."""
    rows = []
    for body in system.GetBodies():
        for vector in (
            body.GetPos(), body.GetPosDt(), body.GetPosDt2(), body.GetAngVelLocal(), body.GetAngAccLocal(),
            body.GetAppliedForce(),
        ):  # fmt: skip
            rows += [vector.x, vector.y, vector.z]
        turn = body.GetRot()
        rows += [turn.e0, turn.e1, turn.e2, turn.e3, body.GetChTime()]
    return np.array([*rows, system.GetChTime(), system.GetTimestepper().GetTime()])


def stepped(system, steps, h):
    for _ in range(steps):
        system.DoStepDynamics(h)


def by_chrono(monkeypatch):
    """From now on, Chrono's integrator takes all steps."""
    monkeypatch.setattr(free_steps, "MANY", 10**9)


@pytest.mark.parametrize("stepping", STEP)
@pytest.mark.parametrize("odd", [False, True])
def test_the_motion_is_that_of_chronos_integrator(monkeypatch, stepping, odd):
    system, contacts = balls(stepping, odd)
    stepped(system, STEPS, STEP[stepping])
    assert free_of(contacts).taken == STEPS - 1
    found = state(system)
    by_chrono(monkeypatch)
    system, contacts = balls(stepping, odd)
    stepped(system, STEPS, STEP[stepping])
    assert free_of(contacts).taken == 0
    assert len(np.unique(found)) > 10 * SIDE**2
    np.testing.assert_array_equal(found, state(system))


def test_energy_of_the_ledger_is_that_of_chronos_integrator(monkeypatch):
    found = []
    for _ in range(2):
        system, contacts = balls("implicit")
        stepped(system, STEPS, 1e-3)
        found.append(contacts.energy())
        by_chrono(monkeypatch)
    assert found[0] == found[1]
    assert found[0].contact_heat > 0.0


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads of numba")
def test_the_number_of_threads_does_not_matter():
    found = []
    assert SIDE**2 < free_step.PART * free_step.MANY_PARTS < 2 * SIDE**2
    for threads in (1, 2):
        numba.set_num_threads(threads)
        system, contacts = balls(odd=True, count=2 * SIDE**2)
        stepped(system, STEPS, 1e-4)
        assert free_of(contacts).taken > 0
        found.append(state(system))
    np.testing.assert_array_equal(*found)


def test_memory_is_counted():
    system, contacts = balls()
    stepped(system, 3, 1e-4)
    load = core_of(contacts).stepper.load
    numbers = 7 + 6 + 6
    assert load.nbytes >= 8 * numbers * SIDE**2
    assert 48 * SIDE**2 <= free_of(contacts).nbytes < 48 * SIDE**2 + 20_000


def add_link(system):
    bodies = list(system.GetBodies())
    link = pychrono().ChLinkLockRevolute()
    link.Initialize(bodies[1], bodies[2], pychrono().ChFramed())
    system.AddLink(link)


def add_shaft(system):
    system.Add(pychrono().ChShaft())


def add_item(system):
    system.Add(pychrono().ChLoadContainer())


def add_spring(system):
    bodies = list(system.GetBodies())
    spring = pychrono().ChLinkTSDA()
    spring.Initialize(bodies[1], bodies[2], True, pychrono().VNULL, pychrono().VNULL)
    system.AddLink(spring)


def take_direct_solver(system):
    system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)


def take_other_integrator(system):
    set_integrator(system, "euler_implicit_projected")


def write_matrices(system):
    system.EnableSolverMatrixWrite(True, "unused")
    system.EnableSolverMatrixWrite(False)
    system.SetSolverType(pychrono().ChSolver.Type_APGD)


@pytest.mark.parametrize(
    "change",
    [add_link, add_shaft, add_item, add_spring, take_direct_solver, take_other_integrator, write_matrices],
)
def test_what_is_no_free_body_is_left_to_chrono(monkeypatch, change):
    system, contacts = balls()
    stepped(system, 5, 1e-4)
    taken = free_of(contacts).taken
    assert taken > 0
    change(system)
    stepped(system, 5, 1e-4)
    assert free_of(contacts).taken == taken
    found = state(system)
    by_chrono(monkeypatch)
    system, contacts = balls()
    stepped(system, 5, 1e-4)
    change(system)
    stepped(system, 5, 1e-4)
    np.testing.assert_array_equal(found, state(system))


def remove_a_body(system):
    system.RemoveBody(list(system.GetBodies())[5])


def add_a_body(system):
    body = pychrono().ChBody()
    body.SetPos(pychrono().ChVector3d(0, 0, 3))
    system.AddBody(body)


def fix_a_body(system):
    list(system.GetBodies())[5].SetFixed(True)


def place_a_body(system):
    list(system.GetBodies())[5].SetPos(pychrono().ChVector3d(0, 0, 4))


def push_a_body(system):
    body = list(system.GetBodies())[5]
    body.AccumulateForce(body.AddAccumulator(), pychrono().ChVector3d(0, 0, 40), pychrono().VNULL, True)


def change_gravity(system):
    system.SetGravitationalAcceleration(pychrono().ChVector3d(1, 2, 3))


def change_time(system):
    system.SetChTime(7.0)


@pytest.mark.parametrize("stepping", STEP)
@pytest.mark.parametrize(
    "change", [remove_a_body, add_a_body, fix_a_body, place_a_body, push_a_body, change_gravity, change_time]
)
def test_changes_between_steps_count_from_the_next_step_on(monkeypatch, change, stepping):
    found = []
    for _ in range(2):
        system, contacts = balls(stepping)
        stepped(system, 5, STEP[stepping])
        before = free_of(contacts).taken
        change(system)
        stepped(system, 70, STEP[stepping])
        found.append(state(system))
        assert (free_of(contacts).taken > before) == (len(found) == 1)
        by_chrono(monkeypatch)
    np.testing.assert_array_equal(*found)


def test_bodies_that_sleep_stay(monkeypatch):
    found = []
    for _ in range(2):
        system, _contacts = balls()
        system.SetSleepingAllowed(True)
        for body in list(system.GetBodies())[1:9]:
            body.SetSleeping(True)
        stepped(system, STEPS, 1e-4)
        found.append(state(system))
        by_chrono(monkeypatch)
    np.testing.assert_array_equal(*found)


def test_few_bodies_are_left_to_chrono():
    system, contacts = balls(count=free_steps.MANY - 10)
    stepped(system, 3, 1e-4)
    assert free_of(contacts).taken == 0


def test_an_integrator_that_a_script_holds_takes_its_own_steps():
    """A script that made an integrator may read from it what free steps do not write."""
    system, contacts = balls()
    own = pychrono().ChTimestepperEulerImplicitLinearized(system)
    system.SetTimestepper(own)
    stepped(system, 3, 1e-4)
    assert free_of(contacts).taken == 0
    del own
    gc.collect()
    stepped(system, 70, 1e-4)
    assert free_of(contacts).taken > 0


def test_detaching_gives_the_integrator_back():
    system, contacts = balls()
    integrator = system.GetTimestepper()
    before = table_of(address(integrator))
    del integrator
    stepped(system, 3, 1e-4)
    assert table_of(address(system.GetTimestepper())) != before
    contacts.detach()
    assert table_of(address(system.GetTimestepper())) == before
    time = system.GetChTime()
    system.DoStepDynamics(1e-4)
    assert system.GetChTime() == time + 1e-4


def test_a_system_that_outlives_its_attachment_steps_on():
    system, contacts = balls()
    stepped(system, 3, 1e-4)
    del contacts
    gc.collect()
    time = system.GetChTime()
    stepped(system, 3, 1e-4)
    assert system.GetChTime() == pytest.approx(time + 3e-4)


def test_an_attachment_that_outlives_its_system_lets_go():
    system, contacts = balls()
    stepped(system, 3, 1e-4)
    del system
    gc.collect()
    del contacts
    gc.collect()


@pytest.mark.parametrize("stepping", STEP)
def test_a_state_that_is_not_finite_is_named(stepping):
    system, _contacts = balls(stepping)
    stepped(system, 3, STEP[stepping])
    list(system.GetBodies())[5].SetPosDt(pychrono().ChVector3d(0, 0, np.nan))
    with pytest.raises(StateError, match="not finite"):
        stepped(system, 3, STEP[stepping])


def test_another_version_of_chrono_is_left_alone(monkeypatch):
    monkeypatch.setattr(free_steps, "body_methods", lambda: None)
    system, contacts = balls()
    stepped(system, 3, 1e-4)
    assert free_of(contacts).taken == 0
