"""Guyan and Craig-Bampton: statics exact for any number of modes, and what truncation costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.errors import ModelError, ParameterError, UnknownNameError
from chrono_powercontact.lagrange.beams.beam_elements import CLAMPED
from chrono_powercontact.lagrange.beams.beam_modes import natural_modes
from chrono_powercontact.lagrange.beams.beams import Beam, RigidMass, Section
from chrono_powercontact.lagrange.beams.reduction import Interface, ReducedBeam, craig_bampton, guyan, reduce_beam

EI, LENGTH = 1.89e8, 6.0
BOOM = Beam.uniform(LENGTH, Section(EI, 262.5))
LUGS = {"lug": 2.4, "elbow": Interface(6.0, ("w",))}


@settings(max_examples=40)
@given(st.integers(0, 8), st.integers(1, 19), st.floats(-1e5, 1e5), st.floats(-1e5, 1e5), st.booleans())
def test_static_deflection_is_exact_for_any_number_of_modes(
    modes: int, place: int, force: float, pull: float, orthonormal: bool
) -> None:
    """Loads at both interfaces: a^2 (3 L - a)/(6 EI) and L^3/(3 EI)."""
    lug = 0.31 * place
    reduced = reduce_beam(BOOM, {"lug": lug, "elbow": Interface(LENGTH, ("w",))}, modes)
    reduced = reduced.orthonormal if orthonormal else reduced
    q = reduced.static({("lug", "w"): force, ("elbow", "w"): pull})
    tip = (force * lug**2 * (3 * LENGTH - lug) / 2 + pull * LENGTH**3) / (3 * EI)
    scale = (abs(force) + abs(pull)) * LENGTH**3 / (3 * EI)
    assert (reduced.displacement("elbow") @ q)[1] == pytest.approx(tip, abs=1e-8 * scale)
    assert (reduced.displacement("lug") @ q)[2] == pytest.approx(
        (force * lug**2 / 2 + pull * (LENGTH * lug - lug**2 / 2)) / EI, abs=1e-8 * scale
    )


@pytest.mark.parametrize("modes", [0, 2, 4, 8])
def test_fixed_interface_modes_leave_the_interfaces_where_they_are(modes: int) -> None:
    reduced = reduce_beam(BOOM, LUGS, modes)
    assert reduced.names[:3] == ("lug_w", "lug_theta", "elbow_w")
    assert len(reduced.names) == 3 + modes
    assert reduced.displacement("lug")[1:] == pytest.approx(np.eye(2, 3 + modes))
    assert reduced.displacement("elbow")[1] == pytest.approx(np.eye(3, 3 + modes)[2])
    assert np.abs(reduced.stiffness[:3, 3:]).max(initial=0.0) < 1e-8 * np.abs(reduced.stiffness).max()


def test_frequencies_come_down_to_those_of_the_elements() -> None:
    whole = natural_modes(BOOM.with_node(2.4), CLAMPED, 4).frequencies
    errors = [reduce_beam(BOOM, LUGS, modes).frequencies[:3] / whole[:3] - 1.0 for modes in (0, 2, 6)]
    assert np.all(np.array(errors) > -1e-9)
    assert errors[0][0] < 0.003  # Guyan already has the slowest mode
    assert errors[1].max() < 0.04
    assert errors[2].max() < 1e-3


def test_all_inner_modes_give_the_whole_beam_back() -> None:
    beam = Beam.uniform(LENGTH, Section(EI, 262.5), 4)
    reduced = reduce_beam(beam, {"tip": LENGTH}, 6)
    assert reduced.frequencies == pytest.approx(natural_modes(beam, CLAMPED, 8).frequencies, rel=1e-8)


def test_orthonormal_modes_span_the_same_space() -> None:
    reduced = reduce_beam(BOOM, LUGS, 2)
    modal = reduced.orthonormal
    assert modal.names == ("mode_1", "mode_2", "mode_3", "mode_4", "mode_5")
    assert modal.mass == pytest.approx(np.eye(5), abs=1e-10)
    assert modal.stiffness == pytest.approx(np.diag(reduced.frequencies**2), abs=1e-9 * reduced.frequencies[-1] ** 2)
    assert np.linalg.matrix_rank(np.hstack([reduced.basis, modal.basis]), 1e-8) == 5


def clamped_tip_error(reduced: ReducedBeam, dropped: int) -> float:
    """Share in % by which the tip is too stiff when modes are dropped before the base is clamped by a joint."""
    kept = reduced.truncated(len(reduced.names) - dropped) if dropped else reduced.orthonormal
    base, load, n = kept.displacement("base")[1:], kept.displacement("tip")[1], len(kept.names)
    saddle = np.block([[kept.stiffness, base.T], [base, np.zeros((2, 2))]])
    q = np.linalg.lstsq(saddle, np.append(load, [0.0, 0.0]), rcond=None)[0][:n]
    return float(100.0 * (1.0 - 3.0 * load @ q))


@pytest.mark.parametrize(
    ("modes", "errors"), [(2, (10, 18)), (4, (13, 14, 18)), (8, (8, 9, 11))], ids=["2 modes", "4 modes", "8 modes"]
)
def test_dropping_orthonormal_modes_stiffens_the_arm(modes: int, errors: tuple[int, ...]) -> None:
    """The cause of 20 % static error in a published rake cleaner: not the reduction, but what is dropped after it.

    A beam of 20 elements with three masters, its 1, 2, 3 highest orthonormal modes dropped.
    """
    masters = {"base": 0.0, "inside": 0.3, "tip": 1.0}
    reduced = reduce_beam(Beam.uniform(1.0, Section(1.0, 1.0)), masters, modes, held={})
    assert clamped_tip_error(reduced, 0) == pytest.approx(0.0, abs=1e-5)
    for dropped, error in enumerate(errors, 1):
        assert clamped_tip_error(reduced, dropped) == pytest.approx(error, abs=0.5)


def test_matrices_of_a_spring_chain() -> None:
    """Wall - 1 - 2 - 3 with unit springs: condensed to the end it is a spring of 1/3."""
    k = np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]])
    assert guyan(k, [2])[:, 0] == pytest.approx([1 / 3, 2 / 3, 1.0])
    basis = craig_bampton(k, np.eye(3), [2], 2)
    assert (basis.T @ k @ basis) == pytest.approx(np.diag([1 / 3, 1.0, 3.0]))
    assert basis[2] == pytest.approx([1.0, 0.0, 0.0])


def test_shortening_of_a_bent_cantilever() -> None:
    """w = a (x/L)^2 at the tip: int w'^2 dx/2 = 2 a^2/(3 L); a tip moment bends to this parabola."""
    reduced = reduce_beam(BOOM, {"tip": LENGTH})
    q = reduced.static({("tip", "theta"): 2e5})
    a = reduced.displacement("tip")[1] @ q
    assert a == pytest.approx(2e5 * LENGTH**2 / (2 * EI))
    assert q @ reduced.shortening("tip") @ q / 2 == pytest.approx(2 * a**2 / (3 * LENGTH))
    assert q @ reduced.shortening(3.0) @ q / 2 == pytest.approx(2 * a**2 / (3 * LENGTH) / 8)
    assert not reduced.shortening(0.0).any()


def test_a_chord_frame_holds_both_ends() -> None:
    reduced = reduce_beam(BOOM, {"middle": 3.0}, 0, {0.0: ("w",), LENGTH: ("w",)})
    q = reduced.static({("middle", "w"): 1e4})
    assert (reduced.displacement("middle") @ q)[1] == pytest.approx(1e4 * LENGTH**3 / (48 * EI))


def test_rigid_masses_weigh_in_the_reduced_beam() -> None:
    reduced = reduce_beam(Beam.uniform(LENGTH, Section(EI, 1e-3), 20, [RigidMass(LENGTH, 900.0)]), {"tip": LENGTH})
    assert reduced.mass[0, 0] == pytest.approx(900.0, rel=1e-4)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: reduce_beam(BOOM, {"lug": 6.5}), "interface 'lug' must lie on the beam, between 0 and 6 m, got 6.5 m"),
        (lambda: reduce_beam(BOOM, {"lug": -1.0}), "interface 'lug' must lie on the beam"),
        (lambda: reduce_beam(BOOM, {}), "needs at least one interface, got none"),
        (lambda: reduce_beam(BOOM, LUGS, -1), "modes must be a whole number between 0 and 37"),
        (lambda: reduce_beam(BOOM, LUGS, 40), "modes must be a whole number between 0 and 37, .* got 40"),
        (lambda: reduce_beam(BOOM, LUGS, 1.5), "modes must be a whole number"),
        (lambda: reduce_beam(BOOM, LUGS, 2).truncated(2), "between 3, which the interfaces need, and 5"),
        (lambda: reduce_beam(BOOM, LUGS, 2).truncated(2), "got 2: too few modes cannot carry the boundary"),
        (lambda: reduce_beam(BOOM, LUGS, 2).truncated(6), "5, which there are, got 6"),
        (lambda: reduce_beam(BOOM, {"base": 0.0}), "component 'w' of interface 'base' is held and cannot carry a load"),
        (lambda: reduce_beam(BOOM, {"a": 3.0, "b": 3.0}), "component 'w' at 3 m belongs to two interfaces"),
        (lambda: reduce_beam(BOOM, {"tip": Interface(6.0, ("u",))}), "component 'u' of interface 'tip' is held"),
        (lambda: reduce_beam(BOOM, {"tip": Interface(6.0, ("z",))}), "must be one of u, w, theta, got 'z'"),
        (lambda: reduce_beam(BOOM, LUGS).displacement(7.0), "must lie between 0 and 6 m, got 7 m"),
    ],
)
def test_what_cannot_be_reduced_is_refused(make: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


def test_a_beam_that_nothing_holds_is_refused() -> None:
    with pytest.raises(ModelError, match="leave the beam a rigid motion in its frame"):
        reduce_beam(BOOM, {"tip": Interface(6.0, ("w",))}, held={0.0: ("u",)})


def test_unknown_places_and_components_are_named() -> None:
    reduced = reduce_beam(BOOM, LUGS)
    with pytest.raises(UnknownNameError, match="unknown interface 'elbo': did you mean 'elbow'"):
        reduced.displacement("elbo")
    with pytest.raises(UnknownNameError, match="unknown component 'x'"):
        reduced.static({("lug", "x"): 1.0})
