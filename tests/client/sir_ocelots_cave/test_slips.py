"""A likely slip causes a warning before the placement, and the same key again confirms it."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from cave.codec import to_json
from cave.game import Because, Idea
from cave.sir_ocelots_cave.actions import LayTool, PlaceCompanion
from client.games.sir_ocelots_cave import guide, here, texts
from client.games.sir_ocelots_cave.face import FACE
from client.games.sir_ocelots_cave.lines import OcelotLines
from client.games.sir_ocelots_cave.previews import placements_that_bring, probable_slip
from client.present.advice import hint_sentence, idea_reason
from client.settings.schema import Preferences, Settings
from client.tui.chooser import ChooserScreen
from tests.client.fake_session import FakeSession
from tests.client.pilot import press
from tests.client.plain_talk import Script
from tests.client.screens import show, text
from tests.client.sir_ocelots_cave.tables import FIRST, GAME, NAMES, chosen, played, table
from tests.client.test_lesson import session_of


def two_see() -> Any:
    """A state in which two tools see 5,5, and a third one would collect it."""
    start = GAME.position(GAME.new(2, FIRST, "slips"))
    start["tools"] = [{"at": [5, 0], "kind": "A", "side": "compass"}, {"at": [0, 5], "kind": "A", "side": "lamp"}]
    for each in start["players"]:
        each["tools"] = {"A": 4, "B": 5, "C": 5}
    start["turn"]["seat"] = start["first_seat"] = 0
    return GAME.from_position(start)


def test_warnings_about_a_placement() -> None:
    state = two_see()
    found = probable_slip(state, NAMES, 0, LayTool("A", "lamp", (11, 12)))
    assert found is not None
    assert found == ("This collects nothing; another tool would", True)
    assert probable_slip(state, NAMES, 0, LayTool("B", "pickaxe", (10, 5))) is None, "it collects"
    start = GAME.new(2, FIRST, "slips")
    assert probable_slip(start, NAMES, 0, LayTool("A", "lamp", (11, 12))) is None, (
        "nothing collects, nothing is given away"
    )
    (way, *_) = (each for each in GAME.choices(start, 0) if isinstance(each, PlaceCompanion))
    assert probable_slip(start, NAMES, 0, way) is None


def test_a_tool_after_which_the_rival_could_take_a_gem() -> None:
    state = GAME.apply(GAME.new(2, FIRST, "slips"), 0, LayTool("A", "compass", (5, 0))).state
    found = probable_slip(state, NAMES, 1, LayTool("A", "lamp", (0, 5)))
    assert not found.others
    gem = state.gem_at((5, 5)).replace("_", " ")
    assert re.fullmatch(rf"This collects nothing and opens an? {gem}, 3 points, to Ann", found.words)
    needs = "needs a lamp and a pickaxe; has a compass (north)"
    session = FakeSession(NAMES, (1,), start=state, game=GAME.name)
    assert here.square_facts(FACE.scene(session.state, None), (5, 5)) == [needs]


def test_a_hint_says_why_a_tool_is_better_than_one_that_collects_more() -> None:
    session = FakeSession(seed="slips", settings=FIRST, game=GAME.name)
    for _ in range(11):
        session.play(session.full.seat, chosen(session.full, session.full.seat))
    scene, reasons = FACE.scene(session.state, None), guide.reason_for_hint
    better = "a compass at 8,7 collects +5, but opens +3 more to Bea"
    assert reasons(scene, LayTool("A", "compass", (1, 6))) == f"it collects an opal, 3 points; {better}"
    ideas = [Idea(to_json(LayTool("A", "compass", at))) for at in ((1, 6), (8, 7))]
    assert better in hint_sentence(FACE, scene, ideas)
    assert "Second choice" not in hint_sentence(FACE, scene, ideas), "the reason argues against it"
    safe = "safe until your next turn: an emerald, 5 points"
    assert reasons(scene, LayTool("A", "compass", (2, 3))) == f"it collects an opal, 3 points; {safe}"
    best = placements_that_bring(scene.cave, 0)[0]
    less = "a compass at 5,10 collects +5 and opens less, but the expert bot prefers this"
    assert reasons(scene, LayTool(best.kinds[0], best.tool, best.at)) == f"it collects an emerald, 5 points; {less}"
    assert ";" not in reasons(scene, LayTool("A", "compass", (5, 10)))
    for _ in range(4):
        session.play(session.full.seat, chosen(session.full, session.full.seat))
    scene = FACE.scene(session.state, None)
    told = {reasons(scene, LayTool(each.kinds[0], each.tool, each.at)) for each in placements_that_bring(scene.cave, 0)}
    assert "it collects an opal, 3 points; a pickaxe at 8,3 collects +9, but the expert bot prefers this" in told
    asked = {"type": "advance", "to": [10, 3]}
    scene = FACE.scene(session_of(GAME.name, "deeper").state, None)
    ideas = GAME.advise(GAME.view_json(scene.view), [GAME.choice_json(each) for each in scene.choices], [asked])
    (down,) = (each for each in ideas if each.action == asked)
    assert re.search("; then an? .* at .* collects ", FACE.action_reason(scene, down.action, down.then))


def test_the_reasons_for_a_tool_that_collects_nothing_agree_with_the_lesson() -> None:
    lamp, compass, companion = LayTool("A", "lamp", (11, 12)), LayTool("A", "compass", (5, 0)), PlaceCompanion((8, 5))
    for moves, at, reason in (
        ((compass,), (0, 5), ""),
        ((compass,), (11, 12), "it opens nothing to Ann, and is the first of three tools for 5 gems"),
        (
            (compass, companion, lamp),
            (1, 4),
            "it prepares 2 gems for your next tool, but opens an opal, 3 points, to Ann; "
            "safe until your next turn: an opal, 3 points (at 5,5)",
        ),
        ((companion, lamp), (0, 5), "it prepares 7 gems for your next tool and opens nothing to Bea"),
    ):
        state = GAME.new(2, FIRST, "slips")
        for number, move in enumerate(moves):
            state = GAME.apply(state, number % 2, move).state
        seat = len(moves) % 2
        scene = FACE.scene(FakeSession(NAMES, (seat,), start=state, game=GAME.name).state, None)
        assert guide.reason_for_hint(scene, LayTool("A", "lamp", at)) == reason
        fewer = Because("rival", "", 1.0, 2.0, 16)  # in trial games; the screen may show the contrary
        told = idea_reason(FACE, scene, Idea(to_json(LayTool("A", "lamp", at)), because=(fewer,)))
        assert ("fewer points" in told) == ("opens nothing" in reason)


def test_a_hint_in_the_last_turn_says_that_nothing_collects_any_more() -> None:
    def last(state: Any) -> bool:
        return bool(state.seat == 0 and state.phase == "advancing" and state.players[0].pieces_left == 1)

    cave = played(last).full
    for seat, gems in ((0, (0,) * len(cave.gems)), (0, cave.gems)):
        session = FakeSession(NAMES, (seat,), start=replace(cave, gems=gems), game=GAME.name)
        scene = FACE.scene(session.state, None)
        laid = next(each for each in scene.choices if isinstance(each, LayTool))
        reason = guide.reason_for_hint(scene, laid)
        assert ("in your last turn nothing collects a gem any more" in reason) == (not any(gems))
        assert "next turn" not in reason
        assert "next tool" not in reason


async def test_enter_again_places_it_and_any_other_key_forgets_the_warning() -> None:
    session = FakeSession(mine=(0,), start=two_see(), game=GAME.name)
    screen = table(session)
    async with show(screen) as (_, pilot):
        await press(pilot, "enter")
        said = " ".join(text(screen).split())
        assert "another tool would: n shows where, enter again lays it." in said
        await press(pilot, "r", "enter")
        assert not session.acted, "the other side is another placement"
        await press(pilot, "right", "left", "enter")
        assert not session.acted, "the warning was gone"
        await press(pilot, "enter")
        assert [action["at"] for _, action in session.acted] == [[9, 4]]


async def test_the_warning_and_the_question_can_be_chosen() -> None:
    """A placed piece stays, so players may turn a confirmation on, or the warning off."""
    for slip_is_told, asked in ((False, False), (False, True), (True, False)):
        session = FakeSession(mine=(0,), start=two_see(), game=GAME.name)
        own = {texts.SLIP.name: slip_is_told, texts.PLACE.name: asked}
        screen = table(session, preferences=Preferences(Settings(own=own)))
        async with show(screen) as (app, pilot):
            await press(pilot, "enter")
            assert isinstance(app.screen, ChooserScreen) == asked
            assert bool(session.acted) == (not slip_is_told and not asked)


async def test_line_mode_asks_people_but_not_programs() -> None:
    for typed, live, done in (
        (("lamp 11,12", "2"), True, 0),
        (("lamp 11,12", "1"), True, 1),
        (("lamp 11,12",), False, 1),
        (("pickaxe 10,5",), True, 1),
    ):
        session = FakeSession(mine=(0,), start=two_see(), others=chosen, game=GAME.name)
        script = Script(*typed, live=live)
        await OcelotLines(FACE, session, script).run()
        assert len(session.acted) == done, typed
        asked = "This collects nothing; another tool would. Place it? 1 yes, 2 no."
        assert (asked in script.said) == (live and typed[0].startswith("lamp"))
