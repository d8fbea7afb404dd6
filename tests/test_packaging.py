"""What an installed package needs is packed: every module, every data file; and all files name the same version."""

import re
from configparser import ConfigParser
from pathlib import Path

import chrono_powercontact as pc

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "chrono_powercontact"


def settings():
    parser = ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    return parser


def files_of_the_package():
    return {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


def test_every_data_file_is_packed():
    patterns = settings()["options.package_data"]["chrono_powercontact"].split()
    packed = {path for pattern in patterns for path in PACKAGE.glob(pattern)}
    assert {path for path in files_of_the_package() if path.suffix != ".py"} == packed


def test_every_pattern_of_data_files_finds_one():
    for pattern in settings()["options.package_data"]["chrono_powercontact"].split():
        assert any(PACKAGE.glob(pattern)), pattern


def test_every_folder_with_modules_is_a_package():
    folders = {path.parent for path in files_of_the_package() if path.suffix == ".py"}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_one_version_everywhere():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE).group(1) == pc.__version__
    assert re.search(r"^## \[(\d.+?)\]", changes, re.MULTILINE).group(1) == pc.__version__


def test_upgraders_are_told_what_to_change():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    release = changes.partition(f"## [{pc.__version__}]")[2].partition("\n## [")[0]
    assert "### Upgrading from 0.1.0" in release
