import numpy as np
import pytest
from taken import GRIP, SLICK

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.contact_table import reach_of
from chrono_powercontact.chrono.takeover.materials.pair_materials import PairMaterials
from chrono_powercontact.errors import ParameterError

WIDE = pc.Material(pc.Restriction(0.0, -0.1, 400.0, 30.0))


def test_without_a_rule_everything_is_the_default():
    materials = PairMaterials(SLICK)
    assert materials.slots(np.array([0, 1]), np.array([1, 2]), []).tolist() == [0, 0]
    assert materials.reach == reach_of(SLICK)


def test_the_rule_is_asked_once_for_each_pair_in_either_order():
    asked = []

    def rule(a, b):
        asked.append((a, b))
        return {"ab": GRIP, "ac": None, "bc": WIDE}[a + b]

    materials = PairMaterials(SLICK, rule)
    for _ in range(2):
        slots = materials.slots(np.array([0, 2, 1, 1]), np.array([1, 0, 2, 0]), ["a", "b", "c"]).tolist()
        assert slots == [1, 0, 2, 1]
    assert sorted(asked) == [("a", "b"), ("a", "c"), ("b", "c")]
    materials.forget()
    materials.slots(np.array([0]), np.array([1]), ["a", "b", "c"])
    assert len(asked) == 4


def test_the_reach_grows_with_a_material_that_is_felt_further():
    materials = PairMaterials(SLICK, lambda a, b: WIDE)
    before = materials.reach
    materials.slots(np.array([0]), np.array([1]), ["a", "b"])
    assert materials.reach == reach_of(WIDE) > before


def test_equal_materials_share_a_record():
    materials = PairMaterials(SLICK, lambda a, b: pc.Material(pc.Restriction(0.0, -0.1, 400.0, 30.0)))
    materials.slots(np.arange(5), np.arange(5) + 1, list("abcdef"))
    assert len(materials.records) == 2


def test_a_rule_that_gives_something_else_is_refused():
    with pytest.raises(ParameterError, match="must be a Material, got int"):
        PairMaterials(SLICK, lambda a, b: 7).slots(np.array([0]), np.array([1]), ["a", "b"])
