"""The packages named in pyproject.toml are the folders with code, and everything they read is shipped."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from fairdeal.checker.reporting.explain_page import FOLDERS as FOLDERS_OF_EXAMPLES

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
FOLDERS = ("spec", "grammar", "checker")
PACKAGES = [name for name in SETUPTOOLS["packages"] if name != "fairdeal.traces"]
"""Those with code; the traces are shipped as data alone."""


def package_of(folder: Path) -> str:
    return ".".join(("fairdeal", *folder.relative_to(ROOT).parts))


def test_every_folder_with_code_is_a_package() -> None:
    with_code = {file.parent for name in FOLDERS for file in (ROOT / name).rglob("*.py")}
    assert sorted(PACKAGES) == sorted(map(package_of, with_code))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_has_an_init_file(package: str) -> None:
    assert (ROOT.joinpath(*package.split(".")[1:]) / "__init__.py").is_file()


@pytest.mark.parametrize("name", FOLDERS)
def test_every_data_file_is_shipped(name: str) -> None:
    patterns = SETUPTOOLS["package-data"][f"fairdeal.{name}"]
    files = [file for file in (ROOT / name).rglob("*") if file.is_file()]
    data = [file for file in files if file.suffix != ".py" and "__pycache__" not in file.parts]
    left_out = [
        str(file.relative_to(ROOT))
        for file in data
        if not any(fnmatch(str(file.relative_to(ROOT / name)), glob.removeprefix("**/")) for glob in patterns)
    ]
    assert left_out == []


def test_the_traces_that_are_examples_are_shipped() -> None:
    assert SETUPTOOLS["package-dir"]["fairdeal.traces"] == "traces"
    shipped = SETUPTOOLS["package-data"]["fairdeal.traces"]
    assert {Path(glob).parent.name for glob in shipped} == set(FOLDERS_OF_EXAMPLES)
    assert all(list((ROOT / "traces").glob(glob)) for glob in shipped)


def test_extras_and_dependencies_are_pinned() -> None:
    pinned = {line.split("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines()}
    extras = PROJECT["project"]["optional-dependencies"]
    asked = [*PROJECT["project"]["dependencies"], *(name for extra in extras.values() for name in extra)]
    names = {name.split(">=")[0].strip().lower() for name in asked if not name.startswith("fairdeal[")}
    assert names <= pinned


def test_the_demo_explains_the_violation_that_the_readme_shows() -> None:
    explained = re.search(r"^EXPLAINED \?= (\S+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert explained is not None
    assert f"$ fairdeal check {explained[1]}\n" in (ROOT / "README.md").read_text("utf-8")
