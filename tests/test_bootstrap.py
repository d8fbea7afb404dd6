"""What is compiled before the tests begin."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "chrono_powercontact"
AT_IMPORT = ("njit", "cfunc", "sealed")
"""Decorators that compile when they are given the types."""


def bootstrap():
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_compiled_at_import(decorator: ast.expr) -> bool:
    if isinstance(decorator, ast.Name):
        return decorator.id == "compiled"
    return isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") in AT_IMPORT and bool(decorator.args)


def compiled_at_import() -> set[str]:
    """Modules of the package with kernels that are compiled when they are imported."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        functions = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef))
        if any(is_compiled_at_import(decorator) for function in functions for decorator in function.decorator_list):
            found.add(".".join(path.relative_to(ROOT).with_suffix("").parts))
    return found


def test_all_that_is_compiled_at_import_is_compiled_before_the_tests():
    wanted = [f"chrono_powercontact.{module}" for group in bootstrap().ENGINES for module in group]
    program = f"import sys, {', '.join(wanted)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    expected = compiled_at_import()
    assert len(expected) > 20
    assert expected <= set(done.stdout.split())
