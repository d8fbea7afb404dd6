"""Kernels that are compiled once and called, never copied into their callers.

Numba optimises a kernel together with all kernels below it, anew at every level: in a deep tree of calls the leaves are
compiled as often as there are levels above them. A sealed kernel is known to its callers by a symbol alone. Its types
are declared, so that it can be compiled, or taken from disk, when its module is imported: a caller that comes from disk
finds the symbol then.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import cfunc
from numba.core import cgutils
from numba.extending import intrinsic

from .borrowing import BorrowingCompiler


def sealed(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Seal a kernel of a numba signature; compiled code calls it like any other, Python through a kernel."""

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = cfunc(signature, cache=True, pipeline_class=BorrowingCompiler, error_model="numpy")(function)
        symbol = f"{function.__module__}.{function.__qualname__}"
        binding.add_symbol(symbol, compiled.address)
        return intrinsic(_caller(function, compiled, symbol, signature))

    return decorate


def _caller(function: Callable[..., Any], compiled: Any, symbol: str, signature: Any) -> Callable[..., Any]:
    """The typing function of an intrinsic that calls a symbol; it keeps the compiled code alive."""

    def call(context: Any, *arguments: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kinds = [context.get_value_type(kind) for kind in signature.args]
            prototype = ir.FunctionType(context.get_value_type(signature.return_type), kinds)
            return builder.call(cgutils.get_or_insert_function(builder.module, prototype, symbol), values)

        return signature, generate

    own = inspect.signature(function)
    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    taken = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in own.parameters.values()]
    call.__signature__ = inspect.Signature([context, *taken])  # type: ignore[attr-defined]
    call.__name__ = function.__name__
    call.__doc__ = function.__doc__
    call.compiled = compiled  # type: ignore[attr-defined]
    return call
