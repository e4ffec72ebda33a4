"""The actions for absent players are legal, in any state and with any luggage."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cave.game import BadData, Json
from cave.the_cave.state import ITEM_NAMES, UNIQUE_ITEMS, State
from tests.cave.builders import GAME, position, team
from tests.cave.conformance import check_idle, through_text
from tests.cave.players import explorer
from tests.cave.test_conformance import SUBJECT, SWITCHES
from tests.effort import effort

SEATS = st.integers(2, 5)
SWITCH = st.sampled_from(sorted(SWITCHES))


def played(seats: int, switch: str, seed: int, steps: int) -> State:
    """A state reached by random play."""
    rng = Random(seed)
    state: State = GAME.new(seats, SWITCHES[switch], str(seed))
    for _ in range(steps):
        acting = sorted(GAME.to_act(state))
        if not acting:
            break
        seat = rng.choice(acting)
        action = GAME.idle(state, seat) if rng.random() < 0.1 else explorer(GAME, state, seat, rng)
        state = GAME.apply(state, seat, action).state
    return state


def things(rng: Random, room: int) -> Json:
    """Up to this many things; at most one camera and raft."""
    found: dict[str, int] = {}
    for _ in range(rng.randint(0, room)):
        name = rng.choice(ITEM_NAMES)
        found[name] = 1 if name in UNIQUE_ITEMS else found.get(name, 0) + 1
    return found


def rearranged(form: Any, rng: Random) -> Json:
    """The position with other things, camps and places; mostly a valid one."""
    form = through_text(form)
    tiles = [tile["at"] for tile in form["board"]]
    packing = rng.random() < 0.5
    for one in form["teams"]:
        camp = rng.choice(("beside", "packed", "pitched", "abandoned"))
        one["at"] = [0, 0] if packing else rng.choice(tiles)
        one["camp"] = {"state": camp}
        if camp == "pitched":
            one["camp"]["at"] = rng.choice((tiles[0], [0, 0], rng.choice(tiles)))
        if camp in ("packed", "pitched"):
            one["camp"]["items"] = things(rng, 4)
        one["backpack"] = things(rng, 6 if camp == "packed" else 8)
        in_camp = one["camp"].get("items", {})
        for name in UNIQUE_ITEMS:
            if name in in_camp:
                one["backpack"].pop(name, None)
        absent = [name for name in UNIQUE_ITEMS if name not in in_camp and name not in one["backpack"]]
        one["lost"] = [name for name in absent if rng.random() < 0.3]
    seats = range(len(form["teams"]))
    if packing:
        done = rng.sample(seats, rng.randrange(len(seats)))
        form["turn"] = {"seat": form["first_seat"], "ap": 5, "phase": "packing", "packed": done}
    elif form["turn"]["phase"] == "over":
        form["turn"], form["turns_left"] = {"seat": 0, "ap": rng.randint(0, 5), "phase": "actions"}, 1
    else:
        form["turn"]["seat"] = rng.choice(seats)
        form["turn"]["ap"] = rng.randint(0, 5)
        if rng.random() < 0.3:
            form["turn"].update(phase="starving", ap=5)
            form["turn"].pop("drawn", None)
    return form


def look(state: State) -> None:
    for seat in GAME.to_act(state):
        check_idle(SUBJECT, state, seat)


@settings(max_examples=effort(50, 300), deadline=None)
@given(seats=SEATS, switch=SWITCH, seed=st.integers(0, 2**16), steps=st.integers(0, 60))
@example(seats=2, switch="english", seed=0, steps=0)
def test_the_idle_action_is_legal_in_any_loaded_position(seats: int, switch: str, seed: int, steps: int) -> None:
    before = GAME.position(played(seats, switch, seed, steps))
    rng = Random(seed)
    loaded = 0
    for _ in range(20):
        try:
            state = GAME.from_position(rearranged(before, rng))
        except BadData:
            continue
        loaded += 1
        look(state)
    assert loaded, "no position could be loaded: the test looks at nothing"


def test_a_packed_camp_leaves_less_room_for_the_suggested_kit() -> None:
    camp = {"state": "packed", "items": {"raft": 1}}
    state = GAME.from_position(position(ana=team(camp=camp), others=[team(name="Bea")], phase="packing", packed=[]))
    kit = GAME.action_json(GAME.idle(state, 0))["backpack"]
    assert kit == {"consumable": 4, "rope": 1, "oxygen": 1}
    assert GAME.action_json(GAME.idle(state, 1))["backpack"] == {**kit, "camera": 1, "raft": 1}
    look(state)
