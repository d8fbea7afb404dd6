import numpy as np
import pytest
from recorded import small_recording

pytest.importorskip("viser")

from chrono_powercontact.view.stage import SEEN_THROUGH, Stage, extent_of, linear, moving, rounded
from chrono_powercontact.view.viewer import server


def test_numbers_are_rounded_to_powers_of_two():
    assert rounded([0.3, -0.3], 2).tolist() == [0.25, -0.25]


def test_colours_are_handed_over_as_intensities_of_light():
    assert linear((0, 128, 255)).tolist() == [0, 55, 255]


def test_contacts_shine_through_what_moves_only():
    recording = small_recording()
    with server() as running:
        stage = Stage(running.scene, recording)
        opacity = {handle.name: handle.opacity for handle, _, _ in stage._changes if "bodies" in handle.name}
    assert sorted(opacity.values(), key=str) == [SEEN_THROUGH, SEEN_THROUGH, None]


def test_the_extent_is_that_of_what_moves():
    recording = small_recording()
    assert moving(recording).tolist() == [True, True, False]
    extent = extent_of(recording)
    assert 0.8 < extent.size < 1.5


def test_a_plane_is_a_plate_below_what_moves():
    recording = small_recording()
    with server() as running:
        stage = Stage(running.scene, recording)
        plate = stage._plate(recording.pieces[2], False)
    assert plate.kind == "box"
    assert plate.size[0] > stage.extent.size
    top = plate.position[2] + 0.5 * plate.size[2]
    assert top == pytest.approx(0.0)
    assert plate.position[0] == pytest.approx(stage.extent.middle[0])


def test_only_what_differs_is_sent():
    recording = small_recording()
    with server() as running:
        stage = Stage(running.scene, recording)
        stage.show(1)
        serializer = running.get_scene_serializer()
        stage.show(1)
        before = len(serializer._messages)
        stage.show(2)
        assert len(serializer._messages) > before
        count = len(serializer._messages)
        stage.show(2)
        assert len(serializer._messages) == count


def test_arrows_are_as_long_as_forces_say():
    recording = small_recording()
    with server() as running:
        stage = Stage(running.scene, recording)
        values = {(handle.name, name): array for handle, name, array in stage._changes}
    lengths = values[("/contacts/normal force", "batched_scales")]
    assert np.all(lengths[0] == 0.0)
    assert lengths[-1, 0] * stage.newton_per_metre == pytest.approx(10.0, rel=0.05)
