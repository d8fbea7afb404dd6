from importlib import metadata

from chrono_powercontact import __version__
from chrono_powercontact.app.doctor import report


def test_report_names_versions_and_the_kernel_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("POWERCONTACT_CACHE", str(tmp_path))
    text = report()
    assert f"chrono_powercontact {__version__}" in text
    assert "numba " in text
    assert str(tmp_path) in text
    assert "engine reference: ready" in text
    assert "engine chrono: " in text


def test_report_says_whether_runs_can_be_looked_at(monkeypatch):
    assert "view in the browser: " in report()
    found = metadata.version

    def without_viser(name):
        if name == "viser":
            raise metadata.PackageNotFoundError(name)
        return found(name)

    monkeypatch.setattr(metadata, "version", without_viser)
    assert "view in the browser: the view needs viser, which is not installed: pip install 'viser<2'" in report()
