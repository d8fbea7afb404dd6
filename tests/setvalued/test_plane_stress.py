"""Plane stress by finite elements: a slender block is a beam, energies do not depend on the support."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.setvalued import plane_stress
from chrono_powercontact.setvalued.plane_stress import PlaneBlock, block_compliance, pinned_share

pytest.importorskip("skfem")


def test_a_slender_block_is_a_beam():
    """Beam theory puts 3/4 of the load on foot A if it acts at full height h, 3/4 y/h at a height y; of any length."""
    found = block_compliance(PlaneBlock(2.0, 0.1, 0.1, 0.025, 4), 1.0, 0.0)
    height = 0.1 - 0.5 * 0.025
    lift = height / (2.0 - 0.025)
    begin = np.array([0.0, -lift, -1.0, lift])
    apart = np.array([1.0, 0.0, -1.0, 0.0])
    t_a = -(apart @ (found.matrix @ begin + found.bias)) / (apart @ found.matrix @ apart)
    assert -t_a == pytest.approx(0.75 * height / 0.1, abs=0.02)


@pytest.mark.parametrize(("pad", "share"), [(0.01, 0.578), (0.02, 0.574), (0.04, 0.533)])
def test_the_thesis_block_shares_nearly_equally(pad, share):
    """53 to 58 % on pinned pads (section 9.3)."""
    found = pinned_share(PlaneBlock(0.2, 0.1, 0.1, pad, 20))
    assert 0.53 <= found <= 0.58
    assert found == pytest.approx(share, abs=2e-3)


def test_even_loads_on_the_pads_say_the_same():
    """The pair + - of even tractions: an independent calculation, from compliances instead of reactions."""
    found = block_compliance(PlaneBlock(0.2, 0.1, 0.1, 0.02, 10), 1.0, 0.0)
    lift = (0.1 - 0.01) / (0.2 - 0.02)
    begin = np.array([0.0, -lift, -1.0, lift])
    apart = np.array([1.0, 0.0, -1.0, 0.0])
    share = apart @ (found.matrix @ begin + found.bias) / (apart @ found.matrix @ apart)
    assert share == pytest.approx(pinned_share(PlaneBlock(0.2, 0.1, 0.1, 0.02, 10)), abs=5e-3)


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
