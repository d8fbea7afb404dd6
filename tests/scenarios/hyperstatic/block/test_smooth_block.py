"""The block under force laws against the smooth runs of the digest, 6.4, 9.1 and 9.7."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.hyperstatic.block.block_statics import load_of
from chrono_powercontact.scenarios.hyperstatic.block.smooth_block import foot, resting_state, run_smooth, smooth_block


def ramp(law, presliding=1e-6):
    """A run, and the instant in s from which 99 % of the friction is used.

    The elastic feet let the block tilt, so that its centre of mass goes further than its feet.
    """
    material = foot(law, 0.1, presliding)
    system = smooth_block(load_of("ramp", 27.0), {"A": material, "B": material})
    run = run_smooth(system, resting_state(system), 0.1, lambda part: None)
    used = -(run["T_A"] + run["T_B"]) / (0.1 * (run["N_A"] + run["N_B"]))
    full = float(run["t"][np.flatnonzero(used < 0.99)[-1] + 1])
    return run, full


@pytest.mark.parametrize(
    ("law", "presliding", "full", "way"),
    [("tanh", 1e-6, 0.0622, 1.7027e-4), ("anchored", 5e-6, 0.0652, 1.81e-4), ("anchored", 1e-6, 0.06335, 1.727e-4)],
)
def test_published_smooth_runs(law, presliding, full, way):
    run, found = ramp(law, presliding)
    assert found == pytest.approx(full, abs=1.1e-4)
    assert run["x"][-1] - run["x"][0] == pytest.approx(way, rel=3e-3)


def test_creep_of_tanh_in_stick():
    """v = v_C artanh(F/(mu m g)), and 0.013359 m/s at 0.1 s (6.4)."""
    run, _ = ramp("tanh")
    at = int(np.argmin(np.abs(run["t"] - 0.04)))
    assert run["foot_dot"][at] == pytest.approx(1e-5 * np.arctanh(9.0 / 15.696), rel=0.02)
    assert run["x_dot"][-1] == pytest.approx(0.013359, abs=1e-6)


def test_split_of_the_anchored_law():
    """In proportion to N: (-4.238, -4.753) N at 40 ms (9.1)."""
    run, _ = ramp("anchored", 5e-6)
    at = int(np.argmin(np.abs(run["t"] - 0.04)))
    assert (run["T_A"][at], run["T_B"][at]) == pytest.approx((-4.238, -4.753), abs=1e-3)
