"""The front of the package: every public name, lazy at run time and typed for editors and mypy."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import chrono_powercontact as pc

FRONT = Path(pc.__file__)

SCRIPT = """
import chrono_powercontact as pc

law = pc.Restriction(s_0=0.01, s_c=0.009, r_f=200.0, r_d=1.0)
material = pc.Material(law, pc.Friction(0.3, 0.4, 1e-3), pc.Anchor())
step: float = pc.stable_contact_step(law, 1.0)


@pc.normal_law
def spring(s: float, v: float, p: object) -> float:
    return 0.0


def build(system: object) -> pc.Attachment:
    contacts = pc.attach(system)
    energy: pc.Energy = contacts.energy()
    print(energy.error, contacts.force_on(system).force)
    return contacts
"""


def typed_imports():
    tree = ast.parse(FRONT.read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {alias.name: node.module for node in block.body for alias in node.names}


def test_both_tables_agree():
    assert typed_imports() == pc._HOMES
    assert sorted(pc.__all__) == sorted(["__version__", *pc._HOMES])


@pytest.mark.parametrize("name", [name for name in pc.__all__ if name != "__version__"])
def test_each_name_is_there_and_defined_where_the_table_says(name):
    found = getattr(pc, name)
    assert found is getattr(import_module(f"chrono_powercontact.{pc._HOMES[name]}"), name)
    assert getattr(found, "__module__", "").endswith(pc._HOMES[name])


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        pc.Nonsense  # noqa: B018


def test_a_script_on_the_front_passes_strict_type_checks_and_wrong_arguments_are_errors(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "wrong.py").write_text('import chrono_powercontact as pc\npc.Restriction("wrong", nonsense=3)\n')
    options = ["--strict", "--follow-imports=silent", "--config-file=", "--cache-dir", str(tmp_path / "cache")]
    command = [sys.executable, "-m", "mypy", *options, *map(str, tmp_path.glob("*.py"))]
    told = subprocess.run(command, capture_output=True, text=True).stdout
    assert [line for line in told.splitlines() if "script.py:" in line] == []
    assert 'Unexpected keyword argument "nonsense"' in told
    assert "incompatible type" in told
