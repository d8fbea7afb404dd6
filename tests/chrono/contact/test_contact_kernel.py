"""The stages of the contact kernel, one by one, and the whole of it in any frame."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact import contact_kernel as ck
from chrono_powercontact.chrono.contact import geometry as g
from chrono_powercontact.chrono.contact.bodies import Bodies, rotations
from chrono_powercontact.chrono.contact.contact_table import material_record
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.geometry import Gap
from chrono_powercontact.chrono.contact.records import (
    BOOK,
    ELEMENT,
    GEOMETRY,
    MATERIAL,
    MEMORY,
    REPORT,
    TOTALS,
    empty,
    flat,
)
from chrono_powercontact.laws.friction.memory import memory_follow

NORMAL = pc.Restriction(0.0, -1e-3, 400.0, 3.0)
RUBBING = pc.Friction(0.5, 0.6, 1e-3, 2e-3, 0.0, 1e-6)
SPIN = pc.SpinFriction(2e-3)
FILTER = pc.LPVFilter(1e-3, 1e-3)
MATERIALS = {
    "smooth": pc.Material(NORMAL),
    "rough": pc.Material(NORMAL, RUBBING),
    "filtered": pc.Material(NORMAL, RUBBING, FILTER),
    "anchored": pc.Material(NORMAL, RUBBING, pc.Anchor()),
    "spinning": pc.Material(NORMAL, RUBBING, pc.Anchor(), SPIN, SPIN),
    "bristles": pc.Material(NORMAL, pc.LuGre(0.5, 0.6, 0.01, 1e4, 10.0, 0.1)),
    "hertz": pc.Material(pc.Hertz(0.0, 1e6, 0.3), RUBBING, FILTER, rolling=SPIN),
}
UP = (0.0, 0.0, 1.0)
GAP = Gap(-5e-4, UP, (0.0, 0.0, 0.0), 1.0)
TRIAL, COMMIT, ONCE = ck.Clock(1e-4, False, False), ck.Clock(1e-4, True, False), ck.Clock(1e-4, True, True)
PAIR = np.array([(g.SPHERE_PLANE, 0, 1, 0)], ELEMENT)[0]

every_material = pytest.mark.parametrize("material", MATERIALS.values(), ids=MATERIALS)


class _Body:
    IsFixed = GetIdentifier = None


def record_of(material):
    return np.array([material_record(material)], MATERIAL)[0]


def two_bodies(velocity=(0, 0, 0), spin=(0, 0, 0), at=(0.0, 0.0, 0.1), turn=None):
    """A ball of 0.1 m over the origin with a velocity and an angular velocity (its own frame), and a body at rest."""
    x, w, r = np.zeros(14), np.zeros(12), np.zeros((2, 3, 3))
    x[:3], x[10] = at, 1.0
    x[3:7] = np.roll((turn or Rotation.identity()).as_quat(), 1)
    w[:3], w[3:6] = velocity, spin
    rotations(x, r)
    return Bodies(x, w, r)


def carry(material, own, slip=(0.0, 0.0, 0.0), clock=TRIAL, bodies=None, gap=GAP):
    bodies = bodies or two_bodies(slip)
    return ck.carry_memory(bodies, PAIR, record_of(material), own, gap, tuple(map(float, slip)), clock)


def ask(material, own, speed=0.0, slip=(0.0, 0.0, 0.0), clock=TRIAL, gap=GAP):
    carried = carry(material, own, slip, clock, gap=gap)
    return carried, ck.ask_laws(record_of(material), own, gap, speed, tuple(map(float, slip)), carried, clock)


def remembering(**values):
    """The memory of an element that has touched."""
    own = empty(MEMORY, 1)[0]
    own["normal"] = UP
    own["load"] = 50.0
    for name, value in values.items():
        own[name] = value
    return own


# --- carry_memory --------------------------------------------------------------------------------------------------


def test_nothing_is_carried_before_the_first_commit():
    carried = carry(MATERIALS["filtered"], empty(MEMORY, 1)[0])
    assert carried.fresh
    assert carried.held == carried.earlier == carried.turn == (0.0, 0.0, 0.0)
    assert (carried.psi, carried.psi_rate, carried.gain) == (0.0, 0.0, 0.0)


def test_a_remembered_force_turns_with_the_contact():
    """Both bodies turn about the normal with 2 rad/s: so does what is remembered."""
    own = remembering(held=(3.0, 0.0, 0.0), earlier=(0.0, 4.0, 0.0))
    bodies = two_bodies(spin=(0, 0, 2.0))
    bodies.w[11] = 2.0
    carried = carry(MATERIALS["filtered"], own, clock=ck.Clock(0.1, False, False), bodies=bodies)
    assert not carried.fresh
    assert carried.held == pytest.approx((3.0 * math.cos(0.2), 3.0 * math.sin(0.2), 0.0))
    assert carried.earlier == pytest.approx((-4.0 * math.sin(0.2), 4.0 * math.cos(0.2), 0.0))


def test_where_forces_are_asked_for_once_a_step_the_earlier_force_does_not_count():
    own = remembering(held=(3.0, 0.0, 0.0), earlier=(0.0, 4.0, 0.0))
    assert carry(MATERIALS["filtered"], own, clock=ONCE).earlier == (0.0, 0.0, 0.0)


def test_a_new_anchor_is_stretched_by_the_velocity_and_an_old_one_by_the_displacement_of_its_marks():
    fresh = carry(MATERIALS["anchored"], empty(MEMORY, 1)[0], (0.01, 0.0, 0.0))
    assert fresh.held == pytest.approx((1e-6, 0.0, 0.0))
    own = remembering(held=(1e-6, 0.0, 0.0), mark_a=(0.0, 0.0, -0.1), mark_b=(0.0, 0.0, 0.0))
    moved = carry(MATERIALS["anchored"], own, bodies=two_bodies(at=(2e-6, 1e-6, 0.1)))
    assert moved.held == pytest.approx((3e-6, 1e-6, 0.0), abs=1e-15)
    assert moved.psi > 0.0
    assert moved.gain == moved.psi
    assert moved.psi_rate == pytest.approx(moved.gain / 1e-4)


def test_rolling_and_spinning_anchors_are_turned_by_the_relative_rotation():
    bodies = two_bodies(spin=(0.3, 0.0, 0.2))
    carried = carry(MATERIALS["spinning"], empty(MEMORY, 1)[0], bodies=bodies, clock=TRIAL)
    assert carried.turning == pytest.approx((0.3, 0.0, 0.2))
    assert carried.turn == pytest.approx((3e-5, 0.0, 2e-5), rel=1e-12)


@every_material
def test_carrying_writes_nothing(material):
    own = remembering(held=(1e-6, 0.0, 0.0), turn=(1e-5, 0.0, 0.0))
    before = own.copy()
    carry(material, own, (0.01, 0.0, 0.0))
    ask(material, own, -0.1, (0.01, 0.0, 0.0), COMMIT)
    assert own == before


# --- ask_laws ------------------------------------------------------------------------------------------------------


def test_the_normal_law_is_asked_at_the_gap():
    _, acting = ask(MATERIALS["smooth"], empty(MEMORY, 1)[0], -0.2)
    assert acting.force == pytest.approx(float(NORMAL.force(-5e-4, -0.2)), rel=1e-13)
    assert acting.elastic == pytest.approx(float(NORMAL.force(-5e-4, 0.0)), rel=1e-13)
    assert acting.activation == pytest.approx(float(NORMAL.activation(-5e-4)), rel=1e-13)
    assert acting.friction == acting.moment == (0.0, 0.0, 0.0)


def test_a_law_counts_its_distance_from_its_own_s_0():
    shifted = pc.Material(pc.Restriction(0.01, 0.009, 400.0, 3.0))
    _, acting = ask(shifted, empty(MEMORY, 1)[0], -0.2)
    assert acting.force == pytest.approx(float(NORMAL.force(-5e-4, -0.2)), rel=1e-9)


def test_a_weighted_element_counts_as_much_as_its_weight():
    half = Gap(GAP.gap, GAP.normal, GAP.point, 0.5)
    _, whole = ask(MATERIALS["rough"], empty(MEMORY, 1)[0], -0.2, (0.01, 0.0, 0.0))
    _, part = ask(MATERIALS["rough"], empty(MEMORY, 1)[0], -0.2, (0.01, 0.0, 0.0), gap=half)
    for name in ("force", "elastic", "activation", "friction"):
        np.testing.assert_allclose(getattr(part, name), 0.5 * np.array(getattr(whole, name)), rtol=1e-13)


def test_friction_without_memory_is_the_static_law_along_the_sliding():
    _, acting = ask(MATERIALS["rough"], empty(MEMORY, 1)[0], 0.0, (0.03, -0.04, 0.0))
    wanted = float(RUBBING.force(0.05, acting.force)) * np.array((0.6, -0.8, 0.0))
    assert acting.friction == pytest.approx(wanted, rel=1e-6)
    assert acting.static == acting.friction


def test_an_anchor_holds_at_rest_and_stretches_the_contact():
    own = remembering(held=(2e-6, 0.0, 0.0), mark_a=(0.0, 0.0, -0.1))
    carried, acting = ask(MATERIALS["anchored"], own)
    assert acting.held == carried.held == pytest.approx((2e-6, 0.0, 0.0))
    assert acting.friction[0] > 0.1 * acting.force
    own["psi"] = carried.psi  # as after a commit there: nothing moves
    _, still = ask(MATERIALS["anchored"], own)
    assert still.force == pytest.approx(float(NORMAL.force(-5e-4 - carried.psi, 0.0)), rel=1e-12)


def test_rolling_friction_is_a_moment_against_the_relative_rotation():
    material = pc.Material(NORMAL, rolling=SPIN)
    bodies, own = two_bodies(spin=(0.0, 5.0, 0.0)), remembering(turn=(0.0, 1.0, 0.0))
    carried = carry(material, own, bodies=bodies)
    acting = ck.ask_laws(record_of(material), own, GAP, 0.0, (0.0, 0.0, 0.0), carried, TRIAL)
    assert acting.moment == pytest.approx((0.0, 2e-3 * acting.force, 0.0), rel=1e-9, abs=1e-12)


# --- scatter -------------------------------------------------------------------------------------------------------

vectors = st.tuples(*[st.floats(-1.0, 1.0)] * 3)


@given(vectors, vectors, vectors, vectors, st.floats(0.0, 100.0))
@settings(max_examples=40, deadline=None)
def test_action_and_reaction_leave_no_resultant_force_nor_moment(at, turn, friction, moment, force):
    bodies = two_bodies(at=at, turn=Rotation.from_rotvec(turn))
    acting = ck.Acting(force, force, 1.0, friction, friction, 1.0, friction, moment)
    q = np.zeros(12)
    ck.scatter(bodies, PAIR, Gap(0.0, (0.0, 0.6, 0.8), (0.3, -0.2, 0.1), 1.0), acting, True, q)
    on_a, on_b = q[:3], q[6:9]
    assert on_a == pytest.approx(force * np.array((0.0, 0.6, 0.8)) - friction, abs=1e-12)
    assert on_a + on_b == pytest.approx(np.zeros(3), abs=1e-12)
    about_origin = bodies.r[0] @ q[3:6] + np.cross(at, on_a) + bodies.r[1] @ q[9:12]
    assert about_origin == pytest.approx(np.zeros(3), abs=1e-10)


def test_scattering_adds_to_what_is_there_and_leaves_out_moments_unless_told():
    acting = ck.Acting(2.0, 2.0, 1.0, *[(0.0, 0.0, 0.0)] * 2, 1.0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    q = np.ones(12)
    ck.scatter(two_bodies(), PAIR, GAP, acting, False, q)
    assert q.tolist() == [1, 1, 3, 1, 1, 1, 1, 1, -1, 1, 1, 1]
    ck.scatter(two_bodies(), PAIR, GAP, acting, True, q)
    assert q.tolist() == [1, 1, 5, 0, 1, 1, 1, 1, -3, 2, 1, 1]


# --- powers_of -----------------------------------------------------------------------------------------------------


def powers(material, own, speed, slip, clock=TRIAL):
    carried, acting = ask(material, own, speed, slip, clock)
    made = ck.powers_of(record_of(material), GAP, speed, tuple(map(float, slip)), carried, acting, clock.commit)
    return carried, acting, made


def test_powers_are_those_of_the_laws():
    _, acting, made = powers(MATERIALS["rough"], empty(MEMORY, 1)[0], -0.2, (0.05, 0.0, 0.0))
    assert made.stored == pytest.approx(float(NORMAL.potential(-5e-4)), rel=1e-12)
    assert made.contact == pytest.approx(float(NORMAL.dissipated_power(-5e-4, -0.2)), rel=1e-12)
    assert made.friction == pytest.approx(acting.friction[0] * 0.05, rel=1e-12)


def test_what_an_anchor_takes_up_is_no_heat_of_friction():
    own = remembering(held=(1e-6, 0.0, 0.0), mark_a=(0.0, 0.0, -0.1))
    carried, acting, made = powers(MATERIALS["anchored"], own, 0.0, (0.01, 0.0, 0.0))
    rubbed = np.dot(acting.friction, (0.01, 0.0, 0.0))
    assert made.friction == pytest.approx(rubbed - acting.force * carried.psi_rate, rel=1e-12)


def test_at_a_commit_stored_energy_and_anchors_are_left_to_the_sums():
    own = remembering(held=(1e-6, 0.0, 0.0), mark_a=(0.0, 0.0, -0.1))
    _, acting, made = powers(MATERIALS["anchored"], own, 0.0, (0.01, 0.0, 0.0), COMMIT)
    assert made.stored == 0.0
    assert made.friction == pytest.approx(np.dot(acting.friction, (0.01, 0.0, 0.0)), rel=1e-12)


def test_bristles_follow_the_marks_and_pull_as_a_spring():
    own = remembering(held=(1e-6, 0.0, 0.0), mark_a=(0.0, 0.0, -0.1))
    carried, acting = ask(MATERIALS["bristles"], own)
    assert acting.held == carried.held == pytest.approx((1e-6, 0.0, 0.0))
    assert acting.friction == pytest.approx((1e4 * 1e-6 * acting.force, 0.0, 0.0))
    moved = carry(MATERIALS["bristles"], own, bodies=two_bodies(at=(2e-6, 0.0, 0.1)))
    assert moved.held[0] == pytest.approx(3e-6, rel=0.05)
    assert moved.psi == 0.0


def test_a_filter_follows_a_force_that_grows_quadratically():
    """S(t) = 3 + 200 t + 4e5 t^2 from 1 ms before the commit on, an open filter with 2 ms: exact for a parabola."""
    rate, h, past = 500.0, 1e-3, 1e-3
    force = np.polynomial.Polynomial([3.0, 200.0, 4e5])
    zero = (0.0, 0.0, 0.0)
    growth = (float(force(0.0) - force(-past)) / past, 0.0, 0.0)
    carried = ck.Carried(False, zero, (float(force(0.0)), 0.0, 0.0), zero, zero, 0.0, 0.0, 0.0, growth, past)
    bent = ck.curved(carried, (float(force(h)), 0.0, 0.0), rate, h)[0]
    straight = memory_follow.py_func(1.0, float(force(0.0)), float(force(h)), 1.0, 1.0 / rate, h)
    exact = solve_ivp(lambda t, q: rate * (force(t) - q), (0.0, h), [1.0], rtol=1e-12, atol=1e-14).y[0, -1]
    assert straight + bent == pytest.approx(exact, abs=1e-9)
    assert abs(straight - exact) > 1e-2


def test_a_force_that_jumps_bends_nothing():
    zero = (0.0, 0.0, 0.0)
    carried = ck.Carried(False, zero, (3.0, 0.0, 0.0), zero, zero, 0.0, 0.0, 0.0, (-1e6, 0.0, 0.0), 1e-3)
    assert ck.curved(carried, (3.1, 0.0, 0.0), 500.0, 1e-3) == zero


def test_the_growth_of_static_friction_is_known_from_the_second_commit_on():
    own = remembering(earlier=(1.0, 0.0, 0.0))
    carried = carry(MATERIALS["filtered"], own)
    ck.keep_growth(own, carried, (1.2, 0.0, 0.0), 1e-4)
    assert own["growth"] == pytest.approx((2e3, 0.0, 0.0))
    assert own["since"] == 1e-4
    ck.keep_growth(own, carried, (1.2, 0.0, 0.0), 0.0)
    assert own["since"] == 0.0


# --- commit, forget, report ----------------------------------------------------------------------------------------


def test_forgetting_clears_everything_but_a_wall_that_is_being_passed():
    own = empty(MEMORY, 1)
    flat(own)[:] = 7.0
    ck.forget(own[0])
    assert own["behind"] == 7.0
    own["behind"] = 0.0
    assert not flat(own).any()


@pytest.mark.parametrize("name", ["filtered", "anchored", "spinning", "bristles"])
def test_a_commit_writes_the_memory_as_it_is_now(name):
    material, own, totals = MATERIALS[name], empty(MEMORY, 1)[0], empty(TOTALS, 1)[0]
    carried, acting = ask(material, own, -0.1, (0.01, 0.0, 0.0), COMMIT)
    ck.commit_memory(two_bodies(), PAIR, record_of(material), own, GAP, carried, acting, totals)
    assert own["held"] == pytest.approx(acting.held)
    assert own["earlier"] == pytest.approx(acting.static)
    assert own["normal"] == pytest.approx(UP)
    assert own["turn"] == pytest.approx(carried.turn)
    assert own["turning"] == pytest.approx(carried.turning)
    assert own["gate"] == acting.gate
    assert own["load"] == acting.force
    assert own["surplus"] == acting.force - acting.elastic
    assert own["psi"] == carried.psi
    marked = (0.0, 0.0, -0.1) if name != "filtered" else (0.0, 0.0, 0.0)
    assert own["mark_a"] == pytest.approx(marked)
    assert (totals["anchors_took"], totals["anchors_gave"]) == (0.0, 0.0)  # nothing was remembered before


def test_a_later_commit_sums_what_the_anchors_took_and_gave():
    material = MATERIALS["anchored"]
    own = remembering(held=(1e-6, 0.0, 0.0), surplus=4.0, mark_a=(0.0, 0.0, -0.1))
    totals = empty(TOTALS, 1)[0]
    carried, acting = ask(material, own, -0.1, (0.01, 0.0, 0.0), COMMIT)
    ck.commit_memory(two_bodies(), PAIR, record_of(material), own, GAP, carried, acting, totals)
    assert totals["anchors_took"] == pytest.approx(0.5 * (acting.force + 50.0) * carried.gain)
    surplus = acting.force - acting.elastic
    assert totals["anchors_gave"] == pytest.approx(0.5 * (surplus + 4.0) * carried.gain)


def test_a_commit_out_of_contact_forgets():
    own, totals = remembering(held=(1.0, 0.0, 0.0)), empty(TOTALS, 1)[0]
    zero = (0.0, 0.0, 0.0)
    carried = ck.Carried(False, zero, zero, zero, zero, 0.0, 0.0, 0.0, zero, 0.0)
    acting = ck.Acting(0.0, 0.0, 0.0, zero, zero, 1.0, zero, zero)
    ck.commit_memory(two_bodies(), PAIR, record_of(MATERIALS["filtered"]), own, GAP, carried, acting, totals)
    assert own == empty(MEMORY, 1)[0]


def test_a_report_tells_the_force_on_a_and_first_that_nothing_acts():
    line = empty(REPORT, 1)[0]
    for name in line.dtype.names:
        line[name] = 9.0
    ck.report_gap(line, GAP)
    assert line["gap"] == GAP.gap
    assert line["normal"] == pytest.approx(UP)
    assert all(not np.any(line[name]) for name in ("force", "activation", "stored", "friction", "moment", "point"))
    acting = ck.Acting(3.0, 2.0, 0.5, (1.0, 2.0, 0.0), (0.0, 0.0, 0.0), 1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 4.0))
    ck.report_forces(line, acting, ck.Powers(5.0, 6.0, 7.0))
    assert (line["force"], line["activation"]) == (3.0, 0.5)
    assert (line["stored"], line["contact_power"], line["friction_power"]) == (5.0, 6.0, 7.0)
    assert line["friction"].tolist() == [-1.0, -2.0, 0.0]
    assert line["moment"].tolist() == [0.0, 0.0, -4.0]


# --- the whole kernel ----------------------------------------------------------------------------------------------

EIGHTH, TURN = math.cos(math.pi / 8), math.sin(math.pi / 8)
SHAPES = {
    "sphere on plane": (lambda a: pc.Sphere(a, (0.02, 0.0, 0.0), 0.1), pc.Plane, 0.0997),
    "sphere on sphere": (lambda a: pc.Sphere(a, radius=0.1), lambda b: pc.Sphere(b, radius=0.2), 0.2997),
    "sphere on box": (lambda a: pc.Sphere(a, radius=0.1), lambda b: pc.Box(b, 0.4, 0.01), 0.3097),
    "capsules": (
        lambda a: pc.Capsule(a, 0.1, 0.5, axis=(1, 0, 0)),
        lambda b: pc.Capsule(b, 0.1, 0.5, axis=(0, 1, 0)),
        0.1997,
    ),
    "box on box": (lambda a: pc.Box(a, 0.2, 0.01), lambda b: pc.Box(b, 0.4, 0.01), 0.3197),
    "crossed edges": (
        lambda a: pc.Box(a, 0.2, 0.01, rotation=(EIGHTH, 0, TURN, 0)),
        lambda b: pc.Box(b, 0.2, 0.01, rotation=(EIGHTH, TURN, 0, 0)),
        0.2 * math.sqrt(2.0) + 0.0197,
    ),
    "box on plane": (lambda a: pc.Box(a, 0.2, 0.01), pc.Plane, 0.1097),
}
"""Shapes on A and on B, and the height of A over B in m at which they are pressed together by 0.3 mm."""


class Scene:
    """Two bodies in contact as the kernel sees them."""

    def __init__(self, name, material):
        first, second, self.height = SHAPES[name]
        elements = elements_between(first(_Body()), second(_Body()))
        heads = [(kind, 1, 0, 0) if swapped else (kind, 0, 1, 0) for kind, swapped, _ in elements]
        self.elements = np.array(heads, ELEMENT)
        self.geometry = np.array([geometry for *_, geometry in elements], GEOMETRY)
        self.materials = np.array([material_record(material)], MATERIAL)
        self.memory = empty(MEMORY, len(elements))
        self.totals = empty(TOTALS, 1)

    def forces(self, x, w, clock, lines=None):
        """Generalised forces at a state."""
        q, lines = np.zeros(12), empty(REPORT, 0) if lines is None else lines
        tables = map(flat, (self.elements, self.geometry, self.materials, self.memory))
        self.totals = empty(TOTALS, 1)
        ck.contact_forces(
            x, w, np.zeros((2, 3, 3)), *tables, *clock, q, flat(self.totals), flat(lines), np.append(x, w)
        )
        return q


def state_in(frame, shift, poses, motions):
    """Packed states of bodies whose poses and motions are given in a frame that is turned and shifted."""
    x, w = [], []
    for (at, turn), (velocity, spin) in zip(poses, motions, strict=True):
        x += [*(frame.apply(at) + shift), *np.roll((frame * turn).as_quat(), 1)]
        w += [*frame.apply(velocity), *spin]
    return np.array(x), np.array(w)


@pytest.mark.parametrize("name", SHAPES)
@every_material
@given(vectors, vectors, vectors, vectors, vectors)
@settings(max_examples=6, deadline=None)
def test_forces_turn_with_the_frame(name, material, rotation, shift, velocity, spin, tilt):
    """A scene that is turned and shifted as a whole: at a commit, and at a trial state that remembers it."""
    frame, still = Rotation.from_rotvec(3.0 * np.array(rotation)), Rotation.identity()
    base = (np.array((0.01, 0.02, 0.0)), Rotation.from_rotvec(1e-3 * np.array(tilt)))
    results = []
    for turned, moved in ((still, np.zeros(3)), (frame, 10.0 * np.array(shift))):
        scene = Scene(name, material)
        poses = [(np.array((0.01, 0.02, scene.height)), still), base]
        motions = [(0.1 * np.array(velocity), spin), (np.array((0.02, 0.0, 0.0)), (0.0, 0.3, 0.1))]
        x, w = state_in(turned, moved, poses, motions)
        later = [(poses[0][0] + 1e-6 * np.array(velocity), Rotation.from_rotvec(1e-5 * np.array(spin))), base]
        first = scene.forces(x, w, COMMIT)
        second = scene.forces(*state_in(turned, moved, later, motions), TRIAL)
        results.append((first, second, scene.totals[0]))
    assert abs(results[0][0]).max() > 1.0  # they touch
    for plain, other in zip(results[0][:2], results[1][:2], strict=True):
        scale = 1e-7 * abs(plain).max()
        for k in (0, 6):
            assert frame.apply(plain[k : k + 3]) == pytest.approx(other[k : k + 3], abs=scale)
            assert plain[k + 3 : k + 6] == pytest.approx(other[k + 3 : k + 6], abs=scale)  # in the frame of the body
    for field in TOTALS.names:
        assert results[0][2][field] == pytest.approx(results[1][2][field], rel=1e-5, abs=1e-6)


@every_material
def test_only_a_commit_writes_the_memory(material):
    scene = Scene("sphere on plane", material)
    bodies = two_bodies((0.05, 0.0, -0.1), (0.1, 0.2, 0.3), at=(0, 0, scene.height))
    before = scene.memory.copy()
    trial = scene.forces(bodies.x, bodies.w, TRIAL)
    np.testing.assert_array_equal(scene.memory, before)
    np.testing.assert_array_equal(scene.forces(bodies.x, bodies.w, TRIAL), trial)
    scene.forces(bodies.x, bodies.w, COMMIT)
    remembers = ck.has_memory(scene.materials[0])
    assert bool(flat(scene.memory).any()) == remembers
    has_memory = material.memory is not None or material.rolling is not None or isinstance(material.friction, pc.LuGre)
    assert remembers == has_memory


def test_a_commit_in_the_air_forgets_and_a_trial_there_does_not():
    scene = Scene("sphere on plane", MATERIALS["filtered"])
    low, high = two_bodies((0.05, 0, 0), at=(0, 0, 0.0997)), two_bodies((0.05, 0, 0), at=(0, 0, 1.0))
    scene.forces(low.x, low.w, COMMIT)
    kept = scene.memory.copy()
    assert kept["load"][0] > 1.0
    assert not scene.forces(high.x, high.w, TRIAL).any()
    np.testing.assert_array_equal(scene.memory, kept)
    scene.forces(high.x, high.w, COMMIT)
    assert not flat(scene.memory).any()


def test_a_report_agrees_with_the_forces_and_the_sums():
    scene = Scene("box on plane", MATERIALS["spinning"])
    bodies = two_bodies((0.05, 0.0, -0.1), (0.1, 0.2, 0.3), at=(0, 0, scene.height))
    scene.forces(bodies.x, bodies.w, COMMIT)
    lines = empty(REPORT, len(scene.elements))
    q = scene.forces(bodies.x, bodies.w, TRIAL, lines)
    pushes = lines["force"][:, None] * lines["normal"] + lines["friction"]
    assert q[:3] == pytest.approx(pushes.sum(axis=0), rel=1e-12)
    torque = np.cross(lines["point"] - bodies.x[:3], pushes).sum(axis=0) + lines["moment"].sum(axis=0)
    assert q[3:6] == pytest.approx(torque, rel=1e-9, abs=1e-12)
    assert np.count_nonzero(lines["force"]) == 4
    for name in ("stored", "contact_power", "friction_power"):
        assert scene.totals[0][name] == pytest.approx(lines[name].sum(), rel=1e-12)


def test_an_unknown_kind_of_law_is_told_by_its_body():
    scene = Scene("sphere on plane", MATERIALS["smooth"])
    scene.materials["normal"]["kind"] = 99
    bodies = two_bodies(at=(0, 0, scene.height))
    q = scene.forces(bodies.x, bodies.w, TRIAL)
    assert np.isnan(q).any()
    assert ck.close_books(q, bodies.w, flat(scene.totals), 0.0, True, False, np.zeros(0), flat(empty(BOOK, 1))) == 0
