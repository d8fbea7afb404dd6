"""Plane stress by finite elements: a slender block is a beam, energies do not depend on the support."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.setvalued import plane_stress
from chrono_powercontact.setvalued.plane_stress import PlaneBlock, block_compliance, pinned_share

pytest.importorskip("skfem")


def test_a_slender_block_is_a_beam():
    """Beam theory puts three quarters of the load on foot A, whatever the length; feet carry forces, no moments."""
    found = block_compliance(PlaneBlock(2.0, 0.1, 0.1, 0.025, 4), 1.0, 0.0)
    lift = 0.1 / (2.0 - 0.025)
    begin = np.array([0.0, -lift, -1.0, lift])
    apart = np.array([1.0, 0.0, -1.0, 0.0])
    t_a = -(apart @ (found.matrix @ begin + found.bias)) / (apart @ found.matrix @ apart)
    assert -t_a == pytest.approx(0.75, abs=0.02)


def test_the_thesis_block_shares_nearly_equally():
    assert 0.53 <= pinned_share(PlaneBlock(0.2, 0.1, 0.1, 0.005, 20)) <= 0.58


def test_compliance_is_symmetric_and_positive_on_balanced_forces():
    found = block_compliance(PlaneBlock(0.2, 0.1, 0.1, 0.02, 10), 0.0, 0.0)
    assert np.allclose(found.matrix, found.matrix.T)
    apart = np.array([1.0, 0.0, -1.0, 0.0])
    assert apart @ found.matrix @ apart > 0.0
    assert found.bias.tolist() == [0.0] * 4
    twice = block_compliance(PlaneBlock(0.2, 0.1, 0.1, 0.02, 10, young=4.2e11), 0.0, 0.0)
    assert np.allclose(2.0 * twice.matrix, found.matrix)


def test_bad_input(monkeypatch):
    with pytest.raises(ParameterError, match="pad must be from one element"):
        PlaneBlock(0.2, 0.1, 0.1, 0.001, 20)
    with pytest.raises(ParameterError, match="height must be greater than 0"):
        PlaneBlock(0.2, 0.0, 0.1, 0.01)
    with pytest.raises(ParameterError, match="at least 2"):
        PlaneBlock(0.2, 0.1, 0.1, 0.06, 1)
    monkeypatch.setattr(plane_stress, "find_spec", lambda name: None)
    with pytest.raises(ParameterError, match="pip install scikit-fem"):
        pinned_share(PlaneBlock(0.2, 0.1, 0.1, 0.02, 10))
