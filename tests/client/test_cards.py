"""The panes of The Cave as cards: the log and the actions."""

from __future__ import annotations

import pytest

from client.games.the_cave.actions import ActionLine
from client.games.the_cave.panes import Actions
from client.tui.widgets.panel import Span


def told(spans: list[Span]) -> str:
    return "".join(span.text for span in spans)


WHY = (
    ActionLine("moves", "m", "move, 3 ways", "move (3)", "from 1 AP", "+3"),
    ActionLine("end_turn", "e", "end the turn", "end turn", "loses 3 AP"),
    ActionLine(
        "discover",
        "x",
        "discover a tile",
        "discover",
        legal=False,
        why="This tile has no unexplored exit.",
    ),
    ActionLine("pitch", "c", "pitch the camp", "pitch camp", legal=False, why="It is gone."),
    ActionLine("pack", "p", "pack the backpack", "pack", legal=False, why="All tiles are out."),
)


def listed(lines: tuple[ActionLine, ...], width: int, height: int) -> list[str]:
    pane = Actions(line="─")
    pane._lines, pane._all = lines, "a"
    return [told(list(row)) for row in pane.rows(width, height)]


def test_what_cannot_be_done_stands_in_columns_with_reason_and_rule() -> None:
    rows = listed(WHY, 90, 8)
    assert [" ".join(row.split()) for row in rows] == [
        "m move, 3 ways from 1 AP +3 e end the turn, loses 3 AP",
        "NOT NOW, AND WHY",
        "x discover this tile has no unexplored exit.",
        "c pitch camp it is gone.",
        "p pack all tiles are out.",
    ]
    starts = {row.index(f" {word}") for row, word in zip(rows[2:], ("this", "it", "all"), strict=True)}
    assert len(starts) == 1, rows


@pytest.mark.parametrize("height", range(6, 14))
def test_no_reason_is_cut_off_and_what_has_no_room_is_counted(height: int) -> None:
    why = "There is no wonder to photograph here, and the camera is in the camp."
    more = tuple(ActionLine(each, each, each, each, legal=False, why=why) for each in "1234")
    for width in range(66, 120, 6):
        rows = listed((*WHY, *more), width, height)
        text = " ".join(" ".join(row.split()) for row in rows)
        assert len(rows) <= height
        assert max(map(len, rows)) <= width
        assert "…" not in text
        shown = sum(f" {name} " in text for name in ("x discover", "c pitch camp", "p pack"))
        shown += sum(f" {each} {each} " in text for each in "1234")
        assert shown == 7 or f" a {7 - shown} more" in text, text
