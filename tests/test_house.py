"""The house reads by itself: arrows point down, names are unique, functions are short, nothing is a nameless number."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from chrono_powercontact.scenarios.catalogue import NAMES

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "chrono_powercontact"
SOURCES = sorted(PACKAGE.rglob("*.py"))
INITS = [path for path in SOURCES if path.name == "__init__.py" and path.parent != PACKAGE]
ROOMS = (PACKAGE.name, "tests", "demos", "benchmarks")
PYTHON = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]

FLOORS = [
    ("errors", "trajectory", "progress", "borrowing", "kernel", "sealed"),
    ("numerics",),
    ("view",),
    ("laws",),
    ("setvalued",),
    ("lagrange", "chrono"),
    ("observer",),
    ("report",),
    ("scenarios",),
    ("bench",),
    ("app",),
    ("__main__",),
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

CHRONO = ["api", "contact", "joint", "implicit", "load", "flexible", "takeover", "core", "readout", "attachment", "run"]
"""Rooms of the plugin, from the bottom up."""


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path):
    return ast.parse(text_of(path))


@cache
def nodes_of(path):
    return list(ast.walk(tree_of(path)))


def module_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def imported(path):
    """Modules of the package that a file imports when it is loaded or run; imports for type checkers do not count."""
    typed = {node.lineno for test in nodes_of(path) if is_type_checking(test) for node in test.body}
    for node, target in import_targets(path):
        if node.lineno not in typed:
            yield target if node.module else (*target, node.names[0].name)


def import_targets(path):
    """Each `from ... import` of the package in a file, with the module that it names."""
    here = module_of(path)
    package = here if path.name == "__init__.py" else here[:-1]
    for node in nodes_of(path):
        if not isinstance(node, ast.ImportFrom):
            continue
        named = tuple(node.module.split(".")) if node.module else ()
        target = (*package[: len(package) - node.level + 1], *named) if node.level else named
        if target[0] == PACKAGE.name:
            yield node, target


def is_type_checking(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def functions(path):
    return [node for node in nodes_of(path) if isinstance(node, ast.FunctionDef)]


def arguments_of(node):
    names = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
    return [name for name in names if name not in ("self", "cls")]


def dotted(module):
    return ".".join(module)


def test_arrows_point_down():
    """A module imports from its own floor and from those below; the two engines do not know each other."""
    wrong = []
    for path in SOURCES:
        here = module_of(path)
        for target in imported(path) if len(here) > 1 else ():
            if len(target) < 2 or target[1] == "__version__":
                continue
            rise = FLOOR[target[1]] - FLOOR[here[1]]
            neighbours = rise == 0 and here[1] in ("lagrange", "chrono") and target[1] != here[1]
            if rise > 0 or neighbours:
                wrong.append(f"{dotted(here)} imports {dotted(target)}")
    assert wrong == []


def test_arrows_inside_the_plugin_point_down():
    wrong = []
    for path in SOURCES:
        here = module_of(path)
        for target in imported(path) if len(here) > 2 and here[1] == "chrono" else ():
            inside = len(target) > 2 and target[1] == "chrono"
            if inside and CHRONO.index(target[2]) > CHRONO.index(here[2]):
                wrong.append(f"{dotted(here)} imports {dotted(target)}")
    assert wrong == []


def test_only_the_plugin_imports_pychrono():
    pattern = re.compile(r"^\s*(import|from) pychrono", re.MULTILINE)
    strangers = [path for path in SOURCES if pattern.search(text_of(path))]
    assert all("chrono" in path.relative_to(PACKAGE).parts[:1] for path in strangers)


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_subpackages_pass_no_names_on():
    full = [path for path in INITS if len(tree_of(path).body) != 1 or not is_docstring(tree_of(path).body[0])]
    assert full == []


def test_docs_and_demos_use_the_front():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "demos").glob("*.py"))]
    pattern = re.compile(r"^\s*(from|import) chrono_powercontact\.", re.MULTILINE)
    assert [page.name for page in pages if pattern.search(page.read_text(encoding="utf-8"))] == []


def defined(path):
    """Names that a module defines itself."""
    names = set()
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def test_names_are_imported_from_the_module_that_defines_them():
    own = {module_of(path): defined(path) for path in SOURCES if path.name != "__init__.py"}
    passed_on = [
        f"{path.relative_to(ROOT)}: {dotted(target)}.{alias.name}"
        for path in PYTHON
        for node, target in import_targets(path)
        if target in own
        for alias in node.names
        if alias.name not in own[target]
    ]
    assert passed_on == []


def test_module_names_are_unique():
    names = Counter(path.stem for path in SOURCES if not path.stem.startswith("__"))
    assert [name for name, count in names.items() if count > 1] == []


def test_folders_hold_about_a_dozen_files():
    sizes = Counter(path.parent for path in SOURCES)
    assert {str(folder.relative_to(ROOT)): size for folder, size in sizes.items() if size > 16} == {}


def ordinary_functions():
    """All functions but the entry kernels, with the name of their module."""
    for path in SOURCES:
        for function in functions(path):
            if (path.stem, function.name) not in ENTRY_KERNELS:
                yield path.stem, function


def test_functions_are_short():
    long = [(module, f.name) for module, f in ordinary_functions() if f.end_lineno - f.lineno + 1 > 40]
    assert long == []


def test_functions_take_few_arguments():
    many = [(module, f.name) for module, f in ordinary_functions() if len(arguments_of(f)) > 8]
    assert many == []


ENTRY_KERNELS = {
    ("contact_kernel", "contact_forces"),
    ("contact_jacobian", "contact_jacobian"),
    ("pair_slopes", "pair_slopes"),
    ("joint_kernel", "joint_forces"),
    ("step_kernel", "solve_step"),
    ("joint_jacobian", "joint_jacobian"),
    ("narrowphase", "make_elements"),
    ("narrowphase", "make_part"),
    ("narrowphase", "make_parts"),
    ("frozen", "freeze_found"),
    ("engine", "evaluate"),
    ("engine", "rk4"),
    ("ensemble", "rk4_ensemble"),
    ("moreau_kernel", "moreau_run"),
    ("moreau_kernel", "given_step"),
    ("implicit", "rosenbrock"),
    ("implicit", "run_implicit"),
    ("tangent_engine", "rk4_tangent"),
    ("implicit_tangent", "rosenbrock_tangent"),
    ("contact_sensitivity", "force_slopes"),
    ("generated_c", "repeat"),
    ("loop_engine", "evaluate_loop"),
    ("loop_engine", "loop_parts"),
    ("loop_engine", "rk4_loop"),
    ("filter_loop", "run"),
    ("stiff_motion", "implicit"),
    ("scene_ledger", "tally"),
    ("solved_ledger", "tally_solved"),
    ("design", "design_restriction"),
    ("loop_runs", "run_loop_adaptive"),
    ("loop_runs", "run_loop_adams"),
    ("cdkf", "__init__"),
    ("ukf", "__init__"),
    ("ekf", "__init__"),
    ("sigma_point_filter", "__init__"),
    ("sweep", "sweep"),
}
"""Kernels that Python enters with flat arrays, because numba recognises their types quickest; and public functions
whose arguments mostly have defaults."""


def test_parameters_have_a_type():
    assert [path for path in SOURCES if "SimpleNamespace" in text_of(path)] == []


OPTIONAL = {"distributed", "cloudpickle", "pandas", "xarray", "pyarrow", "fcntl", "resource"}
"""Extras, and modules that not every operating system has: they can only be imported where they are needed."""


def imports_inside(function):
    """Imports inside a function, but for those of optional packages."""
    found = [node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)]
    return [node for node in found if not (isinstance(node, ast.Import) and node.names[0].name in OPTIONAL)]


def test_imports_inside_functions_serve_the_start_up_and_become_no_more():
    """A scenario imports what it derives, simulates and draws with when it runs: about five imports each."""
    count = {True: 0, False: 0}
    for path in SOURCES:
        inside = sum(len(imports_inside(function)) for function in functions(path))
        count["scenarios" in path.relative_to(PACKAGE).parts] += inside
    assert count[True] <= 5 * len(NAMES)
    assert count[False] <= 58


def test_slow_tests_that_are_listed_are_there():
    for line in (ROOT / "tests" / "slow.txt").read_text().splitlines():
        path, name = line.split("::")
        assert f"def {name.partition('[')[0]}(" in (ROOT / path).read_text(), line
