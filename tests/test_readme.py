import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_python_in_the_readme_runs(number):
    exec(compile(BLOCKS[number], f"README block {number}", "exec"), {})


def test_there_are_examples():
    assert len(BLOCKS) >= 2
