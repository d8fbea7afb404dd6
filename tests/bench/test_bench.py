import json

import pytest

from chrono_powercontact.bench.bench import CASES, run_benchmarks
from chrono_powercontact.errors import UnknownNameError


def test_a_case_prints_its_ratio_and_writes_it(tmp_path, capsys):
    (result,) = run_benchmarks(["cube_step"], str(tmp_path / "bench.json"))
    assert result.ratio == pytest.approx(result.other / result.ours)
    assert "compiled RK4 step" in capsys.readouterr().out
    assert json.loads((tmp_path / "bench.json").read_text())["results"][0]["case"] == "cube_step"


def test_unknown_case_is_refused_before_anything_runs(capsys):
    with pytest.raises(UnknownNameError, match="second_start"):
        run_benchmarks(["second_strt"])
    assert capsys.readouterr().out == ""


def test_every_case_explains_itself():
    assert all(case.__doc__ for case in CASES.values())
