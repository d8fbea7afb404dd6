"""Beams as data: what is a beam, and what is refused in one sentence."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.lagrange.beams.beams import Beam, RigidMass, Section

STEEL = Section(1.89e8, 262.5)


def test_a_uniform_beam_has_equal_elements() -> None:
    beam = Beam.uniform(6.0, STEEL, 12)
    assert beam.length == pytest.approx(6.0)
    assert len(beam.sections) == 12
    assert [b - a for a, b in zip(beam.stations, beam.stations[1:], strict=False)] == pytest.approx([0.5] * 12)
    assert not beam.extensible
    assert Beam.uniform(6.0, Section(1.0, 1.0, axial=5.0)).extensible


def test_pieces_follow_each_other() -> None:
    thin = Section(1e6, 50.0)
    beam = Beam.pieces([(2.0, STEEL), (1.0, thin)], 4)
    assert beam.stations[4] == pytest.approx(2.0)
    assert beam.sections == (STEEL,) * 4 + (thin,) * 4


@given(st.integers(0, 600), st.integers(0, 600))
def test_wanted_nodes_are_there_and_make_no_slivers(first: int, second: int) -> None:
    wanted = (0.01 * first, 0.01 * second)
    beam = Beam.uniform(6.0, STEEL, 5).with_node(*wanted)
    assert None not in [beam.node(at) for at in wanted]
    assert 4 <= len(beam.stations) <= 8
    lengths = [b - a for a, b in zip(beam.stations, beam.stations[1:], strict=False)]
    assert sum(s.mass * x for s, x in zip(beam.sections, lengths, strict=True)) == pytest.approx(1575.0)
    ends = {beam.node(at) for at in (0.0, 6.0, *wanted)}
    assert all(x > 0.12 or {i, i + 1} <= ends for i, x in enumerate(lengths))


def test_a_mesh_node_beside_a_wanted_one_goes_and_others_stay() -> None:
    thin = Section(1e6, 50.0)
    assert Beam.uniform(3.0, STEEL, 3).with_node(1.01).stations == (0.0, 1.01, 2.0, 3.0)
    assert Beam.pieces([(1.0, STEEL), (2.0, thin)], 1).with_node(1.01).stations == (0.0, 1.0, 1.01, 3.0)
    assert Beam.uniform(3.0, STEEL, 3, [RigidMass(1.0, 5.0)]).with_node(1.01).stations == (0.0, 1.0, 1.01, 2.0, 3.0)
    assert Beam.uniform(3.0, STEEL, 3).with_node(1.01, 1.02).stations == (0.0, 1.01, 1.02, 2.0, 3.0)


def test_a_split_element_keeps_its_section() -> None:
    thin = Section(1e6, 50.0)
    beam = Beam.pieces([(2.0, STEEL), (1.0, thin)], 1).with_node(1.5, 2.5)
    assert beam.stations == (0.0, 1.5, 2.0, 2.5, 3.0)
    assert beam.sections == (STEEL, STEEL, thin, thin)


def test_rigid_masses_get_nodes() -> None:
    beam = Beam.uniform(8.0, STEEL, 3, [RigidMass(7.6, 900.0, 120.0)])
    assert beam.node(7.6) == 3
    assert len(beam.sections) == 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Section(0.0, 1.0), "bending stiffness EI must be greater than 0, got 0"),
        (lambda: Section(-3.0, 1.0), "bending stiffness EI must be greater than 0, got -3"),
        (lambda: Section(1.0, 0.0), "mass per length must be greater than 0"),
        (lambda: Section(1.0, 1.0, axial=-2.0), "axial stiffness EA must be greater than 0, got -2"),
        (lambda: Section(1.0, 1.0, rotary=-1.0), "rotary inertia per length must not be negative"),
        (lambda: Section(math.nan, 1.0), "must be a finite number"),
        (lambda: RigidMass(1.0, 0.0), "rigid mass must be greater than 0"),
        (lambda: RigidMass(1.0, 1.0, -1.0), "inertia of a rigid mass must not be negative"),
        (lambda: Beam.uniform(0.0, STEEL), "length of a beam must be greater than 0"),
        (lambda: Beam.uniform(1.0, STEEL, 0), "elements must be an integer of at least 1, got 0"),
        (
            lambda: Beam.uniform(1.0, STEEL, 4, [RigidMass(1.5, 1.0)]),
            "must lie on the beam, between 0 and 1 m, got 1.5",
        ),
        (lambda: Beam((0.0, 1.0), ()), "got 2 stations and 0 sections"),
        (lambda: Beam((0.0, 1.0, 0.5), (STEEL, STEEL)), "must rise from 0"),
        (lambda: Beam((0.0, 1.0), (STEEL,), (RigidMass(0.5, 1.0),)), "must sit on a node of the beam, got station 0.5"),
        (lambda: Beam.uniform(1.0, STEEL).with_node(-0.1), "must lie on the beam, between 0 and 1 m, got -0.1 m"),
        (lambda: Beam.uniform(1.0, STEEL, 2).node_at(0.3), "no node at 0.3 m"),
        (lambda: Beam.uniform(2.0, STEEL).with_node(1.9999), "must be 0.002 m apart at least, got 1.9999 m and 2 m"),
        (lambda: Beam.pieces([(1.0, STEEL), (1.0, Section(1.0, 1.0, 1.0))]), "got a mixture"),
    ],
)
def test_what_is_no_beam_is_refused(make: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()
