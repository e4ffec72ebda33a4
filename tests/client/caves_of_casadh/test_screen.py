"""The Caves of Casadh on the screen: whole games by keys and mouse, placing, keeping, lists, replays."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cave.caves_of_casadh.actions import EndTurn, Explore, Place
from cave.caves_of_casadh.bots import expert
from cave.caves_of_casadh.components import Cell, components
from cave.codec import to_json
from cave.game import Idea
from client.adviser import Question
from client.game_history import PointsHistory
from client.games.caves_of_casadh.board import HexMap, neighbours_on_board
from client.games.caves_of_casadh.controller import rules_here
from client.games.caves_of_casadh.dice import FACES
from client.games.caves_of_casadh.face import FACE
from client.games.caves_of_casadh.panes import Side, Tasks
from client.games.caves_of_casadh.passages import OVERVIEW, on_board
from client.games.caves_of_casadh.picture import EmptyLook, HexLook
from client.games.caves_of_casadh.scene import hex_title
from client.games.caves_of_casadh.screen import CasadhScreen
from client.present import score
from client.tui.motion import Level, Motion
from client.tui.score import ScoreScreen
from client.tui.widgets.panel import CUT
from tests.cave.caves_of_casadh.builders import DEAD, inside, laid, out, state
from tests.cave.conformance import sent
from tests.client.caves_of_casadh.tables import (
    GAME,
    Moment,
    begun,
    chosen,
    haunting,
    keeping,
    middle,
    placed,
    placing,
    played,
    replayed,
    table,
)
from tests.client.fake_session import FakeSession
from tests.client.local_game import play_by_keys
from tests.client.pilot import press, settle
from tests.client.screens import show, text
from tests.client.test_lesson import screen_of, session_of

LIMIT = {"round_limit": 5}


async def test_a_whole_game_against_a_bot_by_keys(tmp_path: Path) -> None:
    async def step(pilot: Any, screen: CasadhScreen) -> None:
        if screen.scene.mode == "placing":
            await pilot.press("r", "enter")
        else:
            await pilot.press(key := "1" if screen.scene.task_of_key("1") else "e")
            if screen.controller.is_echo:
                held = screen.scene.task_of_key(key)
                assert held is None or held.at in (None, screen.controller.cursor), "Enter means it, too"
                await pilot.press(key)

    await play_by_keys(tmp_path, GAME.name, CasadhScreen, step, settings=LIMIT, log="show the place")


async def test_the_hex_in_hand_is_shown_in_every_legal_rotation() -> None:
    session = played(placing)
    screen = table(session)
    async with show(screen) as (_, pilot):
        drawn = session.full.drawn
        legal = [each.action.rotation for each in GAME.choices(session.full, 0)]
        hinted = expert(*sent(GAME, session.full, 0), "")
        seen, ahead, best = set(), set(), legal.index(hinted["rotation"])
        for _ in legal:
            places = screen.board.picture.places
            look = places[on_board(drawn.to)]
            assert look.ghost
            seen.add(look.plan.passages)
            ahead.add(frozenset(each.sides for each in places.values() if isinstance(each, EmptyLook)))
            await press(pilot, "r")
        assert len(seen) == len(legal) > 1
        assert len(ahead) > 1, "? shows where the passage leads on"
        await press(pilot, "r", "enter")
        assert session.acted == [(0, {"type": "place", "rotation": legal[(best + 1) % len(legal)]})]


@pytest.mark.parametrize("size", [(80, 24), (80, 23)])
@pytest.mark.parametrize("moment", [placing, middle])
async def test_a_hint_leaves_the_list_of_actions_whole(moment: Moment, size: tuple[int, int]) -> None:
    """The list moves up, over the map."""
    session = played(moment)
    tasks = FACE.scene(session.state, None).tasks[:2]
    ideas = [Idea(to_json(task.actions[0]), chance=0.5, error=0.1) for task in tasks]

    async def advise(_asked: Question) -> list[Idea]:
        return ideas

    screen = table(session, advise=advise)
    async with show(screen, size) as (_, pilot):
        shown = []
        for key in ("tab", "y"):
            if key == "tab" and screen.controller.rotation:
                await pilot.press("1")  # the hint's rotation
            await pilot.press(key)
            await pilot.until(lambda key=key: key == "tab" or "Hint: " in text(screen))
            pane = screen.query_one(Tasks)
            shown.append([span.text for row in pane.rows(*pane.size) for span in row])
        assert shown[0] == shown[1]
        assert pane.region.bottom == screen.query_one("#message").region.y


@pytest.mark.parametrize("mine", [True, False])
async def test_a_drawn_hex_is_shown_close_up(mine: bool) -> None:
    """The overview hides passages and rotation. A rival's hex does not change the zoom."""
    session = begun(0 if mine else 1)
    while session.full.phase != "actions" or session.full.seat != 0:
        session.play(session.full.seat, chosen(session.full, session.full.seat))
    screen = table(session)
    async with show(screen) as (_, pilot):
        while screen.board.zoom != "O":
            await press(pilot, "Z")
        explore = next(each for each in GAME.choices(session.full, 0) if each.type == "explore")
        session.play(0, explore.action)
        await settle(pilot)
        assert (screen.board.zoom == "O") != mine


async def test_the_treasure_that_is_kept_is_chosen_by_number_and_not_shown_to_others() -> None:
    session = played(keeping)
    values = sorted(set(session.full.offer.values))
    screen = table(session)
    async with show(screen) as (_, pilot):
        for number, value in enumerate(values, 1):
            assert re.search(rf" {value} .*\n.*\n.* {number} keep", text(screen)), "a coin over its key"
        if len(values) > 1:
            await press(pilot, "enter")
            assert f"Choose the treasure that you keep: 1 to {len(values)}." in text(screen)
        await press(pilot, str(len(values)))
        assert session.acted == [(0, {"type": "keep", "treasure": values[-1]})]
    other = table(played(keeping, 1))
    async with show(other):
        assert "keep the treasure" not in text(other)
    session = placed(state(inside(), inside(), cards=["C03"], bag=[6, 6], pile=["L1-01", "L1-26"]))
    for action in (Explore((0, -1)), Place(0)):
        session.play(0, action)
    alike = table(session)
    async with show(alike):
        assert re.search(r" 6 .* 6 .*\n.*\n.* 1 keep +the same", text(alike)), "both are shown"


async def test_the_key_that_took_a_treasure_does_not_explore_at_once() -> None:
    """Nobody can take that back: the same key must be pressed once more, and the list says what it means now."""
    now = state(inside(), inside(), cards=["C03"], pile=["L1-01", "L1-26"], bag=[2, 7])
    session = placed(now)
    session.play(0, Explore((0, -1)))
    session.play(0, Place(0))
    async with show(screen := table(session)) as (_, pilot):
        for key, acts, said in (("1", 1, ""), ("1", 1, "means"), ("1", 2, "")):
            await press(pilot, key)
            assert len(session.acted) == acts
            assert (f"{key} {said}" in text(screen)) or not said


async def test_the_view_stays_where_you_die() -> None:
    north = laid((0, -1), "L1-01")
    screen = table(placed(state(inside((0, -1), hp=1), cards=["C15"], hexes=[north], pile=["L1-02", "L1-26"])))
    async with show(screen) as (_, pilot):
        await press(pilot, "1", "enter")
        assert screen.scene.me.state == "dead"
        assert screen.controller.cursor == (0, -2)


async def test_a_shared_keyboard_covers_offers_until_the_player_is_ready() -> None:
    screen = table(played(keeping, 0, 1, 2))
    async with show(screen) as (app, pilot):
        await settle(pilot)
        assert "Pass the keyboard to A Ann" in text(app.screen)
        await press(pilot, "n")
        assert "It is the turn of Ann. Secrets are hidden" in text(screen)
        for key in ("e", "s"):
            await press(pilot, key)
            assert "Pass the keyboard to A Ann" in text(app.screen)
            assert "1 keep" not in text(screen)
            await press(pilot, "n")
        await press(pilot, "e", "enter")
        assert "1 keep" in text(screen)
        # Ann covers her secrets and leaves the keyboard: the next player is asked.
        await press(pilot, "s")
        assert "1 keep" not in text(screen)
        await press(pilot, "s")
        assert "Pass the keyboard to A Ann" in text(app.screen)
        await press(pilot, "enter")
        assert "1 keep" in text(screen)


async def test_an_answer_does_not_open_the_curtain_for_another_player() -> None:
    """A dialog for Ann is open while the turn passes to Bea."""
    session = played(keeping, 0, 1, 2)
    screen = table(session)
    async with show(screen) as (app, pilot):
        await settle(pilot)
        assert "Pass the keyboard to A Ann" in text(app.screen)
        session.play(0, GAME.idle(session.full, 0))
        while session.full.seat == 0:
            session.play(0, GAME.idle(session.full, 0))
        await settle(pilot)
        assert "Pass the keyboard to A Ann" not in text(app.screen)
        assert screen.curtain.closed


async def test_players_out_or_dead_can_move_a_grue_and_see_that() -> None:
    session = played(haunting, 0, 1, 2, seed="tables-7")
    (seat,) = GAME.to_act(session.full)
    screen = table(session.again((seat,)), guide=True)
    async with show(screen) as (_, pilot):
        assert "MOVE GRUE" in text(screen)
        assert "1 Move Grue: two rolls of at most" in text(screen)
        assert "You are out, but not out of the game" in text(screen)
        await press(pilot, "1")
    waits = table(session.again((next(each for each in range(3) if each != seat),)))
    async with show(waits):
        assert "is playing" in text(waits)


CROWD = (
    inside((0, -1), items=["rope", "canteen", "gas_mask", "lantern"], misfortunes=["C07", "C17"], treasures=[9]),
    inside((0, -1), items=["boots", "helmet", "battery"], misfortunes=["C13", "C25"]),
    inside((0, 0), items=["medkit", "dynamite", "rope"]),
    out(items=["lantern", "boots"], treasures=[8, 8, 2]),
    DEAD,
    inside((0, 0), items=["medkit"], misfortunes=["C07"]),
)
CAVES = [laid((0, -1), "L1-01", items=["rope"], treasures=[{"value": 9}]), laid((0, -2), "L1-22", grues=1)]


@pytest.mark.parametrize(
    ("seats", "size", "held"),
    [
        (6, (79, 20), ["Ro Ca GM BL", "HB He Ba", "Me Dy Ro", "BL HB", "Me FO"]),
        (6, (80, 24), ["Rope Cant Mask", "Lant", "Boot Helm Batt", "Med Dyn Rope", "Lant Boot", "Med"]),
        (6, (100, 30), ["Rope Cant Mask Lant", "Boot Helm Batt", "Med Dyn Rope", "Lant Boot", "Med"]),
        (6, (140, 45), ["Rope, Canteen, Gas Mask", "Hiking Boots, Helmet, Battery", "Medkit", "no items"]),
        (3, (80, 24), ["Rope Cant Mask", "Lant", "Boot Helm Batt", "Med Dyn Rope"]),
        (2, (80, 26), ["Rope, Canteen", "Gas Mask", "Brass Lantern", "Helmet, Battery", "Thirst"]),
    ],
)
async def test_items_of_all_players_are_in_sight(seats: int, size: tuple[int, int], held: list[str]) -> None:
    screen = table(placed(state(*CROWD[:seats], hexes=CAVES, mp=2)))
    async with show(screen, size):
        shown = text(screen)
        for words in (*held, "Grues", "Great Vault 0,-1"):
            assert words in shown, words


async def test_many_treasures_are_counted_once() -> None:
    screen = table(placed(state(inside((0, -1), treasures=[1, 2] * 5), inside(), hexes=CAVES)))
    async with show(screen, (80, 24)):
        assert "10 treasures: 15" in text(screen)
        assert text(screen).count("10 treasures") == 1


def test_in_little_room_words_and_the_odds_of_vengeance_stay() -> None:
    """The place of others comes last, and words are cut before a price."""
    hexes = [laid((0, -1), "L1-01", items=["lantern"], treasures=[{"value": 9}])]
    now = FACE.scene(placed(state(inside((0, -1)), inside((0, -1)), vengeance=1, hexes=hexes)).state, None)
    side, tasks = Side(glyphs="fine"), Tasks(glyphs="fine")
    side.cursor = (0, -1)
    tasks.named = [task for task in now.tasks if task.kind in ("collect_treasure", "collect_items")]
    shown = ["".join(span.text for span in row).strip() for row in side.scene_rows(now, 22, 22)]
    assert "Grues   vengeance 17%" in shown
    assert shown.index("you are here") < shown.index("i1: Brass Lantern") < shown.index("Bea is here")
    _, row = ("".join(span.text for span in row) for row in tasks.scene_rows(now, 58, 2))
    assert re.search(r" c treasure +1 MP +i 1 item +1 MP, ends turn", row)


def test_at_80x24_every_way_has_its_price_and_its_side() -> None:
    """The words are cut instead; the loss of the way home gets its sign, with its legend above."""
    hexes = [laid((0, -1), "L2-19"), laid((0, -2), "L1-03")]
    for session in (placed(state(inside((0, -1)), hexes=hexes, pile=["L1-26"])), replayed(2)):
        for step in range(getattr(session, "last", 1)):
            if step:
                session.go_to_step(step)
            now = FACE.scene(session.state, None)
            ways = [task for task in now.tasks if task.kind in ("move", "explore")]
            head, *rows = ("".join(span.text for span in row) for row in Tasks(glyphs="fine").scene_rows(now, 58, 5))
            assert sum(row.count(" MP") for row in rows) >= min(len(ways), 7)
            assert all(re.search(r"\b(N|S)[EW]?\b|north|south", row) for row in rows[: len(ways)]), rows
            assert ("(×: none)" in head) == any("×" in row for row in rows)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_beside_the_map_no_fact_of_a_hex_is_cut(seats: int) -> None:
    """At 80x24 and less; a fact without enough room is left out whole."""
    side, replay = Side(glyphs="fine"), replayed(seats)
    for step in range(0, replay.last, 6):
        replay.go_to_step(step)
        now = FACE.scene(replay.state, None)
        for number, side.cursor in enumerate(now.cave.map):
            rows = side.scene_rows(now, 22, 22 - number % 4)
            shown = ["".join(span.text for span in row) for row in rows]
            assert not any(row.endswith(CUT) for row in shown)
            assert any(row.startswith(f" {hex_title(now.cave, side.cursor).split()[0]}") for row in shown), shown


def beside_dynamite(**more: Any) -> FakeSession:
    """Ann with 3 HP on a hex with a stick of dynamite."""
    return placed(state(inside((0, -1), hp=3), hexes=[laid((0, -1), "L1-01", dynamite=[1])], **more))


async def test_beside_a_danger_the_price_in_mp_stays_in_sight() -> None:
    caves = [laid((0, -1), "L1-02", token=True), laid((0, -2), "L1-01", items=["helmet"])]
    screen = table(placed(state(inside((0, -2)), inside(), hexes=caves, pile=["L1-26"])))
    async with show(screen, (80, 24)):
        shown = text(screen)
        assert "S: Bat Gallery 1 MP -1 HP" in shown
        assert "1 item 1 MP, ends turn" in shown
        assert "way home: S, 2 MP, -1 HP" in shown


async def test_defusing_needs_confirmation_and_shows_the_odds() -> None:
    """Rule 7.6: a roll decides over the lives of all on the hex."""
    session = beside_dynamite(dice=[1])
    async with show(table(session)) as (app, pilot):
        await press(pilot, "f")
        asked = " ".join(text(app.screen).split())
        assert "It works with a roll of 3 or less (50%)" in asked
        assert "Y Try to defuse it > n Go on " in asked
        await press(pilot, "enter")  # the answer without a cost
        assert session.acted == []
        await press(pilot, "f", "y")
        assert session.acted == [], "y hints"
        await press(pilot, "Y")
        assert session.acted == [(0, {"type": "defuse", "owner": 1})]


@pytest.mark.parametrize(
    ("ann", "stick", "found"),
    [
        (inside((0, 0)), [], ("9.2", "3.6")),
        (inside((0, -1), 1), [], ()),
        (inside((0, -1), 0), [], ("6.2", "6.5")),
        (inside((0, -1), 1), [1], ("7.4", "7.5", "7.6")),
        (inside((0, -1), 0, items=["dynamite"]), [], ("6.2", "6.5", "7.4", "7.5", "7.6")),
    ],
)
def test_help_begins_with_the_rules_of_the_current_place(ann: Any, stick: list[int], found: Any) -> None:
    now = state(ann, hexes=[laid((0, -1), "L1-14", dynamite=stick)])
    assert (*rules_here(FACE.scene(placed(now).state, None)),) == found


async def test_any_subset_of_the_items_here_can_be_taken() -> None:
    """Rule 6.5: of six kinds of items, any subset."""
    marker = components().hexes["L1-05"].marker
    kinds = ["boots", "canteen", "helmet", "lantern", "medkit", "rope"]
    start = state(inside((1, -1), marker), inside(), hexes=[laid((1, -1), "L1-05", 0, items=kinds)])
    session = FakeSession(("Ann", "Bea"), start=start, game=GAME.name)
    screen = table(session)
    async with show(screen) as (app, pilot):
        await press(pilot, "i")
        assert "Take Rope" in text(app.screen)
        everything = screen.scene.task_of_key("i").form.items
        for kind in everything:
            await press(pilot, str(1 + everything.index(kind)))
        await press(pilot, "home", "enter")
        assert session.acted == []  # nothing is left to take, so no action
        for kind in ("helmet", "medkit", "rope"):
            await press(pilot, str(1 + everything.index(kind)))
        await press(pilot, "home", "enter")
    taken = [kind for kind in everything if kind in ("helmet", "medkit", "rope")]
    assert session.acted == [(0, {"type": "collect_items", "items": taken})]


async def test_a_partial_map_has_an_overview_beside_it() -> None:
    session = played(middle)
    screen = table(session)
    async with show(screen, size=(140, 45)) as (_, pilot):
        side = screen.query_one(Side)
        rows = [*side.rows(*side.size)]
        heading = next(y for y, row in enumerate(rows) if "WHOLE CAVE" in "".join(span.text for span in row))
        letters = {span.do: (x, y) for y, x, span in _spans(rows) if span.do.startswith("show:")}
        assert {f"show:{q},{r}" for q, r in session.full.map} <= letters.keys()
        assert min(y for _, y in letters.values()) > heading
        at = max(session.full.map)
        await pilot.click(side, offset=letters[f"show:{at[0]},{at[1]}"])
        await settle(pilot)
        assert screen.controller.cursor == at
        await press(pilot, "w")
        assert "WHOLE CAVE" not in text(screen), "the map itself shows it"
    screen = table(session)
    async with show(screen, size=(100, 30)):
        assert "WHOLE CAVE" not in text(screen)
        assert text(screen).count("HAZARDS") == 1


def _spans(rows: Any) -> Any:
    for y, row in enumerate(rows):
        x = 0
        for span in row:
            yield y, x, span
            x += len(span.text)


async def test_after_a_resignation_the_sheet_matches_the_record() -> None:
    """Treasures are secret until the end (rule 6.3), and the plot beside the sheet draws them."""
    session = played(keeping)
    session.evolve(status="playing", set_aside="Ann resigns, and Bea wins.", resigned=True)
    hidden = session.state.view.standing
    assert {line.total for line in hidden} == {None}
    known = tuple(GAME.standing(session.full))

    async def plotted() -> PointsHistory:
        totals = tuple((0.0, line.total or 0.0) for line in known)
        return PointsHistory(session.state.view.names, totals, result=known)

    async with show(ScoreScreen(FACE, session.state, points=plotted), (80, 24)) as (app, pilot):
        await settle(pilot)
        total = next(row for row in text(app.screen).splitlines() if row.split()[:1] == ["Total"])
        assert total.split()[1:] == [score.points_as_shown(line.total) for line in known]


@pytest.mark.parametrize(("key", "kind"), [("L", "leave"), ("X", "give_up")])
async def test_an_action_that_ends_the_game_warns_and_enter_does_not_do_it(key: str, kind: str) -> None:
    session = placed(state(inside((0, 0)), inside(), hexes=[]))
    async with show(table(session)) as (app, pilot):
        await press(pilot, key)
        assert "Your game is over then" in " ".join(text(app.screen).split())
        await press(pilot, "enter")
        assert session.acted == []
        await press(pilot, key, "Y")
        assert session.acted == [(0, {"type": kind})]


def known_in_sight(board: HexMap) -> bool:
    known = [at for at, look in board.picture.places.items() if isinstance(look, HexLook)]
    return all(board.size.region.contains_region(board.region_of(at)) for at in known)


async def test_the_whole_map_fills_the_window() -> None:
    """It was an inset in a black pane. In a smaller window it shrinks, and another "w" ends it."""
    screen = table(played(middle))
    async with show(screen, (140, 45)) as (_, pilot):
        usual = screen.board.zoom
        await press(pilot, "w")
        zooms = [screen.board.zoom]
        for size in ((100, 30), (80, 24)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            zooms.append(screen.board.zoom)
            assert known_in_sight(screen.board)
        assert zooms[-1] != OVERVIEW, "the map takes the rows of the choices"
        assert screen.board.size.height > 16
        assert zooms == sorted(zooms, key=screen.board.ZOOMS.index)
        assert zooms[0] != zooms[-1]
        await pilot.resize_terminal(140, 45)
        await press(pilot, "w")
        assert screen.board.zoom == usual


async def test_a_small_window_shows_the_hexes_beside_the_pawn_whole() -> None:
    screen = table(played(middle))
    async with show(screen, (80, 24)):
        board = screen.board
        around = [to for to in neighbours_on_board(board.cursor) if isinstance(board.picture.places[to], HexLook)]
        assert around
        assert all(board.size.region.contains_region(board.region_of(to)) for to in [board.cursor, *around])
        assert board.zoom == "S", "smaller zooms hide passages"


@pytest.mark.parametrize(
    ("step", "wrong", "named"),
    [("passages", "1", (0, -1)), ("roll", "4", (0, -1)), ("greed", "3", (0, 0)), ("slope", "1", (0, 0))],
)
async def test_a_lesson_keeps_the_places_of_its_text_in_sight(step: str, wrong: str, named: Cell) -> None:
    """Also after a mistake is taken back."""
    screen = screen_of(session_of("caves-of-casadh", step))
    async with show(screen, (80, 24)) as (_, pilot):
        for key in ("", wrong, "u"):
            await press(pilot, *[key] * bool(key))
            pane, board = screen.board.outer_size.region, screen.board
            around = board.region_of(on_board(screen.scene.pawn_cell)).grow((1, 2, 1, 2))
            assert pane.contains_region(around), f"{key}: the numbers of the ways are hidden"
            assert pane.contains_region(board.region_of(on_board(named)).shrink((3, 3, 3, 3))), key
            assert "♦T" in text(screen) or step != "passages", f"{key}: the treasure is cut off"


async def test_the_pieces_of_the_others_are_in_sight_where_they_fit() -> None:
    screen = table(played(haunting, 0, 1, 2, seed="tables-7"))
    async with show(screen, (140, 45)):
        pane, board = screen.board.outer_size.region, screen.board
        pieces = [each.at for each in screen.scene.cave.players if each.at]
        assert pieces
        assert not board.shows_all
        assert all(pane.contains_region(board.region_of(on_board(at))) for at in pieces)


@pytest.mark.parametrize(("level", "tumbles"), [("full", True), ("calm", False), ("off", None)])
async def test_a_roll_is_shown_with_its_result_until_a_key_is_pressed(level: Level, tumbles: bool | None) -> None:
    """A third icon of bats, and a roll of 2: lesson and rule 7.1."""
    screen = screen_of(session_of("caves-of-casadh", "roll"))
    async with show(screen) as (app, pilot):
        app.motion = Motion(level)
        await press(pilot, "1")
        await pilot.press("enter")
        await pilot.until(lambda: screen.session.attempt.finished)
        await pilot.pause()
        tasks = screen.query_one(Tasks)
        if tumbles is None:
            assert "STEP DONE" in text(screen), "no other actions"
            return
        assert "BATS  Ann rolls: below 3 wakes them" in text(screen)
        assert ("Squeaking Bend" not in _shown(tasks)) == tumbles
        for _ in range(FACES if tumbles else 0):
            tasks.tumbling.show_next_frame()
        assert "Bats at Bat Gallery, Squeaking Bend and Long Hall." in _shown(tasks)
        await press(pilot, "g")
        assert "STEP DONE" in text(screen)


def _shown(pane: Tasks) -> str:
    rows = pane.rows(*pane.size)
    return " ".join(" ".join("".join(span.text for span in row[3:]) for row in rows).split())


async def test_a_turn_ended_by_bad_footing_is_explained_until_the_next_action() -> None:
    session = placed(state(inside(), inside(), pile=["L1-01", "L1-04"], cards=["C06"], supply=["rope"]))
    ended = "Bad Footing ended your turn"
    async with show(table(session)) as (app, pilot):
        await press(pilot, "e", "e")
        session.play(1, EndTurn())
        await press(pilot, "1", "enter")
        assert session.full.seat == 1
        assert ended in text(app.screen)
        session.play(1, EndTurn())
        await settle(pilot)
        assert ended in text(app.screen)
        await press(pilot, "4")
        assert ended not in text(app.screen)
