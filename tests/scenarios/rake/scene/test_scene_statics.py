"""Statics and first vibration measured on Chrono: a machine that is held rings, and its rest is read off."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rake_runs import asked_for, quiet

from chrono_powercontact.scenarios.rake.cases.static_cases import PLACES, STATICS_EXPECTED
from chrono_powercontact.scenarios.rake.machine.rack_contact import STIFFNESS
from chrono_powercontact.scenarios.rake.motion.setup import Setup
from chrono_powercontact.scenarios.rake.scene.scene_statics import (
    HOLD,
    KICK,
    kicked,
    rest_value,
    ringing,
    statics_on_chrono,
)

MIDDLE = 2
"""Number of a place up the rack among those of the table."""


@pytest.mark.filterwarnings("ignore:Covariance")  # a signal without noise has none
@given(
    frequency=st.floats(1.4, 2.2),
    decay=st.floats(0.05, 0.8),
    phase=st.floats(0.0, 6.28),
    mean=st.floats(-2.0, 2.0),
    wrong=st.floats(-0.03, 0.03),
)
def test_frequency_decay_and_rest_of_a_known_signal_are_found(frequency, decay, phase, mean, wrong):
    t = np.linspace(1.0, 6.0, 251)
    x = mean + 0.03 * np.exp(-decay * t) * np.cos(2.0 * np.pi * frequency * t + phase)
    found = ringing(t, x, frequency * (1.0 + wrong))
    assert found == pytest.approx((frequency, decay), rel=1e-5, abs=1e-6)
    assert rest_value(t, x, *found) == pytest.approx(mean, abs=1e-7)


def test_held_machine_is_kicked_once_and_stays_off_the_rack():
    setup = Setup()
    lengths = np.array((2.5, 4.1))
    hold = kicked(setup, lengths)
    assert hold.command.c[:, 0] == pytest.approx((2.5, 4.1 - KICK))
    assert np.ptp(hold.command.c[:, 1:], axis=1) == pytest.approx((0.0, 0.0))
    assert hold.command.t[-1] == HOLD
    assert hold.rack.offset == -1.0


@pytest.mark.chrono
def test_row_of_the_table_is_what_is_told_and_what_the_statics_give():
    shares, s = [], PLACES[MIDDLE]
    table = statics_on_chrono(asked_for(case="lc0"), (s,), shares.append)
    row, setup = {name: table[name][0] for name in table.names}, Setup()
    hold = setup.statics.pressed(setup.rack, s, 0.0, STIFFNESS)
    assert (row["s"], row["c1"], row["c2"]) == (s, *hold.lengths)
    for name, share in (("F1", 5e-3), ("F2", 5e-3), ("f1", 0.02)):
        assert row[name] == pytest.approx(STATICS_EXPECTED[name][MIDDLE], rel=share), name
    assert (row["F1"], row["F2"]) == pytest.approx(tuple(hold.forces), rel=5e-4)
    assert row["f1"] == pytest.approx(setup.statics.frequencies(hold.q, hold.forces)[0], rel=3e-3)
    assert shares[-1] == 1.0
    assert np.all(np.diff(shares) > 0.0)


@pytest.mark.chrono
def test_scenario_measures_its_table_on_chrono_and_claims_only_what_it_measured(monkeypatch):
    from chrono_powercontact.scenarios.rake.cases import static_cases as tables

    monkeypatch.setattr(tables, "PLACES", PLACES[:1])
    p = asked_for(case="lc0", arms="rigid")
    table = tables.statics_table(p, quiet, "chrono")
    metrics = tables.statics_metrics(p, table)
    assert "k_nn" not in metrics
    assert metrics["f1_hz"] == metrics["f1"][0]
    assert metrics["F1"][0] == pytest.approx(STATICS_EXPECTED["F1"][0], rel=5e-3)
    assert "f1" in table.names
