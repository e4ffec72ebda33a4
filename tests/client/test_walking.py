"""Enter on a distant place: uses this turn's AP, and continues in the next turn."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cave.games import get_game
from cave.the_cave.actions import EndTurn, Move, Pack
from cave.the_cave.state import Coord, State
from cave.the_cave.tiles import unexplored_exits
from client.games.the_cave import actions
from client.games.the_cave.actions import EnterAction
from client.games.the_cave.face import FACE
from client.games.the_cave.facts import place_facts
from client.games.the_cave.panes import Actions
from client.games.the_cave.side_pane import Side
from client.games.the_cave.walk_plans import BY_FORCE, WalkPlan, plan, way_and_home
from client.tui.chooser import Caption, ChooserScreen
from client.tui.widgets.bottom_rows import MessageLine
from tests.cave.players import explorer
from tests.client import section_four
from tests.client.fake_session import FakeSession
from tests.client.game_app import KIT, TableApp, position
from tests.client.pilot import opened, press, settle
from tests.client.plain_talk import talk
from tests.client.test_game_screen import click_tile, say, words

GAME = get_game("the-cave")
STEPS = 260


@cache
def game(seed: int) -> tuple[State, ...]:
    """The states of a random game in which a team can act and the end is not near."""
    state: Any = GAME.new(2, {}, f"walk {seed}")
    rng, found = Random(seed), []
    for _ in range(STEPS):
        ready = GAME.to_act(state)
        if not ready or state.turns_left is not None:
            break
        if state.phase == "actions":
            found.append(state)
        seat = min(ready)
        action = Pack(KIT) if state.phase == "packing" else explorer(GAME, state, seat, rng)
        state = GAME.apply(state, seat, action).state
    return tuple(found)


def enter(state: State, seat: int, at: Coord) -> EnterAction:
    return actions.enter_action(state, seat, GAME.choices(state, seat), GAME.why_not(state, seat), at)


def goals(state: State) -> list[Coord]:
    """All tiles but the team's own, and all unexplored exits."""
    exits = {at for tile in state.board for at in unexplored_exits(state.board, tile)}
    return sorted({*state.board, *exits} - {state.teams[state.seat or 0].at})


def next_turn(state: State) -> State:
    """The same team's next turn; the other team does the minimum."""
    seat = state.seat
    state = GAME.apply(state, seat, EndTurn()).state
    while state.seat != seat:
        starving = state.phase == "starving"
        action = GAME.choices(state, state.seat)[0].action if starving else EndTurn()
        state = GAME.apply(state, state.seat, action).state
    return state


def walked(state: State, found: EnterAction) -> State:
    """The state after a walk, which costs what its line says and forces nothing."""
    seat, before = state.seat, state
    for leg in found.legs:
        assert leg.by != "force"
        state = GAME.apply(state, seat, Move(leg.to, leg.by)).state
    held, left = before.teams[seat].backpack, state.teams[seat].backpack
    taken = [f"{before.ap - state.ap} AP"]
    taken += [f"{n} rope{'s' * (n > 1)}" for n in [held.rope - left.rope] if n]
    taken += [f"{n} tank{'s' * (n > 1)}" for n in [held.oxygen_tanks - left.oxygen_tanks] if n]
    assert found.line.price == ", ".join(taken)
    return state


@given(seed=st.integers(0, 11), moment=st.integers(0, STEPS), place=st.integers(0, 10_000))
def test_repeated_enter_arrives_in_the_planned_turn(seed: int, moment: int, place: int) -> None:
    states = game(seed)
    state = states[moment % len(states)]
    seat, at = state.seat, goals(state)[place % len(goals(state))]
    found = enter(state, seat, at)
    if found.do != "walk":
        return
    goal = found.legs[-1].to if not found.stopped else None
    turns = int(found.stopped.split("no AP left, ")[1].split()[0]) if found.stopped else 0
    for left in range(turns, -1, -1):
        if found.do == "move":
            usual = [choice for choice in found.choices if choice.action.by != "force"]  # type: ignore[union-attr]
            state = GAME.apply(state, seat, min(usual, key=lambda choice: choice.ap).action).state
            break
        assert found.do == "walk"
        assert bool(left) == bool(found.stopped)
        ahead = state
        state = walked(state, found)
        if not found.stopped:
            break
        # No affordable step was left undone.
        onward = enter(state, seat, at)
        assert not onward.do
        assert f"{state.ap} AP is not enough for the next step there: {left} more turn" in onward.line.why
        state = next_turn(state)
        assert state.phase == "actions", "the way that is walked leaves nobody without consumables"
        assert len(state.board) == len(ahead.board)
        found = enter(state, seat, at)
    here = state.teams[seat].at
    assert here == (at if at in state.board else here)
    assert at == here or at in unexplored_exits(state.board, here)
    assert goal is None or here == goal


@example(seed=2, moment=26, place=291)  # a forced step leads there, too
@given(seed=st.integers(0, 11), moment=st.integers(0, STEPS), place=st.integers(0, 10_000))
def test_a_walk_is_the_way_that_plan_and_inspector_show(seed: int, moment: int, place: int) -> None:
    states = game(seed)
    state = states[moment % len(states)]
    seat, at = state.seat or 0, goals(state)[place % len(goals(state))]
    found = enter(state, seat, at)
    if found.do != "walk":
        return
    shown = place_facts(FACE.scene(FakeSession(start=state, mine=(seat,)).state, None), at, seat)
    told = plan(state, seat, at)
    assert shown.plan == told
    steps = [part.text for part in told.steps if not part.turn]
    for leg, step in zip(found.legs, steps, strict=False):
        assert f": {leg.ap} AP" in step
        assert ("rope" in step) == bool(leg.ropes)
    assert any("then discover" in each for each in told.takes) == (at not in state.board)


def corridor(length: int, consumables: int = 8, ap: int = 5) -> State:
    """A passage to the east of the base, with an unexplored exit at its end; Ann is at its start."""
    board = [{"at": [0, 0], "kind": "base", "open": "E", "depth": 0, "start": True}]
    board += [{"at": [x, 0], "kind": "plain", "open": "EW", "depth": 0} for x in range(1, length + 1)]
    teams = [
        {"name": "Ann", "at": [1, 0], "backpack": {"consumable": consumables}},
        {"name": "Bea", "at": [0, 0], "backpack": {"consumable": 4}},
    ]
    state: State = position(board=board, teams=teams, turn={"seat": 0, "ap": ap, "phase": "actions"})
    return state


@pytest.mark.parametrize(("consumables", "danger"), [(5, ""), (3, ": too few consumables")])
def test_the_line_warns_of_dangers_on_the_way_home(consumables: int, danger: str) -> None:
    # 11 steps there take 2 more turns, and 12 home 3 at the most: each eats one (rule 3.1).
    label = enter(corridor(12, consumables), 0, (12, 0)).line.label
    assert label.endswith("to go" + danger)


def test_a_walk_that_needs_a_forced_move_is_refused() -> None:
    found = enter(corridor(13, consumables=1), 0, (13, 0))
    assert not found.do
    assert found.line.why == f"{BY_FORCE}: point at the tile east of your team, and press enter there."
    assert way_and_home(corridor(13, consumables=1), 0, (13, 0)) is not None


async def test_on_the_screen_enter_walks_on_turn_after_turn() -> None:
    session = FakeSession(start=corridor(9))
    async with opened(TableApp(session)) as (app, pilot):
        await press(pilot, "n")
        assert app.table.map.cursor == (10, 0)
        assert "walk E, 1 more turn to go 5 AP" in say(app, Actions)
        await press(pilot, "enter", "enter")
        assert session.full.teams[0].at == (6, 0)
        assert say(app, MessageLine).strip() == "5 of 8 steps: no AP left, 1 more turn to go."
        await press(pilot, "enter")
        assert "0 AP is not enough" in say(app, MessageLine)
        await press(pilot, "e")
        session.play(1, EndTurn())
        await settle(pilot)
        assert app.table.map.cursor == (10, 0)
        await press(pilot, "enter")
        assert session.full.teams[0].at == (9, 0)
        await press(pilot, "enter")
        assert session.full.phase == "placing"


# ------------------------------------------------------------------ confirmations


async def test_a_walk_of_several_turns_is_shown_and_begins_with_the_second_enter() -> None:
    session = FakeSession(start=corridor(9))
    async with opened(TableApp(session)) as (app, pilot):
        await press(pilot, "n")
        for way in ("enter", "two clicks"):
            if way == "enter":
                await press(pilot, "enter")
            else:
                await click_tile(pilot, app, (9, 0))
                await click_tile(pilot, app, (9, 0))
            assert isinstance(app.screen, ChooserScreen)
            asked = " ".join(words(app.screen.query_one(Caption)).split())
            assert "This walk takes 1 more turn. Go?" in asked
            assert "8 AP, 1 more turn, eats 1" in asked
            assert "now E E E E E; next turn E E E" in asked
            assert "takes 1 consumable (7 left)" in asked
            assert "back: 9 AP, 2 more turns, eats 2" in asked
            assert "Walk 5 of 8 steps now: 5 AP" in words(app.screen.entry_list)
            assert [app.table.map.labels[x, 0] for x in (2, 6, 7, 9)] == ["1", "1", "2", "2"]
            await press(pilot, "escape")
            assert not session.acted
            assert not app.table.map.labels
        await press(pilot, "enter", "enter")
        assert session.full.teams[0].at == (6, 0)


async def test_one_step_too_far_needs_one_confirmation() -> None:
    """Enter alone does not confirm it: the team would starve by a key pressed twice."""
    # At 2,0 she has 3 AP for the 2 home; at 3,0 only 2 for 3, and nothing to eat in the next turn.
    session = FakeSession(start=corridor(9, consumables=0, ap=4))
    async with opened(TableApp(session)) as (app, pilot):
        await press(pilot, "right", "enter")
        assert session.full.teams[0].at == (2, 0)
        await press(pilot, "right", "enter")
        assert isinstance(app.screen, ChooserScreen)
        asked = " ".join(words(app.screen.query_one(Caption)).split())
        assert "You starve from the next turn on. Go?" in asked
        await press(pilot, "escape")
        assert session.full.teams[0].at == (2, 0)
        await press(pilot, "enter", "enter")
        assert session.full.teams[0].at == (2, 0)
        await press(pilot, "enter", "Y", "right", "enter")
        assert session.full.teams[0].at == (4, 0), "who is lost already is not asked at each step"


async def test_line_mode_asks_before_a_walk_of_several_turns_and_before_a_step_too_far() -> None:
    session = FakeSession(start=corridor(9))
    said = await talk(session, "go 9,0", "2")
    assert not session.acted
    assert "To east, tunnel at depth 0 m: 8 action points, 1 more turn, eats 1." in said
    assert "Back: 9 action points, 2 more turns, eats 2." in said
    assert "This walk takes 1 more turn. Go? 1 yes, 2 no." in said
    session = FakeSession(start=corridor(9, consumables=0, ap=4))
    said = await talk(session, "east", "east", "no", "west")
    assert [action["to"] for _, action in session.acted] == [[2, 0], [1, 0]]
    assert "You starve from the next turn on. Go? 1 yes, 2 no." in said


# The plan


def steps(found: WalkPlan | None) -> list[str]:
    return [*(part.text for part in found.steps), *found.takes]


def test_a_plan_has_its_steps_their_costs_and_the_way_home() -> None:
    # Without a rope in place a descent needs one and 1 AP more (rules 5.2, 5.3); then it stays there.
    found = plan(position(), 0, (1, 1))
    assert found.goal == "S, descent at -25 m"
    assert steps(found) == ["this turn 5 AP", "S descent: 2 AP, 1 rope", "then 3 AP left", "takes 1 rope (none left)"]
    assert found.way_back_words == "back: 2 AP"
    assert not found.verdict


def test_the_plan_for_the_own_tile_is_the_way_home() -> None:
    home = plan(position(), 0, (1, 0))
    assert home.goal == "home"
    assert steps(home) == ["this turn 5 AP", "W home base: 1 AP", "then 4 AP left"]
    assert home == plan(position(), 0, (7, 7)), "where nothing lies there is nothing to go to"
    assert plan(position(turn={"seat": 1, "ap": 5, "phase": "actions"}), 1, (0, 0)) is None


def test_a_way_of_several_turns_lists_each_turn_and_its_upkeep() -> None:
    # 5 AP a turn (rule 3); a squeeze 2 takes 3 AP (rule 5.3); upkeep eats 1 consumable (rule 3.1).
    full = get_game("the-cave").from_position(section_four.position())
    assert steps(plan(full, 1, (0, 0))) == [
        *("this turn 3 AP", "W squeeze 2: 3 AP", "next turn 5 AP", "W tunnel: 1 AP", "S tunnel: 1 AP"),
        *("E home base: 1 AP", "then 2 AP left", "takes 1 consumable (1 left)"),
    ]
    assert plan(full, 1, (0, 0)).there == "6 AP, 1 more turn, eats 1"  # type: ignore[union-attr]


def test_a_waiting_player_plans_the_next_turn() -> None:
    found = plan(position(), 1, (2, 0))
    assert steps(found)[:2] == ["next turn 5 AP", "E tunnel: 1 AP"]
    full = get_game("the-cave").from_position(section_four.position())
    assert steps(plan(full, 4, (0, 0)))[:3] == ["next turn 5 AP", "E home base: 1 AP", "then 4 AP left"]
    assert "takes 1 consumable (1 left)" in steps(plan(full, 4, (0, 0))), "Eve's turn begins in the cave"


async def test_the_plan_follows_the_cursor_and_the_pointer() -> None:
    async with opened(TableApp(FakeSession(start=position())), (140, 45)) as (app, pilot):
        assert "W home base: 1 AP" in say(app, Side), "on the own tile, the way home"
        await press(pilot, "down")
        assert "S descent: 2 AP, 1 rope" in say(app, Side)
        assert "back: 2 AP" in say(app, Side)
        assert "there:" not in say(app, Side), "it is shown once"
        water = app.table.map.region_of((2, 0))
        await pilot.hover(app.table.map, offset=(water.x + 2, water.y + 1))
        await settle(pilot)
        assert "E water by raft: 1 AP" in say(app, Side)
