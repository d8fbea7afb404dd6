import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.normal.indentation import Indentation, indentation_elastic, indentation_slopes
from chrono_powercontact.laws.normal.normal_table import normal_force, normal_record, normal_slopes


def test_force_by_hand():
    law = Indentation(s_0=0.0, k=1e7, c=2e7)
    assert law.force(-1e-3, -0.1) == pytest.approx(1e4 + 2e7 * 0.1 * 1e-3)
    cubic = Indentation(0.01, 2.0, 3.0, 1.5, 2.0, 2.0)
    assert cubic.force(0.0, -0.5) == pytest.approx(2.0 * 0.01**1.5 + 3.0 * 0.25 * 1e-4)


def test_it_does_not_pull_nor_act_at_a_distance():
    law = Indentation(s_0=0.0, k=1e7, c=2e7)
    np.testing.assert_array_equal(law.force([-1e-3, 0.0, 1e-3], [5.0, -1.0, -1.0]), 0.0)


def test_force_at_rest_is_the_slope_of_the_potential():
    law, s, h = Indentation(0.0, 1e7, 2e7, 1.3), np.linspace(-2e-3, -1e-4, 20), 1e-8
    slope = (law.potential(s + h) - law.potential(s - h)) / (2.0 * h)
    np.testing.assert_allclose(law.force(s, 0.0), -slope, rtol=1e-5)


def test_compiled_law_is_the_one_on_arrays():
    law = Indentation(0.0, 1e7, 2e7, 1.5, 1.0, 2.0)
    for s, v in ((-1e-3, -0.2), (-1e-3, 0.2), (1e-3, 0.0)):
        assert normal_force(normal_record(law), s, v)[0] == pytest.approx(float(law.force(s, v)), rel=1e-12)


def test_its_elastic_part_is_the_force_at_rest():
    law, s = Indentation(0.01, 1e5, 5e4, 1.5, 1.3, 2.0), np.linspace(0.0, 0.02, 21)
    np.testing.assert_array_equal(indentation_elastic.py_func(s, law), law.force(s, 0.0))


def test_it_has_no_slope_where_its_damper_would_pull():
    law = Indentation(0.010, 1e4, 5e4)
    assert normal_slopes(normal_record(law), 0.0095, 5.0) == (0.0, 0.0)
    assert indentation_slopes.py_func(0.0105, 0.0, law) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Indentation(0.0, 0.0), "k must be greater than 0"),
        (lambda: Indentation(0.0, 1.0, 1.0, 0.0), "m_1 must be greater than 0"),
    ],
)
def test_impossible_numbers_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
