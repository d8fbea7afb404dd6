import pytest

pytest.importorskip("viser")

from chrono_powercontact.view.dials import Dial, Dials
from chrono_powercontact.view.viewer import server

SOME = [
    Dial("mu", "mu", 0.5, 0.0, 1.0),
    Dial("boxes", "boxes", 3, 1, 9),
    Dial("smooth", "smooth", True),
    Dial("law", "law", "power", choices=("power", "hooke")),
]


def test_a_dial_that_is_moved_is_told_once():
    with server() as running:
        dials = Dials(running, SOME)
        assert dials.values() == {"mu": 0.5, "boxes": 3, "smooth": True, "law": "power"}
        assert not dials.changed()
        dials.turn("mu", 0.25)
        assert dials.changed()
        assert not dials.changed()
        assert dials.values()["mu"] == 0.25
