import subprocess
import sys
from types import SimpleNamespace

import pytest

from chrono_powercontact.chrono.api import bridge as api
from chrono_powercontact.errors import UnknownNameError


def _python(code, path):
    environment = {"PYTHONPATH": str(path), "PATH": "/usr/bin:/bin", "HOME": str(path)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)


@pytest.fixture
def namesake(tmp_path):
    folder = tmp_path / "pychrono"
    folder.mkdir()
    (folder / "__init__.py").write_text("class Timer:\n    pass\n")
    return tmp_path


def test_the_namesake_is_refused_with_what_to_do(namesake):
    done = _python("from chrono_powercontact.chrono.api.bridge import missing; print(missing())", namesake)
    assert done.stdout.strip() == (
        f"'pychrono' in {namesake / 'pychrono'} is not Project Chrono but the unrelated timing library of "
        "'pip install pychrono': run 'pip uninstall pychrono', then 'conda install -c projectchrono -c conda-forge "
        "pychrono'"
    )


def test_a_folder_of_that_name_is_told_apart(monkeypatch):
    monkeypatch.delitem(sys.modules, "pychrono", raising=False)
    folder = SimpleNamespace(origin=None, submodule_search_locations=["/home/me/pychrono"])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: folder)
    assert api._search() == (
        "'pychrono' in /home/me/pychrono is a folder without a package: rename it and install Project Chrono with "
        "'conda install -c projectchrono -c conda-forge pychrono'"
    )


def test_attaching_with_the_namesake_is_one_sentence(namesake):
    done = _python("import chrono_powercontact as pc; pc.attach(object())", namesake)
    assert done.returncode == 1
    assert "PyChronoError" in done.stderr.strip().splitlines()[-1]


def test_a_script_that_has_imported_the_namesake_is_told(namesake):
    done = _python("import pychrono as chrono, chrono_powercontact as pc; chrono.ChSystemSMC()", namesake)
    assert "not Project Chrono but the unrelated timing library" in done.stderr


def test_a_broken_installation_is_told_apart(tmp_path):
    folder = tmp_path / "pychrono"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise ImportError('libfoo is missing')\n")
    (folder / "_core.so").write_text("")
    done = _python("from chrono_powercontact.chrono.api.bridge import missing; print(missing())", tmp_path)
    assert "cannot be imported (libfoo is missing)" in done.stdout


def test_the_package_imports_without_chrono(namesake):
    done = _python("import chrono_powercontact as pc; print(pc.Restriction(0.01, 0.009, 1.0, 1.0).r_c)", namesake)
    assert done.stdout.strip() == "0.0095"


@pytest.mark.chrono
def test_integrators_are_set_and_told_by_name():
    system = api.pychrono().ChSystemSMC()
    for name in api.INTEGRATORS:
        api.set_integrator(system, name)
        assert api.integrator_name(system) == name
    with pytest.raises(UnknownNameError, match="did you mean 'runge_kutta'"):
        api.set_integrator(system, "runge_kuta")


@pytest.mark.chrono
def test_bodies_are_told_apart_by_identity_not_by_pose():
    chrono = api.pychrono()
    system, other = chrono.ChSystemSMC(), chrono.ChSystemNSC()
    first, second = chrono.ChBody(), chrono.ChBody()
    system.AddBody(first)
    assert api.body_key(first) != api.body_key(second)
    assert api.body_key(system.GetBodies()[0]) == api.body_key(first)
    assert api.belongs(first, system)
    assert not api.belongs(first, other)
    assert not api.belongs(second, system)


@pytest.mark.chrono
def test_version_is_told():
    assert api.version()[0] in "91"
    assert api.missing() is None


def test_a_script_that_needs_a_part_that_is_missing_ends_with_one_sentence(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pychrono.fea", None)
    with pytest.raises(SystemExit) as ended:
        api.need_pychrono("fea")
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
