"""Displayed texts are idiomatic English: listed phrases do not occur."""

from __future__ import annotations

import re

import pytest

from tests.client.test_one_word import ROOT, WORDS, texts

UNSAID = WORDS["unsaid"]
PAGES = ("SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "server/HOSTING.md", "client/games/README.md")


@pytest.mark.parametrize("better", UNSAID)
def test_no_text_has_an_unidiomatic_phrase(better: str) -> None:
    unsaid = re.compile(UNSAID[better], re.I)
    read = [*texts(), *((page, (ROOT / page).read_text(encoding="utf-8")) for page in PAGES)]
    found = [
        f"{where}: {text[max(0, hit.start() - 30) : hit.end() + 30]!r}"
        for where, text in read
        for hit in unsaid.finditer(" ".join(text.split()))
    ]
    assert not found, f"say {better!r}: {found}"


def test_the_phrases_are_found() -> None:
    for better, said in (
        ("cannot", "A key can not be read."),
        ("you cannot do that now", "That is not possible now."),
        ("what you can do", "You still have 2 AP and could do something with them."),
        ("no longer has this game", "The host is there, but has this game no more."),
    ):
        assert re.search(UNSAID[better], said, re.I)
        assert not re.search(UNSAID[better], "The host cannot read that key.", re.I)
