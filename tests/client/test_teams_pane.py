"""The list of teams: everything in it can be read, at every width it has (interface.md)."""

from __future__ import annotations

import pytest

from client.present import teams
from client.tui.widgets.teams import Teams
from tests.client.fake_session import FakeSession
from tests.client.game_app import position

WIDTHS = {24: "fd", 40: "food", 52: "sqz"}
"""Of 80, of 140 and of 100 columns, with a heading that only one of them has."""
TEAMS = [{"name": "Ann", "at": [1, 0]}, {"name": "Rookie", "at": [1, 1]}]


def table(width: int, **changes: object) -> list[str]:
    state = FakeSession(start=position(teams=TEAMS, **changes)).state
    pane = Teams(line="─")
    pane._teams, pane._tokens = teams.rows(state, state.view), teams.tokens(state.view)
    return ["".join(span.text for span in row) for row in pane.rows(width, 0)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("changes", [{}, {"turns_left": 4}])
def test_headings_stand_over_their_values_and_nothing_is_cut(width: int, changes: dict[str, int]) -> None:
    head, first, second, *_ = table(width, **changes)
    assert max(map(len, (head, first, second))) <= width
    assert "Rookie" in second
    for word in ("VP", "+bn", "food" if width == 40 else "fd"):
        end = head.index(word) + len(word)
        assert first[end - 1] not in " ~", (word, head, first)
        assert first[end : end + 1] in ("", " "), (word, head, first)
    words = head.split()
    if width > 24:
        assert ("home" in words, "depth" in words or "deep" in words) == (True, True)
    else:
        assert ("home" in words) == bool(changes)
    if width == 52:
        assert head.rstrip("─ ").endswith("─line photo water sqz")
    if "home" in words:
        assert second[head.index("home") + 3].strip()
