"""The Python in docs/own_observer.md runs on the real PyChrono and finds the floor."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "own_observer.md"


@pytest.mark.chrono
def test_the_observer_finds_the_floor_of_a_chrono_run():
    (block,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    names = {"__name__": "guide"}
    exec(compile(block.replace("< 1.0:", "< 0.4:"), str(GUIDE), "exec"), names)
    assert names["observer"].x[-1] == pytest.approx(names["floor"].r_c, abs=5e-4)
    assert names["ride"].observation().rms("z_dot") < 0.1
