import sys

import pytest

from chrono_powercontact.app.studies.global_sensitivity import sobol_indices
from chrono_powercontact.errors import ParameterError

RANGES = {"speed": (0.5, 2.0), "r_d": (0.5, 2.0), "mass": (0.04, 0.06)}


def test_restitution_depends_on_speed_and_dissipation_alike_and_not_on_the_mass():
    pytest.importorskip("SALib", reason="Sobol indices need the extra sensitivity")
    found = sobol_indices("ball", RANGES, "restitution", 64, {"step": 2e-5})
    assert found.runs == 64 * 5
    assert found.total["speed"] == pytest.approx(found.total["r_d"], abs=0.25)
    assert found.total["mass"] < 0.01
    assert sum(found.first.values()) == pytest.approx(1.0, abs=0.3)


def test_what_cannot_be_used_is_told(monkeypatch):
    pytest.importorskip("SALib", reason="Sobol indices need the extra sensitivity")
    with pytest.raises(ParameterError, match="n must be a power of two, got 5"):
        sobol_indices("ball", RANGES, "restitution", 5)
    monkeypatch.setitem(sys.modules, "SALib.analyze", None)
    with pytest.raises(ParameterError, match=r"need SALib: pip install SALib"):
        sobol_indices("ball", RANGES, "restitution")
