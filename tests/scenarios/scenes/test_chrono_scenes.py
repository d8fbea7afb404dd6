import pytest

from chrono_powercontact.scenarios.scenes.chrono_scenes import add_body, new_scene


@pytest.mark.chrono
def test_scene_has_a_fixed_ground_and_named_bodies():
    system, ground = new_scene((0.0, 0.0, -9.81))
    body = add_body(system, "ball", 0.5, 0.1, (1, 2, 3))
    assert ground.IsFixed()
    assert (ground.GetName(), body.GetName()) == ("ground", "ball")
    assert (body.GetMass(), body.GetInertiaXX().y, body.GetPos().z) == (0.5, 0.1, 3.0)
    assert system.GetGravitationalAcceleration().z == -9.81
