"""The rules core beside a second reading of the rules, step by step through random games."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from cave.game import Json, Refused
from cave.games import get
from cave.score import score_json
from tests.cave.caves_of_casadh import reckoner
from tests.cave.caves_of_casadh.reckoner.asking import FIELDS, refusal
from tests.cave.caves_of_casadh.reckoner.look import ITEMS, STEPS
from tests.effort import effort

GAME = get("caves-of-casadh")
STEPS_EACH = effort(220, 3000)
WISHES = {
    "explore": 6,
    "collect_items": 6,
    "move": 4,
    "deploy": 2,
    "give_up": 0.05,
    "end_turn": 1,
    "leave": 0.5,
}
"""How likely each kind of action is, beside 2 for the others: so that games get deep and go wrong."""


def start(rng: Random) -> Any:
    """A new game of any settings, in which everybody has some items, and with dice to come."""
    settings: dict[str, Json] = {
        "die_sides": rng.choice((4, 6, 6, 10)),
        "collapsed": rng.choice(("six_stubs", "blocked")),
        "dead_loot": rng.choice(("lost", "on_hex")),
        "round_limit": rng.choice((0, 0, 15)),
    }
    position = GAME.position(GAME.new(rng.randint(2, 6), settings, str(rng.random())))
    for player in position["players"]:
        player["items"] = list(dict.fromkeys(position["supply"][: rng.randint(0, 4)]))
        for kind in player["items"]:
            position["supply"].remove(kind)
    position["dice"] = [rng.randint(1, settings["die_sides"]) for _ in range(rng.randint(0, 20))]
    position["lots"] = [rng.randint(0, 50) for _ in range(rng.randint(0, 5))]
    return GAME.from_position(position)


def wild(rng: Random, position: Json) -> Json:
    """An action that is most often wrong in some way."""
    kind = rng.choice([*FIELDS, "dance"])
    action: dict[str, Json] = {"type": kind}
    for name, form in FIELDS.get(kind, {}).items():
        if form == "cell":
            (q, r), (dq, dr) = rng.choice(position["map"])["at"], rng.choice([(0, 0), *STEPS])
            action[name] = [q + dq, r + dr]
        elif form == "kinds":
            action[name] = [rng.choice(ITEMS) for _ in range(rng.randint(0, 2))]
        else:
            action[name] = rng.randint(-1, 7)
    if rng.random() < 0.1:
        action["more"] = 1
    return action


def any_order(position: Json) -> Json:
    """The position with everything written out, and lists sorted of which the order means nothing."""
    whole = reckoner.full(json.loads(json.dumps(position)))
    for each in (*whole["players"], *whole["map"]):
        for name in ("items", "treasures", "dynamite"):
            if name in each:
                each[name] = sorted(each[name], key=json.dumps)
    whole["map"].sort(key=lambda laid: laid["at"])
    return whole


def as_told(choices: list[Json]) -> list[str]:
    return sorted(json.dumps(each, sort_keys=True) for each in choices)


def filled(rng: Random, choice: Json) -> Json:
    """The action of a choice; a form is filled at random."""
    action = dict(choice["action"])
    if "limits" in choice:
        kinds = choice["limits"]["items"]
        action["items"] = rng.sample(kinds, rng.randint(1, len(kinds)))
    return action


def code_of(state: Any, seat: int, action: Json) -> str | None:
    """The code with which the core refuses an action."""
    try:
        GAME.apply(state, seat, GAME.decode(state, seat, action))
    except Refused as no:
        return no.code
    return None


@pytest.mark.parametrize("seed", range(effort(6, 60)))
def test_both_readings_agree_all_through_random_games(seed: int) -> None:
    """Position, choices with prices, refusals, standing and what is repeated, at each step."""
    rng = Random(seed)
    state = start(rng)
    for _ in range(STEPS_EACH):
        position = GAME.position(state)
        seat = state.seat
        told = [GAME.choice_json(each) for each in GAME.choices(state, seat)] if seat is not None else []
        assert as_told(told) == as_told(reckoner.choices(position, seat) if seat is not None else [])
        assert [score_json(line) for line in GAME.standing(state)] == reckoner.standing(position)
        action = wild(rng, position)
        anybody = rng.randrange(len(state.players))
        for who in {anybody, anybody if seat is None else seat}:
            wanted = refusal(reckoner.full(position), who, action)
            assert code_of(state, who, action) == wanted, (position["turn"], who, action)
        if seat is None:
            return
        chosen = [filled(rng, each) for each in told]
        action = rng.choices(chosen, [WISHES.get(each["type"], 2) for each in chosen])[0]
        after = GAME.apply(state, seat, GAME.decode(state, seat, action)).state
        assert any_order(GAME.position(after)) == any_order(reckoner.apply(position, seat, action)), action
        assert GAME.turn_json(after) == reckoner.status(GAME.position(after))
        state = after
