import shutil

import pytest

from chrono_powercontact.lagrange.generated_c import c_source, time_kernels
from chrono_powercontact.scenarios.impact.point_mass import point_mass_model


def test_source_writes_every_output_of_the_kernel():
    kernel, loop = c_source(point_mass_model())
    assert "M[0] = p[0];" in kernel
    assert "void repeat(long n" in loop


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_both_kernels_are_timed():
    by_numba, by_c = time_kernels(point_mass_model(), 1000)
    assert 0.0 < by_numba < 1e-3
    assert 0.0 < by_c < 1e-3


def test_no_compiler_is_none(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert time_kernels(point_mass_model()) is None
