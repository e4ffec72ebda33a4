"""The rules core and ``reckoner``, a second implementation: choices, steps and refusals agree."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from cave.cave_vs_cave.game import CAVE_VS_CAVE as GAME
from cave.cave_vs_cave.state import State
from cave.game import Json, Refused
from cave.score import score_json
from tests.cave.cave_vs_cave import crowded, reckoner_refusals, reckoner_steps
from tests.cave.cave_vs_cave.builders import CODES, written
from tests.cave.cave_vs_cave.test_conformance import GAMES
from tests.effort import THOROUGH, effort

RARE = ("cavern", "dig", "no_wall", "no_walls", "not_ahead", "room_used", "too_many_walls")
"""Rare situations that need a large sample."""


def plain(position: Json) -> Json:
    """Return a position without names, empty values and false, with sorted unordered lists."""
    if isinstance(position, list):
        return [plain(each) for each in position]
    if not isinstance(position, dict):
        return position
    form = {name: plain(value) for name, value in position.items() if name != "name"}
    for name in {"rooms", "covered", "walls", "done", "out"} & form.keys():
        # Of the setup of Era II only the dark rooms are ordered.
        if isinstance(form[name], list) and "light" not in form:
            form[name] = sorted(form[name], key=str)
    nothing: Json = ([], {}, False, [[], []])
    usual = {"cavern": "2-3", "edition": "era-1"}
    return {
        name: value
        for name, value in form.items()
        if (type(value) is int or value not in nothing) and usual.get(name) != value
    }


def offered(state: State, seat: int) -> Counter[str]:
    forms = (GAME.choice_json(choice) for choice in GAME.choices(state, seat))
    return Counter(json.dumps(form, sort_keys=True) for form in forms)


def outcome(state: State, seat: int, action: Json) -> Json:
    """Return the position after an action, or the code of its refusal."""
    try:
        return plain(written(GAME.apply(state, seat, GAME.decode(state, seat, action)).state))
    except Refused as refused:
        return refused.code


def reckoned(position: Json, seat: int, action: Json) -> Json:
    after = reckoner_steps.apply(position, seat, action)
    return after if isinstance(after, str) else plain(after)


def check_standing(state: State, position: Json) -> None:
    mine = json.loads(json.dumps([score_json(line) for line in GAME.standing(state)]))
    assert mine == reckoner_steps.standing(position)


def compare(state: State, rng: Random, tries: int) -> Counter[str]:
    """Compare the score, all choices, and the results of some choices and wild actions; return coverage."""
    position, seen = written(state), Counter[str]()
    check_standing(state, position)
    seat = position["turn"]["seat"]
    seen[position["turn"]["phase"]] += 1
    if seat is None:
        legal = []
    else:
        choices = reckoner_refusals.choices(position, seat)
        mine = Counter(json.dumps(choice, sort_keys=True) for choice in choices)
        assert offered(state, seat) == mine
        assert set(mine.values()) == {1}
        legal = [choice["action"] for choice in choices]
    asked = rng.sample(legal, min(tries, len(legal)))
    asked += [crowded.wild_action(rng, position, legal) for _ in range(2 * tries)]
    for action in asked:
        who = rng.randrange(len(position["players"])) if seat is None or rng.random() < 0.03 else seat
        after = reckoned(position, who, action)
        assert outcome(state, who, action) == after, (who, action)
        seen[after if isinstance(after, str) else action["type"]] += 1
    return seen


def gone_on(state: State, rng: Random) -> State:
    """Return the state after a random action; rarely an anytime exchange or the end of the turn."""
    actions = [choice.action for choice in GAME.choices(state, state.seat)]
    kinds = sorted({action.type for action in actions})
    kind = rng.choices(kinds, [{"anytime": 1, "end_turn": 3}.get(each, 9) for each in kinds])[0]
    chosen = rng.choice([action for action in actions if action.type == kind])
    return GAME.apply(state, state.seat, chosen).state


@pytest.mark.parametrize("chosen", GAMES)
def test_both_readings_agree_on_whole_games(chosen: str) -> None:
    seats, settings = GAMES[chosen]
    for number in range(effort(1, 10)):
        rng = Random(f"{chosen}/{number}")
        state = GAME.new(seats, settings, str(number))
        while not GAME.over(state):
            if rng.random() < effort(2, 8) / 10:
                compare(state, rng, 2)
            state = gone_on(state, rng)
        compare(state, rng, 2)


def test_both_readings_agree_on_crowded_positions() -> None:
    """Every action, phase and refusal is seen."""
    seen = Counter[str]()
    for number in range(effort(100, 2000)):
        rng = Random(number)
        position = crowded.position(rng)
        if position is None:
            continue
        state = GAME.from_position(position)
        assert plain(written(state)) == plain(position)
        for _ in range(4):
            seen += compare(state, rng, 2)
            if GAME.over(state):
                break
            state = gone_on(state, rng)
    known = {kind for kinds in reckoner_refusals.PHASES.values() for kind in kinds}
    wanted = {*known, *reckoner_refusals.PHASES, "over", *CODES}
    assert wanted - ({*RARE} if not THOROUGH else set()) <= seen.keys()
