"""Kernels do not count references to arrays that they borrow, and count all others as before."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from chrono_powercontact.borrowing import BorrowingCompiler, shortened, without_counts
from chrono_powercontact.kernel import kernel

COUNTS = """
  tail call void @NRT_incref(ptr %arg.a.0)
  tail call void @NRT_decref(ptr nonnull %arg.a.0), !noalias !3
"""
HANDED_ON = "  %.1 = call i32 @other(ptr %arg.a.0, i64 %arg.a.1)"
CHOSEN = """
  %one = phi ptr [ %arg.a.0, %B1 ], [ %arg.b.0, %B2 ]
  %two = select i1 %.2, ptr %one, ptr null
  call void @NRT_decref(ptr %two)
"""
KEPT = {
    "returned": "  store ptr %arg.a.0, ptr %retptr, align 8",
    "put into a structure that is kept": """
  %.3 = insertvalue { ptr, i64 } undef, ptr %arg.a.0, 0
  %.4 = insertvalue { ptr, i64 } %.3, i64 7, 1
  store { ptr, i64 } %.4, ptr %retptr, align 8""",
    "put into a structure and taken out again": """
  %.3 = insertvalue { ptr, i64 } undef, ptr %arg.a.0, 0
  %.4 = extractvalue { ptr, i64 } %.3, 0""",
    "exchanged for a new one": "  %.3 = phi ptr [ %arg.a.0, %B1 ], [ %.4, %B2 ]",
    "compared": "  %.3 = icmp eq ptr %arg.a.0, null",
    "given to Python": "  %.3 = call ptr @NRT_adapt_ndarray_to_python_acqref(ptr %arg.a.0)",
}


def function(*lines):
    """LLVM's code of a function with these lines."""
    head = "define i32 @f(ptr %retptr, ptr %excinfo, ptr %arg.a.0, i64 %arg.a.1, ptr %arg.b.0) local_unnamed_addr {"
    return "\n".join(["declare void @NRT_incref(ptr)", head, *lines, "  ret i32 0", "}"])


def counts(text):
    return text.count("call void @NRT_")


def test_what_is_counted_and_handed_on_only_is_not_counted():
    assert counts(function(COUNTS, HANDED_ON)) == 2
    kept = without_counts(function(COUNTS, HANDED_ON))
    assert counts(kept) == 0
    assert "@other" in kept
    assert "declare void @NRT_incref" in kept


def test_neither_is_what_is_handed_on_in_a_structure():
    packed = """
  %.3 = insertvalue { ptr, i64 } undef, ptr %arg.a.0, 0
  %.4 = insertvalue { ptr, i64 } %.3, i64 7, 1
  %.5 = call i32 @other({ ptr, i64 } %.4)"""
    assert counts(without_counts(function(COUNTS, packed))) == 0


def test_nor_what_is_given_in_a_structure():
    unpacked = "  %.3 = extractvalue { ptr, i64 } %given, 0\n  call void @NRT_decref(ptr %.3)"
    head = "define void @f({ ptr, i64 } %given, { ptr, i64 } %other) {"
    assert counts(without_counts("\n".join([head, unpacked, "}"]))) == 0
    assert counts(without_counts("\n".join([head, unpacked.replace("%given", "%.1"), "}"]))) == 1


def test_neither_is_a_choice_between_borrowed_arrays():
    assert counts(without_counts(function(COUNTS, CHOSEN))) == 0


@pytest.mark.parametrize("how", KEPT)
def test_what_is_kept_is_counted(how):
    assert counts(without_counts(function(COUNTS, KEPT[how]))) == 2


def test_so_are_the_choices_that_it_is_part_of():
    assert counts(without_counts(function(COUNTS, CHOSEN, KEPT["returned"]))) == 3


def test_what_a_function_makes_itself_is_counted():
    own = "  %mine = call ptr @NRT_MemInfo_alloc(i64 8)\n  call void @NRT_decref(ptr %mine)"
    assert counts(without_counts(function(COUNTS, own))) == 1


def test_long_names_that_differ_at_their_end_stay_different():
    names = [f"{'x' * 2000}{i}" for i in range(2)]
    text = "\n".join([f"  br label %{names[1]}", f"{names[0]}:", f"{names[1]}:", "  ret void"])
    assert shortened(text).splitlines() == ["  br label %long.0", "long.1:", "long.0:", "  ret void"]


def test_a_constant_that_ends_with_a_percent_sign_begins_no_name():
    text = '@a = constant [2 x i8] c"7%"\n' + 8 * "@b = constant i64 1234567890\n" + '@"c" = constant i64 1\n'
    assert len(text) > 256
    assert shortened(text) == text


class Two(NamedTuple):
    first: Any
    second: Any


@kernel
def part_of(values, start):
    return values[start:]


@kernel
def chosen_of(two, number):
    return two.first if number % 2 else two.second


@kernel
def summed(two, count):
    total = 0.0
    for i in range(count):
        values = chosen_of(two, i)
        if values[0] > 0.0:
            values = part_of(values, 1)
        elif i > 4:
            values = np.full(3, 2.0)
        total += values.sum()
    return total


@kernel
def entered(values, count):
    """Structures with a given and an own array; returns a part of each."""
    own = np.zeros(values.size)
    two = Two(values, own)
    for i in range(count):
        own[i % own.size] += summed(two, i)
        if i > 3:
            two = Two(own, values)
    return part_of(values, 1), part_of(own, 2), summed(two, count)


def test_kernels_use_the_compiler_that_borrows():
    assert entered._compiler.pipeline_class is BorrowingCompiler


@pytest.fixture
def counting():
    """Numba counts allocations meanwhile."""
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


def test_numbers_are_those_of_python_and_nothing_is_lost_or_freed_twice(counting):
    values = np.array([-1.0, 2.0, 3.0])
    entered(values, 3)
    before = rtsys.get_allocation_stats()
    for count in range(40):
        found = entered(values, count)
        own = entered.py_func(values, count)
        np.testing.assert_array_equal(found[0], own[0])
        np.testing.assert_array_equal(found[1], own[1])
        assert found[2] == own[2]
        del found, own
    after = rtsys.get_allocation_stats()
    assert after.alloc > before.alloc
    assert after.alloc - before.alloc == after.free - before.free
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free
