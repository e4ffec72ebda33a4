"""The guide of a first game (newcomers play without reading the rules first)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cave.the_cave.actions import Discover, EndTurn, Move
from client.games.the_cave import guide, key_hints
from client.games.the_cave.face import FACE
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.screen import GameScreen
from client.settings.schema import Preferences, Settings
from client.tui import sentences as shared
from client.tui.sentences import GUIDE_OFF
from client.tui.widgets.bottom_rows import MessageLine
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import opened, press, run

spoken = GameScreen.key_words.sentence
GUIDE = guide.newcomer_guide()


def shown(start: Any, mine: tuple[int, ...] = (0,)) -> CaveScene:
    return FACE.scene(FakeSession(start=start, mine=mine).state, None)


def all_tips(now: CaveScene) -> list[str]:
    """The tips of a moment in their order."""
    seen: list[str] = []
    while found := GUIDE.tip_to_show(now, seen):
        assert found not in seen
        seen.append(found)
    return seen


def test_tips_start_with_the_first_turn_and_appear_once() -> None:
    found = all_tips(shown(position()))
    assert found[0] == "first turn"
    # At (1, 0) there is an exit, water to the east and a descent to the south.
    assert {"exits", "descent", "water"} <= set(found)
    assert "photograph" not in found
    assert "undo" not in found


@pytest.mark.parametrize(
    ("changes", "first"),
    [({"turn": {"seat": 0, "ap": 5, "phase": "starving"}}, "starving"), ({"turns_left": 4}, "end")],
)
def test_urgent_tips_come_first(changes: dict[str, Any], first: str) -> None:
    if first == "starving":
        changes["teams"] = [{"name": "Ann", "at": [1, 0]}, {"name": "Bea", "at": [0, 0]}]
    assert all_tips(shown(position(**changes)))[0] == first


def test_reasons_name_a_detour_and_a_spoiled_way_home() -> None:
    raft, *then = Move((2, 0), "raft"), Move((1, 0), "foot"), Move((1, 1), "foot")
    assert guide.reason_for_hint(shown(position()), raft, then).startswith("it is the way round to a descent, 1 south:")
    team = {"name": "Ann", "at": [1, 0], "backpack": {"raft": 1}, "camp": {"state": "beside"}}
    for ap, action, harm in (
        (3, raft, ""),
        (2, raft, "then home 6 AP, 1 more turn, starving from the next turn on"),
        (1, Discover(), "then home in 1 forced move, starving from the next turn on"),
        (1, EndTurn(), "then home in 1 forced move, starving from the next turn on"),
        (1, Move((0, 0), "foot"), ""),
    ):
        turn = {"seat": 0, "ap": ap, "phase": "actions"}
        assert guide.harm(shown(position(turn=turn, teams=[team, {"name": "Bea", "at": [0, 0]}])), action) == harm


async def test_a_tip_is_shown_until_followed_and_can_be_disabled() -> None:
    saved: list[Settings] = []

    def save(settings: Settings) -> str:
        saved.append(settings)
        return ""

    app = TableApp(FakeSession(start=position()), preferences=Preferences(Settings(guide=True), save))
    async with run(app, size=(80, 24)) as pilot:
        line = app.table.query_one(MessageLine)
        assert line.text == spoken(guide.WORDS["first turn"], {})
        await press(pilot, "right", "left")  # looking around does not remove it
        assert line.text == spoken(guide.WORDS["first turn"], {})
        await press(pilot, "w")  # a refusal is more urgent
        assert line.text == "You can dive only on a water tile."
        await press(pilot, "down", "enter")
        assert line.text == spoken(guide.WORDS["exits"], {})
        await press(pilot, "G")
        assert line.text == spoken(GUIDE_OFF, {})
        assert not saved[-1].guide
        await press(pilot, "up")
        assert line.text == ""
        await press(pilot, "G")
        assert line.text == spoken(guide.WORDS["exits"], {})
        assert saved[-1].guide


@pytest.mark.parametrize("hints", [True, False])
async def test_tips_name_the_key_of_hints_only_where_the_table_allows_them(hints: bool) -> None:
    session = FakeSession(start=position(), hints=hints)
    async with opened(TableApp(session, preferences=Preferences(Settings(guide=True)))) as (app, _):
        words = f"A turn is 5 action points (AP){', y hints' if hints else ''}. Numbers"
        assert app.table.query_one(MessageLine).text.startswith(words)


async def test_the_guide_names_the_configured_keys() -> None:
    chosen = Settings(guide=True, keys={"game.enter": "f5", "game.discover": "f6"})
    async with opened(TableApp(FakeSession(start=position()), preferences=Preferences(chosen))) as (app, _):
        assert app.table.query_one(MessageLine).text.endswith("arrows point, f5 goes.")
        assert spoken(guide.WORDS["exits"], chosen.keys).startswith("A ? is an unexplored exit: f6 discovers")


def test_every_key_in_a_sentence_is_configurable() -> None:
    texts = [*guide.WORDS.values(), *vars(key_hints).values(), *vars(shared).values()]
    for text in texts:
        if isinstance(text, str) and not text.startswith("{take}"):
            assert set(re.findall("{(.*?)}", spoken(text, {}))) <= {
                "name",
                "names",
                "who",
                "text",
                "ap",
                "key",
                "action",
            }, text


async def test_a_followed_tip_is_not_shown_in_the_next_game() -> None:
    preferences = Preferences(Settings(guide=True))
    app = TableApp(FakeSession(start=position()), preferences=preferences)
    async with run(app, size=(80, 24)) as pilot:
        await press(pilot, "down", "enter")
        assert preferences.now.tips == {"the-cave": ("first turn",)}
    again = TableApp(FakeSession(start=position()), preferences=preferences)
    async with run(again, size=(80, 24)):
        assert again.table.query_one(MessageLine).text == spoken(guide.WORDS["exits"], {})


async def test_every_player_sees_warnings_in_their_colour() -> None:
    teams = [{"name": "Ann", "at": [1, 0], "backpack": {}}, {"name": "Bea", "at": [0, 0]}]
    session = FakeSession(start=position(teams=teams, turns_left=4))
    app = TableApp(session, preferences=Preferences(Settings(guide=False)))
    async with run(app, size=(80, 24)):
        line = app.table.query_one(MessageLine)
        assert line.text == spoken(guide.WORDS["end"], {})
        assert line.rows(80, 1)[0][0].role == "warn"
