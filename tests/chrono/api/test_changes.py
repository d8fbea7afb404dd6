import gc

import pytest
from scene import empty_system, new_body
from taken import colliding_system

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.api.changes import CHANGES, family, narrowphase_callback, notice_changes, quietly

pytestmark = pytest.mark.chrono


def counted(call):
    before = CHANGES.count
    call()
    return CHANGES.count - before


def test_changes_are_noticed_on_any_proxy_of_a_body():
    notice_changes()
    system = empty_system()
    body = new_body(system)
    (other,) = system.GetBodies()
    assert other is not body
    assert counted(lambda: other.SetFixed(True)) == 1
    assert body.IsFixed()
    assert counted(lambda: pychrono().ChBodyAuxRef().EnableCollision(False)) == 1
    assert counted(lambda: quietly(body, "SetFixed", False)) == 0
    assert not other.IsFixed()


def test_methods_are_wrapped_once():
    notice_changes()
    method = pychrono().ChBody.SetFixed
    notice_changes()
    assert pychrono().ChBody.SetFixed is method


def test_a_family_is_a_class_and_its_children():
    class A: ...

    class B(A): ...

    class C(B): ...

    assert list(family(A)) == [A, B, C]


def test_the_last_narrowphase_callback_is_known_while_it_lives():
    notice_changes()
    system, _ = colliding_system()

    class Own(pychrono().NarrowphaseCallback):
        def OnNarrowphase(self, found):
            return True

    own = Own()
    system.GetCollisionSystem().RegisterNarrowphaseCallback(own)
    assert narrowphase_callback(system.GetCollisionSystem()) is own
    system.GetCollisionSystem().RegisterNarrowphaseCallback(None)
    assert narrowphase_callback(system.GetCollisionSystem()) is None
    system.GetCollisionSystem().RegisterNarrowphaseCallback(own)
    system.GetCollisionSystem().RegisterNarrowphaseCallback(None)
    del own
    gc.collect()
    assert narrowphase_callback(system.GetCollisionSystem()) is None
