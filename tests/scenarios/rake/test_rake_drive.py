import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.rake.machine.drive import (
    CYCLE,
    PACKAGED,
    Command,
    averaged,
    blend,
    lagged,
    logged,
    read_command,
    regressed,
    with_return,
)
from chrono_powercontact.scenarios.rake.machine.machine import OIL, Rack, machine, with_oil
from chrono_powercontact.scenarios.rake.machine.two_link import TwoLink
from chrono_powercontact.scenarios.rake.motion.rake_motion import commanded, seek

COMMAND = read_command(PACKAGED)
MACHINE = machine()


def test_compiled_command_is_the_spline_through_the_knots():
    coefficients, k = COMMAND.coefficients(), 0
    for t in (0.0, 20.3, 61.1, 71.9, 100.05, 125.0):
        k = seek(COMMAND.t, t, k)
        since, width = t - COMMAND.t[k], COMMAND.t[k + 1] - COMMAND.t[k]
        length, rate = commanded(coefficients[1, k], since, width)
        assert length == pytest.approx(COMMAND.at(t)[1], abs=1e-12)
        if 0.0 < t < 125.0:
            assert rate == pytest.approx((COMMAND.at(t + 1e-5) - COMMAND.at(t - 1e-5))[1] / 2e-5, abs=1e-7)


def test_beyond_its_end_the_command_is_held():
    coefficients = COMMAND.coefficients()
    assert seek(COMMAND.t, 130.0, 3) == COMMAND.t.size - 2
    assert commanded(coefficients[0, -1], 5.0, 0.25) == (pytest.approx(COMMAND.c[0, -1]), 0.0)
    assert COMMAND.at(500.0) == pytest.approx(COMMAND.c[:, -1])


def test_the_way_home_ends_where_the_cycle_began_and_stays_off_the_rack():
    whole, two, rack = with_return(COMMAND, MACHINE), TwoLink(MACHINE), Rack()
    whole.check(MACHINE)
    assert whole.t[-1] == pytest.approx(CYCLE)
    assert whole.c[:, -1] == pytest.approx(COMMAND.c[:, 0])
    later = whole.t > 127.0
    gaps = [(two.tip(*two.angles(*c)) - rack.point(0.0)) @ rack.normal for c in whole.c.T[later]]
    assert min(gaps) > 0.0
    assert np.abs(np.diff(whole.c, axis=1)[:, later[1:]]).max() < 0.1


def test_blend_rests_at_both_ends():
    assert blend([-1.0, 0.0, 0.5, 1.0, 2.0]) == pytest.approx([0.0, 0.0, 0.5, 1.0, 1.0])
    assert blend(1e-3) < 1e-8


def test_the_controller_logs_stairs():
    stairs = logged(COMMAND, 30.0)
    assert np.diff(stairs.t) == pytest.approx(0.09)
    jumps = np.count_nonzero(np.diff(stairs.c[0]))
    assert 20 <= jumps <= 30


def test_regression_keeps_a_straight_line_and_the_mean_takes_a_ripple():
    t = np.arange(0.0, 20.0, 0.09)
    line = Command(t, np.array([2.0 + 0.01 * t, 3.0 - 0.02 * t]))
    assert regressed(line).c == pytest.approx(line.c, abs=1e-9)
    rippled = Command(t, line.c + 1e-3 * np.sin(2.0 * np.pi * t / 0.99))
    inner = slice(20, -20)
    assert np.abs(averaged(rippled).c - line.c)[:, inner].max() < 2e-5


def test_smoothing_takes_the_stairs():
    stairs = logged(COMMAND, 45.0)
    smooth, ideal = averaged(regressed(stairs)), COMMAND.at(stairs.t)
    rough = np.abs(np.diff(stairs.c, 2)).max()
    assert np.abs(np.diff(smooth.c, 2)).max() < 0.02 * rough
    assert np.abs(smooth.c - ideal).max() < 0.05


def write(folder, lines):
    path = folder / "command.csv"
    path.write_text("t,c1,c2\n" + "\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0,3,4", "1,3,4", "0.5,3,4", "2,3,4"], r"times of a command must increase, got 0\.5 s after 1 s"),
        (["0,3,4", "1,3,4", "9,3,4", "10,3,4"], r"2 s apart at most, got a gap from 1 s to 9 s"),
        (["0,3,4", "1,3,", "2,3,4", "3,3,4"], r"line 3 of the command file .* must hold three numbers .* got '1,3,'"),
        (["0,3,4", "1,3,nan", "2,3,4"], "line 3 .* must hold three numbers"),
        (["0,3", "1,3"], "line 2 .* must hold three numbers"),
        (["0,3,4", "1,3,4"], "at least 4 knots, got 2"),
        ([], "has no knots"),
    ],
)
def test_a_damaged_command_file_is_refused(tmp_path, lines, message):
    with pytest.raises(ParameterError, match=message):
        read_command(write(tmp_path, lines))


def test_titles_may_be_left_out_and_lines_are_counted_as_in_the_file(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("\n".join(f"{t},3,4" for t in range(5)))
    np.testing.assert_array_equal(read_command(path).t, np.arange(5.0))
    path.write_text("t,c1,c2\n0,3,4\n\n\n1,3,x\n2,3,4\n")
    with pytest.raises(ParameterError, match="line 5 of the command file"):
        read_command(path)


def test_a_command_that_begins_at_another_time_is_refused():
    late = Command(COMMAND.t[10:], COMMAND.c[:, 10:])
    with pytest.raises(ParameterError, match="a command must begin at 0 s, got 5 s"):
        late.check(machine())


def test_a_missing_command_file_is_refused(tmp_path):
    with pytest.raises(ParameterError, match=r"the command file '.*nowhere.csv' cannot be read"):
        read_command(tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    ("c1", "message"),
    [(3.5, r"main cylinder must be 1\.84 m to 3\.39 m long, got 3\.5 m"), (4.2, "loop of the main cylinder closes")],
)
def test_lengths_beyond_stroke_or_loop_are_refused(c1, message):
    t = np.arange(5.0)
    with pytest.raises(ParameterError, match=message):
        Command(t, np.array([np.full(5, c1), np.full(5, 4.0)])).check(MACHINE)


def test_a_lagging_command_follows_a_ramp_its_time_constant_behind():
    t = np.linspace(0.0, 10.0, 41)
    ramp = Command(t, np.array([2.0 + 0.01 * t, 4.0 - 0.02 * t]))
    late = lagged(ramp, 0.4)
    np.testing.assert_allclose(late.at(8.0), ramp.at(7.6), atol=1e-8)
    np.testing.assert_allclose(late.at(0.0), ramp.at(0.0))
    assert lagged(ramp, 0.0) is ramp


def test_oil_is_in_series_with_the_bearings_and_keeps_their_damping_time():
    for soft, plain, oil in zip(with_oil(MACHINE, 1.0).cylinders, MACHINE.cylinders, OIL, strict=True):
        assert 1.0 / soft.k == pytest.approx(1.0 / plain.k + 1.0 / oil)
        assert soft.c / soft.k == pytest.approx(plain.c / plain.k)
    assert with_oil(MACHINE, 0.0) == MACHINE
