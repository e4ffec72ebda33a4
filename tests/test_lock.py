"""The lock files: every package of the project is there, in a fitting version and with its hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUN = PROJECT["project"]["dependencies"]
DEVELOP = PROJECT["dependency-groups"]["dev"]
BUILD = PROJECT["build-system"]["requires"]
LOCKS = {"requirements.lock": [*RUN, *BUILD], "requirements-dev.lock": [*RUN, *DEVELOP, *BUILD]}
PIN = re.compile(r"^([\w.-]+)==([\w.!+-]+)", re.MULTILINE)


@pytest.fixture(params=LOCKS)
def lock(request: pytest.FixtureRequest) -> tuple[str, list[str]]:
    """The text of a lock file, and its purpose."""
    return (ROOT / request.param).read_text(encoding="utf-8"), LOCKS[request.param]


def test_every_requirement_is_pinned_in_a_fitting_version(lock: tuple[str, list[str]]) -> None:
    text, requirements = lock
    pinned: dict[str, list[Version]] = {}
    for name, version in PIN.findall(text):
        pinned.setdefault(canonicalize_name(name), []).append(Version(version))
    for requirement in map(Requirement, requirements):
        versions = pinned.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement.name} is missing: run make lock"
        assert all(requirement.specifier.contains(each) for each in versions), f"{requirement}: run make lock"


def test_every_package_has_hashes_and_the_usual_source(lock: tuple[str, list[str]]) -> None:
    text, _ = lock
    for package in re.split(r"\n(?=\w)", text):
        assert "--hash=sha256:" in package, package.splitlines()[0]
    assert "://" not in text
    assert "--index" not in text
