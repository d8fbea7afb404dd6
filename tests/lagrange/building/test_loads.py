"""Forces and moments at points: the builder's generalised forces are those of virtual work."""

from __future__ import annotations

import pytest
import sympy as sp

from chrono_powercontact.errors import ModelError
from chrono_powercontact.lagrange.building.loads import BodyMoment, PointForce
from chrono_powercontact.lagrange.building.textbook import two_link_arm
from chrono_powercontact.lagrange.model import Model, coordinates, rate, velocities
from chrono_powercontact.lagrange.rigid import angle_rotation

FX, FY, TX, TY, TZ = sp.symbols("F_x F_y T_x T_y T_z", real=True)


def test_a_force_at_the_tip_of_the_arm_has_the_jacobian_of_the_notes() -> None:
    q = coordinates("q1 q2")
    l1, l2 = sp.symbols("l1 l2", real=True)
    s1, c1, s12, c12 = sp.sin(q[0]), sp.cos(q[0]), sp.sin(q[0] + q[1]), sp.cos(q[0] + q[1])
    tip = (l1 * c1 + l2 * c12, l1 * s1 + l2 * s12)
    expected = sp.Matrix([[-l1 * s1 - l2 * s12, l1 * c1 + l2 * c12], [-l2 * s12, l2 * c12]]) * sp.Matrix([FX, FY])
    assert (PointForce(tip, (FX, FY)).generalised(q) - expected).expand() == sp.zeros(2, 1)


def test_a_moment_works_against_the_angular_velocity() -> None:
    turn = angle_rotation()
    moment = (TX, TY, TZ)
    pull = BodyMoment(turn.matrix, moment).generalised(turn.q)
    power = sp.Matrix(moment).dot(turn.spin)
    assert sp.simplify(pull.dot(sp.Matrix(velocities(turn.q))) - power) == 0


def test_loads_of_a_model_join_its_other_forces_and_its_drive_power() -> None:
    arm = two_link_arm()
    q1, q2 = arm.q
    l1, l2 = arm.parameters[2], arm.parameters[3]
    tip = (l1 * sp.cos(q1) + l2 * sp.cos(q1 + q2), l1 * sp.sin(q1) + l2 * sp.sin(q1 + q2))
    loads = (PointForce(tip, (FX, FY)),)
    model = Model("loaded_arm", arm.q, arm.kinetic, arm.potential, (*arm.parameters, FX, FY), arm.forces, loads=loads)
    power = FX * rate(tip[0], arm.q) + FY * rate(tip[1], arm.q)
    assert sp.simplify(model.drive - arm.drive - power) == 0
    assert (arm.bias - model.bias - loads[0].generalised(arm.q)).expand() == sp.zeros(2, 1)


def test_loads_with_unknown_symbols_are_refused() -> None:
    arm = two_link_arm()
    with pytest.raises(ModelError, match=r"\['F_x'\] are neither coordinates nor parameters"):
        Model("arm", arm.q, arm.kinetic, arm.potential, arm.parameters, loads=(PointForce((arm.q[0], 0), (FX, 0)),))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: PointForce((0, 0, 0), (FX, FY)), "both have 2 or 3 components, got 2 and 3"),
        (lambda: PointForce((0,), (FX,)), "2 or 3 components, got 1 and 1"),
        (lambda: BodyMoment(sp.eye(2), (0, 0, TZ)), r"of shape \(3, 3\), got 3 and \(2, 2\)"),
        (lambda: BodyMoment(sp.eye(3), (TZ,)), r"needs 3 components and .* got 1 and"),
    ],
)
def test_loads_of_the_wrong_size_are_refused(build, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        build()
