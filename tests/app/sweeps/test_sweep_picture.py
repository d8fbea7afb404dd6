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
