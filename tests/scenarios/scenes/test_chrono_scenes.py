import numpy as np
import pytest

from chrono_powercontact.scenarios.scenes.chrono_scenes import add_body, angle_over, new_scene, turning


def test_angles_go_on_over_a_full_turn_and_from_block_to_block():
    turn = np.linspace(1.0, 15.0, 200)
    direction = np.column_stack([np.cos(turn), np.sin(turn)])
    angle = angle_over(1.0)
    found = np.concatenate([angle(direction[:50]), angle(direction[50:50]), angle(direction[50:])])
    assert found == pytest.approx(turn)
    assert turning(direction, np.column_stack([-np.sin(turn), np.cos(turn)])) == pytest.approx(1.0)


@pytest.mark.chrono
def test_scene_has_a_fixed_ground_and_named_bodies():
    system, ground = new_scene((0.0, 0.0, -9.81))
    body = add_body(system, "ball", 0.5, 0.1, (1, 2, 3))
    assert ground.IsFixed()
    assert (ground.GetName(), body.GetName()) == ("ground", "ball")
    assert (body.GetMass(), body.GetInertiaXX().y, body.GetPos().z) == (0.5, 0.1, 3.0)
    assert system.GetGravitationalAcceleration().z == -9.81
