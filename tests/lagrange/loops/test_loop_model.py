"""The symbolic half of closed loops: closure equations, their derivatives, and what is refused."""

from __future__ import annotations

import pytest
import sympy as sp
from lagrange_models import polar_mass, real

from chrono_powercontact.errors import ModelError
from chrono_powercontact.lagrange.loops.loop_model import BRANCH, CutJoint, ExplicitClosure, Loop, nearest
from chrono_powercontact.lagrange.loops.mechanisms import cartesian_pendulum, four_bar, slider_crank
from chrono_powercontact.lagrange.model import TIME, Model, coordinates, velocities

Q, P = coordinates("x y"), real("m l")
(X, Y), (V, W), (M, L) = Q, velocities(Q), P
TREE = Model("test_loop_tree", Q, M * (V**2 + W**2) / 2, parameters=P)
ROD = CutJoint("rod", (X**2 + Y**2 - L**2,))


def test_second_derivative_of_the_closure_is_split_into_jacobian_and_gamma() -> None:
    """Phi'' of a closure along any motion x(t), y(t), by differentiation in time."""
    pivot = sp.sin(3 * TIME)
    loop = Loop(TREE, (CutJoint("rod", ((X - pivot) ** 2 + Y**2 * TIME - L**2,)),))
    motion = {X: sp.cos(TIME) + TIME**2, Y: sp.exp(-TIME)}
    along = {**motion, V: motion[X].diff(TIME), W: motion[Y].diff(TIME)}
    second = loop.closure.subs(motion, simultaneous=True).diff(TIME, 2)
    accel = sp.Matrix([motion[X].diff(TIME, 2), motion[Y].diff(TIME, 2)])
    split = (loop.jacobian * accel + loop.gamma).subs(along, simultaneous=True)
    assert sp.simplify((second - split)[0]) == 0


def test_reactions_act_along_the_locked_velocities_or_the_closure_itself() -> None:
    unit = CutJoint("rod", ROD.closure, ((X * V + Y * W) / L,))
    assert Loop(TREE, (ROD,)).locked == sp.Matrix([[2 * X, 2 * Y]])
    assert Loop(TREE, (unit,)).locked == sp.Matrix([[X / L, Y / L]])


def test_names_of_the_reactions_and_degrees_of_freedom() -> None:
    assert four_bar().reaction_names == ["R_C_1", "R_C_2"]
    assert cartesian_pendulum().reaction_names == ["R_rod"]
    assert [loop.freedom for loop in (four_bar(), slider_crank(), cartesian_pendulum())] == [1, 1, 1]


def test_explicit_closures_solve_the_closure_equations() -> None:
    loop = four_bar()
    (way,) = loop.explicit
    numbers = dict(zip(loop.tree.parameters, (0.1, 0.3, 0.25, 0.28, 1, 1, 1, 9.81, 0), strict=True))
    for crank in (0.3, 2.0, -1.2):
        for side in (1, -1):
            at = {**numbers, way.independent[0]: crank, BRANCH: side}
            place = {s: e.subs(dict.fromkeys(way.dependent, 0.0)).subs(at).evalf() for s, e in way.dependent.items()}
            rest = loop.closure.subs({**numbers, **place, way.independent[0]: crank}).evalf()
            assert max(abs(float(e)) for e in rest) < 1e-12


@pytest.mark.parametrize("turns", [-3, 0, 2])
def test_nearest_adds_whole_turns(turns: int) -> None:
    last = sp.Symbol("last", real=True)
    found = nearest(sp.Float(0.4), last).subs(last, 0.1 + 2 * sp.pi * turns)
    assert float(found) == pytest.approx(0.4 + 2 * float(sp.pi) * turns, abs=1e-12)


@pytest.mark.parametrize(
    ("cuts", "explicit", "message"),
    [
        ((), (), "needs at least one closure equation and fewer than its 2 coordinates, got 0"),
        ((CutJoint("a", (X, Y)),), (), "fewer than its 2 coordinates, got 2"),
        ((CutJoint("a", (X * V,)),), (), "'a': a closure must contain coordinates and no velocities"),
        ((CutJoint("a", (L,)),), (), "'a': a closure must contain coordinates and no velocities"),
        ((CutJoint("a", (X - sp.Symbol("z"),)),), (), r"the symbols \['z'\] are neither coordinates nor parameters"),
        ((CutJoint("a", (X,), (V, W)),), (), "'a': locked must have 1 velocities, got 2"),
        ((CutJoint("a", (X,), (V**2,)),), (), "'a': the locked velocities must be linear in"),
        ((ROD,), (ExplicitClosure((X, Y), {}),), r"needs 1 independent coordinates .* got \[x, y\] and \[\]"),
        ((ROD,), (ExplicitClosure((X,), {X: L}),), r"got \[x\] and \[x\]"),
        ((ROD,), (ExplicitClosure((X,), {Y: V}),), r"explicit: the symbols \['x_dot'\]"),
        ((ROD,), (ExplicitClosure((X,), {Y: L}, BRANCH),), r"branch: the symbols \['branch_sign'\]"),
    ],
)
def test_loops_that_are_none_are_refused(cuts, explicit, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Loop(TREE, cuts, explicit)


def test_cut_joints_need_names_of_their_own() -> None:
    q = coordinates("x y z")
    tree = Model("test_loop_three", q, sum(v**2 for v in velocities(q)))
    with pytest.raises(ModelError, match=r"must be unique, got \['a', 'a'\]"):
        Loop(tree, (CutJoint("a", (q[0],)), CutJoint("a", (q[1],))))


def test_quasi_velocities_are_refused() -> None:
    with pytest.raises(ModelError, match="must integrate its coordinate velocities"):
        Loop(polar_mass(), (CutJoint("a", (polar_mass().q[0],)),))
