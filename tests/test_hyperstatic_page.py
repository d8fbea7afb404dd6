"""The Python in docs/hyperstatic.md runs from top to bottom, and prints what it says."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[1] / "docs" / "hyperstatic.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_python_on_the_page_runs_from_top_to_bottom():
    names = {"__name__": "hyperstatic"}
    for number, block in enumerate(BLOCKS):
        exec(compile(block, f"{PAGE.name} block {number}", "exec"), names)
    assert len(BLOCKS) == 3
    assert (names["ranges"]["T_A"].low, names["ranges"]["T_A"].high) == pytest.approx((-7.398, -0.702), abs=1e-3)
    assert names["ranges"]["N_A"].low == pytest.approx(73.98, abs=1e-3)
    assert names["run"]["T_A"][-1] == pytest.approx(-7.398, abs=2e-3)
