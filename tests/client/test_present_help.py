"""The pages of the help in windows of any width."""

from __future__ import annotations

import re

import pytest

from cave import games
from client import games as faces
from client.games.the_cave.face import FACE
from client.present import help_pages
from client.present.help_pages import KEYS, WIDTH, list_pages
from client.tui.help import HEADING

LISTED = [("x", "Discover"), ("enter", "Do it"), ("question_mark", "Help")]


def test_a_table_is_wrapped_row_by_row() -> None:
    (start, *_) = list_pages("menu", FACE, width=40)
    rows = start.text.splitlines()
    assert rows[rows.index("  Replay  step through the record of a") + 1] == "    game"
    assert "  How to play  what wins, what loses," in rows


@pytest.mark.parametrize("glyphs", ["ascii", "unicode"])
@pytest.mark.parametrize("game", games.game_names())
def test_help_pages_of_all_games_fit_80_columns(game: str, glyphs: str) -> None:
    """One line that is too long would rewrap the whole page, and destroy its columns."""
    for page in faces.get_face(game).help(glyphs).values():
        too_wide = [line for line in page.text.splitlines() if len(line) > WIDTH]
        assert too_wide == [], page.title


@pytest.mark.parametrize("width", [30, WIDTH])
@pytest.mark.parametrize("game", games.game_names())
def test_all_lines_of_a_heading_are_coloured_and_nothing_else(game: str, width: int) -> None:
    face = faces.get_face(game)
    headings = {line for page in face.help("unicode").values() for line in page.text.splitlines()}
    headings = {line for line in headings if re.match(r"[^\s]", line)} | {*help_pages.rule_chapters(face.game)}
    for page in list_pages("how to play", face, width=width):
        for found in HEADING.finditer(page.text):
            assert " ".join(found[0].split()) in headings, page.title


@pytest.mark.parametrize(
    ("block", "line", "goes_on"),
    [
        (["  a paragraph"], "  that is further in", True),
        ([" a paragraph"], " that is one column in", True),
        (["a line"], "and another", False),
        (["x" * 70], "word", True),
        (["x" * 70], "wor", False),
        (["x" * WIDTH], "  further in", True),
        (["x" * WIDTH, "y" * WIDTH], "  further in", False),
        (["  " + "x" * 72], "further out", False),
        (["  Move  a row"], "  Slide: another", False),
        (["  Move  " + "x" * 66], "  Slide: another", False),
        (["  Move  " + "x" * 66], "        more of it", True),
        (["  Move  " + "x" * 66, "        " + "y" * 66], "        yet more", True),
        (["  a paragraph"], "  Move  a row", False),
        (["  a paragraph"], "", False),
        ([""], "  a paragraph", False),
    ],
)
def test_a_line_continues_after_a_full_or_indented_one(block: list[str], line: str, goes_on: bool) -> None:
    assert help_pages.runs_on(block, line) is goes_on


def test_the_rules_have_all_chapters_and_indented_rules() -> None:
    told = help_pages.rulebook_text(FACE.game).splitlines()
    for heading in help_pages.rule_chapters(FACE.game):
        assert heading in told
    (at,) = (at for at, line in enumerate(told) if line.startswith("  5.3 "))
    assert told[at + 1].startswith(" " * 6)
    assert told[at + 1][6] != " "
    assert not [line for line in told if re.match(r"\d+\.\d", line)], "only headings stand at the left"


@pytest.mark.parametrize("width", [20, 40, WIDTH - 1, WIDTH, 200])
@pytest.mark.parametrize("topic", ["game", "replay", "menu", "how to play"])
def test_no_line_is_wider_than_the_page(topic: str, width: int) -> None:
    for page in list_pages(topic, FACE, keys=LISTED, about=("5.6",), width=width):
        assert max(map(len, page.text.splitlines())) <= min(width, WIDTH), page.title


def test_keys_are_listed_in_two_columns_if_there_is_room() -> None:
    one, two = (
        {page.title: page.text for page in list_pages("game", FACE, keys=LISTED, width=width)}[KEYS].splitlines()
        for width in (WIDTH - 1, WIDTH)
    )
    assert one == ["x         Discover", "enter     Do it", "question_mark Help"]
    assert two == ["x         Discover                   question_mark Help", "enter     Do it"]


def test_the_columns_of_keys_are_read_downwards() -> None:
    listed = [(key, key.upper()) for key in "abcdefg"]
    rows = {page.title: page.text for page in list_pages("game", FACE, keys=listed)}[KEYS].splitlines()
    assert [row.split() for row in rows] == [
        ["a", "A", "e", "E"],
        ["b", "B", "f", "F"],
        ["c", "C", "g", "G"],
        ["d", "D"],
    ]


def test_the_rules_for_the_current_place_come_first() -> None:
    assert [page.title for page in list_pages("game", FACE, about=("5.6",))][:2] == [
        "Here",
        list_pages("game", FACE)[0].title,
    ]
