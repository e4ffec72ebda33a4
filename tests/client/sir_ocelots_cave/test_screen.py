"""Sir Ocelot's Cave on the screen: a whole game by keys at a host, clicks, previews, collecting, replays."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.style import Style
from textual.binding import Binding
from textual.geometry import Offset

from cave.codec import to_json
from cave.game import Idea, Json
from cave.lesson import load_lesson
from cave.sir_ocelots_cave.actions import LayTool
from cave.sir_ocelots_cave.components import BIT, CAVE, RAYS, set_of_squares
from cave.sir_ocelots_cave.scoring import amethyst_means, points_of_gems
from cave.sir_ocelots_cave.state import Amethyst
from client.adviser import Question
from client.games.sir_ocelots_cave import picture, terms
from client.games.sir_ocelots_cave.board import BoardPane
from client.games.sir_ocelots_cave.face import FACE
from client.games.sir_ocelots_cave.gem_signs import BoardSignWriter, square
from client.games.sir_ocelots_cave.here import offers_at_place
from client.games.sir_ocelots_cave.panes import HerePane, words_in_rows
from client.games.sir_ocelots_cave.picture import Board
from client.games.sir_ocelots_cave.player_rows import KnownAmethyst, amethysts_in_few_words
from client.games.sir_ocelots_cave.previews import gems_at, placements_that_bring
from client.games.sir_ocelots_cave.screen import KEYS, OcelotScreen
from client.present.help_pages import list_pages
from client.tui.board.geometry import centre
from client.tui.motion import Level, Motion
from tests import snapshots
from tests.client.fake_session import FakeSession
from tests.client.local_game import play_by_keys
from tests.client.pilot import Pilot, press, settle
from tests.client.screens import show, text
from tests.client.sir_ocelots_cave.tables import (
    FIRST,
    GAME,
    begun,
    chosen,
    collecting,
    middle,
    over,
    played,
    replayed,
    table,
    without_tools,
)
from tests.client.sir_ocelots_cave.test_lines import heard
from tests.client.sir_ocelots_cave.test_slips import two_see
from tests.client.test_lesson import screen_of, session_of
from tests.client.test_motion import Timer


def cell_of(board: BoardPane, at: tuple[int, int]) -> tuple[int, int]:
    """The cell in the middle of a place."""
    return Offset(*centre(board.geometry, at)) - board.upper_left_cell


def lines_of(board: BoardPane) -> list[Any]:
    return [list(board.render_line(y)) for y in range(board.size.height)]


async def click(pilot: Pilot[None], board: BoardPane, at: tuple[int, int]) -> None:
    await pilot.click(board, offset=cell_of(board, at))
    await settle(pilot)


@pytest.mark.parametrize(
    ("moment", "action", "how"),
    [
        (begun, None, "enter on {at} brings it."),
        (begun, {"type": "tool", "kind": "C", "side": "pickaxe", "at": [5, 0]}, "enter on {at} lays it."),
        (two_see, {"type": "tool", "kind": "A", "side": "lamp", "at": [11, 12]}, "enter on {at} lays it."),
        (middle, None, "enter on {at} sends it."),
        (collecting, {"type": "collect", "gems": []}, "enter collects."),
    ],
)
async def test_a_hint_shows_its_place_and_names_the_key(moment: Any, action: Json | None, how: str) -> None:
    """The key bar of 80 columns has no room for the key that finds the companion's squares. Enter does what the
    hint suggests at once, without a warning.
    """
    start = FakeSession(mine=(0,), start=two_see(), game=GAME.name) if moment is two_see else None
    session = start or (begun() if moment is begun else played(moment))
    action = action or to_json(next(iter(FACE.scene(session.state, None).ways.values())))

    async def advise(_asked: Question) -> list[Idea]:
        return [Idea(action, chance=0.5, error=0.1)]

    screen = table(session, advise=advise)
    async with show(screen) as (_, pilot):
        await pilot.press("y")
        await pilot.until(lambda: "Hint: " in text(screen))
        at = ",".join(map(str, action.get("at", action.get("to", ()))))
        assert how.format(at=at) in " ".join(text(screen).split())
        await press(pilot, "enter")
        assert session.acted == [(0, action)]


async def test_a_whole_game_against_a_bot_by_keys(tmp_path: Path) -> None:
    async def step(pilot: Pilot[None], screen: OcelotScreen) -> None:
        if screen.scene.mode == "acting":
            # To a place where a tool collects something, or else the next free space, or the companion.
            await pilot.press("n" if screen.scene.needs else "tab")
            if screen.controller.tool_in_hand is None:
                await pilot.press("m")
        await pilot.press("enter")
        if "enter again" in " ".join(text(screen).split()):
            await pilot.press("enter")

    await play_by_keys(tmp_path, GAME.name, OcelotScreen, step, score="wins", log="collects")


async def test_any_tool_will_do_if_a_gem_is_already_collectable() -> None:
    screen = screen_of(session_of(GAME.name, "deeper"))
    async with show(screen) as (_, pilot):
        await press(pilot, "m", "enter", "tab")
        assert "collects beryl" in text(screen)
        await press(pilot, "n")
        assert "Lay a tool anywhere: then you can collect a red beryl" in " ".join(text(screen).split())


async def test_a_lesson_answers_to_the_tool_in_hand_and_keeps_the_list_of_tools_beside_a_mistake() -> None:
    screen = screen_of(session_of(GAME.name, "lines"))
    async with show(screen, (80, 24)) as (_, pilot):
        await press(pilot, "p", "n")
        assert "This corner looks along two lines: enter lays" in text(screen)
        await press(pilot, "c")
        assert "This corner" not in text(screen)
        await press(pilot, "p", "up", "enter")
        assert "That collects fewer gems." in text(screen)
        assert re.search(r" c compass .* l lamp .*>p pickaxe collects", text(screen), re.DOTALL)


def test_turns_of_a_replay_have_the_number_in_the_header() -> None:
    session = replayed()
    for turn in session.turns:
        session.go_to_step(turn.step)
        scene = FACE.scene(session.state, None)
        assert scene.turn_number == turn.shown
        assert FACE.turn_shown(1, session.state.view) == turn.shown, "a game continued from there"


async def test_marks_of_a_lesson_go_when_the_companion_has_gone_there() -> None:
    screen = screen_of(session_of(GAME.name, "deeper"))
    async with show(screen) as (_, pilot):
        assert {*screen.board.labels} == {(9, 3), (10, 3), (12, 3), (13, 3)}
        await press(pilot, "m", "enter")
        assert not screen.board.labels
        await press(pilot, "u")
        assert screen.board.labels


async def test_the_search_for_collecting_places_begins_with_the_most_points() -> None:
    """Even from a place that collects something itself; from there it continues, and says so."""
    for key, step, best, does in (("n", "lines", (3, 2), "Lay"), ("m", "moth", (7, 5), "Bring")):
        screen = screen_of(session_of(GAME.name, step))
        async with show(screen) as (_, pilot):
            places = []
            for number in (1, 2, 3):
                await press(pilot, key)
                places.append(screen.controller.cursor)
                assert f"Place {number} of" in text(screen)
                assert f"enter {does}" in text(screen)
            assert places[0] == best
            assert len({*places}) == 3


async def test_the_search_for_collecting_places_begins_with_the_tool_that_the_player_chose() -> None:
    screen = table(played(middle))
    async with show(screen, (80, 24)) as (_, pilot):
        for key, tool in (("l", "lamp"), ("c", "compass")):
            await press(pilot, key, "n")
            held = screen.controller.tool_in_hand
            assert held is not None
            assert held.tool == tool
            assert f"your {tool} first" in text(screen)


async def test_pointed_brackets_are_for_tools_of_the_rival() -> None:
    screen = screen_of(session := session_of(GAME.name, "wait"))
    async with show(screen, (80, 24)) as (_, pilot):
        await press(pilot, "enter")
        await session.wait_until_played()
        await press(pilot, "left")
        shown = "".join(segment.text for line in lines_of(screen.board) for segment in line)
        assert shown.count("<L>") == 1
        assert "<C>" not in shown


async def test_a_companion_that_cannot_go_says_why_and_what_it_needs() -> None:
    needs = "needs a square of level 2 that is empty or has a rock crystal, and there is none: first"
    start = GAME.new(2, FIRST, "begun")
    for stands, phase, why in (
        ((5, 5), "advancing", needs),
        ((11, 3), "placing", "goes down once a turn, and did so: now lay a tool"),
        ((11, 9), "advancing", "is on level 3, the deepest, and stays there"),
    ):
        (crystals, *other), ann = start.gems, replace(start.players[0], companion=stands)
        gems = (crystals & ~CAVE[2], *(each & ~BIT[stands] for each in other[:-1]), other[-1] | crystals & CAVE[2])
        state = replace(start, players=(ann, start.players[1]), gems=gems, phase=phase)
        session = FakeSession(start=state, mine=(0,), game=GAME.name)
        screen = table(session)
        async with show(screen) as (_, pilot):
            await press(pilot, "m")
            assert why in " ".join(text(screen).split())
        assert any(why in line for line in (await heard(session.again((0,)), "companion", "quit")).said)


@pytest.mark.parametrize("guide", [True, False])
async def test_the_screen_reminds_that_the_companion_must_enter(guide: bool) -> None:
    session = FakeSession(start=without_tools(), game=GAME.name)
    screen = table(session, guide=guide)
    async with show(screen) as (_, pilot):
        said = "You have no tools left, so your companion has to come: m shows where, enter brings it."
        assert said in " ".join(text(screen).split())
        await press(pilot, "tab", "enter")  # On the rim, where a tool would go.
        assert not session.acted
        assert said in " ".join(text(screen).split())
        await press(pilot, "m", "enter")
        assert session.acted[0][1]["type"] == "companion"
        assert "has to come" not in text(screen)
    with_tools = table(begun(), guide=guide)
    async with show(with_tools):
        assert "has to come" not in text(with_tools)


async def test_all_gems_are_taken_except_deselected_ones() -> None:
    for by_key in (True, False):
        session = played(collecting)
        screen = table(session)
        async with show(screen) as (_, pilot):
            first, *rest = screen.scene.collectable
            assert f"Collect {len(rest) + 1} of {len(rest) + 1} gems" in text(screen)
            if by_key:
                while screen.controller.cursor != first:
                    await press(pilot, "tab")
                await press(pilot, "space", "enter")
            else:
                await click(pilot, screen.board, first)
                assert screen.controller.left_out == {first}
                await pilot.click("#hints", offset=(2, 0))
                await settle(pilot)
        assert session.acted[-1] == (0, {"type": "collect", "gems": [list(at) for at in rest]})


def test_what_is_collected_includes_the_points_of_own_special_amethysts() -> None:
    cave = played(collecting).full
    owner = replace(cave.players[0], amethysts=(Amethyst("blue", "value_1"), Amethyst("green", "left_1")))
    session = FakeSession(mine=(0,), start=replace(cave, players=(owner, cave.players[1])), game=GAME.name)
    scene = FACE.scene(session.state, None)
    gems = gems_at(scene.cave, scene.collectable)
    also = sum(terms.POINTS[gem] == 1 for gem in gems if gem != "geode") - len(gems)
    title = offers_at_place(scene, (9, 4), None, frozenset()).title
    assert title.endswith(f" ({also:+} by your amethysts)")
    assert f"+{points_of_gems(cave, set_of_squares(scene.collectable)) + also} (" in title


async def test_a_new_amethyst_is_still_named_after_the_rival_has_moved() -> None:
    def geode(state: Any) -> bool:
        return collecting(state) and any(state.gem_at(at) == "geode" for at in GAME.choices(state, 0)[0].gems)

    session = played(geode)
    screen = table(session)
    async with show(screen) as (_, pilot):
        await press(pilot, "enter")
        while session.full.seat == 1:
            session.play(1, chosen(session.full, 1))
            await settle(pilot)
        assert "Your new amethyst adds" in text(screen)
        placed = next(each for each in screen.scene.choices if isinstance(each, LayTool))
        session.play(0, placed)
        await settle(pilot)
        assert "Your new amethyst adds" not in text(screen)


async def test_a_new_tool_of_the_rival_is_not_hidden_by_a_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    session = played(middle)
    screen = table(session)
    async with show(screen):
        laid = [*screen.scene.cave.tools]
        monkeypatch.setattr(type(screen.recap), "lit_places", laid)
        screen.paint()
        assert not screen.board.labels.keys() & {*laid}


async def test_names_of_bots_are_whole_beside_their_points() -> None:
    session = played(over)
    names = ("Ann", "Novice (bot)")
    seen = {seat: replace(view, names=names) for seat, view in session.state.views.items()}
    session.evolve(view=replace(session.state.view, names=names), views=seen)
    screen = table(session)
    async with show(screen, (80, 24)):
        points = session.state.view.standing[1].total
        assert re.search(rf"B Novice \(?bot\)? +{points}", text(screen))


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
async def test_no_figure_of_what_the_rival_could_take_is_cut(size: tuple[int, int]) -> None:
    """Its start would read as another figure: +1 for +13."""
    session = played(middle)
    names = ("Ann", "Bartholomew XX (bot)")
    seen = {seat: replace(view, names=names) for seat, view in session.state.views.items()}
    session.evolve(view=replace(session.state.view, names=names), views=seen)
    screen, found = table(session), 0
    async with show(screen, size) as (_, pilot):
        for at in RAYS:
            screen.controller.point_at(at)
            await pilot.pause()
            rows = text(screen)
            for offer in offers_at_place(screen.scene, at, None, frozenset()).offers:
                if (lost := re.search(r"\+\d+", offer.hands)) and f" {offer.name} " in rows:
                    found += 1
                    assert re.search(rf"\{lost[0]}(?!\d)", rows), (at, offer)
    assert found


async def test_secret_amethysts_are_covered_at_a_shared_keyboard() -> None:
    def drawn(state: object) -> bool:
        return bool(middle(state) and state.players[0].amethysts)  # type: ignore[attr-defined]

    alone, both = table(played(drawn)), table(played(drawn, 0, 1))
    async with show(alone):
        assert "(s)" not in text(alone)
    async with show(both) as (_, pilot):
        assert "secret" in text(both)
        await press(pilot, "s", "enter")  # the dialog asks who is there
        assert "(s)" not in text(both)
        await press(pilot, "s")
        assert "(s)" in text(both)


@pytest.mark.parametrize(
    ("colours", "glyphs", "gem"), [(True, "fine", "▀"), (False, "fine", "▀"), (True, "ascii", "/@@\\")]
)
async def test_at_140_columns_gems_are_drawn_in_16_colours_none_and_ascii(colours: bool, glyphs: Any, gem: str) -> None:
    with snapshots.colourless(not colours):
        screen = table(played(middle), glyphs=glyphs)
        async with show(screen, (140, 45)) as (app, pilot):
            if glyphs == "fine":
                app.theme = "ansi-dark"
            await settle(pilot)
            assert gem in text(screen)


def test_rays_pass_two_squares_at_a_time_and_only_those_of_one_piece() -> None:
    now = FACE.scene(played(middle).state, None)
    before = picture.board(now, (0, 0), None, frozenset())
    free = [at for at in ((9, 4), (0, 5)) if at not in now.cave.tools]
    laid = [
        Board({**before.places, **{at: replace(before.places[at], tool="lamp") for at in some}})
        for some in (free[:1], free)
    ]
    first, *_, last = picture.new_rays(before, laid[0])
    assert first == {(7, 4), (8, 4), (9, 3), (9, 5), (10, 4), (11, 4)}
    assert not last
    assert not any(picture.new_rays(laid[0], before))
    assert not any(picture.new_rays(before, laid[1]))


@pytest.mark.parametrize("level", ["full", "calm", "off"])
async def test_the_ray_animation_leaves_no_trace(level: Level) -> None:
    session = played(middle)
    screen = table(session, glyphs="fine")
    async with show(screen) as (app, pilot):
        app.motion = Motion(level)
        screen.board.set_interval = lambda *_, **__: Timer()  # type: ignore[method-assign, assignment, return-value]
        session.play(0, LayTool("A", "compass", (9, 4)))
        await settle(pilot)
        assert screen.board.ray.is_moving is (level != "off")
        frames = []
        while screen.board.ray.is_moving:
            await settle(pilot)
            frames.append(lines_of(screen.board))
            screen.board.ray.show_next_frame()
        await settle(pilot)
        end = lines_of(screen.board)
        screen.board.forget()
        await settle(pilot)
        assert lines_of(screen.board) == end
        assert len(frames) == 5 * (level != "off")
        assert end not in frames[:2]


def test_amethysts_are_in_words() -> None:
    stones = [KnownAmethyst("blue", value, now) for value, now in ((4, 4), ("value_1", 6), ("left_2_3", 12))] + [
        KnownAmethyst("blue", None, None, 5)
    ]
    told = amethysts_in_few_words([*stones, stones[3], stones[0]])
    assert told == ["4,", "4;", "gems worth 1: 6;", "gems left on levels 2 and 3: 12;", "2 secret,", "about +10"]
    assert amethysts_in_few_words([*stones[:1] * 2, KnownAmethyst("green", "left_1", 9, 3)], summed=True) == [
        "8;",
        "gems left on level 1: about +3",
    ]
    for width in range(16, 48, 3):
        shown = words_in_rows(told, width, head=1)
        assert " ".join(shown) == " ".join(told)
        assert all(len(line) < width for line in shown)


def test_averages_of_amethysts_are_the_same_in_all_words() -> None:
    shown = [int(each) for each in re.findall(r"(\d+) (?:points )?o[nr]", terms.AVERAGE)]
    means = amethyst_means(GAME.new(2, {}, "averages"))
    assert all(abs(told - mean) < 1 for told, mean in zip(shown, means.values(), strict=True))
    assert any(terms.AVERAGE in idea for idea in load_lesson(GAME).ideas)


async def test_the_points_of_amethysts_always_have_a_name_and_are_not_cut() -> None:
    cave = played(middle).full
    found = (Amethyst("blue", 4), Amethyst("blue", "value_1"), Amethyst("blue", "value_3"), Amethyst("green", "left_1"))
    owner = replace(cave.players[0], amethysts=found)
    for height in range(20, 30, 3):
        session = FakeSession(mine=(0,), start=replace(cave, players=(owner, cave.players[1])), game=GAME.name)
        screen = table(session)
        async with show(screen, (80, height)):
            assert " amethysts " in text(screen)
            assert not re.search(r"\+\d more$", text(screen), re.MULTILINE)


@pytest.mark.parametrize("pitch", picture.PITCHES.values())
def test_the_cursor_hides_the_edge_of_its_square(pitch: picture.Pitch) -> None:
    opal = picture.Square(1, "opal", None, True, "", "")
    rows = BoardSignWriter("unicode", lambda _: Style.null()).block((5, 5), opal, pitch, cursor=True)
    assert "[●3]" in ["".join(sign.glyph for sign in row).strip("║│ ") for row in rows]


def test_two_tools_that_complete_a_gem_replace_its_value_and_a_geode_has_an_expected_one() -> None:
    for letters, cursor, shown in (("LP", False, " ♦LP"), ("LP", True, "[♦7]"), ("P", False, " ♦7P")):
        beryl = picture.Square(1, "red_beryl", None, False, letters, "short")
        assert "".join(sign.glyph for sign in square(beryl, "unicode", cursor=cursor)) == shown
    assert terms.worth(["emerald", "geode"], 9) == "an emerald and a geode, about 9 points"
    assert terms.gain_words(["geode"], 4) == " about +4"
    assert (
        terms.worth(["opal", "celestite_sun"], 4, 1) == "a celestite sun and an opal, 4 points, and an amethyst (set)"
    )


async def test_after_the_end_keys_of_a_turn_say_that_the_game_is_over() -> None:
    screen = table(played(over))
    async with show(screen) as (_, pilot):
        await press(pilot, "escape")
        for key in ("c", "l", "p", "r", "n", "m", "space", "a", "s", "u"):
            await press(pilot, "right")
            assert "The game is over: enter" not in text(screen)
            await press(pilot, key)
            assert "The game is over: enter" in text(screen), key


def test_help_explains_the_players_pane() -> None:
    for glyphs in ("unicode", "ascii"):
        legend = FACE.help(glyphs)["legend"].text
        for sign in ("set needs", "3 secret, about +15", *(f"{words}: " for words in terms.COUNTED.values())):
            assert sign in legend, sign
    keys = [("shift+tab", binding.description) for binding in KEYS if isinstance(binding, Binding)]
    found = list_pages("game", FACE, keys=keys)[-2]
    for _, words in keys:
        assert words in found.text


async def test_beside_a_long_hint_the_pane_shows_the_tool_that_it_is_about() -> None:
    session = played(middle)
    screen = table(session)
    async with show(screen, (80, 24)) as (_, pilot):
        screen.controller.point_at(placements_that_bring(session.full, 0)[0].at)
        for key, tool in (("l", "lamp"), ("p", "pickaxe")):
            await press(pilot, key)
            for width in (40, 62):
                first = screen.query_one(HerePane).rows(width, 1)[0]
                assert "".join(span.text for span in first).startswith(f">{key} {tool} ")
        pane = screen.query_one(HerePane)
        figures = [span.text for row in pane.rows(61, 2) for span in row if span.text.startswith("+")]
        assert len(figures) == 3, "all tools can be compared"
        tall = ["".join(span.text for span in row) for row in pane.rows(33, 30)]
        lower = next(row for row, line in enumerate(tall) if line.startswith(" opens:")) - 1
        low = ["".join(span.text for span in row) for row in pane.rows(33, lower)]
        assert low[1:] == tall[2 : lower + 1], "only the title is shorter"
