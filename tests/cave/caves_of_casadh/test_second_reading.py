"""The rules core and ``reckoner``, a second implementation: choices, steps and refusals agree."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from random import Random

import pytest

from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.state import State
from cave.game import Json, Refused
from tests.cave.caves_of_casadh import crowded, reckoner, reckoner_steps
from tests.effort import effort

SETTINGS: list[Json] = [{}, {"die_sides": 4, "collapsed": "blocked", "dead_loot": "on_hex", "round_limit": 30}]
RARE = ("grue_there", "illegal_hex", "no_route", "not_at_marker", "not_enough_mp", "not_here")
"""Rare refusals, which need a large sample."""
USUAL = {"edition": "2.0.3", "die_sides": 6, "collapsed": "six_stubs", "dead_loot": "lost", "round_limit": 0}


def written(state: State) -> Json:
    return json.loads(json.dumps(GAME.position(state)))


def plain(position: Json) -> Json:
    """A position with its defaults, no names, and unordered lists sorted."""
    players = [
        {"items": [], "misfortunes": [], "treasures": [], **player, "name": ""} for player in position["players"]
    ]
    for player in players:
        player["items"], player["treasures"] = sorted(player["items"]), sorted(player["treasures"])
    tiles = [
        {
            **{"rotation": 0, "token": False, "grues": 0, **tile},
            **{name: sorted(tile.get(name, []), key=str) for name in ("items", "dynamite")},
            "treasures": sorted(str((each["value"], each.get("seen"))) for each in tile.get("treasures", [])),
        }
        for tile in position["map"]
    ]
    turn = {"mp": 0, **position["turn"], "offer": sorted(position["turn"].get("offer", []))}
    if turn.get("by") == "explore":
        turn.setdefault("icons", 0)
    lists = ("hexes", "cards", "discards", "supply", "bag", "dice", "lots")
    return {
        **{name: [] for name in lists},
        **{"first_seat": 0, "round": 1, "vengeance": 0, "seed": "", "chance": 0},
        **position,
        **{"players": players, "map": sorted(tiles, key=lambda tile: tile["at"]), "turn": turn},
        **{"surface": sorted(position.get("surface", []))},
        **{"settings": {**USUAL, **position.get("settings", {})}},
    }


def offered(state: State, seat: int) -> dict[str, int]:
    """Each choice with its price; each subset of the items to collect is one."""
    found: dict[str, int] = {}
    for choice in GAME.choices(state, seat):
        form = GAME.choice_json(choice)
        kinds = sorted(form.get("limits", {}).get("items", []), key=reckoner.ITEMS.index)
        parts = [part for number in range(len(kinds)) for part in combinations(kinds, number + 1)]
        for action in [{**form["action"], "items": [*part]} for part in parts] or [form["action"]]:
            found[json.dumps(action, sort_keys=True)] = form["mp"]
    return found


def code(state: State, seat: int, action: Json) -> str:
    try:
        GAME.apply(state, seat, GAME.decode(state, seat, action))
    except Refused as refused:
        return refused.code
    return ""


def compare(state: State, rng: Random, steps: int = 4) -> Counter[str]:
    """Compare all choices, some steps and some refusals; return the coverage."""
    position, seen = written(state), Counter[str]()
    seat = position["turn"]["seat"]
    mine = {
        json.dumps(action, sort_keys=True): reckoner.price(position, action) for action in reckoner.actions(position)
    }
    assert offered(state, seat) == mine
    for text in rng.sample([*mine], min(steps, len(mine))):
        action = json.loads(text)
        seen[action["type"]] += 1
        later = GAME.apply(state, seat, GAME.decode(state, seat, action)).state
        assert plain(written(later)) == plain(reckoner_steps.after(position, action)), action
        lines = [
            {"total": line.total, "stranded": bool(line.note), "winner": line.winner} for line in GAME.standing(later)
        ]
        assert lines == reckoner_steps.standing(written(later))
    for _ in range(steps):
        asked = rng.choice([seat, seat, seat, rng.randint(-1, len(position["players"]))])
        action = crowded.wild_action(rng, position)
        refused = reckoner.code(position, asked, action)
        assert code(state, asked, action) == refused, (asked, action)
        seen[refused] += 1
    return seen


def taken(state: State, rng: Random) -> Action:
    """A random action, preferably one that continues the game."""
    offers = GAME.choices(state, min(GAME.to_act(state)))
    actions = [GAME.sample(choice, rng) for choice in offers]
    lively = [action for action in actions if action.type not in ("give_up", "end_turn", "leave", "slide")]
    return rng.choice(lively if lively and rng.random() < 0.7 else actions)


@pytest.mark.parametrize("settings", SETTINGS, ids=["usual", "house rules"])
@pytest.mark.parametrize("seats", GAME.seats)
def test_both_readings_agree_on_whole_games(seats: int, settings: Json) -> None:
    for number in range(effort(2, 20)):
        rng = Random(f"{seats}/{number}")
        state = GAME.new(seats, settings, str(number))
        while not GAME.over(state):
            if rng.random() < effort(1, 5) / 10:
                compare(state, rng)
            state = GAME.apply(state, min(GAME.to_act(state)), taken(state, rng)).state
        assert not [*reckoner.actions(written(state))]


def test_both_readings_agree_on_crowded_positions() -> None:
    """Every action is seen, and refusals of all sorts."""
    seen = Counter[str]()
    for number in range(effort(300, 10000)):
        rng = Random(number)
        position = crowded.position(rng)
        if position is not None:
            state = GAME.from_position(position)
            assert plain(written(state)) == plain(position)
            seen += compare(state, rng)
    assert {*" ".join(reckoner.PHASES.values()).split(), *RARE} <= seen.keys()
