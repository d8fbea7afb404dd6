import pytest

from chrono_powercontact.chrono.api import features


def test_missing_pychrono_is_one_line_with_the_reason(monkeypatch):
    monkeypatch.setattr(features, "missing", lambda: "PyChrono is not installed for python")
    assert features.lines() == ["engine chrono: PyChrono is not installed for python"]


@pytest.mark.chrono
def test_engine_is_told_with_version_place_and_features():
    import pychrono

    text = "\n".join(features.lines())
    assert text.startswith("engine chrono: ready, PyChrono ")
    assert pychrono.__file__.rsplit("/", 1)[0] in text
    assert "runge_kutta" in text
    assert "Bullet" in text
    assert "windows: " in text


@pytest.mark.chrono
def test_copied_vectors_are_told(monkeypatch):
    monkeypatch.setattr(features, "zero_copy", lambda: False)
    assert "copied as lists" in "\n".join(features.lines())
