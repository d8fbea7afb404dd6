"""The picture of a sweep fits its number of parameters."""

import pytest
import swept
from PIL import Image

import chrono_powercontact as pc
from chrono_powercontact.app.sweeps.sweep import sweep
from chrono_powercontact.app.sweeps.sweep_picture import drawn_metrics, save_picture


def several(config):
    """Two numbers, a constant and a word."""
    return {"sum": sum(config.values()), "first": config["x"], "one": 1.0, "word": "w"}


@pytest.mark.parametrize(
    "over",
    [
        {"x": pc.grid(0, 4, 5)},
        {"x": pc.grid(1, 1000, 5, log=True)},
        {"x": pc.grid(0, 4, 3), "y": pc.grid(0, 1, 4)},
        {"x": pc.sobol(0, 1), "y": pc.sobol(1, 500)},
        {"x": pc.lhs(0, 1), "y": pc.lhs(0, 1), "z": pc.lhs(0, 1)},
    ],
)
def test_a_picture_is_drawn(over, tmp_path):
    sampled = any(not hasattr(swept_over, "values") for swept_over in over.values())
    table = sweep(several, over, executor="here", **({"n": 8} if sampled else {}))
    assert save_picture(table, tmp_path / "sweep.png") is not None
    with Image.open(tmp_path / "sweep.png") as picture:
        assert min(picture.size) > 200
        assert len(picture.convert("RGB").getcolors(1 << 24)) > 20


def worded(config):
    """A number that follows from numbers and a word."""
    slope = {"low": 1.0, "high": 3.0}[config["word"]]
    return {"y": slope * config.get("x", 1.0) + config.get("z", 0.0)}


def test_a_number_and_a_word_are_a_curve_for_each_word(tmp_path):
    over = {"x": pc.grid(0, 4, 5), "word": ["low", "high"]}
    (chart,) = save_picture(sweep(worded, over, executor="here"), tmp_path / "sweep.png")
    curves = {curve["label"]: curve for curve in chart["curves"]}
    assert curves["low"]["y"] == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert curves["high"]["y"] == [0.0, 3.0, 6.0, 9.0, 12.0]


@pytest.mark.parametrize("numbers", [{}, {"x": pc.grid(0, 4, 3), "z": pc.grid(0, 1, 4)}])
def test_words_are_drawn_with_any_number_of_numbers(numbers, tmp_path):
    table = sweep(worded, {**numbers, "word": ["low", "high"]}, executor="here")
    assert save_picture(table, tmp_path / "sweep.png") is not None
    assert (tmp_path / "sweep.png").stat().st_size > 5_000


def test_runs_whose_claim_fails_are_marked(tmp_path):
    table = sweep(swept.square, {"x": range(6)}, executor="here")
    assert save_picture(table, tmp_path / "sweep.png") is not None
    with Image.open(tmp_path / "sweep.png") as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
    assert (0xC8, 0x40, 0x3F) in colours


def test_metrics_that_vary_are_drawn_unless_some_are_named():
    table = sweep(several, {"x": [1, 2]}, executor="here")
    assert drawn_metrics(table) == ["sum", "first"]
    assert drawn_metrics(table, ["one"]) == ["one"]
    with pytest.raises(pc.UnknownNameError, match="did you mean 'first'"):
        drawn_metrics(table, ["frist"])


def test_nothing_to_draw(tmp_path):
    assert not save_picture(sweep(several, {"x": [1]}, executor="here"), tmp_path / "sweep.png")
    assert not (tmp_path / "sweep.png").exists()
