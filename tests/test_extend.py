"""The Python in docs/extend.md runs from top to bottom."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "extend.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_python_on_the_page_runs_from_top_to_bottom():
    names = {"__name__": "extend"}
    for number, block in enumerate(BLOCKS):
        exec(compile(block, f"{PAGE.name} block {number}", "exec"), names)
    assert len(BLOCKS) >= 7
