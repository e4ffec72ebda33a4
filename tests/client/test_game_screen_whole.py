"""Packing, a whole game by keys, and the score sheet, on the game screen."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from cave.the_cave import actions as act
from cave.the_cave.actions import Choice, Form, Move
from cave.the_cave.routes import way_home
from client.games.the_cave.panes import HeaderBar
from client.tui.chooser import ChooserScreen
from tests.client.fake_session import FakeSession
from tests.client.game_app import GAME, TableApp, packed
from tests.client.pilot import opened, press
from tests.client.test_game_screen import say

MOST_STEPS = 400


def rookie(state: Any, seat: int) -> Any:
    """Packs, discovers, takes tokens, and goes home when consumables run low."""
    choices = GAME.choices(state, seat)
    if state.phase == "packing":
        return act.Pack(act.Items(4, 2, 1, 0, 1))
    plain = [choice for choice in choices if isinstance(choice, Choice)]
    team = state.teams[seat]
    home = way_home(state, seat)
    leave = state.turns_left is not None or (home is not None and team.backpack.consumable <= home.eats + 1)
    if state.phase == "actions" and leave:
        if home is None or not home.legs or home.legs[0].turn > 0:
            fill = next((choice for choice in choices if isinstance(choice, Form) and choice.kind == "pack"), None)
            if fill is not None and team.backpack.consumable < 3 and state.turns_left is None:
                return act.Pack(act.Items(4, 2, 1, 0, 1))
            return act.EndTurn()
        return Move(home.legs[0].to, home.legs[0].by)

    def worth(choice: Choice) -> tuple[int, int]:
        action = choice.action
        kinds = {"place": 9, "discover": 5, "end_turn": 1, "move": 3}
        forced = isinstance(action, Move) and action.by == "force"
        known = isinstance(action, Move) and action.to == (0, 0)
        fresh = isinstance(action, Move) and not state.board[action.to].start
        bonus = 7 if choice.price.points else 4 if fresh and state.ap > 1 else kinds.get(action.type, 0)
        return (0 if forced or (known and state.ap < 5) else bonus, -choice.ap)

    return max(plain, key=worth).action


async def do_by_keys(pilot: Any, app: TableApp) -> None:
    """Do an action of the simple player, by key presses alone."""
    full = app.session.full
    action = rookie(full, min(GAME.to_act(full)))
    before = full
    if isinstance(action, Move):
        await press(pilot, "m")
        screen = app.screen
        index = next(n for n, entry in enumerate(screen.entry_list.entries) if entry.value.action == action)
        await press(pilot, *["down"] * index, "enter")
    elif isinstance(action, act.Place):
        await press(pilot, "enter")
    elif isinstance(action, act.Pack):
        await press(pilot, "p")
        if app.screen is not app.table:
            await press(pilot, "1", "enter")
    else:
        keys = {"discover": "x", "dive": "w", "photograph": "s", "end_turn": "e"}
        await press(pilot, keys[action.type])
    if isinstance(app.screen, ChooserScreen):
        await press(pilot, "e" if action.type == "end_turn" else "Y")
    assert app.session.full is not before, (action, app.screen)


async def test_a_whole_game_by_keys_to_the_score_sheet() -> None:
    start = packed(2, act.Items(4, 2, 1, 0, 1), edition="french")
    start = replace(start, stacks=(start.stacks[0][:4], start.stacks[1][:3], (), ()))
    async with opened(TableApp(FakeSession(start=start, mine=(0, 1)))) as (app, pilot):
        alarms = 0
        for _ in range(MOST_STEPS):
            if isinstance(app.screen, ChooserScreen):
                alarms += 1
                await press(pilot, "escape")
            if app.session.full.phase == "over":
                break
            await do_by_keys(pilot, app)
        assert alarms == 1
        assert app.session.full.phase == "over"
        assert type(app.screen).__name__ == "ScoreScreen"
        await press(pilot, "escape")
        assert app.screen is app.table
        assert "the game is over" in say(app, HeaderBar)
        await press(pilot, "enter")
        assert type(app.screen).__name__ == "ScoreScreen"
        await press(pilot, "m")
        assert app.left == ["menu"]
