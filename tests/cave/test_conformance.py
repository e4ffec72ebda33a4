"""The Cave, run through the conformance kit: whole games over many seeds, all settings and seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cave.game import Json, Step
from cave.games import get_game
from cave.the_cave.legal import CODES
from cave.the_cave.packing import pack_form, sample_form
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_SLOTS, Items, State, turn_sides
from cave.the_cave.tiles import components
from tests.cave import conformance as kit
from tests.cave import contract
from tests.cave.players import BOUND, explorer
from tests.effort import THOROUGH, effort

GAME = get_game("the-cave")

SWITCHES: dict[str, Json] = {
    "english": {},
    "french": {"edition": "french"},
    "choke_cost": {"choke_cost": 2},
    "final_phase": {"final_phase": "one_turn"},
    "stranded": {"stranded_score_nothing": False},
    "camp_feeds": {"camp_feeds": False},
    "french with a choke for 1": {"edition": "french", "choke_cost": 1},
    "french with three rounds": {"edition": "french", "final_phase": "three_rounds"},
    "french with elimination": {"edition": "french", "stranded_score_nothing": True},
    "french with consumables in the camp": {"edition": "french", "camp_feeds": True},
}


def same_tile(state: State, action: Json, choice: Json) -> bool:
    """Rotations that give the same tile are one choice; a choke's rotation may be 0."""
    if not isinstance(action, dict) or action.get("type") != "place" or choice["type"] != "place":
        return False
    if set(action) - {"type", "at", "rotation"} or repr(action.get("at")) != repr(choice["at"]):
        return False
    rotation = action.get("rotation")
    if state.drawn.kind == "choke":
        return rotation is None or (type(rotation) is int and rotation == 0)
    if type(rotation) is not int or not 0 <= rotation <= 3:
        return False
    return turn_sides(state.drawn.open, rotation) == turn_sides(state.drawn.open, choice["rotation"])


def conserved(start: State, state: State) -> None:
    """No tokens, tiles or things appear or vanish (rules 1, 4.6, 5)."""
    tiles = list(state.board.values())
    for kind, collected in (
        ("water", sum(team.tokens.water for team in state.teams)),
        ("wonder", sum(team.tokens.photo for team in state.teams)),
    ):
        placed = [tile for tile in tiles if tile.kind == kind]
        assert len(placed) == sum(tile.token for tile in placed) + collected
    for level in (1, 2, 3):
        placed = [tile for tile in tiles if tile.kind == "squeeze" and tile.level == level]
        collected = sum(team.tokens.squeeze[level - 1] for team in state.teams)
        assert len(placed) == sum(tile.token for tile in placed) + collected
    assert sum(state.ropes.values()) == sum(team.tokens.traverse for team in state.teams)
    left = sum(map(len, state.stacks))
    in_hand = state.drawn is not None
    assert sum(map(len, start.stacks)) == left + in_hand + len(state.board) - len(start.board)
    for team in state.teams:
        assert min((*team.backpack.counts(), *team.camp.items.counts())) >= 0
        assert team.slots_used <= BACKPACK_SLOTS
        assert team.camp.items.slots_filled <= CAMP_SLOTS
        for name in ("camera", "raft"):
            owned = getattr(team.backpack, name) + getattr(team.camp.items, name) + (name in team.lost)
            assert owned <= 1
        assert list(team.tokens.depth) == sorted(set(team.tokens.depth))
        assert team.at in state.board
        if team.camp.state in ("beside", "abandoned"):
            assert team.camp.items == Items()
    assert 0 <= state.ap <= 5
    exits = [
        (at, to)
        for at, tile in state.board.items()
        if tile.kind not in ("base", "choke")
        for side, to in zip("NESW", [(0, -1), (1, 0), (0, 1), (-1, 0)], strict=True)
        if side in tile.open and (at[0] + to[0], at[1] + to[1]) not in state.board
    ]
    assert state.open_exits == len(exits)


def used_up(before: State, seat: int, action: Any, step: Step[Any, Any]) -> None:
    """Nothing is created: only a pack adds things, and each used thing is accounted for."""
    team, after = before.teams[seat], step.state.teams[seat]
    for other in range(len(before.teams)):
        if other != seat and step.state.seat != other:
            assert before.teams[other] == step.state.teams[other], "another team's things were touched"
    had, has = team.backpack + team.camp.items, after.backpack + after.camp.items
    ate = Counter(event.type for event in step.events if getattr(event, "seat", None) == seat)["ate"]
    match action.type:
        case "pack" | "abandon":
            return
        case "discard":
            assert had == has + action.items
        case "move" | "dive":
            ropes = sum(step.state.ropes.values()) - sum(before.ropes.values())
            dived = action.type == "dive" or action.by == "oxygen"
            assert had.rope - has.rope == ropes == after.tokens.traverse - team.tokens.traverse
            assert had.oxygen_tanks - has.oxygen_tanks == dived
            assert had.consumable - has.consumable == ate
            assert (had.camera, had.raft) == (has.camera, has.raft)
        case _:
            assert replace(had, consumable=had.consumable - ate) == has


def twins(state: State, viewer: int | None, rng: Random) -> Iterator[State]:
    """The stacks in another order, of other tiles, and other packs while packing."""
    shuffled = tuple(tuple(rng.sample(stack, len(stack))) for stack in state.stacks)
    yield replace(state, stacks=shuffled)
    other = tuple(
        tuple(rng.choices(box, k=len(stack))) for stack, box in zip(state.stacks, components().stacks, strict=True)
    )
    yield replace(state, stacks=other)
    if state.phase == "packing":
        teams = []
        for seat, team in enumerate(state.teams):
            if seat != viewer and seat in state.packed:
                fresh = replace(team, backpack=Items(), camp=type(team.camp)())
                pack = sample_form(pack_form(fresh, free=True), rng)
                camp = fresh.camp if pack.camp is None else type(team.camp)("packed", None, pack.camp)
                team = replace(team, backpack=pack.backpack, camp=camp)
            teams.append(team)
        yield replace(state, teams=tuple(teams))


def paid(before: State, seat: int, form: Json, after: State) -> None:
    """The AP of a choice are the AP that it costs."""
    assert 0 <= form["ap"] <= max(before.ap, 0)
    if before.seat == after.seat == seat:
        taken = before.ap - after.ap
        assert taken == form["ap"], f"it said {form['ap']} AP and took {taken}"


SUBJECT = kit.Subject(
    game=GAME,
    player=explorer,
    bound=BOUND,
    codes=CODES,
    same_action=same_tile,
    invariant=conserved,
    step_invariant=used_up,
    check_price=paid,
    twins=twins,
)

look = contract.look_at(SUBJECT)
ALL_SEATS = (2, 3, 4, 5)
EDITIONS = {"english": (2, 3, 5), "french": (2, 4, 5)}
# Both editions with few and many teams; each switch separately, with its own number.
GAMES = {
    f"{switch} {seats}": (seats, SWITCHES[switch])
    for at, switch in enumerate(SWITCHES)
    for seats in (ALL_SEATS if THOROUGH else EDITIONS.get(switch, ALL_SEATS[at % len(ALL_SEATS) :][:1]))
}
TestContract = contract.suite(
    SUBJECT, GAMES, every=effort(67, 23), seeds=effort(4, 12), refused=effort(4, 12), cites=False
)


def test_every_option_makes_a_game() -> None:
    kit.check_options(GAME)


@settings(max_examples=effort(15, 50), deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), seats=st.integers(2, 5), steps=st.integers(0, 60))
def test_the_contract_holds_early_in_every_game(seed: int, seats: int, steps: int) -> None:
    state, rng = kit.after(SUBJECT, seats, {}, seed, steps)
    look(state, rng)
    kit.check_wild_actions(SUBJECT, state, rng, 60)


def test_the_kit_notices_a_wrong_price() -> None:
    """The kit itself can fail: it catches a game with a wrong price."""

    class Liar(type(GAME)):  # type: ignore[misc]
        def choice_json(self, choice: Any) -> Json:
            form = super().choice_json(choice)
            return {**form, "ap": 2} if form["action"]["type"] == "discover" else form

    state = GAME.new(2, {}, "liar")
    for seat in (0, 1):
        state = GAME.apply(state, seat, GAME.decode(state, seat, {"type": "pack", "backpack": {}})).state
    seat = state.seat
    out = next(c for c in GAME.choices(state, seat) if getattr(c, "action", None) and c.action.type == "move")
    state = GAME.apply(state, seat, out.action).state
    kit.check_choices(SUBJECT, state, Random(1))
    with pytest.raises(AssertionError, match="it said 2 AP and took 1"):
        kit.check_choices(replace(SUBJECT, game=Liar()), state, Random(1))
