import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.trajectory import Trajectory
from chrono_powercontact.view.drawn import MOST_FRAMES, Drawn, Touch, frame_rows, recording_of

T = np.linspace(0.0, 2.0, 1001)
RUN = Trajectory(
    ("t", "x", "phi", "F", "v", "kinetic", "potential"),
    np.column_stack([T, T**2, 0.5 * T, np.maximum(T - 1.0, 0.0), T, T, 3.0 - T]),
    1000,
)
BODY = Drawn("ball", "ball", (0.1,), ("x", 0.0, 1.0), angle="phi")


def made(bodies=(BODY,), contacts=(), columns=("x",)):
    return recording_of(RUN, bodies, contacts, columns, 60.0, "title", 0.5)


def test_bodies_follow_their_columns():
    found = made()
    assert found.positions[-1, 0] == pytest.approx([4.0, 0.0, 1.0])
    assert found.rotations[-1, 0] == pytest.approx([np.cos(0.5), 0.0, np.sin(0.5), 0.0])
    assert found.columns == ("kinetic", "potential", "x")
    assert found["potential"].min() == 0.0


def test_charts_tell_units_where_these_are_given():
    assert [chart.heading for chart in made().charts] == ["energy in J", "x"]
    assert [chart.heading for chart in made(columns={"x": "m"}).charts] == ["energy in J", "x in m"]


def test_contacts_are_drawn_where_they_have_a_force():
    found = made(contacts=[Touch(("x", 0.0, 0.0), "F", (0.0, 0.0, 1.0), ("-v", 0.0, 0.0), "v")])
    none = recording_of(RUN, [BODY], [Touch(("x", 0.0, 0.0), "F")], (), 60.0, "", 0.5)
    assert none.frames[0].contacts.size == 0
    last = found.frames[-1].contacts[0]
    assert last["normal"].tolist() == [0.0, 0.0, 1.0]
    assert last["friction"].tolist() == [-2.0, 0.0, 0.0]
    assert last["sliding"]


@pytest.mark.parametrize(("length", "rows", "expected"), [(0.01, 500, 300), (5.0, 100, 100), (100.0, 10_000, 300)])
def test_a_run_has_a_reasonable_number_of_frames(length, rows, expected):
    found = frame_rows(np.linspace(0.0, length, rows), 60.0)
    assert len(found) == expected <= MOST_FRAMES
    assert (found[0], found[-1]) == (0, rows - 1)


def test_bad_input_is_one_sentence():
    with pytest.raises(ParameterError, match="kind must be one of ball, box, capsule, cylinder, got 'cone'"):
        Drawn("a", "cone", (1.0,))
    with pytest.raises(ParameterError, match=r"size of a box is 3 positive number\(s\), got \(1.0,\)"):
        Drawn("a", "box", (1.0,))
    with pytest.raises(ParameterError, match="shows nothing by itself"):
        made(bodies=())
    with pytest.raises(ParameterError, match="no column 'speed'; there are t, x"):
        made(columns=("speed",))
    with pytest.raises(ParameterError, match="one value for each of 1001 rows"):
        made(bodies=[Drawn("a", "ball", (1.0,), (np.zeros(3), 0.0, 0.0))])
    with pytest.raises(KeyError, match="no column 'y'"):
        made(bodies=[Drawn("a", "ball", (1.0,), ("y", 0.0, 0.0))])
