"""The list of teams: everything in it can be read, at every width it has."""

from __future__ import annotations

import pytest

from client.games.the_cave.known import teams
from client.games.the_cave.screen.panes.teams import Teams
from tests.client.fake_session import FakeSession
from tests.client.game_app import position

WIDTHS = (20, 24, 32, 40)
"""Beside the map at 60, 80, 100 and 140 columns."""
TEAMS = [{"name": "Ann", "at": [1, 0]}, {"name": "Rookie", "at": [1, 1]}]


def table(width: int, **changes: object) -> list[str]:
    state = FakeSession(("Ann", "Rookie"), start=position(teams=TEAMS, **changes)).state
    pane = Teams(line="─")
    pane._teams, pane._tokens = teams.rows(state, state.view), teams.tokens(state.view)
    return ["".join(span.text for span in row) for row in pane.rows(width, 9)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("changes", [{}, {"turns_left": 4}])
def test_headings_stand_over_their_values_and_nothing_is_cut(width: int, changes: dict[str, int]) -> None:
    head, first, second, tokens, *kinds = table(width, **changes)
    assert max(map(len, (head, first, second, tokens, *kinds))) <= width
    assert " Rook" in second, "the name stands apart from its letter"
    assert {len(line.rstrip()) for line in (head, first, second)} == {width - 1}, "air at the edge"
    bonus = [] if width == 20 and changes else ["+bn"]
    for word in ("VP", *bonus, "cons" if width == 40 else "cn"):
        end = head.index(word) + len(word)
        assert first[end - 1] not in " ~", (word, head, first)
        assert first[end : end + 1] in ("", " "), (word, head, first)
    words = head.split()
    assert ("home" in words) == (width > 24 or bool(changes))
    assert ("depth" in words or "deep" in words) == (width > 24 or (width == 24 and not changes))
    if "home" in words:
        assert second[head.index("home") + 3].strip()
    assert 5 <= tokens.index("B") - tokens.index("A") <= 9
    assert len(kinds) == 5
    assert all("~" not in line for line in kinds)
