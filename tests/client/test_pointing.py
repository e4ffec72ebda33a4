"""Jump letters, numbered places, trial tiles, and help about the place under the cursor."""

from __future__ import annotations

from typing import Any

from cave.the_cave.state import Coord
from client.games.the_cave.screen import GameScreen
from client.games.the_cave.side_pane import Side
from client.tui.help import HelpScreen
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import opened, press
from tests.client.screens import text

PLACING = {"seat": 0, "ap": 4, "phase": "placing", "drawn": {"kind": "plain", "open": "NESW"}}

BARE = [
    {"at": [0, 0], "kind": "base", "open": "E", "depth": 0, "start": True},
    {"at": [1, 0], "kind": "plain", "open": "NESW", "depth": 0},
]


def table(**changes: Any) -> TableApp:
    mine = changes.pop("mine", None)
    more = {} if mine is None else {"mine": mine}
    return TableApp(FakeSession(start=position(**changes), **more))


def letter_on(screen: GameScreen, at: Coord) -> str:
    """The letter that the map shows on a place."""
    return screen.map.labels.get(at, "")


def labels(app: TableApp) -> list[str]:
    return [*app.table.map.labels.values()]


async def test_a_letter_goes_to_a_reachable_place() -> None:
    async with opened(table()) as (app, pilot):
        await press(pilot, "v")
        letter = letter_on(app.table, (0, 0))
        assert letter
        await press(pilot, letter)
        assert app.session.full.teams[0].at == (0, 0)
        assert not labels(app)


async def test_a_letter_of_an_exit_only_moves_the_cursor() -> None:
    # Discovering a tile cannot be undone (rule 4.7): a mistyped letter must not do it.
    async with opened(table()) as (app, pilot):
        await press(pilot, "v")
        await press(pilot, letter_on(app.table, (1, -1)))
        assert app.table.map.cursor == (1, -1)
        assert app.session.full.phase == "actions"
        await press(pilot, "enter")
        assert app.session.full.phase == "placing"


async def test_places_are_numbered_and_a_number_moves_the_ghost() -> None:
    async with opened(table(turn=PLACING, board=BARE)) as (app, pilot):
        spots = app.table.scene.spots
        assert [letter_on(app.table, spot.at) for spot in spots] == ["", "2", "3"]
        await press(pilot, "3")
        assert [letter_on(app.table, spot.at) for spot in spots] == ["1", "2", ""]
        await press(pilot, "enter")
        assert spots[2].at in app.session.full.board


async def test_a_waiting_player_can_try_out_the_drawn_tile() -> None:
    async with opened(table(turn=PLACING, board=BARE, mine=(1,))) as (app, pilot):
        assert app.table.scene.mode == "waiting"
        assert "r tries out" in text(app.table)
        assert (1, -1) not in app.table.map.picture.cells
        await press(pilot, "r")
        assert app.table.map.picture.cells[(1, -1)].ghost
        assert "TILE IN HAND" in "".join(span.text for row in app.table.query_one(Side).shown_rows for span in row)
        await press(pilot, "enter")
        assert (1, -1) not in app.session.full.board


async def test_help_is_about_the_place_under_the_cursor() -> None:
    async with opened(table()) as (app, pilot):
        for keys, rule in (
            (("right",), "5.5 Dive"),  # water
            (("left", "up"), "4.1 The team's tile"),  # an unexplored exit
            (("w",), "5.5 Dive"),  # the refusal names its rule
            (("p",), "6.1 Pack"),
        ):
            await press(pilot, *keys, "question_mark")
            assert isinstance(app.screen, HelpScreen)
            assert rule in text(app.screen)
            await press(pilot, "escape")
