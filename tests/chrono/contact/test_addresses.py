"""Arrays handed to kernels by their addresses."""

import gc

import numpy as np
import pytest

from chrono_powercontact.chrono.contact.addresses import Directory, doubles, integers
from chrono_powercontact.kernel import kernel


@kernel
def double_all(directory):
    values = doubles(directory, 0)
    for i in range(values.size):
        values[i] *= 2.0
    return integers(directory, 1).sum()


def test_a_kernel_reads_and_writes_the_arrays_themselves():
    values, numbers, directory = np.arange(6.0).reshape(2, 3), np.arange(5), Directory(2)
    directory.put(0, values)
    directory.put(1, numbers)
    assert double_all(directory.entries) == 10
    assert values.tolist() == [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]


def test_records_count_in_words():
    records, directory = np.zeros(3, [("a", np.int64), ("b", np.float64, (2,))]), Directory(1)
    directory.put(0, records)
    assert directory.entries[1] == 9


def test_an_array_lives_as_long_as_it_is_entered():
    directory = Directory(2)
    directory.put(0, np.full(1000, 3.0))
    directory.put(1, np.ones(1, np.int64))
    gc.collect()
    np.full(1000, 7.0)
    assert double_all(directory.entries) == 1
    assert doubles(directory.entries, 0).tolist() == [6.0] * 1000


def test_an_empty_array_is_empty():
    directory = Directory(2)
    directory.put(0, np.zeros((0, 6)))
    assert double_all(directory.entries) == 0
    assert doubles(directory.entries, 0).size == 0


@pytest.mark.parametrize("again", [False, True])
def test_an_array_may_be_replaced(again):
    directory, one, other = Directory(2), np.ones(2), np.ones(4)
    directory.put(0, one)
    directory.put(0, one if again else other)
    double_all(directory.entries)
    assert one.tolist() == ([2.0, 2.0] if again else [1.0, 1.0])
    assert other.tolist() == ([1.0] * 4 if again else [2.0] * 4)
