"""The Caves of Casadh, run through the conformance kit: whole games of all tables and all settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cave.caves_of_casadh.components import COLLAPSED, HAZARDS, ITEMS, PAINTINGS, components
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.state import State, count_spelunkers
from cave.game import AnyGame, BadData, Json, Step
from tests.cave import conformance as kit
from tests.cave import contract
from tests.cave.caves_of_casadh.builders import CODES, inside, laid, position
from tests.effort import effort

SETTINGS: dict[str, tuple[int, Json]] = {
    "two": (2, {}),
    "three, things of the dead stay": (3, {"dead_loot": "on_hex"}),
    "four, collapsed hexes are shut": (4, {"collapsed": "blocked", "die_sides": 8}),
    "five, a die of four": (5, {"die_sides": 4, "dead_loot": "on_hex"}),
    "six, thirty rounds": (6, {"round_limit": 30}),
    "two, twelve rounds": (2, {"round_limit": 12, "die_sides": 10}),
}
LONG = 260
"""Actions after which the player of these tests gives up wherever it can."""


def wanderer(game: AnyGame, state: State, seat: int, rng: Random) -> Any:
    """Acts at random, but gives up and leaves only late; prefers dynamite and items."""
    choices = game.choices(state, seat)
    late = state.round > LONG // len(state.players)
    if late:
        gives_up = [choice for choice in choices if choice.type in ("give_up", "leave")]
        choices = gives_up or choices
    else:
        tame = [choice for choice in choices if choice.type not in ("give_up", "leave")]
        rare = [choice for choice in tame if choice.type in ("deploy", "collect_items", "defuse")]
        choices = rare if rare and rng.random() < 0.4 else tame or choices
        if state.round > 25 and len(choices) < len(game.choices(state, seat)) and rng.random() < 0.05:
            choices = game.choices(state, seat)
    return game.sample(rng.choice(choices), rng)


def conserved(start: State, state: State) -> None:
    """Hexes, cards, items and treasures are neither created nor duplicated."""
    box = components()
    hexes = [*(laid.hex for laid in state.map.values()), *state.hexes]
    hexes += [state.drawn.hex] if state.drawn else []
    assert all(number == 1 or each == COLLAPSED for each, number in Counter(hexes).items())
    assert len(hexes) == len(start.map) + len(start.hexes), "a hex is lost"
    held = [card for player in state.players for card in player.misfortunes]
    cards = Counter([*state.cards, *state.discards, *held])
    assert cards == Counter({each.id: each.copies for each in box.cards.values()})
    items = Counter([*state.supply, *(kind for player in state.players for kind in player.items)])
    items += Counter(kind for laid in state.map.values() for kind in laid.items)
    assert items <= Counter({kind: box.items[kind].count for kind in ITEMS})
    values = Counter([*state.bag, *state.surface])
    values += Counter(value for player in state.players for value in player.treasures)
    values += Counter(each.value for laid in state.map.values() for each in laid.treasures)
    values += Counter(state.offer.values if state.offer else ())
    assert values <= Counter(dict.fromkeys(range(10), 10))
    for player in state.players:
        assert (player.state == "dead") == (player.hp == 0)
        assert (player.at is not None) == (player.state == "in")
        assert len({*player.items}) == len(player.items)
    assert all(not laid.token or laid.layout.hex.hazard in HAZARDS[:3] for laid in state.map.values())


def told(before: State, seat: int, action: Any, step: Step[Any, Any]) -> None:
    """Events report every change: deaths, new turns, rolls."""
    types = [event.type for event in step.events]
    after = step.state
    died = sum(player.state == "dead" for player in after.players)
    assert types.count("died") == died - sum(player.state == "dead" for player in before.players)
    assert types.count("left") == count_spelunkers(after, "out") - count_spelunkers(before, "out")
    assert types.count("game_over") == (after.phase == "over")
    if after.seat != before.seat and after.phase != "over":
        assert types.count("turn_began") >= 1
    assert len(after.discards) >= len(before.discards) or "card_drawn" in types
    assert after.round >= before.round
    assert after.mp <= 4


def paid(before: State, seat: int, choice: Json, after: State) -> None:
    """The price is paid at once, except when a card or the end of the turn decides the MP."""
    kind = choice["action"]["type"]
    if after.seat == seat and kind not in ("explore", "place", "collect_items") and after.round == before.round:
        assert after.mp == before.mp - choice["mp"]
    if kind == "explore":
        assert (choice["mp"], after.mp) == (1, before.mp)


def same_rotation(state: State, one: Json, other: Json) -> bool:
    """Whether two rotations are the same choice: every passage has the same sides."""
    from cave.caves_of_casadh.components import layout

    if state.drawn is None or not isinstance(one, dict) or one.keys() != {"type", "rotation"}:
        return False
    if other["type"] != "place" or one["type"] != "place" or type(one["rotation"]) is not int:
        return False
    first, second = (layout(state.drawn.hex, each["rotation"] % 6) for each in (one, other))
    return one["rotation"] in range(6) and first.sides == second.sides and _aligned(state, one["rotation"])


def _aligned(state: State, rotation: int) -> bool:
    from cave.caves_of_casadh.actions import Place
    from cave.caves_of_casadh.legal import refusal

    return refusal(state, state.seat, Place(rotation)) is None


def twins(state: State, viewer: int | None, rng: Random) -> Iterator[State]:
    """Other players' treasures changed, and everything still to come in another order."""
    for _ in range(2):
        yield GAME.imagine(GAME.view(state, viewer), str(rng.random()))
    yield replace(state, seed="another", chance=3)
    other = state.phase != "over" and [seat for seat in range(len(state.players)) if seat != viewer]
    for seat in other or ():
        player = state.players[seat]
        if player.treasures and state.bag:
            hidden = replace(player, treasures=(state.bag[0], *player.treasures[1:]))
            players = (*state.players[:seat], hidden, *state.players[seat + 1 :])
            yield replace(state, players=players, bag=(player.treasures[0], *state.bag[1:]))
            break


SUBJECT = kit.Subject(
    game=GAME,
    player=wanderer,
    bound=6000,
    codes=CODES,
    same_action=same_rotation,
    invariant=conserved,
    step_invariant=told,
    check_price=paid,
    twins=twins,
)
TestContract = contract.suite(SUBJECT, SETTINGS, every=effort(29, 5), seeds=effort(10, 60), refused=effort(8, 50))


def test_the_options_make_games() -> None:
    kit.check_options(GAME)
    assert GAME.settings({"round_limit": 7, "die_sides": 6}) == {"edition": "2.0.3", "round_limit": 7}
    for wrong in (1.5, True, "7", None, 2**60):
        with pytest.raises(BadData, match="round_limit"):
            GAME.settings({"round_limit": wrong})


PHASES: dict[str, Json] = {
    "keeping": position(
        inside((0, -1), treasures=[1, 9]),
        inside(treasures=[4]),
        hexes=[laid((0, -1), "L1-01", treasures=[{"value": 2, "seen": 1}, {"value": 3}])],
        phase="keeping",
        turn={"offer": [5, 5, 0], "by": "explore", "hex": [0, -1], "icons": 1},
        bag=[6, 7, 8],
    ),
    "keeping one picked up": position(
        inside((0, -1)),
        inside(),
        hexes=[laid((0, -1), "L1-01")],
        phase="keeping",
        turn={"offer": [5, 4, 0], "by": "collect_treasure", "hex": [0, -1]},
    ),
    "fleeing": position(inside((0, -1), 0), hexes=[laid((0, -1), "L1-06", grues=1)], phase="fleeing"),
    "driving": position(
        inside((0, -1), items=["lantern"]),
        hexes=[laid((0, -1), "L1-06", grues=2), laid((0, -2), "L2-01")],
        phase="driving",
    ),
    "haunting": position(
        {"state": "out", "hp": 2, "treasures": [3]},
        inside(items=["lantern"]),
        hexes=[laid((0, -1), "L1-06", grues=1), laid((0, -2), "L2-01")],
        phase="haunting",
        mp=0,
    ),
    "taking_lantern": position(
        {"state": "out", "hp": 2},
        inside(items=["lantern"]),
        hexes=[laid((0, -1), "L1-06", grues=1)],
        phase="taking_lantern",
        mp=0,
    ),
    "moving_grue": position(
        {"state": "out", "hp": 2},
        inside((0, -2), hp=1, treasures=[2]),
        hexes=[laid((0, -1), "L1-06", grues=1), laid((0, -2), "L1-01")],
        phase="moving_grue",
        mp=0,
    ),
}


@pytest.mark.parametrize("phase", PHASES)
def test_each_rare_phase_keeps_the_contract(phase: str) -> None:
    for seed in range(3):
        contract.look_at(SUBJECT)(GAME.from_position(PHASES[phase]), Random(seed))


def test_an_imagined_pile_has_the_real_size_and_number_of_level_2_hexes() -> None:
    """Rule 4.2: they are shuffled in below Cave Paintings. Some hexes are not in this game."""
    box = components()
    first, second = ([each for each in some if each != PAINTINGS] for some in box.pile)
    state = replace(GAME.new(3, {}, "pile"), hexes=(*first[:2], PAINTINGS, second[0], first[2], second[1]))
    for seed in range(5):
        hexes = GAME.imagine(GAME.view(state, 0), str(seed)).hexes
        assert len(hexes) == 6
        assert sum(box.hexes[each].level == 2 for each in hexes) == 2
        assert all(box.hexes[each].level == 1 for each in hexes[: hexes.index(PAINTINGS)])


@pytest.mark.parametrize(
    ("event", "field"),
    [
        ({"type": "hex_drawn", "seat": 0, "hex": "moon", "to": [0, 1]}, "hex"),
        ({"type": "collapsed", "at": [0, 1], "hex": "moon"}, "hex"),
        ({"type": "card_drawn", "seat": 0, "card": "joker", "mp": 1}, "card"),
    ],
)
def test_an_event_with_an_unknown_component_is_refused(event: Json, field: str) -> None:
    """The client looks such names up among the components, and a host may invent any."""
    with pytest.raises(BadData, match=f"^{field}: is not a {field} of the game"):
        GAME.event_from_json(event)
