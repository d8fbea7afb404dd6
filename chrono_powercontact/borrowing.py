"""Compiled kernels that do not count references to arrays that they borrow.

Numba counts the references to every array, with an atomic instruction for each. A kernel borrows the arrays that it is
given: its caller keeps them until it returns. So whatever the kernel counts up for such an array it counts down again.
In kernels that hand structures of arrays to each other, this takes a third of their time. Numba leaves out many of
these counts, but not across the branches of a loop. Here all counts of a given array are left out of a function in
which it is only counted and handed on, and neither kept, returned nor exchanged for another one.
"""

from __future__ import annotations

import re
from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import IRLegalization

_NAME = re.compile(r'%(?:[-\w$.]+|"[^"]*")')
"""A local name in LLVM's language."""
_COUNT = re.compile(r"^\s*(?:tail |notail )?call void @NRT_(?:inc|dec)ref\(ptr [^%]*(%(?:[-\w$.]+|\"[^\"]*\"))\)")
"""A line that counts the references to an array up or down."""
_HAND_ON = re.compile(r"^\s*(?:%\S+ = )?(?:tail |notail )?call (?!.*@(?:llvm\.|NRT_))")
"""A line that calls another function than LLVM's own and those that count."""
_CHOICE = re.compile(r"^\s*(%\S+) = (?:phi ptr (.*)|select i1 [^,]*, ptr ([^,]*), ptr ([^,]*))$")
"""A line that chooses one of several pointers: by where the code comes from, or by a condition."""
_INCOMING = re.compile(r"\[ ([^,]*), ")
"""A pointer that the first kind of choice is made of."""
_DEFINED = re.compile(r"^\s*%\S+ = ")
"""The name that a line gives to its result."""
_PACK = re.compile(r"^\s*(%\S+) = insertvalue (.*)$")
"""A line that puts a value into a structure, which is another one then."""
_UNPACK = re.compile(r"^\s*(%\S+) = extractvalue .*?(%(?:[-\w$.]+|\"[^\"]*\"))(?:, \d+)+$")
"""A line that takes a value out of a structure."""
_NOWHERE = ("null", "undef", "poison")

_LONG = re.compile(r'%([-\w$.]{256,}|"[^"\n]{256,}")|^([-\w$.]{256,}|"[^"\n]{256,}"):', re.MULTILINE)
"""A local name, or a label, of which LLVM's reader would cut off the end, so that two of them could become one.

No name goes on in the next line: a constant that ends with a percent sign does not begin one.
"""


def shortened(text: str) -> str:
    """LLVM's code with numbers in place of long local names."""
    numbers: dict[str, int] = {}

    def short(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        number = numbers.setdefault(name, len(numbers))
        return f"%long.{number}" if found[1] else f"long.{number}:"

    return _LONG.sub(short, text)


def _choices(lines: list[str]) -> dict[str, list[str]]:
    """Names of the choices between pointers in a function, given by its lines, and what each is made of."""
    found = (_CHOICE.match(line) for line in lines)
    return {one[1]: _INCOMING.findall(one[2]) if one[2] else [one[3], one[4]] for one in found if one}


def _structures(lines: list[str]) -> dict[str, list[str]]:
    """Names of the structures that a function makes, and what each is made of."""
    found = (_PACK.match(line) for line in lines)
    return {one[1]: _NAME.findall(one[2]) for one in found if one}


def _given(lines: list[str]) -> set[str]:
    """Names of what a function is given: its parameters, and what is in those of them that are structures."""
    parameters = set(_NAME.findall(lines[0]))
    found = (_UNPACK.match(line) for line in lines)
    return parameters | {one[1] for one in found if one and one[2] in parameters}


def _used_otherwise(lines: list[str]) -> set[str]:
    """Names that are used in a function for other things than to be counted, handed on, chosen from or put together."""
    harmless = _COUNT, _HAND_ON, _CHOICE, _PACK
    others = (line for line in lines[1:] if not any(kind.match(line) for kind in harmless))
    return {name for line in others for name in _NAME.findall(_DEFINED.sub("", line))}


def _borrowed(lines: list[str]) -> set[str]:
    """Names in a function, given by its lines, that stand for arrays which it was given, counts and hands on only."""
    choices = _choices(lines)
    made = choices | _structures(lines)
    borrowed = (_given(lines) | made.keys()) - _used_otherwise(lines)
    while True:
        known = borrowed.union(_NOWHERE)
        mixed = {name for name in choices if name in borrowed and not known.issuperset(choices[name])}
        kept = {one for name in made if name not in borrowed for one in made[name]} & borrowed
        if not mixed and not kept:
            return borrowed
        borrowed -= mixed | kept


def _uncounted(lines: list[str]) -> list[str]:
    """The lines of a function without those that count what it borrows."""
    if not any(map(_COUNT.match, lines)):
        return lines
    borrowed = _borrowed(lines)
    return [line for line in lines if not ((found := _COUNT.match(line)) and found[1] in borrowed)]


def without_counts(text: str) -> str:
    """LLVM's code of a module without the counts of references that its functions borrow."""
    kept: list[str] = []
    function: list[str] = []
    for line in text.splitlines():
        if line.startswith("define ") or function:
            function.append(line)
        else:
            kept.append(line)
        if line.startswith("}"):
            kept += _uncounted(function)
            function = []
    return "\n".join(kept)


class BorrowingLibrary(JITCodeLibrary):
    """Machine code of a kernel, optimised once more."""

    _final_module: Any

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()
        text = str(self._final_module)
        kept = without_counts(text)
        if len(kept) < len(text) - 1:
            name = self._final_module.name
            self._final_module = binding.parse_assembly(shortened(kept))
            self._final_module.name = name


@register_pass(mutates_CFG=False, analysis_only=True)
class _OwnLibrary(AnalysisPass):
    """Lets a kernel be compiled to a library that borrows."""

    _name = "borrowing_library"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        if state.library is None:
            state.library = BorrowingLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return False


class BorrowingCompiler(Compiler):
    """Numba's compiler for functions that borrow what they are given."""

    def define_pipelines(self) -> list[Any]:
        """Numba's own passes, which compile to a library that borrows."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_OwnLibrary, IRLegalization)
        passes.finalize()
        return [passes]
