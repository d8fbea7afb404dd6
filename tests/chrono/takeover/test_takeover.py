import gc

import numpy as np
import pytest
from scene import chronos_contacts, run
from taken import GRIP, LAW, SLICK, ball, colliding_system, plate, prism_hull, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono, tighten
from chrono_powercontact.errors import ParameterError, SystemChangedError

pytestmark = pytest.mark.chrono

METHODS = ["smc", "nsc"]


def resting(method="smc", bullet=True):
    """A ball a little above a plate."""
    system, surface = colliding_system(method, bullet=bullet)
    ground = plate(system, surface)
    return system, surface, ground, ball(system, surface, at=(0, 0, 0.1002), name="ball")


@pytest.mark.parametrize("method", METHODS)
def test_a_ball_rests_where_our_law_carries_it(method):
    system, _, _, body = resting(method)
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    run(system, 0.5)
    assert chronos_contacts(system) == 0
    assert body.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81), abs=1e-9)
    assert contacts.forces()["force"].sum() == pytest.approx(9.81, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_detach_gives_chronos_own_contact_back(method):
    system, _, ground, body = resting(method)
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    run(system, 0.1)
    assert not body.GetCollisionModel().HasImplementation()
    assert body.IsCollisionEnabled()
    contacts.detach()
    run(system, 0.4)
    assert chronos_contacts(system) > 0
    assert all(item.GetCollisionModel().HasImplementation() for item in (ground, body))
    assert body.GetPos().z > 0.09


@pytest.mark.parametrize("bullet", [True, False])
def test_a_collision_system_is_not_needed(bullet):
    system, _, _, body = resting(bullet=bullet)
    pc.attach(system).take_over(SLICK)
    run(system, 0.3)
    assert body.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81), abs=1e-6)


@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "runge_kutta", "hht"])
def test_taken_shapes_move_like_named_ones(integrator):
    """A tumbling box on a plate, once by take_over and once by naming the same shapes."""
    ends = []
    for taking in (True, False):
        system, surface = colliding_system(integrator=integrator, bullet=taking)
        tighten(system)
        ground = plate(system, surface)
        shape = pychrono().ChCollisionShapeBox(surface, 0.2, 0.3, 0.1)
        cube = shaped_body(system, shape, at=(0, 0, 0.2), velocity=(0.5, 0, 0))
        cube.SetAngVelLocal(pychrono().ChVector3d(3, 2, 1))
        contacts = pc.attach(system)
        if taking:
            contacts.take_over(GRIP)
        else:
            r, thick = 0.02 * 0.05, 0.02 * 0.1
            cores = pc.Box(cube, (0.2 - 2 * r, 0.3 - 2 * r, 0.1 - 2 * r), r)
            contacts.add(cores, pc.Box(ground, (4 - 2 * thick, 4 - 2 * thick, 0.2 - 2 * thick), thick), GRIP)
        run(system, 0.3)
        place, turn = cube.GetPos(), cube.GetRot()
        ends.append((place.x, place.y, place.z, turn.e0, turn.e1, turn.e2, turn.e3))
        assert contacts.energy().friction_heat > 1e-3
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_shapes_of_a_body_with_an_auxiliary_frame_are_where_chrono_has_them():
    """The centre of mass is 0.3 above the reference frame and turned; the sphere is 0.05 beside that frame."""
    chrono = pychrono()
    system, surface = colliding_system(gravity=(0, 0, 0))
    plate(system, surface)
    body = chrono.ChBodyAuxRef()
    body.AddCollisionShape(
        chrono.ChCollisionShapeSphere(surface, 0.1), chrono.ChFramed(chrono.ChVector3d(0.05, 0, 0.02))
    )
    body.EnableCollision(True)
    body.SetFrameCOMToRef(chrono.ChFramed(chrono.ChVector3d(0, 0, 0.3), chrono.QuatFromAngleX(0.7)))
    body.SetFrameRefToAbs(chrono.ChFramed(chrono.ChVector3d(0.4, 0, 0.0795), chrono.QuatFromAngleZ(np.pi / 2)))
    system.AddBody(body)
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    row = contacts.forces()[0]
    assert row["gap"] == pytest.approx(0.0795 + 0.02 - 0.1, abs=1e-14)
    assert row["point"][:2] == pytest.approx((0.4, 0.05), abs=1e-14)


def test_forces_lists_taken_and_named_contacts():
    system, _, ground, _ = resting()
    other = ball(system, pychrono().ChContactMaterialSMC(), at=(1, 0, 0.0999), name="other")
    other.EnableCollision(False)
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    pair = contacts.add(pc.Sphere(other, radius=0.1), pc.Plane(ground, at=(0, 0, 0.1)), SLICK)
    run(system, 0.3)
    rows = contacts.forces()
    assert rows["pair"].tolist() == [pair, -1]
    assert rows["body_a"].tolist() == ["other", "ball"]
    assert rows["body_b"].tolist() == ["plate", "plate"]
    assert rows["normal"] == pytest.approx(np.array([(0.0, 0, 1)] * 2))


def two_balls(**options):
    system, surface = colliding_system(gravity=(0, 0, 0))
    bodies = [ball(system, surface, at=(0.0, 0, 0), name="a"), ball(system, surface, at=(0.1999, 0, 0), name="b")]
    return system, surface, bodies


def felt(system, contacts):
    system.DoStepDynamics(1e-6)
    return len(contacts.forces())


def test_families_disabled_and_fixed_bodies_are_respected():
    system, _, (a, b) = two_balls()
    contacts = pc.attach(system)
    taken = contacts.take_over(SLICK)
    assert felt(system, contacts) == 1
    a.GetCollisionModel().SetFamily(3)
    b.GetCollisionModel().DisallowCollisionsWith(3)
    taken.refresh()
    assert felt(system, contacts) == 0
    b.GetCollisionModel().AllowCollisionsWith(3)
    taken.refresh()
    assert felt(system, contacts) == 1
    for body in (a, b):
        body.SetFixed(True)
    taken.refresh()
    assert felt(system, contacts) == 0
    a.SetFixed(False)
    b.EnableCollision(False)
    taken.refresh()
    assert felt(system, contacts) == 0
    b.EnableCollision(True)
    taken.refresh()
    assert felt(system, contacts) == 1
    assert chronos_contacts(system) == 0


def test_shapes_of_one_body_do_not_touch_each_other():
    chrono = pychrono()
    system, surface = colliding_system(gravity=(0, 0, 0))
    shapes = [chrono.ChCollisionShapeSphere(surface, 0.1) for _ in range(2)]
    shaped_body(system, shapes[0], (shapes[1], chrono.ChFramed(chrono.ChVector3d(0.1, 0, 0))))
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    assert felt(system, contacts) == 0


def test_a_body_that_comes_later_joins_at_the_next_step():
    system, surface, ground, _ = resting()
    contacts = pc.attach(system)
    contacts.take_over(SLICK)
    run(system, 0.05)
    late = ball(system, surface, at=(0.5, 0, 0.1), name="late")
    system.GetCollisionSystem().BindItem(late)
    run(system, 0.5)
    assert late.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81), abs=1e-6)
    assert chronos_contacts(system) == 0
    assert ground.IsFixed()


def test_a_collision_system_that_comes_later_is_silenced_too():
    system, _, _, body = resting(bullet=False)
    pc.attach(system).take_over(SLICK)
    run(system, 0.05)
    system.SetCollisionSystemType(pychrono().ChCollisionSystem.Type_BULLET)
    run(system, 0.4)
    assert chronos_contacts(system) == 0
    assert body.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81), abs=1e-6)


def test_materials_by_names_and_by_a_function():
    soft = pc.Material(pc.Restriction(0.0, -0.004, 100.0, 60.0))
    for pairs in ({("plate", "soft"): soft}, lambda a, b: soft if "soft" in (a.GetName(), b.GetName()) else None):
        system, surface = colliding_system()
        plate(system, surface)
        bodies = [ball(system, surface, at=(i, 0, 0.1), name=name) for i, name in enumerate(("hard", "soft"))]
        pc.attach(system).take_over(SLICK, pairs)
        run(system, 0.6)
        rests = [material.normal.rest_distance(9.81) for material in (SLICK, soft)]
        assert [body.GetPos().z - 0.1 for body in bodies] == pytest.approx(rests, abs=1e-6)


def test_a_fault_in_the_users_function_surfaces_with_its_traceback():
    system, surface = colliding_system()
    plate(system, surface)
    ball(system, surface, at=(0, 0, 0.3))

    def faulty(a, b):
        raise ZeroDivisionError("the user's own fault")

    contacts = pc.attach(system)
    contacts.take_over(SLICK, faulty)
    with pytest.raises(ZeroDivisionError, match="own fault") as caught:
        run(system, 0.5)
    assert any(entry.name == "faulty" for entry in caught.traceback)
    contacts.detach()
    system.DoStepDynamics(1e-4)


def test_what_cannot_be_taken_over_is_refused_in_one_sentence(without_coal):
    system, surface, _, _ = resting()
    contacts = pc.attach(system)
    with pytest.raises(ParameterError, match="rounding must lie between 0 and 1, got 1"):
        contacts.take_over(SLICK, rounding=1.0)
    with pytest.raises(ParameterError, match="skin must be greater than 0"):
        contacts.take_over(SLICK, skin=0.0)
    with pytest.raises(ParameterError, match="must be a Material, got str"):
        contacts.take_over("steel")
    with pytest.raises(ParameterError, match="two body names"):
        contacts.take_over(SLICK, {"plate": SLICK})
    with pytest.raises(KeyError, match="did you mean 'plate'"):
        contacts.take_over(SLICK, {("plat", "ball"): SLICK})
    contacts.take_over(SLICK)
    for attachment in (contacts, pc.attach(system)):
        with pytest.raises(ParameterError, match="have already been taken over"):
            attachment.take_over(SLICK)
    empty = pychrono().ChSystemSMC()
    with pytest.raises(ParameterError, match=r"no body .* EnableCollision"):
        pc.attach(empty).take_over(SLICK)
    bare, surface = colliding_system(bullet=False)
    shaped_body(bare, prism_hull(surface), name="hull")
    with pytest.raises(ParameterError, match=r"'hull' need Chrono's collision detection"):
        pc.attach(bare).take_over(SLICK)


def test_a_refused_take_over_leaves_chronos_contact_alone():
    system, _, _, body = resting()
    contacts = pc.attach(system)
    with pytest.raises(ParameterError):
        contacts.take_over(SLICK, {"plate": SLICK})
    run(system, 0.3)
    assert chronos_contacts(system) > 0
    assert body.GetPos().z > 0.09


def test_taking_over_again_after_detach():
    system, _, _, body = resting()
    for _ in range(3):
        contacts = pc.attach(system)
        contacts.take_over(SLICK)
        run(system, system.GetChTime() + 0.1)
        contacts.detach()
    gc.collect()
    assert body.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81), abs=1e-3)


def test_kept_detection_still_sees_the_bodies_but_adds_no_force():
    system, _, _, body = resting()
    pc.attach(system).take_over(SLICK, keep_detection=True)
    run(system, 0.3)
    assert body.GetCollisionModel().HasImplementation()
    assert chronos_contacts(system) == 0
    assert body.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81), abs=1e-6)


def test_a_state_that_is_not_finite_names_the_body_even_far_from_any_contact():
    system, surface, _, _ = resting()
    lost = ball(system, surface, at=(0, 0, 5), name="lost")
    pc.attach(system).take_over(SLICK)
    run(system, 0.01)
    lost.SetPos(pychrono().ChVector3d(float("nan"), 0, 0))
    with pytest.raises(SystemChangedError, match="'lost' is not finite at"):
        system.DoStepDynamics(1e-4)


def test_a_dropped_attachment_goes_on_working():
    system, _, _, body = resting()
    pc.attach(system).take_over(SLICK)
    gc.collect()
    run(system, 0.3)
    assert body.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(9.81), abs=1e-6)


def heap(material=GRIP, skin=None, shift=(0.0, 0.0, 0.0), order=1):
    """Twelve balls that fall into a heap between blocks; their places relative to the shift."""
    chrono = pychrono()
    system, surface = colliding_system()
    random = np.random.default_rng(3)
    places = [(*random.uniform(-0.1, 0.1, 2), 0.15 + 0.12 * i) for i in range(12)]
    floor = chrono.ChCollisionShapeBox(surface, 2.0, 2.0, 0.2)
    shaped_body(system, floor, at=np.add((0, 0, -0.1), shift), fixed=True)
    for x, y in ((0.3, 0), (-0.3, 0), (0, 0.3), (0, -0.3)):
        block = chrono.ChCollisionShapeBox(surface, 0.2, 0.2, 0.8)
        shaped_body(system, block, at=np.add((x, y, 0.4), shift), fixed=True)
    bodies = {i: ball(system, surface, radius=0.06, at=np.add(places[i], shift)) for i in range(12)[::order]}
    contacts = pc.attach(system)
    taken = contacts.take_over(material, skin=skin)
    run(system, 0.27)
    ends = np.array([(p.x, p.y, p.z) for p in (bodies[i].GetPos() for i in range(12))])
    return ends - shift, taken.near.rebuilds, contacts.energy()


def test_motion_does_not_depend_on_the_skin_or_the_place():
    """How often near shapes are searched changes nothing at all, where the heap is changes round-off only."""
    ends, rebuilds, energy = heap()
    assert energy.friction_heat > 0.1
    often, more, _ = heap(skin=1e-4)
    assert more > 1.2 * rebuilds
    assert np.array_equal(often, ends)
    assert heap(shift=(8.0, -4.0, 2.0))[0] == pytest.approx(ends, abs=1e-10)


def test_motion_does_not_depend_on_the_order_of_the_bodies():
    ends, _, energy = heap(SLICK)
    assert energy.contact_heat > 0.1
    assert heap(SLICK, order=-1)[0] == pytest.approx(ends, abs=1e-10)


def test_momentum_of_an_isolated_pair_is_conserved():
    system, surface = colliding_system(gravity=(0, 0, 0))
    shape = pychrono().ChCollisionShapeBox(surface, 0.2, 0.2, 0.2)
    pair = [
        ball(system, surface, at=(0, 0, 0), velocity=(1, 0, 0), mass=1.0),
        shaped_body(system, shape, at=(0.3, 0.05, 0.02), velocity=(-1, 0.2, 0), mass=2.0, inertia=0.02),
    ]
    contacts = pc.attach(system)
    contacts.take_over(GRIP)

    def momentum():
        speeds = [body.GetPosDt() for body in pair]
        return sum(b.GetMass() * np.array((v.x, v.y, v.z)) for b, v in zip(pair, speeds, strict=True))

    before = momentum()
    run(system, 0.2)
    assert contacts.energy().contact_heat > 1e-2
    assert momentum() == pytest.approx(before, abs=1e-12)


def test_implicit_steps_use_the_jacobian_of_taken_contacts():
    """A step that is too large without the Jacobian is stable with it."""
    chrono, heights = pychrono(), {}
    stiff = pc.Material(pc.Restriction(0.0, -0.001, 4000.0, 0.3))
    for jacobian in (False, True):
        system, surface = colliding_system(integrator="euler_implicit_linearized")
        system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
        plate(system, surface)
        body = ball(system, surface, at=(0, 0, 0.1))
        pc.attach(system, stepping="explicit", jacobian=jacobian).take_over(stiff)
        run(system, 2.0, 0.02)
        heights[jacobian] = abs(body.GetPos().z - 0.1 - stiff.normal.rest_distance(9.81))
    assert heights[True] < 1e-6 < heights[False]
