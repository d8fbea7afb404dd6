"""A sheet of questions about three balls above a plane."""

import numpy as np

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.contact.geometry import SPHERE_PLANE
from chrono_powercontact.chrono.contact.records import ELEMENT, GEOMETRY, MATERIAL, empty, flat
from chrono_powercontact.chrono.takeover.asking.question_sheet import QuestionSheet

NAMES = {
    "NSC": ("static_friction", "sliding_friction", "rolling_friction", "spinning_friction", "restitution"),
    "SMC": ("mu_eff", "muRoll_eff", "muSpin_eff", "cr_eff"),
}
HEIGHTS = (0.1, 0.5, 0.11)
NEAR = np.full(4, 0.01)


def composite(kind):
    return getattr(pychrono(), f"ChContactMaterialComposite{kind}")


def states():
    """Packed states of the ground and of three balls above it."""
    return np.array([(0, 0, height, 1, 0, 0, 0) for height in (0.0, *HEIGHTS)], float).reshape(-1)


def sheet_of(kind="NSC", answer=None):
    """A sheet about three balls of 0.1 m on a plane; `answer` is called for each question."""
    elements = empty(ELEMENT, 3)
    geometry = empty(GEOMETRY, 3)
    elements["kind"] = SPHERE_PLANE
    elements["a"] = [1, 2, 3]
    geometry["a_radius"] = 0.1
    geometry["b1"] = 0.0, 0.0, 1.0
    models = [pychrono().ChCollisionModel() for _ in range(4)]

    def ask(count):
        for info, composed in sheet.pairs[:count]:
            answer(info, composed)
        return 0

    sheet = QuestionSheet(composite(kind), NAMES[kind], ask)
    width = len(NAMES[kind])
    given = 0.1 * (1 + np.arange(3 * width)).reshape(3, width)
    sheet.follow([flat(elements), flat(geometry), flat(empty(MATERIAL, 1))], models, given)
    return sheet, elements, models
