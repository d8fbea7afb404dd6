"""The generated kernel of a model with dual numbers: the text of the plain one, compiled for other types."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from numba import types

from ...numerics.dual import dual_arithmetic as dual_arithmetic  # teaches numba the arithmetic of dual numbers
from ...numerics.dual.dual_type import DUAL
from ..codegen import SIGNATURE, load_generated

_DUAL_TEXT = SIGNATURE.replace("types.float64[", "DUAL[")
_IMPORT = "from numba import njit, types\n"

DUAL_SIGNATURE = eval(_DUAL_TEXT, {"types": types, "DUAL": DUAL})
"""Types of a model's kernel with dual numbers; the time stays a float."""


def dual_terms(terms: Any) -> Any:
    """A model's compiled kernel for dual numbers; a file of its own beside that of the plain kernel."""
    plain = Path(inspect.getfile(terms.py_func))
    return load_generated(f"{plain.stem}_{DUAL.name}", lambda: _dual_source(plain)).terms


def _dual_source(plain: Path) -> str:
    """The text of a generated kernel with the types of dual numbers."""
    text = plain.read_text(encoding="utf-8").replace(SIGNATURE, _DUAL_TEXT)
    return text.replace(_IMPORT, f"{_IMPORT}\nfrom {DUAL.__module__} import DUAL\n")
