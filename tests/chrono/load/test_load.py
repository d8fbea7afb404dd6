import ctypes
import gc

import pytest
from scene import ROUGH, empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.load.load import _delete


class Heap(ctypes.Structure):
    """glibc's struct mallinfo2."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "used", "free", "keep")
    ]


def bytes_in_use():
    tell = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if tell is None:
        pytest.skip("this C library does not tell how much memory is in use")
    tell.restype = Heap
    gc.collect()
    return tell().used


@pytest.mark.chrono
@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "runge_kutta"])
def test_stepping_leaves_nothing_on_the_heap(integrator):
    system = empty_system(9.81, integrator)
    ground, ball = new_body(system, fixed=True), new_body(system, 0.05, (0, 0, 0.1))
    pc.attach(system).add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), ROUGH)
    run(system, 0.5, 1e-3)
    before = bytes_in_use()
    run(system, 10.5, 1e-3)
    assert bytes_in_use() - before < 50_000  # flags of 32 bytes that nobody deletes would be 320 000 and more


@pytest.mark.chrono
def test_operator_delete_is_found_and_takes_null():
    assert _delete()(0) is None
