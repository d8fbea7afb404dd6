import pytest

from chrono_powercontact.app.cli import main
from chrono_powercontact.app.figures.contact_law_figures import FIGURES as CONTACT_LAWS
from chrono_powercontact.app.figures.figures_page import FIGURES, NOT_DRAWN, chosen, draw_figures
from chrono_powercontact.app.figures.friction_law_figures import classical_force, largest_difference, power_law
from chrono_powercontact.errors import ParameterError, UnknownNameError

LAST = {"2": 14, "3": 22, "4": 4, "5": 16}
"""Number of figures in each chapter of the thesis."""


def test_every_figure_of_the_thesis_is_drawn_or_has_a_reason():
    thesis = {f"{chapter}.{i}" for chapter, last in LAST.items() for i in range(1, last + 1)}
    assert sorted(thesis) == sorted([*FIGURES, *NOT_DRAWN])


def test_law_plots_are_drawn_onto_one_page(tmp_path):
    numbers = ["2.1", "2.2", "2.3", "2.4", "2.5", "3.1", "3.2", "3.3", "3.5", "3.6", "3.9", "3.10", "5.4", "5.5", "5.8"]
    pictures = draw_figures(tmp_path, numbers, quiet=True)
    assert len(pictures) == len(numbers)
    assert all(picture.stat().st_size > 5000 for picture in pictures)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert all(f"Fig. {number}:" in page for number in numbers)


def test_a_chapter_stands_for_its_figures():
    assert [figure.number for figure in chosen(["4"])] == ["4.1", "4.2", "4.3", "4.4"]
    assert len(chosen([])) == len(FIGURES)
    assert {figure.number for figure in CONTACT_LAWS} <= {figure.number for figure in chosen(["3"])}


def test_a_figure_is_drawn_once():
    assert [figure.number for figure in chosen(["4.2", "4", "4.2"])] == ["4.2", "4.1", "4.3", "4.4"]


def test_classical_and_smooth_law_differ_by_nine_per_cent():
    """The erratum of Fig. 2.4: with (2.16) they are not practically identical."""
    gap, at = largest_difference()
    assert gap / 1.4 == pytest.approx(0.09, abs=0.005)
    assert at == pytest.approx(0.0130, abs=1e-4)
    assert power_law().force(0.06) == pytest.approx(classical_force(0.06), rel=1e-3)


def test_unknown_figures_are_refused(capsys):
    with pytest.raises(UnknownNameError, match=r"unknown figure '9.9'"):
        chosen(["9.9"])
    with pytest.raises(ParameterError, match=r"figure 2.8 is not drawn: a block diagram"):
        chosen(["2.8"])
    assert main(["figures", "9.9"]) == 2
    assert "unknown figure" in capsys.readouterr().err
