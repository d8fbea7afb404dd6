import numpy as np
from matplotlib.figure import Figure

from chrono_powercontact.report.style import energy_panel, ground, legend, level, panel, stage
from chrono_powercontact.trajectory import Trajectory


def test_panel_labels_both_axes_and_names_several_curves():
    axes = Figure().subplots()
    panel(axes, [0, 1], {"a": [0, 1], "b": [1, 0]}, "title", "time in s", "force in N")
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ("title", "time in s", "force in N")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b"]


def test_one_curve_needs_no_legend():
    axes = Figure().subplots()
    panel(axes, [0, 1], {"a": [0, 1]}, "", "", "")
    assert axes.get_legend() is None


def test_nested_curves_are_wider_than_those_in_front_of_them():
    axes = Figure().subplots()
    panel(axes, [0, 1], {"a": [0, 1], "b": [0, 1], "c": [0, 1]}, "", "", "", nested=True)
    widths = [line.get_linewidth() for line in axes.get_lines()]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 3


def test_a_level_is_named():
    axes = Figure().subplots()
    panel(axes, [0, 1], {"F": [0, 1]}, "", "", "")
    level(axes, 0.5, "weight")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["F", "weight"]


def test_potential_energy_is_counted_from_its_least_and_time_as_asked():
    names = ("t", "kinetic", "stored", "contact_heat", "friction_heat", "handed_back", "potential")
    rows = np.array([[0.0, 0, 0, 0, 0, 0, 7.0], [0.002, 0, 0, 0, 0, 0, 5.0]])
    axes = Figure().subplots()
    energy_panel(axes, Trajectory(names, rows, 1), "ms")
    potential = axes.get_lines()[-1]
    assert list(potential.get_xdata()) == [0.0, 2.0]
    assert list(potential.get_ydata()) == [2.0, 0.0]
    assert axes.get_xlabel() == "time in ms"


def test_axes_without_labels_have_no_legend_and_no_warning(recwarn):
    axes = Figure().subplots()
    axes.plot([0, 1], [0, 1])
    legend(axes)
    assert axes.get_legend() is None
    assert not recwarn.list


def test_stage_keeps_proportions():
    axes = Figure().subplots()
    stage(axes, (0, 2), (0, 1))
    ground(axes)
    assert axes.get_aspect() == 1.0
    assert axes.get_xlim() == (0.0, 2.0)
