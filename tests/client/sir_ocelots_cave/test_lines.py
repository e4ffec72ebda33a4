"""Sir Ocelot's Cave in line mode: whole games at a host, information, previews, and refusals."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from cave.games import get_game
from cave.sir_ocelots_cave.components import BIT, LEVEL, RAYS, SIDES, squares_in_order
from cave.sir_ocelots_cave.legal import sample
from cave.sir_ocelots_cave.scoring import amethyst_means
from cave.sir_ocelots_cave.state import missing_tools, tools_seeing
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.face import FACE
from client.games.sir_ocelots_cave.here import offers_at_place
from client.games.sir_ocelots_cave.lines import OcelotLines
from client.games.sir_ocelots_cave.player_rows import ocelot_player_rows
from client.games.sir_ocelots_cave.previews import gems_out_of_reach
from client.wording import count
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script, after
from tests.client.screens import show, text
from tests.client.sir_ocelots_cave.tables import over, played, table, without_tools
from tests.game_kit import checks, in_line_mode

GAME = get_game("sir-ocelots-cave")
BOT = {"kind": "bot", "level": "rookie"}
FREE = {"kind": "open"}
FIRST = {"first": "seat_0"}


async def test_a_whole_game_against_a_bot_by_numbers() -> None:
    looks = (*("who", "goal", "board", "rim", "look 9,4", "look 5,5", "short", "players", "amethysts", "try 9,4"),)
    said, lines = await in_line_mode(GAME, [FREE, BOT], ["Ann"], *looks, *["1"] * 60, settings=FIRST)
    assert said[0] == "Sir Ocelot's Cave. Type help for the commands."
    assert after(said, "goal")[0].startswith("Most points win.")
    assert [line for line in after(said, "board") if line.startswith("Level ")] == ["Level 1:", "Level 2:", "Level 3:"]
    assert "its column, from 0 in the west, and its row, from 0 in the north" in after(said, "board")[0]
    assert after(said, "rim")[0] == "On the rim: nothing yet."
    assert after(said, "look 9,4")[0] == "Rim space 9,4 of levels 1 and 2: sees 12 gems."
    assert "on level 1." in after(said, "look 5,5")[0]
    assert after(said, "short") == ["No gem is one tool short for you."]
    assert after(said, "amethysts") == ["You have no amethysts."]
    assert after(said, "try 9,4")[0] == "Compass: collects nothing, sees 12 gems."
    assert lines[-1]["result"]["standing"], "the game came to its end"
    assert checks(lines)
    assert any(re.fullmatch(r"Ann collects .+ \+\d+\.", line) for line in said)
    (total,) = (line for line in said if line.startswith("Total: "))
    assert re.fullmatch(r"Total: Ann \d+.*; .+ \d+.*\.", total)


async def test_typed_actions_are_done_or_refused_with_the_rule() -> None:
    typed = (*("lamp 5,0", "lamp c 5,0", "lamp 9,4", "undo", "lamp 7,7", "companion 11,3", "collect", "turn"), "fly")
    said, lines = await in_line_mode(GAME, [FREE, FREE], ["Ann", "Bea"], *typed, "pickaxe b 9,4", settings=FIRST)
    assert "Ann lays a lamp at 5,0." in after(said, "lamp 5,0")
    assert "or with the kind: lamp A 9,4. Kind A is compass/lamp" in after(said, "lamp c 5,0")[0]
    assert after(said, "undo")[-1].startswith("Nothing to undo")
    assert after(said, "lamp 7,7") == ["Tools go on the round spaces of the rim."]
    assert "level 1" in after(said, "companion 11,3")[0]
    assert after(said, "collect") == ["There is nothing to collect now: first lay a tool."]
    assert after(said, "turn")[1] == "Turn 2 of 16."
    assert after(said, "fly")[0].startswith("There is no command fly")
    assert "A tool lies on that rim space already." in after(said, "pickaxe b 9,4")
    assert lines[-1]["action"] == {"type": "tool", "kind": "A", "side": "lamp", "at": [9, 4]}


async def test_gems_can_be_deselected() -> None:
    start = GAME.position(GAME.new(2, FIRST, "left out"))
    start["tools"] = [{"at": [5, 0], "kind": "A", "side": "compass"}, {"at": [0, 5], "kind": "A", "side": "lamp"}]
    start["players"][0]["tools"] = {"A": 4, "B": 5, "C": 5}
    start["players"][1]["tools"] = {"A": 4, "B": 5, "C": 5}
    said, lines = await in_line_mode(
        GAME, [FREE, FREE], ["Ann", "Bea"], "try 5,10", "short", "pickaxe 10,5", "collect all but 5,5", start=start
    )
    assert after(said, "try 5,10")[0].startswith("Compass: collects nothing")
    assert any("5,10" in line and "pickaxe" in line for line in after(said, "short"))
    assert any(line.startswith("You can collect ") for line in said)
    assert "Ann collects nothing." in said
    assert lines[-1]["action"] == {"type": "collect", "gems": []}


async def test_moves_lists_examples_for_each_tool_and_counts_the_rest() -> None:
    start = GAME.position(GAME.new(2, FIRST, "left out"))
    start["tools"] = [{"at": [5, 0], "kind": "A", "side": "compass"}, {"at": [0, 5], "kind": "A", "side": "lamp"}]
    for each in start["players"]:
        each["tools"] = {"A": 4, "B": 5, "C": 5}
    for position in (None, start):
        said, _ = await in_line_mode(GAME, [FREE, FREE], ["Ann", "Bea"], "moves", settings=FIRST, start=position)
        found = after(said, "moves")
        for tool in ("compass", "lamp", "pickaxe"):
            assert any(re.match(rf"\d+ lay a {tool} at \d+,\d+ \(other side: ", line) for line in found), (tool, found)
        assert re.match(r"\d+ more: try 9,4 says", found[-1])


def rich(state: Any) -> bool:
    """Ann has an amethyst and is to place a piece."""
    return bool(state.seat == 0 and state.phase == "advancing" and state.players[0].amethysts)


async def heard(session: FakeSession, *typed: str, live: bool = True) -> Script:
    """Return the output for this input, followed by its end."""
    script = Script(*typed, live=live)
    await OcelotLines(FACE, session, script).run()
    return script


async def test_amethysts_are_shown_on_request_and_cleared_before_the_next_turn() -> None:
    session = played(rich, 0, 1)
    worth = re.compile(r"(Blue|Green|Red): \d")
    script = await heard(session, "score", "amethysts", "no", "amethysts", "yes", "lamp 9,4", "yes", "pickaxe 5,0")
    question = "That is secret. Is A Ann alone at the screen? 1 yes, 2 no."
    assert [line for line in script.gone if line == question] == [question] * 2
    shown = [at for at, line in enumerate(script.gone) if worth.match(line)]
    assert shown
    assert shown[0] > script.gone.index("? yes"), "nothing is shown before the answer is yes"
    assert not any(worth.match(line) for line in script.said), "it is gone when Bea sits down"
    assert "The screen was cleared" in script.said[0]
    assert "Ann lays a lamp" in script.said[1], "what Ann did is told after that"
    sheet = [line for line in after(script.gone, "score") if line.startswith(("Amethysts", "Gems worth", "Left"))]
    assert sheet == [
        "Amethysts: Ann 0, Bea 0.",
        "Gems worth 1: Ann 0, Bea 0.",
        "Gems worth 3: Ann 0, Bea 0.",
        "Left on level 1: Ann 0, Bea 0.",
        "Left on 2 and 3: Ann 0, Bea 0.",
        "Amethysts are secret and not counted; type amethysts to see your own.",
    ]


async def test_amethysts_are_cleared_when_the_game_is_left() -> None:
    script = await heard(played(rich, 0, 1), "amethysts", "1", "quit")
    assert "? 1" in script.gone
    assert not script.said


async def test_amethysts_are_shown_at_once_to_a_solo_player_or_a_pipe() -> None:
    for session, live in ((played(rich, 0), True), (played(rich, 0, 1), False)):
        script = await heard(session, "amethysts", "score", "quit", live=live)
        assert not script.gone
        assert re.match(r"(Blue|Green|Red): \d", after(script.said, "amethysts")[0])
        assert not any("not counted" in line for line in script.said)


async def test_a_reminder_says_that_the_companion_must_enter() -> None:
    script = await heard(FakeSession(start=without_tools(), game=GAME.name), "quit")
    said = "You have no tools left: your companion has to come, to a square of level 1."
    at = script.said.index(said)
    assert script.said[at + 1].startswith("Your turn, A Ann.")
    assert script.said[at + 2].startswith("1 bring your companion to ")
    assert said not in (await heard(played(rich, 0), "quit")).said


def hoping(state: Any) -> bool:
    """Ann is to place a piece, and Bea has two amethysts or more."""
    return bool(state.seat == 0 and state.phase == "advancing" and len(state.players[1].amethysts) > 1)


async def test_points_of_a_running_game_come_with_those_that_secret_amethysts_should_add() -> None:
    session = played(hoping, 0)
    many, means = len(session.full.players[1].amethysts), amethyst_means(session.state.views[0].cave)
    hoped = sum(round(means[each.bag]) for each in session.full.players[1].amethysts)
    script = await heard(session, "score", "players", "quit")
    told = f"If it ended now, without secret amethysts (Bea {many}, about {hoped} points):"
    assert after(script.said, "score")[0] == told
    assert any(line.endswith(f", about {hoped} points in all.") for line in after(script.said, "players"))
    view = session.state.view
    assert FACE.goal_line(view).endswith("secret amethysts at the end")
    assert FACE.sheet_of(GAME.review(session.full)) == FACE.sheet, "nothing is secret after the game"
    screen = table(session)
    async with show(screen, (80, 24)):
        (shown,) = (line for line in text(screen).splitlines() if re.search(r" B +Bea +\d", line))
        assert shown.rstrip().endswith(f"{view.standing[1].total}+{5 * many}")
        assert f"{many} secret," in text(screen)
        assert f"about +{5 * many}" in text(screen)


def test_an_amethyst_that_counts_gems_left_is_hoped_for_until_the_end() -> None:
    """Rule 6.3: many gems are left now, but few will be."""
    position = GAME.position(GAME.new(2, FIRST, "left"))
    position["bags"]["green"].remove("left_1")
    geodes = position["gems"]["geode"]
    geodes.remove(next(at for at in geodes if LEVEL[tuple(at)] == 2))
    position["players"][0]["amethysts"] = [{"bag": "green", "value": "left_1"}]
    session = FakeSession(start=GAME.from_position(position), game=GAME.name)
    (ann, _) = ocelot_player_rows(FACE.scene(session.state, None))
    assert ann.total == 0
    assert 0 < ann.hoped < ann.stones[0].now
    (ann, _) = ocelot_player_rows(FACE.scene(played(over).state, None))
    assert (ann.total, ann.hoped) == (played(over).state.view.standing[0].total, 0)


def test_no_gem_out_of_reach_is_ever_collected() -> None:
    for seed, sight in enumerate(("line", "cave") * 3):
        rng, lost = Random(seed), 0
        state = GAME.new(2, {"companion_sight": sight}, f"reach {seed}")
        while state.seat is not None:
            assert not lost & ~gems_out_of_reach(state)
            lost = gems_out_of_reach(state)
            state = GAME.apply(state, state.seat, sample(rng.choice(GAME.choices(state, state.seat)), rng)).state
        assert lost


async def test_gems_out_of_reach_are_named_with_the_reason_and_not_counted() -> None:
    def surrounded(state: Any) -> list[Any]:
        lost = squares_in_order(gems_out_of_reach(state)) if state.seat == 0 and state.phase == "advancing" else ()
        return [at for at in lost if len(tools_seeing(state, at)) == len(SIDES)]

    session = played(surrounded)
    cave = session.full
    lost = surrounded(cave)[0]
    at, missing = terms.board_place_words(lost), " and a ".join(missing_tools(cave, lost))
    said = (await heard(session, f"look {at}", "board", "quit")).said
    assert f"Nobody can collect it any more: it needs a {missing}, with no side free." in said
    assert f"{at} out of reach" in " ".join(said)
    sign, around = offers_at_place(FACE.scene(session.state, None), lost, None, frozenset()).signs
    assert at in sign.removeprefix("Out of reach, nobody can collect it: ").strip(".").split()
    assert around.startswith("(o): rim spaces")
    rim = next(rim for rim, rays in RAYS.items() if any(lost in ray.line for ray in rays))
    seen = [each for ray in RAYS[rim] for each in ray.line if cave.gem_at(each)]
    few = sum(not BIT[each] & gems_out_of_reach(cave) for each in seen)
    looks = f"look {terms.board_place_words(rim)}"
    rim_words = after((await heard(session, looks, "quit")).said, looks)[0]
    assert f"sees {count(few, 'gem')}, {len(seen) - few} more out of reach" in rim_words
