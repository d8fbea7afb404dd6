import gc
import subprocess
import sys
import textwrap
import tracemalloc

import numpy as np
import pytest
from scene import RESTRICTION, ROUGH, SMOOTH, empty_system, falling_cube, new_body, run
from taken import SLICK, colliding_system, plate
from taken import ball as taken_ball

import chrono_powercontact as pc
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.contact.readings import Energy
from chrono_powercontact.errors import ParameterError, SystemChangedError

pytestmark = pytest.mark.chrono

INTEGRATORS = ["euler_implicit_linearized", "euler_implicit", "hht", "newmark", "runge_kutta"]


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_cube_keeps_its_horizontal_velocity_under_every_integrator(integrator):
    system, cube, contacts = falling_cube(SMOOTH, integrator)
    run(system, 0.6)
    assert contacts.energy().contact_heat > 0.1  # it did touch
    assert abs(cube.GetPosDt().x - 2.0) < 1e-9
    assert abs(cube.GetPosDt().y - 1.0) < 1e-9


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_integrators_agree_at_a_fine_step(integrator):
    """A sphere without gravity against a plane: the closed form is the judge."""
    from chrono_powercontact.laws.impact import restitution

    system = empty_system(0.0, integrator)
    ground = new_body(system, fixed=True)
    ball = new_body(system, 0.05, (0, 0, 0.012), (0, 0, -1))
    pc.attach(system).add(
        pc.Sphere(ball, radius=0.01), pc.Plane(ground), pc.Material(pc.Restriction(0.01, 0.009, 200.0, 1.0))
    )
    run(system, 0.008, 2e-6)
    assert ball.GetPosDt().z == pytest.approx(float(restitution(1.0, 1.0)), abs=4e-3)


def test_views_without_a_copy_and_lists_give_the_same():
    positions = []
    for shared in (True, False):
        system, cube, _ = falling_cube(ROUGH, shared=shared, height=0.2)
        run(system, 0.3)
        position = cube.GetPos()
        positions.append((position.x, position.y, position.z))
    assert positions[0] == positions[1]


def test_forces_tell_what_each_corner_does():
    system = empty_system()
    ground, cube = new_body(system, fixed=True, name="ground"), new_body(system, 1.0, (0, 0, 0.102), name="cube")
    contacts = pc.attach(system)
    pair = contacts.add(
        pc.Box(cube, 0.2, 0.002), pc.Plane(ground), pc.Material(pc.Restriction(0.002, 0.001, 400.0, 30.0))
    )
    run(system, 1.0)
    forces = contacts.forces()
    assert len(forces) == 8
    assert set(forces["pair"]) == {pair}
    assert forces["force"].sum() == pytest.approx(9.81, rel=1e-6)
    assert np.all(forces["normal"] == pytest.approx(np.tile([0, 0, 1], (8, 1))))
    assert set(forces["body_a"]) == {"cube"}
    assert set(forces["body_b"]) == {"ground"}
    touching = forces[forces["force"] > 1.0]
    assert len(touching) == 4
    assert np.abs(touching["point"][:, :2]) == pytest.approx(np.full((4, 2), 0.1), abs=1e-6)


def test_a_resting_box_is_carried_by_its_contacts():
    system = empty_system()
    ground, box = new_body(system, fixed=True), new_body(system, 2.0, (0, 0, 0.102))
    stranger = new_body(system, 1.0, (5, 0, 5))
    contacts = pc.attach(system)
    contacts.add(pc.Box(box, 0.2, 0.002), pc.Plane(ground), pc.Material(pc.Restriction(0.002, 0.001, 400.0, 30.0)))
    run(system, 1.0)
    carried = contacts.force_on(box)
    assert carried.force == pytest.approx([0.0, 0.0, 2.0 * 9.81], abs=1e-4)
    assert carried.torque == pytest.approx(np.zeros(3), abs=1e-6)
    loaded = contacts.force_on(ground)
    assert loaded.force == pytest.approx(-carried.force, abs=1e-12)
    force, torque = contacts.force_on(stranger)
    assert not force.any()
    assert not torque.any()


def test_the_torque_on_a_body_is_about_its_centre_of_mass():
    system = empty_system(0.0)
    ground, body = new_body(system, fixed=True), new_body(system, 1.0, (1.0, 2.0, 0.0999))
    contacts = pc.attach(system)
    contacts.add(pc.Points(body, [(0.3, -0.2, 0.0)], 0.1), pc.Plane(ground), SMOOTH)
    (element,) = contacts.forces()
    assert element["force"] > 1.0
    force, torque = contacts.force_on(body)
    assert force == pytest.approx([0.0, 0.0, element["force"]])
    assert torque == pytest.approx(np.cross((0.3, -0.2, 0.0), force), abs=1e-12)


def test_taken_over_contacts_count_for_the_force_on_a_body():
    system, surface = colliding_system()
    plate(system, surface)
    body = taken_ball(system, surface, at=(0, 0, 0.1))
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    run(system, 0.5)
    assert contacts.force_on(body).force == pytest.approx([0.0, 0.0, 9.81], abs=1e-3)


@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "runge_kutta"])
def test_a_rolling_ball_is_braked_by_the_moment_of_rolling_friction(integrator):
    """Rolling without slip along x: the moment acts against the angular velocity about y."""
    arm = 2e-3
    material = pc.Material(
        pc.Restriction(0.0, -0.001, 400.0, 30.0), pc.Friction(0.5, 0.5, 1e-3), pc.Anchor(), pc.SpinFriction(arm)
    )
    system = empty_system(9.81, integrator)
    ground = new_body(system, fixed=True)
    depth = material.normal.rest_distance(9.81)
    body = new_body(system, 1.0, (0, 0, 0.1 + depth), (0.3, 0, 0), (0, 3.0, 0))
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(body, radius=0.1), pc.Plane(ground), material)
    run(system, 0.1)
    (element,) = contacts.forces()
    assert element["moment"] == pytest.approx([0.0, -arm * element["force"], 0.0], rel=1e-2, abs=1e-6)
    force, torque = contacts.force_on(body)
    lever = np.cross(element["point"] - [body.GetPos().x, body.GetPos().y, body.GetPos().z], force)
    assert torque == pytest.approx(lever + element["moment"], abs=1e-12)
    assert contacts.force_on(ground).force == pytest.approx(-force, abs=1e-12)
    assert abs(body.GetAngVelParent().y) < 3.0


def test_a_contact_without_rolling_friction_has_no_moment():
    system, _, contacts = falling_cube(ROUGH, height=0.0515)
    assert contacts.system is system
    assert contacts.forces()["force"].max() > 0.1
    assert not contacts.forces()["moment"].any()


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_step_may_be_given_by_keyword(integrator):
    ends = []
    for step in (lambda system: system.DoStepDynamics(step_size=1e-4), lambda system: system.DoStepDynamics(1e-4)):
        system, cube, contacts = falling_cube(ROUGH, integrator, height=0.06)
        for _ in range(300):
            step(system)
        assert system.GetChTime() == pytest.approx(0.03)
        ends.append((cube.GetPos().x, cube.GetPos().z, contacts.energy()))
    assert ends[0] == ends[1]
    assert ends[0][2].contact_heat > 0.0


def test_a_wrong_keyword_of_a_step_is_chronos_own_error():
    system, _, _ = falling_cube(height=0.3)
    with pytest.raises(TypeError):
        system.DoStepDynamics(step=1e-4)
    system.DoStepDynamics(1e-4)


@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "runge_kutta"])
def test_momentum_of_an_isolated_pair_is_kept(integrator):
    system = empty_system(0.0, integrator)
    first = new_body(system, 1.0, (0, 0, 0), (1.0, 0.2, 0.0), (0, 0, 5.0))
    second = new_body(system, 2.0, (0.25, 0.01, 0.02), (-0.5, 0.0, 0.1), (1.0, 0, 0))
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(first, radius=0.1), pc.Sphere(second, radius=0.1), ROUGH)

    def momenta():
        linear, angular = np.zeros(3), np.zeros(3)
        for body, mass in ((first, 1.0), (second, 2.0)):
            p, v, w = (np.array([q.x, q.y, q.z]) for q in (body.GetPos(), body.GetPosDt(), body.GetAngVelParent()))
            linear += mass * v
            angular += mass * np.cross(p, v) + 0.4 * mass * 0.01 * w
        return linear, angular

    before = momenta()
    run(system, 0.2, 2e-5)
    after = momenta()
    assert contacts.energy().friction_heat > 1e-4
    assert after[0] == pytest.approx(before[0], abs=1e-13)
    assert after[1] == pytest.approx(before[1], abs=1e-5 if integrator == "euler_implicit_linearized" else 1e-8)


def test_order_of_adding_does_not_matter():
    ends = []
    for order in (1, -1):
        system = empty_system()
        ground = new_body(system, fixed=True)
        balls = [new_body(system, 1.0, (0.3 * i, 0, 0.12), (0, 0.5, 0)) for i in range(3)]
        contacts = pc.attach(system)
        for ball in balls[::order]:
            contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), ROUGH)
        run(system, 0.3)
        ends.append([(b.GetPos().x, b.GetPos().y, b.GetPos().z) for b in balls])
    assert ends[0] == ends[1]


def test_result_does_not_depend_on_the_frame():
    """The same slide along x and along a direction in the plane that is no axis."""
    ends = []
    for angle in (0.0, 0.7):
        system = empty_system()
        ground = new_body(system, fixed=True)
        direction = np.array([np.cos(angle), np.sin(angle), 0.0])
        ball = new_body(system, 1.0, (0, 0, 0.101), 0.5 * direction)
        pc.attach(system).add(pc.Points(ball, [(0, 0, 0)], 0.1), pc.Plane(ground), ROUGH)
        run(system, 0.3)
        ends.append(float(direction @ [ball.GetPos().x, ball.GetPos().y, ball.GetPos().z]))
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_pairs_come_and_go_while_it_runs():
    system, cube, contacts = falling_cube(height=0.3)
    run(system, 0.05)
    extra = new_body(system, 1.0, (5, 0, 0.2))
    pair = contacts.add(pc.Sphere(extra, radius=0.1), pc.Plane(system.GetBodies()[0]), SMOOTH)
    run(system, 0.4)
    assert cube.GetPos().z > 0.04
    assert extra.GetPos().z > 0.09
    contacts.remove(pair)
    run(system, 1.0)
    assert extra.GetPos().z < -1.0  # nothing holds it any more
    assert cube.GetPos().z > 0.04
    with pytest.raises(ParameterError, match=r"there is no pair 7.*\(stops and friction of joints: remove_joint\)"):
        contacts.remove(7)


def test_detach_and_attach_again():
    system, cube, contacts = falling_cube(height=0.2)
    contacts.detach()
    run(system, 0.3)
    assert cube.GetPos().z < -0.1
    cube.SetPos(cube.GetPos() * 0.0 + type(cube.GetPos())(0, 0, 0.3))
    again = pc.attach(system)
    again.add(pc.Box(cube, 0.1, 0.002), pc.Plane(system.GetBodies()[0]), SMOOTH)
    run(system, 1.0)
    assert cube.GetPos().z > 0.04


def test_a_detached_attachment_takes_nothing_on():
    system, cube, contacts = falling_cube(height=0.2)
    ground = system.GetBodies()[0]
    run(system, 0.01)
    contacts.detach()
    for late in (
        lambda: contacts.add(pc.Box(cube, 0.1, 0.002), pc.Plane(ground), SMOOTH),
        lambda: contacts.add_all([]),
        lambda: contacts.add_sliding(cube, ground, pc.Dissipation(1.0, 1.0, 1e-3)),
        lambda: contacts.take_over(SMOOTH),
        lambda: core_of(contacts).register(cube),
    ):
        with pytest.raises(ParameterError, match=r"^this attachment was detached: call attach\(system\) again$"):
            late()
    assert len(system.GetOtherPhysicsItems()) == 0  # no load that nobody keeps alive


def test_no_pairs_at_all_may_be_added():
    system = empty_system()
    new_body(system)
    assert pc.attach(system).add_all([]) == []
    run(system, 1e-3)


def test_two_attachments_on_one_system_add_up():
    system = empty_system()
    ground, ball = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.101))
    for _ in range(2):
        pc.attach(system).add(
            pc.Sphere(ball, radius=0.1), pc.Plane(ground), pc.Material(pc.Restriction(0.0, -0.001, 40.0, 50.0))
        )
    run(system, 1.0)
    law = pc.Restriction(0.0, -0.001, 40.0, 50.0)
    assert ball.GetPos().z - 0.1 == pytest.approx(law.rest_distance(9.81 / 2), abs=1e-7)


def test_dropped_reference_does_not_end_the_contact():
    system, cube, contacts = falling_cube(height=0.2)
    del contacts
    gc.collect()
    run(system, 0.5)
    assert cube.GetPos().z > 0.04


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda c, s, a, b, g, h: c.add(pc.Sphere(a, radius=0.1), pc.Sphere(a, radius=0.1), SMOOTH),
            "of the same body",
        ),
        (lambda c, s, a, b, g, h: c.add(pc.Plane(g), pc.Sphere(h, radius=0.1), SMOOTH), "both bodies are fixed"),
        (
            lambda c, s, a, b, g, h: c.add(pc.Sphere(b, radius=0.1), pc.Plane(g), SMOOTH),
            "'stray' is not in this system",
        ),
        (lambda c, s, a, b, g, h: c.add(pc.Sphere(a, radius=0.1), pc.Plane(g), RESTRICTION), "must be a Material"),
        (
            lambda c, s, a, b, g, h: c.add(a, g, SMOOTH),
            r"^shape must be a Sphere, .* Shape, got ChBody$",
        ),
        (lambda c, s, a, b, g, h: c.add(pc.Sphere(a, radius=0.1), None, SMOOTH), "shape must .* got None$"),
        (lambda c, s, a, b, g, h: pc.attach(object()), r"^system must be a ChSystem, such as .*, got object$"),
        (
            lambda c, s, a, b, g, h: pc.attach(None),
            "^system must be a ChSystem, such as .*, got None$",
        ),
        (lambda c, s, a, b, g, h: pc.attach(type(s)), "^system must be a ChSystem, .* got the class ChSystemSMC$"),
        (lambda c, s, a, b, g, h: pc.Sphere(a, 0.1), r"^at must be three .* got 0.1: .* Sphere\(body, radius=0.1\)$"),
        (lambda c, s, a, b, g, h: pc.Sphere(0.1, a), "^body must be a ChBody, got 0.1$"),
        (lambda c, s, a, b, g, h: pc.Plane(a, a), "^at must be three finite numbers, got ChBody$"),
    ],
)
def test_misuse_is_refused_in_one_sentence(make, message):
    system, other = empty_system(), empty_system()
    a, g, h = new_body(system), new_body(system, fixed=True), new_body(system, fixed=True)
    b = new_body(other, name="stray")
    with pytest.raises(ParameterError, match=message):
        make(pc.attach(system), system, a, b, g, h)


def test_the_last_body_that_moves_is_missed_before_chrono_steps():
    """Chrono's direct solvers end the process where nothing is left to solve for: a process of its own."""
    code = textwrap.dedent("""
        import sys
        sys.path.insert(0, sys.argv[1])
        import pychrono
        from scene import falling_cube, run
        from chrono_powercontact.errors import SystemChangedError
        system, cube, contacts = falling_cube(height=0.3)
        system.SetSolverType(pychrono.ChSolver.Type_SPARSE_LU)
        run(system, 0.01)
        system.RemoveBody(cube)
        for _ in range(2):
            try:
                system.DoStepDynamics(1e-4)
            except SystemChangedError as error:
                print(error)
    """)
    folder = str(__import__("pathlib").Path(__file__).parents[1] / "support")
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("nothing in this system can move") == 2


def test_the_pointer_that_a_body_gives_stands_for_its_system():
    system, cube, contacts = falling_cube(height=0.3)
    assert pc.attach(cube.GetSystem()).system is system
    assert contacts.system is system


def test_a_system_is_stepped_in_a_thread():
    from threading import Thread

    ends = []
    for threaded in (True, False):
        system, cube, _ = falling_cube(ROUGH, height=0.1)
        if threaded:
            thread = Thread(target=run, args=(system, 0.2))
            thread.start()
            thread.join()
        else:
            run(system, 0.2)
        ends.append((cube.GetPos().x, cube.GetPos().z))
    assert ends[0] == ends[1]


def test_an_error_in_a_thread_is_raised_there():
    from threading import Thread

    system, cube, _ = falling_cube(height=0.1)
    cube.SetPosDt(cube.GetPosDt() * float("nan"))
    caught = []

    def work():
        try:
            system.DoStepDynamics(1e-4)
        except SystemChangedError as error:
            caught.append(error)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert len(caught) == 1


def test_systems_side_by_side_do_not_know_each_other():
    alone, cube, _ = falling_cube(ROUGH, height=0.1)
    run(alone, 0.2)
    pair = [falling_cube(ROUGH, height=0.1) for _ in range(2)]
    for _ in range(2000):
        for system, _, _ in pair:
            system.DoStepDynamics(1e-4)
    for _, other, _ in pair:
        assert (other.GetPos().x, other.GetPos().z) == (cube.GetPos().x, cube.GetPos().z)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_the_step_may_change_from_step_to_step(integrator):
    system, cube, contacts = falling_cube(SMOOTH, integrator, height=0.06)
    steps = np.random.default_rng(1).uniform(2e-5, 2e-4, 1500)
    for step in steps:
        system.DoStepDynamics(float(step))
    assert system.GetChTime() == pytest.approx(steps.sum())
    assert contacts.energy().contact_heat > 0.0
    assert cube.GetPos().z > 0.04
    if integrator == "euler_implicit_linearized":
        assert abs(contacts.energy().error) < 1e-12


def test_a_state_that_is_not_finite_is_named():
    system, cube, contacts = falling_cube(height=0.3)
    run(system, 0.01)
    cube.SetPosDt(cube.GetPosDt() * float("nan"))
    with pytest.raises(SystemChangedError, match=r"the state of 'cube' is not finite at 0\.01"):
        run(system, 0.02)
    assert contacts.energy is not None


def test_an_exception_in_a_part_surfaces_with_its_own_traceback():
    system, _, contacts = falling_cube(height=0.3)

    class Broken:
        contacts = memories = ()

        def prepare(self, at):
            """A part may get ready for a step."""

        def evaluate(self, at, q, totals):
            raise ZeroDivisionError("in a user's law")

    core_of(contacts).parts.append(Broken())
    with pytest.raises(ZeroDivisionError, match="in a user's law") as caught:
        system.DoStepDynamics(1e-4)
    assert any("evaluate" in str(entry.name) for entry in caught.traceback)
    core_of(contacts).parts.clear()
    system.DoStepDynamics(1e-4)  # the process lives and goes on


def test_ledger_is_printed_with_its_error():
    ledger = Energy(1.0, 2.0, 3.0, -5.75)
    assert str(ledger) == (
        "stored 1 J, contact heat 2 J, friction heat 3 J, handed back 0 J, exchanged -5.75 J, "
        "taken by the step 0 J, unpaid 0 J, error 0.25 J"
    )


def test_ledger_closes_with_the_step():
    errors = []
    for step in (4e-5, 1e-5):
        system, _, contacts = falling_cube(SMOOTH, "runge_kutta", height=0.15)
        run(system, 0.25, step)
        ledger = contacts.energy()
        errors.append(abs(ledger.error) / ledger.contact_heat)
    assert errors[1] < 1e-3
    assert errors[1] < 0.2 * errors[0]


def test_thousands_of_attachments_do_not_leak():
    """The first ones fill the interpreter's cache of attribute lookups with names; later ones must add nothing."""
    system = empty_system()
    ground, ball = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.2))
    cycles = 200
    smallest = 16  # bytes of the smallest block that Python hands out

    def held_after_cycles():
        for _ in range(cycles):
            contacts = pc.attach(system)
            contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), SMOOTH)
            contacts.detach()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    held = [held_after_cycles() for _ in range(4)]
    tracemalloc.stop()
    assert np.diff(held).min() < smallest * cycles


def test_memory_stays_flat_while_stepping():
    system, _, _ = falling_cube(ROUGH, height=0.06)
    run(system, 0.1)
    tracemalloc.start()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    run(system, 1.1)
    gc.collect()
    growth = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert growth < 60_000


def test_a_system_that_ends_takes_its_attachments_along():
    code = textwrap.dedent("""
        import gc, sys
        sys.path.insert(0, sys.argv[1])
        from scene import falling_cube, run
        from chrono_powercontact.chrono import attachment
        for _ in range(20):
            system, cube, contacts = falling_cube(height=0.1)
            run(system, 0.05)
            del system, cube, contacts
            gc.collect()
        print(len(attachment._ALIVE))
    """)
    folder = str(__import__("pathlib").Path(__file__).parents[1] / "support")
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "0"
