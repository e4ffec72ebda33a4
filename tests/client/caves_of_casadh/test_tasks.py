"""The choices by number and letter: the same for every viewer of a position."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh.components import NAMES, facing, layout
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.codec import to_json
from cave.game import Idea
from client.games.caves_of_casadh import guide
from client.games.caves_of_casadh.face import FACE
from client.games.caves_of_casadh.scene import card_words, misfortune_words, why_turn_ended
from client.games.caves_of_casadh.tasks import BRIEF, tasks_of_seat
from client.games.caves_of_casadh.terms import WAYS
from client.present.advice import suggested_first
from client.present.log import entries
from tests.cave.caves_of_casadh.builders import inside, laid, out, state
from tests.client.caves_of_casadh import tables


def test_every_choice_has_distinct_words() -> None:
    """Two ways to lay a hex have different words, even if both lead to the same sides."""
    told = Counter[str]()
    for seed in range(12):
        now, rng = GAME.new(3, {"round_limit": 15}, str(seed)), Random(seed)
        while now.seat is not None:
            choices = GAME.choices(now, now.seat)
            found = tasks_of_seat(now, now.seat, choices, ("Ann", "Bea", "Cyd"))
            words = [(task.words, task.key if task.key.isalpha() else "") for task in found]
            if now.phase == "placing":
                assert len({*words}) == len(words), words
                told["placing"] += 1
                assert len({task.brief for task in found}) == len(found), found
                assert all(len(task.brief) <= BRIEF for task in found), found
                assert sum(1 + len(task.alike) for task in found) == len(choices)
                told["marker"] += any("; beside it " in task.words for task in found)
            now = GAME.apply(now, now.seat, GAME.sample(rng.choice(choices), rng)).state
    assert told["placing"] > 40
    assert told["marker"]


def test_a_short_line_fits_at_80x24_and_names_the_entry_side() -> None:
    """A way names its side and the passage beyond it; a column has room for 24 letters."""
    rope = inside((0, -1), 0, items=["rope"])
    now = state(rope, hexes=[laid((0, -1), "L2-19"), laid((0, -2), "L1-03")])
    found = tasks_of_seat(now, 0, GAME.choices(now, 0), ("Ann", "Bea"))
    assert all(len(task.brief) <= BRIEF for task in found)
    ways = [task for task in found if ": " in task.brief and task.at]
    assert ways
    for task in ways:
        found_in = re.fullmatch(r"(slide, |climb, |)(\w+): (.+)", task.brief)
        assert found_in
        verb, side, there = found_in.groups()
        assert f"{WAYS[NAMES.index(side)]}: {there}" in task.words
        assert task.words.startswith(verb)


NORTH = (0, -1)
TREASURE = {"value": 9}


@pytest.mark.parametrize(
    ("ann", "hexes", "tip"),
    [
        # A grue bars the way, and a Lantern helps (rule 8.1); a Rope helps up a slope (rule 4.5).
        (inside((0, -2), 0), [laid((0, -2), "L1-01"), laid(NORTH, "L1-02", grues=1)], "grue on the way"),
        (inside(NORTH, 1), [laid(NORTH, "L1-14", 3)], "slope on the way"),
        (inside(NORTH, 0), [laid(NORTH, "L1-14", 3)], "slope"),
        (inside(NORTH, 1, items=["rope"]), [laid(NORTH, "L1-14", 3)], "rope"),
        (inside(NORTH), [laid(NORTH, "L1-01", items=["boots"], treasures=[TREASURE])], "collect"),
        (inside(NORTH), [laid(NORTH, "L1-01", treasures=[TREASURE])], "treasure"),
        (inside(NORTH), [laid(NORTH, "L1-01", items=["boots"])], "items"),
        (inside(NORTH, items=["boots"]), [laid(NORTH, "L1-01", items=["boots"])], "explore"),
    ],
)
def test_a_tip_names_present_and_missing_items(ann: Any, hexes: Any, tip: str) -> None:
    now = state(ann, hexes=hexes, pile=["L1-07"])
    assert guide.newcomer_guide().tip_to_show(FACE.scene(tables.placed(now).state, None)) == tip


@pytest.mark.parametrize(
    ("back", "items", "said", "price", "logged"),
    [
        (0, [], "slide to", "0 MP, ends turn", "slides down to another passage"),
        (0, ["rope"], "slide to", "0 MP", "slides down to another passage"),
        (1, ["rope"], "climb to", "0 MP", "climbs up to another passage"),
    ],
)
def test_a_slope_names_its_direction_and_the_end_of_a_turn(
    back: int, items: Any, said: str, price: str, logged: str
) -> None:
    """A slope is climbed against its arrow (rule 4.5); without MP a slide may be the last action (rule 3.4)."""
    turned = next(each for each in range(6) if layout("L1-14", each).owner[facing(0)] == back)
    session = tables.placed(state(inside(hp=1, items=items), inside(), mp=1, hexes=[laid(NORTH, "L1-14", turned)]))
    for seat, action in ((0, act.EndTurn()), (1, act.EndTurn()), (0, act.Move(NORTH))):
        session.play(seat, action)
    shown = FACE.scene(session.state, None)
    (task,) = (each for each in shown.tasks if each.kind == "slide")
    assert (task.words[:8], task.price, task.danger) == (said, price, "" if items else "no way home")
    assert FACE.action_harm(shown, to_json(task.actions[0])) == task.danger, "no second choice of a hint"
    hint = FACE.action_words(shown, to_json(task.actions[0]))
    assert hint == f"{task.words}{' and end the turn' * ('ends' in price)} ({task.key})"
    session.play(0, task.actions[0])
    told = [each.sentence for each in entries(FACE.log_line, session.state.log, session.state.view)]
    assert told[-1] == f"Ann {logged}"
    shown = FACE.scene(session.state, None)
    assert shown.can_act == ("ends" not in price)
    assert ("slide ended your turn" in why_turn_ended(shown)) == ("ends" in price)


@pytest.mark.parametrize(
    ("card", "items", "said"),
    [
        ("C17", [], "Twisted Ankle: 1 MP less each turn, until a Medkit or Base Camp ends it."),
        ("C15", [], "Rockfall: 1 HP lost, until a Medkit heals you."),
        ("C07", ["battery"], ""),
    ],
)
def test_what_a_misfortune_does_is_said_until_the_next_action(card: str, items: list[str], said: str) -> None:
    """Also after a rival's turn. The log has room for a line, and finds and rolls come after the misfortune."""
    now = state(inside(items=items), inside(), cards=[card], pile=["L1-01", "L1-26"], bag=[2, 7])
    session = tables.placed(now)
    for seat, action in ((0, act.Explore(NORTH)), (0, act.Place(0)), (0, act.EndTurn()), (1, act.EndTurn())):
        if session.full.phase == "keeping":
            session.play(0, act.Keep(7))
        session.play(seat, action)
        placed = bool(session.full.map.get(NORTH))
        assert misfortune_words(FACE.scene(session.state, None)) == said * placed
    session.play(0, act.Move((0, 0)))
    assert misfortune_words(FACE.scene(session.state, None)) == ""


@pytest.mark.parametrize(
    ("card", "keeps", "said"),
    [
        ("C02", False, "your card: 1 MP, Rope"),
        ("C03", True, "your card: 1 MP, 2 treasures"),
        ("C01", False, "your card: 1 MP, nothing else"),
    ],
)
def test_what_a_card_brings_is_said_until_the_next_action(card: str, keeps: bool, said: str) -> None:
    now = state(inside(), inside(), cards=[card], pile=["L1-01", "L1-26"], bag=[2, 7], supply=["rope"])
    session = tables.placed(now)
    for action in (act.Explore(NORTH), act.Place(0), *[act.Keep(7)] * keeps):
        session.play(0, action)
    assert card_words(FACE.scene(session.state, None)) == said
    session.play(0, act.Move((0, 0)))
    assert card_words(FACE.scene(session.state, None)) == ""


@pytest.mark.parametrize(
    ("mp", "mine", "theirs", "warns"),
    [(4, [3], [5, 5, 5], True), (1, [3], [5, 5, 5], False), (4, [], [5, 5, 5], False), (4, [3], [5, 5], False)],
)
def test_who_can_be_out_before_a_loaded_rival_is_warned(mp: int, mine: Any, theirs: Any, warns: bool) -> None:
    hexes, surface = [laid(NORTH, "L1-01")], [9, 7, 3, 1]
    now = state(inside(NORTH, treasures=mine), inside(NORTH, treasures=theirs), mp=mp, hexes=hexes, surface=surface)
    found = guide.newcomer_guide().warning(FACE.scene(tables.placed(now).state, None))
    assert (found == "first out") == warns


def test_a_lead_for_good_goes_home() -> None:
    """The tutor does not warn of it, and a hint names it first: all rivals are out or dead, with fewer points."""
    for bea, leads in ((out(treasures=[5, 5]), True), (out(treasures=[5] * 4), False), (inside(NORTH), False)):
        now = state(inside((0, -2), treasures=[9, 9, 2]), bea, hexes=HALLS, pile=["L1-07"], surface=[])
        shown = FACE.scene(tables.placed(now).state, None)
        explore = {"type": "explore", "to": [0, -3]}
        # A hint names this action even if it is not among the judge's ideas.
        found = suggested_first(FACE, shown, [Idea(explore, 0.9), Idea({"type": "end_turn"}, 0.5)])
        assert ([each.action for each in found] == [BACK]) == leads
        assert ("so you win" in FACE.action_reason(shown, BACK)) == leads
        assert FACE.tutor_accepts(shown, BACK) == leads
        assert (guide.newcomer_guide().tip_to_show(shown) == "won") == leads
        assert not FACE.tutor_accepts(shown, explore)
    assert shown.why_not_there((0, 0)) == "Base Camp is 2 MP away, and you have 4. Go step by step, south first."


@pytest.mark.parametrize(
    ("bea", "level", "mine", "ahead"),
    [
        (inside(NORTH, treasures=[3, 3, 3]), "novice", [9, 9], True),
        (inside(NORTH, treasures=[3, 3, 3]), "novice", [9], False),
        (inside(NORTH, treasures=[3] * 5), "novice", [9, 9], False),
        (inside(NORTH), "guide", [9, 9, 9], False),
        (out(treasures=[5] * 4), "guide", [9, 9], True),
    ],
)
def test_a_lead_that_a_novice_hardly_ever_reaches_goes_home(bea: Any, level: str, mine: Any, ahead: bool) -> None:
    now = state(inside((0, -2), treasures=mine), bea, hexes=HALLS, pile=["L1-07"], surface=[9, 7, 4, 2])
    found = tables.placed(now).state
    shown = FACE.scene(replace(found, seats=(found.seats[0], replace(found.seats[1], level=level))), None)
    assert (FACE.sure_win(shown) == BACK) == ahead
    assert ("far enough ahead" in FACE.action_reason(shown, BACK)) == ahead
    assert FACE.tutor_accepts(shown, BACK) == ahead


def test_the_tutor_does_not_warn_against_leaving_with_a_lead() -> None:
    for treasures, leads in (([9, 9, 8], True), ([2], False)):
        now = state(inside((0, 0), treasures=treasures), inside((0, 0), treasures=[5]), hexes=[])
        shown = FACE.scene(tables.placed(now).state, None)
        assert FACE.tutor_accepts(shown, {"type": "leave"}) is leads
        assert not FACE.tutor_accepts(shown, {"type": "end_turn"})


def test_a_hint_is_a_readable_sentence() -> None:
    shown = FACE.scene(tables.played(tables.placing).state, None)
    for task in shown.tasks:
        said = FACE.action_words(shown, to_json(task.actions[0]))
        assert re.fullmatch(rf"lay the hex (leading on to .+|as a dead end.*) \({task.key}\)", said)
        assert FACE.action_reason(shown, to_json(task.actions[0])).startswith("the marker is in ")


@pytest.mark.parametrize(
    ("bea", "race", "close"),
    [
        (inside((0, 0), treasures=[5, 5, 5]), "can leave next turn with about 22 points (6 to 33)", ""),
        (
            out(treasures=[5] * 4),
            "is out with about 22 points (0 to 36)",
            "; Bea is out with 0 to 36 points, and a tie goes to more HP",
        ),
        (out(treasures=[0]), "", "; nobody can have as many, so you win once you are out"),
        (inside((0, 0), treasures=[5, 5]), "", ""),
    ],
)
def test_a_hint_names_a_rival_who_is_ahead_and_may_leave(bea: Any, race: str, close: str) -> None:
    shown = FACE.scene(tables.placed(state(inside((0, 0), treasures=[3]), bea, surface=[7, 6, 4, 2])).state, None)
    ahead = (
        f"; Bea {race}; you could leave with 16 now, but should find more"
        if race
        else "; you carry 3 (16 with the Surface)"
    )
    reasons = [FACE.action_reason(shown, each) for each in ({"type": "explore", "to": [0, -1]}, {"type": "leave"})]
    assert reasons[0] == f"it may bring treasure, 1 hex from Base Camp{ahead}"
    assert reasons[1] == f"you are safe then with 16 points, 13 of them from the Surface{close}"


def test_a_hint_counts_the_treasures_seen_on_the_surface() -> None:
    """Rules 6.3 and 9.2."""
    ann, bea = inside(NORTH, treasures=[3]), inside(treasures=[5])
    session = tables.placed(state(ann, bea, seat=1, surface=[9, 8, 2, 0], hexes=[laid(NORTH, "L1-01")]))
    session.play(1, act.Leave())
    reason = FACE.action_reason(FACE.scene(session.state, None), {"type": "explore", "to": [0, -2]})
    assert "Bea is out with about 22 points (17 to 26); you carry 3 (5 with the Surface)" in reason


HOME, BACK = {"type": "move", "to": [0, 0]}, {"type": "move", "to": [0, -1]}
EXPLORE, CARRIED = {"type": "explore", "to": [1, 0]}, "you carry 3 (19 with the Surface)"
HALLS = [laid(NORTH, "L1-01", items=["medkit"]), laid((0, -2), "L1-02")]


@pytest.mark.parametrize(
    ("at", "action", "then", "says"),
    [
        ((0, -2), BACK, [], "it is the way home with your 3 points (19 with the Surface), 2 MP"),
        ((0, -2), BACK, [HOME, EXPLORE], f"it is the way to explore south-east of Base Camp; {CARRIED}"),
        ((0, 0), BACK, [{"type": "end_turn"}, {"type": "collect_treasure"}], f"it is the way to a treasure; {CARRIED}"),
        ((0, 0), BACK, [], CARRIED),
        (NORTH, HOME, [EXPLORE], f"from there you can explore south-east; {CARRIED}"),
        (NORTH, {"type": "collect_items", "items": ["medkit"]}, [], "once, it restores you to 4 HP"),
        (NORTH, {"type": "collect_items", "items": ["battery"]}, [], "against Flashlight Out"),
        (NORTH, {"type": "collect_items", "items": ["canteen"]}, [], "against Thirst, in case a card brings it"),
    ],
)
def test_a_hint_says_what_the_action_is_good_for(at: Any, action: Any, then: Any, says: str) -> None:
    ann = inside(at, treasures=[3], misfortunes=["C07"])
    now = state(ann, inside((0, 0)), hexes=HALLS, pile=["L1-07"], surface=[9, 7])
    shown = FACE.scene(tables.placed(now).state, None)
    assert FACE.action_reason(shown, action, then) == says
    assert FACE.turns_back(shown, Idea(action, then=tuple(then))) == ("the way home" in says)


def test_a_hint_describes_how_far_a_grue_is_driven() -> None:
    """To any hex with a grue icon, no grue and no pawn (rule 8.4)."""
    hexes = [laid(NORTH, "L1-06", grues=1), laid((0, -2), "L2-01"), laid((0, -3), "L2-08", 2)]
    now = state(inside(NORTH, items=["lantern"]), phase="driving", hexes=hexes)
    shown = FACE.scene(tables.placed(now).state, None)
    said = [FACE.action_reason(shown, {"type": "drive", "to": [0, y]}) for y in (-2, -3)]
    assert said == ["it is 1 hex away from you then", "it is 2 hexes away from you then"]
