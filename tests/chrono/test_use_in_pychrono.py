import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "use_in_pychrono.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.chrono
def test_python_on_the_page_runs_from_top_to_bottom(capsys):
    names = {}
    for number, block in enumerate(BLOCKS):
        exec(compile(block, f"{PAGE.name} block {number}", "exec"), names)
    assert len(BLOCKS) >= 3
    assert names["contacts"].forces()["force"].sum() > 0.0
    assert ", error " in capsys.readouterr().out
