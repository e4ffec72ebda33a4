"""The pages of the help in windows of any width."""

from __future__ import annotations

import pytest

from client.games.the_cave.face import FACE
from client.present.help import KEYS, REPLAY, WIDTH, pages

LISTED = [("x", "Discover"), ("enter", "Do it"), ("question_mark", "Help")]


def test_a_page_that_fits_is_shown_as_it_was_written() -> None:
    widest = max(map(len, REPLAY.splitlines()))
    assert pages("replay", FACE, width=widest)[0].text == REPLAY
    assert pages("replay", FACE, width=widest - 1)[0].text != REPLAY


def test_a_paragraph_is_filled_anew_where_there_are_fewer_columns() -> None:
    (start, *_) = pages("menu", FACE, width=40)
    assert start.text.endswith(
        """\
Everywhere
  Everything can be done with keys alone
    or with the mouse alone. The bottom
    line shows the keys of the moment
    and can be clicked. Ctrl+q leaves,
    and the game is saved.
"""
    )


def test_a_table_is_wrapped_row_by_row() -> None:
    (start, *_) = pages("menu", FACE, width=40)
    rows = start.text.splitlines()
    assert rows[rows.index("  Replay  step through the record of a") + 1] == "    game"
    assert "  How to play  what wins, what loses," in rows


@pytest.mark.parametrize("width", [20, 40, WIDTH - 1, WIDTH, 200])
@pytest.mark.parametrize("topic", ["game", "replay", "menu", "how to play"])
def test_no_line_is_wider_than_there_is_room(topic: str, width: int) -> None:
    for page in pages(topic, FACE, keys=LISTED, about=("5.6",), width=width):
        assert max(map(len, page.text.splitlines())) <= min(width, WIDTH), page.title


def test_keys_stand_in_two_columns_where_there_is_room_for_two() -> None:
    one, two = (
        {page.title: page.text for page in pages("game", FACE, keys=LISTED, width=width)}[KEYS].splitlines()
        for width in (WIDTH - 1, WIDTH)
    )
    assert one == ["x         Discover", "enter     Do it", "question_mark Help"]
    assert two == ["x         Discover                   question_mark Help", "enter     Do it"]


def test_how_to_play_tells_the_keys_of_the_game() -> None:
    how = next(page for page in pages("how to play", FACE) if page.title == FACE.help("unicode")["how"].title)
    assert FACE.help("unicode")["keys"].text in how.text
