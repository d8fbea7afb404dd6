import math
import warnings

import numpy as np
import pytest
from scene import ROUGH, SMOOTH, empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.contact.contact_table import ContactTable, Instant, Pair
from chrono_powercontact.chrono.joint.joints import Joints
from chrono_powercontact.chrono.joint.springs import Springs
from chrono_powercontact.chrono.load.census import EVERY
from chrono_powercontact.chrono.load.guards import (
    ANCHORS_EVERY,
    PERSISTENT,
    StepWatch,
    check_bodies,
    check_system,
    explain,
)
from chrono_powercontact.errors import LawError, ParameterError, StateError, SystemChangedError
from chrono_powercontact.laws.normal.user_normal import normal_law

pytestmark = pytest.mark.chrono

STICKY = pc.Material(pc.Restriction(0.0, -1e-3, 400.0, 3.0), pc.Friction(0.5, 0.5, 1e-4), pc.Anchor(5e-6, 0.0))


@normal_law
def broken(s, v, p):
    return np.sqrt(p.limit - (p.s_0 - s)) if s < p.s_0 else 0.0


def scene(material, height=0.0999):
    """A ball on the ground as a table of contacts, without an attachment."""
    system = empty_system()
    ball, ground = new_body(system, 1.0, (0, 0, height), name="ball"), new_body(system, fixed=True, name="ground")
    numbers = {ball.GetIdentifier(): 0, ground.GetIdentifier(): 1}
    table = ContactTable({0: Pair.of(pc.Sphere(ball, radius=0.1), pc.Plane(ground), material)}, numbers)
    x = np.array([0, 0, height, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], float)
    return system, [ball, ground], table, Instant(x, np.zeros(12), 0.25, 0.0, False)


def test_a_body_that_has_left_is_named():
    system, bodies, *_ = scene(SMOOTH)
    check_bodies(bodies, system)
    system.RemoveBody(bodies[0])
    with pytest.raises(SystemChangedError, match=r"'ball' was removed from the system, .* detach first$"):
        check_bodies(bodies, system)


def test_where_nothing_is_known_to_have_changed_one_body_is_looked_at_in_turn():
    system, bodies, *_ = scene(SMOOTH)
    system.RemoveBody(bodies[0])
    check_system(system, bodies, False, EVERY)  # the turn of the ground
    with pytest.raises(SystemChangedError, match="'ball'"):
        check_system(system, bodies, False, 2 * EVERY)
    with pytest.raises(SystemChangedError, match="'ball'"):
        check_system(system, bodies, False)


def test_a_solver_that_ignores_a_jacobian_is_refused_only_where_there_is_one():
    system, bodies, *_ = scene(SMOOTH)
    system.SetSolverType(pychrono().ChSolver.Type_PSOR)
    check_system(system, bodies, False)
    with pytest.raises(ParameterError, match="SPARSE_LU"):
        check_system(system, bodies, True)


def test_a_law_that_gives_no_number_is_blamed_with_its_place():
    law = broken(s_0=0.0, limit=1e-2)
    _, bodies, table, at = scene(pc.Material(law), height=0.08)
    error = explain(bodies, 0, [table], at)
    assert isinstance(error, LawError)
    assert (
        str(error)
        == f"law {law!r} gives a force of nan N at a gap of -0.02 m at 0.25 s: a law must be finite everywhere"
    )


def test_a_state_that_is_not_finite_is_blamed_on_its_body():
    _, bodies, table, at = scene(ROUGH)
    at.w[0] = math.nan
    error = explain(bodies, 0, [table], at)
    assert isinstance(error, StateError)
    assert str(error) == "the state of 'ball' is not finite at 0.25 s"


def watched(load, step, material=STICKY, mode="explicit"):
    """A step watch that has seen a ball under a load, and what it warned of in a step."""
    system, bodies, table, _ = scene(material)
    table.memory["load"] = load
    watch = StepWatch(mode)
    watch.expect(system, [table], Joints(), Springs(), bodies)

    def look(steps):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if watch.is_due(steps, step):
                watch.look(steps, step, [table], bodies)
        return [str(warning.message) for warning in caught]

    return watch, look


def test_an_anchor_that_is_too_stiff_is_named_once():
    _, look = watched(10.0, 1e-2)
    (told,) = look(ANCHORS_EVERY)
    assert "an anchor is too stiff for the step of 0.01 s" in told
    assert "use a step of at most" in told
    assert look(2 * ANCHORS_EVERY) == []


def test_between_regular_looks_only_a_far_too_long_step_counts():
    limit = 2.0 / math.sqrt(10.0 * 4.0 * 0.5 / math.tanh(4.0) / 5e-6)
    assert watched(10.0, 2.0 * limit)[1](1) == []
    assert len(watched(10.0, 11.0 * limit)[1](1)) == 1
    assert len(watched(10.0, 2.0 * limit)[1](ANCHORS_EVERY)) == 1
    assert watched(10.0, 0.9 * limit)[1](ANCHORS_EVERY) == []


def test_without_a_load_or_an_anchor_nothing_is_said():
    assert watched(0.0, 1.0)[1](ANCHORS_EVERY) == []
    assert watched(10.0, 1.0, SMOOTH)[1](ANCHORS_EVERY) == []


def test_automatic_stepping_becomes_implicit_beyond_the_limit_and_says_nothing():
    watch, look = watched(0.0, 1e-2, mode="auto")
    assert not watch.implicit
    assert look(1) == []
    assert watch.implicit
    short, look_short = watched(0.0, 1e-6, mode="auto")
    look_short(1)
    assert not short.implicit


def test_automatic_stepping_becomes_implicit_under_a_lasting_load():
    watch, look = watched(1e3, 3e-4, mode="auto")  # the limit is 0.5 ms under the weight and 0.1 ms under the load
    for number in range(1, PERSISTENT):
        look(number * ANCHORS_EVERY)
        assert not watch.implicit
    look(PERSISTENT * ANCHORS_EVERY)
    assert watch.implicit


def test_the_choice_of_the_user_stands():
    for mode, implicit in (("explicit", False), ("implicit", True)):
        watch, look = watched(0.0, 1.0, SMOOTH, mode)
        look(1)
        assert watch.implicit is implicit
