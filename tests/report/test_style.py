from matplotlib.figure import Figure

from chrono_powercontact.report.style import ground, legend, panel, stage


def test_panel_labels_both_axes_and_names_several_curves():
    axes = Figure().subplots()
    panel(axes, [0, 1], {"a": [0, 1], "b": [1, 0]}, "title", "time in s", "force in N")
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ("title", "time in s", "force in N")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b"]


def test_one_curve_needs_no_legend():
    axes = Figure().subplots()
    panel(axes, [0, 1], {"a": [0, 1]}, "", "", "")
    assert axes.get_legend() is None


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
