import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.toss.simulated_tosses import SAMPLE, simulated_tosses
from chrono_powercontact.scenarios.toss.toss_data import gravity_about, read_tosses


@pytest.fixture(scope="module")
def tosses():
    return simulated_tosses(5, 0)


@pytest.fixture
def arrays(tosses):
    t = SAMPLE * np.concatenate([np.arange(n) for n in np.diff(tosses.first)])
    return {"first": tosses.first, "t": t, "position": tosses.position.copy(), "quaternion": tosses.quaternion.copy()}


@pytest.fixture
def saved(tmp_path):
    def save(arrays):
        np.savez(tmp_path / "tosses.npz", **arrays)
        return tmp_path / "tosses.npz"

    return save


def test_a_file_gives_its_tosses_back(arrays, saved, tosses):
    read = read_tosses(saved(arrays))
    assert len(read) == 5
    assert read.sample == pytest.approx(SAMPLE)
    np.testing.assert_allclose(read.position, tosses.position)
    assert np.all(read.flight >= 5)


def test_gravity_is_that_of_the_centre_of_mass():
    tosses = simulated_tosses(60, 0)
    assert gravity_about(tosses, np.arange(60), np.array([0.5e-3, -0.4e-3, 5e-3])) == pytest.approx(9.81, abs=0.02)


def gap(arrays):
    arrays["t"][30:100] += 0.1


def millimetres(arrays):
    arrays["position"] *= 1e3


def half_widths(arrays):
    arrays["position"] /= 0.0524


def milliseconds(arrays):
    arrays["t"] *= 1e3


def unknown_sample(arrays):
    arrays["position"][7] = np.nan


def short_quaternion(arrays):
    arrays["quaternion"][3] *= 0.9


def no_quaternion(arrays):
    del arrays["quaternion"]


def fewer_rows(arrays):
    arrays["position"] = arrays["position"][:-1]


def flat_positions(arrays):
    arrays["position"] = arrays["position"][:, :2]


def words(arrays):
    arrays["t"] = np.array(["a"] * len(arrays["t"]))


def wrong_first(arrays):
    arrays["first"] = arrays["first"][:-1]


def below_ground(arrays):
    arrays["position"][:, 2] -= 0.1


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (gap, "toss 0 has a gap: 0.1068 s after its sample 29, all steps must be 0.006757 s"),
        (millimetres, "positions must be in m and times in s"),
        (half_widths, "positions must be in m"),
        (milliseconds, "positions must be in m and times in s"),
        (unknown_sample, "position must be finite, it is not in row 7"),
        (short_quaternion, "each quaternion must have the length 1, got 0.9 in row 3"),
        (no_quaternion, "must hold the arrays first, t, position, quaternion; 'quaternion' is missing"),
        (fewer_rows, "must have the same number of rows"),
        (flat_positions, r"position must have the shape \(None, 3\), got \(500, 2\)"),
        (words, "t must hold numbers, got the type <U1"),
        (wrong_first, "first must rise from 0 to the 500 rows"),
        (below_ground, "toss 0 must begin with 3 samples in flight, got 0"),
    ],
)
def test_data_that_cannot_be_tosses_are_one_sentence(spoil, message, arrays, saved):
    spoil(arrays)
    with pytest.raises(ParameterError, match=message):
        read_tosses(saved(arrays))


def test_what_is_no_file_of_tosses_is_one_sentence(tmp_path):
    with pytest.raises(ParameterError, match="which is not a file"):
        read_tosses(tmp_path / "nothing.npz")
    for content in (b"tosses", b"", b"PK\x03\x04 cut off"):
        (tmp_path / "text.npz").write_bytes(content)
        with pytest.raises(ParameterError, match="must be a file of NumPy's npz format"):
            read_tosses(tmp_path / "text.npz")
