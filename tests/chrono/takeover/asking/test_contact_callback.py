"""An AddContactCallback of the script decides about our contacts: friction by place."""

import math

import numpy as np
import pytest
from scene import run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.contact.records import MATERIAL
from chrono_powercontact.chrono.implicit import step_context as on
from chrono_powercontact.chrono.load.routine import Routine
from chrono_powercontact.chrono.takeover.asking import question_sheet

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


def go_on(system, steps):
    for _ in range(steps):
        system.DoStepDynamics(STEP)


def by_rule(kind, rule):
    """A callback that sets the friction to what a rule says of the contact point; it notes what it was asked."""
    chrono = pychrono()

    class ByRule(chrono.AddContactCallback):
        def __init__(self):
            super().__init__()
            self.asked = []

        def OnAddContact(self, found, material):
            point = found.vpA
            self.asked.append((point.x, point.y, point.z, found.distance))
            mu = rule(point)
            composed = getattr(chrono, f"CastToChContactMaterialComposite{kind}")(material)
            names = ("static_friction", "sliding_friction") if kind == "NSC" else ("mu_eff",)
            for name in names:
                setattr(composed, name, mu)

    return ByRule()


def striped(kind="NSC", lift=0.0):
    """Boxes that slide over stripes of different friction, from a height in m above the plate."""
    system, boxes, _ = sliding(kind, None)
    callback = by_rule(kind, lambda point: 0.1 + 0.05 * (math.floor(point.x / 0.3) % 3))
    system.GetContactContainer().RegisterAddContactCallback(callback)
    for box in boxes:
        box.SetPos(box.GetPos() + pychrono().ChVector3d(0, lift, 0))
    contacts = pc.attach(system)
    contacts.take_over()
    return system, boxes, callback, contacts


def ride(kind="NSC", lift=0.0, count=600):
    """States of the boxes in each step, what the callback was asked, and the modes of the steps."""
    system, boxes, callback, contacts = striped(kind, lift)
    rows = []
    modes = []
    for _ in range(count):
        system.DoStepDynamics(STEP)
        vectors = [vector for box in boxes for vector in (box.GetPos(), box.GetPosDt(), box.GetAngVelLocal())]
        rows.append([number for vector in vectors for number in (vector.x, vector.y, vector.z)])
        modes.append(core_of(contacts).stepper.routine.mode)
    return np.array(rows), callback.asked, modes


@pytest.mark.parametrize("kind", ["NSC", "SMC"])
@pytest.mark.parametrize("lift", [0.0, 0.15])
def test_steps_without_python_ask_the_same_and_move_the_same(monkeypatch, kind, lift):
    """Over stripes, with contacts that come and go while boxes land, and at rest: to the last bit."""
    found, asked, modes = ride(kind, lift)
    monkeypatch.setattr(Routine, "learn", lambda *arguments: None)
    expected, asked_by_python, plain = ride(kind, lift)
    np.testing.assert_array_equal(found, expected)
    assert asked == asked_by_python
    assert set(plain) == {on.IN_PYTHON}
    assert np.count_nonzero(modes) > 0.8 * len(modes)


def test_questions_know_the_laws_that_an_answer_has_brought():
    system, _, _callback, contacts = striped()
    taken = core_of(contacts).taken
    for _ in range(50):
        system.DoStepDynamics(STEP)
        laws = taken._questions.sheet.directory.arrays[question_sheet.LAWS]
        assert taken.near.elements["material"].max(initial=0) < laws.view(MATERIAL).size
    assert len(taken.near.records) > 2


def test_objects_that_are_written_through_swig_give_the_same(monkeypatch):
    found, asked, _ = ride(count=300)
    monkeypatch.setattr(question_sheet, "laid_out_as_expected", lambda: False)
    expected, asked_through_swig, modes = ride(count=300)
    np.testing.assert_array_equal(found, expected)
    assert asked == asked_through_swig
    assert set(modes) == {on.IN_PYTHON}


def on_slope(rule):
    """A box of 1 kg at rest on a slope of 15 degrees, with a callback."""
    chrono = pychrono()
    system = chrono.ChSystemNSC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    angle = math.radians(15.0)
    system.SetGravitationalAcceleration(chrono.ChVector3d(GRAVITY * math.sin(angle), -GRAVITY * math.cos(angle), 0))
    material = chrono.ChContactMaterialNSC()
    plate = chrono.ChBodyEasyBox(20, 2, 20, 1000, False, True, material)
    plate.SetPos(chrono.ChVector3d(0, -1, 0))
    plate.SetFixed(True)
    box = chrono.ChBodyEasyBox(0.2, 0.2, 0.2, 125, False, True, material)
    box.SetPos(chrono.ChVector3d(0, 0.1, 0))
    system.AddBody(plate)
    system.AddBody(box)
    callback = by_rule("NSC", rule)
    return system, box, callback


def test_a_callback_is_asked_about_every_contact_in_every_step_also_at_rest():
    system, box, callback = on_slope(lambda point: 0.6)
    system.GetContactContainer().RegisterAddContactCallback(callback)
    pc.attach(system).take_over()
    go_on(system, 250)
    for _ in range(100):
        callback.asked.clear()
        system.DoStepDynamics(STEP)
        assert len(callback.asked) == 4
    assert box.GetPosDt().Length() < 1e-12


def test_a_box_at_rest_slides_when_the_callback_lowers_its_friction():
    friction = [0.6]
    system, box, callback = on_slope(lambda point: friction[0])
    system.GetContactContainer().RegisterAddContactCallback(callback)
    pc.attach(system).take_over()
    go_on(system, 250)
    assert box.GetPosDt().Length() < 1e-12
    friction[0] = 0.1
    go_on(system, 250)
    angle = math.radians(15.0)
    expected = 0.5 * GRAVITY * (math.sin(angle) - 0.1 * math.cos(angle))
    assert box.GetPosDt().x == pytest.approx(expected, rel=0.01)


def test_an_error_after_many_steps_is_raised_by_its_step_and_the_next_step_asks_again():
    wrong = [False]

    def rule(point):
        if wrong[0]:
            raise LookupError("no friction here")
        return 0.6

    system, box, callback = on_slope(rule)
    system.GetContactContainer().RegisterAddContactCallback(callback)
    contacts = pc.attach(system)
    contacts.take_over()
    go_on(system, 250)
    assert core_of(contacts).stepper.routine.mode == on.AT_END
    wrong[0] = True
    callback.asked.clear()
    with pytest.raises(LookupError, match="no friction here"):
        system.DoStepDynamics(STEP)
    assert len(callback.asked) == 1
    wrong[0] = False
    go_on(system, 250)
    assert len(callback.asked) > 400
    assert box.GetPos().y == pytest.approx(0.1, abs=1e-3)


def test_a_callback_that_is_registered_later_or_in_place_of_another_one_is_asked_from_then_on():
    system, box, callback = on_slope(lambda point: 0.6)
    contacts = pc.attach(system)
    contacts.take_over()
    go_on(system, 100)
    assert not callback.asked
    assert core_of(contacts).stepper.routine.mode == on.AT_END
    system.GetContactContainer().RegisterAddContactCallback(callback)
    go_on(system, 100)
    assert len(callback.asked) == 400
    assert core_of(contacts).stepper.routine.mode == on.AT_END
    other = by_rule("NSC", lambda point: 0.05)
    system.GetContactContainer().RegisterAddContactCallback(other)
    go_on(system, 100)
    assert len(callback.asked) == 400
    assert len(other.asked) == 400
    assert box.GetPosDt().x > 0.3


def test_after_detach_chrono_asks_the_callback_again():
    system, _, callback = on_slope(lambda point: 0.6)
    system.GetContactContainer().RegisterAddContactCallback(callback)
    contacts = pc.attach(system)
    contacts.take_over()
    go_on(system, 100)
    contacts.detach()
    callback.asked.clear()
    go_on(system, 10)
    assert callback.asked


def test_a_nonsensical_answer_is_told():
    system, _, callback = on_slope(lambda point: -1.0)
    system.GetContactContainer().RegisterAddContactCallback(callback)
    pc.attach(system).take_over()
    with pytest.raises(ValueError, match="friction"):
        go_on(system, 50)
