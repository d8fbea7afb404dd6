"""Methods of Chrono's C++ classes by their addresses, so that compiled code can call them without Python.

A method is found by its symbol in the libraries that PyChrono has loaded. Where there is none, as on Windows or in
another version of Chrono, `method_address` says so, and Python is called as before.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .bridge import pychrono_part

VECTOR = "RN5Eigen6MatrixIdLin1ELi1ELi0ELin1ELi1EEE"
"""A reference to a ChVectorDynamic<double> in a symbol."""
SYMBOLS = {
    "gather_x": "_ZN6chrono20ChLoadCustomMultiple19LoadGetStateBlock_xERNS_7ChStateE",
    "gather_w": "_ZN6chrono20ChLoadCustomMultiple19LoadGetStateBlock_wERNS_12ChStateDeltaE",
    "list_bodies": "_ZNK6chrono10ChAssembly9GetBodiesEv",
    "count_constraints": "_ZN6chrono8ChSystem17GetNumConstraintsEv",
    "load_jacobians": "_ZN6chrono8ChSystem23LoadConstraintJacobiansEv",
    "add_pull": f"_ZN6chrono8ChSystem16LoadResidual_CqLE{VECTOR}RKS3_d",
    "add_error": f"_ZN6chrono8ChSystem16LoadConstraint_CE{VECTOR}dbd",
    "add_motion": f"_ZN6chrono8ChSystem17LoadConstraint_CtE{VECTOR}d",
    "list_items": "_ZNK6chrono10ChAssembly20GetOtherPhysicsItemsEv",
    "list_links": "_ZNK6chrono10ChAssembly8GetLinksEv",
    "list_shafts": "_ZNK6chrono10ChAssembly9GetShaftsEv",
    "list_meshes": "_ZNK6chrono10ChAssembly9GetMeshesEv",
    "count_contacts": "_ZN6chrono8ChSystem14GetNumContactsEv",
    "count_speeds": "_ZN6chrono8ChSystem20GetNumCoordsVelLevelEv",
    "gather": "_ZN6chrono8ChSystem11StateGatherERNS_7ChStateERNS_12ChStateDeltaERd",
    "scatter": "_ZN6chrono8ChSystem12StateScatterERKNS_7ChStateERKNS_12ChStateDeltaEdNS_11UpdateFlagsE",
}
"""Symbols of the methods that compiled code calls, by short names."""


def function_of(library: str | None, name: str) -> Any:
    """A function of a library, or of the process itself, by its symbol; None if there is none.

    On Windows a process has no symbols of its own, and to ask for them is a TypeError.
    """
    with suppress(OSError, AttributeError, TypeError):
        return getattr(ctypes.CDLL(library), name)
    return None


@cache
def _library() -> Any:
    """The extension module of PyChrono; symbols of the libraries that it uses are found through it."""
    return ctypes.CDLL(str(pychrono_part("_core").__file__))


@cache
def method_address(name: str) -> int:
    """Address of a method by its short name, see SYMBOLS; 0 if there is none."""
    with suppress(OSError, AttributeError):
        return int(ctypes.cast(getattr(_library(), SYMBOLS[name]), ctypes.c_void_p).value or 0)
    return 0


def ask_address(method: int, owner: int) -> int:
    """The address that a C++ method of an object, both given by their addresses, returns."""
    ask = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(method)
    return int(ask(owner) or 0)


def calling(signature: Any) -> Any:
    """A function for kernels that calls a C++ method by its address, with arguments of a numba signature.

    The first argument of the signature is the address of the object; references are addresses too.
    """

    def call(context: Any, *arguments: Any) -> Any:
        return signature.return_type(types.int64, *signature.args), _generate

    def _generate(context: Any, builder: Any, whole: Any, values: Any) -> Any:
        kinds = [context.get_value_type(kind) for kind in whole.args[1:]]
        wanted = signature.return_type
        result = ir.VoidType() if wanted == types.void else context.get_value_type(wanted)
        pointer = ir.FunctionType(result, kinds).as_pointer()
        answer = builder.call(builder.inttoptr(values[0], pointer), values[1:])
        return context.get_dummy_value() if wanted == types.void else answer

    return intrinsic(_with_arity(call, len(signature.args)))


def _with_arity(call: Callable[..., Any], count: int) -> Callable[..., Any]:
    """A typing function that takes a context, an address, and so many arguments, as numba reads it."""
    names = ("context", "method", *(f"argument_{i}" for i in range(count)))
    taken = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    call.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
    return call
