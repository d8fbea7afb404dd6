import numpy as np
import pytest
from matplotlib.figure import Figure

from chrono_powercontact.report.charts import BUCKETS, charts_of, thinned

T = np.linspace(0.0, 1.0, 50)


def test_a_panel_becomes_data_with_its_titles():
    axes = Figure().subplots()
    axes.plot(T, 2.0 * T, label="force", color="#1f6fb4")
    axes.set(title="loads", xlabel="time in s", ylabel="force in N")
    (chart,) = charts_of(axes.figure)
    assert (chart["title"], chart["x"], chart["y"], chart["scale"]) == ("loads", "time in s", "force in N", 1)
    (curve,) = chart["curves"]
    assert (curve["label"], curve["colour"], curve["dots"]) == ("force", "#1f6fb4", False)
    assert curve["y"][-1] == 2.0


def test_panels_that_share_an_axis_say_what_it_is():
    figure = Figure()
    above, below = figure.subplots(2, 1, sharex=True)
    twin = above.twinx()
    for axes in (above, below, twin):
        axes.plot(T, T)
    below.set_xlabel("time in s")
    assert [chart["x"] for chart in charts_of(figure)] == ["time in s"] * 3


def test_what_does_not_run_over_growing_x_stays_in_the_picture():
    axes = Figure().subplots()
    axes.plot(np.cos(6.0 * T), T)
    axes.axhline(0.5)
    assert charts_of(axes.figure) == []


def test_a_long_curve_keeps_its_peaks():
    y = np.zeros(100_000)
    y[51_234] = 7.0
    kept = thinned(y)
    assert 51_234 in kept
    assert (kept[0], kept[-1]) == (0, y.size - 1)
    assert kept.size <= 2 * BUCKETS + 2
    assert thinned(y[:10]).tolist() == pytest.approx(range(10))
