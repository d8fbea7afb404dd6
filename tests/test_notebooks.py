"""The notebooks run from top to bottom, and what they assert holds; two of them have tests of their own."""

import json
from pathlib import Path

import pytest

DEMOS = Path(__file__).resolve().parents[1] / "demos"
NOTEBOOKS = {
    "first_contact": [pytest.mark.chrono],
    "slope_under_five_laws": [pytest.mark.chrono],
    "sweep_and_identification": [],
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks) for name, marks in NOTEBOOKS.items()])
def test_a_notebook_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = json.loads((DEMOS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    names = {"__name__": name}
    for number, cell in enumerate(cell for cell in cells if cell["cell_type"] == "code"):
        exec(compile("".join(cell["source"]), f"{name} cell {number}", "exec"), names)


def test_every_notebook_is_tried():
    assert sorted(path.stem for path in DEMOS.glob("*.ipynb")) == sorted(
        [*NOTEBOOKS, "gait_observer", "measurement_to_parameters"]
    )
