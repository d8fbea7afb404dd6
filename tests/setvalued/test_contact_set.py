"""Contacts as statics sees them: what is accepted, and what is refused in one sentence."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.setvalued.contact_set import contact_set, touching


def test_order_is_tangential_then_normal():
    contact = touching("A", (0, 0, 1), ((1, 0, 0), (0, 1, 0)), 0.3)
    assert contact.labels == ["T_A_x", "T_A_y", "N_A"]
    assert contact.rows.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_balance_follows_from_acting_forces():
    contact = touching("A", (0, 1), ((1, 0),), 0.3, acting=(2.0, 10.0))
    assert contact_set([contact]).balance.tolist() == [2.0, 10.0]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"normal": (0, np.nan)}, "finite"),
        ({"normal": (0, 1), "tangential": np.eye(3, 2)}, "3 tangential directions"),
        ({"normal": (0, 1), "mu": -0.1}, "must not be negative"),
        ({"normal": (0, 1), "mu": np.inf}, "finite"),
        ({"normal": (0, 1), "tangential": ((1, 0),), "sliding": (1, 2)}, "must have 1 entries"),
        ({"normal": (0, 1), "acting": (1, 2)}, "must have 1 entries"),
    ],
)
def test_bad_contacts_are_refused(given, words):
    with pytest.raises(ParameterError, match=words):
        touching("A", **given)


def test_bad_sets_are_refused():
    contact = touching("A", (0, 1))
    with pytest.raises(ParameterError, match="needs a balance"):
        contact_set([contact])
    with pytest.raises(ParameterError, match="must have 3 entries"):
        contact_set([contact], (1, 2, 3))
    with pytest.raises(ParameterError, match="finite"):
        contact_set([contact], (1, np.inf))
    with pytest.raises(ParameterError, match="rows of 2 entries"):
        contact_set([contact], (1, 2), ((1, 2, 3),))
