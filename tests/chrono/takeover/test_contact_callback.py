"""An AddContactCallback of the script decides about our contacts: friction by place."""

import math

import pytest
from scene import run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

pytestmark = pytest.mark.chrono

GRAVITY = 10.0
SPEED = 2.0
FRICTION = {-1.0: 0.8, 1.0: 0.3}
STEP = 2e-3


def callback_of(kind, friction):
    """A callback that sets the friction by the sign of z, or leaves it as it is."""
    chrono = pychrono()

    class ByPlace(chrono.AddContactCallback):
        asked = 0

        def OnAddContact(self, found, material):
            self.asked += 1
            assert found.modelA is not None
            assert found.vN.Length() == pytest.approx(1.0)
            if friction is None:
                return
            mu = friction[math.copysign(1.0, found.vpA.z)]
            if kind == "NSC":
                composed = chrono.CastToChContactMaterialCompositeNSC(material)
                composed.static_friction = mu
                composed.sliding_friction = mu
            else:
                chrono.CastToChContactMaterialCompositeSMC(material).mu_eff = mu

    return ByPlace()


def sliding(kind, friction):
    """Two boxes that slide over a plate, one at each side of z = 0, with a callback."""
    chrono = pychrono()
    system = getattr(chrono, f"ChSystem{kind}")()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, -GRAVITY, 0))
    material = getattr(chrono, f"ChContactMaterial{kind}")()
    material.SetFriction(0.4)
    plate = chrono.ChBodyEasyBox(20, 2, 20, 1000, False, True, material)
    plate.SetPos(chrono.ChVector3d(0, -1, 0))
    plate.SetFixed(True)
    system.AddBody(plate)
    boxes = []
    for side in FRICTION:
        box = chrono.ChBodyEasyBox(0.8, 0.2, 0.2, 300, False, True, material)
        box.SetPos(chrono.ChVector3d(0, 0.1, 2.0 * side))
        box.SetPosDt(chrono.ChVector3d(SPEED, 0, 0))
        system.AddBody(box)
        boxes.append(box)
    callback = callback_of(kind, friction)
    system.GetContactContainer().RegisterAddContactCallback(callback)
    return system, boxes, callback


@pytest.mark.parametrize("kind", ["NSC", "SMC"])
def test_friction_by_place_stops_boxes_where_it_should(kind):
    system, boxes, callback = sliding(kind, FRICTION)
    pc.attach(system).take_over()
    run(system, 1.0, STEP)
    for box, mu in zip(boxes, FRICTION.values(), strict=True):
        assert box.GetPos().x == pytest.approx(SPEED**2 / (2.0 * mu * GRAVITY), rel=0.02)
        assert box.GetPosDt().Length() < 1e-6
    assert callback.asked > 0


def test_a_callback_that_changes_nothing_leaves_the_designed_material():
    system, boxes, callback = sliding("NSC", None)
    contacts = pc.attach(system)
    contacts.take_over()
    run(system, 0.8, STEP)
    for box in boxes:
        assert box.GetPos().x == pytest.approx(SPEED**2 / (2.0 * 0.4 * GRAVITY), rel=0.02)
    assert callback.asked > 0
    assert len(contacts.materials()) == 1


def test_an_error_in_the_callback_is_raised_by_the_step():
    system, _, callback = sliding("NSC", {})
    pc.attach(system).take_over()
    with pytest.raises(KeyError, match=r"1\.0"):
        run(system, 0.1, STEP)
    assert callback.asked > 0
