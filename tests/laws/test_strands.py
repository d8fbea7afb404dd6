import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.laws.friction.anchor import anchor_potential, anchor_pull, moved_on
from chrono_powercontact.laws.friction.friction_table import friction_record
from chrono_powercontact.laws.strands import RATIO, strands_of

LAW = pc.Dissipation(1.0, 1.4, 5e-3, 1e-2, 0.1)
ANCHOR = pc.Anchor(1.4e-4, 3e-4)


def slots(count):
    return [friction_record(law, anchor)["anchor"] for law, anchor in pc.friction_side_by_side(LAW, ANCHOR, count)]


def test_strands_share_the_amplitudes_and_spread_their_limits():
    parts = pc.friction_side_by_side(LAW, ANCHOR, 4)
    assert sum(law.f_c for law, _ in parts) == pytest.approx(LAW.f_c)
    assert sum(law.f_s for law, _ in parts) == pytest.approx(LAW.f_s)
    assert sum(law.d for law, _ in parts) == pytest.approx(LAW.d)
    limits = [anchor.presliding for _, anchor in parts]
    assert limits[-1] == pytest.approx(ANCHOR.presliding)
    assert np.diff(np.log(limits)) == pytest.approx(np.log(RATIO))


def test_one_strand_is_the_anchor_itself():
    ((law, anchor),) = pc.friction_side_by_side(LAW, ANCHOR, 1)
    assert (law, anchor) == (LAW, ANCHOR)


@given(st.lists(st.floats(-1.5, 1.5), min_size=2, max_size=8), st.integers(1, 6))
@settings(max_examples=25, deadline=None)
def test_no_slow_path_gets_energy_out_of_strands(corners, count):
    """Work less the rise of the stored energy is never negative, whatever the path."""
    parts = slots(count)
    stretch = np.zeros(count)
    work = 0.0
    for step in np.diff([0.0, *(c * ANCHOR.presliding for c in corners)]) / 200.0:
        for _ in range(200):
            before = sum(
                anchor_pull(p, 1.0, 1.0, (z, 0.0, 0.0), (0.0, 0.0, 0.0))[0] for p, z in zip(parts, stretch, strict=True)
            )
            stretch = np.array(
                [
                    moved_on(p, (z, 0.0, 0.0), (0.0, 0.0, 0.0), (step, 0.0, 0.0))[0]
                    for p, z in zip(parts, stretch, strict=True)
                ]
            )
            after = sum(
                anchor_pull(p, 1.0, 1.0, (z, 0.0, 0.0), (0.0, 0.0, 0.0))[0] for p, z in zip(parts, stretch, strict=True)
            )
            work += 0.5 * (before + after) * step
    stored = sum(anchor_potential(p, abs(z)) for p, z in zip(parts, stretch, strict=True))
    assert work - stored >= -1e-4 * LAW.f_s * ANCHOR.presliding


def material():
    return pc.Material(
        pc.Restriction(2e-3, 1e-3, 100.0, 3.0), pc.Friction(0.25, 0.35, 5e-3, 1e-2, 0.1), pc.Anchor(1e-4, 1e-3)
    )


def test_contacts_side_by_side_carry_the_same_load():
    parts = pc.side_by_side(material(), 4)
    assert sum(part.normal.force(0.0015, -0.1) for part in parts) == pytest.approx(
        material().normal.force(0.0015, -0.1)
    )
    assert {part.friction.mu_s for part in parts} == {0.35}


def test_a_mass_on_strands_stays_put_under_its_load_and_loses_energy_in_presliding():
    """Four contacts at one point: no creep under a load below stiction, and the ledger closes."""
    x, s = q = pc.coordinates("x s")
    vx, vs = pc.velocities(q)
    m, load, press = p = sp.symbols("m load press", real=True)
    parts = pc.side_by_side(material(), 4)
    names = [f"ground_{i}" for i in range(len(parts))]
    points = tuple(pc.ContactPoint(name, s, (vx,)) for name in names)
    model = pc.Model("strands", q, m * (vx**2 + vs**2) / 2, sp.Integer(0), p, {x: load, s: -press}, points)
    system = pc.System(model, {"m": 0.1, "load": 0.8, "press": 4.0}, dict(zip(names, parts, strict=True)))
    run = pc.run_rk4(system, system.state([0.0, material().normal.rest_distance(4.0)], [0.0, 0.0]), 1e-5, 1.0, 100)
    late = run["t"] > 0.8
    assert np.ptp(run["x"][late]) < 1e-12
    assert 0.0 < run["x"][-1] < 1e-4
    assert np.abs(run.ledger_error).max() < 1e-9
    assert run["friction_heat"][-1] > 0.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: strands_of(ANCHOR, 0), "count must be a whole number of at least 1, got 0"),
        (lambda: strands_of(ANCHOR, 2.5), "count must be a whole number of at least 1, got 2.5"),
        (lambda: strands_of(None), "anchor must be an Anchor, got None"),
        (lambda: pc.friction_side_by_side(None, ANCHOR), "law must be a Dissipation, got None"),
        (lambda: pc.side_by_side(pc.Material(pc.Hooke(0.0, 1e5))), "only Friction behind an Anchor has strands"),
        (
            lambda: pc.side_by_side(pc.Material(pc.Hooke(0.0, 1e5), pc.Friction(0.3, 0.3, 1e-3), pc.Anchor())),
            "strands divide a restriction",
        ),
    ],
)
def test_what_has_no_strands_is_refused(make, message):
    with pytest.raises(pc.ParameterError, match=message):
        make()
