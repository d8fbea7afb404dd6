import numpy as np
import pytest
from taken import ball, colliding_system, plate, prism_hull, shaped_body

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.takeover import narrowphase as n
from chrono_powercontact.chrono.takeover.collision_shapes import box_record, read_shapes, touchable

pytestmark = pytest.mark.chrono


def test_a_box_keeps_its_faces_and_rounds_its_edges():
    record = box_record(np.zeros(3), np.eye(3), np.array((0.5, 0.2, 1.0)), 0.1)
    assert record["radius"] == pytest.approx(0.02)
    assert record["p1"] + record["radius"] == pytest.approx((0.5, 0.2, 1.0))


def test_only_bodies_with_enabled_shapes_can_touch():
    system, surface = colliding_system()
    plate(system, surface)
    off = ball(system, surface, name="off")
    off.EnableCollision(False)
    system.AddBody(pychrono().ChBody())
    assert [body.GetName() for body in touchable(system)] == ["plate"]


def test_frames_turn_capsules_and_boxes():
    chrono = pychrono()
    system, surface = colliding_system()
    frame = chrono.ChFramed(chrono.ChVector3d(1, 2, 3), chrono.QuatFromAngleY(np.pi / 2))
    shapes = (
        (chrono.ChCollisionShapeCapsule(surface, 0.1, 0.8), frame),
        (
            chrono.ChCollisionShapeBox(surface, 2, 2, 2),
            frame,
        ),
    )
    table = read_shapes([shaped_body(system, *shapes)], [4], 0.5, {})
    capsule, box = table.records
    assert (*capsule["p0"], *capsule["p1"]) == pytest.approx((0.6, 2, 3, 1.4, 2, 3))
    assert capsule["bound"] == pytest.approx(0.5)
    assert box["turn"] @ (0, 0, 1) == pytest.approx((1, 0, 0), abs=1e-15)
    assert table.traits[["kind", "body"]].tolist() == [(n.CAPSULE, 4), (n.BOX, 4)]
    assert table.extents.tolist() == pytest.approx([0, 0, 0, 0, np.sqrt(14) + np.sqrt(0.75)])


def test_foreign_shapes_are_named_and_numbers_of_shapes_last(without_coal):
    chrono = pychrono()
    system, surface = colliding_system()
    mixed = shaped_body(system, chrono.ChCollisionShapeSphere(surface, 0.1), prism_hull(surface), name="mixed")
    plain = ball(system, surface, radius=0.3, name="plain")
    names = {}
    table = read_shapes([mixed, plain], [0, 1], 0.1, names)
    assert [body.GetName() for body in table.foreign] == ["mixed"]
    assert table.size == pytest.approx(0.2)
    again = read_shapes([plain], [1], 0.1, names)
    assert again.traits["name"][0] == table.traits["name"][1] == 1
