import numpy as np
import pytest

from chrono_powercontact.scenarios.bodies.arm_angles import PendulumAngles, angle_over, turning


def test_angles_go_on_over_a_full_turn_and_from_block_to_block():
    turn = np.linspace(1.0, 15.0, 200)
    direction = np.column_stack([np.cos(turn), np.sin(turn)])
    angle = angle_over(1.0)
    found = np.concatenate([angle(direction[:50]), angle(direction[50:50]), angle(direction[50:])])
    assert found == pytest.approx(turn)
    assert turning(direction, np.column_stack([-np.sin(turn), np.cos(turn)])) == pytest.approx(1.0)


def test_second_angle_of_a_pendulum_counts_from_the_first():
    first, second = np.linspace(0.1, 7.0, 50), np.linspace(0.5, -3.0, 50)
    whole = first + second
    arm = np.column_stack([np.cos(first), np.sin(first)])
    tip = arm + 2.0 * np.column_stack([np.cos(whole), np.sin(whole)])
    positions = np.stack([arm, tip], axis=1)
    found = PendulumAngles(0.1, 0.5).columns(positions, np.zeros_like(positions))
    assert found["phi1"] == pytest.approx(first)
    assert found["phi2"] == pytest.approx(second)
    assert found["phi2_dot"] == pytest.approx(0.0)
