"""The documents name files, folders and commands that are there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path
    for pattern in ("*.md", "cave/**/*.md", "server/**/*.md", "client/**/*.md")
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:cave|server|client|tests|screenshots|\.ci)/[\w./-]*)`")
TARGET = re.compile(r"\bmake ([a-z]+)\b(?=[`, ]*(?:$|`|  ))", re.MULTILINE)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_link_leads_to_a_file(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "PROTOCOL.md"], ids=name)
def test_a_path_is_one_of_this_repository(page: Path) -> None:
    """Written from its root; ``NAME`` stands for any."""
    found = PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in found if "NAME" not in path and not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_make_is_asked_for_it_can_do(page: Path) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {*TARGET.findall(page.read_text(encoding="utf-8"))} <= {*targets}


def test_every_folder_is_on_the_map() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    parts = {
        f"{top}/{each.name}/"
        for top in ("server", "client")
        for each in (ROOT / top).iterdir()
        if each.is_dir()
    }
    rows = {*re.findall(r"^\| `([\w/]+/)` \|", page, re.MULTILINE)}
    assert {part for part in parts if "__" not in part} - rows == set()


def test_what_is_packed_has_the_documents() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = {*settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]}
    assert {page.name for page in ROOT.glob("*.md")} <= packed
