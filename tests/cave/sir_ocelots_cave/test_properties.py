"""Invariants of any game, checked from its events and its position (rules 2 to 6)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cave.game import Json
from cave.score import score_json
from cave.sir_ocelots_cave.components import LEVEL, SQUARES
from cave.sir_ocelots_cave.state import State
from tests.cave.sir_ocelots_cave import reckoner
from tests.cave.sir_ocelots_cave.builders import GAME
from tests.cave.sir_ocelots_cave.test_conformance import SETTINGS, collector
from tests.effort import effort

POINTS = {"rock_crystal": 1, "opal": 3, "emerald": 5, "red_beryl": 7, **dict.fromkeys(reckoner.CELESTITES, 1)}
games = settings(max_examples=effort(8, 60), deadline=None, derandomize=True)
any_game = given(seed=st.integers(0, 10**6), chosen=st.sampled_from(sorted(SETTINGS)))


def played(seed: int, chosen: str) -> tuple[list[State], list[Json]]:
    """All states of a game, and all its events."""
    rng, now = Random(seed), GAME.new(2, SETTINGS[chosen], str(seed))
    states, events = [now], []
    while now.seat is not None:
        step = GAME.apply(now, now.seat, collector(GAME, now, now.seat, rng))
        now = step.state
        states.append(now)
        events += [GAME.event_json(event) for event in step.events]
    return states, events


@games
@any_game
def test_2_a_new_game_has_exactly_the_components_of_the_box(seed: int, chosen: str) -> None:
    now = GAME.position(GAME.new(2, SETTINGS[chosen], str(seed)))
    assert sum(map(len, now["gems"].values())) == len(SQUARES)
    assert sum(map(len, now["bags"].values())) == 16
    assert now["turn"] == {"seat": now["first_seat"], "phase": "advancing"}


@games
@any_game
def test_3_every_turn_has_its_steps_in_their_order(seed: int, chosen: str) -> None:
    """At most one advance, then one piece, then a collection with its draws; then the end of the turn."""
    _, events = played(seed, chosen)
    turn: list[str] = []
    turns = 0
    levels = {0: 0, 1: 0}
    for event in events:
        kind = event["type"]
        if kind in ("advanced", "companion_placed"):
            at = tuple(event["to"] if kind == "advanced" else event["at"])
            levels[event["seat"]] += 1
            assert LEVEL[at] == levels[event["seat"]], "one level at a time, and never back"
            assert event["takes"] in (None, "rock_crystal", *reckoner.CELESTITES)
            assert kind == "companion_placed" or event["takes"] in (None, "rock_crystal")
        if kind in ("turn_began", "ended"):
            continue
        if kind != "turn_ended":
            turn.append(kind)
            continue
        turns += 1
        pieces = [kind for kind in turn if kind in ("tool_placed", "companion_placed")]
        assert len(pieces) == 1
        order = [kind for kind in turn if kind != "drew"]
        before = order[: order.index(pieces[0])]
        assert before in ([], ["advanced"])
        assert order[len(before) + 1 :] in ([], ["collected"])
        turn = []
    assert turns == 32


@games
@any_game
def test_4_only_collectable_gems_were_collected(seed: int, chosen: str) -> None:
    """Every collected gem was collectable by a naive implementation of the rules; tools stay."""
    states, _ = played(seed, chosen)
    for before, after in pairwise(states):
        assert before.tools.items() <= after.tools.items()
        if before.phase != "collecting":
            continue
        position = GAME.position(before)
        for at in before.gems_on_board().keys() - after.gems_on_board().keys():
            assert reckoner.is_collectable(position, before.seat, list(at))


@games
@any_game
def test_5_amethysts_are_drawn_for_geodes_and_sets_and_for_nothing_else(seed: int, chosen: str) -> None:
    _, events = played(seed, chosen)
    due: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    celestites: dict[int, Counter[str]] = {0: Counter(), 1: Counter()}
    for event in events:
        if event["type"] == "collected":
            for gem in event["gems"]:
                due[f"geode {reckoner.BAG[LEVEL[tuple(gem['at'])]]}"] += gem["kind"] == "geode"
                celestites[event["seat"]][gem["kind"]] += 1
        elif event["type"] in ("advanced", "companion_placed"):
            celestites[event["seat"]][event["takes"] or ""] += 1
        elif event["type"] == "drew":
            drawn[f"{event['by']} {event['bag']}"] += 1
    due["celestites blue"] = sum(min(each[gem] for gem in reckoner.CELESTITES) for each in celestites.values())
    assert +drawn == +due


@games
@any_game
def test_6_the_score_sheet_follows_from_the_position(seed: int, chosen: str) -> None:
    """Computed from the JSON of the position, during a game and at its end."""
    states, _ = played(seed, chosen)
    for state in (states[len(states) // 2], states[-1]):
        position = GAME.position(state)
        lines = [score_json(line) for line in GAME.standing(state)]
        totals = [reckoned(position, seat) for seat in (0, 1)]
        assert [line["total"] for line in lines] == totals
        ranks = [(totals[seat], len(position["players"][seat]["amethysts"])) for seat in (0, 1)]
        assert [line["winner"] for line in lines] == [rank == max(ranks) for rank in ranks]


def reckoned(position: Json, seat: int) -> int:
    """The points of a seat, by the text of rule 6."""
    player: Any = position["players"][seat]
    have = player["collected"]
    total = sum(POINTS[gem] * number for gem, number in have.items())
    counts = position["settings"].get("count_geodes_left", True)
    left = [
        reckoner.level_of(at) for gem, where in position["gems"].items() for at in where if counts or gem != "geode"
    ]
    for amethyst in player["amethysts"]:
        match amethyst["value"]:
            case "value_1":
                total += sum(number for gem, number in have.items() if POINTS[gem] == 1)
            case "value_3":
                total += have.get("opal", 0)
            case "left_1":
                total += left.count(1)
            case "left_2_3":
                total += 2 * (left.count(2) + left.count(3))
            case number:
                total += number
    return total
