import gc
import warnings

import pytest
from scene import chronos_contacts, run
from taken import SLICK, ball, colliding_system, plate, prism_hull, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

pytestmark = [pytest.mark.chrono, pytest.mark.usefixtures("without_coal")]


def counting(allow=True):
    """A narrow-phase callback of a script."""

    class Counting(pychrono().NarrowphaseCallback):
        def __init__(self):
            super().__init__()
            self.asked = 0

        def OnNarrowphase(self, found):
            self.asked += 1
            return allow

    return Counting()


def hull_on_plate():
    gc.collect()
    system, surface = colliding_system()
    plate(system, surface)
    return system, surface, shaped_body(system, prism_hull(surface), at=(0, 0, 0.0995), name="hull")


def caught(call):
    """Warnings of a call, without the sentence that contacts of the hull are found by Chrono."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    told = [(str(warning.message), warning.filename) for warning in found]
    return [(message, file) for message, file in told if "are found by Chrono" not in message]


@pytest.mark.parametrize("order", ["before", "between", "after"])
def test_a_narrowphase_callback_is_asked_whenever_it_was_set(order):
    system, _, hull = hull_on_plate()
    own = counting()
    register = system.GetCollisionSystem().RegisterNarrowphaseCallback
    if order == "before":
        register(own)
    contacts = pc.attach(system)
    if order == "between":
        register(own)
    contacts.take_over(SLICK)
    if order == "after":
        system.DoStepDynamics(1e-3)
        register(own)
    run(system, 0.1, 1e-3)
    assert own.asked > 0
    assert chronos_contacts(system) == 0
    assert hull.GetPos().z > 0.09
    contacts.detach()
    asked = own.asked
    run(system, 0.2, 1e-3)
    assert own.asked > asked
    assert chronos_contacts(system) > 0
    register(None)


def test_what_a_narrowphase_callback_refuses_does_not_touch():
    system, _, hull = hull_on_plate()
    own = counting(allow=False)
    system.GetCollisionSystem().RegisterNarrowphaseCallback(own)
    pc.attach(system).take_over(SLICK)
    assert caught(lambda: run(system, 0.3, 1e-3)) == []
    assert hull.GetPos().z < -0.05
    system.GetCollisionSystem().RegisterNarrowphaseCallback(None)


def test_a_refusal_that_has_no_effect_is_told_once_at_the_users_line():
    gc.collect()
    system, surface = colliding_system()
    plate(system, surface)
    body = ball(system, surface, at=(0, 0, 0.0999))
    own = counting(allow=False)
    system.GetCollisionSystem().RegisterNarrowphaseCallback(own)
    pc.attach(system).take_over(SLICK)

    def steps():
        for _ in range(100):
            system.DoStepDynamics(1e-3)

    ((message, file),) = caught(steps)
    assert message.startswith("Counting.OnNarrowphase refuses contacts between spheres, boxes or capsules")
    assert file == __file__
    assert body.GetPos().z > 0.09
    system.GetCollisionSystem().RegisterNarrowphaseCallback(None)


def test_an_error_in_a_narrowphase_callback_is_raised_by_the_step():
    system, _, _ = hull_on_plate()

    class Faulty(pychrono().NarrowphaseCallback):
        def OnNarrowphase(self, found):
            raise ZeroDivisionError("the user's own fault")

    own = Faulty()
    system.GetCollisionSystem().RegisterNarrowphaseCallback(own)
    pc.attach(system).take_over(SLICK)
    with pytest.raises(ZeroDivisionError, match="own fault"):
        run(system, 0.1, 1e-3)
    system.GetCollisionSystem().RegisterNarrowphaseCallback(None)


def test_several_callbacks_of_which_one_may_be_registered_are_told():
    system, _, _ = hull_on_plate()
    kept = [counting(), counting()]
    ((message, file),) = caught(lambda: pc.attach(system).take_over(SLICK))
    assert message == (
        "there are several narrow-phase callbacks (Counting): register the one that counts again after take_over"
    )
    assert file == __file__
    assert len(kept) == 2


@pytest.mark.parametrize("order", ["before", "after"])
def test_an_add_contact_callback_is_named_once(order):
    system, _, _ = hull_on_plate()

    class Belt(pychrono().AddContactCallback):
        def OnAddContact(self, found, material):
            pass

    own = Belt()
    contacts = pc.attach(system)

    def script():
        if order == "before":
            system.GetContactContainer().RegisterAddContactCallback(own)
        contacts.take_over(SLICK)
        system.DoStepDynamics(1e-3)
        if order == "after":
            system.GetContactContainer().RegisterAddContactCallback(own)
        for _ in range(20):
            system.DoStepDynamics(1e-3)

    ((message, file),) = caught(script)
    assert message.startswith("the AddContactCallback Belt is not asked about contacts with a given material")
    assert file == __file__


def test_no_callback_no_word():
    system, _, _ = hull_on_plate()
    assert caught(lambda: (pc.attach(system).take_over(SLICK), run(system, 0.05, 1e-3))) == []
