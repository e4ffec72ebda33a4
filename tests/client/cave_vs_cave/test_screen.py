"""Cave vs Cave on the screen: whole games by keys and mouse, rooms and their places, solo, replays."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from itertools import chain, product
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from cave.cave_vs_cave.actions import CAVERN, Choice, Furnish, Take
from cave.cave_vs_cave.components import components
from cave.game import Idea
from client.game_history import points_in
from client.games.cave_vs_cave import guide, terms
from client.games.cave_vs_cave.board import CavePane
from client.games.cave_vs_cave.face import FACE
from client.games.cave_vs_cave.picture import WIDE, place_of_space
from client.games.cave_vs_cave.screen import VersusScreen
from client.games.cave_vs_cave.tasks import (
    best_first,
    choice_offer_words,
    doings,
    room_fits,
    room_words,
    task_words,
    tile_key,
    tile_line,
)
from client.games.cave_vs_cave.tile_panes import Tiles
from client.settings.schema import Preferences, Settings
from client.tui.chooser import ChooserScreen, EntryList
from client.tui.score import ScoreScreen
from client.tui.widgets.plot import Plot
from tests.cave.cave_vs_cave import builders
from tests.cave.conformance import sent
from tests.client.cave_vs_cave.tables import (
    GAME,
    NAMES,
    VersusReplay,
    begun,
    chosen,
    drafting,
    many,
    middle,
    of_ann,
    over,
    played,
    replayed,
    table,
    taking,
    whole_game,
)
from tests.client.fake_session import FakeSession
from tests.client.local_game import play_by_keys
from tests.client.pilot import press, settle, strips
from tests.client.screens import SMALL, click_word, show, text
from tests.client.test_lesson import screen_of, session_of
from tests.effort import effort

EDITIONS = (("era-1-2", 2), ("era-1", 1), ("era-2", 2), ("era-1", 2), ("era-1-2", 1))[: effort(2, 5)]
GOOD_SIGNS = [*terms.LETTERS.values()][:6]
OFTEN = effort(1, 1000)
"""How often per era an action is done by keys."""


async def test_a_whole_game_against_a_bot_by_keys(tmp_path: Path) -> None:
    async def step(pilot: Any, screen: VersusScreen) -> None:
        keys = {"take": ("a", "enter"), "cavern": ("1", "enter")}
        before, app = screen.scene.state.seq, pilot.app
        await pilot.press(*keys.get(screen.scene.mode, ("e", "e")))
        await pilot.until(lambda: screen.scene.state.seq > before or isinstance(app.screen, ChooserScreen))
        if isinstance(app.screen, ChooserScreen):
            await pilot.press("Y")  # the first tile does nothing now

    await play_by_keys(tmp_path, GAME.name, VersusScreen, step, log="show the place")


def first_of_a_list(state: Any) -> Any:
    """The first action that is neither an exchange nor the end of the turn."""
    actions = [choice.action for choice in GAME.choices(state, state.seat)]
    deeds = [action for action in actions if action.type not in ("anytime", "end_turn")]
    return (deeds or [action for action in actions if action.type == "end_turn"])[0]


@pytest.mark.parametrize(("edition", "seats"), EDITIONS)
async def test_whole_games_at_one_keyboard_by_keys(edition: str, seats: int) -> None:
    """Each step is the first of a list, so that lists of every kind are used.

    Actions done by keys often enough happen without them, and are shown with the next step by keys.
    """
    session = begun(*range(seats), seats=seats, edition=edition)
    screen = table(session)
    by_keys = Counter[tuple[Any, ...]]()

    def done_often(state: Any) -> tuple[int, Any] | None:
        action = None if state.seat is None else first_of_a_list(state)
        return (state.seat, action) if action and by_keys[state.era, state.seat, action.type] >= OFTEN else None

    numbers = defaultdict[str, set[str]](set)
    async with show(screen) as (app, pilot):
        while not screen.scene.over:
            before = screen.scene.state.seq
            action = first_of_a_list(session.full)
            by_keys[session.full.era, session.full.seat, action.type] += 1
            keys = {each.kind: each.key for each in doings(screen.scene)}
            if action.type == "take":
                key = tile_key(screen.scene, action.tile)
                assert key == str((screen.scene.cave.up.index(action.tile) + 1) % 10)
            else:
                key = keys.get(action.type, "1")
                numbers[action.type].add(key)
            await pilot.press(key)
            await settle(pilot)
            while isinstance(app.screen, ChooserScreen):
                await pilot.press("enter")
                await settle(pilot)
            assert screen.scene.state.seq > before, screen.scene.choices
            session.play_on(done_often)
            await settle(pilot)
        assert isinstance(app.screen, ScoreScreen)
        assert all(len(keys) == 1 for keys in numbers.values()), "a kind has one number in all of a game"
        shown = text(app.screen)
        assert " is not reached" in shown if seats == 1 else "wins with" in shown


@pytest.mark.parametrize(("food", "told"), [(8, ""), (9, ": no more fits")])
def test_a_choice_warns_of_goods_over_the_limit(food: int, told: str) -> None:
    """Nobody has more than 9 food (rule 1.1)."""
    full = begun().full
    ann, bea = full.players
    goods = (*ann.goods[:4], food, *ann.goods[5:])
    session = FakeSession(NAMES[:2], game=GAME.name, start=replace(full, players=(replace(ann, goods=goods), bea)))
    now = table(session).scene
    assert {task_words(now, choice) for choice in now.kinds["anytime"]} == {
        f"make food from 1 {good}{told}" if told else f"make 1 food from 1 {good}{' (1 point)' * (good == 'gold')}"
        for good in ("emmer", "flax", "gold")
    }


async def test_a_whole_game_by_mouse_alone() -> None:
    session = FakeSession(("Ann", "Bea"), mine=(0,), seed="mouse", game=GAME.name, others=chosen)
    screen = table(session)
    async with show(screen) as (app, pilot):
        tiles = screen.query_one(Tiles)
        while not screen.scene.over:
            before = len(session.acted)
            kinds = screen.scene.kinds
            if screen.scene.mode == "take":
                await click_word(pilot, f"take:{screen.scene.takable_tiles[0]}", tiles)
            else:
                kind = next((each for each in kinds if each not in ("anytime", "end_turn")), "end_turn")
                await click_word(pilot, f"kind:{kind}", tiles)
            while isinstance(app.screen, ChooserScreen):
                await click_word(pilot, "0", app.screen.query_one(EntryList))
            assert len(session.acted) > before, kinds
        assert isinstance(app.screen, ScoreScreen)


async def test_a_tile_that_does_nothing_is_taken_only_after_confirmation() -> None:
    """Housework furnishes, for 2 food; Ann has no goods."""
    full = begun().full
    poor = replace(full, players=(replace(full.players[0], goods=(0,) * 10), full.players[1]))
    session = FakeSession(NAMES[:2], mine=(0,), game=GAME.name, start=poor)
    screen = table(session)
    async with show(screen) as (app, pilot):
        for key, taken in (("n", 0), ("Y", 1)):
            await press(pilot, tile_key(screen.scene, "housework"))
            assert "Housework does nothing for you now" in text(app.screen)
            await press(pilot, key)
            assert len(session.acted) == taken
        await press(pilot, "e")
        assert len(session.acted) == 2, "nothing is left: no question"


async def test_a_double_click_lists_rooms_that_fit_and_why_others_do_not() -> None:
    screen = table(played(drafting, edition="era-2"))
    async with show(screen) as (app, pilot):
        at = next(each for each, some in screen.scene.at.items() if len(some) > 1)
        screen.controller.point_at(at)
        await press(pilot, "enter")
        assert isinstance(app.screen, ChooserScreen)
        entries = app.screen.entry_list.entries
        reasons = {each.room: each.why for each in room_fits(screen.scene, at)}
        offered = {each.value[0][0].action.room for each in entries if each.enabled}
        assert {room for room, why in reasons.items() if not why} <= offered
        refused = {each.label: each.detail for each in entries if not each.enabled}
        assert refused == {terms.room_name(room): why for room, why in reasons.items() if room not in offered}


async def test_the_place_of_a_tile_that_is_not_there_is_neither_clicked_nor_described() -> None:
    """An undo may take the Additional Cavern away from under the cursor (rule 4.9)."""
    screen = table(begun(seats=1))
    async with show(screen, (140, 45)) as (_, pilot):
        pane = screen.query_one("#cave", CavePane)
        for x, y in product(range(0, pane.size.width, WIDE), range(pane.size.height)):
            await pilot.click(pane, offset=(x + 2, y))
            assert components().spaces[screen.controller.cursor].era == 1
        screen.controller.point_at(CAVERN)
        await settle(pilot)
        assert "Additional Cavern: not in this cave yet." in text(screen)


async def test_furnishing_first_shows_the_own_cave() -> None:
    """With the opponent's cave in view a key that acts shows the own cave, then a list before it acts."""
    session = played(middle)
    screen = table(session)
    async with show(screen, (80, 24)) as (_, pilot):
        play = screen.controller
        while not play.visits_other_cave:
            await press(pilot, "tab")
        play.do("kind:furnish")
        await settle(pilot)
        assert not play.visits_other_cave
        assert session.acted == []
        assert screen.app.screen is not screen, "a list, even of one way"


@pytest.mark.parametrize("kind", ["furnish", "excavate", "anytime", "end_turn", "take"])
async def test_the_keys_named_by_a_hint_do_its_action(kind: str) -> None:
    """The list that opens has marked it; the keys come before the second choice."""
    session = played(taking if kind == "take" else middle)
    found = [GAME.action_json(each.action) for each in GAME.choices(session.full, 0)]
    action = [each for each in found if each["type"] == kind][-1]
    screen = table(session, advise=AsyncMock(return_value=[Idea(action), Idea(found[0])]))
    async with show(screen) as (_, pilot):
        await press(pilot, "y")
        await pilot.until(lambda: bool(screen.controller.advising.hint))
        key, twice, then = re.search(
            r"Press (\w+)(?:( twice)|, then (\w+))?.* Second", screen.controller.advising.hint
        ).groups()
        await press(pilot, key, *[then or key] * bool(twice or then or kind == "end_turn"))
        assert session.acted == [(0, action)]


def test_a_wall_says_what_it_cuts_off_and_is_named_by_the_space_under_the_cursor() -> None:
    scene = FACE.scene(session_of(GAME.name, "wall").state, None)
    found = {each.action.between: each for each in scene.kinds["build_wall"]}
    north, far = found[(1, 0), (2, 0)], found[(0, 0), (0, 1)]
    assert task_words(scene, north) == "build a wall north of the empty space 2,0 (cuts off 1 face-down room)"
    assert task_words(scene, north, (1, 0)).startswith("build a wall south of the face-down room 1,0 (")
    assert "cuts off" not in task_words(scene, far)
    assert [choice_offer_words(scene, each)[2] for each in (north, far)] == ["space for Food Corner", ""]


def test_lists_begin_with_the_most_gain_and_say_a_price_and_a_gain_once() -> None:
    rooms = {(2, 0): "state_room", (3, 1): "tunnel"}
    start = builders.state(builders.player({"stone": 3}, rooms), builders.player(), tile="cultivation", number=7)
    scene = FACE.scene(FakeSession(NAMES, game=GAME.name, start=start).state, None)
    found = [choice_offer_words(scene, each) for each in best_first(scene, scene.kinds["use_room"])]
    assert [each[0].removeprefix("use ")[:6] for each in found] == ["State ", "Tunnel", *["Cave E"] * 4]
    assert found[0] == ("use State Room: get 1 flax and 1 gold", "", "")
    both = Choice(Furnish("parlor", (2, 0), {"gold": 1}), {"stone": 1, "gold": 2})
    assert choice_offer_words(scene, both)[1] == "1 stone and 1 gold; tile's price: 1 gold"


def test_ways_to_use_a_room_stay_together_and_gains_come_before_trades() -> None:
    rooms = {(2, 0): "junction_room", (3, 1): "grindstone"}
    goods = {"wood": 2, "stone": 2, "emmer": 4, "flax": 2}
    start = builders.state(builders.player(goods, rooms), builders.player(), tile="cultivation", number=7)
    scene = FACE.scene(FakeSession(NAMES, game=GAME.name, start=start).state, None)
    found = [each.action.room for each in best_first(scene, scene.kinds["use_room"])]
    junctions = found.count("junction_room")
    assert found == [*["cave_entrance"] * 4, *["junction_room"] * junctions, *["grindstone"] * 2]
    assert junctions > 1


def test_furnishing_begins_with_the_most_net_points() -> None:
    cave = builders.player({"food": 9, "gold": 9, "wood": 9, "stone": 9})
    display = ["gold_vein", "stall"]  # 9 points for 5 gold, 6 for 1 and a wood
    start = builders.state(cave, builders.player(), tile="furnishing", number=7, display=display)
    scene = FACE.scene(FakeSession(NAMES, game=GAME.name, start=start).state, None)
    assert [each.action.room for each in best_first(scene, scene.at[(0, 0)])] == ["stall", "gold_vein"]


@pytest.mark.parametrize(
    ("room", "why"),
    [
        ("prospecting_site", "you need one more orange room first."),
        ("treasury", "no space has its walls."),
        ("dungeon", "you need one more orange room first."),
    ],
)
def test_a_room_that_fits_nowhere_says_why(room: str, why: str) -> None:
    start = builders.state(builders.player(), builders.player(), display=[room])
    scene = FACE.scene(FakeSession(NAMES, game=GAME.name, start=start).state, None)
    assert room_words(scene, room).endswith(f" It fits nowhere now: {why}")
    full = FACE.scene(session_of(GAME.name, "dig").state, None)
    assert room_words(full, room).endswith(" It fits nowhere now: there is no empty space.")


async def test_a_list_of_walls_leaves_the_cursor_in_sight_and_shows_more_than_half() -> None:
    start = builders.state(builders.player({"stone": 3}), builders.player(), tile="masonry", number=7)
    async with show(table(FakeSession(NAMES, game=GAME.name, start=start)), (80, 24)) as (app, pilot):
        for at, at_top in (((0, 0), False), ((4, 0), True)):
            app.shown.controller.point_at(at)
            await press(pilot, "6")
            assert app.screen.query_one(EntryList).size.height > 6
            assert (app.screen.query_one("#box").region.y == 0) == at_top
            await press(pilot, "escape")


async def test_hints_of_the_lesson_keep_to_the_empty_space_and_to_one_name() -> None:
    async with show(screen_of(session_of(GAME.name, "wall"))) as (app, pilot):
        await press(pilot, "y")
        assert app.shown.controller.cursor == (2, 0)
    async with show(screen_of(session_of(GAME.name, "dig"))) as (app, pilot):
        assert "Collect 1 stone" in text(app.shown)
        await press(pilot, "right", "enter")
        for words in ("Collect 1 stone", "Show the way", "Last round"):
            assert words not in text(app.shown), "the step is done, though the tile offers more"
    scene = FACE.scene(session_of(GAME.name, "order").state, None)
    assert "Make 1 food from 1 flax" in {each.words for each in doings(scene)}


async def test_a_mistake_of_the_lesson_ends_no_turn_and_leaves_the_cursor_where_the_words_assume_it() -> None:
    session = session_of(GAME.name, "dig")
    waits = asyncio.Event()
    session.pause = lambda _: waits.wait()
    async with show(screen_of(session)) as (app, pilot):
        await press(pilot, "down", "enter")
        assert session.state.lesson.shows
        assert all(words in text(app.shown) for words in ("Excavation: do in any order.", "done dig up 1 room"))
        assert "Housework" not in text(app.shown)
        waits.set()
        await session.wait_until_played()
        await settle(pilot)
        assert "brings you more: →, enter." in text(app.shown)
        await press(pilot, "right", "enter")
        assert session.step_is_finished


async def test_no_list_opens_once_a_step_of_the_lesson_is_done() -> None:
    session = session_of(GAME.name, "wall")
    await session.act(0, session.attempt.step.want[0])
    async with show(screen_of(session)) as (app, pilot):
        for key in ("1", "a", "e"):
            await press(pilot, key)
            assert app.screen is app.shown
            assert "This step is done: Enter goes on." in text(app.shown)


@pytest.mark.parametrize(("seats", "words"), [(1, "a room up for you to furnish"), (2, "for both of you to")])
def test_the_guide_mentions_an_opponent_only_in_a_game_for_two(seats: int, words: str) -> None:
    def digs(state: Any) -> bool:
        kinds = {choice.action.type for choice in GAME.choices(state, state.seat)}
        return state.seat == 0 and "excavate" in kinds

    scene = FACE.scene(played(digs, seats=seats).state, None)
    others = set(guide.TIPS) - {"excavate", "excavate alone"}
    tip = guide.newcomer_guide().tip_to_show(scene, others)
    assert words in guide.TIPS[tip]
    assert guide.newcomer_guide().tip_to_show(scene, {*others, tip}) == "", "it is shown once"


def test_a_list_counts_the_gold_that_a_room_costs() -> None:
    scene = FACE.scene(session_of(GAME.name, "food").state, None)
    gains = {choice_offer_words(scene, each)[2] for each in scene.kinds["furnish"] if each.action.room == "shelf"}
    assert gains == {"3 points, 2 net"}, "the other price, 2 food, is too dear"


def test_a_hint_names_what_a_trade_costs_once() -> None:
    scene = FACE.scene(session_of(GAME.name, "order").state, None)
    wheel = next(each.action for each in scene.kinds["use_room"] if each.action.room == "spinning_wheel")
    assert guide.words(scene, wheel).endswith("trade 1 flax for 1 gold")
    assert guide.reason_for_hint(scene, wheel) == "it brings 1 gold (1 point)"


async def test_a_tip_explains_each_new_tile_and_keeps_it_in_sight() -> None:
    tips, explained = guide.newcomer_guide(), set[str]()
    for round_ in range(1, 9):
        scene = FACE.scene(played(of_ann("take", 1, round_)).state, None)
        while tip := tips.tip_to_show(scene, {*guide.TIPS, *explained}):
            explained.add(tip)
    assert explained == {tile.id for tile in components().tiles.values() if tile.stage}
    done = {GAME.name: [*guide.TIPS, *explained - {"renovation"}]}
    screen = table(played(of_ann("take", 1, 8)), preferences=Preferences(Settings(guide=True, tips=done)))
    async with show(screen):
        assert "New tile, Renovation: with more gold than the opponent, build a wall" in text(screen)
        assert "d Renovation" in text(screen)


@pytest.mark.parametrize(
    ("moment", "edition", "words"),
    [
        (taking, "era-1", ("6 Furnishing: get 1 food; furnish a room for 3 food", "taken by Bea in this round")),
        (
            of_ann("take", 2, 4),
            "era-1-2",
            ("Arms Trade: needs more weapons than Bea: 1 to 2", "needs more weapons than Bea: 1 to 2"),
        ),
    ],
)
async def test_the_list_gives_the_reason_for_taking_a_tile(moment: Any, edition: str, words: tuple[str, ...]) -> None:
    """Rules 3.2 and 7.6."""
    screen = table(played(moment, edition=edition))
    async with show(screen) as (app, pilot):
        await press(pilot, "a")
        assert isinstance(app.screen, ChooserScreen)
        if "Take a tile" in text(app.screen):
            await press(pilot, "1")
        entries = app.screen.entry_list.entries
        offered = [each.value[0][0].action for each in entries if each.enabled]
        assert [each.tile for each in offered if each.type == "take"] == [*screen.scene.takable_tiles]
        refused = [f"{each.label} {each.detail}" for each in entries if not each.enabled]
        assert len(refused) == len(screen.scene.cave.up) - len(screen.scene.takable_tiles)
        assert any(all(each in line for each in words) for line in refused)


@pytest.mark.parametrize(
    ("goods", "done", "ideas", "reason"),
    [
        ({"flax": 1, "gold": 5, "food": 9}, [0, 1], ["end_turn"], ""),
        ({"gold": 5}, [1], ["end_turn", "excavate"], ""),
        (
            {"wood": 5, "stone": 5, "food": 9},
            [],
            ["excavate", "end_turn"],
            "it brings a new room to furnish and an empty space",
        ),
    ],
)
def test_hints_of_the_last_turn_name_only_what_still_counts(goods: Any, done: Any, ideas: Any, reason: str) -> None:
    """No exchange of gold for food, no dug-up room that nobody can furnish."""
    start = builders.state(
        builders.player(goods, covered={(3, 1): "storeroom", (4, 1): "wood_storeroom"}),
        builders.player(),
        tile="expansion",
        before=("housework", "undergrowth", "cultivation", "masonry", "excavation", "furnishing"),
        number=8,
        turn={"done": done},
    )
    found = GAME.advise(*sent(GAME, start, 0), effort=0.1)
    assert [each.action["type"] for each in found] == ideas
    scene = FACE.scene(FakeSession(NAMES, game=GAME.name, start=start).state, None)
    assert FACE.action_reason(scene, {"type": "excavate", "at": [3, 1]}) == reason


@pytest.mark.parametrize(
    ("food", "digs"),
    [(0, "a new room to furnish and"), (3, "a new room to furnish (at the risk that Bea is first) and")],
)
def test_hints_count_the_gold_that_a_room_costs_and_name_a_rival_who_can_furnish_first(food: int, digs: str) -> None:
    rich = builders.player({"gold": 5}, covered={(3, 1): "storeroom"}, walls=[[[1, 0], [2, 0]], [[2, 0], [2, 1]]])
    start = builders.state(rich, builders.player({"food": food}), tile="drift_mining", number=7)
    scene = FACE.scene(FakeSession(NAMES, game=GAME.name, start=start).state, None)
    assert f"food, {digs}" in FACE.action_reason(scene, {"type": "excavate", "at": [3, 1]})
    start = builders.state(
        {**rich, "goods": {"gold": 5, "food": 3}}, builders.player(), tile="furnishing", number=7, display=["gold_vein"]
    )
    scene = FACE.scene(FakeSession(NAMES, game=GAME.name, start=start).state, None)
    vein = {"type": "furnish", "room": "gold_vein", "at": [2, 0], "pay": {"food": 3}}
    assert FACE.action_reason(scene, vein) == "it is worth 9 points, less 5 for gold"


def test_a_hint_says_what_a_room_makes_of_the_goods_that_it_brings() -> None:
    cave = builders.player({"emmer": 1}, {(2, 0): "junction_room"})
    start = builders.state(cave, builders.player(), tile="undergrowth")
    scene = FACE.scene(FakeSession(NAMES, game=GAME.name, start=start).state, None)
    assert FACE.action_reason(scene, {"type": "collect"}).endswith("2 wood, which Junction Room trades for 2 gold")


async def test_a_step_shows_walls_that_can_be_built_its_whole_head_and_the_key_for_food() -> None:
    for step, walls in (("blue", False), ("wall", True)):
        async with show(screen_of(session_of(GAME.name, step)), SMALL) as (app, _):
            shown = text(app.shown)
            assert "q leaves" in shown
            assert ("walls left" in shown) == walls
            assert (" x Do" in shown) == (step == "blue")


async def test_each_tile_has_a_key_that_takes_it_or_explains_why_not() -> None:
    session = played(of_ann("take", 1, 8))
    async with show(table(session)) as (app, pilot):
        for key, why in {"c": "Breach: taken by Bea", "d": "Renovation: needs more gold than Bea: 0 to 1."}.items():
            await press(pilot, key)
            assert why in text(app.screen)
        assert session.acted == []
        await press(pilot, "0")
        assert session.acted == [(0, {"type": "take", "tile": "expedition"})]


async def test_a_taken_tile_moves_the_cursor_to_a_space_where_it_acts() -> None:
    screen = table(begun(0, 1))
    async with show(screen, (80, 24)) as (app, pilot):
        assert "Dig" not in text(app.screen)
        await press(pilot, tile_key(screen.scene, "excavation"))
        assert "enter Dig" in text(app.screen)
        assert {each.action.at for each in screen.controller.here} == {screen.controller.cursor}


async def test_the_key_of_a_tile_pressed_twice_does_nothing_else_at_once() -> None:
    """Key 5 takes the tile, and then means to furnish, here with the only room: the second time it lists that."""
    whole = begun(0).full
    rooms = ("shelf", *(each for each in whole.display if each not in ("shelf", "spinning_wheel")))
    players = (replace(whole.players[0], goods=(1, 0, 0, 0, 2, 0, *whole.players[0].goods[6:])), whole.players[1])
    start = replace(whole, up=(*whole.up[:4], "furnishing"), display=rooms, players=players, seat=0, first=0)
    session = FakeSession(NAMES, game=GAME.name, start=start)
    async with show(table(session)) as (app, pilot):
        await press(pilot, "5", "5")
        assert session.acted == [(0, {"type": "take", "tile": "furnishing"})]
        assert isinstance(app.screen, ChooserScreen)


async def test_enter_and_the_key_of_furnishing_say_what_is_missing() -> None:
    """A room whose own cost is there may fail at the tile's price."""
    session = begun(0)
    state = replace(session.full, up=("expansion",))
    poor = replace(state.players[0], goods=(9, 9, 0, 0, 4, 0, *state.players[0].goods[6:]))
    start = GAME.apply(replace(state, players=(poor, state.players[1]), seat=0, first=0), 0, Take("expansion")).state
    screen = table(FakeSession(NAMES, game=GAME.name, start=start))
    async with show(screen, (80, 24)) as (app, pilot):
        screen.controller.point_at((2, 0))
        for key in ("enter", "5"):
            await press(pilot, "left", key)
            assert "You need 1 food more to furnish Shelf." in text(app.screen)


async def test_the_longest_lists_come_in_steps() -> None:
    """Kinds, or rooms, come before the many variants."""
    screen = table(played(many, 0, 1, edition="era-2", seed="whole"))
    async with show(screen) as (app, pilot):
        await press(pilot, "a")
        assert isinstance(app.screen, ChooserScreen)
        assert len(app.screen.entry_list.entries) < 25 < len(screen.scene.choices)
        before = screen.scene.state.seq
        while isinstance(app.screen, ChooserScreen):
            await press(pilot, "enter")
        assert screen.scene.state.seq > before, "the lists lead to the deed"


async def test_the_turn_ends_from_the_list() -> None:
    session = played(middle)
    async with show(table(session)) as (app, pilot):
        await press(pilot, "a")
        (end,) = (each for each in app.screen.entry_list.entries if each.enabled and "end the turn" in each.label)
        await press(pilot, end.key, "e")
        assert session.acted == [(0, {"type": "end_turn"})]


@pytest.mark.parametrize(("edition", "seats"), EDITIONS)
async def test_a_replay_of_every_edition_is_stepped_through(edition: str, seats: int) -> None:
    session = replayed(seats, edition)
    screen = VersusReplay(FACE, session)
    async with show(screen) as (_, pilot):
        await press(pilot, "right", "right", "down")
        assert session.step > 2
        await press(pilot, "end")
        assert screen.scene.over
        await press(pilot, "escape", "home")
        assert session.step == 0


@pytest.mark.parametrize(("edition", "goal"), [("era-1", "at least 50 points"), ("era-1-2", "more than 180 points")])
async def test_the_goal_of_one_player_is_on_the_sheet_and_in_the_plot(edition: str, goal: str) -> None:
    """Rule 9.4."""
    async with show(table(played(over, edition=edition, seats=1, seed="whole")), (100, 30)) as (app, _):
        shown = " ".join(text(app.screen).split())
        assert f"The goal of {goal} is not reached" in shown
        assert shown.count(goal) == 1
        assert "Look at the cave S" in shown
    found = points_in(FACE, whole_game(1, edition))
    figure = float(goal.split()[-2])
    assert (found.goal, found.goal_words) == (figure, f"the goal: {figure:g}")
    assert max(found.series[0]) < figure
    for glyphs in ("fine", "unicode", "ascii"):
        async with show(table(begun(seats=1)), (100, 30)) as (app, _):
            plot = Plot(glyphs)
            await app.screen.mount(plot)
            plot.show(found)
            plot.finish()
            shown = ["".join(span.text for span in row) for row in plot.rows(78, 14)]
        assert f"the goal: {figure:g}" in shown[0]
        assert any("- - - -" in row for row in shown[1:])


def test_after_a_solo_game_the_sheet_shows_the_goal() -> None:
    """Rule 9.4."""
    lost = played(over, seats=1, seed="whole").full
    rich = tuple(replace(each, goods=(50,) * len(each.goods)) for each in lost.players)
    won = replace(lost, players=rich)
    for state, told in ((lost, False), (won, True), (begun(seats=1).full, True)):
        legend = FACE.sheet_of(GAME.view(state, None, ("Ann",))).legend
        assert legend.endswith(" The goal is at least 50 points.") == told
        assert ("goal" in legend) == told
    assert FACE.sheet_of(played(over).state.view).look == "Look at the caves"


async def test_walls_have_their_numbers_on_the_board_while_the_list_is_open() -> None:
    def builds(state: Any) -> bool:
        return any(choice.action.type == "build_wall" for choice in GAME.choices(state, state.seat))

    screen = table(played(builds, 0, 1))
    async with show(screen) as (app, pilot):
        between = best_first(screen.scene, screen.scene.kinds["build_wall"])[0].action.between
        screen.controller.do("kind:build_wall")
        await settle(pilot)
        assert isinstance(app.screen, ChooserScreen)
        looks = screen.query_one("#cave", CavePane).picture.places
        assert "1" in looks[place_of_space(between[1])].signs
        await press(pilot, "escape")
        looks = screen.query_one("#cave", CavePane).picture.places
        assert not any(sign.isdecimal() for look in looks.values() for sign in look.signs)


async def test_a_dig_is_shown_and_any_key_ends_it() -> None:
    session = played(middle)
    screen = table(session)
    async with show(screen) as (app, pilot):
        app.motion.level = "full"
        app.motion.resume_motion()
        pane = screen.query_one("#cave", CavePane)

        def empty() -> int:
            return sum(strip.text.count("empty") for strip in pane.render_lines(pane.size.region))

        before = empty()
        dig = next(each.action for each in screen.scene.kinds["excavate"] if each.action.spaces == 1)
        screen.controller.point_at(dig.at)
        await settle(pilot)
        assert "enter Dig" in text(screen)
        session.play(0, dig)
        await settle(pilot)
        assert empty() == before, "the rock crumbles first"
        await press(pilot, "k")
        assert empty() == before + 1


@pytest.mark.parametrize("theme", ["cave-high-contrast", "ansi-dark"])
async def test_a_good_has_one_colour_in_lists_and_on_the_board(theme: str) -> None:
    async with show(table(played(taking)), (140, 45)) as (app, pilot):
        app.theme = theme
        await settle(pilot)
        found = defaultdict(set)
        for piece in chain(*strips(app.screen)):
            if piece.text in GOOD_SIGNS and piece.style is not None:
                found[piece.text].add(piece.style.color)
        assert {*found} == {*GOOD_SIGNS}
        assert len(set.union(*found.values())) == len(found), found


async def test_boards_of_the_second_era_are_not_cut_off() -> None:
    screen = table(played(of_ann("take", 2, 3), edition="era-1-2"))
    async with show(screen, (80, 24)) as (_, pilot):
        pane = screen.query_one("#cave", CavePane)
        found = [pane.upper_left_cell.x]
        for _ in range(3):
            await press(pilot, "tab")
            found.append(pane.upper_left_cell.x)
        assert sorted(found) == [-3 * WIDE, -3 * WIDE, 0, 0]


async def test_goods_to_make_food_of_have_numbers_before_a_tile_is_taken() -> None:
    screen = table(begun())
    async with show(screen) as (app, pilot):
        await press(pilot, "x")
        assert [each.key for each in app.screen.entries] == ["1", "2", "3"]
        await press(pilot, "escape", "a")
        assert [each.key for each in app.screen.entries if "food from" in each.label] == ["", "", ""]


def test_a_tile_that_razes_walls_says_if_you_built_none() -> None:
    full = played(of_ann("take", 1, 7)).full
    for walls in (full.players[0].walls, frozenset[Any]()):
        players = (replace(full.players[0], walls=walls), full.players[1])
        scene = table(FakeSession(NAMES[:2], game=GAME.name, start=replace(full, players=players))).scene
        told = tile_line(scene, "breach")
        assert ("you built none" in told) == (not walls)
        assert told.endswith("get 2 stone, 3 food and 1 gold")


async def test_enter_right_after_an_only_way_starts_nothing_else() -> None:
    session = played(middle)
    full = session.full
    one = replace(full, players=(replace(full.players[0], goods=(0, 0, 1, *(0,) * 7)), full.players[1]))
    session = FakeSession(NAMES[:2], (0,), game=GAME.name, start=one)
    async with show(table(session)) as (app, pilot):
        for keys, over in ((("x", "enter"), False), (("enter",), True)):
            await press(pilot, *keys)
            assert len(session.acted) + isinstance(app.screen, ChooserScreen) == 1 + over


async def test_a_list_of_rooms_says_which_bring_nothing_now_and_the_turn_ends_unasked_if_none_does() -> None:
    full = begun().full
    ann, bea = full.players
    start = replace(full, players=(replace(ann, goods=(9, 9, 9, 9, *ann.goods[4:])), bea))
    session = FakeSession(NAMES[:2], (0,), game=GAME.name, start=start)
    session.play(0, Take("cultivation"))
    async with show(table(session)) as (app, pilot):
        await press(pilot, "3")
        stone = next(each for each in app.screen.entries if "stone" in each.label)
        assert stone.gain == "get nothing now"
        await press(pilot, "escape", "e")
        assert {"type": "end_turn"} in [action for _, action in session.acted]
