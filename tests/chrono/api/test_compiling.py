"""A cold start says why it takes minutes, once."""

import pytest

from chrono_powercontact.chrono.api import compiling


@pytest.fixture(autouse=True)
def _say_again():
    compiling.say_compiling.cache_clear()
    yield
    compiling.say_compiling.cache_clear()


@pytest.mark.parametrize(("compiled", "lines"), [(True, 0), (False, 1)])
def test_compiling_is_said_once_where_no_machine_code_is_on_disk(compiled, lines, monkeypatch, capsys):
    monkeypatch.setattr(compiling, "is_compiled", lambda room: compiled)
    compiling.say_compiling()
    compiling.say_compiling()
    said = capsys.readouterr().err.splitlines()
    assert len(said) == lines
    assert all("compiling, once" in line for line in said)


def test_a_room_without_machine_code_is_enough(monkeypatch, capsys):
    monkeypatch.setattr(compiling, "is_compiled", lambda room: room != compiling.ROOMS[-1])
    compiling.say_compiling()
    assert "compiling, once" in capsys.readouterr().err
